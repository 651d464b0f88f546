import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import {
  controlCall,
  keepsState,
  NoContent,
  Page,
  PagingQuery,
  StrictBody,
  viewable,
} from '../../shared/control_schemas.ts'
import { utcMillis } from '../../shared/instants.ts'
import { pageOf } from '../../shared/paging.ts'
import { Instant, Integer, MAX_ID, OneOf, ResponseObject } from '../../shared/schemas.ts'
import { TOPICS } from '../../shared/topics.ts'
import { DEFAULT_ANSWER, type InboxEntry, MAX_ENTRIES } from '../inbox/inboxes.ts'
import { Payload } from '../routes.ts'
import { config, type NotificationControl } from './settings.ts'

/** Longer than any time limit, so that an answer can be late. */
const MAX_ANSWER_MS = 120_000

const ANSWER_FIELDS = {
  status: Integer(200, 599, 'HTTP status; any but 200 is a failed attempt', { examples: [200] }),
  ms: Integer(
    0,
    MAX_ANSWER_MS,
    'Real time before the answer, ms; a time over the limit of the profile is a failed attempt',
    { examples: [0] },
  ),
}
export const Answer = ResponseObject(ANSWER_FIELDS, {
  title: 'InboxAnswer',
  description: 'How the inbox answers from now on',
})

const ReceivedNotification = ResponseObject(
  {
    id: Type.Integer({ description: 'Number since the world was created, reset, restored or loaded', examples: [1] }),
    at: Instant('World time of the attempt', '2026-03-02T12:00:00.000Z'),
    real_at: Instant('Real time of the attempt', '2026-03-02T12:00:00.000Z'),
    application_id: Type.Integer({ description: 'The application that the notification is for' }),
    delivery_id: Type.Integer({ description: 'Number of the delivery' }),
    body: Payload,
    ...ANSWER_FIELDS,
  },
  { title: 'ReceivedNotification', description: 'A notification in the inbox, and how it was answered' },
)

const filter = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_ID, description, 'x-message': 'must be an integer from 1' }))

const InboxQuery = Type.Object({
  application_id: filter('Only for this application'),
  topic: Type.Optional(OneOf([...TOPICS], { description: 'Only of this topic' })),
  before: filter('Only those before the one with this id'),
  ...PagingQuery,
})
export const InboxList = ResponseObject({
  ...Page(ReceivedNotification, 'Notifications').properties,
  dropped: Type.Integer({ description: 'Earlier notifications that are no longer stored' }),
  answer: Answer,
})

export const AnswerBody = StrictBody(
  {
    status: Type.Optional({ ...ANSWER_FIELDS.status, default: DEFAULT_ANSWER.status }),
    ms: Type.Optional({ ...ANSWER_FIELDS.ms, default: DEFAULT_ANSWER.ms }),
  },
  { examples: [{ status: 503, ms: 0 }] },
)

/** Entry → wire. */
export const present = ({
  topic: _,
  at,
  real_at,
  body,
  ...entry
}: InboxEntry): Static<typeof ReceivedNotification> => ({
  ...entry,
  at: utcMillis(at),
  real_at: utcMillis(real_at),
  body: JSON.parse(body),
})

/** The receiver of the target `inbox:`. */
const inbox: FastifyPluginAsyncTypebox<NotificationControl> = async (app, { inboxes }) => {
  app.get(
    '/inbox',
    controlCall(viewable(config), {
      summary: 'List the notifications that the inbox has received, latest first',
      description: `With the callback_url \`inbox:\` an application has its notifications stored inside the server, each attempt as one. The server stores the latest ${MAX_ENTRIES} of a world in memory. Reset, restore, undo and load clear the list.`,
      querystring: InboxQuery,
      answer: InboxList,
    }),
    async ({ world, query: { application_id, topic, before = MAX_ID, ...page } }) => {
      const { entries, answer } = inboxes.of(world.generation)
      const found = entries
        .values()
        .filter(
          (entry) =>
            entry.id < before &&
            (application_id === undefined || entry.application_id === application_id) &&
            (topic === undefined || entry.topic === topic),
        )
      return { ...pageOf(found.reverse(), page, present), dropped: entries.dropped, answer }
    },
  )

  app.put(
    '/inbox',
    controlCall(keepsState(config), {
      summary: 'Set how the inbox answers',
      description: 'From the next attempt on, until a reset, restore, undo or load of the world.',
      body: AnswerBody,
      answer: Answer,
    }),
    async ({ world, body }) => {
      const { status = DEFAULT_ANSWER.status, ms = DEFAULT_ANSWER.ms } = body
      const answer = { status, ms }
      inboxes.of(world.generation).answer = answer
      return answer
    },
  )

  app.delete(
    '/inbox',
    controlCall(keepsState(config), {
      summary: 'Delete the notifications of the inbox',
      description: 'Ids continue.',
      answer: NoContent,
    }),
    async ({ world }, reply) => {
      inboxes.of(world.generation).entries.clear()
      return reply.code(204).send(null)
    },
  )
}
export default inbox
