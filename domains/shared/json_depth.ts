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
