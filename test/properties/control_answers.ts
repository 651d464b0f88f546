import type { LightMyRequestResponse } from 'fastify'
import { parseJson } from '../../http/bodies.ts'
import type { Operation, Outcome, Schema } from '../support/openapi.ts'
import type { Call } from './answers.ts'
import { control } from './control_calls.ts'
import { SECRET, tokenOf, USERS } from './control_pool.ts'

export interface JudgedControl {
  /** None where the call hit no operation. */
  operation?: Operation
  /** What it named, decoded and without the world's base. */
  path?: string
  outcome: Outcome
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i
/** Signs of a stack or of the storage. */
const INTERNALS = /node_modules|SQLITE_|\.ts:\d|\n\s+at |\/tmp\/|world-\d+/
const SECRETS = [...USERS.map(tokenOf), SECRET]
const BODY_LIMIT = 1024 * 1024

/** Holds the answer of a control call against the rulings and its document; throws what is wrong with it. */
export function judgeControl(
  call: Call,
  answer: LightMyRequestResponse,
  isWorld: (id: number) => boolean,
): JudgedControl {
  const { statusCode: status, payload, headers } = answer
  must(status < 500, `answered ${status} ${payload}`)
  datesAreReadable(payload)
  const { pathname, searchParams: query } = new URL(`http://localhost${call.url}`)
  const outcome: Outcome = { status, ...bodyOf(answer) }
  if (call.method === 'HEAD') {
    must(payload === '', 'HEAD has a body')
    return { outcome }
  }
  const [base = '', world] = /^\/w\/([^/]*)/.exec(pathname) ?? []
  const path = pathname.slice(base.length)
  if (!isWellFormed(path)) return refused(400, outcome)
  if (!/^\/_sandbox(\/|$)/.test(path)) return refused(404, outcome)
  must(headers['access-control-allow-origin'] === undefined, 'pages of other sites may read it')
  if (isForeign(call)) return refused(403, outcome)
  if (world !== undefined && !(/^\d{1,9}$/.test(world) && isWorld(Number(world)))) return refused(404, outcome)
  const there = control.operationsAt(path)
  const operation = there.find(({ method }) => method === call.method)
  if (!operation) {
    if (status === 413 && Buffer.byteLength(call.payload ?? '') > BODY_LIMIT) return refused(413, outcome)
    if (there.length > 0) must(headers.allow !== undefined, `${status} without Allow`)
    return refused(there.length > 0 ? 405 : 404, outcome)
  }
  const wrong = control.mismatch(operation, outcome)
  must(!wrong, () => `${told(outcome)}: ${wrong}`)
  if (status >= 400) refused(status, outcome, payload)
  else if (call.headers['content-type'] !== 'application/x-ndjson') {
    const taken = control.unfit(operation, { path, query, body: String(call.payload ?? '') })
    must(!taken, () => `took what it must refuse: ${taken}`)
  }
  return { operation, path, outcome }
}

/** Years have four digits, whatever the time of the world: others are dates that few programs read. */
export function datesAreReadable(payload: string): void {
  const [odd] = /"(\w*date\w*|at|now|\w+_(at|time))":"[+-]\d{6}-[^"]*/.exec(payload) ?? []
  must(odd === undefined, `has ${odd}`)
}

/** An error says what it is, names what is wrong in a call, and tells nothing else. */
function refused(status: number, outcome: Outcome, text = JSON.stringify(outcome.body)): JudgedControl {
  const body = outcome.body as { status?: number; message?: string; error?: string; cause?: unknown }
  must(outcome.status === status && body?.status === status, () => `is answered ${told(outcome)}, expected ${status}`)
  const inside = [...SECRETS.filter((secret) => text.includes(secret)), ...(INTERNALS.exec(text) ?? [])]
  must(inside.length === 0, `an error tells ${inside}`)
  must(
    Object.keys(body).slice(0, 4).join() === 'message,error,status,cause',
    () => `no standard error: ${told(outcome)}`,
  )
  return { outcome }
}

/** The body is not what the document says, or the query, or a parameter of the address: the refusal must say which. */
export function saysWhere({ operation, path, outcome }: JudgedControl, call: Call): void {
  if (!operation || outcome.status !== 400 || call.headers['content-type'] === 'application/x-ndjson') return
  const { searchParams: query } = new URL(`http://localhost${call.url}`)
  const { message } = outcome.body as { message: string }
  const { value: body } = parseJson(String(call.payload ?? ''))
  if (operation.body && body === undefined && !message.startsWith('id')) {
    must(
      /^(body: must be JSON$|world: must be a JSON object)/.test(message),
      `a body that is no JSON is told as ${message}`,
    )
    return
  }
  const unfit = control.unfit(operation, { path: path!, query, body: String(call.payload ?? '') })
  const names = [
    ...['body', 'world', '['],
    ...namesIn(operation.body ?? {}),
    ...Object.keys(body ?? {}),
    ...operation.parameters.map(({ name }) => name),
  ]
  const named = names.some((name) => message.startsWith(name))
  if (unfit) must(named, `${JSON.stringify(message)} does not say what is wrong: ${unfit.slice(-300)}`)
}

/** The members that a body may have. */
function namesIn(sent: Schema): string[] {
  const { anyOf = [], properties = {} } = control.resolved(sent)
  return [...Object.keys(properties), ...anyOf.flatMap(namesIn)]
}

function bodyOf({ headers, payload, statusCode }: LightMyRequestResponse): Partial<Outcome> {
  if (payload === '') return {}
  must(statusCode !== 204, '204 has a body')
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

export const told = ({ status, body }: Outcome): string => `${status} ${JSON.stringify(body)?.slice(0, 500)}`

/** Throws what is wrong unless `good`. */
export function must(good: boolean, wrong: string | (() => string)): asserts good {
  // What has to be put together is so only when it is needed.
  if (!good) throw new Error(typeof wrong === 'string' ? wrong : wrong())
}
