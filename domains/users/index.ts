import { describeTable } from '../../db/tables.ts'
import type { Domain } from '../domain.ts'
import { USERS } from './assumptions.ts'
import { user } from './tables.ts'

export const users: Domain = {
  name: 'users',
  uses: {
    reads: ['claims', 'credits', 'flex', 'items', 'oauth', 'orders', 'questions', 'shipments'],
    controlWrites: ['items', 'oauth'],
  },
  routes: () => import('./routes.ts'),
  paths: ['users'],
  control: () => import('./control.ts'),
  assumptions: USERS,
  topics: [],
  commands: null,
  due: [],
  tables: [describeTable(user, { times: { registration_date: 'ms' } })],
  demo: () => import('./demo.ts'),
  trimHistory: null,
}
