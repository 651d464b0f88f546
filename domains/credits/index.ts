import { describeTable } from '../../db/tables.ts'
import type { Domain } from '../domain.ts'
import { CREDITS } from './assumptions.ts'
import commands from './commands.ts'
import { trimHistory } from './lifetime.ts'
import { due } from './queries.ts'
import { credit_lead } from './tables.ts'

export const credits: Domain = {
  name: 'credits',
  uses: { reads: ['items', 'users'] },
  routes: () => import('./routes.ts'),
  paths: ['vis'],
  control: () => import('./control.ts'),
  assumptions: CREDITS,
  topics: ['leads-credits'],
  commands,
  due,
  tables: [describeTable(credit_lead, { times: { date_created: 'ms' } })],
  demo: () => import('./demo.ts'),
  trimHistory,
}
