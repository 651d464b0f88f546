import { desc, lt, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { $, prepared, type Q } from '../../db/engine.ts'
import { createList, createSearchableList } from '../../db/lists.ts'
import { among, rowById, selectRows } from '../../db/rows.ts'
import type { Moment, World } from '../../db/world.ts'
import { createBlockList } from '../shared/block_list_queries.ts'
import { addMonths } from '../shared/instants.ts'
import { WITHOUT_STEPS } from '../shipments/states.ts'
import { shipment_step } from '../shipments/tables.ts'
import { userById } from '../users/queries.ts'
import { user } from '../users/tables.ts'
import { notOwnedOrder, orderNotFound } from './errors.ts'
import { MAX_AGE_MONTHS, orderAt, UNPAID_STATUSES } from './states.ts'
import {
  FIRST_ORDER_ID,
  FIRST_PACK_ID,
  type OrderRow,
  order_blocked_buyer,
  order_feedback,
  order_note,
  payment,
  sale_order,
} from './tables.ts'

/** One order as it is by the world's clock; undefined when there is none. */
export async function orderById(
  q: Q,
  world: Moment,
  id: number,
  at = world.clock.now(),
): Promise<OrderRow | undefined> {
  const row = await storedOrder(q, id)
  return row && orderAt(row, at)
}
/** The same as it is stored. */
export const storedOrder = rowById(sale_order)

/**
 * The order of a call. Throws, in this order: no such order, or one older than a year, not the caller's
 * [spec: orders.order].
 */
export async function ownOrder(q: Q, world: World, caller: number, id: number): Promise<OrderRow> {
  const order = await orderById(q, world, id)
  if (!order || order.date_created < oldestOrder(world.clock.now())) throw orderNotFound(id)
  if (order.seller_id !== caller && order.buyer_id !== caller) throw notOwnedOrder()
  return order
}
/** The same for its seller only. */
export async function ownSale(q: Q, world: World, caller: number, id: number): Promise<OrderRow> {
  const order = await ownOrder(q, world, caller, id)
  if (order.seller_id !== caller) throw notOwnedOrder()
  return order
}

/** Orders created before this instant, ms, are not answered [spec: orders.age]. */
export const oldestOrder = (now: number): number => addMonths(now, -MAX_AGE_MONTHS)

/** The orders of a pack, by id. */
export const ordersOfPack = (q: Q, pack_id: number): Promise<OrderRow[]> => selectPack(q).all({ pack_id })
const selectPack = selectRows(sale_order, { pack_id: $ }, { order: ['id'] })

/** The orders of a pack as they are now, by id; the id of an order without a pack counts as that of one [spec: packs.without]. */
export async function ordersOfPurchase(q: Q, world: Moment, pack_id: number): Promise<OrderRow[]> {
  const rows = await ordersOfPack(q, pack_id)
  if (rows.length > 0) return rows.map((row) => orderAt(row, world.clock.now()))
  const alone = await orderById(q, world, pack_id)
  return alone?.pack_id === null ? [alone] : []
}

/** The id of the next pack: packs have no rows of their own. */
export const nextPackId = async (q: Q): Promise<number> => (await selectLastPack(q).one())!.id + 1
const selectLastPack = prepared(({ db }) =>
  db
    .select({ id: sql<number>`coalesce(max(${sale_order.pack_id}), ${FIRST_PACK_ID - 1})`.as('id') })
    .from(sale_order)
    .where(lt(sale_order.pack_id, FIRST_ORDER_ID - 1)),
)

const keys = (ids: readonly number[]) => ({ keys: JSON.stringify([...new Set(ids)]) })
const idsOf = (orders: readonly { id: number }[]) => keys(orders.map(({ id }) => id))

/** The payments of some orders, by id. */
export const paymentsOf = (q: Q, orders: readonly { id: number }[]) => selectPayments(q).all(idsOf(orders))
const selectPayments = selectRows(payment, { order_id: among }, { order: ['id'] })

/** Names of some users. */
export const usersOf = (q: Q, ids: readonly number[]) => selectUsers(q).all(keys(ids))
const NAMES = ['id', 'nickname', 'first_name', 'last_name', 'email'] as const
const selectUsers = selectRows(user, { id: among }, { columns: NAMES })
export type Party = Awaited<ReturnType<typeof usersOf>>[number]

/** What has been said of some orders. */
export const feedbackRowsOf = (q: Q, orders: readonly { id: number }[]) => selectFeedback(q).all(idsOf(orders))
const selectFeedback = selectRows(order_feedback, { order_id: among }, { order: ['id'] })

/** The notes on some orders, the oldest first. */
export const notesOf = (q: Q, orders: readonly { id: number }[]) => selectNotes(q).all(idsOf(orders))
const selectNotes = selectRows(order_note, { order_id: among }, { order: ['date_created', 'id'] })

/** The buyers to whom sellers do not sell. */
export const blockList = createBlockList(order_blocked_buyer, { rights: 'orders.blacklist.rights', userById })

/** The nickname of a user of an order. */
export const nicknameOf = (id: SQLiteColumn) => sql`(SELECT ${user.nickname} FROM ${user} WHERE ${user.id} = ${id})`

/** The states of an order without payment, in SQL. */
export const UNPAID_LIST = UNPAID_STATUSES.map((one) => `'${one}'`).join()

/** The state of an order, where those without payment that were created until `$(overdue)` are cancelled. */
export const STATUS_NOW = sql`CASE WHEN ${sale_order.status} IN (${sql.raw(UNPAID_LIST)}) AND ${sale_order.date_created} <= ${$('overdue')} THEN 'cancelled' ELSE ${sale_order.status} END`

/** A column of the step that the shipment of an order is in; null without a shipment. `$(now)`: ms. */
export const shippingNow = (column: 'status' | 'substatus') =>
  sql`iif(${sale_order.shipment_id} IS NULL, NULL, (SELECT * FROM (SELECT s.${sql.raw(column)} FROM ${shipment_step} s WHERE s.shipment_id = ${sale_order.shipment_id} AND (s.at <= ${$('now')} OR s.n = 0) ORDER BY s.n DESC LIMIT 1) UNION ALL SELECT ${WITHOUT_STEPS[column]} LIMIT 1))`

/**
 * Orders of all sellers, the newest first. A status needs `overdue`, that of a shipment `now`; `since` is inclusive, `until`
 * is not; all are ms.
 */
export const listOrders = createSearchableList(sale_order, {
  key: sale_order.id,
  direction: 'desc',
  texts: [
    sql`json_extract(${sale_order.item}, '$.title')`,
    nicknameOf(sale_order.buyer_id),
    nicknameOf(sale_order.seller_id),
  ],
  conditions: {
    status: sql`${STATUS_NOW} = ${$('status')}`,
    overdue: sql`1`,
    shipping_status: sql`${shippingNow('status')} = ${$('shipping_status')}`,
    now: sql`1`,
    since: sql`${sale_order.date_created} >= ${$('since')}`,
    until: sql`${sale_order.date_created} < ${$('until')}`,
  },
})

/** The payments of a user's sales and purchases, of one order if that is given, the newest first. */
export const findPayments = createList(payment, [desc(payment.id)], {
  user_id: sql`${payment.order_id} IN (SELECT ${sale_order.id} FROM ${sale_order} WHERE ${$('user_id')} IN (${sale_order.seller_id}, ${sale_order.buyer_id}))`,
})

export const paymentById = rowById(payment)

/** The order of a payment, as it is stored. */
export const orderOfPayment = async (q: Q, { order_id }: { order_id: number }): Promise<OrderRow> =>
  (await storedOrder(q, order_id))!
