import type { Draft } from '../../db/sqlite/draft.ts'

/** Deletes the leads created after `now` (world ms). */
export function trimHistory(draft: Draft, { now }: { now: number }): void {
  // The seller is named so that an index finds the rows.
  draft.run('DELETE FROM credit_lead WHERE seller_id IN (SELECT id FROM user) AND date_created > :now', { now })
}
