import type { LightMyRequestResponse } from 'fastify'
import {
  errorMismatch,
  mismatch,
  type Operation,
  type Outcome,
  operationsAt,
  requestMismatch,
} from '../support/openapi.ts'
import { check, describe } from './checks.ts'

/** An injected request. */
export interface Call {
  method: string
  url: string
  headers: Record<string, string>
  payload?: string | Buffer
}

export interface CheckedAnswer {
  /** Undefined if the call matches no operation. */
  operation?: Operation
  outcome: Outcome
}

/** The world of the calls: its number, and the secrets that no error may contain. */
export interface CallContext {
  worldId: number
  secrets: string[]
}

const SCRIPT = 'text/javascript;charset=UTF-8'
const CALLBACK = /^(?=.{1,128}$)[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*){0,9}$/
const OAUTH = new Set(['/authorization', '/oauth/token'])
const BODY_LIMIT = 1024 * 1024
/** Signs of a stack trace or of the storage. */
const INTERNALS = /node_modules|SQLITE_|\.ts:\d|\n\s+at /

/**
 * Checks one answer against the OpenAPI document and the common rules [spec: http.errors.shape, http.jsonp, http.head];
 * throws on a mismatch.
 */
export function checkAnswer(
  call: Call,
  answer: LightMyRequestResponse,
  { worldId, secrets }: CallContext,
): CheckedAnswer {
  const { statusCode, payload } = answer
  check(statusCode < 500, () => `answered ${statusCode} ${payload}`)
  check(answer.headers['access-control-allow-origin'] === '*', 'cross-origin pages cannot read it')
  if (call.method === 'HEAD') {
    check(payload === '', 'HEAD has a body')
    return { outcome: { status: statusCode } }
  }
  const address = parseUrl(call.url, worldId)
  const [callback, ...more] = call.method === 'GET' ? address.query.getAll('callback') : []
  const scripted = callback !== undefined && more.length === 0 && CALLBACK.test(callback)
  // An empty one counts as absent.
  const isInvalid = more.length > 0 || (!scripted && callback !== undefined && callback !== '')
  const outcome = scripted ? jsonpOutcome(callback, answer) : plainOutcome(answer)
  if (outcome.status >= 400) {
    const leaked = [...secrets.filter((secret) => payload.includes(secret)), ...(INTERNALS.exec(payload) ?? [])]
    check(leaked.length === 0, `an error contains ${leaked}`)
  }
  const judged = checkOutcome(scripted ? jsonpWrite(call, address) : call, address, outcome, isInvalid)
  if (outcome.status === 405) check(scripted || answer.headers.allow !== undefined, '405 without Allow')
  return judged
}

/** The write that a script requested by `_method`. */
function jsonpWrite(call: Call, { query }: Address): Call {
  const method = query.get('_method')?.toUpperCase() ?? ''
  return ['POST', 'PUT', 'DELETE'].includes(method) ? { ...call, method, payload: query.get('_body') ?? '' } : call
}

function checkOutcome(call: Call, address: Address, outcome: Outcome, hasInvalidCallback: boolean): CheckedAnswer {
  const { status, body } = outcome
  const candidates = operationsAt(address.path)
  const [atPath] = candidates
  if (address.isMalformed) return expectError(400, outcome, atPath)
  const operation = candidates.find(({ method }) => method === call.method)
  // Either error may come first, but it must be one of the two.
  if (address.isUnknownWorld) return expectError(hasInvalidCallback && status === 400 ? 400 : 404, outcome, atPath)
  if (hasInvalidCallback)
    check(codeOf(body) === 'invalid_callback', () => `unexpected answer to an invalid callback: ${describe(outcome)}`)
  if (hasInvalidCallback && !operation) return expectError(400, outcome, atPath)
  // Not every operation documents 400, which is the answer to any with two tokens.
  const hasTwoTokens = address.query.getAll('access_token').length > 1
  if (operation && hasTwoTokens && status === 400) return expectError(400, outcome, operation)
  if (operation) {
    const projects = operation.parameters.some(({ name }) => name === 'attributes')
    const wrong = mismatch(operation, outcome, projects ? requestedNames(call.url) : undefined)
    check(!wrong, wrong)
    check(status < 400 || repeatsStatus(outcome), () => `another status in ${describe(outcome)}`)
    // OAuth reads its parameters from the query and the body.
    if (status < 300 && !OAUTH.has(operation.path)) {
      const { path } = address
      const query = withoutEmpty(operation, address.query)
      const mismatched = requestMismatch(operation, { path, query, body: String(call.payload ?? '') })
      check(!mismatched, `accepted an invalid request: ${mismatched}`)
      for (const { name } of operation.parameters.filter(({ name }) => DATES.test(name)))
        for (const text of query.getAll(name))
          check(isInstant(text), `accepted ${name}=${JSON.stringify(text)} as a date-time`)
    }
    return { operation, outcome }
  }
  if (status === 413 && Buffer.byteLength(call.payload ?? '') > BODY_LIMIT) return expectError(413, outcome, atPath)
  if (candidates.length === 0) return expectError(404, outcome)
  if (call.method !== 'OPTIONS') return expectError(405, outcome, atPath)
  check(status === 200 && isDescription(body), () => `unexpected answer to OPTIONS: ${describe(outcome)}`)
  return { outcome }
}

