import type { LightMyRequestResponse } from 'fastify'
import { parseJson } from '../../http/bodies.ts'
import type { Operation, Outcome, Schema } from '../support/openapi.ts'
import type { Call } from './answers.ts'
import { check, describe } from './checks.ts'
import { control } from './control_calls.ts'
import { SECRET, tokenOf, USERS } from './control_values.ts'

export interface CheckedControlAnswer {
  /** Undefined if the call matches no operation. */
  operation?: Operation
  /** The decoded path without the base path of the world. */
  path?: string
  outcome: Outcome
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i
/** Signs of a stack trace or of the storage. */
const INTERNALS = /node_modules|SQLITE_|\.ts:\d|\n\s+at |\/tmp\/|world-\d+/
const SECRETS = [...USERS.map(tokenOf), SECRET]
const BODY_LIMIT = 1024 * 1024

/**
 * Checks the answer of a control call against its OpenAPI document and [spec: http.control, http.errors.shape]; throws
 * on a mismatch.
 */
export function checkControlAnswer(
  call: Call,
  answer: LightMyRequestResponse,
  isWorld: (id: number) => boolean,
): CheckedControlAnswer {
  const { statusCode: status, payload, headers } = answer
  check(status < 500, `answered ${status} ${payload}`)
  checkDates(payload)
  const { pathname, searchParams: query } = new URL(`http://localhost${call.url}`)
  const outcome: Outcome = { status, ...bodyOf(answer) }
  if (call.method === 'HEAD') {
    check(payload === '', 'HEAD has a body')
    return { outcome }
  }
  const [base = '', world] = /^\/w\/([^/]*)/.exec(pathname) ?? []
  const path = pathname.slice(base.length)
  if (!isWellFormed(path)) return expectError(400, outcome)
  if (!/^\/_sandbox(\/|$)/.test(path)) return expectError(404, outcome)
  check(headers['access-control-allow-origin'] === undefined, 'cross-origin pages can read it')
  // The pages of the console are public, and test/control/console.test.ts checks them.
  if (isConsolePage(call)) return { outcome }
  if (isForeign(call)) return expectError(403, outcome)
  if (world !== undefined && !(/^\d{1,9}$/.test(world) && isWorld(Number(world)))) return expectError(404, outcome)
  const candidates = control.operationsAt(path)
  const operation = candidates.find(({ method }) => method === call.method)
  if (!operation) {
    if (status === 413 && Buffer.byteLength(call.payload ?? '') > BODY_LIMIT) return expectError(413, outcome)
    if (candidates.length > 0) check(headers.allow !== undefined, `${status} without Allow`)
    return expectError(candidates.length > 0 ? 405 : 404, outcome)
  }
  const wrong = control.mismatch(operation, outcome)
  check(!wrong, () => `${describe(outcome)}: ${wrong}`)
  if (status >= 400) expectError(status, outcome, payload)
  else if (call.headers['content-type'] !== 'application/x-ndjson') {
    const mismatched = control.requestMismatch(operation, { path, query, body: String(call.payload ?? '') })
    check(!mismatched, () => `accepted an invalid request: ${mismatched}`)
  }
  return { operation, path, outcome }
}

/** Whether a call is about the redirect to the console, or about its pages. */
export function isConsolePage({ url }: Call): boolean {
  const { pathname } = new URL(`http://localhost${url}`)
  return /^(\/w\/[^/]*)?\/(_|%5f)sandbox(\/|\/console(\/.*)?)?$/i.test(pathname)
}

/** Years have four digits at any time of the world, because few programs parse others. */
export function checkDates(payload: string): void {
  const [invalid] = /"(\w*date\w*|at|now|\w+_(at|time))":"[+-]\d{6}-[^"]*/.exec(payload) ?? []
  check(invalid === undefined, `has ${invalid}`)
}

/** An error has the standard members and contains no secrets or internals. */
function expectError(status: number, outcome: Outcome, text = JSON.stringify(outcome.body)): CheckedControlAnswer {
  const body = outcome.body as { status?: number; message?: string; error?: string; cause?: unknown }
  check(outcome.status === status && body?.status === status, () => `answered ${describe(outcome)}, expected ${status}`)
  const leaked = [...SECRETS.filter((secret) => text.includes(secret)), ...(INTERNALS.exec(text) ?? [])]
  check(leaked.length === 0, `an error contains ${leaked}`)
  check(
    Object.keys(body).slice(0, 4).join() === 'message,error,status,cause',
    () => `not a standard error: ${describe(outcome)}`,
  )
  return { outcome }
}

