import type { World } from '../../db/world.ts'
import { badParameter, forbidden } from '../../http/errors/errors.ts'
import type { Caller } from '../../http/fastify_types.ts'
import { checkDepth, checkScanOffset, createScrollId, parseScrollId } from '../shared/paging.ts'
import { parseInstantParameter, splitCommaLists } from '../shared/schemas.ts'
import { presentFound } from './present.ts'
import { type Criteria, type Cursor, findQuestions, type Sort } from './search_queries.ts'
import { type FoundQuestions, type SearchQuery, SORT_FIELDS, type SortField } from './search_schemas.ts'
import { QUESTION_STATUSES } from './tables.ts'
import { unansweredSince } from './unanswered_queries.ts'

const DEFAULT_SORT: Sort[] = [{ id: 'date_created', type: 'DESC' }]

/** One page of a search. Throws 400 for a parameter, 403 for another seller [spec: questions.search.rights]. */
export async function search(world: World, { user_id }: Caller, query: SearchQuery): Promise<FoundQuestions> {
  const { limit, offset = 0 } = query
  checkScanOffset(world, query, 'questions.search.scan_offset')
  // Clients that scan may send an empty scroll_id with the first call.
  const scroll_id = query.scroll_id || undefined
  const isScan = query.search_type === 'scan' || scroll_id !== undefined
  if (!isScan) checkDepth({ limit, offset }, 'questions.search.paging')
  const requested = { sort: sortsOf(query), criteria: criteriaOf(query, user_id) }
  const scan = scroll_id === undefined ? undefined : scanOf(world, scroll_id, user_id)
  const { criteria, sort: sorts } = scan ?? requested
  const sort = sorts.length > 0 ? sorts : DEFAULT_SORT

  const after = scan?.after
  const page = isScan ? { limit: limit + 1, offset: 0, after } : { limit, offset }
  const visible = await withoutGone(world, criteria)
  const { total, rows } = await findQuestions(world.read, visible, sort, page)
  const questions = rows.slice(0, limit)
  return {
    total,
    limit,
    questions: questions.map(presentFound),
    ...presentFilters(criteria, { limit, offset: page.offset, sorts, caller: user_id }),
    ...(isScan && {
      scroll_id:
        rows.length > limit
          ? scrollIdOf(world, { caller: user_id, criteria, sort: sorts, after: questions.at(-1) ?? after })
          : null,
    }),
  }
}

/** The criteria without the questions that are gone [spec: questions.unanswered_life]. */
async function withoutGone(world: World, criteria: Criteria): Promise<Criteria> {
  const { status, since = 0 } = criteria
  if (status !== undefined && status !== 'UNANSWERED') return criteria
  const first = await unansweredSince(world.read, world)
  if (first === undefined) return criteria
  return status === undefined ? { ...criteria, unansweredSince: first } : { ...criteria, since: Math.max(since, first) }
}

