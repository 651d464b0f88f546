import { InvalidArgumentError } from 'commander'
import { PROFILE_NAMES } from '../../domains/notifications/profiles.ts'
import { NOTIFICATION_STATUSES } from '../../domains/notifications/tables.ts'
import { TOPICS } from '../../domains/shared/topics.ts'
import { type Client, path, queryString } from '../client.ts'
import { type Argument, defineCommand, oneOf } from '../command.ts'
import { fields, printable, table } from '../output.ts'
import { integer, type Setting } from '../settings.ts'

/** How an application is told. */
export interface NotificationSetting {
  application_id: number
  callback_url: string
  topics: string[]
  profile: string
  /** Numbers of the profile that differ here. */
  overrides: Record<string, unknown>
  /** What the profile comes to with them. */
  numbers: { limit_ms: number }
  topics_off: { topic: string; since: string }[]
}

interface Delivery {
  id: number
  _id: string
  application_id: number
  user_id: number
  topic: string
  resource: string
  status: string
  attempts: number
  received: string
  next_at: string | null
}

interface DeliveryWithAttempts extends Delivery {
  tries: { n: number; sent: string; url: string; ms: number; http_code: number | null; error: string | null }[]
}

const DELIVERY_ID: Argument = ['<id>', 'number of the delivery', integer(1)]
const parseTopic = oneOf(...TOPICS)

export const applicationFlag: Setting = {
  flags: '--application <id>',
  description: 'which is told; the first one of the world without it',
  parse: integer(1),
}
export const topicsFlag: Setting = {
  flags: '--topics <names>',
  description: `what it is told of, with commas between: ${TOPICS.join(', ')}; all without it`,
  parse: (text) => text.split(',').map(parseTopic),
}
export const profileFlag: Setting = {
  flags: '--profile <name>',
  description: 'how it is told; ideal without it',
  choices: PROFILE_NAMES,
}

/** `name=value`; the server says which there are. */
function parseOverride(text: string, previous: Record<string, unknown> = {}): Record<string, unknown> {
  const [, name, value] = /^(\w+)=(.+)$/.exec(text) ?? []
  try {
    return { ...previous, [name!]: JSON.parse(value!) }
  } catch {
    throw new InvalidArgumentError('It must be such as limit_ms=200, in_order=true or attempts_at=[0,1000].')
  }
}
export const overrideFlag: Setting = {
  flags: '--override <name=value>',
  description: 'a number of the profile that differs here, such as limit_ms=200; may stand more than once',
  parse: parseOverride,
}

/** The application that is meant where none is named: the world's first. */
export const resolveApplication = async (client: Client, id?: number): Promise<number> =>
  id ?? (await client.server.call(path`GET /worlds/${client.world}`)).application.id

/** `GET /applications/{id}/notifications`. */
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

const DELIVERY_ACTIONS = {
  resend: 'Send one once more, now',
  hold: 'Keep one back until it is released',
  release: 'Let one go that was kept back',
  drop: 'Give one up',
}

export const notificationCommands = [
  defineCommand<NotificationSetting>({
    name: 'notify set',
    description: 'Tell an application of every change from now on that concerns its users',
    args: [['<address>', 'where notifications are sent, such as http://127.0.0.1:3000/hook']],
    flags: [applicationFlag, topicsFlag, profileFlag, overrideFlag],
    isDefault: true,
    examples: [
      'notify http://127.0.0.1:3000/hook',
      'notify http://127.0.0.1:3000/hook --topics questions,items --profile realistic',
      'notify http://127.0.0.1:3000/hook --profile hostile --override duplicates=1 --override silenced=0',
    ],
    async run({ client, args: [callback_url], flags: { application, topics, profile, override: overrides } }) {
      const setting = { callback_url, topics, profile, overrides }
      return client.call(settingPath('PUT', await resolveApplication(client, application)), setting)
    },
    format: formatSetting,
  }),
  defineCommand({
    name: 'notify off',
    description: 'Tell it nothing more; what was not delivered is dropped',
    flags: [applicationFlag],
    examples: ['notify off'],
    run: async ({ client, flags: { application } }) =>
      client.call(settingPath('DELETE', await resolveApplication(client, application))),
    format: () => 'it is told nothing more',
  }),
  defineCommand<NotificationSetting>({
    name: 'notify show',
    description: 'How it is told',
    flags: [applicationFlag],
    examples: ['notify show', 'notify show --json'],
    run: async ({ client, flags: { application } }) =>
      client.call(settingPath('GET', await resolveApplication(client, application))),
    format: formatSetting,
  }),
  defineCommand<{ results: Delivery[]; paging: { total: number } }>({
    name: 'deliveries list',
    description: 'Notifications of the world, the latest last',
    flags: [
      { flags: '--status <status>', description: 'only those that stand so', choices: NOTIFICATION_STATUSES },
      { ...applicationFlag, description: 'only those to this application' },
      { flags: '--user <id>', description: 'only those for this user', parse: integer(1) },
      { flags: '--topic <name>', description: 'only those about this', choices: TOPICS },
      { flags: '--resource <path>', description: 'only those of this path' },
      { flags: '--limit <n>', description: 'at most so many, the latest', defaultValue: 50, parse: integer(1, 1000) },
      { flags: '--offset <n>', description: 'so many of the latest are left out', defaultValue: 0, parse: integer(0) },
    ],
    isDefault: true,
    examples: ['deliveries', 'deliveries --status missed', 'deliveries --resource /questions/13000000001'],
    async run({ client, flags: { application, user, topic, resource, status, limit, offset } }) {
      const filter = { application_id: application, user_id: user, topic, resource, status, limit, offset }
      const answer = await client.call(`GET /deliveries${queryString(filter)}`)
      return { ...answer, results: answer.results.reverse() }
    },
    format: ({ results }) => table(COLUMNS, results.map(toRow)),
  }),
  defineCommand<DeliveryWithAttempts>({
    name: 'deliveries show',
    description: 'One with every attempt',
    args: [DELIVERY_ID],
    examples: ['deliveries show 17'],
    run: ({ client, args: [id] }) => client.call(path`GET /deliveries/${id}`),
    format: ({ tries, ...delivery }) =>
      [
        fields({ ...delivery }),
        '',
        table(
          ['attempt', 'sent', 'to', 'took', 'answer', 'fault'],
          tries.map(({ n, sent, url, ms, http_code, error }) => [n, sent, url, `${ms} ms`, http_code, error]),
        ),
      ].join('\n'),
  }),
  ...Object.entries(DELIVERY_ACTIONS).map(([verb, description]) =>
    defineCommand<Delivery>({
      name: `deliveries ${verb}`,
      description,
      args: [DELIVERY_ID],
      examples: [`deliveries ${verb} 17`],
      run: ({ client, args: [id] }) => client.call(`${path`POST /deliveries/${id}`}/${verb}`),
      format: (delivery) => table(COLUMNS, [toRow(delivery)]),
    }),
  ),
  defineCommand({
    name: 'settle',
    description: 'Wait until nothing is due or on its way; retries that wait for the clock are not waited for',
    examples: ['settle'],
    run: ({ client }) => client.call('POST /settle'),
    format: (_, { client }) => `world ${printable(client.world)} has told what was due`,
  }),
]
