import { MAX_TIME } from '../../db/clock.ts'

/** The text of an instant with the plus that the decoding of the query turned into a blank. */
export const restorePlus = (text: string): string =>
  text.replace(/([T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?) (\d{2}:?\d{2})$/i, '$1+$2')

const MINUS_FOUR_HOURS_MS = -4 * 3_600_000

/** `YYYY-MM-DDThh:mm:ss.000-04:00`: the dates of questions and answers on all sites. */
export const atMinusFour = (ms: number): string => `${isoSeconds(ms + MINUS_FOUR_HOURS_MS)}.000-04:00`

/** The same, or null without an instant. */
export const minusFourOrNull = (ms: number | null): string | null => (ms === null ? null : atMinusFour(ms))

/** `YYYY-MM-DDThh:mm:ssZ`. */
export const utcSeconds = (ms: number): string => `${isoSeconds(ms)}Z`

/** `YYYY-MM-DDThh:mm:ss.sssZ`; years have four digits. */
export const utcMillis = (ms: number): string => new Date(Math.min(ms, MAX_TIME)).toISOString()

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
/** `YYYY-MM-DDT` by days since 1970: creating a `Date` for each instant of a page takes longer than all else in `isoSeconds`. */
const days = new Map<number, string>()
const MAX_DAYS = 10_000

/** `YYYY-MM-DDThh:mm:ss`, UTC. */
export function isoSeconds(instant: number): string {
  const ms = Math.min(instant, MAX_TIME)
  const day = Math.floor(ms / DAY)
  let text = days.get(day)
  if (text === undefined) {
    if (days.size === MAX_DAYS) days.clear()
    text = new Date(ms).toISOString().slice(0, 'YYYY-MM-DDT'.length)
    days.set(day, text)
  }
  const seconds = Math.floor((ms - day * DAY) / 1000)
  const minutes = Math.floor(seconds / 60)
  return `${text}${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}`
}

const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+\- ]\d{2}:?\d{2})?)?$/i

/**
 * Parses an ISO 8601 instant; ms since 1970, or undefined. Without an offset it is UTC, without a time midnight UTC. A
 * blank before the offset counts as plus: an unencoded plus in a query decodes to it [spec: http.dates.plus].
 */
export function parseInstant(text: string): number | undefined {
  const parts = ISO_8601.exec(text)
  if (!parts) return undefined
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0)) as DateParts
  const ms = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3))
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second, ms)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  const offset = offsetMinutes(parts[8])
  return offset === undefined ? undefined : date.getTime() - offset * 60_000
}
type DateParts = [number, number, number, number, number, number]

/** Minutes east of UTC of `Z`, `+hh:mm`, `-hhmm`; undefined when out of range. */
function offsetMinutes(text = 'Z'): number | undefined {
  if (text === 'Z' || text === 'z') return 0
  const digits = text.replace(/\D/g, '')
  const hours = Number(digits.slice(0, 2))
  const minutes = Number(digits.slice(2))
  if (hours > 23 || minutes > 59) return undefined
  return (text[0] === '-' ? -1 : 1) * (hours * 60 + minutes)
}
