import { type Static, Type } from '@sinclair/typebox'
import type { World } from '../../db/world.ts'
import type { Caller } from '../../http/fastify_types.ts'
import { CommaList, Instant, MAX_ID, OneOf, parseInstantParameter, splitCommaLists } from '../shared/schemas.ts'
import { shape } from '../shared/shape.ts'
import { STATUS_IDS } from '../shipments/states.ts'
import { CANCELLED, DELIVERED_TAG, PRECISION, UNPAID_VISIBLE } from './assumptions.ts'
import { filterRequired, foreignSearch } from './errors.ts'
import { presentFound } from './present.ts'
import { oldestOrder } from './queries.ts'
import { FoundOrder } from './schemas.ts'
import { type Criteria, findOrders } from './search_queries.ts'
import { cancelledUntil, UNPAID_STATUSES } from './states.ts'
import { ORDER_STATUSES } from './tables.ts'

/** The largest page, and how deep a search reads [spec: orders.search.limit, orders.search.offset]. */
const MAX_PAGE = 50
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

type Variant = 'recent' | 'archived' | 'pending'
const HOUR = 3_600_000
const SORTS = { date_asc: 'Date ascending', date_desc: 'Date descending' } as const

/**
 * One page of a search. Throws, in this order: 403 for another user's, 400 without a filter, 400 for a date
 * [spec: orders.search.order].
 */
export async function search(
  world: World,
  caller: Caller,
  query: OrderSearch,
  variant?: Variant,
): Promise<FoundOrders> {
  const { seller, buyer } = whoseOrders(caller.user_id, query, variant)
  const now = world.clock.now()
  const limit = Math.min(query.limit, MAX_PAGE)
  const { offset, sort: id = 'date_asc' } = query
  const { groups, rows } = await findOrders(
    world.read,
    {
      criteria: {
        ...criteriaOf(world, query),
        seller,
        buyer,
        ...ofVariant(variant, now),
        ...hiddenFrom(world, seller, query, variant),
      },
      sort: seller === undefined ? 'date_created' : 'date_closed',
      direction: id === 'date_asc' ? 'asc' : 'desc',
      overdue: cancelledUntil(now),
      automatic: DELIVERED_TAG.of(world) === 'automatic' ? 1 : 0,
      now,
    },
    { limit, offset },
  )
  const other = id === 'date_asc' ? 'date_desc' : 'date_asc'
  return {
    query: query.q ?? '',
    results: await presentFound(world.read, world, rows),
    sort: { id, name: SORTS[id] },
    available_sorts: [{ id: other, name: SORTS[other] }],
    filters: [],
    paging: { total: groups.reduce((sum, { n }) => sum + n, 0), offset, limit },
    display: 'complete',
    available_filters: availableFilters(groups),
  }
}

/** Other parameters of a call, such as `callback`, are no filters. */
const PAGE = new Set(['sort', 'limit', 'offset', 'seller', 'buyer'])
const FILTERS = Object.keys(OrderSearch.properties).filter((name) => !PAGE.has(name)) as (keyof OrderSearch)[]

/** Whose sales or purchases are searched; without either those that the caller has sold [spec: orders.search.caller]. */
function whoseOrders(caller: number, query: OrderSearch, variant?: Variant): { seller?: number; buyer?: number } {
  const idOf = (given: string | undefined) => (given === 'me' ? caller : Number(given))
  const { seller, buyer } = query
  if (seller === undefined && buyer === undefined) {
    const hasFilter = FILTERS.some((name) => query[name] !== undefined)
    if (!hasFilter && variant === undefined) throw filterRequired()
    return { seller: caller }
  }
  if (idOf(seller) !== caller && idOf(buyer) !== caller) throw foreignSearch()
  return {
    ...(seller !== undefined && { seller: idOf(seller) }),
    ...(buyer !== undefined && { buyer: idOf(buyer) }),
  }
}

function criteriaOf(world: World, query: OrderSearch): Criteria {
  const precision = PRECISION.of(world) === 'hour' ? HOUR : 1
  const read = (name: string, value: string | number | string[]) => {
    if (Array.isArray(value)) return JSON.stringify(splitCommaLists(value))
    if (!/\.(from|to)$/.test(name)) return value
    return Math.floor(parseInstantParameter(name, value as string) / precision) * precision
  }
  const given = FILTERS.filter((name) => query[name] !== undefined)
  return {
    oldest: oldestOrder(world.clock.now()),
    ...Object.fromEntries(given.map((name) => [name, read(name, query[name]!)])),
  }
}

/** What sellers do not find: orders without payment, and cancelled ones unless a status is named. */
function hiddenFrom(world: World, seller: number | undefined, query: OrderSearch, variant?: Variant): Criteria {
  if (seller === undefined) return {}
  const isUnpaidShown = UNPAID_VISIBLE.of(world) === 'true' || variant === 'pending'
  const isCancelledShown = query['order.status'] !== undefined || CANCELLED.of(world) === 'listed'
  const hidden = [...(isUnpaidShown ? [] : UNPAID_STATUSES), ...(isCancelledShown ? [] : ['cancelled'])]
  return hidden.length > 0 ? { without: JSON.stringify(hidden) } : {}
}

/** [spec: orders.search.variants] */
function ofVariant(variant: Variant | undefined, now: number): Criteria {
  if (variant === 'recent') return { 'expires.from': now }
  if (variant === 'archived') return { 'expires.to': now - 1 }
  return variant === 'pending' ? { 'order.status': JSON.stringify(UNPAID_STATUSES) } : {}
}

type Groups = Awaited<ReturnType<typeof findOrders>>['groups']

function availableFilters(groups: Groups): FoundOrders['available_filters'] {
  const count = (matches: (group: Groups[number]) => boolean) =>
    groups.filter(matches).reduce((sum, { n }) => sum + n, 0)
  const isPaid = ({ status }: Groups[number]) => ['paid', 'partially_refunded', 'pending_cancel'].includes(status)
  const valuesOf = (counts: [string, number][]) =>
    counts.filter(([, results]) => results > 0).map(([id, results]) => ({ id, name: nameOf(id), results }))
  return [
    {
      ...{ id: 'order.status', name: 'Order status', type: 'list' },
      values: valuesOf(ORDER_STATUSES.map((id) => [id, count(({ status }) => status === id)])),
    },
    {
      ...{ id: 'shipping.status', name: 'Shipping status', type: 'list' },
      values: valuesOf(STATUS_IDS.map((id) => [id, count(({ shipping }) => shipping === id)])),
    },
    {
      ...{ id: 'tags', name: 'Tags', type: 'list' },
      values: valuesOf([
        ['paid', count(isPaid)],
        ['not_paid', count((group) => !isPaid(group))],
        ['delivered', count(({ delivered }) => delivered === 1)],
        ['not_delivered', count(({ delivered }) => delivered === 0)],
      ]),
    },
  ]
}

/** `partially_refunded` → `Partially refunded`. */
const nameOf = (id: string) => (id[0]!.toUpperCase() + id.slice(1)).replaceAll('_', ' ')
