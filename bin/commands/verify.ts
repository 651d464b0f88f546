import {
  defineCommand,
  fields,
  integer,
  mustBe,
  parseDuration,
  parseJson,
  printable,
  type Setting,
} from '../../domains/shared/commands.ts'
import { ServerError } from '../../lib/cli/client.ts'
import { CliError, EXIT } from '../../lib/cli/errors.ts'
import { formatJson } from '../output.ts'
import { parseStatus } from './requests.ts'

interface Miss {
  request: { id: number; method: string; path: string; status: number | null }
  differences: { what: string; expected: unknown; actual?: unknown }[]
}

export const ANYWAY: Setting = { flags: '--anyway', description: 'also for a path that neither the API nor a stub has' }

/** The answer of a call with `check_path`; an error about the path names the flag that allows it. */
export const withAnyway = <A>(call: () => Promise<A>): Promise<A> =>
  call().catch((error) => {
    if (!(error instanceof ServerError && /neither the API nor a stub has/.test(error.message))) throw error
    throw new ServerError(`${error.message}; --anyway allows it`, error.code)
  })

const countFlag = (flags: string, description: string): Setting => ({
  flags,
  description,
  parse: integer(0, 1_000_000),
})

function parsePair(text: string, previous: Record<string, string> = {}): Record<string, string> {
  const [, name = text, value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? []
  return { ...previous, [name]: value }
}

/** `GET /questions/*`, `ANY /answers`, `/answers` or `topic:questions`. */
function parseAfter(text: string): object {
  const [, topic, method, path] = /^(?:topic:(.*)|(?:([A-Za-z]+) +)?([/*].*))$/.exec(text) ?? []
  if (topic === undefined && path === undefined) throw mustBe('METHOD PATH, a path, or topic:TOPIC')
  if (topic !== undefined) return { topic }
  return { path, ...(method && method.toUpperCase() !== 'ANY' && { method: method.toUpperCase() }) }
}

const formatMiss = ({ request, differences }: Miss): string =>
  [
    `  ${printable(`${request.id}  ${request.method} ${request.path}  ${request.status ?? 'no answer'}`)}`,
    ...differences.map(
      ({ what, expected, actual }) =>
        `    ${printable(`${what}: expected ${JSON.stringify(expected)}, got ${actual === undefined ? 'nothing' : JSON.stringify(actual)}`)}`,
    ),
  ].join('\n')

export const verifyCommand = defineCommand<{ matched: number }>({
  name: 'requests verify',
  description: 'Check that a call was made, and how often; exit code 3 if not',
  args: [
    ['<method>', 'GET, POST …; ANY for any'],
    ['<path>', 'path of the call; * matches anything'],
  ],
  flags: [
    { ...countFlag('--times <n>', 'exactly this often'), conflicts: ['atLeast', 'atMost'] },
    countFlag('--at-least <n>', 'this often or more; default: 1'),
    countFlag('--at-most <n>', 'this often or less'),
    { flags: '--body <json>', description: 'members that the body must have', parse: parseJson },
    {
      flags: '--query <name=value>',
      description: 'a query parameter that the call must have; may be repeated',
      parse: parsePair,
    },
    {
      flags: '--status <status>',
      description: 'status of the answer, or a class such as 2xx; 0: without an answer',
      parse: parseStatus,
    },
    {
      flags: '--per <member>',
      description: 'the numbers are for each value of body.NAME, query.NAME, path, path.N or user_id',
    },
    {
      flags: '--after <call>',
      description: 'only calls after one such as "GET /questions/*", or after an event: topic:questions',
      parse: parseAfter,
    },
    {
      flags: '--after-per <member>',
      description: 'where the value of --per is in --after; each of its values then needs calls',
    },
    {
      flags: '--within <duration>',
      description: 'only calls this soon after --after, in world time',
      parse: parseDuration,
    },
    ANYWAY,
  ],
  members: {
    after: '--after',
    'after.path': '--after',
    'after.per': '--after-per',
    within: '--within',
    per: '--per',
  },
  examples: [
    'requests verify POST /answers',
    `requests verify POST /answers --times 1 --body '{"question_id":13000000001}'`,
    'requests verify POST /answers --status 2xx --times 1',
    'requests verify POST /answers --per body.question_id --at-most 1',
    'requests verify POST /answers --per body.question_id --after topic:questions --after-per path.2 --within 1h',
  ],
  async run({ client, args: [method, path], flags, terminal }) {
    const {
      times,
      atLeast: at_least,
      atMost: at_most,
      body,
      query,
      status: expectedStatus,
      per,
      within,
      anyway,
    } = flags
    const after = (flags.after || flags.afterPer) && { ...flags.after, per: flags.afterPer }
    const any = method.toUpperCase() === 'ANY'
    const { status, body: result } = await client.request('POST /verify', {
      ...(!any && { method: method.toUpperCase() }),
      ...{
        path,
        query,
        body,
        status: expectedStatus,
        times,
        at_least,
        at_most,
        per,
        after,
        within,
        check_path: !anyway,
      },
    })
    if (result?.error !== 'verification_failed')
      return withAnyway(async () => client.requireSuccess('POST /verify', { status, body: result }))
    if (flags.json) terminal.out(`${formatJson(result)}\n`)
    else if (result.cause.length > 0) terminal.out(`nearest:\n${result.cause.map(formatMiss).join('\n')}\n`)
    throw new CliError(result.message, EXIT.unverified)
  },
  format: (answer) => fields({ matched: answer.matched }),
})
