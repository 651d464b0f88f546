import { and, desc, eq, gte, lt, sql } from 'drizzle-orm'
import { $, prepared, type Q, yieldToEventLoop } from '../../db/engine.ts'
import { deleteRows, matching } from '../../db/rows.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { type Contact, countForItem, countForUser, recordContacts } from './operations.ts'
import { countInHours } from './queries.ts'
import { contact_event, contact_item_hour, contact_user_hour } from './tables.ts'

/** One kind of contacts of a listing. */
export type ItemSeries = Pick<Contact, 'kind' | 'item_id' | 'user_id'>

/** The new number of contacts of a bucket; `from` (inclusive) and `to` (exclusive): full hours, ms. */
export interface BucketTotal {
  from: number
  to: number
  total: number
}

interface SeriesChange {
  /** Buckets that had another total. */
  changed: number
  added: number
  removed: number
}

/** Contacts that one call may add or remove: its commit takes about a second. */
export const MAX_CHANGES = 100_000
/** Buckets that are compared, and removals that are made, before yielding to the event loop. */
const BUCKETS_PER_YIELD = 200
const REMOVALS_PER_YIELD = 20
/** Contacts of one removal. */
const MAX_REMOVED = 100
const HOUR = 3_600_000

/** Contacts of an hour that are to be removed, at most MAX_REMOVED. */
interface Removal {
  /** Since the origin. */
  hour: number
  n: number
}

/**
 * Adds or removes contacts, so that each bucket has its total. Added ones are of guests, spread evenly from the start
 * of the bucket to its end or `now`; the newest ones are removed. Throws 400 if these are more than MAX_CHANGES. The
 * buckets do not overlap and begin at `now` or before. Call it inside `world.tx`.
 */
export async function setTotals(
  q: Q,
  { origin, now }: { origin: number; now: number },
  series: ItemSeries,
  buckets: readonly BucketTotal[],
): Promise<SeriesChange> {
  const range = {
    firstHour: (Math.min(...buckets.map(({ from }) => from)) - origin) / HOUR,
    lastHour: (Math.max(...buckets.map(({ to }) => to)) - origin) / HOUR,
  }
  const { hours, counts } = await countInHours(q, series.kind, series, range)
  const countByHour = new Map(hours.map((hour, n) => [hour, counts[n]!]))
  const contacts: (Contact & { count: number })[] = []
  const removals: Removal[] = []
  const change: SeriesChange = { changed: 0, added: 0, removed: 0 }
  for (const [index, { from, to, total }] of buckets.entries()) {
    if (index % BUCKETS_PER_YIELD === BUCKETS_PER_YIELD - 1) await yieldToEventLoop()
    const bucketHours = hoursOf(from - origin, to - origin)
    const added = total - bucketHours.reduce((sum, hour) => sum + (countByHour.get(hour) ?? 0), 0)
    if (added !== 0) change.changed++
    if (added > 0) change.added += added
    else change.removed -= added
    if (change.added + change.removed > MAX_CHANGES)
      throw badRequest(`points: must add or remove at most ${MAX_CHANGES} contacts`)
    if (added < 0) removals.push(...removalsOf(bucketHours, countByHour, -added))
    else
      for (const at of spread(from, Math.min(to, now + 1), added))
        contacts.push({ ...series, at, buyer_id: null, count: 1 })
  }
  await removeContacts(q, series, removals)
  await recordContacts(q, { origin }, contacts)
  return change
}

/** The hours from `start` until before `end`, ms since the origin. */
const hoursOf = (start: number, end: number): number[] =>
  Array.from({ length: (end - start) / HOUR }, (_, n) => start / HOUR + n)

/** `n` instants, ms, evenly from `from` until before `to`. */
const spread = (from: number, to: number, n: number): number[] =>
  Array.from({ length: n }, (_, i) => from + Math.floor(((i + 0.5) * (to - from)) / n))

/** The removals of the `n` newest contacts of these hours. */
function removalsOf(hours: readonly number[], countByHour: ReadonlyMap<number, number>, n: number): Removal[] {
  const removals: Removal[] = []
  let remaining = n
  for (const hour of hours.toReversed()) {
    const end = remaining - Math.min(remaining, countByHour.get(hour) ?? 0)
    for (; remaining > end; remaining -= removals.at(-1)!.n)
      removals.push({ hour, n: Math.min(remaining - end, MAX_REMOVED) })
  }
  return removals
}

async function removeContacts(q: Q, series: ItemSeries, removals: readonly Removal[]): Promise<void> {
  const { kind, item_id, user_id } = series
  for (let first = 0; first < removals.length; first += REMOVALS_PER_YIELD) {
    const batch = removals.slice(first, first + REMOVALS_PER_YIELD)
    await deleteNewest(q).runAll(
      batch.map(({ hour, n }) => ({ ...series, start: hour * HOUR, end: (hour + 1) * HOUR, n })),
    )
    const counted = batch.map(({ hour, n }) => ({ kind, item_id, user_id, hour, n: -n }))
    await countForItem(q).runAll(counted)
    await countForUser(q).runAll(counted)
    await deleteEmptyOfItem(q).runAll(counted)
    await deleteEmptyOfUser(q).runAll(counted)
    await yieldToEventLoop()
  }
}
const deleteNewest = prepared(({ db }) => {
  const isOfSeries = matching(contact_event, { user_id: $, kind: $ })
  const newest = db
    .select({ at: contact_event.at, seq: contact_event.seq })
    .from(contact_event)
    .where(
      and(
        isOfSeries,
        gte(contact_event.at, $('start')),
        lt(contact_event.at, $('end')),
        eq(contact_event.item_id, $('item_id')),
      ),
    )
    .orderBy(desc(contact_event.at), desc(contact_event.seq))
    .limit($('n'))
  return db.delete(contact_event).where(and(isOfSeries, sql`(${contact_event.at}, ${contact_event.seq}) IN ${newest}`))
})

/** An hour without contacts has no count. */
const deleteEmptyOfItem = deleteRows(contact_item_hour, { item_id: $, kind: $, hour: $, n: 0 })
const deleteEmptyOfUser = deleteRows(contact_user_hour, { user_id: $, kind: $, hour: $, n: 0 })
