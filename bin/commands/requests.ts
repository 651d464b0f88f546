import { type Client, queryString } from '../client.ts'
import { command, type Flags, jsonText } from '../command.ts'
import { EXIT, Failure, type Terminal } from '../failure.ts'
import { fields, json, table, visible } from '../output.ts'
import { integer, type Setting } from '../settings.ts'

interface Call {
  id: number
  world_time: string
  method: string
  path: string
  query: Record<string, string | string[]>
  user_id: number | null
  response: { status: number | null; ms: number }
}
interface Calls {
  results: Call[]
  dropped: number
}
interface Miss {
  request: { id: number; method: string; path: string; status: number | null }
  differences: { what: string; expected: unknown; actual?: unknown }[]
}

/** Ms between two looks. */
const PAUSE = 300

const FILTERS: Setting[] = [
  { flags: '--method <method>', about: 'only those of this method' },
  { flags: '--path <path>', about: 'only those of this path, where * stands for anything' },
  { flags: '--status <number>', about: 'only those answered with this status; 0: not answered', read: integer(0, 599) },
  { flags: '--user <id>', about: 'only those with a token of this user', read: integer(0) },
]

const asked = ({ method, path, status, user }: Flags) => ({ method: method?.toUpperCase(), path, status, user })

/** The address as it was called, its parameters readable. */
const addressOf = ({ path, query }: Call) => {
  const members = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => `${name}=${one}`))
  return path + (members.length > 0 ? `?${members.join('&')}` : '')
}

const line = (call: Call): unknown[] => [
  ...[call.id, call.world_time, call.user_id, call.method, call.response.status ?? 'none', `${call.response.ms} ms`],
  addressOf(call),
]

/** Tells each request as it comes, until somebody ends the program. */
async function follow(client: Client, { json: asJson, ...flags }: Flags, { out }: Terminal): Promise<never> {
  const latest = async (): Promise<number> =>
    (await client.call('GET /requests?order=desc&limit=1')).results[0]?.id ?? 0
  let since = await latest()
  for (;;) {
    const { results }: Calls = await client.call(`GET /requests${queryString({ ...asked(flags), since, limit: 1000 })}`)
    for (const call of results) {
      out(asJson ? `${json(call)}\n` : `${line(call).map(visible).join('  ')}\n`)
      since = call.id
    }
    // A reset begins to count anew.
    if (results.length === 0 && (await latest()) < since) since = 0
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
}

const number = (flags: string, about: string): Setting => ({ flags, about, read: integer(0, 1_000_000) })

function pair(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [, name = text, value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? []
  return { ...before, [name]: value }
}

const miss = ({ request, differences }: Miss): string =>
  [
    `  ${visible(`${request.id}  ${request.method} ${request.path}  ${request.status ?? 'no answer'}`)}`,
    ...differences.map(
      ({ what, expected, actual }) =>
        `    ${visible(`${what}: ${JSON.stringify(expected)} was expected, ${actual === undefined ? 'nothing' : JSON.stringify(actual)} came`)}`,
    ),
  ].join('\n')

export const requestCommands = [
  command<Calls>({
    words: 'requests list',
    about: 'What was called, and what it was answered; the latest last',
    flags: [
      ...FILTERS,
      { flags: '--limit <n>', about: 'at most so many, the latest', fallback: 50, read: integer(1, 1000) },
      { flags: '--follow', about: 'go on as they come; with --json one document a line' },
    ],
    byDefault: true,
    examples: ['requests --status 404', "requests --follow --path '/questions/*'"],
    async run({ client, flags, terminal }) {
      if (flags.follow) return follow(client, flags, terminal)
      const answer = await client.call(`GET /requests${queryString({ ...asked(flags), order: 'desc', limit: flags.limit })}`)
      return { ...answer, results: answer.results.reverse() }
    },
    show: ({ results, dropped }) =>
      [
        table(['id', 'world time', 'user', 'method', 'status', 'took', 'address'], results.map(line)),
        ...(dropped > 0 ? [`${dropped} earlier ones are forgotten`] : []),
      ].join('\n'),
  }),
  command({
    words: 'requests clear',
    about: 'Forget what was called',
    examples: ['requests clear'],
    run: ({ client }) => client.call('DELETE /requests'),
    show: () => 'forgotten',
  }),
  command<{ matched: number }>({
    words: 'verify',
    about: 'Check that a call was made, and how often; ends with 3 when it was otherwise',
    args: [
      ['<method>', 'GET, POST …; ANY for any'],
      ['<path>', 'path of the call, where * stands for anything'],
    ],
    flags: [
      number('--times <n>', 'exactly so often'),
      number('--at-least <n>', 'so often or more; 1 when nothing else is said'),
      number('--at-most <n>', 'so often or less'),
      { flags: '--body <json>', about: 'what its body must have, among others', read: jsonText },
      { flags: '--query <name=value>', about: 'a parameter that it must have; may stand more than once', read: pair },
    ],
    examples: ['verify POST /answers', `verify POST /answers --times 1 --body '{"question_id":13000000001}'`],
    async run({ client, args: [method, path], flags, terminal }) {
      const { times, atLeast: at_least, atMost: at_most, body, query } = flags
      const any = method.toUpperCase() === 'ANY'
      const { status, body: told } = await client.ask('POST /verify', {
        ...(!any && { method: method.toUpperCase() }),
        ...{ path, query, body, times, at_least, at_most },
      })
      if (told?.error !== 'verification_failed') return client.checked('POST /verify', { status, body: told })
      if (flags.json) terminal.out(`${json(told)}\n`)
      else if (told.cause.length > 0) terminal.out(`nearest:\n${told.cause.map(miss).join('\n')}\n`)
      throw new Failure(told.message, EXIT.unverified)
    },
    show: (answer) => fields({ matched: answer.matched }),
  }),
]
