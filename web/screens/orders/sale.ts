import type { AnswerOf } from '../../../lib/types.ts'
import { money } from '../../words/money.ts'

export type Order = AnswerOf<'GET /orders/{id}'>

/** In the order of the filter, with the colour of the badge. */
export const TONES: Record<Order['status'], 'warn' | 'good' | 'info' | 'bad' | 'plain'> = {
  paid: 'good',
  confirmed: 'info',
  payment_required: 'warn',
  payment_in_process: 'warn',
  partially_paid: 'warn',
  partially_refunded: 'info',
  pending_cancel: 'bad',
  cancelled: 'plain',
  invalid: 'bad',
}
export const STATUSES = Object.keys(TONES) as Order['status'][]

export const isUnpaid = ({ status }: Order): boolean =>
  ['confirmed', 'payment_required', 'payment_in_process', 'partially_paid'].includes(status)
export const isPaid = ({ status }: Order): boolean => ['paid', 'partially_refunded', 'pending_cancel'].includes(status)

export const amountOf = ({ currency_id, order_items }: Order, amount: number): string =>
  money(amount, currency_id, order_items[0]!.item.id)
export const totalOf = (order: Order): string => amountOf(order, order.total_amount)
