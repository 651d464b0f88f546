import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import { TOPICS } from '../../db/schema/outbox.ts'
import { badRequest, notFound } from '../../plugins/errors.ts'
import type { Dispatcher } from '../notifications/dispatcher.ts'
import { dropSetting, setSetting } from '../notifications/operations.ts'
import { PROFILE_NAMES } from '../notifications/profiles.ts'
import { type SettingRow, settingOf } from '../notifications/queries.ts'
import { BadTarget, LONGEST_TARGET, type Reach, readTarget } from '../notifications/targets.ts'
import { arrived } from '../notifications/travel.ts'
import { applicationById } from '../oauth/queries.ts'
import { Answer, failures, MAX_ID, OneOf } from '../shared/atoms.ts'
import { applicationNotFound } from './refusals.ts'
import { body, Sandbox } from './shapes.ts'

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

const presentSetting = ({ application_id, callback_url, topics, profile }: SettingRow): Setting => ({
  application_id,
  callback_url,
  topics: JSON.parse(topics),
  profile: profile as Setting['profile'],
})

const noSetting = (id: unknown) => notFound(`Application with id ${id} is not notified`)

const notifications: FastifyPluginAsyncTypebox<{ dispatcher: Dispatcher; reach: Reach }> = async (
  app,
  { dispatcher, reach },
) => {
  const config = Sandbox.notifications
  const params = Type.Object({
    id: Type.Integer({
      minimum: 0,
      maximum: MAX_ID,
      description: 'client_id',
      examples: [1055337457],
      'x-refusal': applicationNotFound,
    }),
  })

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
}
export default notifications

function target(text: string, reach: Reach): string {
  try {
    return readTarget(text, reach).href
  } catch (error) {
    throw error instanceof BadTarget ? badRequest(`callback_url: ${error.message}`) : error
  }
}