interface WordedSchema {
  'x-message'?: string
  'x-read'?: string
  properties?: Record<string, WordedSchema>
  patternProperties?: Record<string, WordedSchema>
  additionalProperties?: WordedSchema | boolean
  items?: WordedSchema
  then?: WordedSchema
  else?: WordedSchema
  anyOf?: WordedSchema[]
}

/** What a schema says of each of its members, which is named `*` where it may have any name. */
function wordings(schema: WordedSchema, at: string): [member: string, text: string][] {
  const { 'x-message': text, properties = {}, patternProperties = {}, additionalProperties } = schema
  const unnamed = [...Object.values(patternProperties), additionalProperties]
  const members = [...Object.entries(properties), ...unnamed.map((one) => ['*', one] as const)]
  const same = [schema.items, schema.then, schema.else, ...(schema.anyOf ?? [])]
  return [
    ...(text ? [[at, text] as [string, string]] : []),
    ...members.flatMap(([name, member]) =>
      typeof member === 'object' ? wordings(member, at ? `${at}.${name}` : name) : [],
    ),
    ...same.flatMap((one) => (one ? wordings(one, at) : [])),
  ]
}

/** Whether a message says that a member is wrong or missing, with the words of its schema. */
function isWording(message: string, [member, text]: [member: string, text: string]): boolean {
  const [before, after] = member.split('*')
  if (after !== undefined) return message.startsWith(before!) && message.endsWith(`${after}: ${text}`)
  return message === `${member || 'body'}: ${text}` || message === `${member}: is required, ${text}`
}

/** The schemas of the body and the query of each route, by method and path of its operation. */
export type RouteSchemas = Map<string, { body?: WordedSchema; querystring?: WordedSchema; params?: WordedSchema }>

/**
 * If body, query or a path parameter is invalid, the message must name the invalid part, with the words of its schema
 * unless the route reads it.
 */
export function checkMessage(
  { operation, path, outcome }: CheckedControlAnswer,
  call: Call,
  schemas: RouteSchemas,
): void {
  if (!operation || outcome.status !== 400 || call.headers['content-type'] === 'application/x-ndjson') return
  const { searchParams: query } = new URL(`http://localhost${call.url}`)
  const { message } = outcome.body as { message: string }
  const { value: body } = parseJson(String(call.payload ?? ''))
  if (operation.body && body === undefined && !message.startsWith('id')) {
    check(
      /^(body: must be JSON$|world: must be a JSON object)/.test(message),
      `a body that is not JSON is reported as ${message}`,
    )
    return
  }
  const mismatched = control.requestMismatch(operation, { path: path!, query, body: String(call.payload ?? '') })
  const names = [
    ...['body', 'world', '['],
    ...namesIn(operation.body ?? {}),
    ...Object.keys(body ?? {}),
    ...operation.parameters.map(({ name }) => name),
    ...query.keys(),
  ]
  const named = names.some((name) => message.startsWith(name))
  if (!mismatched) return
  check(named, `${JSON.stringify(message)} does not say what is wrong: ${mismatched.slice(-300)}`)
  const parts = Object.values(schemas.get(`${operation.method} ${operation.path}`) ?? {})
  if (parts.some((part) => part?.['x-read'] === 'route')) return
  const isWorded =
    / is an unknown (member|parameter)|^body: must be object$/.test(message) ||
    parts.some((part) => wordings(part ?? {}, '').some((one) => isWording(message, one)))
  check(isWorded, `${JSON.stringify(message)} is not what the schema says`)
}

/** The members that a body can have. */
function namesIn(sent: Schema): string[] {
  const { anyOf = [], properties = {} } = control.resolveReference(sent)
  return [...Object.keys(properties), ...anyOf.flatMap(namesIn)]
}

function bodyOf({ headers, payload, statusCode }: LightMyRequestResponse): Partial<Outcome> {
  if (payload === '') return {}
  check(statusCode !== 204, '204 has a body')
  const type = String(headers['content-type'])
  return { type, body: type.startsWith('application/json') ? JSON.parse(payload) : payload }
}

function isForeign({ headers: { host = 'localhost:80', origin, 'sec-fetch-site': site } }: Call): boolean {
  if (!LOOPBACK.test(host)) return true
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  return origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host)
}

function isWellFormed(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
