import { sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { question } from './tables.ts'

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
