import { readFile } from 'node:fs/promises'
import { text as readText } from 'node:stream/consumers'
import {
  type Client,
  defineCommand,
  type Flags,
  fields,
  InvalidValue,
  integer,
  mustBe,
  type Output,
  oneOf,
  parseJson,
  path,
  printable,
  table,
} from '../../domains/shared/commands.ts'
import { usageError } from '../../lib/cli/errors.ts'
import type { Schemas } from '../../lib/operations.ts'
import type { AnswerOf, BodyOf } from '../../lib/types.ts'
import type { Skipped } from '../../stub_import/calls.ts'

type Miss = AnswerOf<'GET /stubs/misses'>['results'][number]
/** One of the server, or one that is imported and has no id yet. */
type Stub = Omit<Partial<Schemas['Stub']>, 'match' | 'answer'> & {
  match: Omit<Schemas['Stub']['match'], 'method'> & { method?: string }
  answer: BodyOf<'POST /stubs'>['answer']
}
interface ImportResult {
  stubs: Stub[]
  skipped: Skipped[]
  dry_run: boolean
}

/** `seller=5`; without a value: any one. */
function addQuery(text: string, previous: Record<string, string | string[]> = {}): Record<string, string | string[]> {
  const at = text.indexOf('=')
  const [name, value] = at < 0 ? [text, '*'] : [text.slice(0, at), text.slice(at + 1)]
  if (name === '') throw mustBe('NAME=VALUE or NAME')
  const before = previous[name]
  return { ...previous, [name]: before === undefined ? value : [before, value].flat() }
}

/** `content-type: text/html`. */
function addHeader(text: string, previous: Record<string, string> = {}): Record<string, string> {
  const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(text) ?? []
  if (name === undefined) throw new InvalidValue('It must be "name: value".')
  return { ...previous, [name]: value! }
}

/** JSON itself, or the contents of a file or of standard input: JSON, else a text. */
async function readBodyFlag(given: string | undefined): Promise<unknown> {
  if (given === undefined) return undefined
  const inline = jsonOf(given)
  if (inline) return inline.value
  const text = given === '-' ? await readText(process.stdin) : await readBodyFile(given)
  return (jsonOf(text) ?? { value: text }).value
}

function jsonOf(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

const readBodyFile = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw usageError(`--body: must be JSON, a file or -; cannot read ${printable(file)} (${error.code})`)
  })

const callOf = ({ method, path: address, query = {}, body }: Stub['match']): string => {
  const parameters = Object.entries(query).flatMap(([name, values]) => [values].flat().map((one) => `${name}=${one}`))
  const target = parameters.length > 0 ? `${address}?${parameters.join('&')}` : address
  return `${method ?? 'any'} ${target}${body === undefined ? '' : ` with ${JSON.stringify(body)}`}`
}

const formatStub = ({ match, answer, ...rest }: Stub): Output => [
  fields({
    id: rest.id,
    call: callOf(match),
    status: answer.status,
    ...(answer.headers && { headers: JSON.stringify(answer.headers) }),
    template: answer.template ? 'yes' : 'no',
    ...{ times: rest.times ?? 'no limit', order: rest.order, override: rest.override, access: rest.access },
    hits: rest.hits,
    ...(rest.proposed && { proposed: 'yes' }),
  }),
  `answers: ${printable(answer.body === undefined ? 'nothing' : bodyText(answer.body))}`,
  ...warningsOf([{ match, answer, ...rest }]),
]

const warningsOf = (stubs: readonly Stub[]): string[] =>
  stubs.flatMap(({ id, shadowed_by: by }) =>
    by === undefined ? [] : [`warning: stub ${id} never answers: stub ${by}, which comes first, answers all its calls`],
  )
const bodyText = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body))

const formatStubs = (stubs: readonly Stub[]): Output => [
  table(
    ['id', 'call', 'status', 'order', 'times', 'hits', 'override', 'proposed'],
    stubs.map(({ id, match, answer, order, times, hits, override, proposed }) => [
      ...[id, callOf(match), answer.status ?? 200, order ?? 0, times, hits ?? 0],
      override ? 'yes' : 'no',
      proposed ? 'yes' : 'no',
    ]),
  ),
  ...warningsOf(stubs),
]

/** Creates them one after the other, in their order. */
async function createAll(client: Client, stubs: readonly Stub[]): Promise<Stub[]> {
  const created: Stub[] = []
  for (const stub of stubs) created.push(await client.call('POST /stubs', stub))
  return created
}

function formatImport({ stubs, skipped, dry_run }: ImportResult): Output {
  const made = `${stubs.length} ${stubs.length === 1 ? 'stub' : 'stubs'}`
  return [
    ...(stubs.length > 0 ? [formatStubs(stubs)] : []),
    dry_run ? `${made} would be made` : `${made} made`,
    ...skipped.map(({ what, why }) => `skipped ${printable(what)}: ${printable(why)}`),
  ]
}

const answerOf = async ({ status, header, body, template }: Flags): Promise<Stub['answer']> => ({
  status,
  headers: header,
  body: await readBodyFlag(body),
  template,
})

