import type { Paging } from '../../db/lists.ts'
import { badParameter, badRequest } from '../../http/errors/errors.ts'
import { parseInstant } from '../shared/instants.ts'
import { Limit, Offset } from '../shared/paging.ts'
import { foreignSeller, MAX_LEADS_PER_PAGE } from './errors.ts'
import { latestEnd, oldestSearchable } from './lifetime.ts'
import type { Criteria } from './queries.ts'
import { FINANCIAL_ENTITIES, LEAD_STATUSES, OTHER_ENTITY_NAME } from './tables.ts'

/** A parameter as text; undefined if it is absent. A repeated one is an array: its text has a comma, which none allows. */
function textParameter(query: object, name: string): string | undefined {
  const value = (query as Record<string, unknown>)[name]
  return value === undefined ? undefined : String(value)
}

interface LeadSearchRequest {
  criteria: Criteria
  page: Paging
  /** As they were sent. */
  date_from: string
  date_to: string
}

/** Parses a search. The order of the lines is the order of the checks [spec: credits.search.order]. */
export function parseSearch(query: object, caller: number, now: number): LeadSearchRequest {
  const seller_id = requireOwnSeller(query, caller)
  const date_from = textParameter(query, 'date_from') ?? ''
  const date_to = textParameter(query, 'date_to') ?? ''
  const from = parseSecond(date_from)
  if (from === undefined) throw invalidDate('date_from', 'credits.search.format')
  const to = parseSecond(date_to)
  if (to === undefined) throw invalidDate('date_to', 'credits.date_to')
  if (from > to) throw badRequest('credits.date_order', 'Invalid date range', 'date_from')
  if (to > latestEnd(from)) throw badRequest('credits.search.range', 'Date range cannot exceed 3 months', 'date_to')
  const item_id = textParameter(query, 'item_id')
  if (item_id !== undefined && !ITEM_PATTERN.test(item_id))
    throw badRequest('credits.search.item_id', 'item_id must match the item pattern M[A-Z]{2}[0-9]+', 'item_id')
  const status = textParameter(query, 'status') ?? 'approved'
  if (status !== 'all' && !isOneOf(LEAD_STATUSES, status))
    throw badRequest('credits.status', 'Invalid status', 'status')
  const entity = textParameter(query, 'financial_entity_id')
  const financial_entity_id = entity === OTHER_ENTITY_NAME ? 'MERCADO_PAGO' : entity
  if (financial_entity_id !== undefined && !isOneOf(FINANCIAL_ENTITIES, financial_entity_id))
    throw badRequest('credits.search.entities', 'Invalid financial entity', 'financial_entity_id')
  const page = { limit: parseLimit(query), offset: parseOffset(query) }
  return {
    criteria: {
      seller_id,
      since: Math.max(from, oldestSearchable(now)),
      // Dates have no milliseconds: the whole last second counts, but nothing later than now [spec: credits.dates].
      until: Math.min(to + 1000, now + 1),
      ...(item_id !== undefined && { item_id }),
      ...(status !== 'all' && { status }),
      ...(financial_entity_id !== undefined && { financial_entity_id }),
    },
    page,
    date_from,
    date_to,
  }
}

/** The seller id of a query. Throws 400 if it is missing or not the caller. */
export function requireOwnSeller(query: object, caller: number): number {
  if (textParameter(query, 'seller_id') !== String(caller)) throw foreignSeller()
  return caller
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The id of a lead in lower case. Throws 400 if it is not a UUID. */
export function parseLeadId(text: string): string {
  const id = text.toLowerCase()
  if (!UUID.test(id)) throw badRequest('credits.detail.id', 'id must match the UUID pattern', 'credit_id')
  return id
}

/** Any number of digits [spec: credits.search.item_id]. */
const ITEM_PATTERN = /^M[A-Z]{2}[0-9]+$/

const SECOND = /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d$/

/** Ms of a date-time without offset, UTC; undefined if it has another form or the date does not exist. */
const parseSecond = (text: string): number | undefined => (SECOND.test(text) ? parseInstant(text) : undefined)
const invalidDate = (name: string, rule: 'credits.search.format' | 'credits.date_to') =>
  badRequest(rule, `Invalid ${name} format, must follow ISO format`, name)

const isOneOf = <const T extends readonly string[]>(values: T, text: string): text is T[number] => values.includes(text)

const DIGITS = /^(0|[1-9]\d*)$/
const LIMIT = Limit(MAX_LEADS_PER_PAGE)

function parseLimit(query: object): number {
  const text = textParameter(query, 'limit') ?? String(LIMIT.default)
  if (!DIGITS.test(text)) throw badParameter('limit', LIMIT['x-message'])
  if (Number(text) > MAX_LEADS_PER_PAGE)
    throw badRequest('credits.limit', `limit must be at most ${MAX_LEADS_PER_PAGE}`, 'limit')
  return Number(text)
}

function parseOffset(query: object): number {
  const text = textParameter(query, 'offset') ?? '0'
  if (!DIGITS.test(text) || Number(text) > Number.MAX_SAFE_INTEGER) throw badParameter('offset', Offset['x-message'])
  return Number(text)
}
