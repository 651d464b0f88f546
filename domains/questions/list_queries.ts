import { and, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { $, preparedBy, type Q } from '../../db/engine.ts'
import { createSelectByKeys, pageOfFound, type SearchPage, type SearchPaging, splitPage } from '../../db/lists.ts'
import { rememberedRow } from '../../db/remembered.ts'
import { isAfterCursor, type ListKey, orderBy, searchParts, selectPart } from '../../db/searches.ts'
import { withoutUndefined } from '../shared/texts.ts'
import type { QuestionRow } from './queries.ts'
import { question } from './tables.ts'

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
  const values = { ...filter }
  const names = Object.keys(withoutUndefined(filter)).sort() as FilterName[]
  const total = (await rememberedRow(q, selectCount(q, names), values))!.n
  const selection = { names, isSorted: names.some((name) => OWNERS.has(name)) && total <= MAX_SORTED }
  if (text !== undefined) {
    const statementOf = (hasCursor: boolean) => selectQuestionPart(q, { ...selection, hasCursor })
    const found = await searchParts(statementOf, { text, cursor, values })
    return pageOfFound(found, { limit, offset }, (keys) => selectByKeys(q, keys))
  }
  if (limit === 0 || total <= offset) return { total, rows: [], next: null }
  const statement = selectQuestions(q, { ...selection, hasCursor: cursor !== undefined })
  const rows = await statement.all({ ...values, cursor, limit: limit + 1, offset })
  return { total, ...splitPage(rows, limit, ({ id }) => id) }
}

/** Up to this number, an index finds the questions, which are sorted; of more, those with the highest ids are scanned. */
const MAX_SORTED = 1000

type FilterName = keyof QuestionFilter

const COLUMNS: Record<FilterName, [column: SQLiteColumn, operator: SQL]> = {
  seller_id: [question.seller_id, sql`=`],
  item_id: [question.item_id, sql`=`],
  from_id: [question.from_id, sql`=`],
  status: [question.status, sql`=`],
  since: [question.date_created, sql`>=`],
  until: [question.date_created, sql`<`],
}
/** What an index begins with. */
const OWNERS: ReadonlySet<FilterName> = new Set(['seller_id', 'item_id', 'from_id'])

/** The unary plus keeps SQLite from indexes: from all, or from that of sellers where another finds fewer questions. */
const conditionsOf = (names: FilterName[], isIndexed: boolean): SQL[] =>
  names.map((name) => {
    const [column, operator] = COLUMNS[name]
    const isUsed = isIndexed && !(name === 'seller_id' && (names.includes('item_id') || names.includes('from_id')))
    return sql`${isUsed ? column : sql`+${column}`} ${operator} ${$(name)}`
  })

const selectCount = preparedBy(({ db }, names: FilterName[]) =>
  db
    .select({ n: sql<number>`count(*)`.as('n') })
    .from(question)
    .where(and(...conditionsOf(names, true))),
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
  and(...conditionsOf(names, isSorted), hasCursor ? isAfterCursor(orderOf(isSorted)) : undefined)

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
