import { type Static, Type } from '@sinclair/typebox'
import type { World } from '../../db/world.ts'
import { userNotFound } from '../shared/errors.ts'
import {
  checkDepth,
  checkScanOffset,
  createScrollId,
  Limit,
  OffsetWithoutScroll,
  parseScrollId,
} from '../shared/paging.ts'
import { ItemId, Nullable, OneOf, UserIdInPath } from '../shared/schemas.ts'
import { orNull, shape } from '../shared/shape.ts'
import { leavesBelow } from './categories.ts'
import { STOP_TIME } from './present.ts'
import { FILTERS, type FoundItem, findOwnItems, type ItemCriteria, type ItemOrder } from './search_queries.ts'

/** The orders, and what each sorts by. */
export const ORDERS = {
  stop_time_asc: { name: 'Order by stop time ascending', by: 'stop_time', direction: 'ASC' },
  stop_time_desc: { name: 'Order by stop time descending', by: 'stop_time', direction: 'DESC' },
  start_time_asc: { name: 'Order by start time ascending', by: 'date_created', direction: 'ASC' },
  start_time_desc: { name: 'Order by start time descending', by: 'date_created', direction: 'DESC' },
  price_asc: { name: 'Order by price ascending', by: 'price', direction: 'ASC' },
  price_desc: { name: 'Order by price descending', by: 'price', direction: 'DESC' },
} as const
type OrderId = keyof typeof ORDERS
const ORDER_IDS = Object.keys(ORDERS) as OrderId[]
const DEFAULT_ORDER: OrderId = 'stop_time_asc'

/** The states that can be searched. */
const SEARCHED_STATUSES = ['active', 'paused', 'closed', 'under_review'] as const

const Sku = Type.String({
  maxLength: 255,
  description: 'Only those with exactly this code of the seller',
  examples: ['MATE-001'],
  'x-rule': 'items.search.sku',
})

const filter = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 255, description, examples: [example], 'x-rule': 'items.search.filters' }))
const MORE_FILTERS = {
  seller_custom_field: filter('Only those with exactly this text of the seller', 'A-17'),
  user_product_id: filter('Only the one that sells this product of the seller', 'MLAU1400000001'),
  catalog_listing: Type.Optional(
    OneOf(['true', 'false'], {
      description: 'Only those of the catalogue, or only the others',
      'x-rule': 'items.search.filters',
    }),
  ),
  listing_type_id: filter('Only those of this listing type', 'gold_special'),
  category: filter('Only those in a category, or below it', 'MLA7001'),
  tags: filter('Only those with this tag', 'test_item'),
  logistic_type: filter('Only those that are sent this way', 'self_service'),
}

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
  seller_sku: Type.Optional(Sku),
  sku: Type.Optional(Sku),
  ...MORE_FILTERS,
  include_filters: Type.Optional(
    OneOf(['true', 'false'], {
      description: 'true: the answer has filters and available_filters',
      'x-rule': 'items.search.include_filters',
    }),
  ),
  orders: OneOf(ORDER_IDS, {
    description: 'Order; ties by id',
    default: DEFAULT_ORDER,
    examples: [DEFAULT_ORDER],
    'x-rule': 'items.search.orders',
  }),
  limit: Limit(100),
  offset: OffsetWithoutScroll,
  search_type: Type.Optional(
    OneOf(['scan'], { description: 'Walk through any number of listings with scroll_id', examples: ['scan'] }),
  ),
  scroll_id: Type.Optional(
    Type.String({ description: 'Next page of a scan: what the page before answered, within 5 minutes' }),
  ),
})
export type ItemSearchQuery = Static<typeof ItemSearchQuery>

const NO_FILTERS = Type.Array(Type.Unknown(), { description: 'Always empty; only with include_filters' })
const order = { id: OneOf(ORDER_IDS), name: ORDERS[DEFAULT_ORDER].name as string }

export const FoundItemIds = shape(
  {
    ...{ seller_id: '2500000101', query: orNull('mate'), paging: { limit: 50, offset: 0, total: 1 } },
    ...{ results: [ItemId], orders: [order], available_orders: [order] },
    ...{ filters: Type.Optional(NO_FILTERS), available_filters: Type.Optional(NO_FILTERS) },
    scroll_id: Type.Optional(
      Nullable(Type.String(), { description: 'Only in a scan: for the next page; null after the last listing' }),
    ),
  },
  {
    title: 'FoundItemIds',
    description: 'A page of the listings of a seller',
    notes: {
      seller_id: 'As text',
      query: 'The text of q; null without it',
      orders: 'The applied order',
      available_orders: 'All orders',
    },
  },
)
export type FoundItemIds = Static<typeof FoundItemIds>

/** The state of a scan: search, and the last listing of the pages so far; undefined before the first one. */
interface Scan {
  caller: number
  criteria: ItemCriteria
  order: OrderId
  after?: FoundItem | undefined
}

const SCROLL = { purpose: 'items scroll', rule: 'items.search.scroll_id' } as const

/** One page of the caller's listings. Throws 400 for a parameter. */
export async function searchOwnItems(world: World, caller: number, query: ItemSearchQuery): Promise<FoundItemIds> {
  const { limit, offset = 0 } = query
  checkScanOffset(world, query, 'items.search.scan_offset')
  // Clients that scan may send an empty scroll_id with the first call.
  const scroll_id = query.scroll_id || undefined
  const isScan = query.search_type === 'scan' || scroll_id !== undefined
  if (!isScan) checkDepth({ limit, offset }, 'items.search.paging')
  const scan: Scan = scroll_id
    ? parseScrollId<Scan>(world, SCROLL, scroll_id, caller)
    : { caller, criteria: criteriaOf(caller, query), order: query.orders }
  const { criteria, order, after } = scan
  // A scan with limit=0 asks whether a listing remains.
  const page = isScan ? { limit: Math.max(limit, 1), offset: 0, after } : { limit, offset }
  const { total, rows } = await findOwnItems(world.read, criteria, orderOf(world, order), page)
  const found = rows.slice(0, limit)
  return {
    seller_id: String(caller),
    query: criteria.q ?? null,
    paging: { limit, offset: page.offset, total },
    results: found.map(({ id }) => id),
    orders: [presentOrder(order)],
    available_orders: ORDER_IDS.map(presentOrder),
    ...(query.include_filters === 'true' && { filters: [], available_filters: [] }),
    ...(isScan && {
      scroll_id:
        rows.length > 0 ? createScrollId(world, SCROLL, { ...scan, after: found.at(-1) ?? after } as Scan) : null,
    }),
  }
}

/** If all listings stop as long after their start, the order by stop time is that by start, which has an index. */
function orderOf(world: World, id: OrderId): ItemOrder {
  const { by, direction } = ORDERS[id]
  return { by: by === 'stop_time' && STOP_TIME.of(world) === '60 days' ? 'date_created' : by, direction }
}

const criteriaOf = (seller_id: number, query: ItemSearchQuery): ItemCriteria => ({
  seller_id,
  ...Object.fromEntries(FILTERS.flatMap((name) => (query[name] ? [[name, query[name]]] : []))),
  ...(query.category && { category: JSON.stringify(categoriesOf(query.category)) }),
})
/** Listings of a category without a leaf of its own have just its id. */
const categoriesOf = (id: string): string[] => [id, ...leavesBelow(id.slice(0, 3), id)]

const presentOrder = (id: OrderId) => ({ id, name: ORDERS[id].name })
