import { asc, getTableColumns, gt, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { updateRows } from '../../db/rows.ts'
import type { Draft } from '../../db/sqlite/draft.ts'
import { pages } from '../shared/world_file/operations.ts'
import { question } from './tables.ts'

/** Deletes the questions asked after `now` (world ms), and reopens those answered after it. */
export function trimHistory(draft: Draft, { now }: { now: number }): void {
  // The seller is named so that an index finds the rows.
  draft.run('DELETE FROM question WHERE seller_id IN (SELECT id FROM user) AND date_created > :now', { now })
  draft.run(
    `UPDATE question SET status = 'UNANSWERED', answer_text = NULL, answer_status = NULL, answered_at = NULL
     WHERE answered_at > :now`,
    { now },
  )
}

/** Marks the first question of each buyer on a listing: the earliest, of these the one with the lowest id. */
export const markFirstOfBuyer = (q: Q, item_id: string) => setFirst(q).run({ item_id })
const setFirst = updateRows(
  question,
  { first_of_buyer: 1 },
  { item_id: $ },
  () => sql`${question.id} = (SELECT f.id FROM question f
    WHERE f.from_id = question.from_id AND f.item_id = question.item_id ORDER BY f.date_created, f.id LIMIT 1)`,
)

/**
 * Questions by id; `guest`: no user asked. `counted`: there is a contact for it; of several of one buyer in one
 * millisecond, the first ones are counted.
 */
export const allQuestions = (q: Q, origin: number) =>
  pages(questions(q), { after: -1, origin }, ({ id }) => ({ after: id, origin }))

// Raw SQL: drizzle omits the table's name where it selects from one table alone.
const isGuest = (name: string) => `NOT EXISTS (SELECT 1 FROM user WHERE user.id = ${name}.from_id)`
const guest = sql.raw(isGuest('question'))
const contacts = sql`(SELECT count(*) FROM contact_event e WHERE e.user_id = question.seller_id AND e.kind = 'questions'
  AND e.at = question.date_created - ${$('origin')} AND e.item_id = question.item_id
  AND e.buyer_id IS CASE WHEN ${guest} THEN NULL ELSE question.from_id END)`
const before =
  sql.raw(`(SELECT count(*) FROM question p WHERE p.item_id = question.item_id AND p.date_created = question.date_created
  AND p.id < question.id AND (p.from_id = question.from_id OR (${isGuest('question')} AND ${isGuest('p')})))`)
const questions = prepared(({ db }) =>
  db
    .select({
      ...getTableColumns(question),
      guest: sql<number>`${guest}`.as('guest'),
      counted: sql<number>`${contacts} > ${before}`.as('counted'),
    })
    .from(question)
    .where(gt(question.id, $('after')))
    .orderBy(asc(question.id))
    .limit($('page')),
)
