import {
  type Client,
  defineCommand,
  type Flags,
  fields,
  integer,
  mustBe,
  type Output,
  parseUser,
  path,
  printable,
  type Setting,
  type Terminal,
  table,
} from '../../domains/shared/commands.ts'
import type { Schemas } from '../../lib/operations.ts'
import type { AnswerOf } from '../../lib/types.ts'
import { queryString } from '../../lib/urls.ts'
import { ALREADY_PRINTED } from '../command.ts'
import { checkOutput, FORCE, formatJson } from '../output.ts'
import { writeHar } from '../reports/har.ts'

type Call = Schemas['ListedRequest']
type RecordedCall = Schemas['Request']
type Calls = AnswerOf<'GET /requests'>

/** Ms between two requests of --follow. */
const POLL_INTERVAL_MS = 300

/** `201`, `2xx`, or 0. */
export function parseStatus(text: string): number | string {
  if (/^[1-5]xx$/.test(text)) return text
  if (/^\d+$/.test(text) && Number(text) <= 599) return Number(text)
  throw mustBe('an HTTP status, 0 for no answer, or one of 1xx, 2xx, 3xx, 4xx, 5xx')
}

const CALL_FILTERS: Setting[] = [
  { flags: '--method <method>', description: 'only those of this method' },
  { flags: '--path <path>', description: 'only those of this path; * matches anything' },
  {
    flags: '--status <status>',
    description: 'only those with this status, or class such as 4xx; 0: without an answer',
    parse: parseStatus,
  },
]
const BEFORE: Setting = {
  flags: '--before <id>',
  description: 'only those before the call with this id',
  parse: integer(1),
}
const LIMIT: Setting = {
  flags: '--limit <n>',
  description: 'at most this many, the latest',
  defaultValue: 50,
  parse: integer(1, 1000),
}
const FILTERS: Setting[] = [
  ...CALL_FILTERS,
  { flags: '--user <user>', description: 'only those with a token of this user', parse: parseUser },
  { flags: '--application <id>', description: 'only those with a token of this application', parse: integer(0) },
  { flags: '--stub <id>', description: 'only those that this stub answered', parse: integer(1) },
  { flags: '--search <text>', description: 'only those with this text in address, body or answer' },
]

/** Bodies are not printed, except as JSON. */
const toFilterQuery = ({ method, path, status, user, application, stub, search, json }: Flags) => ({
  ...{ method: method?.toUpperCase(), path, status, user, application_id: application, stub, q: search },
  bodies: json === true,
})

/** Path and query, decoded. */
const urlOf = ({ path, query }: Pick<Call, 'path' | 'query'>) => {
  const members = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => `${name}=${one}`))
  return path + (members.length > 0 ? `?${members.join('&')}` : '')
}

const toRow = (call: Call): unknown[] => [
  ...[call.id, call.world_time, call.user_id, call.method, call.response.status ?? 'none', `${call.response.ms} ms`],
  urlOf(call),
]

/** Prints requests as they arrive, until the program is ended. */
async function follow(client: Client, flags: Flags, { out }: Terminal): Promise<never> {
  const latest = async (): Promise<number> =>
    (await client.call('GET /requests?order=desc&limit=1')).results[0]?.id ?? 0
  let since = await latest()
  for (;;) {
    const { results }: Calls = await client.call(
      `GET /requests${queryString({ ...toFilterQuery(flags), since, limit: 1000 })}`,
    )
    for (const call of results) {
      out(flags.json ? `${formatJson(call)}\n` : `${toRow(call).map(printable).join('  ')}\n`)
      since = call.id
    }
    // After a reset the ids start again.
    if (results.length === 0 && (await latest()) < since) since = 0
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  }
}

const formatDropped = (dropped: number): string[] =>
  dropped > 0 ? [`${dropped} earlier calls are no longer stored`] : []

const formatCalls = ({ results, dropped }: Calls): Output => [
  table(['id', 'world time', 'user', 'method', 'status', 'took', 'address'], results.map(toRow)),
  ...formatDropped(dropped),
]

