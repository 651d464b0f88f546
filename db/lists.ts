import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { $, preparedBy, type Q } from './engine.ts'

export interface Paging {
  limit: number
  offset: number
}

/** Values that columns must have; undefined matches every row. */
export type Filters<Row> = { [Column in keyof Row]?: Row[Column] | undefined }

/** One page of the matching rows, and how many there are in all. */
export type List<Row> = (q: Q, filters: Filters<Row>, paging: Paging) => Promise<{ total: number; rows: Row[] }>

/** Lists rows of a table whose columns have given values, in a fixed order. */
export function createList<Table extends SQLiteTable>(table: Table, order: SQL[]): List<Table['$inferSelect']> {
  const whereEqual = (names: string[]) => and(...names.map((name) => eq(getTableColumns(table)[name]!, $(name))))
  const countQuery = preparedBy(({ db }, names: string[]) =>
    db
      .select({ n: sql<number>`count(*)`.as('n') })
      .from(table as SQLiteTable)
      .where(whereEqual(names)),
  )
  const rowsQuery = preparedBy(({ db }, names: string[]) =>
    db
      .select()
      .from(table as SQLiteTable)
      .where(whereEqual(names))
      .orderBy(...order)
      .limit($('limit'))
      .offset($('offset')),
  )
  return async (q, filters, paging) => {
    const values = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
    const names = Object.keys(values).sort()
    const total = (await countQuery(q, names).one(values))!.n
    return { total, rows: paging.limit === 0 ? [] : await rowsQuery(q, names).all({ ...values, ...paging }) }
  }
}
