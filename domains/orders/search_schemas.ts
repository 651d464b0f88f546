import { type Static, Type } from '@sinclair/typebox'
import { CommaList, Instant, MAX_ID, OneOf } from '../shared/schemas.ts'
import { shape } from '../shared/shape.ts'
import { FoundOrder } from './schemas.ts'

/** The largest page, and how deep a search reads [spec: orders.search.limit, orders.search.offset]. */
export const MAX_PAGE = 50
const MAX_OFFSET = 10_000

const text = (description: string, example?: string) =>
  Type.Optional(
    Type.String({
      description,
      maxLength: 200,
      ...(example && { examples: [example] }),
      'x-message': 'must be a text of at most 200 characters',
    }),
  )
const list = (description: string, example: string) => Type.Optional(CommaList({ description, examples: [example] }))
const from = (what: string) => Type.Optional(Instant(`${what} in this hour or later`, '2026-03-01T00:00:00.000-04:00'))
const to = (what: string) => Type.Optional(Instant(`${what} until this hour`, '2026-03-08T00:00:00.000-04:00'))

export const OrderSearch = Type.Object({
  seller: text('Sales of this user: the caller, or `me`', '2500000101'),
  buyer: text('Purchases of this user: the caller, or `me`'),
  q: text('Orders with this id, listing, part of the title, or part of the nickname of the other party'),
  item: text('Orders of this listing, by id or part of the title', 'MLA1400000001'),
  pack_id: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_ID,
      description: 'Orders of this pack',
      'x-message': 'must be an integer',
    }),
  ),
  'order.status': list('Orders in one of these states, separated by commas', 'paid'),
  'order.date_created.from': from('Made'),
  'order.date_created.to': to('Made'),
  'order.date_closed.from': from('First confirmed or paid'),
  'order.date_closed.to': to('First confirmed or paid'),
  'order.date_last_updated.from': from('Changed'),
  'order.date_last_updated.to': to('Changed'),
  tags: list('Orders with all these tags', 'not_delivered'),
  'tags.not': list('Orders without these tags', 'delivered'),
  'mediations.status': text('Orders with a claim in this state'),
  'feedback.status': Type.Optional(
    OneOf(['pending', 'complete'], { description: 'Orders without the seller’s opinion, or with it' }),
  ),
  'feedback.sale.rating': Type.Optional(
    OneOf(['positive', 'neutral', 'negative'], { description: 'Orders that the seller has rated so' }),
  ),
  'shipping.status': list('Orders whose shipment is in one of these states', 'ready_to_ship'),
  'shipping.substatus': list('Orders whose shipment is in one of these states', 'ready_to_print'),
  sort: Type.Optional(
    OneOf(['date_asc', 'date_desc'], {
      description: 'By date_closed for sellers, by date_created for buyers; default date_asc',
      'x-rule': 'orders.search.sort',
    }),
  ),
  limit: Type.Integer({
    minimum: 0,
    maximum: MAX_ID,
    default: MAX_PAGE,
    description: `Elements of a page, 0 (only the total) to ${MAX_PAGE}; more count as ${MAX_PAGE}`,
    'x-message': 'must be an integer, 0 or more',
    'x-rule': 'http.paging.bounds',
  }),
  offset: Type.Integer({
    minimum: 0,
    maximum: MAX_OFFSET,
    default: 0,
    description: `Elements before the page, at most ${MAX_OFFSET}`,
    'x-message': `must be an integer from 0 to ${MAX_OFFSET}`,
    'x-rule': 'orders.search.offset',
  }),
})
export type OrderSearch = Static<typeof OrderSearch>

export const FoundOrders = shape(
  {
    query: '',
    results: [FoundOrder],
    sort: { id: 'date_asc', name: 'Date ascending' },
    available_sorts: [{ id: 'date_desc', name: 'Date descending' }],
    filters: [],
    paging: { total: 1, offset: 0, limit: MAX_PAGE },
    display: 'complete',
    available_filters: [
      {
        ...{ id: 'order.status', name: 'Order status', type: 'list' },
        values: [{ id: 'paid', name: 'Paid', results: 1 }],
      },
    ],
  },
  {
    title: 'FoundOrders',
    description: 'A page of orders',
    notes: {
      query: 'q as it was sent',
      available_sorts: 'The other ones',
      filters: 'Always empty',
      display: 'Always complete',
      available_filters: 'order.status, shipping.status and tags',
      values: 'Values that occur among what was found',
    },
  },
)
export type FoundOrders = Static<typeof FoundOrders>
