import { type Static, Type } from '@sinclair/typebox'
import { packNotFound } from '../shared/errors.ts'
import { Id, IdInPath, OneOf } from '../shared/schemas.ts'
import { decimal, orNull, shape } from '../shared/shape.ts'
import { invalidOrderId } from './errors.ts'
import { Payment } from './payment_schemas.ts'
import { FIRST_FEEDBACK_ID, FIRST_ORDER_ID, FIRST_PACK_ID, ORDER_STATUSES } from './tables.ts'

export const Orders = { name: 'Orders', description: 'Sales and purchases', id: 'order_id' }

export const OrderParams = Type.Object({ order_id: IdInPath('Order identifier', FIRST_ORDER_ID, invalidOrderId) })
export const PackParams = Type.Object({ pack_id: IdInPath('Pack identifier', FIRST_PACK_ID, packNotFound) })

export const OrderId = Id('Order identifier', FIRST_ORDER_ID, { 'x-path': '/orders/:id' })
export const StatusOfOrder = OneOf([...ORDER_STATUSES], { description: 'State of the order', examples: ['paid'] })

const DATE = '2026-03-02T10:15:00.000-04:00'

const PRICE = decimal(12999)

export const OrderItem = shape(
  {
    item: {
      ...{ id: 'MLA1400000001', title: 'Mate de calabaza', category_id: orNull('MLA3530') },
      ...{ variation_id: orNull(180000000001), seller_custom_field: orNull('MATE-001') },
      variation_attributes: [{ id: 'COLOR', name: 'Color', value_id: orNull('52049'), value_name: orNull('Negro') }],
      ...{ warranty: orNull('Garantía del vendedor: 6 meses'), condition: 'new', seller_sku: orNull('MATE-001') },
      ...{ global_price: null, net_weight: null, user_product_id: 'MLAU1400000001' },
    },
    ...{ quantity: 1, requested_quantity: { measure: 'unit', value: 1 }, picked_quantity: null },
    ...{ unit_price: PRICE, full_unit_price: PRICE, gross_price: PRICE, currency_id: 'ARS' },
    ...{ manufacturing_days: null, sale_fee: decimal(1689.87), listing_type_id: 'gold_special' },
    ...{ base_exchange_rate: null, base_currency_id: null, element_id: 1 },
  },
  {
    title: 'OrderItem',
    notes: {
      item: 'The listing as it was when it was bought',
      seller_custom_field: 'Own field of the variation, else of the listing',
      condition: 'new, used or not_specified',
      measure: 'Always unit',
      full_unit_price: 'Price of a unit before promotions',
      gross_price: 'The same for all units',
      sale_fee: 'Fee of the marketplace for each unit',
      element_id: 'Always 1',
    },
  },
)

const untilFeedback = {
  ...{ id: OrderId, date_created: DATE, last_updated: DATE, date_closed: orNull(DATE), expiration_date: DATE },
  ...{ pack_id: orNull(FIRST_PACK_ID), fulfilled: orNull(true), buying_mode: 'buy_equals_pay' },
  ...{ shipping_cost: orNull(decimal(0)), mediations: [{ id: 5000000001 }], total_amount: PRICE, paid_amount: PRICE },
  ...{ coupon: { id: null, amount: decimal(0) }, order_items: [OrderItem], currency_id: 'ARS', payments: [Payment] },
  shipping: { id: orNull(40000000001) },
  ...{ status: StatusOfOrder, status_detail: null, tags: ['paid'], comments: null },
}
const opinion = orNull({ id: FIRST_FEEDBACK_ID })
const afterFeedback = {
  context: { channel: 'marketplace', site: 'MLA', flows: [''] },
  seller: { id: 2500000101, nickname: 'TIENDA' },
  buyer: {
    ...{ id: 2500001011, nickname: 'LUCIA', first_name: 'Lucía', last_name: 'Fernández' },
    billing_info: { id: '102000010000000001' },
  },
  taxes: { amount: null, currency_id: null, id: null },
  cancel_detail: orNull({
    ...{ group: 'buyer', code: 'buyer_cancelled', description: 'The buyer regrets it' },
    ...{ requested_by: 'buyer', date: DATE },
  }),
  manufacturing_ending_date: null,
  order_request: { change: null, return: null },
}
const notes = {
  date_closed: 'When it was first confirmed or paid; null before',
  expiration_date: '21 days after it was made',
  pack_id: 'Purchase that it belongs to',
  fulfilled: 'Whether it was delivered; null: not known',
  buying_mode: 'Always buy_equals_pay',
  shipping_cost: 'What the buyer pays for shipping; null in a pack of several',
  mediations: 'Claims in a dispute',
  total_amount: 'Price of all units',
  paid_amount: 'What was paid and not refunded',
  order_items: 'One element: an order is of one listing or variation',
  payments: 'The oldest first',
  shipping: 'Its shipment; null until there is one',
  tags: 'What is known of it: paid, not_delivered and others',
  sale: 'Opinion of the seller',
  purchase: 'Opinion of the buyer',
  channel: 'Always marketplace',
  flows: 'Always empty',
  cancel_detail: 'Why it was cancelled; null if it was not',
  group: 'On whose side the reason is: seller, buyer or mediations',
}

export const Order = shape(
  { ...untilFeedback, feedback: { buyer: opinion, seller: opinion }, ...afterFeedback },
  { title: 'Order', description: 'A sale; dates are at −04:00', notes },
)
export type Order = Static<typeof Order>

export const FoundOrder = shape(
  {
    ...{ ...untilFeedback, feedback: { sale: opinion, purchase: opinion }, ...afterFeedback },
    date_last_updated: '2026-03-02T14:15:00.000Z',
  },
  { title: 'FoundOrder', description: 'A sale; dates are at −04:00, date_last_updated in UTC', notes },
)
export type FoundOrder = Static<typeof FoundOrder>

export const OrderChange = Type.Object(
  {
    tags: Type.Array(Type.String({ 'x-message': 'must be an array of strings' }), {
      maxItems: 50,
      description: 'delivered or not_delivered; other tags are ignored',
      examples: [['delivered']],
      'x-message': 'must be an array of strings',
    }),
  },
  { 'x-message': 'must be a JSON object with tags', examples: [{ tags: ['delivered'] }] },
)

const PACK_STATUSES = ['released', 'error', 'pending_cancel', 'cancelled'] as const

export const Pack = shape(
  {
    ...{ shipment: { id: orNull(40000000001) }, orders: [{ id: FIRST_ORDER_ID }], id: FIRST_PACK_ID },
    ...{ status: OneOf([...PACK_STATUSES]), status_detail: null, buyer: { id: 2500001011 } },
    date_created: '2026-03-02T10:15:00.000-0400',
    last_updated: '2026-03-02T10:15:00.000-0400',
  },
  {
    title: 'Pack',
    description: 'What a buyer bought at once',
    notes: {
      shipment: 'Its shipment; null until there is one',
      orders: 'The caller’s orders in it',
      status: 'cancelled when all its orders are',
    },
  },
)
export type Pack = Static<typeof Pack>
