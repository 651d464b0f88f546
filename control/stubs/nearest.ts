import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import type { World } from '../../db/world.ts'
import { controlCall, Page, PagingQuery, viewable } from '../../domains/shared/control_schemas.ts'
import { pageOf } from '../../domains/shared/paging.ts'
import { ResponseObject } from '../../domains/shared/schemas.ts'
import type { Entry } from '../../http/journal/journal_entry.ts'
import type { Journals } from '../../http/journal/journals.ts'
import { redactTokens } from '../../http/journal/redaction.ts'
import { type Difference, difference } from '../../http/stubs/expected_values.ts'
import { matchPath, type StubCall, stubDifferences } from '../../http/stubs/stubs.ts'
import { redactedBody, redactedQuery } from '../requests/schemas.ts'
import { CallSummary, DifferenceSchema, summarize } from '../requests/verify_schemas.ts'
import { type CountedStub, stubPage } from './operations.ts'
import { config, MAX_STUBS } from './schemas.ts'

const MAX_NEAREST = 3
/** More than any number of other differences: it is a different call. */
const PATH_DISTANCE = 1000

export const NearStub = ResponseObject(
  {
    id: Type.Integer({ description: 'Number of the stub', examples: [1] }),
    path: Type.String({ description: 'Its path', examples: ['/orders/{order_id}'] }),
    differences: Type.Array(DifferenceSchema, {
      description:
        'What kept it from answering; `times`: it has answered as often as it may; `proposed`: it is not accepted. At most 20',
    }),
  },
  { title: 'NearStub', description: 'A stub that nearly matches' },
)

export type NearStub = Static<typeof NearStub>

/** Whether the API has no such call. */
const isUnknown = ({ stub_id, violation }: Entry): boolean =>
  stub_id === null && (violation?.rule === 'http.errors.unknown_path' || violation?.rule === 'http.errors.wrong_method')

/** All stubs of a world, to look for those near its calls. */
export const readStubs = async ({ read }: World): Promise<CountedStub[]> =>
  (await stubPage(read, { limit: MAX_STUBS, offset: 0 })).stubs

/** The stubs that would have answered a recorded call if few of its members were different; the nearest first. */
export function nearestStubs(stubs: readonly CountedStub[], entry: Entry): NearStub[] {
  if (entry.stub_id !== null) return []
  const call = {
    method: entry.method,
    path: redactTokens(entry.url.split('?', 1)[0]!),
    query: redactedQuery(entry),
    body: redactedBody(entry),
  }
  return stubs
    .filter((stub) => (isUnknown(entry) ? isNearPath(stub.path, call.path) : isOverride(stub, call)))
    .map((stub) => ({ stub, differences: differencesOf(stub, call) }))
    .filter(({ differences }) => differences.length > 0)
    .sort((a, b) => distance(a.differences) - distance(b.differences))
    .slice(0, MAX_NEAREST)
    .map(({ stub: { id, path }, differences }) => ({ id, path, differences }))
}

/** For a call that the API has, only its own stubs are near. */
const isOverride = ({ override, path, method }: CountedStub, call: StubCall): boolean =>
  override && (method === null || method === call.method) && matchPath(path, call.path) !== undefined

/** At most one part differs, or is missing or too many, and another is the same. */
function isNearPath(pattern: string, path: string): boolean {
  if (matchPath(pattern, path)) return true
  const expected = pattern.split('/').slice(1)
  const sent = path.split('/').slice(1)
  const same = expected.filter((part, n) => part === sent[n]).length
  const fitting = expected.filter((part, n) => part === sent[n] || (part.startsWith('{') && sent[n])).length
  return same > 0 && Math.max(expected.length, sent.length) - fitting <= 1
}

function differencesOf(stub: CountedStub, call: StubCall): Difference[] {
  const { times, hits, proposed } = stub
  const isUsedUp = times !== null && hits >= times
  return [
    ...stubDifferences(stub, call),
    ...(isUsedUp ? [difference('times', times, hits)] : []),
    ...(proposed ? [difference('proposed', false, true)] : []),
  ]
}

const distance = (differences: Difference[]): number =>
  differences.reduce((sum, { what }) => sum + (what === 'path' ? PATH_DISTANCE : 1), 0)

const MissedCall = ResponseObject(
  {
    request: CallSummary,
    near: Type.Array(NearStub, { description: 'The stubs that nearly match, the nearest first; at most 3' }),
  },
  { title: 'MissedCall', description: 'A call that was answered with 404 or 405' },
)

/** The calls for which stubs are missing. */
export const misses: FastifyPluginAsyncTypebox<{ journals: Journals }> = async (app, { journals }) => {
  app.get(
    '/stubs/misses',
    controlCall(viewable(config), {
      summary: 'List calls that neither the API nor a stub has answered',
      description:
        'The recorded calls whose path or method the emulated API does not have, the latest first, each with the stubs that nearly match and what differs.',
      querystring: Type.Object(PagingQuery),
      answer: Page(MissedCall, 'Calls'),
    }),
    async ({ world, query }) => {
      const missed = journals.of(world.generation).requests.values().filter(isUnknown).reverse()
      const stubs = await readStubs(world)
      return pageOf(missed, query, (entry) => ({ request: summarize(entry), near: nearestStubs(stubs, entry) }))
    },
  )
}
