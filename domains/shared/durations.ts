const ISO_PATTERN = /^P(?!$)(?:(\d+)W)?(?:(\d+)D)?(?:T(?!$)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,](\d{1,3}))?S)?)?$/i
const SHORT_PATTERN = /^(?!$)(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)(?:[.,](\d{1,3}))?s)?$/i
const MS_PATTERN = /^(\d+)(?:ms)?$/i

/** Ms of each part: weeks, days, hours, minutes, seconds. */
const UNITS_MS = [604_800_000, 86_400_000, 3_600_000, 60_000, 1000]

/** What a duration must be, for messages. */
export const DURATION_MESSAGE = 'must be a duration, such as 2h30m, 90s, 1d, PT2H30M, or whole ms'

/**
 * Reads a duration as ISO 8601 (`PT2H30M`), in short form (`2h30m`), or in ms (`500ms`, `500`). Returns ms, negative with a
 * leading minus, or undefined. Months and years vary in length.
 */
export function readDuration(text: string | number): number | undefined {
  const [, sign, value] = /^([+-]?)(.*)$/s.exec(String(text).trim())!
  const ms = readParts(value!)
  if (ms === undefined || !Number.isSafeInteger(ms)) return undefined
  return sign === '-' && ms > 0 ? -ms : ms
}

function readParts(text: string): number | undefined {
  const inMs = MS_PATTERN.exec(text)
  if (inMs) return Number(inMs[1])
  const parts = ISO_PATTERN.exec(text) ?? SHORT_PATTERN.exec(text)
  if (!parts) return undefined
  const whole = UNITS_MS.reduce((sum, unit, n) => sum + unit * Number(parts[n + 1] ?? 0), 0)
  return whole + Number((parts[6] ?? '').padEnd(3, '0'))
}
