import type { WorldInfo } from '../../control/worlds/world_info.ts'
import {
  type Argument,
  defineCommand,
  fields,
  integer,
  type Output,
  parseInstantFlag,
  path,
  printable,
  type Setting,
  table,
  toIso,
} from '../../domains/shared/commands.ts'
import { SCENARIOS } from '../../scenarios/names.ts'
import { assume } from '../settings.ts'

const WORLD_ID: Argument = ['<id>', 'number of the world', integer(1)]
const ASSUME: Setting = { ...assume, description: 'an assumption of the world; may be repeated' }
const NOW: Setting = {
  flags: '--now <instant>',
  description: 'freeze the clock at this ISO 8601 instant',
  parse: parseInstantFlag,
}
const SEED: Setting = {
  flags: '--seed <number>',
  description: 'generates other data of the same kind',
  parse: integer(0),
}
const SCENARIO: Setting = {
  flags: '--scenario <name>',
  description: 'content of the world',
  defaultValue: 'demo',
  choices: SCENARIOS,
}

/** The address, application and tokens of a world. */
export function formatWorldInfo({ url, world, application, sellers, buyers }: WorldInfo): Output {
  const people = [...sellers.map((one) => ['seller', one] as const), ...buyers.map((one) => ['buyer', one] as const)]
  return [
    fields({
      world: `${world.id}  (${world.mode === 'kept' ? `kept in ${world.data}` : 'temporary'})`,
      url,
      application: `${application.id}  secret ${application.secret}`,
    }),
    '',
    table(
      ['who', 'id', 'site', 'nickname', 'token'],
      people.map(([who, { id, site_id, nickname, token }]) => [who, id, site_id, nickname, token]),
    ),
  ]
}

export const worldCommands = [
  defineCommand<{ results: { id: number; url: string }[]; paging: { total: number } }>({
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
        ['id', 'url'],
        results.map(({ id, url }) => [id, url]),
      ),
  }),
  defineCommand<WorldInfo>({
    name: 'world create',
    description: 'Create a world from a scenario, with its own application and tokens',
    flags: [SCENARIO, SEED, NOW, ASSUME],
    examples: ['world create --scenario empty', 'world create --now 2026-03-02T12:00:00Z --json'],
    run: ({ client: { server }, flags: { scenario, seed, now, assume } }) =>
      server.call('POST /worlds', { scenario, seed, assume, now: toIso(now) }),
    format: formatWorldInfo,
  }),
  defineCommand<WorldInfo>({
    name: 'world fork',
    description: 'Create a world as a copy of another',
    args: [['[id]', 'number of the other world; default: the world of --url', integer(1)]],
    flags: [NOW, ASSUME],
    examples: ['world fork', 'world fork 2'],
    run: ({ client, args: [from = client.world], flags: { now, assume } }) =>
      client.server.call('POST /worlds', { from, assume, now: toIso(now) }),
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
  defineCommand({
    name: 'world delete',
    description: 'Delete a world with its snapshots',
    args: [WORLD_ID],
    examples: ['world delete 2'],
    run: ({ client: { server }, args: [id] }) => server.call(path`DELETE /worlds/${id}`),
    format: (_, { args: [id] }) => `world ${printable(id)} is deleted`,
  }),
]
