import type { AnswerOf, AnyEvent } from '../../../lib/types.ts'
import type { Tone } from '../../parts/values.tsx'
import { money } from '../../words/money.ts'
import { orNull, read } from '../../world/client.ts'
import { wordsOf } from '../words.ts'

const w = wordsOf('orders')

export type Order = AnswerOf<'GET /orders/{id}'>
export type Shipment = AnswerOf<'GET /shipments/{id}'>
type Message = AnswerOf<'GET /messages'>['results'][number]
export type Claim = AnswerOf<'GET /claims'>['results'][number]

/** In the order of the filter, with the colour of the badge. */
export const TONES: Record<Order['status'], Tone> = {
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

/** The states of the shipments of sales; control calls can set others. */
export const SHIPMENT_TONES = {
  pending: 'warn',
  handling: 'warn',
  ready_to_ship: 'warn',
  shipped: 'info',
  delivered: 'good',
  not_delivered: 'bad',
  cancelled: 'plain',
} as const satisfies Record<string, Tone>
export const SHIPMENT_STATUSES = Object.keys(SHIPMENT_TONES) as (keyof typeof SHIPMENT_TONES)[]

/** `enviado · en reparto`; states that sales do not come to by themselves have their names in the API. */
export function stateOf({ status, substatus }: { status: string; substatus: string | null }): string {
  const { states } = w
  const nameOf = (name: string) => states[name as 'pending'] ?? name.replaceAll('_', ' ')
  return [status, substatus].flatMap((name) => (name === null ? [] : nameOf(name))).join(' · ')
}

/** An order with what follows it. */
export interface Sale {
  order: Order
  /** Those to the buyer, and those that come back. */
  shipments: Shipment[]
  messages: Message[]
  claims: (Claim & { messages: AnswerOf<'GET /claims/{id}/messages'>['results'] })[]
}

/** Forms about a sale. */
export interface SaleFormProps {
  sale: Sale
}

const MESSAGES = 200

/** Null if there is no such order. */
export async function loadSale(id: number, signal: AbortSignal): Promise<Sale | null> {
  const order = await orNull(read('GET /orders/{id}', { path: { id }, signal }))
  if (!order) return null
  const [own, messages, claims] = await Promise.all([
    read('GET /shipments', { query: { order_id: id }, signal }),
    read('GET /messages', {
      query: { pack_id: order.pack_id ?? id, seller_id: order.seller.id, limit: MESSAGES },
      signal,
    }),
    read('GET /claims', { query: { order_id: id }, signal }),
  ])
  const shipments = await Promise.all(
    own.results.map((one) => read('GET /shipments/{id}', { path: { id: one.id }, signal })),
  )
  const complaints = await Promise.all(
    claims.results.map(async (one) => ({
      ...one,
      messages: (await read('GET /claims/{id}/messages', { path: { id: one.id }, signal })).results,
    })),
  )
  return { order, shipments, messages: messages.results, claims: complaints }
}

export const openClaimOf = ({ claims }: Sale): Claim | undefined => claims.find(({ status }) => status === 'opened')

/** They change by calls, control calls and time. */
export const changesSales = (event: AnyEvent): boolean =>
  (event.type === 'fact' && /^(orders|payments|shipments|messages|post_purchase|claims)/.test(event.topic)) ||
  (event.type === 'control' && /^\/(orders|items|shipments|messages|claims)/.test(event.path)) ||
  event.type === 'clock'

export const isUnpaid = ({ status }: Order): boolean =>
  ['confirmed', 'payment_required', 'payment_in_process', 'partially_paid'].includes(status)
export const isPaid = ({ status }: Order): boolean => ['paid', 'partially_refunded', 'pending_cancel'].includes(status)
/** Whether it can go on. */
export const isOnItsWay = ({ status }: Shipment): boolean =>
  ['pending', 'handling', 'ready_to_ship', 'shipped'].includes(status)
export const hasLabel = ({ type, mode, logistic_type, status }: Shipment): boolean =>
  type === 'forward' && mode === 'me2' && logistic_type !== 'fulfillment' && status === 'ready_to_ship'

export const amountOf = ({ currency_id, order_items }: Order, amount: number): string =>
  money(amount, currency_id, order_items[0]!.item.id)
export const totalOf = (order: Order): string => amountOf(order, order.total_amount)
