import type { Static } from '@sinclair/typebox'
import {
  type Argument,
  type Client,
  type CommandSet,
  defineCommand,
  fields,
  InvalidValue,
  integer,
  oneOf,
  parseDuration,
  parseUser,
  path,
  printable,
  type Setting,
  table,
} from '../shared/commands.ts'
import { TOPICS } from '../shared/topics.ts'
import type { Answer, InboxList } from './control/inbox.ts'
import type { Setting as NotificationSettingSchema } from './control/settings.ts'
import { type Delivery, type DeliveryWithAttempts, formatDelivery } from './delivery_output.ts'
import { PROFILE_NAMES } from './settings/profiles.ts'
import { NOTIFICATION_STATUSES } from './tables.ts'

/** The notification setting of an application. */
export type NotificationSetting = Static<typeof NotificationSettingSchema>

const DELIVERY_ID: Argument = ['<id>', 'number of the delivery', integer(1)]
const parseTopic = oneOf(...TOPICS)

export const applicationFlag: Setting = {
  flags: '--application <id>',
  description: 'the application; default: the first one of the world',
  parse: integer(1),
}
export const topicsFlag: Setting = {
  flags: '--topics <names>',
  description: `topics, separated by commas: ${TOPICS.join(', ')}; default: all`,
  parse: (text) => text.split(',').map(parseTopic),
}
export const profileFlag: Setting = {
  flags: '--profile <name>',
  description: 'how notifications are delivered; ideal, the default, gives receivers 10 s to answer, the others 500 ms',
  choices: PROFILE_NAMES,
}

/** `name=value`; the server checks the names. */
function parseOverride(text: string, previous: Record<string, unknown> = {}): Record<string, unknown> {
  const [, name, value] = /^(\w+)=(.+)$/.exec(text) ?? []
  try {
    return { ...previous, [name!]: JSON.parse(value!) }
  } catch {
    throw new InvalidValue('It must be such as limit_ms=200, in_order=true or attempts_at=[0,1000].')
  }
}
export const overrideFlag: Setting = {
  flags: '--override <name=value>',
  description: 'changes a number of the profile, such as limit_ms=200; may be repeated',
  parse: parseOverride,
}

/** The id, or that of the first application of the world. */
export const resolveApplication = async (client: Client, id?: number): Promise<number> =>
  id ?? (await client.server.call(path`GET /worlds/${client.world}`)).application.id

/** The endpoint `<method> /applications/{id}/notifications`. */
export const settingPath = (method: string, application: number) =>
  `${method} ${path`/applications/${application}/notifications`}`

const formatSetting = ({ application_id, numbers, topics_off, ...setting }: NotificationSetting) =>
  fields({
    application: application_id,
    callback: setting.callback_url,
    topics: setting.topics.join(', '),
    ...(topics_off.length > 0 && { 'switched off': topics_off.map(({ topic }) => topic).join(', ') }),
    profile: setting.profile,
    ...numbers,
  })

const toRow = ({ id, received, topic, resource, user_id, status, attempts, next_at }: Delivery) => [
  ...[id, received, topic, resource, user_id, status, attempts, next_at],
]

const COLUMNS = ['id', 'changed', 'topic', 'resource', 'user', 'status', 'attempts', 'next']

const formatAnswer = ({ status, ms }: Static<typeof Answer>) => `the inbox answers ${status} after ${ms} ms`

const DELIVERY_ACTIONS = {
  resend: 'Send a notification again, now',
  hold: 'Hold a notification until it is released',
  release: 'Release a held notification',
  drop: 'Drop a notification',
}

