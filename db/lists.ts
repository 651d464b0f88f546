import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { $, preparedBy, type Q, type Tables } from './engine.ts'

export interface Part {
  limit: number
  offset: number
}

/** A part of a list, and how many rows there are in all; a filter that is undefined does not count. */
export type List<Row> = (q: Q, filters: Partial<Row>, part: Part) => Promise<{ total: number; rows: Row[] }>

/** Rows of a table whose columns have given values, in a fixed order. */
export function list<Table extends SQLiteTable>(
  of: (t: Tables) => Table,
  order: (columns: Table) => SQL[],
): List<Table['$inferSelect']> {
  const matching = (table: Table, names: string[]) =>
    and(...names.map((name) => eq(getTableColumns(table)[name]!, $(name))))
  const counted = preparedBy(({ db, t }, names: string[]) =>
    db
      .select({ n: sql<number>`count(*)`.as('n') })
      .from(of(t) as SQLiteTable)
      .where(matching(of(t), names)),
  )
  const found = preparedBy(({ db, t }, names: string[]) =>
    db
      .select()
      .from(of(t) as SQLiteTable)
      .where(matching(of(t), names))
      .orderBy(...order(of(t)))
      .limit($('limit'))
      .offset($('offset')),
  )
  return async (q, filters, part) => {
    const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
    const names = Object.keys(given).sort()
    const total = (await counted(q, names).one(given))!.n
    return { total, rows: part.limit === 0 ? [] : await found(q, names).all({ ...given, ...part }) }
  }
}
