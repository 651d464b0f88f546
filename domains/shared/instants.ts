/** The text of an instant with the plus that the decoding of the query turned into a blank. */
export const restorePlus = (text: string): string =>
  text.replace(/([T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?) (\d{2}:?\d{2})$/i, '$1+$2')

const MINUS_FOUR_HOURS_MS = -4 * 3_600_000

/** `YYYY-MM-DDThh:mm:ss.000-04:00`: the dates of questions and answers on all sites. */
export const atMinusFour = (ms: number): string => `${isoSeconds(ms + MINUS_FOUR_HOURS_MS)}.000-04:00`

/** `YYYY-MM-DDThh:mm:ssZ`. */
export const utcSeconds = (ms: number): string => `${isoSeconds(ms)}Z`

/** `YYYY-MM-DDThh:mm:ss.sssZ`. */
export const utcMillis = (ms: number): string => new Date(ms).toISOString()

/** The same, or null without an instant. */
export const utcOrNull = (ms: number | null): string | null => (ms === null ? null : utcMillis(ms))

/** Adds calendar months, UTC; the day is clamped to the end of the month. */
export function addMonths(ms: number, months: number): number {
  const date = new Date(ms)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() + months)
  // A day that does not exist in the month has overflowed into the next one: its day 0 is the last of the month.
  if (date.getUTCDate() !== day) date.setUTCDate(0)
  return date.getTime()
}

const DAY = 24 * 3_600_000

/**
 * The first instant after `now` for which the date `months` calendar months earlier is later than `ms`, which it is not
 * at `now`. At the end of a month that date repeats the last day: it moves back at midnight.
 */
export function firstInstantBeyond(ms: number, months: number, now: number): number {
  let at = addMonths(ms, months) + 1
  while (at <= now || addMonths(at, -months) <= ms) at = Math.min(at + DAY, startOfNextMonth(at))
  return at
}
const startOfNextMonth = (ms: number): number => Date.UTC(new Date(ms).getUTCFullYear(), new Date(ms).getUTCMonth() + 1)

const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))
let latest = { day: Number.NaN, text: '' }

/** `YYYY-MM-DDThh:mm:ss`, UTC. A page has a hundred of them, most of the same day: only another day makes a `Date`. */
export function isoSeconds(ms: number): string {
  const day = Math.floor(ms / DAY)
  if (day !== latest.day) latest = { day, text: new Date(ms).toISOString().slice(0, 'YYYY-MM-DDT'.length) }
  const seconds = Math.floor((ms - day * DAY) / 1000)
  const minutes = Math.floor(seconds / 60)
  return `${latest.text}${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}`
}
