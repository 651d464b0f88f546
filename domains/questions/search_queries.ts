import { and, asc, desc, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { $, preparedBy, type Q } from '../../db/engine.ts'
import { rememberedRow } from '../../db/remembered.ts'
import type { QuestionRow } from './queries.ts'
import type { SortField } from './search_schemas.ts'
import { question } from './tables.ts'

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
  { after, limit, offset }: { limit: number; offset: number; after?: Cursor | undefined },
): Promise<{ total: number; rows: QuestionRow[] }> {
  const names = (Object.keys(criteria) as (keyof Criteria)[]).filter((name) => criteria[name] !== undefined)
  const total = (await rememberedRow(q, countFound(q, names), { ...criteria }))!.n
  // The search for more questions than there are would read its index to the end.
  const most = Math.min(limit, total - offset)
  if (most <= 0) return { total, rows: [] }
  const cursorValues =
    after && Object.fromEntries(Object.entries(after).map(([name, value]) => [`after_${name}`, value]))
  const statement = selectPage(q, { names, sort, isScan: after !== undefined })
  return { total, rows: await statement.all({ ...criteria, ...cursorValues, limit: most, offset }) }
}

const CONDITIONS: Record<keyof Criteria, SQL> = {
  item: eq(question.item_id, $('item')),
  from: eq(question.from_id, $('from')),
  seller: eq(question.seller_id, $('seller')),
  owner: sql`+${question.seller_id} = ${$('owner')}`,
  party: sql`${$('party')} IN (${question.from_id}, ${question.seller_id})`,
  status: eq(question.status, $('status')),
  since: gte(question.date_created, $('since')),
  until: lt(question.date_created, $('until')),
  unhidden: sql`${question.hidden} = 0`,
  unansweredSince: sql`(${question.status} <> 'UNANSWERED' OR ${question.date_created} >= ${$('unansweredSince')})`,
}
/** The unary plus keeps SQLite from the index of sellers where that of listings or askers finds fewer questions. */
const SELLER_OF_FEW = sql`+${question.seller_id} = ${$('seller')}`

/** Deleted and banned questions match only an explicit status [spec: questions.visibility]. */
function matching(names: (keyof Criteria)[]): SQL | undefined {
  const areFew = names.includes('item') || names.includes('from')
  return and(
    ...names.map((name) => (name === 'seller' && areFew ? SELLER_OF_FEW : CONDITIONS[name])),
    names.includes('status') ? undefined : sql`${question.status} NOT IN ('DELETED', 'BANNED')`,
  )
}

const countFound = preparedBy(({ db }, names: (keyof Criteria)[]) =>
  db
    .select({ n: sql<number>`count(*)`.as('n') })
    .from(question)
    .where(matching(names)),
)

interface Selection {
  names: (keyof Criteria)[]
  sort: Sort[]
  isScan: boolean
}

/** The rows that are skipped are read in an index only; what has to be sorted are ids. */
const selectPage = preparedBy(({ db }, { names, sort, isScan }: Selection) => {
  const keys = sortKeysOf(sort)
  const order = keys.map(({ id, type }) => (type === 'ASC' ? asc : desc)(question[id]))
  const where = and(matching(names), isScan ? afterCursor(keys) : undefined)
  const [limit, offset] = [$('limit'), $('offset')]
  const all = db.select().from(question)
  if (isInOrder(names, sort))
    return all
      .where(where)
      .orderBy(...order)
      .limit(limit)
      .offset(offset)
  const ids = db
    .select({ id: question.id })
    .from(question)
    .where(where)
    .orderBy(...order)
    .limit(limit)
    .offset(offset)
  return all.where(inArray(question.id, ids)).orderBy(...order)
})

/** Whether the index of a seller or listing has the questions in the order of a search. */
const isInOrder = (names: (keyof Criteria)[], [first, ...rest]: Sort[]): boolean =>
  first!.id === 'date_created' &&
  rest.length === 0 &&
  !names.includes('from') &&
  (names.includes('seller') || names.includes('item'))

type SortKey = { id: SortField | 'id'; type: 'ASC' | 'DESC' }

/** Ties are broken by id, in the direction of the last field [spec: questions.search.ties]. */
const sortKeysOf = (sort: Sort[]): SortKey[] => [...sort, { id: 'id', type: sort.at(-1)!.type }]

/** Rows after the last row of the previous page in this order, so that a scan neither skips nor repeats a question. */
function afterCursor([first, ...rest]: SortKey[]): SQL {
  const column: AnySQLiteColumn = question[first!.id]
  const placeholder = $(`after_${first!.id}`)
  const isBeyond = first!.type === 'ASC' ? sql`${column} > ${placeholder}` : sql`${column} < ${placeholder}`
  if (rest.length === 0) return isBeyond
  const isAtOrBeyond = first!.type === 'ASC' ? sql`${column} >= ${placeholder}` : sql`${column} <= ${placeholder}`
  return sql`(${isAtOrBeyond} AND (${isBeyond} OR ${afterCursor(rest)}))`
}
