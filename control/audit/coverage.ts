import { type Static, Type } from '@sinclair/typebox'
import { Nullable, ResponseObject } from '../../domains/shared/schemas.ts'
import type { Language } from '../../http/errors/checks.ts'
import type { Journal } from '../../http/journal/journals.ts'
import { isDescribed, type Paths } from '../../http/paths.ts'
import { DroppedCount } from '../requests/schemas.ts'
import { assumptionsOf } from './assumptions.ts'
import { SITUATIONS } from './situations.ts'
import type { View } from './view.ts'

const count = Type.Integer({ description: 'How often', examples: [2] })

export const Coverage = ResponseObject(
  {
    calls: Type.Integer({ description: 'Recorded calls', examples: [12] }),
    dropped: DroppedCount,
    other: Type.Integer({ description: 'Those of no operation: stubs answered them, or nothing did', examples: [0] }),
    operations: Type.Array(
      ResponseObject(
        {
          call: Type.String({ description: 'Method and path', examples: ['GET /questions/search'] }),
          calls: count,
          typed: Type.Optional(
            Type.Boolean({
              description: 'true: its answers have no state. Only of operations that have it',
              examples: [true],
            }),
          ),
          answers: Type.Array(
            ResponseObject(
              {
                status: Nullable(Type.Integer(), { description: 'HTTP status; null: no answer', examples: [200] }),
                rule: Nullable(Type.String(), { description: 'The rule by which it was refused, or null' }),
                count,
              },
              { title: 'CoveredAnswer', description: 'Answers with the same status for the same reason' },
            ),
            { description: 'By status; none if the operation was not used' },
          ),
        },
        { title: 'CoveredOperation', description: 'An operation of the API, and how it was answered' },
      ),
      { description: 'All operations of the API; those without state only where they were called' },
    ),
    situations: Type.Array(
      ResponseObject(
        {
          id: Type.String({ description: 'Identifier', examples: ['rate_limited'] }),
          title: Type.String({ description: 'What happens' }),
          count,
          how: Type.String({ description: 'What brings it about here' }),
        },
        { title: 'Situation', description: 'What programs that make such calls meet sooner or later' },
      ),
      { description: 'Those that concern the programs; a count of 0: they have not met it' },
    ),
    assumptions: Type.Array(
      ResponseObject(
        {
          name: Type.String({ description: 'Name of the assumption', examples: ['calls.dates'] }),
          call: Type.String({ description: 'Method and path', examples: ['GET /items/:item_id/contacts/phone_views'] }),
          count,
        },
        { title: 'UsedAssumption', description: 'An assumption that calls of an operation rest on' },
      ),
      { description: 'By name, each operation once' },
    ),
  },
  { title: 'Coverage', description: 'Which calls and situations the programs that use a world have met' },
)
export type Coverage = Static<typeof Coverage>

interface CoveredAnswer {
  /** `GET /questions/search` */
  call: string
  status: number | null
  rule: string | null
  count: number
}

/** What was called, without texts. */
export interface Covered {
  calls: number
  dropped: number
  other: number
  /** Each kind of answer once, by call, status and rule. */
  answers: Map<string, CoveredAnswer>
  /** By situation that concerns the programs, how often they have met it. */
  situations: Map<string, number>
  /** By name of an assumption and operation, with a blank between them, how many calls rest on it. */
  assumptions: Map<string, number>
}

export const nothingCovered = (): Covered => ({
  ...{ calls: 0, dropped: 0, other: 0 },
  answers: new Map(),
  situations: new Map(),
  assumptions: new Map(),
})

export function measureCoverage(view: View, { requests }: Journal): Covered {
  const { calls } = view
  const answers: Covered['answers'] = new Map()
  let other = 0
  for (const { route, entry } of calls)
    if (route === undefined) other++
    else addAnswer(answers, { call: route, status: entry.status, rule: entry.violation?.rule ?? null, count: 1 })
  const concerning = SITUATIONS.filter(({ concerns }) => calls.length > 0 && (concerns?.(view) ?? true))
  return {
    ...{ calls: calls.length, dropped: requests.dropped, other, answers },
    situations: new Map(concerning.map(({ id, count }) => [id, count(view)])),
    assumptions: new Map(
      assumptionsOf(view).flatMap(([name, calls]) =>
        [...Map.groupBy(calls, ({ route }) => route)].map(
          ([route, { length }]) => [`${name} ${route}`, length] as const,
        ),
      ),
    ),
  }
}

function addAnswer(answers: Covered['answers'], answer: CoveredAnswer): void {
  const key = [answer.call, answer.status, answer.rule].join(' ')
  answers.set(key, { ...answer, count: answer.count + (answers.get(key)?.count ?? 0) })
}

/** Adds what was called in a world to a sum. */
export function addCovered(sum: Covered, covered: Covered): void {
  for (const name of ['calls', 'dropped', 'other'] as const) sum[name] += covered[name]
  for (const answer of covered.answers.values()) addAnswer(sum.answers, answer)
  for (const part of ['situations', 'assumptions'] as const)
    for (const [id, n] of covered[part]) sum[part].set(id, (sum[part].get(id) ?? 0) + n)
}

/** With all operations of the emulated API, by their paths. */
export function presentCoverage(
  { answers, situations, assumptions, ...counts }: Covered,
  paths: Paths,
  language: Language,
): Coverage {
  const byCall = Map.groupBy(answers.values(), ({ call }) => call)
  const operations = paths
    .all()
    .filter(isDescribed)
    .flatMap(({ url, routes }) =>
      [...routes].flatMap(([method, { config }]) => {
        const call = `${method} ${url}`
        const typed = config?.typed === true
        return config?.internal || (typed && !byCall.has(call)) ? [] : { call, typed }
      }),
    )
    .sort((a, b) => (pathIn(a.call) < pathIn(b.call) ? -1 : 1))
    .map(({ call, typed }) => {
      const found = (byCall.get(call) ?? []).map(({ call: _, ...answer }) => answer)
      const total = found.reduce((sum, { count }) => sum + count, 0)
      return {
        call,
        calls: total,
        ...(typed && { typed }),
        answers: found.sort((a, b) => (a.status ?? 0) - (b.status ?? 0)),
      }
    })
  return {
    ...counts,
    operations,
    situations: SITUATIONS.flatMap(({ id, text }) => {
      const count = situations.get(id)
      return count === undefined ? [] : [{ id, ...text[language], count }]
    }),
    assumptions: [...assumptions].sort().map(([key, count]) => {
      const [name, ...call] = key.split(' ')
      return { name: name!, call: call.join(' '), count }
    }),
  }
}

const pathIn = (call: string): string => call.slice(call.indexOf(' ') + 1)
