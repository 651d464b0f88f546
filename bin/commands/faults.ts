import {
  defineCommand,
  fields,
  InvalidValue,
  integer,
  parseDuration,
  parseJson,
  parseUser,
  path,
  table,
} from '../../domains/shared/commands.ts'
import { usageError } from '../../lib/cli/errors.ts'
import type { Schemas } from '../../lib/operations.ts'
import { ANYWAY, withAnyway } from './verify.ts'

type Fault = Schemas['Fault']

const MAX_DELAY_MS = 60_000

/** `2s`, or `100ms..2s` for a range; returns ms. */
function parseDelay(text: string): number | { min: number; max: number } {
  const [min, max] = text.split('..').map((part) => {
    const delay = parseDuration(part)
    if (delay > MAX_DELAY_MS) throw new InvalidValue('It must be at most 1m.')
    return delay
  })
  return max === undefined ? min! : { min: min!, max }
}

/** `10/1m`, or `10/min`: a number of calls in a period. */
function parseRate(text: string): { limit: number; window: number } {
  const [, limit, window] = /^(\d+)\/(.+)$/.exec(text) ?? []
  if (!limit || !window) throw new InvalidValue('It must be a number and a duration, such as 10/1m or 10/min.')
  const [, unit] = /^([smhd])(?:ec|econd|in|inute|our|ay)?$/.exec(window) ?? []
  return { limit: Number(limit), window: Math.floor(parseDuration(unit ? `1${unit}` : window) / 1000) }
}

function parseProbability(text: string): number {
  const n = Number(text)
  if (text.trim() === '' || !(n >= 0 && n <= 1)) throw new InvalidValue('It must be a number from 0 to 1.')
  return n
}

const formatMembers = (members: object) =>
  Object.entries(members)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ')

const formatFault = ({ match, action, ...rest }: Fault) =>
  fields({ ...rest, match: formatMembers(match) || 'all calls', action: formatMembers(action) })

export const faultCommands = [
  defineCommand<{ results: Fault[] }>({
    name: 'fault list',
    description: 'List the rules, and how often they were applied',
    isDefault: true,
    examples: ['fault list'],
    run: ({ client }) => client.call('GET /faults?limit=1000'),
    format: ({ results }) =>
      table(
        ['id', 'calls', 'action', 'probability', 'times', 'matched', 'applied', 'on'],
        results.map(({ id, match, action, probability, times, matched, applied, enabled }) => [
          ...[id, formatMembers(match) || 'all', formatMembers(action), probability, times, matched, applied],
          enabled ? 'yes' : 'no',
        ]),
      ),
  }),
  defineCommand<Fault>({
    name: 'fault add',
    description:
      'Make calls fail: one of --status, --delay, --drop, --optimistic-lock, --partial, --rate-limit and --limits',
    flags: [
      { flags: '--method <method>', description: 'only calls of this method' },
      { flags: '--path <path>', description: 'only calls of this path; * matches anything' },
      { flags: '--user <user>', description: 'only calls with a token of this user', parse: parseUser },
      { flags: '--status <number>', description: 'answer with this status, 400 to 599', parse: integer(400, 599) },
      { flags: '--body <json>', description: 'with --status: the body of the answer', parse: parseJson },
      {
        flags: '--delay <duration>',
        description: 'delay the call: 2s, or 100ms..2s for a random delay',
        parse: parseDelay,
      },
      { flags: '--drop', description: 'close the connection without an answer' },
      { flags: '--optimistic-lock', description: 'answer 409, as to two writes of a listing at once' },
      {
        flags: '--partial <members>',
        description: 'answer 206 to reads of orders, without these members, such as buyer,shipping',
        parse: (text) => text.split(','),
      },
      {
        flags: '--rate-limit <rate>',
        description: 'answer 429 to calls beyond this rate, such as 10/1m',
        parse: parseRate,
      },
      {
        flags: '--clock <clock>',
        description: 'with --rate-limit: count by real time or by the time in the world; default: real',
        choices: ['real', 'world'],
      },
      {
        flags: '--limits <preset>',
        description: 'answer 429 beyond the limits of the real service: 1000/1m for Flex, 18000/1h for an application',
        choices: ['published'],
      },
      {
        flags: '--probability <p>',
        description: 'probability that a matching call is affected, 0 to 1',
        parse: parseProbability,
      },
      { flags: '--times <n>', description: 'how often the rule may be applied', parse: integer(1) },
      { flags: '--seed <number>', description: 'the same seed selects the same calls', parse: integer(0) },
      { flags: '--id <number>', description: 'number of the rule; rules apply in this order', parse: integer(1) },
      ANYWAY,
    ],
    examples: [
      'fault add --method POST --path /answers --status 503 --times 2',
      'fault add --limits published',
      'fault add --rate-limit 10/1m --clock world',
      "fault add --path '/questions/*' --delay 100ms..2s --probability 0.1",
    ],
    run({ client, flags: { method, path, user, body, probability, times, seed, id, anyway, ...flags } }) {
      const { status, delay, drop, partial, limits, rateLimit, clock, optimisticLock: optimistic_lock } = flags
      if (clock !== undefined && !rateLimit) throw usageError('--clock needs --rate-limit')
      const rate_limit = rateLimit && { ...rateLimit, clock }
      const actions = [status, delay, drop, optimistic_lock, partial, rate_limit, limits]
      if (actions.filter((one) => one !== undefined).length !== 1)
        throw usageError(
          'set one of --status, --delay, --drop, --optimistic-lock, --partial, --rate-limit and --limits; see `mercadito fault add --help`',
        )
      return withAnyway(() =>
        client.call('POST /faults', {
          id,
          match: { method: method?.toUpperCase(), path, user },
          action: { status, body, delay, drop, optimistic_lock, partial, rate_limit, limits },
          ...{ probability, times, seed, check_path: !anyway },
        }),
      )
    },
    format: formatFault,
  }),
  ...Object.entries({ off: 'Switch a rule off; it keeps its counts', on: 'Switch a rule on again' }).map(
    ([word, description]) =>
      defineCommand<Fault>({
        name: `fault ${word}`,
        description,
        args: [['<id>', 'number of the rule', integer(1)]],
        examples: [`fault ${word} 2`],
        run: ({ client, args: [id] }) => client.call(path`PATCH /faults/${id}`, { enabled: word === 'on' }),
        format: formatFault,
      }),
  ),
  defineCommand({
    name: 'fault clear',
    description: 'Delete a rule, or all rules',
    args: [['[id]', 'number of the rule; default: all rules', integer(1)]],
    examples: ['fault clear', 'fault clear 2'],
    run: ({ client, args: [id] }) => client.call(id === undefined ? 'DELETE /faults' : path`DELETE /faults/${id}`),
    format: (_, { args: [id] }) => (id === undefined ? 'all rules are deleted' : `rule ${id} is deleted`),
  }),
]
