import { and, asc, eq, getTableColumns, inArray, isNull, Placeholder, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { $, prepared, preparedBy, type Q, type Statement } from './engine.ts'
import { rememberedRow } from './remembered.ts'

/** All columns of a table, each with the value of its name when the statement runs. */
export const columnValues = <Table extends SQLiteTable>(table: Table) =>
  Object.fromEntries(Object.keys(getTableColumns(table)).map((column) => [column, $(column)])) as {
    [Column in keyof Table['$inferSelect']]: Placeholder
  }

type Row<Table extends SQLiteTable> = Table['$inferSelect']
type Query<Row> = (q: Q) => Statement<Row>

/** What a column gets when the statement runs, by its name: `$` or an expression. */
type Given = (column: string) => Placeholder | SQL

/** One of those in the JSON array `keys`. */
export const among = Symbol('among')

/** What columns have: a value, null, one of several, or what is given. */
type Where<Table extends SQLiteTable> = {
  readonly [Column in keyof Row<Table>]?: Row<Table>[Column] | readonly Row<Table>[Column][] | Given | typeof among
}

/** The condition that columns have such values, and another one. */
export const matching = <Table extends SQLiteTable>(table: Table, where: Where<Table>, also?: () => SQL | undefined) =>
  and(
    ...Object.entries(where).map(([name, value]) => {
      const column = getTableColumns(table)[name]!
      if (value === null) return isNull(column)
      if (value === among) return inArray(column, sql`(SELECT value FROM json_each(${$('keys')}))`)
      if (Array.isArray(value)) return inArray(column, value)
      return eq(column, typeof value === 'function' ? (value as Given)(name) : value)
    }),
    also?.(),
  )

interface Selection<Table extends SQLiteTable, Column> {
  /** Default: all. */
  columns?: readonly Column[]
  /** By these. */
  order?: readonly (keyof Row<Table> & string)[]
  also?(): SQL | undefined
}

/** Creates a query of the rows that match. */
export function selectRows<Table extends SQLiteTable, Column extends keyof Row<Table> & string>(
  table: Table,
  where: Where<Table>,
  { columns, order = [], also }: Selection<Table, Column> = {},
) {
  const query = prepared(({ db }) => {
    const all = getTableColumns(table)
    return db
      .select(columns ? Object.fromEntries(columns.map((name) => [name, all[name]!])) : all)
      .from(table as SQLiteTable)
      .where(matching(table, where, also))
      .orderBy(...order.map((name) => asc(all[name]!)))
  })
  return query as unknown as Query<Pick<Row<Table>, Column>>
}

/** Creates a query of the number of rows that match. */
export function countRows<Table extends SQLiteTable>(table: Table, where: Where<Table>, also?: () => SQL | undefined) {
  const query = prepared(({ db }) =>
    db
      .select({ n: sql<number>`count(*)`.as('n') })
      .from(table as SQLiteTable)
      .where(matching(table, where, also)),
  )
  return async (q: Q, values: object): Promise<number> => (await rememberedRow(q, query(q), { ...values }))!.n
}

/** New values of columns. */
type Changes<Table extends SQLiteTable> = {
  readonly [Column in keyof Row<Table>]?: Row<Table>[Column] | Placeholder | SQL | Given
}

const update = <Table extends SQLiteTable>({ db }: Q, table: Table, changes: Changes<Table>) => {
  const values = Object.entries(changes).map(([name, change]) => {
    const value = typeof change === 'function' ? (change as Given)(name) : change
    return [name, value instanceof Placeholder ? sql`${value}` : value]
  })
  return db.update(table as SQLiteTable).set(Object.fromEntries(values))
}

/** Creates an update of the rows that match, without events. */
export const updateRows = <Table extends SQLiteTable>(
  table: Table,
  changes: Changes<Table>,
  where: Where<Table>,
  also?: () => SQL | undefined,
): Query<unknown> => prepared((q) => update(q, table, changes).where(matching(table, where, also)))

/** The same; it resolves with the rows as they are then. */
export const updateReturning = <Table extends SQLiteTable>(
  table: Table,
  changes: Changes<Table>,
  where: Where<Table>,
  also?: () => SQL | undefined,
) =>
  prepared((q) =>
    update(q, table, changes)
      .where(matching(table, where, also))
      .returning(),
  ) as unknown as Query<Row<Table>>

/** Creates a deletion of the rows that match, without events. */
export const deleteRows = <Table extends SQLiteTable>(
  table: Table,
  where: Where<Table>,
  also?: () => SQL | undefined,
): Query<unknown> => prepared(({ db }) => db.delete(table as SQLiteTable).where(matching(table, where, also)))

/** The same; it resolves with what was deleted. */
export const deleteReturning = <Table extends SQLiteTable>(table: Table, where: Where<Table>) =>
  prepared(({ db }) =>
    db
      .delete(table as SQLiteTable)
      .where(matching(table, where))
      .returning(),
  ) as unknown as Query<Row<Table>>

/** Creates an insert of complete rows, without events; it resolves with false if the row violates a unique key. */
export function insertInto<Table extends SQLiteTable>(table: Table) {
  const statement = prepared(({ db }) =>
    db
      .insert(table as SQLiteTable)
      .values(columnValues(table))
      .onConflictDoNothing()
      .returning({ written: sql<number>`1`.as('written') }),
  )
  return async (q: Q, row: Table['$inferSelect']): Promise<boolean> =>
    (await statement(q).one({ ...row })) !== undefined
}

/** Creates a query of the row with an id; it resolves with undefined if there is none. */
export function rowById<Table extends SQLiteTable & { id: SQLiteColumn }>(table: Table) {
  const statement = selectRows(table as SQLiteTable, { id: $ })
  return (q: Q, id: Row<Table>['id']): Promise<Row<Table> | undefined> => statement(q).one({ id })
}

/**
 * Creates an update of some columns of the row with an id, without events; it resolves with the row as it is then. With the
 * row `before` only the columns that differ are set: SQLite writes each index with a column that is set.
 */
export function updateById<Table extends SQLiteTable & { id: SQLiteColumn }, Column extends keyof Row<Table> & string>(
  table: Table,
  columns: readonly Column[],
) {
  const statement = preparedBy((q, names: readonly Column[]) =>
    update(q, table as SQLiteTable, Object.fromEntries(names.map((name) => [name, $])))
      .where(eq(table.id, $('id')))
      .returning(),
  )
  return async (q: Q, row: Pick<Row<Table>, Column | 'id'>, before?: Row<Table>): Promise<Row<Table> | undefined> => {
    const names = before ? columns.filter((name) => row[name] !== before[name]) : columns
    if (names.length === 0) return before
    return (await statement(q, names).one({ ...row })) as Row<Table> | undefined
  }
}
