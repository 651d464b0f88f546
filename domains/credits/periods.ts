const DAY = 24 * 3_600_000
/** A lead lives so many days. */
export const LEAD_LIFETIME_DAYS = 30
const LEAD_LIFETIME_MS = LEAD_LIFETIME_DAYS * DAY
/** A search spans at most so many months, and leads are answered no longer. */
const MAX_MONTHS = 3

/** The same time some calendar months on (or back), UTC; the day is clamped to the end of the month. */
export function addMonths(ms: number, months: number): number {
  const date = new Date(ms)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() + months)
  // A day that the month has not has become one of the next month: back to its day 0, the last of the month before.
  if (date.getUTCDate() !== day) date.setUTCDate(0)
  return date.getTime()
}

/** The latest instant that a search from `since` may reach, ms. */
export const latestEnd = (since: number): number => addMonths(since, MAX_MONTHS)

/** The oldest instant of which leads are answered at `now`, ms. */
export const oldestVisible = (now: number): number => addMonths(now, -MAX_MONTHS)

/** A lead is over after its life, or when it was made so. */
export const isExpired = (lead: { date_created: number; expired: number }, now: number): boolean =>
  lead.expired === 1 || now >= lead.date_created + LEAD_LIFETIME_MS
