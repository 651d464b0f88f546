import { Type } from '@sinclair/typebox'

/** A string of at most `maxLength` code points, without U+0000; not blank unless `mayBeBlank`. */
export const Text = (description: string, maxLength: number, { mayBeBlank = false, example = '' } = {}) =>
  Type.String({
    minLength: mayBeBlank ? 0 : 1,
    maxLength,
    pattern: mayBeBlank ? '^[^\\u0000]*$' : '^(?=[^]*\\S)[^\\u0000]*$',
    description,
    ...(example !== '' && { examples: [example] }),
    'x-message': `must be a string of at most ${maxLength} characters${mayBeBlank ? '' : ', not blank'}, without U+0000`,
  })

/** A token or a secret. */
export const VisibleAscii = (description: string, example: string) =>
  Type.String({
    // In a URL these two are path segments.
    pattern: '^(?!\\.{1,2}$)[\\x21-\\x7e]{1,200}$',
    description,
    examples: [example],
    'x-message': 'must be 1 to 200 visible ASCII characters, and not . or ..',
  })

/** Replaces half surrogate pairs in all texts of a value: SQLite cannot store them. */
export function toWellFormed<T>(value: T): T {
  if (typeof value === 'string') return value.toWellFormed() as T
  if (Array.isArray(value)) return value.map(toWellFormed) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toWellFormed(member)])) as T
}

export const withoutAccents = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '')

export const withoutUndefined = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

/** Maximum nesting of a JSON value with a free shape, so that recursive code does not exhaust the stack. */
export const MAX_LEVELS = 200

export function isTooDeep(value: unknown, maxLevels = MAX_LEVELS): boolean {
  let level: unknown[] = [value]
  for (let n = 0; n <= maxLevels; n++) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
    if (level.length === 0) return false
  }
  return true
}

/** Formats 32 hex digits as a UUID of version 4, which clients expect. */
export function uuid(digits: string): string {
  const variant = '89ab'[Number.parseInt(digits[16]!, 16) % 4]!
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    variant + digits.slice(17, 20),
    digits.slice(20, 32),
  ].join('-')
}
