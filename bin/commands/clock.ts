import { command } from '../command.ts'
import { duration, instant } from '../settings.ts'

interface Clock {
  mode: 'real' | 'shifted' | 'frozen'
  now: string
}

const HOW = { real: 'runs, as this machine’s', shifted: 'runs', frozen: 'frozen' }
const show = ({ now, mode }: Clock) => `${now}  (the world’s time, ${HOW[mode]})`
const AT: [string, string, typeof instant] = ['<instant>', 'ISO 8601 instant, such as 2026-03-02T12:00:00Z', instant]
const BY: [string, string, typeof duration] = ['<duration>', 'such as 2h30m, 90s, 1d or PT2H30M', duration]
const iso = (ms: number) => new Date(ms).toISOString()

export const clockCommands = [
  command<Clock>({
    words: 'clock show',
    about: 'What time it is in the world',
    examples: ['clock', 'clock show --json'],
    byDefault: true,
    run: ({ client }) => client.call('GET /clock'),
    show,
  }),
  command<Clock>({
    words: 'clock set',
    about: 'Set it; it runs on from there',
    args: [AT],
    examples: ['clock set 2026-03-02T12:00:00Z'],
    run: ({ client, args: [now] }) => client.call('PUT /clock', { mode: 'shifted', now: iso(now) }),
    show,
  }),
  command<Clock>({
    words: 'clock freeze',
    about: 'Stop it, now or at an instant',
    args: [['[instant]', 'ISO 8601 instant; without it the present one', instant]],
    examples: ['clock freeze', 'clock freeze 2026-03-02T12:00:00Z'],
    run: ({ client, args: [now] }) =>
      client.call('PUT /clock', { mode: 'frozen', ...(now !== undefined && { now: iso(now) }) }),
    show,
  }),
  command<Clock>({
    words: 'clock resume',
    about: 'Let it run on from where it stands',
    flags: [{ flags: '--real', about: 'go back to this machine’s time' }],
    examples: ['clock resume', 'clock resume --real'],
    run: ({ client, flags: { real } }) => client.call('PUT /clock', { mode: real ? 'real' : 'shifted' }),
    show,
  }),
  command<Clock>({
    words: 'clock advance',
    about: 'Move it forward; what is due until then is done, each at its own time',
    args: [BY],
    examples: ['clock advance 2h', 'clock advance PT15M'],
    run: ({ client, args: [by] }) => client.call('POST /clock/advance', { by }),
    show,
  }),
  command<Clock>({
    words: 'clock back',
    about: 'Move it back',
    args: [BY],
    examples: ['clock back 1d'],
    run: ({ client, args: [by] }) => client.call('POST /clock/advance', { by: `-${by}` }),
    show,
  }),
]
