import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { World } from '../../db/world.ts'
import { keepsState, viewable } from '../../domains/shared/control_schemas.ts'
import { DURATION_MESSAGE, readDuration } from '../../domains/shared/durations.ts'
import { errorResponses, ResponseObject } from '../../domains/shared/schemas.ts'
import { isTooDeep, MAX_LEVELS } from '../../domains/shared/texts.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { type Entry, isByAgent } from '../../http/journal/journal_entry.ts'
import type { Journals } from '../../http/journal/journals.ts'
import type { Paths } from '../../http/paths.ts'
import type { Difference } from '../../http/stubs/expected_values.ts'
import { checkKnown } from '../known_paths.ts'
import { differences, matchesExpected, memberOfCall, nearest } from './expectations.ts'
import { describeAfter, findPredecessors, type Predecessors, textOf } from './predecessors.ts'
import { config, DroppedCount, presentRequest, RecordedRequest } from './schemas.ts'
import {
  describeCall,
  Expectation,
  MAX_GROUPS,
  MAX_MISSES,
  MAX_REQUESTS,
  MatchedCount,
  summarize,
  VerificationFailed,
} from './verify_schemas.ts'

/** The calls that count, by the value of `per`; null without `per`, or where a call has no such member. */
type Groups = Map<string | null, Entry[]>

interface Search {
  expected: Expectation
  bounds: Bounds
  predecessors: Predecessors | undefined
}

async function readExpectation(world: World, entries: Entry[], expected: Expectation): Promise<Search> {
  const { after, within, per } = expected
  for (const [name, call] of Object.entries({ '': expected, 'after.': after ?? {} }))
    for (const member of ['body', 'query'] as const)
      if (isTooDeep((call as Partial<Expectation>)[member]))
        throw badRequest(`${name}${member}: must have at most ${MAX_LEVELS} levels`)
  if (within !== undefined && !after) throw badRequest('within: needs after')
  if (after?.per !== undefined && per === undefined) throw badRequest('after.per: needs per')
  const ms = within === undefined ? Number.POSITIVE_INFINITY : readDuration(within)
  if (ms === undefined || ms < 0) throw badRequest(`within: ${DURATION_MESSAGE}`)
  return {
    expected,
    bounds: readBounds(expected),
    predecessors: after && (await findPredecessors(world, entries, after, ms)),
  }
}

const groupOf = ({ expected: { per } }: Search, entry: Entry): string | null =>
  per === undefined ? null : textOf(memberOfCall(entry, per))

/** All differences between a call and the expectation; `group` is the value of `per` that it should have. */
function differencesFrom(search: Search, entry: Entry, group: string | null): Difference[] {
  const { expected, predecessors } = search
  const value = groupOf(search, entry)
  return [
    ...differences(expected, entry),
    ...(expected.per !== undefined && value !== group
      ? [{ what: expected.per, expected: group, ...(value !== null && { actual: value }) }]
      : []),
    ...(predecessors?.differences(entry, value) ?? []),
  ]
}

function groupCalls(search: Search, entries: Entry[]): Groups {
  const { expected, predecessors } = search
  const groups: Groups = new Map(predecessors?.values().map((value) => [value, []]))
  if (expected.per === undefined) groups.set(null, [])
  for (const entry of entries) {
    const value = groupOf(search, entry)
    if (!matchesExpected(expected, entry) || predecessors?.differences(entry, value).length) continue
    const group = groups.get(value)
    if (group) group.push(entry)
    else groups.set(value, [entry])
  }
  // Without calls there is no value, and their number is 0.
  if (groups.size === 0) groups.set(null, [])
  return groups
}

/** `exactly 1 request of POST /answers per body.question_id after an event of questions within 5000 ms`. */
function describe({ expected, bounds }: Search): string {
  const { per, after, within } = expected
  return [
    `${describeBounds(bounds)} of ${describeCall(expected)}`,
    ...(per === undefined ? [] : [`per ${per}`]),
    ...(after ? [`after ${describeAfter(after)}`] : []),
    ...(within === undefined ? [] : [`within ${readDuration(within)} ms`]),
  ].join(' ')
}

const presentMiss = (entry: Entry, differences: Difference[]) => ({ request: summarize(entry), differences })

