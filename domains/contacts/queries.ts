import { $, preparedSql, type Q } from '../../db/engine.ts'
import { selectRows } from '../../db/rows.ts'
import type { World } from '../../db/world.ts'
import { user } from '../users/tables.ts'
import type { ContactKind } from './tables.ts'
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
  from: number,
  to: number,
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
  const firstHour = (window.from - world.origin) / HOUR
  const lastHour = (window.to - world.origin) / HOUR
  const { hours, counts } = await countInHours(world.read, kind, subject, { firstHour, lastHour })
  const hoursPerBucket = window.bucket / HOUR
  const totals = Array<number>((lastHour - firstHour) / hoursPerBucket).fill(0)
  for (let n = 0; n < hours.length; n++) totals[Math.floor((hours[n]! - firstHour) / hoursPerBucket)]! += counts[n]!
  return totals
}

/** The hours that have events, from `firstHour` until before `lastHour` since the origin, and the number in each. */
export async function countInHours(
  q: Q,
  kind: ContactKind,
  { item_id, user_id }: Subject,
  range: { firstHour: number; lastHour: number },
): Promise<{ hours: number[]; counts: number[] }> {
  const statement = item_id ? itemHours(q) : userHours(q)
  const row = (await statement.one({ kind, ...range, id: item_id ?? user_id }))!
  return { hours: JSON.parse(row.hours), counts: JSON.parse(row.counts) }
}

const wholeHours = (subject: 'item' | 'user') =>
  `FROM contact_${subject}_hour WHERE ${subject}_id = +:id AND kind = +:kind AND hour >= :firstHour AND hour < :lastHour`

/** One row with two JSON arrays: for a month of hours that takes half the time of a row for each hour. */
const hourlyCounts = (subject: 'item' | 'user') =>
  preparedSql<{ hours: string; counts: string }>(
    `SELECT json_group_array(hour) AS hours, json_group_array(n) AS counts ${wholeHours(subject)}`,
  )
const itemHours = hourlyCounts('item')
const userHours = hourlyCounts('user')

function totalBetween(subject: 'item' | 'user') {
  const eventsBetween = (start: string, end: string) =>
    `(SELECT count(*) FROM contact_event WHERE user_id = :user_id AND kind = :kind AND at >= :${start} AND at < :${end}
      ${subject === 'item' ? 'AND item_id = :id' : ''})`
  return preparedSql<{ n: number }>(`
    SELECT ${eventsBetween('start', 'firstEdge')} + (SELECT coalesce(sum(n), 0) ${wholeHours(subject)})
      + ${eventsBetween('lastEdge', 'end')} AS n`)
}
const itemTotal = totalBetween('item')
const userTotal = totalBetween('user')

export const userExists = async (q: Q, id: number): Promise<boolean> =>
  (await selectUserId(q).one({ id })) !== undefined
const selectUserId = selectRows(user, { id: $ }, { columns: ['id'] })
