import type { Draft } from '../../db/sqlite/draft.ts'

/** Deletes the shipments made after `now` (world ms), and what sellers have not done until then, with what follows. */
export function trimHistory(draft: Draft, { now }: { now: number }): void {
  const printedLater = `SELECT 1 FROM shipment_step p
    WHERE p.shipment_id = shipment_step.shipment_id AND p.substatus = 'printed' AND p.at > :now`
  draft.run('DELETE FROM shipment WHERE date_created > :now', { now })
  draft.run(
    `DELETE FROM shipment_step WHERE is_published = 0 AND at > :now AND (EXISTS (${printedLater})
       OR NOT EXISTS (SELECT 1 FROM shipment WHERE id = shipment_id AND mode = 'me2'))`,
    { now },
  )
  draft.run(
    `UPDATE sale_order SET fulfilled = 1 WHERE shipment_id IN
       (SELECT shipment_id FROM shipment_step WHERE is_published = 0 AND at <= :now AND status = 'delivered')`,
    { now },
  )
  draft.run('UPDATE shipment_step SET is_published = 1 WHERE is_published = 0 AND at <= :now', { now })
}
