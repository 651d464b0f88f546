import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '../shared/schemas.ts'
import { SEARCH, SEARCH_RECEIVED } from './checks.ts'
import { Questions } from './schemas.ts'
import { search } from './search.ts'
import { FoundQuestions, SearchQuery } from './search_schemas.ts'

const searches: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/questions/search',
    {
      config: { resource: Questions, access: 'token', checks: SEARCH },
      schema: {
        operationId: 'searchQuestions',
        summary: 'Search questions by seller, item, asking user, status or period',
        description:
          'Filters may be combined. By `seller_id` one sees only one’s own; by `item` anybody’s; `from` alone, or with another’s item, only what one asked or received; without any of them what one received. Deleted and banned questions show only to their seller and when asked for by status; hidden ones leave the searches by seller. `offset` + `limit` reach at most 1000: beyond that `search_type=scan` answers a `scroll_id` with each page, null on the last.',
        querystring: SearchQuery,
        response: { 200: FoundQuestions, ...errorResponses(400, 401, 403) },
      },
    },
    async ({ world, caller, query }) => search(world, caller, query),
  )

  app.get(
    '/my/received_questions/search',
    {
      config: { resource: Questions, access: 'token', checks: SEARCH_RECEIVED },
      schema: {
        summary: 'Search the questions that the caller received',
        querystring: SearchQuery,
        response: { 200: FoundQuestions, ...errorResponses(400, 401) },
      },
    },
    async ({ world, caller, query }) => search(world, caller, { ...query, seller_id: caller.user_id }),
  )
}
export default searches
