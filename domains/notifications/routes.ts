import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { EVENT_RETENTION_MS } from '../../db/outbox.ts'
import { forbidden } from '../../http/errors/errors.ts'
import { errorResponses, Id, Integer, MAX_ID, Nullable, OneOf, ResponseObject } from '../shared/schemas.ts'
import { TOPICS } from '../shared/topics.ts'
import { LIST_MISSED } from './checks.ts'
import { missedNotifications } from './queries.ts'

const Notifications = { name: 'Notifications', description: 'What applications are told of changes' }

/** What has happened, where the topic says so. */
export const Actions = Type.Optional(
  Type.Array(Type.String(), {
    description: 'What has happened to it; only `messages` and claims have this member',
    examples: [['created']],
  }),
)

/** The body of a notification. */
export const Payload = ResponseObject(
  {
    _id: Type.String({ description: 'The same at every attempt' }),
    resource: Type.String({ description: 'Path of what changed', examples: ['/questions/13000000001'] }),
    user_id: Type.Integer({ description: 'Whose application is told' }),
    topic: OneOf([...TOPICS], { description: 'What it is about', examples: ['questions'] }),
    actions: Actions,
    application_id: Type.Integer({ description: 'Who is told' }),
    attempts: Type.Integer({ description: 'Which attempt this is, from 1' }),
    sent: Type.String({ description: 'When the first attempt was made, UTC' }),
    received: Type.String({ description: 'When it happened, UTC' }),
  },
  { title: 'Notification', description: 'What a receiver gets' },
)
const MissedFeeds = ResponseObject(
  {
    messages: Type.Array(
      ResponseObject({
        ...Payload.properties,
        request: ResponseObject(
          {
            url: Type.String({ description: 'Where it was sent' }),
            headers: Type.Record(Type.String(), Type.String(), { description: 'With which headers' }),
            data: Type.String({ description: 'What was sent' }),
          },
          { description: 'The last attempt' },
        ),
        response: ResponseObject(
          {
            req_time: Type.Integer({ description: 'Real ms that it took' }),
            http_code: Nullable(Type.Integer(), { description: 'Status of the answer; null: there was none' }),
            body: Type.String({ description: 'What was answered' }),
            headers: Type.Record(Type.String(), Type.String(), { description: 'With which headers' }),
          },
          { description: 'What came of it' },
        ),
      }),
      { description: 'The latest first' },
    ),
  },
  { title: 'MissedFeeds', description: 'Notifications that no attempt could deliver' },
)

const notifications: FastifyPluginAsyncTypebox = async (app) => {
  // The second is the older name [spec: notifications.missed.older_name].
  for (const path of ['/missed_feeds', '/myfeeds'])
    app.get(
      path,
      {
        config: { resource: Notifications, access: 'token', checks: LIST_MISSED },
        schema: {
          summary: `List the notifications that could not be delivered${path === '/myfeeds' ? ' (older)' : ''}`,
          description: 'Kept two days by the world’s clock.',
          querystring: Type.Object({
            app_id: Id('The application of the token', 1055337457),
            topic: Type.Optional(OneOf([...TOPICS], { description: 'Only this topic', examples: ['questions'] })),
            limit: Integer(0, 100, 'At most so many', { default: 10 }),
            offset: Type.Integer({
              minimum: 0,
              maximum: MAX_ID,
              default: 0,
              description: 'So many are left out',
              'x-message': 'must be an integer from 0',
            }),
          }),
          response: { 200: MissedFeeds, ...errorResponses(400, 401, 403) },
        },
      },
      async ({ world, caller, query: { app_id, topic = '', limit, offset } }) => {
        if (app_id !== caller.application_id) throw forbidden('notifications.missed.rights')
        const since = world.clock.now() - EVENT_RETENTION_MS
        const rows = await missedNotifications(world.read, { application_id: app_id, topic, since, limit, offset })
        return {
          messages: rows.map(({ data, url, ms, http_code, body, headers }) => ({
            ...JSON.parse(data),
            request: { url, headers: { 'content-type': 'application/json' }, data },
            response: { req_time: ms, http_code, body, headers: JSON.parse(headers) },
          })),
        }
      },
    )
}
export default notifications
