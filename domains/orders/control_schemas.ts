import { type Static, Type } from '@sinclair/typebox'
import { BeforeId, PagingQuery, PeriodQuery, SearchText, StrictBody } from '../shared/control_schemas.ts'
import { PastInstant } from '../shared/past_instants.ts'
import { IdInPath, ItemId, MAX_ID, Nullable, OneOf, ResponseObject } from '../shared/schemas.ts'
import { Text } from '../shared/texts.ts'
import { STATUS_IDS } from '../shipments/states.ts'
import { PURCHASE_STATUSES } from './buy_operations.ts'
import { orderNotFound } from './errors.ts'
import { Payment } from './payment_schemas.ts'
import { Order, Pack, StatusOfOrder } from './schemas.ts'
import { FIRST_ORDER_ID, FIRST_PACK_ID, ORDER_STATUSES, STORED_TAGS } from './tables.ts'

const whole = (minimum: number, maximum: number, description: string, example: number) =>
  Type.Integer({
    ...{ minimum, maximum, description, examples: [example] },
    'x-message': `must be an integer from ${minimum} to ${maximum === MAX_ID ? '2^53 − 1' : maximum}`,
  })
const userId = (description: string) => whole(0, MAX_ID, description, 2500001011)
const amount = (description: string) =>
  Type.Number({
    ...{ exclusiveMinimum: 0, maximum: 1e12, description, examples: [9999] },
    'x-message': 'must be a number above 0, at most 1000000000000',
  })

const units = {
  variation_id: Type.Optional(whole(0, MAX_ID, 'Variation; default: the first with enough units', 1)),
  quantity: Type.Optional(whole(1, 999_999, 'Units; default 1', 1)),
  price: Type.Optional(amount('Price of a unit; default: that of the listing')),
}
const item_id = Type.String({ ...ItemId, 'x-message': 'must be the id of a listing' })

export const NewPurchase = StrictBody(
  {
    item_id: Type.Optional(item_id),
    ...units,
    items: Type.Optional(
      Type.Array(StrictBody({ item_id, ...units }, { 'x-message': 'must be an object with item_id' }), {
        minItems: 1,
        maxItems: 20,
        description: 'A cart, instead of item_id: an order for each, all in one pack',
        'x-message': 'must be an array of 1 to 20 objects',
      }),
    ),
    buyer: Type.Optional(userId('Who buys; default: the first test buyer of the site of the listing')),
    status: Type.Optional(
      OneOf([...PURCHASE_STATUSES], { description: 'State; default paid. The others wait for a payment' }),
    ),
    payment_method: Type.Optional(Text('Means of payment; default visa', 40, { example: 'account_money' })),
    installments: Type.Optional(whole(1, 48, 'Instalments; default 1', 1)),
    date_created: Type.Optional(PastInstant('When it was made; default: now')),
    pack_id: Type.Optional(whole(1, MAX_ID, 'Pack to add it to; default: a new one', FIRST_PACK_ID)),
    shipping: Type.Optional(
      OneOf(['me2', 'none'], { description: 'none: buyer and seller agree on the delivery', default: 'me2' }),
    ),
  },
  { examples: [{ item_id: 'MLA1400000001' }, { items: [{ item_id: 'MLA1400000001' }, { item_id: 'MLA1400000002' }] }] },
)

export const Bought = ResponseObject(
  {
    order: Order,
    pack: Nullable(Pack, { description: 'All orders of the purchase; null without a pack' }),
    payments: Type.Array(Payment, { description: 'Payments of all orders' }),
    shipment: Nullable(ResponseObject({ id: Type.Integer({ description: 'Identifier' }) }), {
      description: 'Its shipment; null until there is one',
    }),
  },
  { title: 'Bought', description: 'A purchase' },
)
export type Bought = Static<typeof Bought>

export const OrderList = Type.Object({
  seller_id: Type.Optional(userId('Sales of this user')),
  buyer_id: Type.Optional(userId('Purchases of this user')),
  item_id: Type.Optional(
    Type.String({
      ...ItemId,
      description: 'Orders of this listing',
      maxLength: 100,
      'x-message': 'must be the id of a listing',
    }),
  ),
  status: Type.Optional(StatusOfOrder),
  shipping_status: Type.Optional(
    OneOf([...STATUS_IDS], { description: 'State of the shipment', examples: ['shipped'] }),
  ),
  ...PeriodQuery,
  q: SearchText('title, the nickname of the buyer and that of the seller'),
  before: BeforeId,
  ...PagingQuery,
})

export const ControlOrderParams = Type.Object({
  id: IdInPath('Order identifier', FIRST_ORDER_ID, orderNotFound),
})

export const OrderCancellation = StrictBody(
  {
    by: Type.Optional(
      OneOf(['seller', 'buyer', 'mediations'], {
        description: 'On whose side the reason is; default: buyer',
        examples: ['seller'],
      }),
    ),
    reason: Type.Optional(Text('Reason for people', 200, { example: 'sin stock' })),
    restock: Type.Optional(
      Type.Boolean({
        ...{ description: 'Whether the units are for sale again; default false', examples: [true] },
        'x-message': 'must be true or false',
      }),
    ),
  },
  { 'x-message': 'must be a JSON object', examples: [{ by: 'seller', restock: true }] },
)

export const OrderRefund = StrictBody(
  { amount: Type.Optional(amount('What the buyer gets back; default: all, which cancels the order')) },
  { 'x-message': 'must be a JSON object', examples: [{}] },
)

const TAGS = ['delivered', 'not_delivered', ...STORED_TAGS]
export const OrderPatch = StrictBody(
  {
    status: Type.Optional(OneOf([...ORDER_STATUSES], { description: 'New state', examples: ['pending_cancel'] })),
    tags: Type.Optional(
      Type.Array(OneOf(TAGS, { 'x-message': `must be an array of ${TAGS.join(', ')}` }), {
        maxItems: 50,
        description: 'Tags beside those that follow from the state: they replace the present ones',
        examples: [['delivered']],
        'x-message': `must be an array of ${TAGS.join(', ')}`,
      }),
    ),
  },
  {
    minProperties: 1,
    'x-message': 'must be a JSON object with status, tags or both',
    examples: [{ tags: ['delivered'] }],
  },
)
