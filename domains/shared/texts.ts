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

export const withoutUndefined = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
