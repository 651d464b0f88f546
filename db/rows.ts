import { and, eq, getTableColumns, type Placeholder, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { $, prepared, type Q } from './engine.ts'

/** Creates a query of the row with an id; it resolves with undefined if there is none. */
export function rowById<Table extends SQLiteTable & { id: SQLiteColumn }>(table: Table) {
  const statement = prepared(({ db }) =>
    db
      .select()
      .from(table as SQLiteTable)
      .where(eq(table.id, $('id'))),
  )
  return (q: Q, id: Table['$inferSelect']['id']): Promise<Table['$inferSelect'] | undefined> => statement(q).one({ id })
}

/** All columns of a table, each with the value of its name when the statement runs. */
export const columnValues = <Table extends SQLiteTable>(table: Table) =>
  Object.fromEntries(Object.keys(getTableColumns(table)).map((column) => [column, $(column)])) as {
    [Column in keyof Table['$inferSelect']]: Placeholder
  }

/** The condition that some columns have the values of their names. */
export const hasValues = <Table extends SQLiteTable>(
  table: Table,
  ...columns: (keyof Table['$inferSelect'] & string)[]
) => and(...columns.map((column) => eq(getTableColumns(table)[column]!, $(column))))

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

/** Creates an update of some columns of the row with an id, without events; it resolves with the row as it is then. */
export function updateById<
  Table extends SQLiteTable & { id: SQLiteColumn },
  Column extends keyof Table['$inferSelect'] & string,
>(table: Table, columns: readonly Column[]) {
  type Row = Table['$inferSelect']
  const values = Object.fromEntries(columns.map((column) => [column, sql`${$(column)}`]))
  const statement = prepared(({ db }) =>
    db
      .update(table as SQLiteTable)
      .set(values)
      .where(eq(table.id, $('id')))
      .returning(),
  )
  return (q: Q, row: Pick<Row, Column | 'id'>): Promise<Row | undefined> => statement(q).one({ ...row })
}
