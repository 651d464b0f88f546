import type { Draft } from '../../db/sqlite/draft.ts'

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
