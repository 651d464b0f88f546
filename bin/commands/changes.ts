import { defineCommand, integer, table } from '../../domains/shared/commands.ts'
import { TOPICS } from '../../domains/shared/topics.ts'
import type { AnswerOf } from '../../lib/types.ts'

export const changesCommand = defineCommand<AnswerOf<'GET /facts'>>({
  name: 'world changes',
  description: 'List the published changes of the world, latest last',
  flags: [
    { flags: '--topic <name>', description: 'only those of this topic', choices: TOPICS },
    { flags: '--resource <path>', description: 'only those of this resource' },
    { flags: '--before <id>', description: 'only those before the one with this id', parse: integer(1) },
    { flags: '--limit <n>', description: 'at most this many, the latest', defaultValue: 50, parse: integer(1, 1000) },
  ],
  examples: ['world changes', 'world changes --topic questions'],
  async run({ client, flags: { topic, resource, before, limit } }) {
    const answer = await client.get('/facts', { topic, resource, before, limit })
    return { ...answer, results: answer.results.reverse() }
  },
  format: ({ results }) =>
    table(
      ['id', 'at', 'topic', 'resource', 'users', 'cause'],
      results.map(({ id, at, topic, resource, users, cause }) => [
        ...[id, at, topic, resource, users.join(', ')],
        cause ? `${cause.kind} ${cause.id ?? ''}` : 'unknown',
      ]),
    ),
})
