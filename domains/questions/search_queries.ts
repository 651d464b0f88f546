import { and, asc, desc, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { $, preparedBy, type Q } from '../../db/engine.ts'
import { type QuestionRow, sellerOfListing } from './queries.ts'
import type { SortField } from './search_schemas.ts'
import { question, question_day } from './tables.ts'
import { type TotalKey, totalOf, VISIBLE_STATUSES } from './total_queries.ts'

export interface Sort {
  id: SortField
  type: 'ASC' | 'DESC'
}

/** Conditions of a search, joined with AND; undefined ones do not apply. */
export interface Criteria {
  seller?: number
  item?: string
  from?: number
  status?: QuestionRow['status']
  /** Ms; inclusive. */
  since?: number
  /** Ms; exclusive. */
  until?: number
  /** Only questions that this user received; implied by the rights, not a filter of the query. */
  owner?: number
  /** Only questions that this user asked or received. */
  party?: number
  /** Leave out the questions that the seller has hidden. */
  unhidden?: true
  /** Leave out UNANSWERED questions asked before this instant, ms. */
  unansweredSince?: number
}

/** The columns of a row that a scan can continue after. */
export type Cursor = Pick<QuestionRow, 'id' | SortField>

/** A page of the matching questions and their total. */
export async function findQuestions(
  q: Q,
  requested: Criteria,
  sort: Sort[],
  page: { limit: number; offset: number; after?: Cursor | undefined },
): Promise<{ total: number; rows: QuestionRow[] }> {
  const { after, limit, offset } = page
  const criteria = await narrow(q, requested)
  if (!criteria) return { total: 0, rows: [] }
  const conditions = conditionNamesOf(criteria)
  const total = await countAll(q, criteria)
  // Without this, a search that finds nothing would read all rows of its index.
  if (limit === 0 || total <= offset) return { total, rows: [] }
  const key = { ...conditions, sort, scan: after !== undefined }
  const cursorValues =
    after && Object.fromEntries(Object.entries(after).map(([name, value]) => [`after_${name}`, value]))
  return { total, rows: await selectPage(q, key).all({ ...criteria, ...cursorValues, limit, offset }) }
}

/** Criteria whose rights are part of `seller`. */
type NarrowCriteria = Omit<Criteria, 'owner' | 'party'>

/** The same criteria with as few conditions as possible; undefined if no question can match. */
async function narrow(q: Q, { seller, owner, party, ...rest }: Criteria): Promise<NarrowCriteria | undefined> {
  const required = seller ?? owner ?? (party === rest.from ? undefined : party)
  if (required === undefined) return rest
  if (rest.item === undefined) return { ...rest, seller: required }
  // All questions of a listing are its seller's.
  return (await sellerOfListing(q, rest.item)) === required ? rest : undefined
}

interface ConditionNames {
  names: string[]
}
const conditionNamesOf = (criteria: NarrowCriteria): ConditionNames => ({
  names: Object.keys(criteria).filter((name) => criteria[name as keyof NarrowCriteria] !== undefined),
})

const DAY = 24 * 3_600_000

/** The number of matching questions: from stored totals where there are any, else counted. */
async function countAll(q: Q, { unansweredSince, ...criteria }: NarrowCriteria): Promise<number> {
  if (unansweredSince !== undefined) {
    const until = Math.min(criteria.until ?? unansweredSince, unansweredSince)
    return (await countAll(q, criteria)) - (await countAll(q, { ...criteria, status: 'UNANSWERED', until }))
  }
  const { seller, item, from, status, since, until } = criteria
  const isOfSeller = seller !== undefined && item === undefined && from === undefined
  if (since !== undefined || until !== undefined) return isOfSeller ? countPeriod(q, criteria) : countOf(q, criteria)
  const key = totalKeyOf(criteria)
  return key ? totalOf(q, key, { status: status ?? 'visible', unhidden: criteria.unhidden }) : countOf(q, criteria)
}

/** The stored totals that count the questions; undefined if there are none. */
function totalKeyOf({ seller: seller_id, item: item_id, from: from_id }: NarrowCriteria): TotalKey | undefined {
  if (item_id !== undefined) return from_id === undefined ? { scope: 'listing', item_id } : undefined
  if (seller_id === undefined) return from_id === undefined ? { scope: 'world' } : { scope: 'asker', from_id }
  return from_id === undefined ? { scope: 'seller', seller_id } : { scope: 'pair', seller_id, from_id }
}

/**
 * The number of a seller's questions of a period: it is rounded to the nearest midnights, for which there are daily
 * totals, and the questions between a bound and its midnight are counted and added or subtracted.
 */
async function countPeriod(q: Q, criteria: NarrowCriteria): Promise<number> {
  const { seller, status, since, until } = criteria
  const firstDay = since === undefined ? 0 : Math.round(since / DAY)
  const lastDay = until === undefined ? Number.MAX_SAFE_INTEGER : Math.round(until / DAY)
  if (firstDay >= lastDay) return countOf(q, criteria)
  const days = await countDays(q, conditionNamesOf(status === undefined ? {} : { status })).one({
    seller,
    status,
    first: firstDay,
    last: lastDay,
  })
  const countBetween = async (since: number, until: number): Promise<number> => {
    if (since === until) return 0
    return since < until ? countOf(q, { ...criteria, since, until }) : -(await countBetween(until, since))
  }
  const before = since === undefined ? 0 : await countBetween(since, firstDay * DAY)
  const after = until === undefined ? 0 : await countBetween(lastDay * DAY, until)
  return before + days!.n + after
}

const countOf = async (q: Q, criteria: NarrowCriteria): Promise<number> =>
  (await countFound(q, conditionNamesOf(criteria)).one({ ...criteria }))!.n

type Question = typeof question

const CONDITIONS: Record<keyof NarrowCriteria, (c: Question, names: string[]) => SQL | undefined> = {
  // A listing or a buyer has fewer questions than a seller. The unary plus keeps SQLite from using other indexes.
  seller: (c, names) => (isNarrow(names) ? sql`+${c.seller_id} = ${$('seller')}` : eq(c.seller_id, $('seller'))),
  item: (c) => eq(c.item_id, $('item')),
  from: (c) => eq(c.from_id, $('from')),
  status: (c, names) => (names.includes('item') ? sql`+${c.status} = ${$('status')}` : eq(c.status, $('status'))),
  since: (c) => gte(c.date_created, $('since')),
  until: (c) => lt(c.date_created, $('until')),
  unhidden: (c) => sql`${c.hidden} = 0`,
  unansweredSince: (c) => sql`(${c.status} <> 'UNANSWERED' OR ${c.date_created} >= ${$('unansweredSince')})`,
}

const isNarrow = (names: string[]): boolean => names.includes('item') || names.includes('from')

/** Deleted and banned questions match only an explicit status [spec: questions.visibility]. */
const matching = ({ names }: ConditionNames, c: Question) =>
  and(
    ...names.map((name) => CONDITIONS[name as keyof NarrowCriteria](c, names)),
    names.includes('status') ? undefined : sql`${c.status} NOT IN ('DELETED', 'BANNED')`,
  )

/** Like `matching`, for counts: there is an index of an asker's questions by status, which a page cannot be read from. */
const counted = ({ names }: ConditionNames, c: Question) =>
  names.includes('status') || names.includes('item') || !names.includes('from')
    ? matching({ names }, c)
    : and(
        ...names.map((name) => CONDITIONS[name as keyof NarrowCriteria](c, names)),
        inArray(c.status, VISIBLE_STATUSES),
      )

const countFound = preparedBy(({ db }, conditions: ConditionNames) =>
  db
    .select({ n: sql<number>`count(*)`.as('n') })
    .from(question)
    .where(counted(conditions, question)),
)

const countDays = preparedBy(({ db }, { names }: ConditionNames) =>
  db
    .select({ n: sql<number>`coalesce(sum(${question_day.n}), 0)`.as('n') })
    .from(question_day)
    .where(
      and(
        eq(question_day.seller_id, $('seller')),
        names.includes('status')
          ? eq(question_day.status, $('status'))
          : inArray(question_day.status, VISIBLE_STATUSES),
        gte(question_day.day, $('first')),
        lt(question_day.day, $('last')),
      ),
    ),
)

const selectPage = preparedBy(
  ({ db }, { sort, scan, ...conditions }: ConditionNames & { sort: Sort[]; scan: boolean }) => {
    const order = sortKeysOf(sort)
    return db
      .select()
      .from(question)
      .where(and(matching(conditions, question), scan ? afterCursor(order, question) : undefined))
      .orderBy(...order.map(({ id, type }) => (type === 'ASC' ? asc : desc)(question[id])))
      .limit($('limit'))
      .offset($('offset'))
  },
)

type SortKey = { id: SortField | 'id'; type: 'ASC' | 'DESC' }

/** Ties are broken by id, in the direction of the last field [spec: questions.search.ties]. */
const sortKeysOf = (sort: Sort[]): SortKey[] => [...sort, { id: 'id', type: sort.at(-1)!.type }]

/** Rows after the last row of the previous page in this order, so that a scan neither skips nor repeats a question. */
function afterCursor([first, ...rest]: SortKey[], c: Question): SQL {
  const column: AnySQLiteColumn = c[first!.id]
  const placeholder = $(`after_${first!.id}`)
  const isBeyond = first!.type === 'ASC' ? sql`${column} > ${placeholder}` : sql`${column} < ${placeholder}`
  if (rest.length === 0) return isBeyond
  const isAtOrBeyond = first!.type === 'ASC' ? sql`${column} >= ${placeholder}` : sql`${column} <= ${placeholder}`
  return sql`(${isAtOrBeyond} AND (${isBeyond} OR ${afterCursor(rest, c)}))`
}
