import { type Static, Type } from '@sinclair/typebox'
import { Limit, Offset } from '../shared/paging.ts'
import { IdInPath, Nullable, OneOf, ResponseObject } from '../shared/schemas.ts'
import { paymentNotFound } from './errors.ts'
import { FIRST_ORDER_ID, FIRST_PAYMENT_ID, PAYMENT_STATUSES, PAYMENT_TYPES } from './tables.ts'

export const Payments = { name: 'Payments', description: 'Payments of orders', id: 'payment_id' }

export const PaymentParams = Type.Object({
  payment_id: IdInPath('Payment identifier', FIRST_PAYMENT_ID, paymentNotFound),
})

const text = (description: string, example?: string) =>
  Type.String({ description, ...(example && { examples: [example] }) })
const amount = (description: string) => Type.Number({ description, examples: [12999] })
const date = (description: string) => text(description, '2026-03-02T10:15:00.000-04:00')
const dateOrNull = (description: string) => Nullable(Type.String(), { description })
const whole = (description: string) => Type.Integer({ description })

const id = Type.Integer({
  description: 'Payment identifier',
  examples: [FIRST_PAYMENT_ID],
  'x-path': '/collections/:id',
})
const order_id = Type.Integer({ description: 'Its order', examples: [FIRST_ORDER_ID], 'x-path': '/orders/:id' })
const status = OneOf([...PAYMENT_STATUSES], { description: 'State of the payment', examples: ['approved'] })
const status_detail = text('More about the state', 'accredited')
const payment_type = OneOf([...PAYMENT_TYPES], { description: 'Kind of means of payment' })
const payment_method_id = text('Means of payment', 'visa')
const operation_type = text('Always regular_payment', 'regular_payment')
const installments = Type.Integer({ description: 'Number of instalments', examples: [1] })
const reason = text('Title of the listing')
const currency_id = text('Currency', 'ARS')
const transaction_amount = amount('Price of the units, without shipping')
const refundedAmount = amount('What was refunded of it')
const taxes_amount = amount('Always 0')
const total_paid_amount = amount('What the buyer paid, with shipping')
const marketplace_fee = amount('Fee of the sale for all units')

export const Payment = ResponseObject(
  {
    id,
    order_id,
    payer_id: whole('Who paid'),
    collector: ResponseObject({ id: whole('Seller') }, { description: 'Who was paid' }),
    reason,
    site_id: text('Site', 'MLA'),
    payment_method_id,
    currency_id,
    installments,
    operation_type,
    payment_type,
    available_actions: Type.Array(Type.String(), { description: 'What can be done with it' }),
    status,
    status_code: Type.Null({ description: 'Always null' }),
    status_detail,
    transaction_amount,
    transaction_amount_refunded: refundedAmount,
    taxes_amount,
    shipping_cost: amount('Shipping'),
    coupon_amount: amount('Always 0'),
    overpaid_amount: amount('Always 0'),
    total_paid_amount,
    installment_amount: Nullable(Type.Number(), { description: 'One instalment; null without instalments' }),
    date_approved: dateOrNull('When it was approved'),
    date_created: date('When it was made'),
    date_last_modified: date('When it last changed'),
    marketplace_fee,
    authorization_code: Nullable(Type.String(), { description: 'Code of the card’s bank' }),
  },
  { title: 'Payment', description: 'A payment, as orders have it' },
)
export type Payment = Static<typeof Payment>

export const Collection = ResponseObject(
  {
    id,
    site_id: text('Site', 'MLA'),
    date_created: date('When it was made'),
    date_approved: dateOrNull('When it was approved'),
    last_modified: date('When it last changed'),
    money_release_date: dateOrNull('When the seller can use the money'),
    payer: ResponseObject(
      { id: whole('User'), nickname: text('Nickname'), first_name: text('First name'), last_name: text('Last name') },
      { description: 'Who paid' },
    ),
    collector: ResponseObject({ id: whole('User'), nickname: text('Nickname') }, { description: 'Who was paid' }),
    order_id,
    external_reference: text('The id of its order'),
    reason,
    transaction_amount,
    currency_id,
    shipping_cost: amount('Shipping'),
    total_paid_amount,
    net_received_amount: amount('What the seller gets'),
    marketplace_fee,
    mercadopago_fee: amount('Always 0'),
    coupon_amount: amount('Always 0'),
    status,
    status_detail,
    payment_type,
    payment_method_id,
    installments,
    operation_type,
    refunds: Type.Array(
      ResponseObject({ id: whole('Identifier'), amount: amount('Amount'), date_created: date('When') }),
      { description: 'What was refunded' },
    ),
  },
  { title: 'Collection', description: 'A payment' },
)
export type Collection = Static<typeof Collection>

export const WrappedCollection = ResponseObject(
  { collection: Collection },
  { title: 'WrappedCollection', description: 'A payment' },
)

export const NewerPayment = ResponseObject(
  {
    id,
    date_created: date('When it was made'),
    date_approved: dateOrNull('When it was approved'),
    money_release_date: dateOrNull('When the seller can use the money'),
    status,
    status_detail,
    currency_id,
    transaction_amount,
    transaction_amount_refunded: refundedAmount,
    taxes_amount,
    shipping_amount: amount('Shipping'),
    fee_details: Type.Array(
      ResponseObject({
        type: text('Always mercadopago_fee', 'mercadopago_fee'),
        amount: amount('Fee of the sale'),
        fee_payer: text('Always collector', 'collector'),
      }),
      { description: 'Fees' },
    ),
    transaction_details: ResponseObject(
      { net_received_amount: amount('What the seller gets'), total_paid_amount },
      { description: 'Sums' },
    ),
    payer: ResponseObject({ id: whole('User'), email: text('Mail address') }, { description: 'Who paid' }),
    external_reference: text('The id of its order'),
    order: ResponseObject(
      { id: order_id, type: text('Always mercadolibre', 'mercadolibre') },
      { description: 'Order' },
    ),
    payment_method_id,
    payment_type_id: payment_type,
    installments,
    charges_details: Type.Array(Type.Unknown(), { description: 'Always empty' }),
  },
  { title: 'NewerPayment', description: 'A payment' },
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

const paging = ResponseObject(
  { total: whole('Payments found'), limit: whole('As requested'), offset: whole('As requested') },
  { description: 'Position of the page' },
)
export const FoundCollections = ResponseObject({
  paging,
  results: Type.Array(WrappedCollection, { description: 'Payments, the newest first' }),
})
export const FoundPayments = ResponseObject({
  paging,
  results: Type.Array(NewerPayment, { description: 'Payments, the newest first' }),
})
