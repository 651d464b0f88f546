import { replaceParts } from './multipart.ts'

/** Replaces a secret. */
export const REDACTED = '***'
/** Longer texts are cut: callers have texts of at most 64 KiB, and no other call should wait for one of them. */
const MAX_CHARACTERS = 64 * 1024

/** Names in lower case, which members may have in any case. */
class Names extends Set<string> {
  override has(name: string): boolean {
    return super.has(name.toLowerCase())
  }
}

const RESPONSE_SECRETS = [
  'access_token',
  'refresh_token',
  'client_secret',
  'secret',
  'password',
  // Of other services: clients send them, and receivers send back what they got.
  'authorization',
  'api_key',
  'x-api-key',
]
/** Members with secrets. `code` is a secret in requests, but the name of an error in answers. */
export const SECRETS = {
  request: new Names([...RESPONSE_SECRETS, 'code', 'code_verifier', 'code_challenge', 'token']),
  response: new Names(RESPONSE_SECRETS),
}

/** Access tokens, refresh tokens and authorization codes, anywhere in a text; at its end also one that was cut. */
const TOKEN_PATTERN = /APP_USR-\d+-\d{6}-[0-9a-f]+(?:-\d+|-?$)|TG-[0-9a-f]{8,}(?:-\d+|-?$)/g

/** Members of free values that are secrets. */
const MEMBER_SECRETS = new Names([...RESPONSE_SECRETS, 'token', 'cookie', 'set-cookie'])

/** A copy of a JSON value in which `replace` replaces the tokens, and the texts of members with secrets. */
export const replaceSecrets = <T>(value: T, replace: (secret: string) => string): T =>
  value === undefined
    ? value
    : JSON.parse(JSON.stringify(value), (name, member: unknown) => {
        if (typeof member !== 'string') return member
        return MEMBER_SECRETS.has(name) ? replace(member) : member.replace(TOKEN_PATTERN, replace)
      })

export const redactTokens = (text: string): string => cut(text).replace(TOKEN_PATTERN, REDACTED)

const cut = (text: string): string => (text.length > MAX_CHARACTERS ? text.slice(0, MAX_CHARACTERS) : text)

/**
 * Removes the secrets from a text: JSON, a form, multipart, or the beginning of one of them. JSON with secrets is
 * serialized again; any other text keeps its characters.
 */
export function redact(text: string, secrets: Set<string>): string {
  const shown = cut(text)
  return redactTokens(redactJson(shown, secrets) ?? redactText(shown, secrets))
}

function redactJson(text: string, secrets: Set<string>): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    let found = false
    const value = JSON.parse(text, (name, value: unknown) => {
      if (!secrets.has(name) || value === null || typeof value === 'object') return value
      found = true
      return REDACTED
    })
    return found ? JSON.stringify(value) : text
  } catch {
    return undefined
  }
}

function redactText(text: string, secrets: Set<string>): string {
  const form = text
    .split('&')
    .map((pair) => (secrets.has(nameOf(pair)) ? `${pair.slice(0, pair.indexOf('='))}=${REDACTED}` : pair))
    .join('&')
  return replaceParts(form.replace(membersOf(secrets), `$1"${REDACTED}"`), secrets, () => REDACTED)
}

const memberPatterns = new Map<Set<string>, RegExp>()

/** Members in the beginning of a JSON text. */
function membersOf(secrets: Set<string>): RegExp {
  const known = memberPatterns.get(secrets)
  if (known) return known
  const names = [...secrets].join('|')
  const pattern = new RegExp(`("(?:${names})"\\s*:\\s*)("(?:[^"\\\\]|\\\\[^])*(?:"|\\\\?$)|[\\w.+-]+)`, 'gi')
  memberPatterns.set(secrets, pattern)
  return pattern
}

/** The name in `name=value` of a form; empty if it is something else. */
function nameOf(pair: string): string {
  const at = pair.indexOf('=')
  if (at < 0) return ''
  try {
    return decodeURIComponent(pair.slice(0, at).replaceAll('+', ' ')).trim()
  } catch {
    return ''
  }
}

/** An address without user information and query: these may contain secrets. Any other text is returned as it is. */
export const maskUrl = (text: string): string =>
  /^[a-z][a-z\d+.-]*:\/\//i.test(text)
    ? text.replace(/\/\/[^/?#]*@/, `//${REDACTED}@`).replace(/\?.*/s, `?${REDACTED}`)
    : text

/** The parts of a response schema that lead to its secrets. */
interface Schema {
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  'x-secret'?: boolean | 'url' | 'members'
}

/** A copy of an answer in which the texts that its schema marks as `x-secret` are replaced, or masked as addresses. */
export function maskSecrets(schema: Schema, value: unknown): unknown {
  if (value === null || value === undefined) return value
  if (schema['x-secret'] === 'url') return typeof value === 'string' ? maskUrl(value) : value
  if (schema['x-secret'] === 'members') return replaceSecrets(value, () => REDACTED)
  if (schema['x-secret']) return REDACTED
  const { properties = {}, additionalProperties, items, anyOf } = schema
  if (anyOf) return anyOf.reduce((masked: unknown, choice) => maskSecrets(choice, masked), value)
  if (Array.isArray(value)) return items ? value.map((element) => maskSecrets(items, element)) : value
  if (typeof value !== 'object') return value
  const other = typeof additionalProperties === 'object' ? additionalProperties : {}
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, maskSecrets(properties[name] ?? other, member)]),
  )
}
