import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Page, PagingQuery, viewable } from '../../domains/shared/control_schemas.ts'
import { errorResponses, ResponseObject } from '../../domains/shared/schemas.ts'
import type { Journals } from '../../http/journal/journals.ts'
import { CallSummary, summarize } from '../requests/verify_schemas.ts'
import { isUnknown, NearStub, nearestStubs, readStubs } from './nearest.ts'
import { config } from './schemas.ts'

const MissedCall = ResponseObject(
  {
    request: CallSummary,
    near: Type.Array(NearStub, { description: 'The stubs that nearly match, the nearest first; at most 3' }),
  },
  { title: 'MissedCall', description: 'A call that was answered with 404 or 405' },
)

/** The calls for which stubs are missing. */
const misses: FastifyPluginAsyncTypebox<{ journals: Journals }> = async (app, { journals }) => {
  app.get(
    '/stubs/misses',
    {
      config: viewable(config),
      schema: {
        summary: 'List calls that neither the API nor a stub has answered',
        description:
          'The recorded calls whose path or method the emulated API does not have, the latest first, each with the stubs that nearly match and what differs.',
        querystring: Type.Object(PagingQuery),
        response: { 200: Page(MissedCall, 'Calls'), ...errorResponses(400, 404) },
      },
    },
    async ({ world, query: { limit, offset } }) => {
      const missed = journals.of(world.generation).requests.values().filter(isUnknown).reverse()
      const stubs = await readStubs(world)
      return {
        paging: { total: missed.length, limit, offset },
        results: missed
          .slice(offset, offset + limit)
          .map((entry) => ({ request: summarize(entry), near: nearestStubs(stubs, entry) })),
      }
    },
  )
}
export default misses
