import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import { badRequest, notFound } from '../../../http/errors/control_errors.ts'
import { applicationById } from '../../oauth/queries.ts'
import { controlCall, controlConfig, Page, PagingQuery, StrictBody, viewable } from '../../shared/control_schemas.ts'
import { applicationNotFound } from '../../shared/errors.ts'
import { utcMillis } from '../../shared/instants.ts'
import { pageOf } from '../../shared/paging.ts'
import { Bool, IdInPath, Integer, IntegerFrom, OneOf, ResponseObject, SecretUrl } from '../../shared/schemas.ts'
import { TOPICS } from '../../shared/topics.ts'
import type { Dispatcher } from '../delivery/dispatcher.ts'
import type { Inboxes } from '../inbox/inboxes.ts'
import { InvalidTarget, type NetworkPolicy } from '../outbound/network_policy.ts'
import { MAX_TARGET_LENGTH, parseCallback } from '../outbound/targets.ts'
import {
  listSettings,
  type SettingInput,
  type SettingRow,
  settingOf,
  switchedOffTopics,
  type TopicRow,
} from '../queries.ts'
import { deleteSetting, setSetting } from '../settings/operations.ts'
import { PROFILE_NAMES, profileOf } from '../settings/profiles.ts'

export interface NotificationControl {
  dispatcher: Dispatcher
  inboxes: Inboxes
  networkPolicy: NetworkPolicy
}

export const config = controlConfig('Notifications', 'Notifications of changes, and their delivery')

const Topics = Type.Array(OneOf([...TOPICS]), {
  uniqueItems: true,
  description: 'Topics',
  examples: [[...TOPICS]],
  'x-message': 'must be an array of different topics',
})
const ProfileName = OneOf(PROFILE_NAMES, {
  description:
    'ideal: at once and in order, with 10 s to answer. realistic: 500 ms to answer, as the public service allows. hostile: 500 ms to answer; notifications are late, repeated, out of order or never sent',
  examples: ['ideal'],
})
const CallbackUrl = SecretUrl({
  maxLength: MAX_TARGET_LENGTH,
  description: 'Where notifications are sent: an address, or `inbox:`, which stores them inside the server',
  examples: ['http://127.0.0.1:3000/hook'],
  'x-message': `must be a string of at most ${MAX_TARGET_LENGTH} characters`,
})

const DAY_MS = 24 * 3_600_000
const MAX_ATTEMPTS = 20
const fraction = (description: string) =>
  Type.Number({ minimum: 0, maximum: 1, description, 'x-message': 'must be a number from 0 to 1' })
const OFFSETS_MESSAGE = `must be an array of 1 to ${MAX_ATTEMPTS} integers that begins with 0 and grows, to ${7 * DAY_MS} at most`
const PROFILE_FIELDS = {
  limit_ms: Integer(1, 60_000, 'Time limit for the receiver’s answer 200, real time, ms'),
  attempts_at: Type.Array(Type.Integer({ minimum: 0, maximum: 7 * DAY_MS, 'x-message': OFFSETS_MESSAGE }), {
    minItems: 1,
    maxItems: MAX_ATTEMPTS,
    description: 'World time of each attempt, ms after the first',
    examples: [[0, 15_000, 60_000]],
    'x-message': OFFSETS_MESSAGE,
  }),
  in_order: Bool('Whether notifications of one resource are delivered in order'),
  off_after: Integer(
    0,
    10_000,
    'Number of consecutively missed notifications after which their topic is switched off; 0: never',
  ),
  spread: fraction('Maximum additional delay of a retry, as a share of its interval'),
  jitter_ms: Integer(
    0,
    DAY_MS,
    'Maximum delay of a first attempt, world time, ms; it changes the order of notifications',
  ),
  delayed: fraction('Share of notifications that are delayed further, by up to `delay_ms`'),
  delay_ms: Integer(0, DAY_MS, 'World time, ms'),
  duplicates: fraction('Share of notifications that are sent again after their delivery'),
  silenced: fraction('Share of notifications that are never sent'),
}
const Overrides = Type.Partial(StrictBody(PROFILE_FIELDS), {
  additionalProperties: false,
  description: 'Numbers that override those of the profile',
  examples: [{ limit_ms: 200 }],
  'x-message': 'must be an object',
})

/** A notification setting in a body; `readSetting` reads it. */
export const SETTING_FIELDS = {
  callback_url: CallbackUrl,
  topics: Type.Optional({ ...Topics, description: 'Topics; default: all' }),
  profile: Type.Optional({ ...ProfileName, description: `${ProfileName.description}. Default: ideal` }),
  overrides: Type.Optional(Overrides),
}
const SettingBody = Type.Object(SETTING_FIELDS)

/** The row of a setting in a body. Throws 400; `pathPrefix` is the place of the setting. */
export function readSetting(
  application_id: number,
  { callback_url, topics = [...TOPICS], profile = 'ideal', overrides = {} }: Static<typeof SettingBody>,
  networkPolicy: NetworkPolicy,
  pathPrefix = '',
): SettingInput {
  const { attempts_at = [0] } = overrides
  if (attempts_at.some((at, n) => (n === 0 ? at !== 0 : at <= attempts_at[n - 1]!)))
    throw badRequest(`${pathPrefix}overrides.attempts_at: ${OFFSETS_MESSAGE}`)
  return {
    application_id,
    callback_url: callbackTarget(callback_url, networkPolicy, pathPrefix),
    topics: JSON.stringify(topics),
    profile,
    overrides: JSON.stringify(overrides),
  }
}

