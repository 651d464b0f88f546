import { badParameter } from '../../http/errors/errors.ts'
import { Limit, Offset } from '../shared/paging.ts'
import { parseInstant } from '../shared/parse_instant.ts'
import {
  foreignSeller,
  invalidDate,
  invalidEntity,
  invalidId,
  invalidItem,
  invalidRange,
  invalidStatus,
  limitTooHigh,
  MAX_LEADS_PER_PAGE,
  rangeTooLong,
} from './errors.ts'
import { latestEnd, oldestSearchable } from './periods.ts'
import type { Criteria, Page } from './queries.ts'
import { FINANCIAL_ENTITIES, LEAD_STATUSES } from './tables.ts'

/** The raw query. A repeated parameter is an array: as text it has a comma, which no parameter allows. */
type RawQuery = Record<string, string | string[] | undefined>

/** A parameter as text; undefined if it is absent. An empty one is a value that no parameter allows. */
function textParameter(query: object, name: string): string | undefined {
  const value = (query as RawQuery)[name]
  return value === undefined ? undefined : String(value)
}

export interface LeadSearchRequest {
  criteria: Criteria
  page: Page
  /** As they were sent. */
  date_from: string
  date_to: string
}

/** Parses a search. The order of the lines is the order of the checks [spec: credits.search.order]. */
export function parseSearch(query: object, caller: number, now: number): LeadSearchRequest {
  const seller_id = requireOwnSeller(query, caller)
  const date_from = textParameter(query, 'date_from') ?? ''
  const date_to = textParameter(query, 'date_to') ?? ''
  const from = parseSecond('date_from', date_from)
  const to = parseSecond('date_to', date_to)
  if (from > to) throw invalidRange()
  if (to > latestEnd(from)) throw rangeTooLong()
  const item_id = textParameter(query, 'item_id')
  if (item_id !== undefined && !ITEM_PATTERN.test(item_id)) throw invalidItem()
  const status = textParameter(query, 'status') ?? 'approved'
  if (status !== 'all' && !isOneOf(LEAD_STATUSES, status)) throw invalidStatus()
  const financial_entity_id = textParameter(query, 'financial_entity_id')
  if (financial_entity_id !== undefined && !isOneOf(FINANCIAL_ENTITIES, financial_entity_id)) throw invalidEntity()
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
  if (!UUID.test(id)) throw invalidId()
  return id
}

/** Any number of digits [spec: credits.search.item_id]. */
const ITEM_PATTERN = /^M[A-Z]{2}[0-9]+$/

const SECOND = /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d$/

/** Ms of a date-time without offset, UTC. Throws 400 if it has another form or the date does not exist. */
function parseSecond(name: 'date_from' | 'date_to', text: string): number {
  const ms = SECOND.test(text) ? parseInstant(text) : undefined
  if (ms === undefined) throw invalidDate(name)
  return ms
}

const isOneOf = <const T extends readonly string[]>(values: T, text: string): text is T[number] => values.includes(text)

const DIGITS = /^(0|[1-9]\d*)$/
const LIMIT = Limit(MAX_LEADS_PER_PAGE)

function parseLimit(query: object): number {
  const text = textParameter(query, 'limit') ?? String(LIMIT.default)
  if (!DIGITS.test(text)) throw badParameter('limit', LIMIT['x-message'])
  if (Number(text) > MAX_LEADS_PER_PAGE) throw limitTooHigh()
  return Number(text)
}

function parseOffset(query: object): number {
  const text = textParameter(query, 'offset') ?? '0'
  if (!DIGITS.test(text) || Number(text) > Number.MAX_SAFE_INTEGER) throw badParameter('offset', Offset['x-message'])
  return Number(text)
}
