import { and, eq, gt, ne, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { nextNumber } from '../../db/ids.ts'
import { userById } from '../users/queries.ts'
import type { QuestionRow } from './queries.ts'

/** A question of the past, as it stands now. Times in ms. */
export type PastQuestion = Omit<QuestionRow, 'id' | 'first_of_buyer' | 'from_id'> & {
  /** null for a guest: somebody without an account, another one each time. */
  from_id: number | null
}

/** Writes what was asked long ago: it is told to nobody. Counting it as a contact is up to the caller. Call it inside `world.tx`. */
export async function recordPast(q: Q, { from_id, ...question }: PastQuestion): Promise<void> {
  const row = (await insert(q).one({ ...question, from_id: from_id ?? (await nextGuest(q)) }))!
  // A question dated before the buyer's others on this listing takes the mark from them.
  if (row.first_of_buyer) await unmarkLater(q).run(row)
}
const insert = prepared(({ db, t: { question } }) =>
  db
    .insert(question)
    .values({
      seller_id: $('seller_id'),
      item_id: $('item_id'),
      from_id: $('from_id'),
      text: $('text'),
      status: $('status'),
      date_created: $('date_created'),
      answer_text: $('answer_text'),
      answer_status: $('answer_status'),
      answered_at: $('answered_at'),
      deleted_from_listing: $('deleted_from_listing'),
      hold: $('hold'),
      suspected_spam: $('suspected_spam'),
      hidden: $('hidden'),
      first_of_buyer: sql`NOT EXISTS (SELECT 1 FROM ${question} WHERE from_id = ${$('from_id')} AND item_id = ${$('item_id')} AND date_created <= ${$('date_created')})`,
    })
    .returning(),
)
const unmarkLater = prepared(({ db, t: { question: c } }) =>
  db
    .update(c)
    .set({ first_of_buyer: 0 })
    .where(
      and(
        eq(c.from_id, $('from_id')),
        eq(c.item_id, $('item_id')),
        eq(c.first_of_buyer, 1),
        ne(c.id, $('id')),
        gt(c.date_created, $('date_created')),
      ),
    ),
)

/** Ids of guests begin here, below those of users. */
const FIRST_GUEST = 2_300_000_001

async function nextGuest(q: Q): Promise<number> {
  for (;;) {
    const id = FIRST_GUEST - 1 + (await nextNumber(q, 'guest'))
    if (!(await userById(q, id))) return id
  }
}
