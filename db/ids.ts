import { createHmac } from 'node:crypto'
import { eq, getTableName, sql } from 'drizzle-orm'
import { integer, type SQLiteColumn, type SQLiteTable, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { $, prepared, preparedSql, type Q } from './engine.ts'
import { keptFor } from './kept.ts'
import { selectRows, updateRows } from './rows.ts'
import { sequence } from './tables.ts'

// Nothing here is random: a world derives all that must look random from its key and a counter, so that the same seed,
// clock and calls give the same bytes. Worlds that other machines can reach have a random key.

/** `length` hex digits for one purpose; the same arguments give the same digits. */
export const derived = (key: string, purpose: string, length: number): string =>
  createHmac('sha256', key).update(purpose).digest('hex').slice(0, length)

/** The next number of a counter, from 1; with `count`, the first of that many. */
export async function nextNumber(q: Q, name: string, count = 1): Promise<number> {
  const row = await incrementCounter(q).one({ name, count })
  return row!.n - count + 1
}
const incrementCounter = preparedSql<{ n: number }>(`
  INSERT INTO sequence (name, n) VALUES (:name, :count) ON CONFLICT DO UPDATE SET n = n + :count RETURNING n`)

/** The last number that a counter gave; 0: none. */
export const lastNumber = async (q: Q, name: string): Promise<number> => (await selectCounter(q).one({ name }))?.n ?? 0
const selectCounter = selectRows(sequence, { name: $ }, { columns: ['n'] })

/** A table whose rows get their ids here; SQLite keeps the last one of each such table. */
export type NumberedTable = SQLiteTable & { id: SQLiteColumn }

/**
 * Inserts a row under the given id, or else under the table's next free one. Throws the error of `exists` where the given
 * id is taken. A given id does not move the counter, however large it is: later ids stay what they would have been, and
 * within the range of JSON's integers.
 */
export async function insertNumbered<Row>(
  q: Q,
  table: NumberedTable,
  { id, exists }: { id: number | undefined; exists: (id: number) => Error },
  insert: (id: number) => Promise<Row>,
): Promise<Row> {
  if (id === undefined) return insert(await nextFreeId(q, table))
  if (await statementsOf(table).selectId(q).one({ id })) throw exists(id)
  const counter = { name: getTableName(table) }
  const before = (await selectSequence(q).one(counter))?.seq ?? 0
  const row = await insert(id)
  await updateSequence(q).run({ ...counter, seq: before })
  return row
}

/** The id of the next row of a table. */
export async function nextFreeId(q: Q, table: NumberedTable): Promise<number> {
  const { increment } = statementsOf(table)
  for (;;) {
    const next = await increment(q).one()
    if (!next) await insertSequence(q).run({ name: getTableName(table) })
    else if (!next.taken) return next.id
  }
}

/** SQLite's own table; not one of ours to create. */
export const sqlite_sequence = sqliteTable('sqlite_sequence', { name: text().notNull(), seq: integer().notNull() })

const statementsOf = keptFor((table: NumberedTable) => ({
  increment: prepared(({ db }) =>
    db
      .update(sqlite_sequence)
      .set({ seq: sql`${sqlite_sequence.seq} + 1` })
      .where(eq(sqlite_sequence.name, getTableName(table)))
      .returning({
        id: sql<number>`${sqlite_sequence.seq}`.as('id'),
        taken: sql<0 | 1>`EXISTS (SELECT 1 FROM ${table} WHERE id = ${sqlite_sequence.seq})`.as('taken'),
      }),
  ),
  selectId: prepared(({ db }) =>
    db
      .select({ id: table.id })
      .from(table as SQLiteTable)
      .where(eq(table.id, $('id'))),
  ),
}))

const insertSequence = preparedSql('INSERT INTO sqlite_sequence (name, seq) VALUES (:name, 0)')
const selectSequence = selectRows(sqlite_sequence, { name: $ })
const updateSequence = updateRows(sqlite_sequence, { seq: $ }, { name: $ })

const WORLD_DIGITS = 8

/** The random part of a token: the world's number in 8 hex digits, then digits that only this world's key gives. */
export async function nextSecret(
  q: Q,
  world: { id: number; key: string },
  purpose: string,
  length: number,
): Promise<string> {
  return secretOf(world, purpose, await nextNumber(q, purpose), length)
}

/** The n-th secret of a world for a purpose. */
export const secretOf = (world: { id: number; key: string }, purpose: string, n: number, length: number): string =>
  worldPrefix(world.id) + derived(world.key, `${purpose} ${n}`, length - WORLD_DIGITS)

const worldPrefix = (world: number): string => world.toString(16).padStart(WORLD_DIGITS, '0')

const TOKEN = /^(?:APP_USR-\d+-\d{6}-|TG-)([0-9a-f]{8})[0-9a-f]+-\d+$/

/** The number of the world that made this access token, code or refresh token; undefined when it has none. */
export function worldOfToken(token: string): number | undefined {
  const prefix = TOKEN.exec(token)?.[1]
  return prefix === undefined ? undefined : Number.parseInt(prefix, 16)
}

export const APPLICATIONS_PER_WORLD = 1e9

export const applicationId = (world: number, n: number): number => world * APPLICATIONS_PER_WORLD + n
export const worldOfApplication = (id: number): number => Math.floor(id / APPLICATIONS_PER_WORLD)
