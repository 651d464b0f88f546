import { describeTable } from '../../db/tables.ts'
import type { Domain } from '../domain.ts'
import { FLEX } from './assumptions.ts'
import commands from './commands.ts'
import { FIRST_SUBSCRIPTION_ID, flex_subscription } from './tables.ts'

export const flex: Domain = {
  name: 'flex',
  uses: { reads: ['items', 'shipments', 'users'], writes: ['items', 'shipments'] },
  routes: () => import('./routes.ts'),
  paths: ['flex', 'shipping', 'sites/*/shipping'],
  control: () => import('./control/index.ts'),
  assumptions: FLEX,
  topics: [],
  commands,
  due: [],
  tables: [describeTable(flex_subscription, { times: { creation_date: 'ms' }, firstId: FIRST_SUBSCRIPTION_ID })],
  demo: () => import('./demo.ts'),
  trimHistory: null,
}
