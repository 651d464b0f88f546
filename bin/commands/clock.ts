import { defineCommand } from '../command.ts'
import { parseDuration, parseInstantFlag } from '../settings.ts'

interface Clock {
  mode: 'real' | 'shifted' | 'frozen'
  now: string
}

const MODE_TEXT = { real: 'runs, as this machine’s', shifted: 'runs', frozen: 'frozen' }
const formatClock = ({ now, mode }: Clock) => `${now}  (the world’s time, ${MODE_TEXT[mode]})`
const INSTANT_ARGUMENT: [string, string, typeof parseInstantFlag] = [
  '<instant>',
  'ISO 8601 instant, such as 2026-03-02T12:00:00Z',
  parseInstantFlag,
]
const DURATION_ARGUMENT: [string, string, typeof parseDuration] = [
  '<duration>',
  'such as 2h30m, 90s, 1d or PT2H30M',
  parseDuration,
]
const toIso = (ms: number) => new Date(ms).toISOString()

export const clockCommands = [
  defineCommand<Clock>({
    name: 'clock show',
    description: 'What time it is in the world',
    examples: ['clock', 'clock show --json'],
    isDefault: true,
    run: ({ client }) => client.call('GET /clock'),
    format: formatClock,
  }),
  defineCommand<Clock>({
    name: 'clock set',
    description: 'Set it; it runs on from there',
    args: [INSTANT_ARGUMENT],
    examples: ['clock set 2026-03-02T12:00:00Z'],
    run: ({ client, args: [now] }) => client.call('PUT /clock', { mode: 'shifted', now: toIso(now) }),
    format: formatClock,
  }),
  defineCommand<Clock>({
    name: 'clock freeze',
    description: 'Stop it, now or at an instant',
    args: [['[instant]', 'ISO 8601 instant; without it the present one', parseInstantFlag]],
    examples: ['clock freeze', 'clock freeze 2026-03-02T12:00:00Z'],
    run: ({ client, args: [now] }) =>
      client.call('PUT /clock', { mode: 'frozen', ...(now !== undefined && { now: toIso(now) }) }),
    format: formatClock,
  }),
  defineCommand<Clock>({
    name: 'clock resume',
    description: 'Let it run on from where it stands',
    flags: [{ flags: '--real', description: 'go back to this machine’s time' }],
    examples: ['clock resume', 'clock resume --real'],
    run: ({ client, flags: { real } }) => client.call('PUT /clock', { mode: real ? 'real' : 'shifted' }),
    format: formatClock,
  }),
  defineCommand<Clock>({
    name: 'clock advance',
    description: 'Move it forward; what is due until then is done, each at its own time',
    args: [DURATION_ARGUMENT],
    examples: ['clock advance 2h', 'clock advance PT15M'],
    run: ({ client, args: [by] }) => client.call('POST /clock/advance', { by }),
    format: formatClock,
  }),
  defineCommand<Clock>({
    name: 'clock back',
    description: 'Move it back',
    args: [DURATION_ARGUMENT],
    examples: ['clock back 1d'],
    run: ({ client, args: [by] }) => client.call('POST /clock/advance', { by: `-${by}` }),
    format: formatClock,
  }),
]
