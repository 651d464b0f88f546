import { and, asc, desc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { $, prepared, preparedBy, type Q } from './engine.ts'
import { rememberedRow } from './remembered.ts'
import { containsText, isAfterCursor, type ListKey, orderBy, searchParts, selectPart } from './searches.ts'

export interface Paging {
  limit: number
  offset: number
}

/** Values that columns must have, and those of other conditions; undefined matches every row. */
type Filters<Row, Name extends string = never> = { [Column in keyof Row]?: Row[Column] | undefined } & {
  [Condition in Exclude<Name, keyof Row>]?: number | string | undefined
}

/** One page of the matching rows, and how many there are in all. */
type List<Row, Name extends string> = (
  q: Q,
  filters: Filters<Row, Name>,
  paging: Paging,
) => Promise<{ total: number; rows: Row[] }>

/** Conditions of filters that are not the equality of a column; `$(name)` is the value. */
type Conditions<Name extends string = string> = Readonly<Record<Name, SQL>>

const whereOf =
  (table: SQLiteTable, conditions: Conditions) =>
  (names: string[]): SQL | undefined =>
    and(...names.map((name) => conditions[name] ?? eq(getTableColumns(table)[name]!, $(name))))

const createCount = (table: SQLiteTable, where: (names: string[]) => SQL | undefined) =>
  preparedBy(({ db }, names: string[]) =>
    db
      .select({ n: sql<number>`count(*)`.as('n') })
      .from(table)
      .where(where(names)),
  )

const createRows = (table: SQLiteTable, where: (names: string[]) => SQL | undefined, ...order: SQL[]) =>
  preparedBy(({ db }, names: string[]) =>
    db
      .select()
      .from(table)
      .where(where(names))
      .orderBy(...order)
      .limit($('limit'))
      .offset($('offset')),
  )

/** The filters that are given, and their names in a fixed order. */
function givenFilters(filters: object): { values: Record<string, unknown>; names: string[] } {
  const values = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
  return { values, names: Object.keys(values).sort() }
}

/** Lists rows of a table whose columns have given values, in a fixed order. */
export function createList<Table extends SQLiteTable, Name extends string = never>(
  table: Table,
  order: SQL[],
  conditions = {} as Conditions<Name>,
): List<Table['$inferSelect'], Name> {
  const where = whereOf(table, conditions)
  const countQuery = createCount(table, where)
  const rowsQuery = createRows(table, where, ...order)
  return async (q, filters, paging) => {
    const { values, names } = givenFilters(filters)
    const total = (await rememberedRow(q, countQuery(q, names), values))!.n
    return { total, rows: paging.limit === 0 ? [] : await rowsQuery(q, names).all({ ...values, ...paging }) }
  }
}

/** A page of a list that can be searched, and that can begin behind a row. */
export interface SearchPaging<Key> extends Paging {
  /** Key of the row behind which the page begins. */
  cursor?: Key | undefined
  /** Only rows that contain this text. */
  text?: string | undefined
}

export interface SearchPage<Row, Key> {
  /** Number of matching rows, of all pages; with a text: of those among the rows that were searched. */
  total: number
  rows: Row[]
  /** The cursor of the next page; null if there is none. */
  next: Key | null
}

/** Returns those of the keys whose rows match. */
type Confirm<Key> = (q: Q, keys: Key[], isMatch: (text: string) => boolean) => Promise<Key[]>

/**
 * Lists rows as `createList` does, in the order of a key. A search reads at most MAX_SEARCHED_ROWS rows; `confirm` is for
 * texts that are not shown as they are stored.
 */
export function createSearchableList<
  Table extends SQLiteTable,
  Column extends SQLiteColumn,
  Name extends string = never,
  Key extends number | string = Column['_']['data'] & (number | string),
>(
  table: Table,
  {
    texts,
    conditions = {} as Conditions<Name>,
    confirm,
    ...order
  }: ListKey<Column> & { texts: SQL[]; conditions?: Conditions<Name>; confirm?: Confirm<Key> },
): (
  q: Q,
  filters: Filters<Table['$inferSelect'], Name>,
  paging: SearchPaging<Key>,
) => Promise<SearchPage<Table['$inferSelect'], Key>> {
  const where = whereOf(table, { ...conditions, cursor: isAfterCursor(order) })
  const pageOf = createPages<Table, Key, Name>(table, {
    where,
    order: [orderBy(order)],
    keyOf: (row) => row[order.key.name] as Key,
  })
  const partQuery = preparedBy(({ db }, names: string[]) =>
    selectPart(db, { table, where: where(names), texts, ...order }),
  )
  const selectByKeys = createSelectByKeys(table, order)
  const withCursor = (names: string[], hasCursor: boolean) => (hasCursor ? [...names, 'cursor'] : names)

  return async (q, filters, { text, cursor, ...paging }) => {
    if (text !== undefined) {
      const { values, names } = givenFilters(filters)
      const isMatch = containsText(text)
      const statementOf = (hasCursor: boolean) => partQuery(q, withCursor(names, hasCursor))
      const found = await searchParts(
        statementOf,
        { text, cursor, values },
        confirm && ((keys) => confirm(q, keys, isMatch)),
      )
      return pageOfFound(found, paging, (keys) => selectByKeys(q, keys))
    }
    return pageOf(q, filters, { cursor, ...paging })
  }
}

/** Lists rows as `createList` does, the newest first, then by id; `cursor` is the id of the row behind which a page begins. */
export function createDatedList<Table extends SQLiteTable & { id: SQLiteColumn }, Name extends string = never>(
  table: Table,
  time: SQLiteColumn,
  conditions = {} as Conditions<Name>,
) {
  const { id } = table
  const cursorTime = sql`(SELECT ${time} FROM ${table} WHERE ${id} = ${$('cursor')})`
  const cursor = sql`${time} <= ${cursorTime} AND (${time} < ${cursorTime} OR ${id} > ${$('cursor')})`
  return createPages<Table, Table['$inferSelect']['id'], Name>(table, {
    where: whereOf(table, { ...conditions, cursor }),
    order: [desc(time), asc(id)],
    keyOf: (row) => row.id,
  })
}

interface PagesOptions<Row, Key> {
  where: (names: string[]) => SQL | undefined
  order: SQL[]
  keyOf: (row: Row) => Key
}

/** The pages of a list that can begin behind a row: the condition `cursor` of `where`. */
function createPages<Table extends SQLiteTable, Key, Name extends string>(
  table: Table,
  { where, order, keyOf }: PagesOptions<Table['$inferSelect'], Key>,
) {
  const countQuery = createCount(table, where)
  const rowsQuery = createRows(table, where, ...order)
  return async (
    q: Q,
    filters: Filters<Table['$inferSelect'], Name>,
    { cursor, limit, offset }: Omit<SearchPaging<Key>, 'text'>,
  ): Promise<SearchPage<Table['$inferSelect'], Key>> => {
    const { values, names } = givenFilters(filters)
    const total = (await rememberedRow(q, countQuery(q, names), values))!.n
    if (limit === 0) return { total, rows: [], next: null }
    const statement = rowsQuery(q, cursor === undefined ? names : [...names, 'cursor'])
    const rows: Table['$inferSelect'][] = await statement.all({ ...values, cursor, limit: limit + 1, offset })
    return { total, ...splitPage(rows, limit, keyOf) }
  }
}

/** Creates a query of the rows with some keys, in the order of the list. */
export function createSelectByKeys<Table extends SQLiteTable>(table: Table, order: ListKey<SQLiteColumn>) {
  const statement = prepared(({ db }) =>
    db
      .select()
      .from(table as SQLiteTable)
      .where(inArray(order.key, sql`(SELECT value FROM json_each(${$('keys')}))`))
      .orderBy(orderBy(order)),
  )
  return (q: Q, keys: readonly (number | string)[]): Promise<Table['$inferSelect'][]> =>
    statement(q).all({ keys: JSON.stringify(keys) })
}

/** A page of rows that a search has found. */
export async function pageOfFound<Row, Key extends number | string>(
  { keys, next }: { keys: Key[]; next: Key | null },
  { limit, offset }: Paging,
  select: (keys: Key[]) => Promise<Row[]>,
): Promise<SearchPage<Row, Key>> {
  const selected = keys.slice(offset, offset + limit)
  const hasMore = limit > 0 && offset + limit < keys.length
  return {
    total: keys.length,
    rows: await select(selected),
    next: hasMore ? selected.at(-1)! : limit > 0 ? next : null,
  }
}

/** The rows of a page out of one row more, and the cursor of the next page. */
export function splitPage<Row, Key>(rows: Row[], limit: number, keyOf: (row: Row) => Key) {
  const hasMore = rows.length > limit
  return { rows: rows.slice(0, limit), next: hasMore ? keyOf(rows[limit - 1]!) : null }
}
