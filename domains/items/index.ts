import { describeTable } from '../../db/tables.ts'
import type { Domain } from '../domain.ts'
import { ITEMS } from './assumptions.ts'
import { item, item_description, picture } from './tables.ts'

export const items: Domain = {
  name: 'items',
  uses: {
    reads: ['contacts', 'credits', 'currencies', 'questions', 'users'],
    writes: ['questions'],
    controlWrites: ['flex'],
  },
  routes: () => import('./routes.ts'),
  paths: ['items', 'pictures', 'seller-promotions', 'users/*/items', 'sites/*/search'],
  control: () => import('./control.ts'),
  assumptions: ITEMS,
  topics: ['items', 'items_prices'],
  commands: null,
  due: [],
  tables: [
    describeTable(item, { times: { date_created: 'ms', last_updated: 'ms', promotion_until: 'ms' } }),
    describeTable(item_description, { times: { date_created: 'ms', last_updated: 'ms' } }),
    describeTable(picture, { times: { date_created: 'ms' } }),
  ],
  demo: () => import('./demo.ts'),
  trimHistory: null,
}
