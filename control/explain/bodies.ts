import { isTooDeep } from '../../domains/shared/json_depth.ts'
import { parseJson } from '../../http/bodies.ts'
import { SecretValue } from '../../http/errors/checks.ts'
import type { Entry } from '../../http/journal/journal_entry.ts'
import { REDACTED, redactTokens, SECRETS } from '../../http/journal/redaction.ts'

export type Members = Readonly<Record<string, string | SecretValue>>

/** The body of a call. `unknown`: it was not recorded, or only its beginning. */
export type CallBody =
  | { kind: 'none' }
  | { kind: 'unknown' }
  | { kind: 'json'; value: unknown }
  | { kind: 'form'; members: Members }
  | { kind: 'text'; text: string }

/** The body of a recorded call. One that was not read, or of which only the beginning is stored, is unknown. */
export function readBody({ body, method, violation }: Entry): CallBody {
  if (!body) return mayHaveUnreadBody(method, violation?.rule) ? { kind: 'unknown' } : { kind: 'none' }
  if (!body.isComplete) return { kind: 'unknown' }
  return parseBody(body.text)
}

export function parseBody(text: string): CallBody {
  const { value } = parseJson(text)
  if (value !== undefined && !isTooDeep(value)) return { kind: 'json', value }
  const members = readForm(text)
  return members ? { kind: 'form', members } : { kind: 'text', text }
}

const NO_BODY_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Calls that are rejected by these rules have not been read. */
const UNREAD = /^http\.(token|faults|jsonp|body\.limit|body\.incomplete)|^credits\.unauthorized$|token_errors$/

const mayHaveUnreadBody = (method: string, rule: string | undefined): boolean =>
  !NO_BODY_METHODS.has(method) && rule !== undefined && UNREAD.test(rule)

/** Names and values of a form; undefined if a text is none. */
function readForm(text: string): Members | undefined {
  if (!/^[\w.%+-]+=/.test(text) || /[\s{}]/.test(text)) return undefined
  return Object.fromEntries(new URLSearchParams(text))
}

/** A body as it is sent, or as it is shown. */
export function formatMembers(
  body: { kind: 'json'; value: unknown } | { kind: 'form'; members: Members },
  isShown: boolean,
): string {
  if (body.kind === 'json') return JSON.stringify(resolve('', body.value, isShown))
  return Object.entries(body.members)
    .map(([name, value]) => `${encodeURIComponent(name)}=${formText(name, value, isShown)}`)
    .join('&')
}

function formText(name: string, value: string | SecretValue, isShown: boolean): string {
  const text = String(resolve(name, value, isShown))
  return isShown && value instanceof SecretValue ? text : encodeURIComponent(text)
}

/** The value of a member with its secrets, or without. */
function resolve(name: string, value: unknown, isShown: boolean): unknown {
  if (value instanceof SecretValue) return isShown ? value.shown : value.value
  if (Array.isArray(value)) return value.map((element) => resolve('', element, isShown))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(name, member, isShown)]))
  if (!isShown || value === null) return value
  if (SECRETS.request.has(name)) return REDACTED
  return typeof value === 'string' ? redactTokens(value) : value
}
