import { type Static, Type } from '@sinclair/typebox'
import { userNotFound } from '../shared/errors.ts'
import { Limit, Offset } from '../shared/paging.ts'
import { Nullable, OneOf, ResponseObject, UserIdInPath } from '../shared/schemas.ts'

/** The orders, and the column that each sorts by. A listing stops 60 days after its start: the order is the same. */
export const ORDERS = {
  stop_time_asc: { name: 'Order by stop time ascending', by: 'date_created', direction: 'ASC' },
  stop_time_desc: { name: 'Order by stop time descending', by: 'date_created', direction: 'DESC' },
  start_time_asc: { name: 'Order by start time ascending', by: 'date_created', direction: 'ASC' },
  start_time_desc: { name: 'Order by start time descending', by: 'date_created', direction: 'DESC' },
  price_asc: { name: 'Order by price ascending', by: 'price', direction: 'ASC' },
  price_desc: { name: 'Order by price descending', by: 'price', direction: 'DESC' },
} as const
export type OrderId = keyof typeof ORDERS
export const ORDER_IDS = Object.keys(ORDERS) as OrderId[]
const DEFAULT_ORDER: OrderId = 'stop_time_asc'

/** The states that can be searched. */
const SEARCHED_STATUSES = ['active', 'paused', 'closed', 'under_review'] as const

export const SellerParams = Type.Object({ user_id: UserIdInPath(userNotFound) })

export const ItemSearchQuery = Type.Object({
  status: Type.Optional(
    OneOf([...SEARCHED_STATUSES], {
      description: 'Only those in this state',
      examples: ['active'],
      'x-rule': 'items.search.status',
    }),
  ),
  q: Type.Optional(
    Type.String({ maxLength: 255, description: 'Only those with this text in their title', examples: ['mate'] }),
  ),
  orders: OneOf(ORDER_IDS, {
    description: 'Order; ties by id',
    default: DEFAULT_ORDER,
    examples: [DEFAULT_ORDER],
    'x-rule': 'items.search.orders',
  }),
  limit: Limit(100),
  offset: Offset,
  search_type: Type.Optional(
    OneOf(['scan'], { description: 'Walk through any number of listings with scroll_id', examples: ['scan'] }),
  ),
  scroll_id: Type.Optional(
    Type.String({ description: 'Next page of a scan: what the page before answered, within 5 minutes' }),
  ),
})
export type ItemSearchQuery = Static<typeof ItemSearchQuery>

const Order = ResponseObject({
  id: OneOf(ORDER_IDS, { description: 'Value of orders' }),
  name: Type.String({ description: 'Name for people', examples: [ORDERS[DEFAULT_ORDER].name] }),
})

export const FoundItemIds = ResponseObject(
  {
    seller_id: Type.String({ description: 'Seller identifier, as text', examples: ['2500000101'] }),
    query: Nullable(Type.String(), { description: 'The text of q; null without it' }),
    paging: ResponseObject(
      {
        limit: Type.Integer({ description: 'As applied' }),
        offset: Type.Integer({ description: 'As applied' }),
        total: Type.Integer({ description: 'Listings found' }),
      },
      { description: 'Which part of the list this is' },
    ),
    results: Type.Array(Type.String({ examples: ['MLA1400000001'] }), { description: 'Listing identifiers' }),
    orders: Type.Array(Order, { description: 'The applied order' }),
    available_orders: Type.Array(Order, { description: 'All orders' }),
    scroll_id: Type.Optional(
      Nullable(Type.String(), { description: 'Only in a scan: for the next page; null after the last listing' }),
    ),
  },
  { title: 'FoundItemIds', description: 'A page of the listings of a seller' },
)
export type FoundItemIds = Static<typeof FoundItemIds>
