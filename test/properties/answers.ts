import type { LightMyRequestResponse } from 'fastify'
import { errorMismatch, mismatch, type Operation, type Outcome, operationsAt, unfit } from '../support/openapi.ts'

/** A request as it is injected. */
export interface Call {
  method: string
  url: string
  headers: Record<string, string>
  payload?: string | Buffer
}

export interface Judged {
  /** None where the call hit no operation. */
  operation?: Operation
  outcome: Outcome
}

/** What a judge must know of the world: its number, and what no error may tell. */
export interface Known {
  home: number
  secrets: string[]
}

const SCRIPT = 'text/javascript;charset=UTF-8'
const CALLBACK = /^(?=.{1,128}$)[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*){0,9}$/
const OAUTH = new Set(['/authorization', '/oauth/token'])
const BODY_LIMIT = 1024 * 1024
/** Signs of a stack or of the storage. */
const INTERNALS = /node_modules|SQLITE_|\.ts:\d|\n\s+at /

/** Holds one answer against the rulings (§1) and the document; throws what is wrong with it. */
export function judge(call: Call, answer: LightMyRequestResponse, { home, secrets }: Known): Judged {
  const { statusCode, payload } = answer
  must(statusCode < 500, `answered ${statusCode} ${payload}`)
  must(answer.headers['access-control-allow-origin'] === '*', 'no page may read it')
  if (call.method === 'HEAD') {
    must(payload === '', 'HEAD has a body')
    return { outcome: { status: statusCode } }
  }
  const address = read(call.url, home)
  const callback = call.method === 'GET' ? address.query.get('callback') : null
  const scripted = callback !== null && CALLBACK.test(callback)
  const outcome = scripted ? called(callback, answer) : plain(answer)
  if (outcome.status >= 400) {
    const told = [...secrets.filter((secret) => payload.includes(secret)), ...(INTERNALS.exec(payload) ?? [])]
    must(told.length === 0, `an error tells ${told}`)
  }
  const judged = judgeOutcome(
    scripted ? written(call, address) : call,
    address,
    outcome,
    callback !== null && !scripted,
  )
  if (outcome.status === 405) must(scripted || answer.headers.allow !== undefined, '405 without Allow')
  return judged
}

/** The write that a script asked for by `_method`. */
function written(call: Call, { query }: Address): Call {
  const method = query.get('_method')?.toUpperCase() ?? ''
  return ['POST', 'PUT', 'DELETE'].includes(method) ? { ...call, method, payload: query.get('_body') ?? '' } : call
}

function judgeOutcome(call: Call, address: Address, outcome: Outcome, misnamed: boolean): Judged {
  const { status, body } = outcome
  if (address.path === undefined) return refused(400, outcome)
  const there = operationsAt(address.path)
  const operation = there.find(({ method }) => method === call.method)
  // Which of the two is told first is open; that it is told plainly is not.
  if (address.lost) return refused(misnamed && status === 400 ? 400 : 404, outcome, operation)
  if (misnamed) must(codeOf(body) === 'invalid_callback', `a bad callback is answered ${told(outcome)}`)
  if (misnamed && !operation) return refused(400, outcome)
  if (operation) {
    const projects = operation.parameters.some(({ name }) => name === 'attributes')
    const wrong = mismatch(operation, outcome, projects ? namesIn(call.url) : undefined)
    must(!wrong, wrong)
    must(status < 400 || saysItself(outcome), `another status in ${told(outcome)}`)
    // OAuth reads its parameters from wherever they stand.
    if (status < 300 && !OAUTH.has(operation.path)) {
      const { path, query } = address
      const taken = unfit(operation, { path, query, body: String(call.payload ?? '') })
      must(!taken, `took what it must refuse: ${taken}`)
      for (const { name } of operation.parameters.filter(({ name }) => DATES.test(name)))
        for (const text of query.getAll(name))
          must(isInstant(text), `took ${name}=${JSON.stringify(text)} for an instant`)
    }
    return { operation, outcome }
  }
  if (status === 413 && Buffer.byteLength(call.payload ?? '') > BODY_LIMIT) return refused(413, outcome)
  if (there.length === 0) return refused(404, outcome)
  if (call.method !== 'OPTIONS') return refused(405, outcome)
  must(status === 200 && isDescription(body), `OPTIONS is answered ${told(outcome)}`)
  return { outcome }
}

