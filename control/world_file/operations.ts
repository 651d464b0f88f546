import { getTableColumns, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { $, prepared, type Q } from '../../db/engine.ts'
import { sqlite_sequence } from '../../db/ids.ts'
import { fault, sequence } from '../../db/tables.ts'
import { credit_lead } from '../../domains/credits/tables.ts'
import { flex_subscription, shipment } from '../../domains/flex/tables.ts'
import { item } from '../../domains/items/tables.ts'
import { access_token, application, application_grant } from '../../domains/oauth/tables.ts'
import { blocked_buyer, question } from '../../domains/questions/tables.ts'
import { user } from '../../domains/users/tables.ts'

// A world that is laid out from a file: whole rows, as a scenario's are; nothing is told of them.

/** Writes a whole row; false where its id, or what else must be one of a kind, is taken. */
const insertInto = <Table extends SQLiteTable>(table: Table) => {
  const statement = prepared(({ db }) => {
    const columns = Object.keys(getTableColumns(table))
    return db
      .insert(table as SQLiteTable)
      .values(Object.fromEntries(columns.map((column) => [column, $(column)])))
      .onConflictDoNothing()
      .returning({ written: sql<number>`1`.as('written') })
  })
  return async (q: Q, row: Table['$inferSelect']): Promise<boolean> =>
    (await statement(q).one({ ...row })) !== undefined
}

export const insertUser = insertInto(user)
export const insertApplication = insertInto(application)
export const insertGrant = insertInto(application_grant)
export const insertToken = insertInto(access_token)
export const insertItem = insertInto(item)
export const insertQuestion = insertInto(question)
export const insertBlock = insertInto(blocked_buyer)
export const insertLoan = insertInto(credit_lead)
export const insertSubscription = insertInto(flex_subscription)
export const insertShipment = insertInto(shipment)
export const insertFault = insertInto(fault)

/** Marks the first question of each buyer on a listing: the earliest, of these the one with the lowest id. */
export const markFirstOfBuyer = (q: Q, item_id: string) => setFirst(q).run({ item_id })
const setFirst = prepared(({ db }) =>
  db
    .update(question)
    .set({ first_of_buyer: 1 })
    .where(
      sql`${question.item_id} = ${$('item_id')} AND ${question.id} = (SELECT f.id FROM question f
        WHERE f.from_id = question.from_id AND f.item_id = question.item_id ORDER BY f.date_created, f.id LIMIT 1)`,
    ),
)

/** Sets the last number that was given of a kind. */
export const setCounter = (q: Q, name: string, n: number) => upsertCounter(q).run({ name, n })
const upsertCounter = prepared(({ db }) =>
  db
    .insert(sequence)
    .values({ name: $('name'), n: $('n') })
    .onConflictDoUpdate({ target: sequence.name, set: { n: sql`excluded.n` } }),
)

/** Sets the last number that a table has given its rows. */
export async function setLastRowId(q: Q, name: string, seq: number): Promise<void> {
  if (!(await updateLastRowId(q).run({ name, seq }))) await insertLastRowId(q).run({ name, seq })
}
const updateLastRowId = prepared(({ db }) =>
  db
    .update(sqlite_sequence)
    .set({ seq: sql`${$('seq')}` })
    .where(sql`${sqlite_sequence.name} = ${$('name')}`),
)
const insertLastRowId = prepared(({ db }) => db.insert(sqlite_sequence).values({ name: $('name'), seq: $('seq') }))
