import type { OrderRow, OrderStatus, PaymentRow } from './tables.ts'

const DAY = 24 * 3_600_000
/** After this time of the world's clock an order without payment is cancelled [spec: orders.unpaid_life]. */
const UNPAID_LIFE_MS = 3 * DAY
/** [spec: orders.expiration_date] */
export const ORDER_LIFE_MS = 21 * DAY
/** Older orders are not answered [spec: orders.age]. */
export const MAX_AGE_MONTHS = 12

/** The states of an order whose payment is missing: time cancels it. */
export const UNPAID_STATUSES = ['confirmed', 'payment_required', 'payment_in_process', 'partially_paid'] as const
const UNPAID: ReadonlySet<OrderStatus> = new Set(UNPAID_STATUSES)
export const isUnpaid = ({ status }: Pick<OrderRow, 'status'>): boolean => UNPAID.has(status)

/** The states in which the buyer has paid and the seller has to deliver. */
const PAID: ReadonlySet<OrderStatus> = new Set(['paid', 'partially_refunded', 'pending_cancel'])
export const isPaid = ({ status }: Pick<OrderRow, 'status'>): boolean => PAID.has(status)

/** Orders without payment that were created until this instant, ms, are cancelled at `now`. */
export const cancelledUntil = (now: number): number => now - UNPAID_LIFE_MS
const isOverdue = (order: OrderRow, now: number): boolean =>
  isUnpaid(order) && order.date_created <= cancelledUntil(now)

/** Why an order was cancelled; JSON in its row. */
export interface CancelDetail {
  group: 'seller' | 'buyer' | 'mediations'
  code: string
  description: string
  requested_by: string
}
/** A claim in a dispute; JSON in the row of its order, which knows of claims nothing else. */
export interface Mediation {
  id: number
  status: 'opened' | 'closed'
}
export const mediationsOf = ({ mediations }: Pick<OrderRow, 'mediations'>) => JSON.parse(mediations) as Mediation[]

const NOT_PAID: CancelDetail = {
  group: 'buyer',
  code: 'payment_expired',
  description: 'The order was not paid in time',
  requested_by: 'marketplace',
}

const EXPIRED = JSON.stringify(NOT_PAID)

/** An order as it is at an instant: what time cancels is not stored, so that a clock that goes back reverts it. */
export function orderAt(order: OrderRow, now: number): OrderRow {
  if (!isOverdue(order, now)) return order
  const at = order.date_created + UNPAID_LIFE_MS
  return { ...order, status: 'cancelled', cancel_detail: EXPIRED, cancelled_at: at, last_updated: at }
}

/** The same of a payment, for its order as it is at that instant. */
export function paymentAt(payment: PaymentRow, { cancel_detail, last_updated }: OrderRow): PaymentRow {
  const isOpen = payment.status === 'pending' || payment.status === 'in_process'
  if (!isOpen || cancel_detail !== EXPIRED) return payment
  return { ...payment, status: 'cancelled', status_detail: 'expired', date_last_modified: last_updated }
}

/** Tags that sellers and control calls set, or that tell of the purchase; the others follow from the state. */
export const STORED_TAGS = [
  ...(['catalog', 'test_order', 'no_shipping', 'unfulfilled', 'fraud_risk_detected', 'order_has_discount'] as const),
]

/** All tags of an order; `automatic`: a fulfilled order counts as delivered [spec: orders.delivered_tag]. */
export const tagsOf = (order: OrderRow, automatic: boolean): string[] => [
  ...(order.pack_id === null ? [] : ['pack_order']),
  isPaid(order) ? 'paid' : 'not_paid',
  isDelivered(order, automatic) ? 'delivered' : 'not_delivered',
  ...(JSON.parse(order.tags) as string[]),
]
const isDelivered = ({ delivered, fulfilled }: OrderRow, automatic: boolean): boolean =>
  delivered === 1 || (automatic && fulfilled === 1)
