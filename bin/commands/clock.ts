import {
  type Argument,
  defineCommand,
  integer,
  parseDuration,
  parseInstantFlag,
  table,
  toIso,
} from '../../domains/shared/commands.ts'
import type { Schemas } from '../../lib/operations.ts'
import type { AnswerOf } from '../../lib/types.ts'

type Clock = Schemas['Clock']
type Due = Schemas['Due']

const formatDue = (entries: Due[]) =>
  table(
    ['world time', 'what', 'id', 'user', 'application', 'attempt'],
    entries.map(({ at, kind, effect, id, user_id, application_id, n }) => [
      ...[at, `${kind.replace('_', ' ')} ${effect}`, id, user_id, application_id, n],
    ]),
  )

const MODE_TEXT = { real: 'the time of the server', shifted: 'running', frozen: 'frozen' }
export const formatClock = ({ now, mode }: Clock) => `${now}  (world time, ${MODE_TEXT[mode]})`
const INSTANT_ARGUMENT: Argument = ['<instant>', 'ISO 8601 instant, such as 2026-03-02T12:00:00Z', parseInstantFlag]
const DURATION_ARGUMENT: Argument = ['<duration>', 'such as 2h30m, 90s, 500ms, 1d or PT2H30M', parseDuration]

export const clockCommands = [
  defineCommand<Clock>({
    name: 'clock show',
    description: 'Show the time in the world',
    examples: ['clock', 'clock show --json'],
    isDefault: true,
    run: ({ client }) => client.call('GET /clock'),
    format: formatClock,
  }),
  defineCommand<Clock>({
    name: 'clock set',
    description: 'Set the clock; it runs on from there',
    args: [INSTANT_ARGUMENT],
    members: { now: '<instant>' },
    examples: ['clock set 2026-03-02T12:00:00Z'],
    run: ({ client, args: [now] }) => client.call('PUT /clock', { mode: 'shifted', now: toIso(now) }),
    format: formatClock,
  }),
  defineCommand<Clock>({
    name: 'clock freeze',
    description: 'Freeze the clock, now or at an instant',
    args: [['[instant]', 'ISO 8601 instant; default: now', parseInstantFlag]],
    members: { now: '[instant]' },
    examples: ['clock freeze', 'clock freeze 2026-03-02T12:00:00Z'],
    run: ({ client, args: [now] }) => client.call('PUT /clock', { mode: 'frozen', now: toIso(now) }),
    format: formatClock,
  }),
  defineCommand<Clock>({
    name: 'clock resume',
    description: 'Let the clock run on from its present time',
    flags: [{ flags: '--real', description: 'go back to the time of the server' }],
    examples: ['clock resume', 'clock resume --real'],
    run: ({ client, flags: { real } }) => client.call('PUT /clock', { mode: real ? 'real' : 'shifted' }),
    format: formatClock,
  }),
  defineCommand<Clock>({
    name: 'clock advance',
    description: 'Move the clock forward; notifications that become due are sent at their own time, in order',
    args: [DURATION_ARGUMENT],
    members: { by: '<duration>' },
    examples: ['clock advance 2h', 'clock advance PT15M'],
    run: ({ client, args: [by] }) => client.call('POST /clock/advance', { by }),
    format: formatClock,
  }),
  defineCommand<Clock & { due: Due[] }>({
    name: 'clock next',
    description: 'Move the clock to what is due next',
    examples: ['clock next'],
    run: ({ client }) => client.call('POST /clock/advance', { to: 'next' }),
    format: ({ due, ...clock }) => [formatClock(clock), '', formatDue(due)],
  }),
  defineCommand<AnswerOf<'GET /clock/due'>>({
    name: 'clock due',
    description: 'List what the time in the world will bring about, in order',
    flags: [
      { flags: '--until <instant>', description: 'only until this ISO 8601 instant', parse: parseInstantFlag },
      { flags: '--limit <n>', description: 'at most this many', defaultValue: 50, parse: integer(0, 1000) },
    ],
    examples: ['clock due', 'clock due --until 2026-03-09'],
    run: ({ client, flags: { until, limit } }) => client.get('/clock/due', { until: toIso(until), limit }),
    format: ({ total, results }) => [
      formatDue(results),
      ...(total > results.length ? [`${total - results.length} more`] : []),
    ],
  }),
  defineCommand<Clock>({
    name: 'clock back',
    description: 'Move the clock back',
    args: [DURATION_ARGUMENT],
    members: { by: '<duration>' },
    examples: ['clock back 1d'],
    run: ({ client, args: [by] }) => client.call('POST /clock/advance', { by: -by }),
    format: formatClock,
  }),
]
