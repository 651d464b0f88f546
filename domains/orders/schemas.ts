import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Id, IdInPath, Nullable, OneOf, ResponseObject } from '../shared/schemas.ts'
import { invalidOrderId, packNotFound } from './errors.ts'
import { Payment } from './payment_schemas.ts'
import { FIRST_ORDER_ID, FIRST_PACK_ID, ORDER_STATUSES } from './tables.ts'

export const Orders = { name: 'Orders', description: 'Sales and purchases', id: 'order_id' }

export const OrderParams = Type.Object({ order_id: IdInPath('Order identifier', FIRST_ORDER_ID, invalidOrderId) })
export const PackParams = Type.Object({ pack_id: IdInPath('Pack identifier', FIRST_PACK_ID, packNotFound) })

const text = (description: string, example?: string) =>
  Type.String({ description, ...(example && { examples: [example] }) })
const textOrNull = (description: string) => Nullable(Type.String(), { description })
const numberOrNull = (description: string) => Nullable(Type.Number(), { description })
const date = (description: string) => text(description, '2026-03-02T10:15:00.000-04:00')
const dateOrNull = (description: string) => Nullable(Type.String(), { description })
const none = (description: string) => Type.Null({ description })
const amount = (description: string) => Type.Number({ description, examples: [12999] })
const withId = (description: string) =>
  ResponseObject({ id: Type.Integer({ description: 'Identifier' }) }, { description })
const idOrNull = (description: string) =>
  ResponseObject({ id: Nullable(Type.Integer(), { description: 'Identifier' }) }, { description })
const list = <T extends TSchema>(element: T, description: string) => Type.Array(element, { description })

export const OrderId = Id('Order identifier', FIRST_ORDER_ID, { 'x-path': '/orders/:id' })
export const StatusOfOrder = OneOf([...ORDER_STATUSES], { description: 'State of the order', examples: ['paid'] })

const OrderItem = ResponseObject(
  {
    item: ResponseObject(
      {
        id: text('Listing identifier', 'MLA1400000001'),
        title: text('Title at the time of the purchase'),
        category_id: textOrNull('Category'),
        variation_id: Nullable(Type.Integer(), { description: 'Variation that was bought' }),
        seller_custom_field: textOrNull('Own field of the variation, else of the listing'),
        variation_attributes: list(
          ResponseObject({
            id: text('Attribute', 'COLOR'),
            name: text('Its name'),
            value_id: textOrNull('Value'),
            value_name: textOrNull('Its name'),
          }),
          'What the variation is',
        ),
        warranty: textOrNull('Warranty'),
        condition: text('new, used or not_specified', 'new'),
        seller_sku: textOrNull('Code of the seller'),
        global_price: none('Always null'),
        net_weight: none('Always null'),
        user_product_id: textOrNull('Product of the seller'),
      },
      { description: 'The listing as it was' },
    ),
    quantity: Type.Integer({ description: 'Units', examples: [1] }),
    requested_quantity: ResponseObject(
      { measure: text('Always unit', 'unit'), value: Type.Integer({ description: 'Units' }) },
      { description: 'What was asked for' },
    ),
    picked_quantity: none('Always null'),
    unit_price: amount('Price of a unit'),
    full_unit_price: amount('Price of a unit before promotions'),
    gross_price: amount('The same for all units'),
    currency_id: text('Currency', 'ARS'),
    manufacturing_days: none('Always null'),
    sale_fee: amount('Fee of the marketplace for each unit'),
    listing_type_id: text('Type of the listing', 'gold_special'),
    base_exchange_rate: none('Always null'),
    base_currency_id: none('Always null'),
    element_id: Type.Integer({ description: 'Always 1' }),
  },
  { title: 'OrderItem' },
)

const Cancelled = ResponseObject(
  {
    group: text('On whose side the reason is: seller, buyer or mediations', 'buyer'),
    code: text('Reason for programs', 'buyer_cancelled'),
    description: text('Reason for people'),
    requested_by: text('Who cancelled', 'buyer'),
    date: date('When'),
  },
  { description: 'Why it was cancelled' },
)

