export type Unit = 'hour' | 'day'

const HOUR = 3_600_000
const BUCKET_MS: Record<Unit, number> = { hour: HOUR, day: 24 * HOUR }

/** The span of a series: buckets of `bucket` ms from `from` (inclusive) to `to` (exclusive), ms. */
export interface Window {
  from: number
  to: number
  bucket: number
}

/**
 * The window of `last` buckets. The last one contains `ending` (a boundary belongs to the bucket that begins there), or
 * is the one before with `whole`. Hours are full UTC hours; days begin at midnight at `dayOffset` (`-04:00`).
 */
export function windowOf(
  last: number,
  unit: Unit,
  ending: number,
  { dayOffset = '-04:00', whole = false } = {},
): Window {
  const bucket = BUCKET_MS[unit]
  const shift = unit === 'day' ? offsetHours(dayOffset) * HOUR : 0
  const start = Math.floor((ending + shift) / bucket) * bucket - shift
  const to = whole ? start : start + bucket
  return { from: to - last * bucket, to, bucket }
}

/** `-04:00` → −4. */
const offsetHours = (offset: string): number => Number(offset.slice(0, 3))

/** What `present` makes of the start and the count of each bucket of a window; `counts` has all of them in order. */
export const presentBuckets = <T>(
  { from, bucket }: Window,
  counts: readonly number[],
  present: (at: number, total: number) => T,
): T[] => counts.map((total, n) => present(from + n * bucket, total))
