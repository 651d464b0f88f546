import type { Q } from '../../db/engine.ts'
import { nextFreeId } from '../../db/ids.ts'
import { publish } from '../../db/outbox.ts'
import { insertInto, updateById } from '../../db/rows.ts'
import type { Moment, World } from '../../db/world.ts'
import { money } from '../currencies/currencies.ts'
import { moveStock } from '../items/operations.ts'
import { stockOf } from '../items/queries.ts'
import { UNPAID_VISIBLE } from './assumptions.ts'
import { invalidPurchase, orderIs, orderNotFound } from './errors.ts'
import type { CancelDetail } from './file_schemas.ts'
import { orderById, paymentsOf } from './queries.ts'
import { isPaid, isUnpaid, orderAt } from './states.ts'
import { type OrderRow, type OrderStatus, type PaymentRow, payment, STORED_TAGS, sale_order } from './tables.ts'

// Call these inside `world.tx`: they publish the events in the same transaction.

/** Publishes one event for a change of an order; none while it is hidden from its seller. */
export async function publishOrder(q: Q, world: Moment, order: OrderRow, before?: OrderRow): Promise<void> {
  const wasHidden = !before || isUnpaid(before)
  const isHidden = isUnpaid(order) || (order.status === 'cancelled' && wasHidden && order.date_closed === null)
  if (isHidden && UNPAID_VISIBLE.of(world) === 'false') return
  const users = [order.seller_id, order.buyer_id]
  await publish(q, { topic: 'orders_v2', resource: `/orders/${order.id}`, users, at: world.clock.now() })
}

/** The shipment of a paid order is created here: `shipments` follows this event in the same unit. */
const publishPayment = (q: Q, world: Moment, { id }: PaymentRow, { seller_id, buyer_id }: OrderRow) => {
  const users = [seller_id, buyer_id]
  return publish(q, { topic: 'payments', resource: `/collections/${id}`, users, at: world.clock.now() })
}

export type NewOrder = Omit<OrderRow, 'id'>
export type NewPayment = Omit<PaymentRow, 'id' | 'order_id'>

/** Stores a new order with its payment and takes its units from the stock if it is paid. */
export async function recordOrder(q: Q, world: World, row: NewOrder, paid: NewPayment | undefined): Promise<OrderRow> {
  const order = { ...row, id: await nextFreeId(q, sale_order) }
  await insertOrder(q, order)
  const stored = paid && (await recordPayment(q, { ...paid, order_id: order.id }))
  if (isPaid(order)) await moveStock(q, world, unitsOf(order, order.quantity))
  await publishOrder(q, world, order)
  if (stored?.status === 'approved') await publishPayment(q, world, stored, order)
  return requireOrder(q, world, order.id)
}
const insertOrder = insertInto(sale_order)
const insertPayment = insertInto(payment)

async function recordPayment(q: Q, given: Omit<PaymentRow, 'id'>): Promise<PaymentRow> {
  const row = { ...given, id: await nextFreeId(q, payment) }
  await insertPayment(q, row)
  return row
}

const unitsOf = ({ item_id: id, variation_id }: OrderRow, quantity: number) => ({ id, variation_id, quantity })

/** The order of a control call. Throws 404 if there is none. */
export async function requireOrder(q: Q, world: Moment, id: number, at?: number): Promise<OrderRow> {
  const order = await orderById(q, world, id, at)
  if (!order) throw orderNotFound(id)
  return order
}

/**
 * Approves the payment of an order. Without stock left the order is cancelled and the payment refunded. Throws 404 if there
 * is no such order, 409 if it needs no payment. `now`: world ms at which the buyer pays; the events are published now.
 */
export async function pay(q: Q, world: World, id: number, now = world.clock.now()): Promise<OrderRow> {
  const order = await requireOrder(q, world, id, now)
  if (!isUnpaid(order)) throw orderIs(order.status)
  const hasStock = ((await stockOf(q, order.item_id, order.variation_id)) ?? 0) >= order.quantity
  const pending = (await paymentsOf(q, [order])).find(({ status }) => status !== 'rejected')
  const approved = {
    ...(pending ?? (await recordPayment(q, { ...newPayment(order, now), order_id: id }))),
    ...{ status: 'approved' as const, status_detail: 'accredited', date_approved: now, date_last_modified: now },
  }
  const paid = hasStock ? approved : refunded(approved, now)
  const changed = await storeOrder(q, world, order, {
    date_closed: order.date_closed ?? now,
    ...(hasStock ? { status: 'paid' } : cancelledBy('mediations', 'out_of_stock', 'There was no stock left', now)),
  })
  await updatePayment(q, paid)
  if (hasStock) await moveStock(q, world, unitsOf(order, order.quantity))
  await publishOrder(q, world, changed, order)
  await publishPayment(q, world, paid, order)
  return requireOrder(q, world, id)
}

