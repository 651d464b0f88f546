import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import { NOTIFICATION_STATUSES } from '../../db/schema/notifications.ts'
import { TOPICS } from '../../db/schema/outbox.ts'
import type { World } from '../../db/world.ts'
import { badRequest, notFound } from '../../plugins/errors.ts'
import type { Dispatcher } from '../notifications/dispatcher.ts'
import { dropSetting, setSetting } from '../notifications/operations.ts'
import { idOf } from '../notifications/present.ts'
import { PROFILE_NAMES } from '../notifications/profiles.ts'
import {
  attemptsOf,
  findNotifications,
  type NotificationRow,
  notificationById,
  type SettingRow,
  settingOf,
} from '../notifications/queries.ts'
import { BadTarget, LONGEST_TARGET, type Reach, readTarget } from '../notifications/targets.ts'
import { arrived } from '../notifications/travel.ts'
import { applicationById } from '../oauth/queries.ts'
import { Answer, failures, MAX_ID, Nullable, OneOf } from '../shared/atoms.ts'
import { utcMillis } from '../shared/instants.ts'
import { applicationNotFound } from './refusals.ts'
import { body, Page, Paged, Sandbox } from './shapes.ts'

const Topics = Type.Array(OneOf([...TOPICS]), {
  uniqueItems: true,
  description: 'What it is told of',
  examples: [[...TOPICS]],
  'x-message': 'must be an array of different topics',
})
const Profile = OneOf(PROFILE_NAMES, {
  description: 'ideal: at once and in order; realistic: half a second to answer, as the public service does it',
  examples: ['ideal'],
})
const Url = Type.String({
  maxLength: LONGEST_TARGET,
  description: 'Where notifications are sent',
  examples: ['http://127.0.0.1:3000/hook'],
  'x-message': `must be a text of at most ${LONGEST_TARGET} characters`,
})
const Setting = Answer(
  { application_id: Type.Integer({ description: 'Who is told' }), callback_url: Url, topics: Topics, profile: Profile },
  { title: 'NotificationSetting', description: 'How an application is told of changes' },
)
type Setting = Static<typeof Setting>

const Moment = (description: string) => Nullable(Type.String(), { description })
const Delivery = {
  id: Type.Integer({ description: 'Number of the delivery' }),
  _id: Type.String({ description: 'What the receiver gets as `_id`, at every attempt' }),
  application_id: Type.Integer({ description: 'Who is told' }),
  user_id: Type.Integer({ description: 'For whom' }),
  topic: OneOf([...TOPICS], { description: 'What it is about' }),
  resource: Type.String({ description: 'Path of what changed' }),
  status: OneOf([...NOTIFICATION_STATUSES], { description: 'How it stands', examples: ['pending'] }),
  attempts: Type.Integer({ description: 'How many were begun' }),
  received: Type.String({ description: 'World time of the change' }),
  next_at: Moment('World time of the next attempt; null where there is none'),
}
const Listed = Answer(Delivery, { title: 'ListedDelivery', description: 'A notification on its way' })
const Attempt = Answer(
  {
    n: Type.Integer({ description: 'From 1' }),
    sent: Type.String({ description: 'World time' }),
    url: Type.String({ description: 'Where it went' }),
    ms: Type.Integer({ description: 'Real time that it took' }),
    http_code: Nullable(Type.Integer(), { description: 'Status of the answer; null: there was none' }),
    body: Type.String({ description: 'What was answered' }),
    error: Nullable(Type.String(), { description: 'What went wrong, for people' }),
  },
  { title: 'DeliveryAttempt', description: 'One try' },
)
const Told = Answer(
  { ...Delivery, tries: Type.Array(Attempt, { description: 'Attempts that are over, in order' }) },
  { title: 'Delivery', description: 'A notification with its attempts' },
)

const presentSetting = ({ application_id, callback_url, topics, profile }: SettingRow): Setting => ({
  application_id,
  callback_url,
  topics: JSON.parse(topics),
  profile: profile as Setting['profile'],
})

const present = (world: World, row: NotificationRow) => ({
  id: row.id,
  _id: idOf(world, row.id),
  application_id: row.application_id,
  user_id: row.user_id,
  topic: row.topic as (typeof TOPICS)[number],
  resource: row.resource,
  status: row.status,
  attempts: row.attempts,
  received: utcMillis(row.received),
  next_at: row.status === 'pending' ? utcMillis(row.next_at) : null,
})

