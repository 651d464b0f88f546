import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { forbidden } from '../../http/errors/errors.ts'
import { userNotFound } from '../shared/errors.ts'
import { routesOf } from '../shared/routes.ts'
import { errorResponses } from '../shared/schemas.ts'
import { userById } from '../users/queries.ts'
import { SEARCH_ITEMS, SEARCH_SITE } from './checks.ts'
import pictures from './picture_routes.ts'
import promotions from './promotion_routes.ts'
import { PublicSearch, PublicSearchQuery, SiteParams, searchSite } from './public_search.ts'
import reads from './read_routes.ts'
import { Items } from './schemas.ts'
import { FoundItemIds, ItemSearchQuery, SellerParams, searchOwnItems } from './search.ts'
import writes from './write_routes.ts'

const SiteSearch = { name: 'Site search', description: 'What buyers find on a site', id: 'site_id' }

const search: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/users/:user_id/items/search',
    {
      config: { resource: Items, access: 'token', checks: SEARCH_ITEMS },
      schema: {
        operationId: 'searchItems',
        summary: 'List the listings of the caller',
        description:
          'Only one’s own. `offset` + `limit` reach at most 1000: beyond that `search_type=scan` answers a `scroll_id` with each page, null after the last listing. A listing stops 60 days after it was listed.',
        params: SellerParams,
        querystring: ItemSearchQuery,
        response: { 200: FoundItemIds, ...errorResponses(400, 401, 403, 404) },
      },
    },
    async ({ world, caller, params: { user_id }, query }) => {
      if (user_id !== caller.user_id)
        throw (await userById(world.read, user_id)) ? forbidden('items.search') : userNotFound(user_id)
      return searchOwnItems(world, user_id, query)
    },
  )

  app.get(
    '/sites/:site_id/search',
    {
      config: { resource: SiteSearch, access: 'public', checks: SEARCH_SITE },
      schema: {
        operationId: 'searchSite',
        summary: 'Search the active listings of a site',
        description: 'Closed to everyone since April 2025. A world can open it: `search.public=open`.',
        params: SiteParams,
        querystring: PublicSearchQuery,
        response: { 200: PublicSearch, ...errorResponses(400, 401, 403, 404) },
      },
    },
    ({ world, params: { site_id }, query }) => searchSite(world, site_id, query),
  )
}

export default routesOf(reads, writes, pictures, promotions, search)
