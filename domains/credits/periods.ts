const DAY = 24 * 3_600_000
/** [spec: credits.expiry] */
export const LEAD_LIFETIME_DAYS = 30
const LEAD_LIFETIME_MS = LEAD_LIFETIME_DAYS * DAY
/** Maximum span of a search and maximum age of a visible lead [spec: credits.search.range, credits.search.age]. */
const MAX_MONTHS = 3

/** Adds calendar months, UTC; the day is clamped to the end of the month. */
export function addMonths(ms: number, months: number): number {
  const date = new Date(ms)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() + months)
  // A day that does not exist in the month has overflowed into the next one: its day 0 is the last of the month.
  if (date.getUTCDate() !== day) date.setUTCDate(0)
  return date.getTime()
}

/** The latest instant that a search from `since` may reach, ms. */
export const latestEnd = (since: number): number => addMonths(since, MAX_MONTHS)

/** The oldest creation date that is visible at `now`, ms. */
export const oldestVisible = (now: number): number => addMonths(now, -MAX_MONTHS)

/** A lead expires after its lifetime, or early by a control call. */
export const isExpired = (lead: { date_created: number; expired: number }, now: number): boolean =>
  lead.expired === 1 || now >= lead.date_created + LEAD_LIFETIME_MS
