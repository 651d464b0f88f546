import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { config } from '../../domains/notifications/control/settings.ts'
import { presentEvent } from '../../domains/notifications/feed/messages.ts'
import { listEvents } from '../../domains/notifications/feed/queries.ts'
import { Actions } from '../../domains/notifications/routes.ts'
import { BeforeId, CursorPage, controlCall, PagingQuery, viewable } from '../../domains/shared/control_schemas.ts'
import { Instant, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'
import { TOPICS } from '../../domains/shared/topics.ts'
import { Cause, ChangeFilter, RealTime } from '../deliveries/schemas.ts'

const Fact = ResponseObject(
  {
    id: Type.Integer({ description: 'Its number, as in the stream of events', examples: [41] }),
    topic: OneOf([...TOPICS], { description: 'Topic' }),
    resource: Type.String({ description: 'Path of the changed resource', examples: ['/questions/13000000001'] }),
    actions: Actions,
    users: Type.Array(Type.Integer(), { description: 'The users concerned' }),
    at: Instant('World time', '2026-03-02T12:00:00.000Z'),
    real_at: RealTime,
    cause: Cause,
  },
  { title: 'Fact', description: 'A published change' },
)

/** The published changes, whether or not an application was notified. */
const facts: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/facts',
    controlCall(viewable(config), {
      summary: 'List the published changes, latest first',
      description:
        'The facts of the stream of events. They are stored for two days of the world’s time, at most the last 100,000.',
      querystring: Type.Object({
        ...ChangeFilter,
        before: BeforeId,
        ...PagingQuery,
      }),
      answer: CursorPage(Fact, 'Facts'),
    }),
    async ({ world, query: { before: cursor, limit, offset, ...filter } }) => {
      const { total, rows, next } = await listEvents(world.read, filter, { cursor, limit, offset })
      return {
        paging: { total, limit, offset, next_before: next },
        results: rows.map((row) => presentEvent(world, row)),
      }
    },
  )
}
export default facts
