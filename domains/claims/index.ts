import type { Draft } from '../../db/sqlite/draft.ts'
import { describeTable } from '../../db/tables.ts'
import type { Domain } from '../domain.ts'
import { CLAIMS } from './assumptions.ts'
import commands from './commands.ts'
import { followReturns } from './operations.ts'
import { claim, claim_message, FIRST_CLAIM_ID } from './tables.ts'

export const claims: Domain = {
  name: 'claims',
  uses: { reads: ['currencies', 'items', 'orders', 'shipments', 'users'], writes: ['orders', 'shipments'] },
  routes: () => import('./routes.ts'),
  paths: ['post-purchase'],
  control: () => import('./control.ts'),
  assumptions: CLAIMS,
  topics: ['post_purchase', 'claims'],
  commands,
  due: [],
  tables: [
    describeTable(claim, { times: { date_created: 'ms', last_updated: 'ms' }, firstId: FIRST_CLAIM_ID }),
    describeTable(claim_message, { times: { date_created: 'ms', date_read: 'ms' } }),
  ],
  demo: () => import('./demo.ts'),
  trimHistory,
  subscriber: followReturns,
}

/**
 * Deletes the claims and messages after `now` (world ms), and takes back the returns that were made later: claims of the
 * week change nothing of their orders. Runs after the trim of shipments.
 */
function trimHistory(draft: Draft, { now }: { now: number }): void {
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
