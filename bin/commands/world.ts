import type { WorldInfo } from '../../control/worlds/world_info.ts'
import { SCENARIOS } from '../../scenarios/names.ts'
import { path } from '../client.ts'
import { type Argument, defineCommand } from '../command.ts'
import { fields, printable, table } from '../output.ts'
import { assume, integer, parseInstantFlag, type Setting, toIso } from '../settings.ts'

const WORLD_ID: Argument = ['<id>', 'number of the world', integer(1)]
const ASSUME: Setting = { ...assume, description: 'what it assumes; may stand more than once' }
const NOW: Setting = {
  flags: '--now <instant>',
  description: 'freeze its clock at this ISO 8601 instant',
  parse: parseInstantFlag,
}
const SEED: Setting = { flags: '--seed <number>', description: 'another world of the same kind', parse: integer(0) }
const SCENARIO: Setting = {
  flags: '--scenario <name>',
  description: 'what it holds',
  defaultValue: 'demo',
  choices: SCENARIOS,
}

/** All that a program needs to begin with a world, for a person. */
export function formatWorldInfo({ url, world, application, sellers, buyers }: WorldInfo): string {
  const people = [...sellers.map((one) => ['seller', one] as const), ...buyers.map((one) => ['buyer', one] as const)]
  return `${fields({
    world: `${world.id}  (${world.mode === 'kept' ? `kept in ${world.data}` : 'temporary'})`,
    url,
    application: `${application.id}  secret ${application.secret}`,
  })}

${table(
  ['who', 'id', 'site', 'nickname', 'token'],
  people.map(([who, { id, site_id, nickname, token }]) => [who, id, site_id, nickname, token]),
)}`
}

export const worldCommands = [
  defineCommand<{ results: { id: number; url: string }[]; paging: { total: number } }>({
    name: 'world list',
    description: 'All worlds of the server',
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
    description: 'Make a world of a scenario, with its own application and tokens',
    flags: [SCENARIO, SEED, NOW, ASSUME],
    examples: ['world create --scenario empty', 'world create --now 2026-03-02T12:00:00Z --json'],
    run: ({ client: { server }, flags: { scenario, seed, now, assume } }) =>
      server.call('POST /worlds', { scenario, seed, assume, now: toIso(now) }),
    format: formatWorldInfo,
  }),
  defineCommand<WorldInfo>({
    name: 'world fork',
    description: 'Make a world that begins as another stands now',
    args: [['[id]', 'number of the other; without it the one that --url names', integer(1)]],
    flags: [NOW, ASSUME],
    examples: ['world fork', 'world fork 2'],
    run: ({ client, args: [from = client.world], flags: { now, assume } }) =>
      client.server.call('POST /worlds', { from, assume, now: toIso(now) }),
    format: formatWorldInfo,
  }),
  defineCommand<WorldInfo>({
    name: 'world show',
    description: 'A world’s address, application and people with their tokens',
    args: [['[id]', 'number of the world; without it the one that --url names', integer(1)]],
    examples: ['world show', 'world show 2 --json'],
    run: ({ client, args: [id = client.world] }) => client.server.call(path`GET /worlds/${id}`),
    format: formatWorldInfo,
  }),
  defineCommand({
    name: 'world delete',
    description: 'End a world and all that is kept of it',
    args: [WORLD_ID],
    examples: ['world delete 2'],
    run: ({ client: { server }, args: [id] }) => server.call(path`DELETE /worlds/${id}`),
    format: (_, { args: [id] }) => `world ${printable(id)} is gone`,
  }),
]
