import { hostname, userInfo } from 'node:os'
import type { WorldInfo } from '../../control/worlds/world_info.ts'
import { realNow } from '../../db/clock.ts'
import {
  type Argument,
  defineCommand,
  type Flags,
  fields,
  integer,
  type Output,
  parseDuration,
  parseInstantFlag,
  path,
  printable,
  type Setting,
  table,
  toIso,
} from '../../domains/shared/commands.ts'
import { formatMegabytes } from '../../lib/cli/progress.ts'
import type { Schemas } from '../../lib/operations.ts'
import { assume, scenario, seed } from '../settings.ts'
import { formatClock } from './clock.ts'

const WORLD_ID: Argument = ['<id>', 'number of the world', integer(1)]
const ASSUME: Setting = { ...assume, description: 'an assumption of the world; may be repeated' }
const NOW: Setting = {
  flags: '--now <instant>',
  description: 'freeze the clock at this ISO 8601 instant',
  parse: parseInstantFlag,
}

/** The address, application and tokens of a world. */
export function formatWorldInfo({ url, world, application, sellers, buyers }: WorldInfo): Output {
  const people = [...sellers.map((one) => ['seller', one] as const), ...buyers.map((one) => ['buyer', one] as const)]
  return [
    fields({
      world: `${world.id}  (${world.mode === 'kept' ? `kept in ${world.data}` : world.mode})`,
      url,
      application: `${application.id}  secret ${application.secret}`,
      redirect_uri: printable(application.redirect_uri),
    }),
    '',
    table(
      ['who', 'id', 'site', 'nickname', 'token'],
      people.map(([who, { id, site_id, nickname, token }]) => [who, id, site_id, nickname, token]),
    ),
  ]
}

type ListedWorld = Schemas['ListedWorld']

const NAME: Setting = { flags: '--name <text>', description: 'name of the world, for the list of worlds' }
const EXPIRES_IN: Setting = {
  flags: '--expires-in <duration>',
  description: 'the server deletes the world after this; default: never',
  parse: parseDuration,
}
/** The person or job that runs this program, for the list of worlds. */
export function creator(): string {
  try {
    return `${userInfo().username}@${hostname()}`.slice(0, 80)
  } catch {
    // The user of a container may have no name.
    return hostname().slice(0, 80)
  }
}

/** The world that flags describe, for `POST /worlds`. */
export const newWorld = ({ scenario, seed, now, assume, expiresIn, name }: Flags, created_by = creator()) => ({
  ...{ scenario, seed, assume, name, created_by, now: toIso(now) },
  expires_in: expiresIn === undefined ? undefined : Math.ceil(expiresIn / 1000),
})

const UNITS: [string, number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
]
/** A span of real time in its largest unit: `3 h`. */
export function formatSpan(ms: number): string {
  const [unit, size] = UNITS.find(([, size]) => ms >= size) ?? ['s', 1000]
  return `${Math.max(0, Math.floor(ms / size))} ${unit}`
}
const since = (instant: string | null) => (instant === null ? '-' : formatSpan(realNow() - Date.parse(instant)))
const until = (instant: string | null) => (instant === null ? 'never' : formatSpan(Date.parse(instant) - realNow()))

export const worldCommands = [
  defineCommand<{ results: ListedWorld[] }>({
    name: 'world list',
    description: 'List the worlds of the server',
    examples: ['world list --json'],
    isDefault: true,
    async run({ client: { server } }) {
      const results = []
      for (;;) {
        const page = await server.call(`GET /worlds?limit=1000&offset=${results.length}`)
        results.push(...page.results)
        if (page.results.length === 0 || results.length >= page.paging.total)
          return { paging: { total: results.length, limit: results.length, offset: 0 }, results }
      }
    },
    format: ({ results }) =>
      table(
        ['id', 'url', 'age', 'size', 'last use', 'expires in', 'created by', 'name', 'world time'],
        results.map(({ id, url, created_at, created_by, expires_at, used_at, bytes, name, clock }) => [
          id,
          url,
          since(created_at),
          formatMegabytes(bytes),
          since(used_at),
          until(expires_at),
          created_by ?? '-',
          name ?? '-',
          clock ? formatClock(clock) : '-',
        ]),
      ),
  }),
  defineCommand<WorldInfo>({
    name: 'world create',
    description: 'Create a world from a scenario, with its own application and tokens',
    flags: [scenario, seed, NOW, ASSUME, EXPIRES_IN, NAME],
    examples: ['world create --scenario empty --expires-in 2h', 'world create --now 2026-03-02T12:00:00Z --json'],
    run: ({ client, flags }) => client.call('POST /worlds', newWorld(flags)),
    format: formatWorldInfo,
  }),
  defineCommand<WorldInfo>({
    name: 'world fork',
    description: 'Create a world as a copy of another',
    args: [['[id]', 'number of the other world; default: the world of --url', integer(1)]],
    flags: [NOW, ASSUME, EXPIRES_IN, NAME],
    examples: ['world fork', 'world fork 2'],
    run: ({ client, args: [from = client.world], flags }) => client.call('POST /worlds', { from, ...newWorld(flags) }),
    format: formatWorldInfo,
  }),
  defineCommand<WorldInfo>({
    name: 'world show',
    description: 'Show the address, the application and the users of a world, with tokens',
    args: [['[id]', 'number of the world; default: the world of --url', integer(1)]],
    examples: ['world show', 'world show 2 --json'],
    run: ({ client, args: [id = client.world] }) => client.server.call(path`GET /worlds/${id}`),
    format: formatWorldInfo,
  }),
  defineCommand<ListedWorld>({
    name: 'world rename',
    description: 'Name a world',
    args: [WORLD_ID, ['[name]', 'the name; default: none']],
    members: { name: '[name]' },
    examples: ['world rename 2 "Checkout tests"'],
    run: ({ client: { server }, args: [id, name = null] }) => server.call(path`PATCH /worlds/${id}`, { name }),
    format: ({ id, name }) => `world ${id} ${name === null ? 'has no name' : `is named ${printable(name)}`}`,
  }),
  defineCommand({
    name: 'world delete',
    description: 'Delete a world with its snapshots',
    args: [WORLD_ID],
    examples: ['world delete 2'],
    run: ({ client: { server }, args: [id] }) => server.call(path`DELETE /worlds/${id}`),
    format: (_, { args: [id] }) => `world ${printable(id)} is deleted`,
  }),
]
