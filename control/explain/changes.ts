import { SecretValue } from '../../http/errors/checks.ts'
import { REDACTED, redactTokens, SECRETS } from '../../http/journal/redaction.ts'
import type { CallModel, Place } from './call_model.ts'
import type { Sentences } from './texts.ts'

/** What is changed in a call. `assumed`: a body that was not recorded. */
export const CHANGE_KINDS = [
  'replace',
  'rename',
  'add',
  'remove',
  'token',
  'method',
  'path',
  'body',
  'assumed',
] as const

export interface Change {
  kind: (typeof CHANGE_KINDS)[number]
  in: Place | null
  name: string | null
  /** As shown; null: nothing. */
  from: string | null
  to: string | null
}

/** A changed call. */
export interface Attempt {
  call: CallModel
  changes: readonly Change[]
}

const MAX_SHOWN_CHARACTERS = 200

/** A value without its secrets, as a short text; null for none. */
export function showValue(name: string, value: unknown): string | null {
  if (value === undefined) return null
  if (value instanceof SecretValue) return value.shown
  if (SECRETS.request.has(name)) return REDACTED
  const text = typeof value === 'string' ? value : JSON.stringify(value, (_, one) => showSecret(one))
  const characters = [...redactTokens(text)]
  const isLong = characters.length > MAX_SHOWN_CHARACTERS
  return isLong ? `${characters.slice(0, MAX_SHOWN_CHARACTERS).join('')}…` : characters.join('')
}
const showSecret = (value: unknown) => (value instanceof SecretValue ? value.shown : value)

/** The change of a field from one value to another; undefined for none. */
export const fieldChange = (place: Place, name: string, from: unknown, to: unknown): Change => ({
  kind: to === undefined ? 'remove' : from === undefined ? 'add' : 'replace',
  in: place,
  name,
  from: showValue(name, from),
  to: showValue(name, to),
})

export const otherChange = (kind: Change['kind'], from: string | null, to: string | null): Change => ({
  kind,
  in: null,
  name: null,
  from: from && redactTokens(from),
  to: to && redactTokens(to),
})

/** A change as a part of a sentence. */
export function describeChange({ kind, name, from, to }: Change, { change }: Sentences): string {
  if (kind === 'rename') return change.rename(from!, to!)
  if (kind === 'token') return change.token(Number(to))
  if (kind === 'method') return change.method(to!)
  if (kind === 'path') return change.path(to!)
  if (kind === 'body') return change.body()
  if (kind === 'assumed') return change.assumedBody()
  return change[kind](name!, to!)
}
