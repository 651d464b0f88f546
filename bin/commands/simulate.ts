import { defineCommand, fields, integer, parseUser } from '../../domains/shared/commands.ts'
import { readServerProgress, withProgress } from '../../lib/cli/progress.ts'

const USER = { flags: '--user <user>', description: 'only listings of this seller', parse: parseUser }

const trafficCommand = defineCommand<object>({
  name: 'simulate traffic',
  description: 'Generate questions and contacts of buyers',
  isDefault: true,
  flags: [
    {
      flags: '--days <n>',
      description: 'number of days; the last one is today',
      defaultValue: 30,
      parse: integer(1, 365),
    },
    { flags: '--profile <name>', description: 'amount of traffic: quiet, normal, busy or peak; default: normal' },
    USER,
    { flags: '--seed <number>', description: 'the same seed generates the same traffic', parse: integer(0) },
    { flags: '--no-notify', description: 'send no notifications of the questions' },
  ],
  examples: ['simulate --days 30', 'simulate traffic --days 90 --no-notify'],
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

const saleCommand = defineCommand<object>({
  name: 'simulate sale',
  description: 'Have buyers buy, as people do',
  flags: [
    { flags: '--sales <n>', description: 'number of sales', defaultValue: 20, parse: integer(1, 10_000) },
    { flags: '--per-day', description: 'as many each day' },
    {
      flags: '--days <n>',
      description: 'in how many days; the last one is today',
      defaultValue: 7,
      parse: integer(1, 365),
    },
    USER,
    { flags: '--seed <number>', description: 'the same seed makes the same sales', parse: integer(0) },
  ],
  examples: ['simulate sale', 'simulate sale --sales 5 --per-day --days 30'],
  run: ({ client, flags: { sales, perDay: per_day, days, seed, user: user_id } }) =>
    client.call('POST /simulate/sales', { sales, per_day, days, seed, user_id }),
  format: (answer) => fields({ ...answer }),
})

export const simulateCommands = [trafficCommand, saleCommand]
