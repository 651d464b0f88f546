import type { Draft } from '../../db/sqlite/draft.ts'
import { describeTable } from '../../db/tables.ts'
import type { Domain } from '../domain.ts'
import { ORDERS } from './assumptions.ts'
import commands from './commands.ts'
import {
  FIRST_FEEDBACK_ID,
  FIRST_ORDER_ID,
  FIRST_PAYMENT_ID,
  order_blocked_buyer,
  order_feedback,
  order_note,
  payment,
  sale_order,
} from './tables.ts'

const modified = { date_created: 'ms', modified: 'ms' } as const

export const orders: Domain = {
  name: 'orders',
  uses: { reads: ['items', 'users', 'currencies', 'shipments'], writes: ['items'] },
  routes: () => import('./routes.ts'),
  paths: ['orders', 'packs', 'collections', 'feedback', 'v1', 'users/*/order_blacklist'],
  control: () => import('./control.ts'),
  assumptions: ORDERS,
  topics: ['orders_v2', 'payments', 'orders_feedback'],
  commands,
  due: [],
  tables: [
    describeTable(sale_order, {
      times: { date_created: 'ms', date_closed: 'ms', cancelled_at: 'ms', last_updated: 'ms' },
      firstId: FIRST_ORDER_ID,
    }),
    describeTable(payment, {
      times: { date_created: 'ms', date_approved: 'ms', date_last_modified: 'ms' },
      firstId: FIRST_PAYMENT_ID,
    }),
    describeTable(order_feedback, { times: modified, firstId: FIRST_FEEDBACK_ID }),
    describeTable(order_note, { times: { date_created: 'ms', date_last_updated: 'ms' } }),
    describeTable(order_blocked_buyer, { times: { date_created: 'ms' } }),
  ],
  demo: () => import('./demo.ts'),
  trimHistory,
}

const LATER = 'date_created > :now'

/** Deletes the orders made after `now` (world ms): what is available stays, so less was there in the beginning. */
function trimHistory(draft: Draft, { now }: { now: number }): void {
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
