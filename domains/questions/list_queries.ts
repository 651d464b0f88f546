import { and, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { $, preparedBy, type Q } from '../../db/engine.ts'
import { createSelectByKeys, pageOfFound, type SearchPage, type SearchPaging, splitPage } from '../../db/lists.ts'
import { isAfterCursor, type ListKey, orderBy, searchParts, selectPart } from '../../db/searches.ts'
import { sellerOfItem } from '../items/queries.ts'
import { withoutUndefined } from '../shared/texts.ts'
import type { QuestionRow } from './queries.ts'
import { question, question_day } from './tables.ts'
import { totalOfAsker, totalOfDays } from './total_queries.ts'

/** Filters of `listQuestions`; undefined ones do not apply. */
export interface QuestionFilter {
  seller_id?: number | undefined
  item_id?: string | undefined
  from_id?: number | undefined
  status?: QuestionRow['status'] | undefined
  /** Ms; inclusive. */
  since?: number | undefined
  /** Ms; exclusive. */
  until?: number | undefined
}

/** Questions in any state, highest id first. */
export async function listQuestions(
  q: Q,
  filter: QuestionFilter,
  { text, cursor, limit, offset }: SearchPaging<number>,
): Promise<SearchPage<QuestionRow, number>> {
  const { seller_id, item_id, ...rest } = filter
  if (seller_id !== undefined && item_id !== undefined) {
    // All questions of a listing are its seller's.
    if ((await sellerOfItem(q, item_id)) !== seller_id) return { total: 0, rows: [], next: null }
    return listQuestions(q, { item_id, ...rest }, { text, cursor, limit, offset })
  }
  const total = await countQuestions(q, filter)
  const values = valuesOf(filter)
  const names = namesOf(filter)
  const selection = { names, isSorted: names.length > 0 && total <= MAX_SORTED }
  if (text !== undefined) {
    const statementOf = (hasCursor: boolean) => selectQuestionPart(q, { ...selection, hasCursor })
    const found = await searchParts(statementOf, text, cursor, values)
    return pageOfFound(found, { limit, offset }, (keys) => selectByKeys(q, keys))
  }
  if (limit === 0 || total <= offset) return { total, rows: [], next: null }
  const statement = selectQuestions(q, { ...selection, hasCursor: cursor !== undefined })
  const rows = await statement.all({ ...values, cursor, limit: limit + 1, offset })
  return { total, ...splitPage(rows, limit, ({ id }) => id) }
}

/** Up to this number, an index finds the questions, which are sorted; of more, those with the highest ids are scanned. */
const MAX_SORTED = 1000

const DAY = 24 * 3_600_000

const valuesOf = (filter: QuestionFilter) => ({
  ...filter,
  first_day: filter.since === undefined ? undefined : Math.floor(filter.since / DAY),
  last_day: filter.until === undefined ? undefined : Math.floor(filter.until / DAY),
})

type FilterName = keyof QuestionFilter
const namesOf = (filter: QuestionFilter) => Object.keys(withoutUndefined(filter)).sort() as FilterName[]

/** The number of matching questions: stored totals of whole days or of an asker, else counted in an index. */
async function countQuestions(q: Q, filter: QuestionFilter): Promise<number> {
  const { item_id, from_id, seller_id, status, since, until } = filter
  const isOfAllTimes = since === undefined && until === undefined
  if (item_id !== undefined || (from_id !== undefined && !isOfAllTimes)) return countMatching(q, filter)
  if (from_id !== undefined) return totalOfAsker(q, { from_id, seller_id, status })
  const firstDay = since === undefined ? undefined : Math.ceil(since / DAY)
  const lastDay = until === undefined ? undefined : Math.floor(until / DAY)
  if (firstDay !== undefined && lastDay !== undefined && firstDay >= lastDay) return countMatching(q, filter)
  const days = await totalOfDays(q, { seller_id, status, ...withoutUndefined({ since: firstDay, until: lastDay }) })
  const before = since === undefined ? 0 : await countMatching(q, { ...filter, until: firstDay! * DAY })
  const after = until === undefined ? 0 : await countMatching(q, { ...filter, since: lastDay! * DAY })
  return before + days + after
}

const countMatching = async (q: Q, filter: QuestionFilter): Promise<number> =>
  (await selectCount(q, namesOf(filter)).one(valuesOf(filter)))!.n

type FilterConditions = Record<FilterName, () => SQL>

const INDEXED: FilterConditions = {
  seller_id: () => eq(question.seller_id, $('seller_id')),
  item_id: () => eq(question.item_id, $('item_id')),
  from_id: () => eq(question.from_id, $('from_id')),
  status: () => eq(question.status, $('status')),
  since: () => gte(question.date_created, $('since')),
  until: () => lt(question.date_created, $('until')),
}

/** The unary plus keeps SQLite from an index that has the rows in another order. */
const SCANNED: FilterConditions = {
  seller_id: () => sql`+${question.seller_id} = ${$('seller_id')}`,
  item_id: () => sql`+${question.item_id} = ${$('item_id')}`,
  from_id: () => sql`+${question.from_id} = ${$('from_id')}`,
  status: () => sql`+${question.status} = ${$('status')}`,
  since: () => sql`+${question.date_created} >= ${$('since')}`,
  until: () => sql`+${question.date_created} < ${$('until')}`,
}

/** Conditions for an index: those of a status or a date begin with the seller. */
function indexedConditions(names: FilterName[]): SQL[] {
  const conditions = names.map((name) => INDEXED[name]())
  const hasOwner = names.some((name) => name === 'seller_id' || name === 'item_id' || name === 'from_id')
  return hasOwner || names.length === 0 ? conditions : [inArray(question.seller_id, sellersWith(names)), ...conditions]
}

/** The sellers who have questions of the status and the days. */
const sellersWith = (names: FilterName[]): SQL => {
  const conditions = [
    sql`${question_day.n} > 0`,
    ...(names.includes('status') ? [eq(question_day.status, $('status'))] : []),
    ...(names.includes('since') ? [gte(question_day.day, $('first_day'))] : []),
    ...(names.includes('until') ? [sql`${question_day.day} <= ${$('last_day')}`] : []),
  ]
  return sql`(SELECT ${question_day.seller_id} FROM ${question_day} WHERE ${and(...conditions)})`
}

const selectCount = preparedBy(({ db }, names: FilterName[]) =>
  db
    .select({ n: sql<number>`count(*)`.as('n') })
    .from(question)
    .where(and(...indexedConditions(names))),
)

/** Highest id first. The unary plus makes SQLite sort what an index finds. */
const orderOf = (isSorted: boolean): ListKey => ({
  key: isSorted ? sql`+${question.id}` : question.id,
  direction: 'desc',
})

interface Selection {
  names: FilterName[]
  isSorted: boolean
  hasCursor: boolean
}

const matching = ({ names, isSorted, hasCursor }: Selection) =>
  and(
    ...(isSorted ? indexedConditions(names) : names.map((name) => SCANNED[name]())),
    hasCursor ? isAfterCursor(orderOf(isSorted)) : undefined,
  )

const selectQuestions = preparedBy(({ db }, selection: Selection) =>
  db
    .select()
    .from(question)
    .where(matching(selection))
    .orderBy(orderBy(orderOf(selection.isSorted)))
    .limit($('limit'))
    .offset($('offset')),
)

const selectQuestionPart = preparedBy(({ db }, selection: Selection) =>
  selectPart(db, {
    table: question,
    where: matching(selection),
    texts: [sql`${question.text}`, sql`${question.answer_text}`],
    ...orderOf(selection.isSorted),
  }),
)
const selectByKeys = createSelectByKeys(question, { key: question.id, direction: 'desc' })