const noSetting = (id: unknown) => notFound(`Application with id ${id} is not notified`)
const noDelivery = (id: unknown) => notFound(`Delivery with id ${id} not found`)
const number = (description: string, refuse: (id: unknown) => Error) =>
  Type.Integer({ minimum: 0, maximum: MAX_ID, description, examples: [1055337457], 'x-refusal': refuse })

const notifications: FastifyPluginAsyncTypebox<{ dispatcher: Dispatcher; reach: Reach }> = async (
  app,
  { dispatcher, reach },
) => {
  const config = Sandbox.notifications
  const params = Type.Object({ id: number('client_id', applicationNotFound) })

  app.put(
    '/applications/:id/notifications',
    {
      config,
      schema: {
        summary: 'Tell an application of changes',
        description:
          'Of every change from now on that concerns a user who has let it in. A server that listens on loopback only sends to loopback only.',
        params,
        body: body({
          callback_url: Url,
          topics: Type.Optional({ ...Topics, description: 'What it is told of; default all' }),
          profile: Type.Optional({ ...Profile, description: `${Profile.description}; default ideal` }),
        }),
        response: { 200: Setting, ...failures(400, 404) },
      },
    },
    async ({ world, params: { id }, body: { callback_url, topics = [...TOPICS], profile = 'ideal' } }) => {
      if (!(await applicationById(world.read, id))) throw applicationNotFound(id)
      const row = {
        application_id: id,
        callback_url: target(callback_url, reach),
        topics: JSON.stringify(topics),
        profile,
        overrides: '{}',
      }
      await world.tx((q) => setSetting(q, row))
      dispatcher.wake(world.id)
      return presentSetting(row)
    },
  )

  app.get(
    '/applications/:id/notifications',
    { config, schema: { summary: 'How an application is told', params, response: { 200: Setting, ...failures(404) } } },
    async ({ world, params: { id } }) => {
      const row = await settingOf(world.read, id)
      if (!row) throw (await applicationById(world.read, id)) ? noSetting(id) : applicationNotFound(id)
      return presentSetting(row)
    },
  )

  app.delete(
    '/applications/:id/notifications',
    {
      config,
      schema: {
        summary: 'Tell an application nothing more',
        description: 'What was not delivered is dropped.',
        params,
        response: { 204: Type.Null({ description: 'It is done' }), ...failures(404) },
      },
    },
    async ({ world, params: { id } }, reply) => {
      if (!(await world.tx((q) => dropSetting(q, id, world.clock.now()))))
        throw (await applicationById(world.read, id)) ? noSetting(id) : applicationNotFound(id)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/settle',
    {
      config,
      schema: {
        summary: 'Wait until nothing is due or on its way',
        description:
          'And until the clock is where it was sent. Retries wait for the world’s clock: those that are not due yet are not waited for.',
        response: { 204: Type.Null({ description: 'All that could be delivered has been tried' }), ...failures(404) },
      },
    },
    async ({ world }, reply) => {
      await arrived(world)
      await dispatcher.settled(world.id)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/deliveries',
    {
      config,
      schema: {
        summary: 'Notifications of the world, the latest first',
        querystring: Type.Object({
          application_id: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: MAX_ID,
              description: 'Only to this application',
              'x-message': 'must be an integer from 1',
            }),
          ),
          status: Type.Optional(OneOf([...NOTIFICATION_STATUSES], { description: 'Only those that stand so' })),
          ...Paged,
        }),
        response: { 200: Page(Listed, 'Notifications'), ...failures(400, 404) },
      },
    },
    async ({ world, query: { application_id = 0, status = '', limit, offset } }) => {
      const { total, rows } = await findNotifications(world.read, { application_id, status, limit, offset })
      return { paging: { total, limit, offset }, results: rows.map((row) => present(world, row)) }
    },
  )

  app.get(
    '/deliveries/:id',
    {
      config,
      schema: {
        summary: 'A notification with every attempt',
        params: Type.Object({ id: number('Number of the delivery', noDelivery) }),
        response: { 200: Told, ...failures(404) },
      },
    },
    async ({ world, params: { id } }) => {
      const row = await notificationById(world.read, id)
      if (!row) throw noDelivery(id)
      const tries = (await attemptsOf(world.read, id)).map(({ n, sent, url, ms, http_code, body, error }) => ({
        n,
        sent: utcMillis(sent),
        url,
        ms,
        http_code,
        body,
        error,
      }))
      return { ...present(world, row), tries }
    },
  )
}
export default notifications

function target(text: string, reach: Reach): string {
  try {
    return readTarget(text, reach).href
  } catch (error) {
    throw error instanceof BadTarget ? badRequest(`callback_url: ${error.message}`) : error
  }
}
