import { getTableName, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../../db/engine.ts'
import { type NumberedTable, sqlite_sequence } from '../../../db/ids.ts'
import { sequence } from '../../../db/tables.ts'

/** Sets the last number that a counter assigned. */
export const setCounter = (q: Q, name: string, n: number) => upsertCounter(q).run({ name, n })
const upsertCounter = prepared(({ db }) =>
  db
    .insert(sequence)
    .values({ name: $('name'), n: $('n') })
    .onConflictDoUpdate({ target: sequence.name, set: { n: sql`excluded.n` } }),
)

/** The name of the counter of a table's ids. */
export const counterOf = (table: NumberedTable): string => getTableName(table)

/** Sets the last id that a table assigned. */
export async function setLastRowId(q: Q, table: NumberedTable, seq: number): Promise<void> {
  const name = counterOf(table)
  if (!(await updateLastRowId(q).run({ name, seq }))) await insertLastRowId(q).run({ name, seq })
}
const updateLastRowId = prepared(({ db }) =>
  db
    .update(sqlite_sequence)
    .set({ seq: sql`${$('seq')}` })
    .where(sql`${sqlite_sequence.name} = ${$('name')}`),
)
const insertLastRowId = prepared(({ db }) => db.insert(sqlite_sequence).values({ name: $('name'), seq: $('seq') }))
