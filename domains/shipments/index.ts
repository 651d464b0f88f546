import type { Draft } from '../../db/sqlite/draft.ts'
import { describeTable } from '../../db/tables.ts'
import type { Domain } from '../domain.ts'
import { SHIPMENTS } from './assumptions.ts'
import commands from './commands.ts'
import { followPayments, runSteps } from './operations.ts'
import { due, nextStepAt } from './queries.ts'
import { FIRST_SHIPMENT_ID, shipment, shipment_step } from './tables.ts'

export const shipments: Domain = {
  name: 'shipments',
  uses: { reads: ['currencies', 'items', 'orders', 'users'], writes: ['orders'] },
  routes: () => import('./routes.ts'),
  paths: [
    'shipments',
    'shipment_statuses',
    'shipment_labels',
    'orders/*/shipments',
    'items/*/shipping_options',
    'users/*/shipping_options',
  ],
  control: () => import('./control.ts'),
  assumptions: SHIPMENTS,
  topics: ['flex-handshakes', 'shipments'],
  commands,
  due,
  steps: { next: nextStepAt, run: runSteps },
  tables: [
    describeTable(shipment, { times: { date_created: 'ms' }, firstId: FIRST_SHIPMENT_ID }),
    describeTable(shipment_step, { times: { at: 'ms' } }),
  ],
  demo: () => import('./demo.ts'),
  trimHistory,
  subscriber: followPayments,
}

/** Deletes the shipments made after `now` (world ms), and what sellers have not done until then, with what follows. */
function trimHistory(draft: Draft, { now }: { now: number }): void {
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
