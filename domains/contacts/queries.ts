import { and, eq, gte, lt, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { $, fixedPlan, prepared, preparedBy, type Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { item } from '../items/tables.ts'
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

/** Events from `from` (inclusive) to `to` (exclusive), ms: whole hours from the hourly counts, the rest one by one. */
export async function countBetween(
  world: World,
  kind: ContactKind,
  subject: Subject,
  from: number,
  to: number,
): Promise<number> {
  const q = world.read
  const start = from - world.origin
  const end = to - world.origin
  const firstHour = Math.ceil(start / HOUR)
  const lastHour = Math.floor(end / HOUR)
  if (firstHour >= lastHour) return countEvents(q, kind, subject, start, end)
  return (
    (await countEvents(q, kind, subject, start, firstHour * HOUR)) +
    (await countHours(q, kind, subject, firstHour, lastHour)) +
    (await countEvents(q, kind, subject, lastHour * HOUR, end))
  )
}

/** Events of each bucket that has any, by the bucket's position in the window. */
export async function countInBuckets(
  world: World,
  kind: ContactKind,
  subject: Subject,
  window: Window,
): Promise<Map<number, number>> {
  const [start, end] = [(window.from - world.origin) / HOUR, (window.to - world.origin) / HOUR]
  const hours = window.bucket / HOUR
  const last = (end - start) / hours
  const { item_id, user_id } = subject
  if (item_id === undefined && hours > 1 && last <= MAX_COLUMN_BUCKETS) {
    const sums = await userBucketColumns(world.read, { last, hours }).one({ kind, start, id: user_id })
    return new Map(Object.values(sums as Record<string, number>).entries())
  }
  const values = { kind, start, end, hours, last }
  const rows = item_id
    ? await itemBuckets(world.read).all({ ...values, id: item_id })
    : await (hours > 1 ? userBucketSums : userBuckets)(world.read).all({ ...values, id: user_id })
  return new Map(rows.map(({ bucket, n }) => [bucket, n]))
}

async function countEvents(
  q: Q,
  kind: ContactKind,
  { item_id, user_id }: Subject,
  start: number,
  end: number,
): Promise<number> {
  if (start >= end) return 0
  const values = { kind, user_id, start, end }
  const row = item_id ? await itemEvents(q).one({ ...values, item_id }) : await userEvents(q).one(values)
  return row!.n
}

async function countHours(
  q: Q,
  kind: ContactKind,
  { item_id, user_id }: Subject,
  start: number,
  end: number,
): Promise<number> {
  const values = { kind, start, end }
  const row = item_id
    ? await itemHours(q).one({ ...values, id: item_id })
    : await userHours(q).one({ ...values, id: user_id })
  return row!.n
}

const count = sql<number>`count(*)`.as('n')
const eventsBetween = and(
  eq(contact_event.user_id, $('user_id')),
  eq(contact_event.kind, $('kind')),
  gte(contact_event.at, $('start')),
  lt(contact_event.at, $('end')),
)

const userEvents = prepared(({ db }) => db.select({ n: count }).from(contact_event).where(eventsBetween))
const itemEvents = prepared(({ db }) =>
  db
    .select({ n: count })
    .from(contact_event)
    .where(and(eventsBetween, eq(contact_event.item_id, $('item_id')))),
)

type Hours = typeof contact_item_hour | typeof contact_user_hour
const hoursBetween = (h: Hours, id: AnySQLiteColumn) =>
  and(eq(id, fixedPlan($('id'))), eq(h.kind, fixedPlan($('kind'))), gte(h.hour, $('start')), lt(h.hour, $('end')))
const sumOf = ({ n }: Hours) => sql<number>`coalesce(sum(${n}), 0)`.as('n')
/** better-sqlite3 binds numbers as reals, so the division needs a cast. */
const bucketOf = ({ hour }: Hours) =>
  sql<number>`cast((${hour} - ${$('start')}) / ${$('hours')} as integer)`.as('bucket')

const itemHours = prepared(({ db }) =>
  db
    .select({ n: sumOf(contact_item_hour) })
    .from(contact_item_hour)
    .where(hoursBetween(contact_item_hour, contact_item_hour.item_id)),
)
const userHours = prepared(({ db }) =>
  db
    .select({ n: sumOf(contact_user_hour) })
    .from(contact_user_hour)
    .where(hoursBetween(contact_user_hour, contact_user_hour.user_id)),
)
const itemBuckets = prepared(({ db }) =>
  db
    .select({ bucket: bucketOf(contact_item_hour), n: sumOf(contact_item_hour) })
    .from(contact_item_hour)
    .where(hoursBetween(contact_item_hour, contact_item_hour.item_id))
    .groupBy(sql`1`),
)
const userBuckets = prepared(({ db }) =>
  db
    .select({ bucket: bucketOf(contact_user_hour), n: sumOf(contact_user_hour) })
    .from(contact_user_hour)
    .where(hoursBetween(contact_user_hour, contact_user_hour.user_id))
    .groupBy(sql`1`),
)

/** A seller has contacts in most hours: a subquery per bucket takes half the time of a GROUP BY over the hours. */
const userBucketSums = prepared(({ db }) =>
  db.select({ bucket: sql<number>`bucket`.as('bucket'), n: sql<number>`n`.as('n') }).from(
    sql`(WITH RECURSIVE place(bucket) AS (SELECT 0 UNION ALL SELECT bucket + 1 FROM place WHERE bucket + 1 < ${$('last')})
      SELECT bucket, (SELECT coalesce(sum(n), 0) FROM ${contact_user_hour} WHERE user_id = ${$('id')} AND kind = ${$('kind')}
        AND hour >= ${$('start')} + bucket * ${$('hours')} AND hour < ${$('start')} + (bucket + 1) * ${$('hours')}) AS n
      FROM place)`,
  ),
)

/** Longer series would need too many columns and prepared statements. */
const MAX_COLUMN_BUCKETS = 31

/** The same sums as columns of one row: another third faster. */
const userBucketColumns = preparedBy(({ db }, { last, hours }: { last: number; hours: number }) =>
  db
    .select(
      Object.fromEntries(
        Array.from({ length: last }, (_, n) => [
          `n${n}`,
          sql<number>`(SELECT coalesce(sum(n), 0) FROM ${contact_user_hour} WHERE user_id = input.id AND kind = input.kind
            AND hour >= input.start + ${sql.raw(`${n * hours}`)} AND hour < input.start + ${sql.raw(`${(n + 1) * hours}`)})`.as(
            `n${n}`,
          ),
        ]),
      ),
    )
    .from(sql`(SELECT ${$('id')} AS id, ${$('kind')} AS kind, ${$('start')} AS start) AS input`),
)

/** The seller of a listing; undefined when there is no such listing. */
export const itemSeller = (q: Q, id: string) => selectSeller(q).one({ id })
const selectSeller = prepared(({ db }) =>
  db
    .select({ seller_id: item.seller_id })
    .from(item)
    .where(eq(item.id, $('id'))),
)

export const userExists = async (q: Q, id: number): Promise<boolean> =>
  (await selectUserId(q).one({ id })) !== undefined
const selectUserId = prepared(({ db }) =>
  db
    .select({ id: user.id })
    .from(user)
    .where(eq(user.id, $('id'))),
)
