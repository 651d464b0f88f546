import { type Argument, defineCommand, parseDuration, parseInstantFlag, toIso } from '../../domains/shared/commands.ts'

export interface Clock {
  mode: 'real' | 'shifted' | 'frozen'
  now: string
}

const MODE_TEXT = { real: 'the time of the server', shifted: 'running', frozen: 'frozen' }
export const formatClock = ({ now, mode }: Clock) => `${now}  (world time, ${MODE_TEXT[mode]})`
const INSTANT_ARGUMENT: Argument = ['<instant>', 'ISO 8601 instant, such as 2026-03-02T12:00:00Z', parseInstantFlag]
const DURATION_ARGUMENT: Argument = ['<duration>', 'such as 2h30m, 90s, 1d, PT2H30M, or ms', parseDuration]

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
