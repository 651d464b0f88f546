/** One difference between what is expected of a call and what it has. */
export interface Difference {
  /** `method`, `path`, `query.limit`, `body.items.0.id`. */
  what: string
  /** JSON values; `actual` is absent if there is no value. */
  expected: unknown
  actual?: unknown
}

/** Limit of differences reported for one call. */
export const MAX_DIFFERENCES = 20

/** Adds the differences of `actual` from `expected`: objects may have further members, arrays no further elements. */
export function compareValues(what: string, expected: unknown, actual: unknown, found: Difference[]): void {
  if (found.length >= MAX_DIFFERENCES || Object.is(expected, actual)) return
  if (typeof expected !== 'object' || expected === null || typeof actual !== 'object' || actual === null)
    return void found.push(difference(what, expected, actual))
  if (Array.isArray(expected) !== Array.isArray(actual)) return void found.push(difference(what, expected, actual))
  if (Array.isArray(expected) && expected.length !== (actual as unknown[]).length)
    return void found.push(difference(`${what}.length`, expected.length, (actual as unknown[]).length))
  for (const [name, value] of Object.entries(expected))
    compareValues(`${what}.${name}`, value, memberOf(actual, name), found)
}

const memberOf = (value: object, name: string): unknown =>
  Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined

export const difference = (what: string, expected: unknown, actual: unknown): Difference =>
  actual === undefined ? { what, expected } : { what, expected, actual }

/** The texts that a query has where this value is expected. */
export const queryTexts = (value: unknown): string | string[] =>
  Array.isArray(value) ? value.map(String) : String(value)
