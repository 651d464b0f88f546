import { createHmac } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { $, prepared, type Q } from './engine.ts'

// Nothing here is random: a world derives what must look so from its key and a counter, so that the same seed, clock
// and calls give the same bytes. Worlds that others can reach have a random key.

/** `length` hex digits for one purpose; the same arguments give the same digits. */
export const derived = (key: string, purpose: string, length: number): string =>
  createHmac('sha256', key).update(purpose).digest('hex').slice(0, length)

/** The next number of a counter, from 1; of `count` of them the first. */
export async function nextNumber(q: Q, name: string, incrementSequence = 1): Promise<number> {
  const row = await incrementCounter(q).one({ name, count: incrementSequence })
  return row!.n - incrementSequence + 1
}
const incrementCounter = prepared(({ db, t }) =>
  db
    .insert(t.sequence)
    .values({ name: $('name'), n: $('count') })
    .onConflictDoUpdate({ target: t.sequence.name, set: { n: sql`${t.sequence.n} + ${$('count')}` } })
    .returning({ n: t.sequence.n }),
)

/** Tables that number their rows themselves; SQLite keeps the last number that it gave each of them. */
export const NUMBERED_TABLES = ['question', 'flex_subscription', 'shipment', 'fault'] as const
export type NumberedTable = (typeof NUMBERED_TABLES)[number]

/**
 * Inserts a row under the id that it was given, or else under the table's next one that is free. Where the given one is
 * taken it throws what `taken` says. A given id does not move the count, however large: the ids after it stay what they
 * would have been, and never leave the range of JSON's integers.
 */
export async function insertNumbered<Row>(
  q: Q,
  table: NumberedTable,
  id: number | undefined,
  duplicateError: (id: number) => Error,
  insert: (id: number) => Promise<Row>,
): Promise<Row> {
  if (id === undefined) return insert(await nextFreeId(q, table))
  if (await selectId[table](q).one({ id })) throw duplicateError(id)
  const before = (await selectSequence(q).one({ table }))?.seq ?? 0
  const row = await insert(id)
  await updateSequence(q).run({ table, seq: before })
  return row
}

async function nextFreeId(q: Q, table: NumberedTable): Promise<number> {
  for (;;) {
    const next = await count[table](q).one()
    if (!next) await insertSequence(q).run({ table })
    else if (!next.taken) return next.id
  }
}

/** SQLite's own table; not one of ours to create. */
export const sqlite_sequence = sqliteTable('sqlite_sequence', { name: text().notNull(), seq: integer().notNull() })

const perTable = <T>(of: (table: NumberedTable) => T): Record<NumberedTable, T> => ({
  question: of('question'),
  flex_subscription: of('flex_subscription'),
  shipment: of('shipment'),
  fault: of('fault'),
})
const count = perTable((table) =>
  prepared(({ db, t }) =>
    db
      .update(sqlite_sequence)
      .set({ seq: sql`${sqlite_sequence.seq} + 1` })
      .where(eq(sqlite_sequence.name, table))
      .returning({
        id: sql<number>`${sqlite_sequence.seq}`.as('id'),
        taken: sql<0 | 1>`EXISTS (SELECT 1 FROM ${t[table]} WHERE id = ${sqlite_sequence.seq})`.as('taken'),
      }),
  ),
)
const selectId = perTable((table) =>
  prepared(({ db, t }) =>
    db
      .select({ id: t[table].id })
      .from(t[table])
      .where(eq(t[table].id, $('id'))),
  ),
)
const insertSequence = prepared(({ db }) => db.insert(sqlite_sequence).values({ name: $('table'), seq: 0 }))
const selectSequence = prepared(({ db }) =>
  db
    .select({ seq: sqlite_sequence.seq })
    .from(sqlite_sequence)
    .where(eq(sqlite_sequence.name, $('table'))),
)
const updateSequence = prepared(({ db }) =>
  db
    .update(sqlite_sequence)
    .set({ seq: sql`${$('seq')}` })
    .where(eq(sqlite_sequence.name, $('table'))),
)

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
