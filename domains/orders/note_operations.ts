import { $, type Q } from '../../db/engine.ts'
import { derived, nextNumber } from '../../db/ids.ts'
import { deleteReturning, insertInto, updateReturning } from '../../db/rows.ts'
import type { World } from '../../db/world.ts'
import { noteNotFound } from './after_sale_errors.ts'
import { type NoteRow, order_note } from './tables.ts'

/** Writes a note; call it inside `world.tx`. */
export async function addNote(q: Q, world: World, order_id: number, note: string): Promise<NoteRow> {
  const now = world.clock.now()
  const row = { id: await nextNoteId(q, world), order_id, note, date_created: now, date_last_updated: now }
  await insertNote(q, row)
  return row
}
export const insertNote = insertInto(order_note)
/** 24 hexadecimal digits. */
export const nextNoteId = async (q: Q, { key }: Pick<World, 'key'>): Promise<string> =>
  derived(key, `order_note ${await nextNumber(q, 'order_note')}`, 24)

/** Throws 404 if the order has no such note. */
export async function changeNote(q: Q, world: World, order_id: number, id: string, note: string): Promise<NoteRow> {
  const row = await updateNote(q).one({ id, order_id, note, now: world.clock.now() })
  if (!row) throw noteNotFound(id)
  return row
}
const updateNote = updateReturning(order_note, { note: $, date_last_updated: $('now') }, { id: $, order_id: $ })

/** Throws 404 if the order has no such note. */
export async function removeNote(q: Q, order_id: number, id: string): Promise<NoteRow> {
  const row = await deleteNote(q).one({ id, order_id })
  if (!row) throw noteNotFound(id)
  return row
}
const deleteNote = deleteReturning(order_note, { id: $, order_id: $ })