/** The bank rejects the payments of an order, which stays without one. No event: its seller does not know of it. */
export async function reject(q: Q, order: OrderRow, now: number): Promise<void> {
  const rejected = { status: 'rejected', status_detail: 'cc_rejected_other_reason', date_last_modified: now } as const
  for (const one of await paymentsOf(q, [order])) await updatePayment(q, { ...one, ...rejected })
}

/** The payment of an order with one, as it is before it is paid. */
export const newPayment = (
  order: Pick<OrderRow, 'unit_price' | 'quantity' | 'currency_id' | 'shipping_cost' | 'status'>,
  now: number,
): NewPayment => {
  const { minor, amount } = money(order.currency_id)
  const inProcess = order.status === 'payment_in_process'
  return {
    status: inProcess ? 'in_process' : 'pending',
    status_detail: inProcess ? 'pending_contingency' : 'pending_waiting_payment',
    payment_type: 'credit_card',
    payment_method_id: 'visa',
    installments: 1,
    transaction_amount: amount(minor(order.unit_price) * order.quantity),
    transaction_amount_refunded: 0,
    shipping_cost: order.shipping_cost ?? 0,
    authorization_code: null,
    date_created: now,
    date_approved: null,
    date_last_modified: now,
  }
}

/** A payment of which all was given back. */
export const refunded = <Row extends NewPayment>(row: Row, now: number) => ({
  ...row,
  status: 'refunded' as const,
  status_detail: 'refunded',
  transaction_amount_refunded: row.transaction_amount,
  date_last_modified: now,
})

/** What changes of an order that is cancelled. */
export const cancelledBy = (group: CancelDetail['group'], code: string, description: string, now: number) => ({
  status: 'cancelled' as const,
  cancel_detail: JSON.stringify({ group, code, description, requested_by: group } satisfies CancelDetail),
  cancelled_at: now,
})

interface Cancellation {
  by?: CancelDetail['group'] | undefined
  reason?: string | undefined
  /** Whether the units are for sale again. */
  restock?: boolean | undefined
}

/** Cancels an order and refunds or cancels its payments. Throws 404 if there is no such order, 409 if it is cancelled. */
export async function cancel(
  q: Q,
  world: Moment,
  id: number,
  { by = 'buyer', reason = `cancelled by the ${by}`, restock = false }: Cancellation = {},
): Promise<OrderRow> {
  const order = await requireOrder(q, world, id)
  if (!isUnpaid(order) && !isPaid(order)) throw orderIs(order.status)
  const now = world.clock.now()
  const changed = await storeOrder(q, world, order, cancelledBy(by, `${by}_cancelled`, reason, now))
  if (isPaid(order)) {
    const { quantity } = order
    await moveStock(q, world, { ...unitsOf(order, restock ? -quantity : 0), sold: -quantity })
  }
  await publishOrder(q, world, changed, order)
  for (const one of await paymentsOf(q, [order])) await endPayment(q, world, one, order)
  return changed
}

/** A payment of a cancelled order. */
async function endPayment(q: Q, world: Moment, row: PaymentRow, order: OrderRow): Promise<void> {
  const now = world.clock.now()
  if (row.status === 'pending' || row.status === 'in_process')
    await updatePayment(q, { ...row, status: 'cancelled', status_detail: 'by_collector', date_last_modified: now })
  if (row.status !== 'approved' && row.status !== 'in_mediation') return
  await updatePayment(q, refunded(row, now))
  await publishPayment(q, world, row, order)
}

/**
 * Returns a part of what was paid, or all of it, which cancels the order. Throws 404 if there is no such order, 409 if it
 * is not paid, 400 for more than was paid.
 */
