import { defineCommand, fields, integer, parseUser } from '../../domains/shared/commands.ts'
import { readServerProgress, withProgress } from '../../lib/cli/progress.ts'

export const simulateCommand = defineCommand<object>({
  name: 'simulate',
  description: 'Generate realistic traffic of buyers on the listings of the world',
  flags: [
    {
      flags: '--days <n>',
      description: 'number of days; the last one is today',
      defaultValue: 30,
      parse: integer(1, 365),
    },
    { flags: '--profile <name>', description: 'amount of traffic: quiet, normal, busy or peak; default: normal' },
    { flags: '--user <user>', description: 'only listings of this seller', parse: parseUser },
    { flags: '--seed <number>', description: 'the same seed generates the same traffic', parse: integer(0) },
    { flags: '--no-notify', description: 'send no notifications of the questions' },
  ],
  examples: ['simulate --days 30', 'simulate --days 90 --no-notify'],
  run: ({ client, flags: { days, profile, seed, user: user_id, notify } }) =>
    withProgress(
      'simulate',
      async ({ update }) => {
        const answer = await client.call('POST /simulate', { days, profile, seed, user_id, notify })
        update(days)
        return answer
      },
      {
        format: (amount) => `${Number(amount.toFixed(amount < 10 ? 1 : 0))} days`,
        read: readServerProgress(client, 'simulate'),
      },
    ),
  format: (answer) => fields({ ...answer }),
})
