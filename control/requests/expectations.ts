import type { Entry } from '../../http/journal/journal_entry.ts'
import { compareValues, type Difference, MAX_DIFFERENCES, queryTexts } from '../../http/stubs/expected_values.ts'
import { matchesFilter, redactedBody, redactedPath, redactedQuery } from './schemas.ts'

/** An expected request; absent members match anything. */
interface ExpectedRequest {
  method?: string | undefined
  path: string
  /** Query parameters that it must have, with their values. */
  query?: Record<string, unknown> | undefined
  /** Members that objects of its body must have, and all elements of arrays. */
  body?: unknown
  /** Status of its answer, 0 if there was none; or a class of statuses. */
  status?: number | StatusClass | undefined
}

export const STATUS_CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const
export type StatusClass = (typeof STATUS_CLASSES)[number]

/** Weight of a wrong path or method: more than any number of members, because it means a different call. */
const ADDRESS_MISMATCH_DISTANCE = 1_000_000
/** The differences between a request and the expectation; empty if it matches. */
export function differences(expected: ExpectedRequest, entry: Entry): Difference[] {
  const { method, path, query = {}, status } = expected
  const found: Difference[] = []
  if (!matchesFilter({ method }, entry)) found.push({ what: 'method', expected: method, actual: entry.method })
  if (!matchesFilter({ path }, entry)) found.push({ what: 'path', expected: path, actual: redactedPath(entry) })
  const sent = redactedQuery(entry)
  for (const [name, value] of Object.entries(query)) {
    compareValues(`query.${name}`, queryTexts(value), Object.hasOwn(sent, name) ? sent[name] : undefined, found)
  }
  if (expected.body !== undefined) compareValues('body', expected.body, redactedBody(entry), found)
  if (status !== undefined && !matchesStatus(status, entry))
    found.push({ what: 'status', expected: status, actual: entry.status })
  return found
}

/** `expected`: a status, 0 for no answer, or a class. */
export const matchesStatus = (expected: number | StatusClass, { status }: Pick<Entry, 'status'>): boolean =>
  expected === (status ?? 0) || expected === `${Math.floor((status ?? 0) / 100)}xx`

/** Whether a request matches. Parses the body only if the URL matches. */
export const matchesExpected = (expected: ExpectedRequest, entry: Entry): boolean =>
  matchesFilter(expected, entry) && differences(expected, entry).length === 0

type FindDifferences = (entry: Entry) => Difference[]

/** The requests with the fewest differences from the expectation, the best first; the latest first among equals. */
export function nearest(
  expected: ExpectedRequest,
  misses: Entry[],
  limit: number,
  differencesOf: FindDifferences,
): { entry: Entry; differences: Difference[] }[] {
  return misses
    .map((entry) => ({ entry, distance: distance(expected, entry, differencesOf) }))
    .sort((a, b) => a.distance - b.distance || b.entry.id - a.entry.id)
    .slice(0, limit)
    .map(({ entry }) => ({ entry, differences: differencesOf(entry).slice(0, MAX_DIFFERENCES) }))
}

function distance(expected: ExpectedRequest, entry: Entry, differencesOf: FindDifferences): number {
  const path = redactedPath(entry)
  const isPathMatch = matchesFilter({ path: expected.path }, entry)
  const method = matchesFilter({ method: expected.method }, entry) ? 0 : ADDRESS_MISMATCH_DISTANCE / 2
  // The other members are compared only if the path matches.
  if (isPathMatch) return method + differencesOf(entry).length
  return ADDRESS_MISMATCH_DISTANCE * 2 + method - commonPrefixLength(expected.path, path)
}

/** Length of the common prefix of two paths. */
function commonPrefixLength(a: string, b: string): number {
  let n = 0
  while (n < a.length && n < b.length && a[n] === b[n]) n++
  return n
}

/** The value that `path`, `path.2`, `user_id`, `query.item` or `body.question_id` selects; undefined if there is none. */
export function memberOfCall(entry: Entry, name: string): unknown {
  const [place, ...rest] = name.split('.')
  if (place === 'user_id') return entry.user_id ?? undefined
  if (place === 'path') return partOfPath(redactedPath(entry), name)
  const member = rest.join('.')
  if (place === 'query') return memberOf(redactedQuery(entry), member)
  return rest.reduce(memberOf, redactedBody(entry))
}

/** The whole path, or with `path.N` its Nth part, from 1. */
export function partOfPath(path: string, name: string): string | undefined {
  const n = name.split('.')[1]
  return n === undefined ? path : path.split('/')[Number(n)]
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
