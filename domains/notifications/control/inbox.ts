import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { keepsState, NoContent, viewable } from '../../shared/control_schemas.ts'
import { errorResponses, MAX_ID } from '../../shared/schemas.ts'
import { DEFAULT_ANSWER, MAX_ENTRIES } from '../inbox/inboxes.ts'
import { config, type NotificationControl } from './config.ts'
import { Answer, AnswerBody, InboxList, InboxQuery, present } from './inbox_schemas.ts'

/** The receiver of the target `inbox:`. */
const inbox: FastifyPluginAsyncTypebox<NotificationControl> = async (app, { inboxes }) => {
  app.get(
    '/inbox',
    {
      config: viewable(config),
      schema: {
        summary: 'List the notifications that the inbox has received, latest first',
        description: `With the callback_url \`inbox:\` an application has its notifications stored inside the server, each attempt as one. The server stores the latest ${MAX_ENTRIES} of a world in memory. Reset, restore, undo and load clear the list.`,
        querystring: InboxQuery,
        response: { 200: InboxList, ...errorResponses(400, 404) },
      },
    },
    async ({ world, query: { application_id, topic, before = MAX_ID, limit, offset } }) => {
      const { entries, answer } = inboxes.of(world.generation)
      const found = entries
        .values()
        .filter(
          (entry) =>
            entry.id < before &&
            (application_id === undefined || entry.application_id === application_id) &&
            (topic === undefined || entry.topic === topic),
        )
      return {
        paging: { total: found.length, limit, offset },
        results: found
          .reverse()
          .slice(offset, offset + limit)
          .map(present),
        dropped: entries.dropped,
        answer,
      }
    },
  )

  app.put(
    '/inbox',
    {
      config: keepsState(config),
      schema: {
        summary: 'Set how the inbox answers',
        description: 'From the next attempt on, until a reset, restore, undo or load of the world.',
        body: AnswerBody,
        response: { 200: Answer, ...errorResponses(400, 404, 413) },
      },
    },
    async ({ world, body }) => {
      const { status = DEFAULT_ANSWER.status, ms = DEFAULT_ANSWER.ms } = body
      const answer = { status, ms }
      inboxes.of(world.generation).answer = answer
      return answer
    },
  )

  app.delete(
    '/inbox',
    {
      config: keepsState(config),
      schema: {
        summary: 'Delete the notifications of the inbox',
        description: 'Ids continue.',
        response: { 204: NoContent, ...errorResponses(404) },
      },
    },
    async ({ world }, reply) => {
      inboxes.of(world.generation).entries.clear()
      return reply.code(204).send(null)
    },
  )
}
export default inbox