const commands = [
  defineCommand<NotificationSetting>({
    name: 'webhooks set',
    description: 'Send notifications of every change that concerns the users of an application',
    args: [['<address>', 'URL that receives notifications, such as http://127.0.0.1:3000/hook; inbox: stores them']],
    flags: [applicationFlag, topicsFlag, profileFlag, overrideFlag],
    members: { callback_url: '<address>', overrides: '--override' },
    impliedBy: /:/,
    examples: [
      'webhooks http://127.0.0.1:3000/hook',
      'webhooks inbox:',
      'webhooks http://127.0.0.1:3000/hook --topics questions,items --profile realistic',
      'webhooks http://127.0.0.1:3000/hook --profile hostile --override duplicates=1 --override silenced=0',
    ],
    async run({ client, args: [callback_url], flags: { application, topics, profile, override: overrides } }) {
      const setting = { callback_url, topics, profile, overrides }
      return client.call(settingPath('PUT', await resolveApplication(client, application)), setting)
    },
    format: formatSetting,
  }),
  defineCommand({
    name: 'webhooks off',
    description: 'Stop notifications of an application; undelivered ones are dropped',
    flags: [applicationFlag],
    examples: ['webhooks off'],
    run: async ({ client, flags: { application } }) =>
      client.call(settingPath('DELETE', await resolveApplication(client, application))),
    format: () => 'notifications are off',
  }),
  defineCommand<NotificationSetting>({
    name: 'webhooks setting',
    description: 'Show the notification setting of an application',
    flags: [applicationFlag],
    examples: ['webhooks setting', 'webhooks setting --json'],
    run: async ({ client, flags: { application } }) =>
      client.call(settingPath('GET', await resolveApplication(client, application))),
    format: formatSetting,
  }),
  defineCommand<{ results: Delivery[]; paging: { total: number } }>({
    name: 'webhooks list',
    description: 'List notifications of the world, latest last',
    flags: [
      { flags: '--status <status>', description: 'only those with this status', choices: NOTIFICATION_STATUSES },
      { ...applicationFlag, description: 'only those to this application' },
      { flags: '--user <user>', description: 'only those for this user', parse: parseUser },
      { flags: '--topic <name>', description: 'only those of this topic', choices: TOPICS },
      { flags: '--resource <path>', description: 'only those of this resource' },
      { flags: '--search <text>', description: 'only those with this text in resource, address, answer or error' },
      { flags: '--before <id>', description: 'only those before the one with this id', parse: integer(1) },
      { flags: '--limit <n>', description: 'at most this many, the latest', defaultValue: 50, parse: integer(1, 1000) },
      { flags: '--offset <n>', description: 'skip this many of the latest', defaultValue: 0, parse: integer(0) },
    ],
    isDefault: true,
    examples: ['webhooks list', 'webhooks list --status missed', 'webhooks list --resource /questions/13000000001'],
    members: { q: '--search' },
    async run({ client, flags: { application: application_id, user: user_id, search: q, ...flags } }) {
      const { topic, resource, status, before, limit, offset } = flags
      const filter = { application_id, user_id, topic, resource, status, q, before, limit, offset }
      const answer = await client.get('/deliveries', filter)
      return { ...answer, results: answer.results.reverse() }
    },
    format: ({ results }) => table(COLUMNS, results.map(toRow)),
  }),
  defineCommand<DeliveryWithAttempts>({
    name: 'webhooks show',
    description: 'Show a notification, what it waits for, and what each attempt has sent',
    args: [DELIVERY_ID],
    examples: ['webhooks show 17'],
    run: ({ client, args: [id] }) => client.call(path`GET /deliveries/${id}`),
    format: formatDelivery,
  }),
  ...Object.entries(DELIVERY_ACTIONS).map(([verb, description]) =>
    defineCommand<Delivery>({
      name: `webhooks ${verb}`,
      description,
      args: [DELIVERY_ID],
      examples: [`webhooks list ${verb} 17`],
      run: ({ client, args: [id] }) => client.call(`${path`POST /deliveries/${id}`}/${verb}`),
      format: (delivery) => table(COLUMNS, [toRow(delivery)]),
    }),
  ),
  defineCommand<Static<typeof InboxList>>({
    name: 'webhooks inbox',
    description: 'List the notifications that the server has received itself, latest last',
    flags: [
      { ...applicationFlag, description: 'only those for this application' },
      { flags: '--topic <name>', description: 'only those of this topic', choices: TOPICS },
      { flags: '--limit <n>', description: 'at most this many, the latest', defaultValue: 50, parse: integer(1, 1000) },
      { flags: '--before <id>', description: 'only those before the one with this id', parse: integer(1) },
    ],
    examples: ['webhooks inbox', 'webhooks inbox --topic questions'],
    async run({ client, flags: { application: application_id, topic, limit, before } }) {
      const answer = await client.get('/inbox', { application_id, topic, limit, before })
      return { ...answer, results: answer.results.reverse() }
    },
    format: ({ results, answer }) => [
      table(
        ['id', 'at', 'delivery', 'attempt', 'topic', 'resource', 'user', 'answer'],
        results.map(({ id, at, delivery_id, body, status, ms }) => [
          ...[id, at, delivery_id, body.attempts, body.topic, body.resource, body.user_id],
          `${status} after ${ms} ms`,
        ]),
      ),
      formatAnswer(answer),
    ],
  }),
  defineCommand<Static<typeof Answer>>({
    name: 'webhooks inbox-answer',
    description: 'Set how the inbox answers from now on; without flags 200 at once',
    flags: [
      {
        flags: '--status <code>',
        description: 'HTTP status; any but 200 is a failed attempt',
        parse: integer(200, 599),
      },
      { flags: '--after <duration>', description: 'time before the answer', parse: parseDuration },
    ],
    members: { ms: '--after' },
    examples: ['webhooks inbox-answer --status 503', 'webhooks inbox-answer --after 2s', 'webhooks inbox-answer'],
    run: ({ client, flags: { status, after: ms } }) => client.call('PUT /inbox', { status, ms }),
    format: formatAnswer,
  }),
  defineCommand({
    name: 'webhooks inbox-clear',
    description: 'Delete the notifications of the inbox',
    examples: ['webhooks inbox-clear'],
    run: ({ client }) => client.call('DELETE /inbox'),
    format: () => 'the inbox is empty',
  }),
  defineCommand({
    name: 'webhooks settle',
    description: 'Wait until no notification is due or in flight; does not wait for retries that are due later',
    examples: ['webhooks settle'],
    run: ({ client }) => client.call('POST /settle'),
    format: (_, { client }) => `world ${printable(client.world)}: nothing is due or in flight`,
  }),
]

export default {
  parents: { webhooks: 'Notifications to your program: set, list, resend, settle them' },
  commands,
} satisfies CommandSet
