import type { Draft } from '../../db/sqlite/draft.ts'

const LATER = 'date_created > :now'

/** Deletes the orders made after `now` (world ms): what is available stays, so less was there in the beginning. */
export function trimHistory(draft: Draft, { now }: { now: number }): void {
  draft.run(
    `UPDATE item SET sold_quantity = sold_quantity - units,
       details = json_set(details, '$.initial_quantity', json_extract(details, '$.initial_quantity') - units)
     FROM (SELECT item_id, sum(quantity) AS units FROM sale_order
       WHERE ${LATER} AND status IN ('paid', 'partially_refunded', 'pending_cancel') GROUP BY item_id)
     WHERE item.id = item_id`,
    { now },
  )
  draft.run(`DELETE FROM payment WHERE order_id IN (SELECT id FROM sale_order WHERE ${LATER})`, { now })
  draft.run(`DELETE FROM sale_order WHERE ${LATER}`, { now })
}
