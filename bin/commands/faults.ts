import { InvalidArgumentError } from 'commander'
import { path } from '../client.ts'
import { command, jsonText } from '../command.ts'
import { badUsage } from '../failure.ts'
import { fields, table } from '../output.ts'
import { integer, patience } from '../settings.ts'

interface Fault {
  id: number
  match: object
  action: object
  probability: number
  times: number | null
  matched: number
  applied: number
}

/** `2s`, or `100ms..2s` for anything between; ms. */
function delay(text: string): number | { min: number; max: number } {
  const [min, max] = text.split('..').map((part) => {
    const ms = /^(\d+)(ms)?$/i.exec(part)
    return ms ? Number(ms[1]) : patience(part)
  })
  return max === undefined ? min! : { min: min!, max }
}

/** `10/1m`: so many in that time. */
function rate(text: string): { limit: number; window: number } {
  const [, limit, window] = /^(\d+)\/(.+)$/.exec(text) ?? []
  if (!limit || !window) throw new InvalidArgumentError('It must be a number and a time, for example 10/1m.')
  return { limit: Number(limit), window: Math.floor(patience(window) / 1000) }
}

function probability(text: string): number {
  const n = Number(text)
  if (text.trim() === '' || !(n >= 0 && n <= 1)) throw new InvalidArgumentError('It must be a number from 0 to 1.')
  return n
}

const words = (members: object) =>
  Object.entries(members)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ')

export const faultCommands = [
  command<{ results: Fault[] }>({
    words: 'fault list',
    about: 'Rules by which calls go wrong, and how often they did',
    byDefault: true,
    examples: ['fault list'],
    run: ({ client }) => client.call('GET /faults?limit=1000'),
    show: ({ results }) =>
      table(
        ['id', 'calls', 'what happens', 'probability', 'times', 'matched', 'applied'],
        results.map(({ id, match, action, probability, times, matched, applied }) => [
          ...[id, words(match) || 'all', words(action), probability, times, matched, applied],
        ]),
      ),
  }),
  command<Fault>({
    words: 'fault add',
    about: 'Let calls go wrong: one of --status, --delay, --drop and --rate-limit',
    flags: [
      { flags: '--method <method>', about: 'only calls of this method' },
      { flags: '--path <path>', about: 'only calls of this path, where * stands for anything' },
      { flags: '--user <id>', about: 'only calls with a token of this user', read: integer(0) },
      { flags: '--status <number>', about: 'answer with this status, 400 to 599', read: integer(400, 599) },
      { flags: '--body <json>', about: 'with --status: the answer', read: jsonText },
      {
        flags: '--delay <duration>',
        about: 'wait before going on: 2s, or 100ms..2s for anything between',
        read: delay,
      },
      { flags: '--drop', about: 'close the connection without an answer' },
      { flags: '--rate-limit <rate>', about: 'answer 429 beyond so many calls in a time, such as 10/1m', read: rate },
      { flags: '--probability <p>', about: 'how likely it happens to a call that fits, 0 to 1', read: probability },
      { flags: '--times <n>', about: 'how often it may happen', read: integer(1) },
      { flags: '--seed <number>', about: 'the same seed draws the same for the same calls', read: integer(0) },
      { flags: '--id <number>', about: 'number of the rule: rules are tried in this order', read: integer(1) },
    ],
    examples: [
      'fault add --method POST --path /answers --status 503 --times 2',
      "fault add --path '/questions/*' --delay 100ms..2s --probability 0.1",
    ],
    run({ client, flags: { method, path, user, body, probability, times, seed, id, ...flags } }) {
      const { status, delay, drop, rateLimit: rate_limit } = flags
      if ([status, delay, drop, rate_limit].filter((one) => one !== undefined).length !== 1)
        throw badUsage('name one of --status, --delay, --drop and --rate-limit; see `mercadito fault add --help`')
      return client.call('POST /faults', {
        id,
        match: { method: method?.toUpperCase(), path, user },
        action: { status, body, delay, drop, rate_limit },
        ...{ probability, times, seed },
      })
    },
    show: ({ match, action, ...rest }) =>
      fields({ ...rest, match: words(match) || 'all calls', action: words(action) }),
  }),
  command({
    words: 'fault clear',
    about: 'Take a rule back, or all of them',
    args: [['[id]', 'number of the rule; all without it', integer(1)]],
    examples: ['fault clear', 'fault clear 2'],
    run: ({ client, args: [id] }) => client.call(id === undefined ? 'DELETE /faults' : path`DELETE /faults/${id}`),
    show: (_, { args: [id] }) => (id === undefined ? 'all goes well again' : `fault ${id} is taken back`),
  }),
]
