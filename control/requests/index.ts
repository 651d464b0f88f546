import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { NoContent, Page, PagingQuery, viewable } from '../../domains/shared/control_schemas.ts'
import { errorResponses, MAX_ID, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'
import type { Journals } from '../../http/journals.ts'
import { config } from './config.ts'
import { DroppedCount, matchesFilter, presentRequest, RecordedRequest, RequestFilter } from './schemas.ts'

const integer = (description: string, example: number, message: string, maximum = MAX_ID) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum, description, examples: [example], 'x-message': message }))

const Filters = Type.Object({
  ...RequestFilter,
  status: integer(
    'Only calls answered with this status; 0: without an answer',
    503,
    'must be an HTTP status, or 0 for no answer',
    599,
  ),
  user: integer('Only calls with a token of this user', 2500000101, 'must be a user identifier'),
  since: integer('Only requests after the one with this id', 17, 'must be the id of a request'),
  order: OneOf(['asc', 'desc'], { default: 'asc', description: 'asc: oldest first', examples: ['desc'] }),
  ...PagingQuery,
})

/** The recorded requests. */
const requests: FastifyPluginAsyncTypebox<{ journals: Journals }> = async (app, { journals }) => {
  app.get(
    '/requests',
    {
      config: viewable(config),
      schema: {
        summary: 'List recorded calls with their answers',
        description:
          'Lists the HTTP calls of the world’s emulated API, with or without an answer. The server stores the latest 1000 in memory, at most 4 MiB for each world and 64 MiB for all worlds. Reset, restore and load clear the list. Tokens, secrets, codes and passwords are replaced by `***`.',
        querystring: Filters,
        response: {
          200: ResponseObject({ ...Page(RecordedRequest, 'Requests').properties, dropped: DroppedCount }),
          ...errorResponses(400, 404),
        },
      },
    },
    async ({ world, query }) => {
      const { limit, offset, order, status, user, since = 0 } = query
      const journal = journals.of(world.generation)
      const found = journal
        .entries()
        .filter(
          (entry) =>
            entry.id > since &&
            (status === undefined || (entry.status ?? 0) === status) &&
            (user === undefined || entry.user_id === user) &&
            matchesFilter(query, entry),
        )
      if (order === 'desc') found.reverse()
      return {
        paging: { total: found.length, limit, offset },
        results: found.slice(offset, offset + limit).map(presentRequest),
        dropped: journal.dropped,
      }
    },
  )

  app.delete(
    '/requests',
    {
      config,
      schema: {
        summary: 'Delete the recorded calls',
        description: 'Ids continue.',
        response: { 204: NoContent, ...errorResponses(404) },
      },
    },
    async ({ world }, reply) => {
      journals.of(world.generation).clear()
      return reply.code(204).send(null)
    },
  )
}
export default requests
