import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import { MAX_TIME } from '../../db/clock.ts'
import { $, preparedBy, type Q } from '../../db/engine.ts'
import { remembered } from '../../db/remembered.ts'
import { shipment_step } from '../shipments/tables.ts'
import { nicknameOf, STATUS_NOW, shippingNow, UNPAID_LIST } from './queries.ts'
import { type OrderRow, order_feedback, sale_order } from './tables.ts'

export interface Search {
  criteria: Criteria
  /** By which date sellers and buyers sort. */
  sort: 'date_closed' | 'date_created'
  direction: 'asc' | 'desc'
  /** Orders without payment that were created until this instant, ms, are cancelled. */
  overdue: number
  /** 1: fulfilled orders count as delivered. */
  automatic: number
  /** World time, ms: shipments are in the last step that has come. */
  now: number
}

interface Group {
  status: string
  /** That of the shipment; null without one. */
  shipping: string | null
  delivered: number
  n: number
}

/** The orders found, by state, that of the shipment and whether they were delivered, and the rows of a page. */
export async function findOrders(
  q: Q,
  { criteria, sort, direction, overdue, automatic, now }: Search,
  page: { limit: number; offset: number },
): Promise<{ groups: Group[]; rows: OrderRow[] }> {
  const given = Object.entries(criteria).filter(([, value]) => value !== undefined)
  const names = given.map(([name]) => name as keyof Criteria)
  const { oldest, ...lasting } = { ...Object.fromEntries(given), automatic } as Criteria
  const values = { ...lasting, oldest, overdue, now }
  const statement = countFound(q, names)
  const lasts = names.filter((name) => !TIMED.has(name))
  const lifetime = { now, until: async () => (await selectNextChange(q, lasts).one(values))!.at ?? MAX_TIME }
  const groups = await remembered(q, { statement, values: lasting, lifetime }, () => statement.all(values))
  const total = groups.reduce((sum, { n }) => sum + n, 0)
  const limit = Math.min(page.limit, total - page.offset)
  const rows = limit <= 0 ? [] : await selectPage(q, { names, sort, direction }).all({ ...values, ...page, limit })
  return { groups, rows }
}

const listed = (name: string) => sql`(SELECT value FROM json_each(${$(name)}))`
/** Letters from A to Z match in any case. */
const contains = (text: SQL, name: string) => sql`instr(lower(${text}), lower(${$(name)})) > 0`
const TITLE = sql`json_extract(${sale_order.item}, '$.title')`
const DELIVERED = sql`(${sale_order.delivered} = 1 OR (${$('automatic')} = 1 AND ${sale_order.fulfilled} IS 1))`
const PAID = sql`${STATUS_NOW} IN ('paid', 'partially_refunded', 'pending_cancel')`
/** Whether an order has the tag `wanted.value`. */
const HAS_TAG = sql`CASE wanted.value WHEN 'paid' THEN ${PAID} WHEN 'not_paid' THEN NOT (${PAID}) WHEN 'delivered' THEN ${DELIVERED} WHEN 'not_delivered' THEN NOT ${DELIVERED} WHEN 'pack_order' THEN ${sale_order.pack_id} IS NOT NULL ELSE instr(${sale_order.tags}, '"' || wanted.value || '"') > 0 END`
const UPDATED = sql`CASE WHEN ${STATUS_NOW} = ${sale_order.status} THEN ${sale_order.last_updated} ELSE ${sale_order.date_created} + 259200000 END`
const RATED = sql`EXISTS (SELECT 1 FROM ${order_feedback} WHERE ${order_feedback.order_id} = ${sale_order.id} AND ${order_feedback.role} = 'seller'`

const between = <Name extends string>(value: SQL, name: Name) =>
  ({
    [`${name}from`]: sql`${value} >= ${$(`${name}from`)}`,
    [`${name}to`]: sql`${value} <= ${$(`${name}to`)}`,
  }) as Record<`${Name}${'from' | 'to'}`, SQL>

