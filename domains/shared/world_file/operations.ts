import { asc, getTableName, gt } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { $, prepared, preparedSql, type Q, type Statement } from '../../../db/engine.ts'
import type { NumberedTable } from '../../../db/ids.ts'

/** Sets the last number that a counter assigned. */
export const setCounter = (q: Q, name: string, n: number) => upsertCounter(q).run({ name, n })
const upsertCounter = preparedSql(`
  INSERT INTO sequence (name, n) VALUES (:name, :n) ON CONFLICT DO UPDATE SET n = excluded.n`)

/** The name of the counter of a table's ids. */
export const counterOf = (table: NumberedTable): string => getTableName(table)

/** Sets the last id that a table assigned. */
export async function setLastRowId(q: Q, table: NumberedTable, seq: number): Promise<void> {
  const name = counterOf(table)
  if (!(await updateLastRowId(q).run({ name, seq }))) await insertLastRowId(q).run({ name, seq })
}
const updateLastRowId = preparedSql('UPDATE sqlite_sequence SET seq = :seq WHERE name = :name')
const insertLastRowId = preparedSql('INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :seq)')

const PAGE_SIZE = 500

/** Reads all rows in pages; `statement` selects the page after a key. */
export async function* pages<Row, Key extends object>(
  statement: Statement<Row>,
  first: Key,
  keyOf: (row: Row) => Key,
): AsyncGenerator<Row[]> {
  for (let after = first; ; ) {
    const rows = await statement.all({ ...after, page: PAGE_SIZE })
    if (rows.length > 0) yield rows
    if (rows.length < PAGE_SIZE) return
    after = keyOf(rows.at(-1)!)
  }
}

/** Maps rows to elements with `present`, page by page. */
export async function* mapPages<Row>(
  pages: AsyncIterable<Row[]>,
  present: (row: Row) => object,
): AsyncGenerator<object[]> {
  for await (const rows of pages) yield rows.map(present)
}

/** Creates a query that reads all rows of a table by id, in pages. */
export function rowsById<Table extends SQLiteTable & { id: SQLiteColumn }>(table: Table) {
  const statement = prepared(({ db }) =>
    db
      .select()
      .from(table as SQLiteTable)
      .where(gt(table.id, $('after')))
      .orderBy(asc(table.id))
      .limit($('page')),
  )
  type Row = Table['$inferSelect']
  // Numbers sort before texts: -1 is before all ids of either kind.
  return (q: Q): AsyncGenerator<Row[]> =>
    pages(statement(q) as unknown as Statement<Row>, { after: -1 as number | string }, ({ id }) => ({ after: id }))
}
