import type { Draft } from '../../db/sqlite/draft.ts'

const LATER = 'date_created > :now'
const LATER_SOLD = `FROM sale_order o WHERE o.item_id = item.id AND o.${LATER} AND o.status IN ('paid', 'partially_refunded', 'pending_cancel')`
const UNITS = `(SELECT sum(o.quantity) ${LATER_SOLD})`

/** Deletes the orders made after `now` (world ms): what is available stays, so less was there in the beginning. */
export function trimHistory(draft: Draft, { now }: { now: number }): void {
  draft.run(
    `UPDATE item SET sold_quantity = sold_quantity - ${UNITS},
       details = json_set(details, '$.initial_quantity', json_extract(details, '$.initial_quantity') - ${UNITS})
     WHERE EXISTS (SELECT 1 ${LATER_SOLD})`,
    { now },
  )
  draft.run(`DELETE FROM payment WHERE order_id IN (SELECT id FROM sale_order WHERE ${LATER})`, { now })
  draft.run(`DELETE FROM sale_order WHERE ${LATER}`, { now })
}
