import { type Static, Type } from '@sinclair/typebox'
import { Limit, Offset } from '../shared/paging.ts'
import { IdInPath, OneOf } from '../shared/schemas.ts'
import { decimal, orNull, shape } from '../shared/shape.ts'
import { paymentNotFound } from './errors.ts'
import { FIRST_ORDER_ID, FIRST_PAYMENT_ID, PAYMENT_STATUSES, PAYMENT_TYPES } from './tables.ts'

export const Payments = { name: 'Payments', description: 'Payments of orders', id: 'payment_id' }

export const PaymentParams = Type.Object({
  payment_id: IdInPath('Payment identifier', FIRST_PAYMENT_ID, paymentNotFound),
})

const DATE = '2026-03-02T10:15:00.000-04:00'
const AMOUNT = decimal(12999)

/** What several forms of a payment have. */
const id = Type.Integer({ examples: [FIRST_PAYMENT_ID], 'x-path': '/collections/:id' })
const order_id = Type.Integer({ examples: [FIRST_ORDER_ID], 'x-path': '/orders/:id' })
const payer = { id: 2500001011, nickname: 'LUCIA', first_name: 'Lucía', last_name: 'Fernández' }
const payment_type = OneOf([...PAYMENT_TYPES])
const status = OneOf([...PAYMENT_STATUSES], { examples: ['approved'] })
const currency_id = 'ARS'
const amounts = { transaction_amount: AMOUNT, transaction_amount_refunded: decimal(0), taxes_amount: decimal(0) }
const dates = { date_created: DATE, date_approved: orNull(DATE) }

const notes = {
  operation_type: 'Always regular_payment',
  reason: 'Title of the listing',
  transaction_amount: 'Price of the units, without shipping',
  transaction_amount_refunded: 'What was refunded of it',
  total_paid_amount: 'What the buyer paid, with shipping',
  installment_amount: 'One instalment; null without instalments',
  net_received_amount: 'What the seller gets',
  marketplace_fee: 'Fee of the sale for all units',
  money_release_date: 'When the seller can use the money',
  collector: 'Who was paid',
  available_actions: 'What can be done with it',
  authorization_code: 'Code of the card’s bank',
  external_reference: 'The id of its order',
}

export const Payment = shape(
  {
    ...{ id, order_id, payer_id: payer.id, collector: { id: 2500000101 } },
    ...{ reason: 'Mate de calabaza', site_id: 'MLA', payment_method_id: 'visa', currency_id, installments: 1 },
    ...{ operation_type: 'regular_payment', payment_type, available_actions: ['refund'] },
    ...{ status, status_code: null, status_detail: 'accredited' },
    ...amounts,
    ...{ shipping_cost: decimal(0), coupon_amount: decimal(0), overpaid_amount: decimal(0) },
    ...{ total_paid_amount: AMOUNT, installment_amount: orNull(AMOUNT) },
    ...{ date_approved: dates.date_approved, date_created: DATE, date_last_modified: DATE },
    ...{ marketplace_fee: decimal(1689.87), authorization_code: orNull('301299') },
  },
  {
    title: 'Payment',
    description: 'A payment, as orders have it. Always 0: taxes_amount, coupon_amount and overpaid_amount.',
    notes,
  },
)
export type Payment = Static<typeof Payment>

export const Collection = shape(
  {
    ...{ id, site_id: 'MLA', ...dates, last_modified: DATE, money_release_date: orNull(DATE) },
    ...{ payer, collector: { id: 2500000101, nickname: 'TIENDA' } },
    ...{ order_id, external_reference: String(FIRST_ORDER_ID), reason: 'Mate de calabaza' },
    ...{ transaction_amount: AMOUNT, currency_id, shipping_cost: decimal(0), total_paid_amount: AMOUNT },
    ...{ net_received_amount: decimal(11309.13), marketplace_fee: decimal(1689.87) },
    ...{ mercadopago_fee: decimal(0), coupon_amount: decimal(0) },
    ...{ status, status_detail: 'accredited', payment_type, payment_method_id: 'visa', installments: 1 },
    operation_type: 'regular_payment',
    refunds: [{ id: FIRST_PAYMENT_ID, amount: AMOUNT, date_created: DATE }],
  },
  { title: 'Collection', description: 'A payment. Always 0: mercadopago_fee and coupon_amount.', notes },
)
export type Collection = Static<typeof Collection>

export const WrappedCollection = shape(
  { collection: Collection },
  { title: 'WrappedCollection', description: 'A payment' },
)

export const NewerPayment = shape(
  {
    ...{ id, ...dates, money_release_date: orNull(DATE), status, status_detail: 'accredited' },
    ...{ currency_id, ...amounts, shipping_amount: decimal(0) },
    fee_details: [{ type: 'mercadopago_fee', amount: decimal(1689.87), fee_payer: 'collector' }],
    transaction_details: { net_received_amount: decimal(11309.13), total_paid_amount: AMOUNT },
    payer: { id: payer.id, email: 'lucia@example.com' },
    external_reference: String(FIRST_ORDER_ID),
    order: { id: order_id, type: 'mercadolibre' },
    ...{ payment_method_id: 'visa', payment_type_id: payment_type, installments: 1, charges_details: [] },
  },
  { title: 'NewerPayment', description: 'A payment. taxes_amount is always 0, charges_details always empty.', notes },
)
export type NewerPayment = Static<typeof NewerPayment>

const reference = {
  description: 'Payments of this order',
  pattern: '^[0-9]{1,20}$',
  examples: [String(FIRST_ORDER_ID)],
}
const Reference = Type.Optional(Type.String({ ...reference, 'x-message': 'must be the id of an order' }))
const page = { limit: Limit(100), offset: Offset }
export const CollectionSearch = Type.Object({ order_id: Reference, external_reference: Reference, ...page })
export const PaymentSearch = Type.Object({ external_reference: Reference, 'order.id': Reference, ...page })

const paging = { total: 1, limit: 50, offset: 0 }
export const FoundCollections = shape({ paging, results: [WrappedCollection] }, { notes: { results: 'Newest first' } })
export const FoundPayments = shape({ paging, results: [NewerPayment] }, { notes: { results: 'Newest first' } })
