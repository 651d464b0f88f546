import { describeTable } from '../../db/tables.ts'
import type { Domain } from '../domain.ts'
import { CLAIMS } from './assumptions.ts'
import commands from './commands.ts'
import { trimHistory } from './history.ts'
import routes from './routes.ts'
import { followReturns } from './subscriber.ts'
import { claim, claim_message, FIRST_CLAIM_ID } from './tables.ts'
import { worldFile } from './world_file.ts'

export const claims: Domain = {
  name: 'claims',
  uses: { reads: ['currencies', 'items', 'orders', 'shipments', 'users'], writes: ['orders', 'shipments'] },
  routes,
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
  worldFile,
}
