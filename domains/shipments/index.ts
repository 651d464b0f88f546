import { describeTable } from '../../db/tables.ts'
import type { Domain } from '../domain.ts'
import { SHIPMENTS } from './assumptions.ts'
import commands from './commands.ts'
import { trimHistory } from './history.ts'
import { runSteps } from './operations.ts'
import { due, nextStepAt } from './queries.ts'
import routes from './routes.ts'
import { followPayments } from './subscriber.ts'
import { FIRST_SHIPMENT_ID, shipment, shipment_step } from './tables.ts'
import { worldFile } from './world_file.ts'

export const shipments: Domain = {
  name: 'shipments',
  uses: { reads: ['currencies', 'items', 'orders', 'users'], writes: ['orders'] },
  routes,
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
  worldFile,
}