const formatCall = ({ body, response, changes, after_delivery, ...call }: RecordedCall): Output => [
  fields({
    call: `${call.method} ${urlOf(call)}`,
    'world time': call.world_time,
    user: call.user_id ?? 'none',
    status: response.status ?? 'none',
    took: `${response.ms} ms`,
    ...(call.stub !== null && { stub: call.stub }),
    changes: changes.length === 0 ? 'none' : changes.join(', '),
    'after delivery': after_delivery ? `${after_delivery.id}, attempt ${after_delivery.n} (inferred)` : 'none',
  }),
  `sent: ${printable(body ?? 'nothing')}`,
  `answered: ${printable(response.body ?? 'nothing')}`,
]

export const requestCommands = [
  defineCommand<Calls | typeof ALREADY_PRINTED>({
    name: 'requests list',
    description: 'List calls and their answers, latest last',
    flags: [
      ...FILTERS,
      { ...BEFORE, conflicts: ['follow'] },
      LIMIT,
      { flags: '--follow', description: 'print new calls as they arrive; with --json one document per line' },
      {
        flags: '--har [file]',
        description: 'write all of them as HAR 1.2 to this file, or to standard output',
        conflicts: ['follow', 'limit', 'json'],
      },
      FORCE,
    ],
    members: { q: '--search', application_id: '--application' },
    isDefault: true,
    examples: ['requests --status 4xx', 'requests --search MLA1400000001', "requests --follow --path '/questions/*'"],
    async run({ client, flags, terminal }) {
      if (flags.follow) return follow(client, flags, terminal)
      if (flags.har !== undefined) {
        if (flags.har !== true) checkOutput(flags.har, flags.force)
        await writeHar(client, { ...toFilterQuery(flags), before: flags.before }, flags.har, terminal)
        return ALREADY_PRINTED
      }
      const answer = await client.call(
        `GET /requests${queryString({ ...toFilterQuery(flags), before: flags.before, order: 'desc', limit: flags.limit })}`,
      )
      return { ...answer, results: answer.results.reverse() }
    },
    format: (answer) => (answer === ALREADY_PRINTED ? '' : formatCalls(answer)),
  }),
  defineCommand<AnswerOf<'GET /control-calls'>>({
    name: 'requests control',
    description: 'List the control calls that may have changed the world, latest last',
    flags: [...CALL_FILTERS, BEFORE, LIMIT],
    examples: ['requests control', "requests control --path '/clock*'"],
    async run({ client, flags: { method, path, status, before, limit } }) {
      const filter = { method: method?.toUpperCase(), path, status, before }
      const answer = await client.call(`GET /control-calls${queryString({ ...filter, order: 'desc', limit })}`)
      return { ...answer, results: answer.results.reverse() }
    },
    format: ({ results, dropped }) => [
      table(
        ['id', 'world time', 'method', 'status', 'took', 'by', 'path', 'changes'],
        results.map(({ id, at, method, path, by, status, ms, changes }) => [
          ...[id, at, method, status, `${ms} ms`, by, path],
          changes.join(', '),
        ]),
      ),
      ...formatDropped(dropped),
    ],
  }),
  defineCommand<RecordedCall>({
    name: 'requests show',
    description: 'Print a call with its body, its answer, and what it caused',
    args: [['<id>', 'number of the call', integer(1)]],
    examples: ['requests show 17'],
    run: ({ client, args: [id] }) => client.call(path`GET /requests/${id}`),
    format: formatCall,
  }),
  defineCommand<RecordedCall>({
    name: 'requests resend',
    description: 'Send a call again with a valid token of its user, and print it',
    args: [['<id>', 'number of the call', integer(1)]],
    flags: [{ flags: '--fix', description: 'send the fix that `why` prints instead' }],
    examples: ['requests resend 17', 'requests resend 17 --fix'],
    run: ({ client, args: [id], flags: { fix } }) => client.call(path`POST /requests/${id}/resend`, { fix }),
    format: formatCall,
  }),
  defineCommand({
    name: 'requests clear',
    description: 'Delete the recorded calls',
    examples: ['requests clear'],
    run: ({ client }) => client.call('DELETE /requests'),
    format: () => 'deleted',
  }),
]
