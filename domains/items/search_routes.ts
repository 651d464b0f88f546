import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { forbidden } from '../../http/errors/errors.ts'
import { userNotFound } from '../shared/errors.ts'
import { errorResponses } from '../shared/schemas.ts'
import { userById } from '../users/queries.ts'
import { SEARCH_ITEMS } from './checks.ts'
import { Items } from './schemas.ts'
import { searchOwnItems } from './search.ts'
import { FoundItemIds, ItemSearchQuery, SellerParams } from './search_schemas.ts'

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
}
export default search