/** Conditions of a search, by the name of the parameter; values of lists are JSON, those of dates ms and inclusive. */
const CONDITIONS = {
  seller: eq(sale_order.seller_id, $('seller')),
  buyer: eq(sale_order.buyer_id, $('buyer')),
  pack_id: eq(sale_order.pack_id, $('pack_id')),
  item: sql`(${sale_order.item_id} = ${$('item')} OR ${contains(TITLE, 'item')})`,
  'order.status': sql`${STATUS_NOW} IN ${listed('order.status')}`,
  ...between(sql`${sale_order.date_created}`, 'order.date_created.'),
  ...between(sql`${sale_order.date_closed}`, 'order.date_closed.'),
  ...between(UPDATED, 'order.date_last_updated.'),
  tags: sql`NOT EXISTS (SELECT 1 FROM json_each(${$('tags')}) wanted WHERE NOT (${HAS_TAG}))`,
  'tags.not': sql`NOT EXISTS (SELECT 1 FROM json_each(${$('tags.not')}) wanted WHERE ${HAS_TAG})`,
  'feedback.status': sql`iif(${RATED}), 'complete', 'pending') = ${$('feedback.status')}`,
  'feedback.sale.rating': sql`${RATED} AND ${order_feedback.rating} = ${$('feedback.sale.rating')})`,
  'shipping.status': sql`${shippingNow('status')} IN ${listed('shipping.status')}`,
  'shipping.substatus': sql`${shippingNow('substatus')} IN ${listed('shipping.substatus')}`,
  'mediations.status': sql`EXISTS (SELECT 1 FROM json_each(${sale_order.mediations}) one WHERE one.value ->> 'status' = ${$('mediations.status')})`,
  // No parameters: searches set these themselves. `oldest`: made at this instant or later; `without`: not in these states.
  oldest: sql`${sale_order.date_created} >= ${$('oldest')}`,
  without: sql`${STATUS_NOW} NOT IN ${listed('without')}`,
  ...between(sql`${sale_order.date_created} + 1814400000`, 'expires.'),
}
export type Criteria = { [Name in keyof typeof CONDITIONS | 'q']?: number | string | undefined }

function matching(names: (keyof Criteria)[]): SQL | undefined {
  const other = nicknameOf(names.includes('seller') ? sale_order.buyer_id : sale_order.seller_id)
  const text = sql`(CAST(${sale_order.id} AS TEXT) = ${$('q')} OR ${sale_order.item_id} = ${$('q')} OR ${contains(TITLE, 'q')} OR ${contains(other, 'q')})`
  return and(...names.map((name) => (name === 'q' ? text : CONDITIONS[name])))
}

/** Conditions that an order may meet, or not meet any more, as time goes on; `oldest` is one of its own. */
const TIMED = new Set<keyof Criteria>([
  ...(['order.status', 'order.date_last_updated.from', 'order.date_last_updated.to', 'tags', 'tags.not'] as const),
  ...(['shipping.status', 'shipping.substatus', 'without', 'expires.from', 'expires.to'] as const),
])

/** When an order is a year old, or about to be: then searches do not find it. */
const AGES = sql`${sale_order.date_created} + ${$('now')} - ${$('oldest')} - 86400000`
/** When it is cancelled, because its payment is overdue. */
const EXPIRES = sql`CASE WHEN ${sale_order.status} IN (${sql.raw(UNPAID_LIST)}) AND ${sale_order.date_created} > ${$('overdue')} THEN ${sale_order.date_created} - ${$('overdue')} + ${$('now')} ELSE ${MAX_TIME} END`
const NEXT_STEP = sql`coalesce((SELECT min(s.at) FROM ${shipment_step} s WHERE s.shipment_id = ${sale_order.shipment_id} AND s.at > ${$('now')}), ${MAX_TIME})`

/** World time, ms, at which time changes one of the orders first; null if there are none. */
const selectNextChange = preparedBy(({ db }, names: (keyof Criteria)[]) =>
  db
    .select({ at: sql<number | null>`min(min(${AGES}, ${EXPIRES}, ${NEXT_STEP}))`.as('at') })
    .from(sale_order)
    .where(matching(names)),
)

const countFound = preparedBy(({ db }, names: (keyof Criteria)[]) =>
  db
    .select({
      status: sql<string>`${STATUS_NOW}`.as('status'),
      shipping: sql<string | null>`${shippingNow('status')}`.as('shipping'),
      delivered: sql<number>`${DELIVERED}`.as('delivered'),
      n: sql<number>`count(*)`.as('n'),
    })
    .from(sale_order)
    .where(matching(names))
    .groupBy(sql`1, 2, 3`),
)

interface Selection extends Pick<Search, 'sort' | 'direction'> {
  names: (keyof Criteria)[]
}
const selectPage = preparedBy(({ db }, { names, sort, direction }: Selection) => {
  const by = direction === 'asc' ? asc : desc
  return db
    .select()
    .from(sale_order)
    .where(matching(names))
    .orderBy(by(sale_order[sort]), by(sale_order.id))
    .limit($('limit'))
    .offset($('offset'))
})