/** What no operation answers, in the words of the operation where one was meant. */
function refused(status: number, outcome: Outcome, operation?: Operation): Judged {
  must(outcome.status === status && status >= 400, `is answered ${told(outcome)}, expected ${status}`)
  const alike = Object.keys(operation?.responses ?? {}).find((documented) => documented.startsWith('4'))
  const wrong =
    operation && alike ? mismatch(operation, { ...outcome, status: Number(alike) }) : errorMismatch(outcome.body)
  must(!wrong, `${told(outcome)}: ${wrong}`)
  must(saysItself(outcome), `another status in ${told(outcome)}`)
  return { outcome }
}

function plain({ statusCode: status, headers, payload }: LightMyRequestResponse): Outcome {
  const type = headers['content-type'] === undefined ? undefined : String(headers['content-type'])
  if (payload === '') return { status }
  must(status !== 204, '204 has a body')
  return { status, type, body: type?.startsWith('application/json') ? JSON.parse(payload) : payload }
}

/** What a script calls its function with. */
function called(callback: string, { statusCode, headers, payload }: LightMyRequestResponse): Outcome {
  must(statusCode === 200, `a script comes with ${statusCode}`)
  must(headers['content-type'] === SCRIPT, `a script is sent as ${headers['content-type']}`)
  must(headers['x-content-type-options'] === 'nosniff', 'a script without nosniff')
  must(!/[\u2028\u2029]/.test(payload), 'a script has a raw U+2028 or U+2029')
  must(payload.startsWith(`${callback}(`), `a script does not begin with ${callback}(`)
  const [status, sent, body] = evaluated(`call${payload.slice(callback.length)}`) as [
    number,
    Record<string, string[]>,
    unknown,
  ]
  must(Number.isInteger(status) && status >= 200 && status < 500, `a script bears status ${status}`)
  must(String(sent['Content-Type']) === SCRIPT, 'a script does not tell its content type')
  must(!['Content-Length', 'Connection', 'Date'].some((name) => name in sent), 'a script tells transport headers')
  must(
    Object.values(sent).every((values) => Array.isArray(values)),
    'a script tells headers that are no lists',
  )
  must(status !== 204 || body === null, '204 has a body')
  return { status, body }
}

/** The one argument that an expression calls `call` with. */
const evaluated = (script: string): unknown =>
  new Function('call', `"use strict"; return ${script}`)((...given: unknown[]) => {
    must(given.length === 1, 'a script calls with several arguments')
    return given[0]
  })

interface Address {
  /** It names a world that there is not. */
  lost: boolean
  /** Undefined where it is not well-formed. */
  path?: string
  query: URLSearchParams
}

const DATES = /^(date_(from|to|created\.(from|to))|ending)$/
const INSTANT =
  /^(\d{4}-\d\d)-(\d\d)([T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d([.,]\d{1,9})?)?(Z|[-+ ]([01]\d|2[0-3]):?[0-5]\d)?)?$/i

/** An instant as a query may have it (rulings §1), on a day that there is. */
function isInstant(text: string): boolean {
  const [, month, day] = INSTANT.exec(text) ?? []
  const date = new Date(`${month}-01T00:00:00Z`)
  date.setUTCDate(Number(day))
  return Number(day) > 0 && date.toJSON()?.startsWith(`${month}-${day}`)
}

/** An address as the server must read it. */
function read(url: string, home: number): Address {
  const { pathname, searchParams: query } = new URL(`http://localhost${url}`)
  const [head = '', world] = /^\/w\/([^/]*)/.exec(pathname) ?? []
  const lost = world !== undefined && !(/^\d{1,9}$/.test(world) && Number(world) === home)
  const path = pathname.slice(head.length) || '/'
  try {
    decodeURIComponent(path)
    return { lost, path, query }
  } catch {
    return { lost, query }
  }
}

/** The members that `attributes` asks for; undefined where it asks for all. */
function namesIn(search: string): Set<string> | undefined {
  const values = search.split(/[?&]/).filter((pair) => pair.startsWith('attributes='))
  const names = values.flatMap((pair) => decoded(pair.slice('attributes='.length)).split(','))
  const some = names.map((name) => name.trim()).filter(Boolean)
  return some.length > 0 ? new Set(some) : undefined
}

/** A value in a query; one that is not well-formed stands for itself. */
function decoded(wire: string): string {
  const text = wire.replaceAll('+', ' ')
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** An error that tells a status tells its own; those of two members tell none. */
const saysItself = ({ status, body }: Outcome): boolean =>
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

const told = ({ status, body }: Outcome): string => `${status} ${JSON.stringify(body)?.slice(0, 500)}`

/** Throws what is wrong unless `good`. */
function must(good: boolean, wrong: string | undefined): asserts good {
  if (!good) throw new Error(wrong)
}
