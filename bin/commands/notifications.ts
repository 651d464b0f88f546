import { InvalidArgumentError } from 'commander'
import { NOTIFICATION_STATUSES } from '../../db/schema/notifications.ts'
import { TOPICS } from '../../db/schema/outbox.ts'
import { PROFILE_NAMES } from '../../domains/notifications/profiles.ts'
import { type Client, path, queryString } from '../client.ts'
import { type Argument, command, oneOf } from '../command.ts'
import { fields, table, visible } from '../output.ts'
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

interface Told extends Delivery {
  tries: { n: number; sent: string; url: string; ms: number; http_code: number | null; error: string | null }[]
}

const NUMBER: Argument = ['<id>', 'number of the delivery', integer(1)]
const one = oneOf(...TOPICS)

export const applicationFlag: Setting = {
  flags: '--application <id>',
  about: 'which is told; the first one of the world without it',
  read: integer(1),
}
export const topicsFlag: Setting = {
  flags: '--topics <names>',
  about: `what it is told of, with commas between: ${TOPICS.join(', ')}; all without it`,
  read: (text) => text.split(',').map(one),
}
export const profileFlag: Setting = {
  flags: '--profile <name>',
  about: 'how it is told; ideal without it',
  choices: PROFILE_NAMES,
}

/** `name=value`; the server says which there are. */
function override(text: string, before: Record<string, unknown> = {}): Record<string, unknown> {
  const [, name, value] = /^(\w+)=(.+)$/.exec(text) ?? []
  try {
    return { ...before, [name!]: JSON.parse(value!) }
  } catch {
    throw new InvalidArgumentError('It must be such as limit_ms=200, in_order=true or attempts_at=[0,1000].')
  }
}
export const overrideFlag: Setting = {
  flags: '--override <name=value>',
  about: 'a number of the profile that differs here, such as limit_ms=200; may stand more than once',
  read: override,
}

/** The application that is meant where none is named: the world's first. */
export const applicationOf = async (client: Client, id?: number): Promise<number> =>
  id ?? (await client.server.call(path`GET /worlds/${client.world}`)).application.id

/** `GET /applications/{id}/notifications`. */
export const settingPath = (method: string, application: number) =>
  `${method} ${path`/applications/${application}/notifications`}`

const showSetting = ({ application_id, numbers, topics_off, ...told }: NotificationSetting) =>
  fields({
    application: application_id,
    callback: told.callback_url,
    topics: told.topics.join(', '),
    ...(topics_off.length > 0 && { 'switched off': topics_off.map(({ topic }) => topic).join(', ') }),
    profile: told.profile,
    ...numbers,
  })

const line = ({ id, received, topic, resource, user_id, status, attempts, next_at }: Delivery) => [
  ...[id, received, topic, resource, user_id, status, attempts, next_at],
]

const HEAD = ['id', 'changed', 'topic', 'resource', 'user', 'status', 'attempts', 'next']

const STEERED = {
  resend: 'Send one once more, now',
  hold: 'Keep one back until it is released',
  release: 'Let one go that was kept back',
  drop: 'Give one up',
}

export const notificationCommands = [
  command<NotificationSetting>({
    words: 'notify set',
    about: 'Tell an application of every change from now on that concerns its users',
    args: [['<address>', 'where notifications are sent, such as http://127.0.0.1:3000/hook']],
    flags: [applicationFlag, topicsFlag, profileFlag, overrideFlag],
    byDefault: true,
    examples: [
      'notify http://127.0.0.1:3000/hook',
      'notify http://127.0.0.1:3000/hook --topics questions,items --profile realistic',
      'notify http://127.0.0.1:3000/hook --profile hostile --override duplicates=1 --override silenced=0',
    ],
    async run({ client, args: [callback_url], flags: { application, topics, profile, override: overrides } }) {
      const asked = { callback_url, topics, profile, overrides }
      return client.call(settingPath('PUT', await applicationOf(client, application)), asked)
    },
    show: showSetting,
  }),
  command({
    words: 'notify off',
    about: 'Tell it nothing more; what was not delivered is dropped',
    flags: [applicationFlag],
    examples: ['notify off'],
    run: async ({ client, flags: { application } }) =>
      client.call(settingPath('DELETE', await applicationOf(client, application))),
    show: () => 'it is told nothing more',
  }),
  command<NotificationSetting>({
    words: 'notify show',
    about: 'How it is told',
    flags: [applicationFlag],
    examples: ['notify show', 'notify show --json'],
    run: async ({ client, flags: { application } }) =>
      client.call(settingPath('GET', await applicationOf(client, application))),
    show: showSetting,
  }),
  command<{ results: Delivery[]; paging: { total: number } }>({
    words: 'deliveries list',
    about: 'Notifications of the world, the latest last',
    flags: [
      { flags: '--status <status>', about: 'only those that stand so', choices: NOTIFICATION_STATUSES },
      { ...applicationFlag, about: 'only those to this application' },
      { flags: '--user <id>', about: 'only those for this user', read: integer(1) },
      { flags: '--topic <name>', about: 'only those about this', choices: TOPICS },
      { flags: '--resource <path>', about: 'only those of this path' },
      { flags: '--limit <n>', about: 'at most so many, the latest', fallback: 50, read: integer(1, 1000) },
      { flags: '--offset <n>', about: 'so many of the latest are left out', fallback: 0, read: integer(0) },
    ],
    byDefault: true,
    examples: ['deliveries', 'deliveries --status missed', 'deliveries --resource /questions/13000000001'],
    async run({ client, flags: { application, user, topic, resource, status, limit, offset } }) {
      const asked = { application_id: application, user_id: user, topic, resource, status, limit, offset }
      const answer = await client.call(`GET /deliveries${queryString(asked)}`)
      return { ...answer, results: answer.results.reverse() }
    },
    show: ({ results }) => table(HEAD, results.map(line)),
  }),
  command<Told>({
    words: 'deliveries show',
    about: 'One with every attempt',
    args: [NUMBER],
    examples: ['deliveries show 17'],
    run: ({ client, args: [id] }) => client.call(path`GET /deliveries/${id}`),
    show: ({ tries, ...delivery }) =>
      [
        fields({ ...delivery }),
        '',
        table(
          ['attempt', 'sent', 'to', 'took', 'answer', 'fault'],
          tries.map(({ n, sent, url, ms, http_code, error }) => [n, sent, url, `${ms} ms`, http_code, error]),
        ),
      ].join('\n'),
  }),
  ...Object.entries(STEERED).map(([verb, about]) =>
    command<Delivery>({
      words: `deliveries ${verb}`,
      about,
      args: [NUMBER],
      examples: [`deliveries ${verb} 17`],
      run: ({ client, args: [id] }) => client.call(`${path`POST /deliveries/${id}`}/${verb}`),
      show: (delivery) => table(HEAD, [line(delivery)]),
    }),
  ),
  command({
    words: 'settle',
    about: 'Wait until nothing is due or on its way; retries that wait for the clock are not waited for',
    examples: ['settle'],
    run: ({ client }) => client.call('POST /settle'),
    show: (_, { client }) => `world ${visible(client.world)} has told what was due`,
  }),
]