/** An answer outside of the operations, in the error format of the operations of its path. */
function expectError(status: number, outcome: Outcome, operation?: Operation): CheckedAnswer {
  check(outcome.status === status && status >= 400, () => `answered ${describe(outcome)}, expected ${status}`)
  const documented4xx = Object.keys(operation?.responses ?? {}).find((documented) => documented.startsWith('4'))
  const wrong =
    operation && documented4xx
      ? mismatch(operation, { ...outcome, status: Number(documented4xx) })
      : errorMismatch(outcome.body)
  check(!wrong, () => `${describe(outcome)}: ${wrong}`)
  check(repeatsStatus(outcome), () => `another status in ${describe(outcome)}`)
  return { outcome }
}

function plainOutcome({ statusCode: status, headers, payload }: LightMyRequestResponse): Outcome {
  const type = headers['content-type'] === undefined ? undefined : String(headers['content-type'])
  if (payload === '') return { status }
  check(status !== 204, '204 has a body')
  return { status, type, body: type?.startsWith('application/json') ? JSON.parse(payload) : payload }
}

/** The arguments of a JSONP call. */
function jsonpOutcome(callback: string, { statusCode, headers, payload }: LightMyRequestResponse): Outcome {
  check(statusCode === 200, `a script comes with ${statusCode}`)
  check(headers['content-type'] === SCRIPT, `a script is sent as ${headers['content-type']}`)
  check(headers['x-content-type-options'] === 'nosniff', 'a script without nosniff')
  check(!/[\u2028\u2029]/.test(payload), 'a script has a raw U+2028 or U+2029')
  check(payload.startsWith(`${callback}(`), `a script does not begin with ${callback}(`)
  const [status, sent, body] = evaluate(`call${payload.slice(callback.length)}`) as [
    number,
    Record<string, string[]>,
    unknown,
  ]
  check(Number.isInteger(status) && status >= 200 && status < 500, `a script has status ${status}`)
  check(String(sent['Content-Type']) === SCRIPT, 'a script does not contain its content type')
  check(!['Content-Length', 'Connection', 'Date'].some((name) => name in sent), 'a script contains transport headers')
  check(
    Object.values(sent).every((values) => Array.isArray(values)),
    'a script contains headers that are not lists',
  )
  check(status !== 204 || body === null, '204 has a body')
  return { status, body }
}

/** The argument of the one call that a script makes. */
const evaluate = (script: string): unknown =>
  new Function('call', `"use strict"; return ${script}`)((...args: unknown[]) => {
    check(args.length === 1, 'a script calls with several arguments')
    return args[0]
  })

interface Address {
  /** Whether it names an unknown world. */
  isUnknownWorld: boolean
  /** Its path has an invalid escape. */
  isMalformed: boolean
  path: string
  query: URLSearchParams
}

const DATES = /^(date_(from|to|created\.(from|to))|ending)$/
const INSTANT =
  /^(\d{4}-\d\d)-(\d\d)([T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d([.,]\d{1,9})?)?(Z|[-+ ]([01]\d|2[0-3]):?[0-5]\d)?)?$/i

/** A valid date-time of a query [spec: http.dates.query]. */
function isInstant(text: string): boolean {
  const [, month, day] = INSTANT.exec(text) ?? []
  const date = new Date(`${month}-01T00:00:00Z`)
  date.setUTCDate(Number(day))
  return Number(day) > 0 && date.toJSON()?.startsWith(`${month}-${day}`)
}

/** A URL as the server must parse it. */
function parseUrl(url: string, worldId: number): Address {
  const { pathname, searchParams: query } = new URL(`http://localhost${url}`)
  const [head = '', world] = /^\/w\/([^/]*)/.exec(pathname) ?? []
  const isUnknownWorld = world !== undefined && !(/^\d{1,9}$/.test(world) && Number(world) === worldId)
  const path = pathname.slice(head.length) || '/'
  return { isUnknownWorld, isMalformed: !isDecodable(path), path, query }
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** A query without the optional parameters that are empty: they count as absent [spec: http.query.empty]. */
function withoutEmpty({ parameters }: Operation, query: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(query)
  for (const { name, required } of parameters)
    if (!required && query.getAll(name).join() === '' && query.getAll(name).length === 1) rest.delete(name)
  return rest
}

/** The members that `attributes` names; undefined for all. */
function requestedNames(search: string): Set<string> | undefined {
  const values = search.split(/[?&]/).filter((pair) => pair.startsWith('attributes='))
  const names = values.flatMap((pair) => decoded(pair.slice('attributes='.length)).split(','))
  const trimmed = names.map((name) => name.trim()).filter(Boolean)
  return trimmed.length > 0 ? new Set(trimmed) : undefined
}

/** A decoded query value; a malformed one is returned unchanged. */
function decoded(wire: string): string {
  const text = wire.replaceAll('+', ' ')
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** An error with a status member repeats its own status; errors of two members have none. */
const repeatsStatus = ({ status, body }: Outcome): boolean =>
  [status, undefined].includes((body as { status?: number }).status)

const codeOf = (body: unknown): unknown => {
  const { error, code } = (body ?? {}) as { error?: string; code?: string }
  return error ?? code
}

const DESCRIPTION = ['name', 'description', 'attributes', 'methods', 'related_resources', 'connections']

const isDescription = (body: unknown): boolean => {
  const { methods, related_resources, ...rest } = body as Record<string, object[]>
  return (
    Object.keys(body as object).join() === DESCRIPTION.join() &&
    methods!.every((one) => Object.keys(one).join() === 'method,example,description') &&
    related_resources!.every((path) => typeof path === 'string') &&
    typeof rest.attributes === 'object' &&
    typeof rest.connections === 'object'
  )
}