export const stubCommands = [
  defineCommand<{ results: Stub[]; built_in: Schemas['BuiltInAnswer'][] }>({
    name: 'stub list',
    description: 'List the built-in answers without state, then the stubs in the order in which they are matched',
    isDefault: true,
    examples: ['stub list'],
    async run({ client }) {
      const { results: built_in } = await client.call('GET /stubs/built_in?limit=1000')
      const { results }: { results: Stub[] } = await client.call('GET /stubs?limit=1000')
      return { results, built_in }
    },
    format: ({ results, built_in }) => [
      'built in, without state; a stub of the same path replaces it:',
      table(
        ['call', 'status', 'answer'],
        built_in.map(({ method, path, status, summary }) => [`${method} ${path}`, status, summary]),
      ),
      '',
      formatStubs(results),
    ],
  }),
  defineCommand<Stub>({
    name: 'stub add',
    description: 'Answer calls that the API does not have',
    args: [
      ['<method>', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, or any', (text) => text.toUpperCase()],
      ['<path>', 'path of the calls; {name} matches one part, * at the end the rest'],
    ],
    flags: [
      { flags: '--query <name=value>', description: 'only calls with this parameter; repeatable', parse: addQuery },
      { flags: '--sent <json>', description: 'only calls whose body has these members', parse: parseJson },
      { flags: '--status <number>', description: 'status of the answer', parse: integer(200, 599) },
      { flags: '--header <name: value>', description: 'header of the answer; repeatable', parse: addHeader },
      { flags: '--body <body>', description: 'body of the answer: JSON, a file, or - for standard input' },
      { flags: '--template', description: 'the texts of the body are Mustache templates' },
      { flags: '--times <n>', description: 'how often it answers', parse: integer(1) },
      { flags: '--order <number>', description: 'the lowest of those that match answers', parse: integer(0) },
      { flags: '--override', description: 'also answer calls that the API has' },
      { flags: '--access <access>', description: 'token: calls need a token', parse: oneOf('public', 'token') },
      { flags: '--id <number>', description: 'number of the stub', parse: integer(1) },
    ],
    examples: [
      `stub add GET /seller-promotions/search --query seller --body '{"query":"{{query.seller}}","results":[]}' --template`,
      'stub add POST /seller-promotions/{id}/split --status 409 --times 1',
    ],
    async run({
      client,
      args: [method, address],
      flags: { query, sent, times, order, override, access, id, ...rest },
    }) {
      return client.call('POST /stubs', {
        id,
        match: { ...(method !== 'ANY' && { method }), path: address, query, body: sent },
        answer: await answerOf(rest),
        ...{ times, order, override, access },
      })
    },
    format: formatStub,
  }),
  defineCommand<Stub>({
    name: 'stub show',
    description: 'Print a stub with its answer',
    args: [['<id>', 'number of the stub', integer(1)]],
    examples: ['stub show 1'],
    run: ({ client, args: [id] }) => client.call(path`GET /stubs/${id}`),
    format: formatStub,
  }),
  defineCommand<ImportResult>({
    name: 'stub import',
    description: 'Make stubs from an OpenAPI document, a HAR file or a recording',
    args: [['<file>', 'JSON or YAML; recordings as they are']],
    flags: [
      { flags: '--dry-run', description: 'only print what would be made' },
      { flags: '--override', description: 'also of calls that the API has' },
      { flags: '--proposed', description: 'as proposals, which answer with start --miss propose, or once accepted' },
      { flags: '--host <host>', description: 'of a HAR file: only calls to this host' },
    ],
    examples: ['stub import orders.yaml --dry-run', 'stub import session.har --host api.example.com'],
    async run({ client, args: [file], flags: { dryRun = false, override, proposed, host } }) {
      const { readStubs } = await import('../../stub_import/index.ts')
      const { stubs: read, skipped } = await readStubs(file, { host, override })
      const stubs = proposed ? read.map((stub) => ({ ...stub, proposed })) : read
      return { stubs: dryRun ? stubs : await createAll(client, stubs), skipped, dry_run: dryRun }
    },
    format: formatImport,
  }),
  defineCommand<{ results: Miss[] }>({
    name: 'stub misses',
    description: 'List calls that neither the API nor a stub has answered, latest first',
    examples: ['stub misses'],
    run: ({ client }) => client.call('GET /stubs/misses?limit=1000'),
    format: ({ results }) =>
      table(
        ['request', 'call', 'status', 'nearest stub', 'differs in'],
        results.map(({ request, near: [nearest] }) => [
          ...[request.id, callOf(request), request.status],
          ...(nearest ? [nearest.id, nearest.differences.map(({ what }) => what).join(', ')] : ['none', '']),
        ]),
      ),
  }),
  defineCommand<{ stubs: Stub[] }>({
    name: 'stub accept',
    description: 'Make proposed stubs ordinary ones: one, or all',
    args: [['[id]', 'number of the stub; default: all proposals', integer(1)]],
    examples: ['stub accept', 'stub accept 2'],
    async run({ client, args: [id] }) {
      const { results }: { results: Stub[] } = await client.call('GET /stubs?limit=1000')
      const ids = id === undefined ? results.filter((stub) => stub.proposed).map((stub) => stub.id!) : [id]
      const stubs: Stub[] = []
      for (const one of ids) stubs.push(await client.call(path`PATCH /stubs/${one}`, { proposed: false }))
      return { stubs }
    },
    format: ({ stubs }) => (stubs.length === 0 ? 'there are no proposals' : formatStubs(stubs)),
  }),
  defineCommand({
    name: 'stub delete',
    description: 'Delete a stub, or all stubs',
    args: [['[id]', 'number of the stub; default: all stubs', integer(1)]],
    examples: ['stub delete', 'stub delete 2'],
    run: ({ client, args: [id] }) => client.call(id === undefined ? 'DELETE /stubs' : path`DELETE /stubs/${id}`),
    format: (_, { args: [id] }) => (id === undefined ? 'all stubs are deleted' : `stub ${id} is deleted`),
  }),
]
