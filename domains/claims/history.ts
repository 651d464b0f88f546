import type { Draft } from '../../db/sqlite/draft.ts'

/**
 * Deletes the claims and messages after `now` (world ms), and takes back the returns that were made later: claims of the
 * week change nothing of their orders. Runs after the trim of shipments.
 */
export function trimHistory(draft: Draft, { now }: { now: number }): void {
  draft.run('DELETE FROM claim WHERE date_created > :now', { now })
  draft.run('DELETE FROM claim_message WHERE date_created > :now', { now })
  draft.run('UPDATE claim_message SET date_read = NULL WHERE date_read > :now', { now })
  draft.run(
    `UPDATE claim SET return_shipment_id = (SELECT id FROM shipment WHERE id = return_shipment_id),
       last_updated = (SELECT max(date_created) FROM claim_message WHERE claim_id = claim.id)
     WHERE last_updated > :now`,
    { now },
  )
}
