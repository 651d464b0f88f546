import type { InjectOptions } from 'fastify'
import type { Person, TestApp } from '../support/app.ts'
import { withoutDurations, withoutSizes } from './normal.ts'

/** One call with its answer, as it is written to a file: a member that has its usual value is left out. */
export interface Exchange {
  /** Method and address. */
  call: string
  /** Whose token it has. */
  as?: string
  headers?: Record<string, unknown>
  /** The body of the request. */
  sent?: unknown
  status?: number
  /** Of the answer; null: it lacks a usual one. */
  answer_headers?: Record<string, unknown>
  /** JSON, or a text, or its lines. */
  body?: unknown
}

/** The beginning of a long text, with its length. */
const MAX_TEXT = 300
const shortened = (text: string): string =>
  text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}… (${text.length} characters)` : text

/** The value of a JSON text, if that is exactly how it would be written; else the text, or its lines. */
export function readable(text: string): unknown {
  try {
    const value = JSON.parse(text)
    if (JSON.stringify(value) === text) return value
  } catch {}
  const lines = text.split('\n')
  return lines.length > 1 ? lines : text
}

/** Decodes UTF-8; other bytes are encoded in base64. */
export const textOf = (bytes: Buffer): string => {
  const text = bytes.toString()
  return Buffer.from(text).equals(bytes) ? text : `base64:${bytes.toString('base64')}`
}

/** The headers of most answers. The length of the body is a usual one, too. */
const USUAL = { 'content-type': 'application/json; charset=utf-8', connection: 'keep-alive' }
const USUAL_OF_API = { ...USUAL, 'access-control-allow-origin': '*' }
const CONTROL = /^(\/w\/[^/]*)?\/(_sandbox|livez|readyz)([/?]|$)/

/** What differs from the usual headers. */
function unusualHeaders(url: string, headers: Record<string, unknown>, bytes: number) {
  const length = headers['content-length']
  const { date: _, ...sent } = headers
  const usual = { ...(CONTROL.test(url) ? USUAL : USUAL_OF_API), 'content-length': String(bytes) }
  const found = Object.entries({ ...sent, ...(length !== undefined && { 'content-length': String(length) }) }).filter(
    ([name, value]) => usual[name as keyof typeof usual] !== value,
  )
  const missing = Object.keys(usual).filter((name) => !(name in headers))
  return Object.fromEntries([...found, ...missing.map((name) => [name, null])])
}

const isEmpty = (value: object) => Object.keys(value).length === 0

/** Names the tokens of the test users. */
function namesOf({ sellers, buyers }: TestApp): [token: string, name: string][] {
  const name = (kind: string) => (one: Person, n: number, all: Person[]) => {
    const before = all.slice(0, n).filter(({ site_id }) => site_id === one.site_id).length
    return [one.token, `${kind} ${one.site_id}${before > 0 ? ` ${before + 1}` : ''}`] as [string, string]
  }
  return [...sellers.map(name('seller')), ...buyers.map(name('buyer'))]
}

interface Answer {
  statusCode: number
  headers: Record<string, unknown>
  rawPayload: Buffer
}

/** How calls and answers are written, with names for the tokens of the test users of a server. */
export function createWriter(app: TestApp) {
  const names = namesOf(app)
  const named = (text: string) => names.reduce((text, [token, name]) => text.replaceAll(token, `<${name}>`), text)

  function writeCall({ method = 'GET', url, headers: sentHeaders = {}, payload }: InjectOptions): Exchange {
    const { authorization, ...headers } = sentHeaders as Record<string, unknown>
    const token = /^Bearer <(.*)>$/.exec(named(String(authorization)))?.[1]
    const others = { ...(authorization !== undefined && token === undefined && { authorization }), ...headers }
    const text = Buffer.isBuffer(payload)
      ? textOf(payload)
      : typeof payload === 'object'
        ? JSON.stringify(payload)
        : payload
    return {
      call: shortened(named(`${method} ${url}`)),
      ...(token !== undefined && { as: token }),
      ...(!isEmpty(others) && { headers: others }),
      ...(text !== undefined && { sent: text.length > MAX_TEXT ? shortened(text) : readable(text) }),
    }
  }

  function writeAnswer(url: string, { statusCode, headers, rawPayload }: Answer): Partial<Exchange> {
    const unusual = unusualHeaders(url, headers, rawPayload.length)
    const text = textOf(rawPayload)
    const body = withoutSizes(withoutDurations(text))
    return {
      status: statusCode,
      ...(!isEmpty(unusual) && { answer_headers: unusual }),
      ...(body !== '' && { body: readable(body) }),
    }
  }
  return { writeCall, writeAnswer }
}

/** Shorter answers are repeated. */
const MIN_REFERENCE = 60

/**
 * Lines of JSON. Each has another call: the second one of the same text gets a number. An answer that an earlier line
 * has is replaced by the call of that line: a change of the answer is a change of one line.
 */
export function linesOf(exchanges: readonly Exchange[]): string[] {
  const calls = new Map<string, number>()
  const answers = new Map<string, string>()
  return exchanges.map(({ call, as, headers, sent, ...answer }) => {
    const caller = as === undefined ? call : `${call} as ${as}`
    const count = (calls.get(caller) ?? 0) + 1
    calls.set(caller, count)
    const name = count === 1 ? caller : `${caller} #${count}`
    const text = JSON.stringify(answer)
    const known = answers.get(text)
    const request = { call: name, ...(headers && { headers }), ...(sent !== undefined && { sent }) }
    if (known !== undefined && text.length >= MIN_REFERENCE)
      return JSON.stringify({ ...request, status: answer.status, answer_of: known })
    answers.set(text, name)
    return JSON.stringify({ ...request, ...answer })
  })
}
