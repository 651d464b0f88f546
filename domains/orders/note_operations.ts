import { asc, eq, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { derived, nextNumber } from '../../db/ids.ts'
import { hasValues, insertInto } from '../../db/rows.ts'
import type { World } from '../../db/world.ts'
import { noteNotFound } from './after_sale_errors.ts'
import { order_note } from './tables.ts'

export type NoteRow = typeof order_note.$inferSelect

/** The notes on an order, the oldest first. */
export const notesOf = (q: Q, order_id: number): Promise<NoteRow[]> => selectNotes(q).all({ order_id })
const selectNotes = prepared(({ db }) =>
  db
    .select()
    .from(order_note)
    .where(eq(order_note.order_id, $('order_id')))
    .orderBy(asc(order_note.date_created), asc(order_note.id)),
)

/** Writes a note; call it inside `world.tx`. */
export async function addNote(q: Q, world: World, order_id: number, note: string): Promise<NoteRow> {
  const now = world.clock.now()
  const id = derived(world.key, `order_note ${await nextNumber(q, 'order_note')}`, 24)
  const row = { id, order_id, note, date_created: now, date_last_updated: now }
  await insertNote(q, row)
  return row
}
const insertNote = insertInto(order_note)

/** Throws 404 if the order has no such note. */
export async function changeNote(q: Q, world: World, order_id: number, id: string, note: string): Promise<NoteRow> {
  const row = await updateNote(q).one({ id, order_id, note, now: world.clock.now() })
  if (!row) throw noteNotFound(id)
  return row
}
const ofOrder = hasValues(order_note, 'id', 'order_id')
const updateNote = prepared(({ db }) =>
  db
    .update(order_note)
    .set({ note: sql`${$('note')}`, date_last_updated: sql`${$('now')}` })
    .where(ofOrder)
    .returning(),
)

/** Throws 404 if the order has no such note. */
export async function removeNote(q: Q, order_id: number, id: string): Promise<NoteRow> {
  const row = await deleteNote(q).one({ id, order_id })
  if (!row) throw noteNotFound(id)
  return row
}
const deleteNote = prepared(({ db }) => db.delete(order_note).where(ofOrder).returning())