function criteriaOf(query: SearchQuery, caller: number): Criteria {
  const item = query.item ?? query.item_id
  const status = query.status?.toUpperCase() as Criteria['status']
  const since = optionalInstant('date_created.from', query['date_created.from'])
  const until = optionalInstant('date_created.to', query['date_created.to'])
  if (since !== undefined && until !== undefined && since > until)
    throw badParameter('date_created.from', 'must not be after date_created.to', 'questions.search.period')
  const { seller_id, from } = query
  if (seller_id !== undefined && seller_id !== caller) throw forbidden('questions.search.rights')
  const isReceivedByDefault = item === undefined && from === undefined
  const seller = seller_id ?? (isReceivedByDefault ? caller : undefined)
  return {
    ...(seller !== undefined && { seller, unhidden: true as const }),
    ...(item !== undefined && { item }),
    ...(from !== undefined && { from }),
    ...(status && { status }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(seller === undefined && from !== undefined && { party: caller }),
    // Deleted and banned questions are visible to their seller only [spec: questions.visibility].
    ...(seller === undefined && (status === 'DELETED' || status === 'BANNED') && { owner: caller }),
  }
}

const optionalInstant = (name: string, text: string | undefined): number | undefined =>
  text === undefined ? undefined : parseInstantParameter(name, text)

/** `DATE_CREATED_DESC`: a field may end with its direction. */
const SORTED_FIELD = /^(.*?)(?:_(asc|desc))?$/

function sortsOf({ sort_fields = [], sort_types = [] }: SearchQuery): Sort[] {
  const sorted = splitCommaLists(sort_fields).map((field) => SORTED_FIELD.exec(field.toLowerCase())!)
  const fields = sorted.map(([, field]) => field!)
  const types = splitCommaLists(sort_types).map((type) => type.toUpperCase())
  if (!fields.every(isSortField)) throw invalidSort('sort_fields', `must be some of ${SORT_FIELDS.join(', ')}`)
  if (new Set(fields).size < fields.length) throw invalidSort('sort_fields', 'must not name a field twice')
  if (!types.every(isDirection)) throw invalidSort('sort_types', 'must be ASC or DESC')
  if (types.length > 1 && types.length !== fields.length)
    throw invalidSort('sort_types', 'must be one, or as many as sort_fields')
  if (fields.length === 0 && types.length === 1) fields.push('date_created')
  const typeOf = (n: number) => types[n] ?? types[0] ?? sorted[n]?.[2]?.toUpperCase() ?? 'DESC'
  return fields.map((id, n) => ({ id: id as SortField, type: typeOf(n) as Sort['type'] }))
}
const invalidSort = (name: string, problem: string) => badParameter(name, problem, 'questions.search.sort_lists')
const isSortField = (name: string): name is SortField => SORT_FIELDS.includes(name as SortField)
const isDirection = (name: string): name is Sort['type'] => name === 'ASC' || name === 'DESC'

const FILTERS: (FoundQuestions['available_filters'][number] & { id: 'from' | 'seller' | 'item' | 'status' })[] = [
  { id: 'from', name: 'From user id', type: 'number' },
  { id: 'seller', name: 'Seller id', type: 'number' },
  { id: 'item', name: 'Item', type: 'text' },
  { id: 'status', name: 'Status', type: 'text', values: [...QUESTION_STATUSES] },
]

/** The applied filters and sorts, and the available ones [spec: questions.search.applied]. */
function presentFilters(
  { item, seller, from, status }: Criteria,
  { limit, offset, sorts, caller }: { limit: number; offset: number; sorts: Sort[]; caller: number },
): Pick<FoundQuestions, 'filters' | 'available_filters' | 'available_sorts'> {
  const applied = {
    ...(item !== undefined && { item }),
    ...(seller !== undefined && { seller }),
    ...(from !== undefined && { from }),
    ...(status !== undefined && { status }),
  }
  return {
    filters: { limit, offset, api_version: '4', is_admin: false, sorts, caller, ...applied },
    available_filters: FILTERS.filter(({ id }) => !Object.hasOwn(applied, id)),
    available_sorts: [...SORT_FIELDS],
  }
}

/** The state of a scan: search, caller and the last row of the pages so far; undefined before the first row. */
interface Scan {
  caller: number
  criteria: Criteria
  sort: Sort[]
  after: Cursor | undefined
}

const SCROLL = { purpose: 'scroll', rule: 'questions.search.scroll_id' } as const

/** The `scroll_id` of the next page. */
const scrollIdOf = (world: World, { caller, criteria, sort, after }: Scan): string =>
  createScrollId(world, SCROLL, { caller, criteria, sort, after: after && cursorOf(after) } as Scan)

/** The scan in a `scroll_id`. Throws 400 if it is of another world or caller, or expired. */
const scanOf = (world: World, scroll_id: string, caller: number): Scan =>
  parseScrollId<Scan>(world, SCROLL, scroll_id, caller)

const cursorOf = ({ id, item_id, seller_id, from_id, date_created }: Cursor): Cursor => ({
  id,
  item_id,
  seller_id,
  from_id,
  date_created,
})
