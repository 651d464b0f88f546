import { and, asc, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { $, prepared, preparedBy, type Q } from '../../db/engine.ts'
import { sellerOfItem } from '../items/queries.ts'
import type { QuestionRow } from './queries.ts'
import type { SortField } from './search_schemas.ts'
import { question } from './tables.ts'
import { totalOfAsker, totalOfDays } from './total_queries.ts'

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
  // The search for more questions than there are would read its index to the end.
  const most = Math.min(limit, total - offset)
  if (most <= 0) return { total, rows: [] }
  const key = { ...conditions, sort, scan: after !== undefined }
  const cursorValues =
    after && Object.fromEntries(Object.entries(after).map(([name, value]) => [`after_${name}`, value]))
  return { total, rows: await selectPage(q, key).all({ ...criteria, ...cursorValues, limit: most, offset }) }
}

/** Criteria whose rights are part of `seller`. */
type NarrowCriteria = Omit<Criteria, 'owner' | 'party'>

/** The same criteria with as few conditions as possible; undefined if no question can match. */
async function narrow(q: Q, { seller, owner, party, ...rest }: Criteria): Promise<NarrowCriteria | undefined> {
  const required = seller ?? owner ?? (party === rest.from ? undefined : party)
  if (required === undefined) return rest
  if (rest.item === undefined) return { ...rest, seller: required }
  // All questions of a listing are its seller's.
  return (await sellerOfItem(q, rest.item)) === required ? rest : undefined
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
  const { item, from } = criteria
  if (item !== undefined) return countOf(q, criteria)
  return from === undefined ? countOfSeller(q, criteria) : countOfAsker(q, { ...criteria, from })
}

/**
 * The number of an asker's questions: the stored total without those before and after the period. Those of the period
 * are counted where it is shorter than the rest of the time in which the asker asked.
 */
async function countOfAsker(q: Q, criteria: NarrowCriteria & { from: number }): Promise<number> {
  const { since, until, ...always } = criteria
  const { seller: seller_id, from: from_id, status = 'visible', unhidden } = always
  const total = await totalOfAsker(q, { from_id, seller_id, status, unhidden })
  if (total === 0 || (since === undefined && until === undefined)) return total
  const first = (await firstDate(q).one({ from_id }))!.at
  const last = (await lastDate(q).one({ from_id }))!.at
  const length = Math.min(until ?? last, last) - Math.max(since ?? first, first)
  if (length < (last - first) / 2) return countOf(q, criteria)
  const before = since === undefined ? 0 : await countOf(q, { ...always, until: since })
  const after = until === undefined ? 0 : await countOf(q, { ...always, since: until })
  return total - before - after
}
const dateOfAsker = (which: 'min' | 'max') =>
  prepared(({ db }) =>
    db
      .select({ at: sql<number>`${sql.raw(which)}(${question.date_created})`.as('at') })
      .from(question)
      .where(eq(question.from_id, $('from_id'))),
  )
const firstDate = dateOfAsker('min')
const lastDate = dateOfAsker('max')

/**
 * The number of a seller's questions: the period is rounded to the nearest midnights, for which there are daily
 * totals, and the questions between a bound and its midnight are counted and added or subtracted.
 */
async function countOfSeller(q: Q, criteria: NarrowCriteria): Promise<number> {
  const { seller: seller_id, status = 'visible', since, until, unhidden } = criteria
  const firstDay = since === undefined ? 0 : Math.round(since / DAY)
  const lastDay = until === undefined ? Number.MAX_SAFE_INTEGER : Math.round(until / DAY)
  if (firstDay >= lastDay) return countOf(q, criteria)
  const total = await totalOfDays(q, { seller_id, status, unhidden, since: firstDay, until: lastDay })
  const countBetween = async (since: number, until: number): Promise<number> => {
    if (since === until) return 0
    return since < until ? countOf(q, { ...criteria, since, until }) : -(await countBetween(until, since))
  }
  const before = since === undefined ? 0 : await countBetween(since, firstDay * DAY)
  const after = until === undefined ? 0 : await countBetween(lastDay * DAY, until)
  return total + before + after
}

const countOf = async (q: Q, criteria: NarrowCriteria): Promise<number> =>
  (await countFound(q, conditionNamesOf(criteria)).one({ ...criteria }))!.n

type Question = typeof question

// The unary plus keeps SQLite from other indexes than those of the listing, else the asker, else the seller.
const CONDITIONS: Record<keyof NarrowCriteria, (c: Question, names: string[]) => SQL | undefined> = {
  item: (c) => eq(c.item_id, $('item')),
  from: (c, names) => (names.includes('item') ? sql`+${c.from_id} = ${$('from')}` : eq(c.from_id, $('from'))),
  seller: (c, names) => (isNarrow(names) ? sql`+${c.seller_id} = ${$('seller')}` : eq(c.seller_id, $('seller'))),
  status: (c, names) => (isNarrow(names) ? sql`+${c.status} = ${$('status')}` : eq(c.status, $('status'))),
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

const countFound = preparedBy(({ db }, conditions: ConditionNames) =>
  db
    .select({ n: sql<number>`count(*)`.as('n') })
    .from(question)
    .where(matching(conditions, question)),
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