export async function refund(q: Q, world: Moment, id: number, requested?: number): Promise<OrderRow> {
  const order = await requireOrder(q, world, id)
  if (!isPaid(order)) throw orderIs(order.status)
  const approved = (await paymentsOf(q, [order])).filter(({ status }) => status === 'approved')
  const { minor, amount } = money(order.currency_id)
  const restOf = (one: PaymentRow) => minor(one.transaction_amount) - minor(one.transaction_amount_refunded)
  const rest = approved.reduce((sum, one) => sum + restOf(one), 0)
  const wanted = requested === undefined ? rest : minor(requested)
  if (requested !== undefined && (wanted > rest || wanted <= 0))
    throw invalidPurchase(`amount: must be above 0, at most ${amount(rest)}`)
  if (wanted === rest) return cancel(q, world, id, { by: 'mediations', reason: 'refunded' })
  const now = world.clock.now()
  const changed = await storeOrder(q, world, order, { status: 'partially_refunded' })
  await publishOrder(q, world, changed, order)
  let left = wanted
  for (const one of approved) {
    const part = Math.min(left, restOf(one))
    if (part <= 0) continue
    left -= part
    const transaction_amount_refunded = amount(minor(one.transaction_amount_refunded) + part)
    const returned = {
      ...one,
      ...{ status_detail: 'partially_refunded', transaction_amount_refunded, date_last_modified: now },
    }
    await updatePayment(q, returned)
    await publishPayment(q, world, returned, order)
  }
  return changed
}

/** Sets a state or tags without any of their effects; tags replace the stored ones. Throws 404 if there is no such order. */
export async function setOrder(
  q: Q,
  world: World,
  id: number,
  { status, tags }: { status?: OrderStatus | undefined; tags?: readonly string[] | undefined },
): Promise<OrderRow> {
  const order = await requireOrder(q, world, id)
  const closes = status === 'paid' || status === 'confirmed'
  const now = world.clock.now()
  const changed = await storeOrder(q, world, order, {
    ...(status && { status, ...(status !== 'cancelled' && { cancel_detail: null, cancelled_at: null }) }),
    ...(closes && { date_closed: order.date_closed ?? now }),
    ...(status === 'cancelled' && { cancelled_at: order.cancelled_at ?? now }),
    ...(tags && { tags: JSON.stringify(STORED_TAGS.filter((tag) => tags.includes(tag))), ...deliveredOf(tags) }),
  })
  await publishOrder(q, world, changed, order)
  return changed
}

/** What the tags say of the delivery. */
const deliveredOf = (tags: readonly string[]): { delivered?: number } =>
  tags.includes('delivered') ? { delivered: 1 } : tags.includes('not_delivered') ? { delivered: 0 } : {}

/** A seller says whether an order was delivered [spec: orders.change]. */
export async function tagOrder(q: Q, world: World, order: OrderRow, tags: readonly string[]): Promise<OrderRow> {
  const { delivered = order.delivered } = deliveredOf(tags)
  if (delivered === order.delivered) return order
  const changed = await storeOrder(q, world, order, { delivered })
  await publishOrder(q, world, changed, order)
  return changed
}

/** Says whether an order was fulfilled; without an event if another change of the same unit has one. */
export async function setFulfilled(
  q: Q,
  world: Moment,
  order: OrderRow,
  { fulfilled, isPublished }: { fulfilled: 0 | 1; isPublished: boolean },
): Promise<void> {
  if (order.fulfilled === fulfilled) return
  const changed = await storeOrder(q, world, order, { fulfilled })
  if (isPublished) await publishOrder(q, world, changed, order)
}

/** Changes columns of an order without an event. */
export async function storeOrder(q: Q, world: Moment, before: OrderRow, change: Partial<OrderRow>): Promise<OrderRow> {
  const changed = { ...before, ...change, last_updated: world.clock.now() }
  await updateOrder(q, changed)
  return orderAt(changed, changed.last_updated)
}
const updateOrder = updateById(sale_order, [
  ...(['status', 'tags', 'delivered', 'fulfilled', 'cancel_detail', 'cancelled_at', 'mediations'] as const),
  ...(['date_closed', 'last_updated'] as const),
])

const updatePayment = updateById(payment, [
  ...(['status', 'status_detail', 'transaction_amount_refunded', 'date_approved', 'date_last_modified'] as const),
])
