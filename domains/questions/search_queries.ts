import { and, asc, desc, eq, gte, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { $, preparedBy, type Q } from '../../db/engine.ts'
import type { QuestionRow } from './queries.ts'
import type { SortField } from './search_schemas.ts'
import { QUESTION_STATUSES, question, question_day } from './tables.ts'

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
  criteria: Criteria,
  sort: Sort[],
  page: { limit: number; offset: number; after?: Cursor | undefined },
): Promise<{ total: number; rows: QuestionRow[] }> {
  const { after, limit, offset } = page
  const conditions = conditionNamesOf(criteria)
  const total = await countAll(q, criteria)
  if (limit === 0) return { total, rows: [] }
  const key = { ...conditions, sort, scan: after !== undefined }
  const cursorValues =
    after && Object.fromEntries(Object.entries(after).map(([name, value]) => [`after_${name}`, value]))
  return { total, rows: await selectPage(q, key).all({ ...criteria, ...cursorValues, limit, offset }) }
}

interface ConditionNames {
  names: string[]
}
const conditionNamesOf = (criteria: Criteria): ConditionNames => ({
  names: Object.keys(criteria).filter((name) => criteria[name as keyof Criteria] !== undefined),
})

const DAY = 24 * 3_600_000

/**
 * The number of matching questions. For a seller, whole days come from the daily totals: the period is rounded to the
 * nearest midnights, and the questions between a bound and its midnight are counted and added or subtracted.
 */
async function countAll(q: Q, criteria: Criteria): Promise<number> {
  const { unansweredSince, ...rest } = criteria
  const { seller, item, from, status, since, until } = rest
  const isOfSeller = seller !== undefined && item === undefined && from === undefined
  if (isOfSeller && unansweredSince !== undefined) {
    const gone = { ...rest, status: 'UNANSWERED' as const, until: Math.min(until ?? unansweredSince, unansweredSince) }
    return (await countAll(q, rest)) - (await countAll(q, gone))
  }
  const firstDay = since === undefined ? 0 : Math.round(since / DAY)
  const lastDay = until === undefined ? Number.MAX_SAFE_INTEGER : Math.round(until / DAY)
  if (!isOfSeller || firstDay >= lastDay) return countOf(q, criteria)
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

const countOf = async (q: Q, criteria: Criteria): Promise<number> =>
  (await countFound(q, conditionNamesOf(criteria)).one({ ...criteria }))!.n

type Question = typeof question

const CONDITIONS: Record<keyof Criteria, (c: Question, names: string[]) => SQL | undefined> = {
  // A listing or a buyer has fewer questions than a seller. The unary plus keeps SQLite from using the seller's index.
  seller: (c, names) =>
    names.includes('item') || names.includes('from')
      ? sql`+${c.seller_id} = ${$('seller')}`
      : eq(c.seller_id, $('seller')),
  item: (c) => eq(c.item_id, $('item')),
  from: (c) => eq(c.from_id, $('from')),
  status: (c) => eq(c.status, $('status')),
  since: (c) => gte(c.date_created, $('since')),
  until: (c) => lt(c.date_created, $('until')),
  owner: (c) => eq(c.seller_id, $('owner')),
  party: (c) => or(eq(c.from_id, $('party')), eq(c.seller_id, $('party'))),
  unhidden: (c) => sql`${c.hidden} = 0`,
  unansweredSince: (c) => sql`(${c.status} <> 'UNANSWERED' OR ${c.date_created} >= ${$('unansweredSince')})`,
}

/** Deleted and banned questions match only an explicit status [spec: questions.visibility]. */
const matching = ({ names }: ConditionNames, c: Question) =>
  and(
    ...names.map((name) => CONDITIONS[name as keyof Criteria](c, names)),
    names.includes('status') ? undefined : sql`${c.status} NOT IN ('DELETED', 'BANNED')`,
  )

const countFound = preparedBy(({ db }, conditions: ConditionNames) =>
  db
    .select({ n: sql<number>`count(*)`.as('n') })
    .from(question)
    .where(matching(conditions, question)),
)

const VISIBLE_STATUSES = QUESTION_STATUSES.filter((status) => status !== 'DELETED' && status !== 'BANNED')

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
