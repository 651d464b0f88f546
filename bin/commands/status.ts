import { defineCommand, fields, printable, table } from '../../domains/shared/commands.ts'
import type { AnswerOf } from '../../lib/types.ts'
import { formatClock } from './clock.ts'

type Counts = Record<string, number>

/** `3 ANSWERED, 1 BANNED`: counts that are not 0. */
const formatCounts = (counts: Counts): string =>
  Object.entries(counts)
    .flatMap(([name, n]) => (n > 0 ? [`${n} ${name}`] : []))
    .join(', ') || 'none'

export const statusCommand = defineCommand<AnswerOf<'GET /overview'> & { server: AnswerOf<'GET /server'> }>({
  name: 'status show',
  description: 'Show what the world contains in numbers, and the version, settings and limits of the server',
  isDefault: true,
  examples: ['status', 'status --json'],
  run: async ({ client }) => ({
    ...(await client.call('GET /overview')),
    server: await client.server.call('GET /server'),
  }),
  format: ({ world, clock, requests, loans, topics_off, server: { flags, limits, ...server }, ...rest }) => [
    fields({
      world: `${world.id}${world.name === null ? '' : ` ${printable(world.name)}`}  (${world.scenario}, seed ${world.seed}, ${world.mode})`,
      time: formatClock(clock),
      requests: `${formatCounts(requests.by_status)}${requests.dropped > 0 ? `; ${requests.dropped} earlier ones are no longer stored` : ''}`,
      questions: formatCounts(rest.questions.by_status),
      notifications: formatCounts(rest.deliveries.by_status),
      'topics off': topics_off.map(({ application_id, topic }) => `${topic} of ${application_id}`).join(', ') || 'none',
      leads: `${formatCounts(loans.by_status)}; ${loans.expired} expired`,
      flex: formatCounts(rest.flex.by_status),
      'contacts in 24 h': formatCounts(rest.contacts),
      faults: formatCounts(rest.faults),
      applications: rest.applications,
      users: rest.users,
      listings: rest.items,
      orders: rest.orders,
      snapshots: rest.snapshots,
    }),
    '',
    fields({ ...server, data: server.data ?? 'temporary worlds' }),
    '',
    table(
      ['setting', 'value', 'from'],
      flags.map(({ name, value, source }) => [name, value, source]),
    ),
    '',
    fields(limits),
  ],
})
