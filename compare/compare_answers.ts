import type { BuiltWorld } from './build_world.ts'
import type { Answer, RecordedCall } from './calls.ts'
import { compareValues, type Difference } from './compare_values.ts'
import type { Fact } from './facts.ts'
import { isInvented } from './invented.ts'

/** How the answer of this server differs from the recorded one. */
export function compareAnswers(call: RecordedCall, answered: Answer, built: BuiltWorld): Difference[] {
  const { answer: recorded, method, line } = call
  if (recorded.status !== answered.status)
    return [{ kind: 'status', place: 'status', recorded: describe(recorded), answered: describe(answered) }]
  const headers = compareHeaders(recorded.headers, answered.headers)
  if (method === 'HEAD' || line.compare === 'status' || recorded.json === undefined) return headers
  return [
    ...headers,
    ...(method === 'OPTIONS' ? compareMembers(recorded, answered) : compareBodies(call, answered, built)),
  ]
}

/** `404 not_found`. */
function describe({ status, json }: Answer): string {
  const { error, code, message } = (json ?? {}) as Fact
  const text = message ?? error ?? code
  return status < 400 || typeof text !== 'string' ? String(status) : `${status} ${text}`
}

const mediaType = (type: string | undefined): string | undefined => type?.toLowerCase().replace(/\s/g, '')

function compareHeaders(recorded: Record<string, string>, answered: Record<string, string>): Difference[] {
  const [one, other] = [mediaType(recorded['content-type']), mediaType(answered['content-type'])]
  return one === undefined || other === undefined || one === other
    ? []
    : [{ kind: 'header', place: 'content-type', recorded: one, answered: other }]
}

/** Descriptions are texts for people: their members are compared. */
const compareMembers = (recorded: Answer, answered: Answer): Difference[] =>
  compareValues(membersOf(recorded.json), membersOf(answered.json), {
    ...{ isInvented: () => true, isWhole: () => false, hasAll: () => false, isOrdered: false, isError: false },
  })

const membersOf = (json: unknown): unknown =>
  typeof json === 'object' && json !== null && !Array.isArray(json)
    ? Object.fromEntries(Object.entries(json).map(([name, value]) => [name, Array.isArray(value) ? [] : typeof value]))
    : json

function compareBodies(call: RecordedCall, { json }: Answer, built: BuiltWorld): Difference[] {
  const { route, query, isWrite, line } = call
  const recorded = call.answer.json
  const [one, other] = [pageOf(recorded, query), pageOf(json, query)]
  const isSure = isKnown(call, built)
  const isPartial = one.total !== undefined && other.total !== undefined && one.total > other.total
  const kind = { isWrite, isSandbox: line.headers['x-sandbox'] !== undefined }
  // Other ids of users have another order.
  const hasOtherOrder =
    /from_id|seller_id/.test(query.get('sort_fields') ?? '') || route.template.endsWith('/questions_blacklist')
  const isUnclear = (place: string) =>
    /total$/.test(place) && subjectsOf(call).some((subject) => built.unclear.has(subject))
  return compareValues(recorded, json, {
    isInvented: (place) =>
      isInvented(route.template, place, kind) ||
      isUnclear(place) ||
      // Only a part of what exists has been seen, or of what was seen.
      (/^(paging\.)?total$/.test(place) && (isPartial || !isSure)),
    isWhole: (_place, elements) => isSure && !hasOtherOrder && (one.limit === undefined || elements.length < one.limit),
    hasAll: (elements) =>
      !hasOtherOrder &&
      !(isPartial && one.offset > 0) &&
      (isSure || other.limit === undefined || elements.length < other.limit),
    isOrdered: !hasOtherOrder && (!route.template.endsWith('/items/search') || isSure),
    isError: call.answer.status >= 400,
  })
}

/** The part of a list that an answer has. */
function pageOf(json: unknown, query: URLSearchParams) {
  const { paging, filters, ...rest } = (json ?? {}) as Fact
  const number = (value: unknown) => (typeof value === 'number' ? value : undefined)
  return {
    total: number(paging?.total ?? rest.total),
    limit: number(paging?.limit ?? rest.limit),
    offset: query.has('scroll_id') ? 0 : (number(paging?.offset ?? filters?.offset) ?? 0),
  }
}

/** Whether everything is known that decides which elements the list has. */
function isKnown({ route, query, token }: RecordedCall, { incomplete, tokensWithHidden }: BuiltWorld): boolean {
  if (route.template.endsWith('questions/search')) return token === undefined || !tokensWithHidden.has(token)
  if (route.template.endsWith('/items/search')) return !incomplete.items
  return !(route.template === '/vis/loans/search' && query.get('status') !== 'all' && incomplete.leads)
}

/** `item MLA1 questions`. */
function subjectsOf({ route: { template, params }, query }: RecordedCall): string[] {
  const [, kind] = /\/contacts\/(\w+)/.exec(template) ?? []
  if (kind === undefined) return []
  const items = [params.item_id ?? '', ...query.getAll('ids').flatMap((ids) => ids.split(','))]
  return [...items.map((id) => `item ${id.trim()} ${kind}`), `user ${params.user_id} ${kind}`]
}