/** The setting of a row without members that have their default. */
export function toSettingInput({ callback_url, topics, profile, overrides }: SettingRow) {
  return {
    callback_url,
    ...(topics !== JSON.stringify(TOPICS) && { topics: JSON.parse(topics) }),
    ...(profile !== 'ideal' && { profile }),
    ...(overrides !== '{}' && { overrides: JSON.parse(overrides) }),
  }
}

function callbackTarget(text: string, networkPolicy: NetworkPolicy, pathPrefix: string): string {
  try {
    return parseCallback(text, networkPolicy)
  } catch (error) {
    throw error instanceof InvalidTarget ? badRequest(`${pathPrefix}callback_url: ${error.message}`) : error
  }
}

export const Setting = ResponseObject(
  {
    application_id: Type.Integer({ description: 'The application that receives the notifications' }),
    callback_url: CallbackUrl,
    topics: Topics,
    profile: ProfileName,
    overrides: Overrides,
    numbers: ResponseObject(PROFILE_FIELDS, {
      title: 'ProfileNumbers',
      description: 'Numbers of the profile with the overrides',
    }),
    topics_off: Type.Array(
      ResponseObject(
        {
          topic: OneOf([...TOPICS], { description: 'A topic that is switched off until the setting is written again' }),
          since: Type.String({ description: 'World time' }),
        },
        { title: 'TopicOff', description: 'Too many of its notifications were missed' },
      ),
      { description: 'Topics that were switched off' },
    ),
  },
  { title: 'NotificationSetting', description: 'Notification setting of an application' },
)

export function presentSetting(row: SettingInput, switchedOff: TopicRow[]): Static<typeof Setting> {
  const { application_id, callback_url, topics, profile, overrides } = row
  return {
    application_id,
    callback_url,
    topics: JSON.parse(topics),
    profile: profile as Static<typeof ProfileName>,
    overrides: JSON.parse(overrides),
    numbers: profileOf(row),
    topics_off: switchedOff.map(({ topic, off_at }) => ({
      topic: topic as (typeof TOPICS)[number],
      since: utcMillis(off_at!),
    })),
  }
}

const settingNotFound = (id: unknown) => notFound(`Application with id ${id} has no notification setting`)

const params = Type.Object({
  id: IdInPath('client_id', 1055337457, applicationNotFound),
})

/** To which callback, and how, an application's notifications are sent. */
const settings: FastifyPluginAsyncTypebox<NotificationControl> = async (app, { dispatcher, networkPolicy }) => {
  app.put(
    '/applications/:id/notifications',
    controlCall(config, {
      summary: 'Send notifications to an application',
      description:
        'From now on the application receives every change that concerns a user who has authorized it. A server that listens on loopback sends to loopback only. Switched-off topics are switched on again.',
      params,
      body: StrictBody(SETTING_FIELDS),
      answer: Setting,
    }),
    async ({ world, params: { id }, body }) => {
      if (!(await applicationById(world.read, id))) throw applicationNotFound(id)
      const row = readSetting(id, body, networkPolicy)
      await world.tx((q) => setSetting(q, row))
      dispatcher.wake(world.id)
      return presentSetting(row, [])
    },
  )

  app.delete(
    '/applications/:id/notifications',
    controlCall(config, {
      summary: 'Stop sending notifications to an application',
      description: 'Notifications that have not been delivered are dropped.',
      params,
      answer: Type.Null({ description: 'Stopped' }),
    }),
    async ({ world, params: { id } }, reply) => {
      if (!(await world.tx((q) => deleteSetting(q, id, world.clock.now()))))
        throw (await applicationById(world.read, id)) ? settingNotFound(id) : applicationNotFound(id)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/applications/:id/notifications',
    controlCall(viewable(config), { summary: 'Read how an application is notified', params, answer: Setting }),
    async ({ world, params: { id } }) => {
      const row = await settingOf(world.read, id)
      if (!row) throw (await applicationById(world.read, id)) ? settingNotFound(id) : applicationNotFound(id)
      return presentSetting(row, await switchedOffTopics(world.read, id))
    },
  )

  app.get(
    '/notifications',
    controlCall(viewable(config), {
      summary: 'List how applications are notified, by application',
      querystring: Type.Object({
        application_id: Type.Optional(IntegerFrom(1, 'Only of this application', 1055337457)),
        ...PagingQuery,
      }),
      answer: Page(Setting, 'NotificationSettings'),
    }),
    async ({ world: { read }, query: { application_id, ...page } }) => {
      const all = (await listSettings(read)).filter((row) => [row.application_id, undefined].includes(application_id))
      const { paging, results } = pageOf(all, page, async (row) =>
        presentSetting(row, await switchedOffTopics(read, row.application_id)),
      )
      return { paging, results: await Promise.all(results) }
    },
  )
}

export default settings
