/** Levels that a JSON value may have where somebody gives us any: what walks it stays clear of the end of the stack. */
export const MAX_LEVELS = 200

export function isTooDeep(value: unknown, maxLevels = MAX_LEVELS): boolean {
  let level: unknown[] = [value]
  for (let n = 0; n <= maxLevels; n++) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
    if (level.length === 0) return false
  }
  return true
}
