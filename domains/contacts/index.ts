import { describeTable } from '../../db/tables.ts'
import type { Domain } from '../domain.ts'
import { CONTACTS } from './assumptions.ts'
import commands from './commands.ts'
import { trimHistory } from './operations.ts'
import { contact_event, contact_item_hour, contact_user_hour } from './tables.ts'

export const contacts: Domain = {
  name: 'contacts',
  uses: { reads: ['items', 'orders', 'questions', 'users'] },
  routes: () => import('./routes.ts'),
  paths: [
    'visits',
    'items/visits',
    'items/contacts',
    'items/*/visits',
    'items/*/contacts',
    'users/*/contacts',
    'users/*/items_visits',
  ],
  control: () => import('./control/index.ts'),
  assumptions: CONTACTS,
  topics: [],
  commands,
  due: [],
  tables: [
    describeTable(contact_event, { times: { at: 'since origin' } }),
    describeTable(contact_item_hour, { times: { hour: 'since origin' } }),
    describeTable(contact_user_hour, { times: { hour: 'since origin' } }),
  ],
  demo: () => import('./demo.ts'),
  trimHistory,
}
