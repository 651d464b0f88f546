import { type CallChecks, type CallContext, defineChecks, ownUser } from '../../http/errors/checks.ts'
import { isCaller, LISTING_EXISTS, scanChecks, USER_EXISTS } from '../shared/checks.ts'
import { SITES } from '../users/sites.ts'
import { detailsOf } from './details.ts'
import { describedListings, itemById, listItems } from './queries.ts'

const CHECKS = defineChecks({
  ids: [
    'items.multiget',
    'ids names 1 to 20 listings',
    'ids nombra de 1 a 20 publicaciones',
    'ids contém de 1 a 20 anúncios',
    'ids',
  ],
  has_description: [
    'items.description.not_found',
    'The listing has a description',
    'La publicación tiene una descripción',
    'O anúncio tem uma descrição',
    'item_id',
  ],
  variation_exists: [
    'items.variations.not_found',
    'The variation is one of the listing',
    'La variante es de la publicación',
    'A variação é do anúncio',
    'variation_id',
  ],
  own_listings: isCaller('items.search'),
  ...scanChecks('items.search'),
  search_open: [
    'search.public',
    'The public search is open in this world',
    'La búsqueda pública está abierta en este mundo',
    'A busca pública está aberta neste mundo',
  ],
  site_exists: ['sites.not_found', 'The site exists', 'El sitio existe', 'O site existe', 'site_id'],
  site_depth: [
    'search.public.paging',
    'offset + limit is at most 1000',
    'offset + limit es como máximo 1000',
    'offset + limit é no máximo 1000',
    'offset',
  ],
})

const PAGE = { limit: 20, offset: 0 }

const listings = async ({ q }: CallContext): Promise<string[]> =>
  (await listItems(q, {}, PAGE)).rows.map(({ id }) => id)

async function variationsOfListing({ q, sent }: CallContext): Promise<number[]> {
  const row = await itemById(q, String(sent('item_id')))
  return row ? (detailsOf(row).variations ?? []).map(({ id }) => id) : []
}

export const READ_ITEM: CallChecks = { order: 'http.order', checks: [LISTING_EXISTS], values: { item_id: listings } }

export const READ_DESCRIPTION: CallChecks = {
  order: 'http.order',
  checks: [LISTING_EXISTS, CHECKS.has_description],
  values: { item_id: async ({ q }) => describedListings(q, PAGE.limit) },
}

export const READ_VARIATION: CallChecks = {
  order: 'http.order',
  checks: [LISTING_EXISTS, CHECKS.variation_exists],
  values: { item_id: listings, variation_id: variationsOfListing },
}

export const READ_ITEMS: CallChecks = {
  order: 'http.order',
  checks: [CHECKS.ids],
  values: { ids: async (context) => [(await listings(context)).slice(0, 2).join(',')] },
}

export const SEARCH_ITEMS: CallChecks = {
  order: 'http.order',
  checks: [USER_EXISTS, CHECKS.own_listings, CHECKS.scan_offset, CHECKS.depth, CHECKS.scroll_id],
  values: { user_id: ownUser },
}

export const SEARCH_SITE: CallChecks = {
  order: 'search.public',
  checks: [CHECKS.search_open, CHECKS.site_exists, CHECKS.site_depth],
  values: { site_id: () => SITES },
}
