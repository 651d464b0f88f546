import { type Static, Type } from '@sinclair/typebox'
import type { World } from '../../db/world.ts'
import { apiError, badRequest } from '../../http/errors/errors.ts'
import { defineSwitch } from '../../http/switches.ts'
import { money } from '../currencies/currencies.ts'
import { siteNotFound } from '../shared/errors.ts'
import { Limit, MAX_PAGE_END, Offset } from '../shared/paging.ts'
import { Id, OneOf } from '../shared/schemas.ts'
import { decimal, orNull, shape } from '../shared/shape.ts'
import { isSite } from '../users/sites.ts'
import { categoryIdOf, leavesBelow } from './categories.ts'
import { currentPrice, detailsOf } from './details.ts'
import { isFinanced } from './fees.ts'
import { permalinkOf, presentAttributes, presentShipping, thumbnailOf } from './present.ts'
import { Item } from './schemas.ts'
import { type FoundOnSite, findOnSite } from './search_queries.ts'

// GET /sites/:site_id/search: closed to everyone since April 2025 [spec: search.public].

export const PUBLIC_SEARCH = defineSwitch('search.public', ['closed', 'open'])

const searchIsClosed = () => apiError({ rule: 'search.public', check: 'search_open' }, 403, 'forbidden', 'forbidden')

const SORTS = { relevance: 'More relevant', price_asc: 'Lower price', price_desc: 'Higher price' } as const
type SortId = keyof typeof SORTS
const SORT_IDS = Object.keys(SORTS) as SortId[]

export const SiteParams = Type.Object({ site_id: Type.String({ description: 'Site', examples: ['MLA'] }) })
export const PublicSearchQuery = Type.Object({
  q: Type.Optional(
    Type.String({ maxLength: 255, description: 'Only those with this text in their title', examples: ['mate'] }),
  ),
  seller_id: Type.Optional(Id('Only those of a seller', 2500000101)),
  nickname: Type.Optional(
    Type.String({ description: 'Only those of the seller with this name', examples: ['VENDEDOR_MLA'] }),
  ),
  category: Type.Optional(Type.String({ description: 'Only those in a category, or below it', examples: ['MLA7001'] })),
  sort: OneOf(SORT_IDS, { description: 'Order', default: 'relevance', examples: ['price_asc'] }),
  limit: Limit(50),
  offset: Offset,
})
type PublicSearchQuery = Static<typeof PublicSearchQuery>

const applied = { id: OneOf(SORT_IDS), name: SORTS.price_asc }
const { id, title, price, currency_id, condition, thumbnail, permalink, category_id, shipping, attributes } =
  Item.properties

export const PublicSearch = shape(
  {
    site_id: 'MLA',
    query: orNull('mate'),
    paging: { total: 1, primary_results: 1, offset: 0, limit: 50 },
    results: [
      {
        ...{ id, title, price, currency_id, condition, thumbnail, permalink, category_id },
        ...{ seller: { id: 2500000101, nickname: 'TIENDA' }, shipping, available_quantity: 1, sold_quantity: 0 },
        ...{ attributes, installments: orNull({ quantity: 6, amount: decimal(166.67), rate: 0, currency_id: 'ARS' }) },
      },
    ],
    ...{ sort: applied, available_sorts: [applied], filters: [], available_filters: [] },
  },
  {
    title: 'PublicSearch',
    description: 'A page of the active listings of a site',
    notes: {
      query: 'The text of q; null without it',
      primary_results: 'The same as total',
      available_sorts: 'The other orders',
      filters: 'Always empty',
      available_filters: 'Always empty',
    },
  },
)
type PublicSearch = Static<typeof PublicSearch>

/** One page of the active listings of a site. Throws 403 while the search is closed, 404 for an unknown site, 400. */
export async function searchSite(world: World, site_id: string, query: PublicSearchQuery): Promise<PublicSearch> {
  if (PUBLIC_SEARCH.of(world) === 'closed') throw searchIsClosed()
  if (!isSite(site_id)) throw siteNotFound(site_id, 'site_id')
  const { q, seller_id, nickname, category, sort, limit, offset } = query
  if (offset + limit > MAX_PAGE_END)
    throw badRequest('search.public.paging', `offset + limit must be at most ${MAX_PAGE_END}`, 'offset')
  const leaves = category === undefined ? undefined : JSON.stringify(leavesBelow(site_id, category))
  const criteria = { site_id, q, seller_id, nickname, category: leaves }
  const { total, rows } = await findOnSite(world.read, criteria, sort, { limit, offset })
  return {
    site_id,
    query: q ?? null,
    paging: { total, primary_results: total, offset, limit },
    results: rows.map((row) => presentFound(world, row)),
    sort: presentSort(sort),
    available_sorts: SORT_IDS.filter((id) => id !== sort).map(presentSort),
    filters: [],
    available_filters: [],
  }
}

const presentSort = (id: SortId) => ({ id, name: SORTS[id] })

function presentFound(world: World, { nickname, ...row }: FoundOnSite): PublicSearch['results'][number] {
  const details = detailsOf(row)
  const { price } = currentPrice(world, row, details)
  return {
    id: row.id,
    title: row.title,
    price,
    currency_id: row.currency_id,
    condition: details.condition ?? 'new',
    thumbnail: thumbnailOf(details),
    permalink: permalinkOf(row.id),
    category_id: categoryIdOf(row),
    seller: { id: row.seller_id, nickname },
    shipping: presentShipping(row, details),
    available_quantity: row.available_quantity,
    sold_quantity: row.sold_quantity,
    attributes: presentAttributes(row, details),
    installments: isFinanced(row.site_id, details.listing_type_id) ? installmentsOf(price, row.currency_id) : null,
  }
}

/** Without interest [spec: search.public.installments]. */
function installmentsOf(price: number, currency_id: string) {
  const { minor, amount } = money(currency_id)
  return { quantity: 6, amount: amount(Math.round(minor(price) / 6)), rate: 0, currency_id }
}
