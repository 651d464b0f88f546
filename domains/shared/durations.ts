const DURATION_PATTERN =
  /^([+-])?P(?!$)(?:(\d+)W)?(?:(\d+)D)?(?:T(?!$)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,](\d{1,3}))?S)?)?$/i

/** Ms of each part: weeks, days, hours, minutes, seconds. */
const UNITS_MS = [604_800_000, 86_400_000, 3_600_000, 60_000, 1000]

/** Parses an ISO 8601 duration; ms, negative with a leading minus, or undefined. Months and years vary in length. */
export function readDuration(text: string): number | undefined {
  const parts = DURATION_PATTERN.exec(text.trim())
  if (!parts) return undefined
  const whole = UNITS_MS.reduce((sum, unit, n) => sum + unit * Number(parts[n + 2] ?? 0), 0)
  const ms = whole + Number((parts[7] ?? '').padEnd(3, '0'))
  return Number.isSafeInteger(ms) ? (parts[1] === '-' ? -ms : ms) : undefined
}

/** `2h30m` → `PT2H30M`; undefined if the text is not in this short form. */
export function expandShortDuration(text: string): string | undefined {
  const [, days = '', time = ''] = /^((?:\d+w)?(?:\d+d)?)((?:\d+h)?(?:\d+m)?(?:\d+(?:\.\d{1,3})?s)?)$/i.exec(text) ?? []
  return days + time === '' ? undefined : `P${days}${time && `T${time}`}`
}