const members = {
  id: OrderId,
  date_created: date('When it was made, at −04:00'),
  last_updated: date('When it last changed'),
  date_closed: dateOrNull('When it was first confirmed or paid; null before'),
  expiration_date: date('21 days after it was made'),
  pack_id: Nullable(Type.Integer(), { description: 'Purchase that it belongs to' }),
  fulfilled: Nullable(Type.Boolean(), { description: 'Whether it was delivered; null: not known' }),
  buying_mode: text('Always buy_equals_pay', 'buy_equals_pay'),
  shipping_cost: numberOrNull('What the buyer pays for shipping; null in a pack of several'),
  mediations: list(withId('Claim'), 'Claims in a dispute'),
  total_amount: amount('Price of all units'),
  paid_amount: amount('What was paid and not refunded'),
  coupon: ResponseObject({ id: none('Always null'), amount: amount('Always 0') }, { description: 'Discount' }),
  order_items: list(OrderItem, 'One element: an order is of one listing or variation'),
  currency_id: text('Currency', 'ARS'),
  payments: list(Payment, 'Payments, the oldest first'),
  shipping: idOrNull('Its shipment; null until there is one'),
  status: StatusOfOrder,
  status_detail: none('Always null'),
  tags: list(Type.String(), 'What is known of it: paid, not_delivered and others'),
  comments: none('Always null'),
}
const feedbackOrNull = (description: string) => Nullable(withId(description), { description })
const rest = {
  context: ResponseObject(
    { channel: text('Always marketplace'), site: text('Site', 'MLA'), flows: list(Type.String(), 'Always empty') },
    { description: 'Where it was made' },
  ),
  seller: ResponseObject({ id: Type.Integer(), nickname: text('Nickname') }, { description: 'Who sells' }),
  buyer: ResponseObject(
    {
      id: Type.Integer(),
      nickname: text('Nickname'),
      first_name: text('First name'),
      last_name: text('Last name'),
      billing_info: ResponseObject({ id: text('18 digits', '102000010000000001') }, { description: 'Billing data' }),
    },
    { description: 'Who buys' },
  ),
  taxes: ResponseObject(
    { amount: none('Always null'), currency_id: none('Always null'), id: none('Always null') },
    { description: 'Taxes' },
  ),
  cancel_detail: Nullable(Cancelled, { description: 'Why it was cancelled; null if it was not' }),
  manufacturing_ending_date: none('Always null'),
  order_request: ResponseObject(
    { change: none('Always null'), return: none('Always null') },
    { description: 'Requests of the buyer' },
  ),
}

export const Order = ResponseObject(
  {
    ...members,
    feedback: ResponseObject(
      { buyer: feedbackOrNull('Opinion of the buyer'), seller: feedbackOrNull('Opinion of the seller') },
      { description: 'Opinions' },
    ),
    ...rest,
  },
  { title: 'Order', description: 'A sale' },
)
export type Order = Static<typeof Order>

export const FoundOrder = ResponseObject(
  {
    ...members,
    feedback: ResponseObject(
      { sale: feedbackOrNull('Opinion of the seller'), purchase: feedbackOrNull('Opinion of the buyer') },
      { description: 'Opinions' },
    ),
    ...rest,
    date_last_updated: text('When it last changed, UTC', '2026-03-02T14:15:00.000Z'),
  },
  { title: 'FoundOrder', description: 'A sale' },
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

export const Pack = ResponseObject(
  {
    shipment: idOrNull('Its shipment; null until there is one'),
    orders: list(withId('Order'), 'The caller’s orders in it'),
    id: Type.Integer({ description: 'Pack identifier' }),
    status: OneOf([...PACK_STATUSES], { description: 'State: cancelled when all its orders are' }),
    status_detail: none('Always null'),
    buyer: withId('Who bought'),
    date_created: text('When it was made', '2026-03-02T10:15:00.000-0400'),
    last_updated: text('When it last changed', '2026-03-02T10:15:00.000-0400'),
  },
  { title: 'Pack', description: 'What a buyer bought at once' },
)
export type Pack = Static<typeof Pack>
