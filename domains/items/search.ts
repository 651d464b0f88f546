import type { World } from '../../db/world.ts'
import { checkDepth } from '../shared/paging.ts'
import { createScrollId, parseScrollId } from '../shared/scroll.ts'
import { type FoundItem, findOwnItems, type ItemCriteria } from './search_queries.ts'
import { type FoundItemIds, type ItemSearchQuery, ORDER_IDS, ORDERS, type OrderId } from './search_schemas.ts'

/** The state of a scan: search, and the last listing of the pages so far; undefined before the first one. */
interface Scan {
  caller: number
  criteria: ItemCriteria
  order: OrderId
  after?: FoundItem | undefined
}

const PURPOSE = 'items scroll'

/** One page of the caller's listings. Throws 400 for a parameter. */
export async function searchOwnItems(world: World, caller: number, query: ItemSearchQuery): Promise<FoundItemIds> {
  const { limit, offset } = query
  // Clients that scan may send an empty scroll_id with the first call.
  const scroll_id = query.scroll_id || undefined
  const isScan = query.search_type === 'scan' || scroll_id !== undefined
  if (!isScan) checkDepth({ limit, offset }, 'items.search.paging')
  const scan: Scan = scroll_id
    ? parseScrollId<Scan>(world, PURPOSE, scroll_id, caller, 'items.search.scroll_id')
    : { caller, criteria: criteriaOf(caller, query), order: query.orders }
  const { criteria, order, after } = scan
  // A scan with limit=0 asks whether a listing remains.
  const page = isScan ? { limit: Math.max(limit, 1), offset: 0, after } : { limit, offset }
  const { total, rows } = await findOwnItems(world.read, criteria, ORDERS[order], page)
  const found = rows.slice(0, limit)
  return {
    seller_id: String(caller),
    query: criteria.q ?? null,
    paging: { limit, offset: page.offset, total },
    results: found.map(({ id }) => id),
    orders: [presentOrder(order)],
    available_orders: ORDER_IDS.map(presentOrder),
    ...(isScan && {
      scroll_id:
        rows.length > 0 ? createScrollId(world, PURPOSE, { ...scan, after: found.at(-1) ?? after } as Scan) : null,
    }),
  }
}

const criteriaOf = (seller_id: number, { status, q }: ItemSearchQuery): ItemCriteria => ({
  seller_id,
  ...(status && { status }),
  ...(q && { q }),
})

const presentOrder = (id: OrderId) => ({ id, name: ORDERS[id].name })
