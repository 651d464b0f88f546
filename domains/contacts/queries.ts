import { and, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { $, prepared, type Q } from '../../db/engine.ts'
import { remembered } from '../../db/remembered.ts'
import { matching, selectRows } from '../../db/rows.ts'
import type { World } from '../../db/world.ts'
import { user } from '../users/tables.ts'
import { type ContactKind, contact_event, contact_item_hour, contact_user_hour } from './tables.ts'
import type { Window } from './windows.ts'

const HOUR = 3_600_000

/** The subject of a count: one listing, or a seller with all listings. */
export interface Subject {
  item_id?: string
  /** The seller, even with `item_id`: the key of the events begins with the seller. */
  user_id: number
}

/** Counts events from `from` (inclusive) to `to` (exclusive), ms: whole hours from the hourly counts, the rest one by one. */
export async function countBetween(
  world: World,
  kind: ContactKind,
  { item_id, user_id }: Subject,
  { from, to }: { from: number; to: number },
): Promise<number> {
  const start = from - world.origin
  const end = to - world.origin
  const firstHour = Math.ceil(start / HOUR)
  const lastHour = Math.max(firstHour, Math.floor(end / HOUR))
  const range = {
    start,
    firstHour,
    firstEdge: Math.min(firstHour * HOUR, end),
    lastHour,
    lastEdge: lastHour * HOUR,
    end,
  }
  const row = item_id
    ? await itemTotal(world.read).one({ ...range, kind, user_id, id: item_id })
    : await userTotal(world.read).one({ ...range, kind, user_id, id: user_id })
  return row!.n
}

/** The number of events of each bucket of the window, in their order. */
export async function countInBuckets(
  world: World,
  kind: ContactKind,
  subject: Subject,
  window: Window,
): Promise<number[]> {
  const hoursPerBucket = window.bucket / HOUR
  const firstHour = (window.from - world.origin) / HOUR
  const lastHour = (window.to - world.origin) / HOUR
  const lastBucket = lastHour - hoursPerBucket

  async function totalsOf(range: HourRange): Promise<number[]> {
    const { hours, counts } = await countInHours(world.read, kind, subject, range)
    const totals = Array<number>((range.lastHour - range.firstHour) / hoursPerBucket).fill(0)
    for (let n = 0; n < hours.length; n++)
      totals[Math.floor((hours[n]! - range.firstHour) / hoursPerBucket)]! += counts[n]!
    return totals
  }

  if ((lastHour - firstHour) / hoursPerBucket > MAX_REMEMBERED_BUCKETS) return totalsOf({ firstHour, lastHour })
  // What happens now is counted in the last bucket.
  const earlier = { firstHour, lastHour: lastBucket }
  const { item_id: id = subject.user_id } = subject
  const statement = subject.item_id ? itemHours(world.read) : userHours(world.read)
  const values = { kind, id, ...earlier, hoursPerBucket }
  const sum = subject.item_id ? itemSum(world.read) : userSum(world.read)
  // In one step, so that no commit comes between the two reads.
  const [totals, last] = await Promise.all([
    remembered(world.read, { statement, values, before: lastBucket }, () => totalsOf(earlier)),
    sum.one({ kind, id, firstHour: lastBucket, lastHour }),
  ])
  return [...totals, last!.n]
}

/** Longer series, which only control calls have, would take much memory. */
const MAX_REMEMBERED_BUCKETS = 1000

/** Hours since the origin: the first, and that after the last. */
interface HourRange {
  firstHour: number
  lastHour: number
}

/** The hours that have events, from `firstHour` until before `lastHour` since the origin, and the number in each. */
export async function countInHours(
  q: Q,
  kind: ContactKind,
  { item_id, user_id }: Subject,
  range: HourRange,
): Promise<{ hours: number[]; counts: number[] }> {
  const statement = item_id ? itemHours(q) : userHours(q)
  const row = (await statement.one({ kind, ...range, id: item_id ?? user_id }))!
  return { hours: JSON.parse(row.hours), counts: JSON.parse(row.counts) }
}

type Rollup = typeof contact_item_hour | typeof contact_user_hour
const wholeHours = (rollup: Rollup, id: AnySQLiteColumn) =>
  and(eq(id, $('id')), eq(rollup.kind, $('kind')), gte(rollup.hour, $('firstHour')), lt(rollup.hour, $('lastHour')))

/** One row with two JSON arrays: for a month of hours that takes half the time of a row for each hour. */
const hourlyCounts = (rollup: Rollup, id: AnySQLiteColumn) =>
  prepared(({ db }) =>
    db
      .select({
        hours: sql<string>`json_group_array(${rollup.hour})`.as('hours'),
        counts: sql<string>`json_group_array(${rollup.n})`.as('counts'),
      })
      .from(rollup)
      .where(wholeHours(rollup, id)),
  )
/** The number of events in the hours. */
const hourlySum = (rollup: Rollup, id: AnySQLiteColumn) => (q: Q) =>
  q.db
    .select({ n: sql<number>`coalesce(sum(${rollup.n}), 0)`.as('n') })
    .from(rollup)
    .where(wholeHours(rollup, id))
const itemSum = prepared(hourlySum(contact_item_hour, contact_item_hour.item_id))
const userSum = prepared(hourlySum(contact_user_hour, contact_user_hour.user_id))

const itemHours = hourlyCounts(contact_item_hour, contact_item_hour.item_id)
const userHours = hourlyCounts(contact_user_hour, contact_user_hour.user_id)

const totalBetween = (rollup: Rollup, id: AnySQLiteColumn, isOfSubject?: SQL) =>
  prepared((q) => {
    const { db } = q
    const eventsBetween = (start: string, end: string) =>
      db
        .select({ n: sql`count(*)` })
        .from(contact_event)
        .where(
          and(
            matching(contact_event, { user_id: $, kind: $ }),
            gte(contact_event.at, $(start)),
            lt(contact_event.at, $(end)),
            isOfSubject,
          ),
        )
    const hours = hourlySum(rollup, id)(q)
    const n = sql<number>`${eventsBetween('start', 'firstEdge')} + ${hours} + ${eventsBetween('lastEdge', 'end')}`
    return db.select({ n: n.as('n') }).from(sql`(SELECT 1)`)
  })
const itemTotal = totalBetween(contact_item_hour, contact_item_hour.item_id, eq(contact_event.item_id, $('id')))
const userTotal = totalBetween(contact_user_hour, contact_user_hour.user_id)

export const userExists = async (q: Q, id: number): Promise<boolean> =>
  (await selectUserId(q).one({ id })) !== undefined
const selectUserId = selectRows(user, { id: $ }, { columns: ['id'] })