/** The calls that explain why the number in a group is wrong. */
function explainGroup(search: Search, entries: Entry[], [value, matched]: [string | null, Entry[]]) {
  if (matched.length > search.bounds.max) return matched.slice(-MAX_MISSES).map((entry) => presentMiss(entry, []))
  const misses = entries.filter((entry) => !matched.includes(entry))
  return nearest(search.expected, misses, MAX_MISSES, (entry) => differencesFrom(search, entry, value)).map(
    ({ entry, differences }) => presentMiss(entry, differences),
  )
}

function presentFailure(search: Search, entries: Entry[], groups: Groups, dropped: number) {
  const failed = [...groups].filter(([, { length }]) => !isWithin(search.bounds, length))
  const [first] = failed
  const { per } = search.expected
  const inGroup = per === undefined || first![0] === null ? '' : ` for ${first![0]}`
  return {
    message: `Expected ${describe(search)}; found ${first![1].length}${inGroup} among ${entries.length}${dropped > 0 ? `, and ${dropped} earlier requests are no longer stored` : ''}`,
    error: 'verification_failed' as const,
    status: 409,
    cause: explainGroup(search, entries, first!),
    matched: countOf(groups),
    dropped,
    ...(per !== undefined && {
      groups: failed.slice(0, MAX_GROUPS).map(([value, { length }]) => ({ value, matched: length })),
    }),
  }
}

const countOf = (groups: Groups): number => [...groups.values()].reduce((sum, { length }) => sum + length, 0)

const verify: FastifyPluginAsyncTypebox<{ journals: Journals; paths: Paths }> = async (app, { journals, paths }) => {
  app.post(
    '/verify',
    {
      config: keepsState({ ...viewable(config), internal: true }),
      schema: {
        summary: 'Verify that calls were made',
        description:
          'Searches the requests of GET /requests, with secrets as `***`. A body of more than 8 KiB is compared as text. `per` counts the calls of each value of a member; `after` counts only calls that come after another call, or after an event (of the latest 2000 of the topic), and `within` only those that come soon enough in world time. 409 has the nearest requests and their differences.',
        body: Expectation,
        response: {
          200: ResponseObject(
            {
              matched: MatchedCount,
              dropped: DroppedCount,
              requests: Type.Array(RecordedRequest, {
                description: `The matching requests, oldest first; at most ${MAX_REQUESTS}`,
              }),
            },
            { title: 'Verified', description: 'The expectation is met' },
          ),
          409: VerificationFailed,
          ...errorResponses(400, 404),
        },
      },
    },
    async ({ world, body: expected }, reply) => {
      const { path, after, check_path } = expected
      for (const [member, called] of Object.entries({ path, 'after.path': after?.path }))
        if (check_path && called !== undefined) await checkKnown(member, called, { paths, world })
      const { requests } = journals.of(world.generation)
      const entries = requests.values().filter((entry) => expected.include_agent || !isByAgent(entry))
      const search = await readExpectation(world, entries, expected)
      const groups = groupCalls(search, entries)
      const { dropped } = requests
      if ([...groups.values()].some(({ length }) => !isWithin(search.bounds, length)))
        return reply.code(409).send(presentFailure(search, entries, groups, dropped))
      const matched = [...groups.values()].flat().sort((a, b) => a.id - b.id)
      return {
        matched: matched.length,
        dropped,
        requests: matched
          .slice(0, MAX_REQUESTS)
          .map((entry) => presentRequest({ generation: world.generation, requests }, entry)),
      }
    },
  )
}
export default verify

/** How many calls are expected. */
interface Bounds {
  min: number
  max: number
}

/** Throws 400 if they exclude each other. */
function readBounds({ times, at_least, at_most }: Expectation): Bounds {
  if (times !== undefined && (at_least !== undefined || at_most !== undefined))
    throw badRequest('times: cannot be combined with at_least or at_most')
  if (times !== undefined) return { min: times, max: times }
  const min = at_least ?? (at_most === undefined ? 1 : 0)
  const max = at_most ?? Number.POSITIVE_INFINITY
  if (min > max) throw badRequest('at_least: must not be above at_most')
  return { min, max }
}

const isWithin = ({ min, max }: Bounds, n: number): boolean => n >= min && n <= max

const requestCount = (n: number): string => `${n} ${n === 1 ? 'request' : 'requests'}`

/** `exactly 1 request`. */
function describeBounds({ min, max }: Bounds): string {
  if (min === max) return `exactly ${requestCount(min)}`
  if (max === Number.POSITIVE_INFINITY) return `at least ${requestCount(min)}`
  return min === 0 ? `at most ${requestCount(max)}` : `${min} to ${requestCount(max)}`
}
