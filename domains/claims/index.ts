import { describeTable } from '../../db/tables.ts'
import type { Domain } from '../domain.ts'
import { claim, claim_message, FIRST_CLAIM_ID } from './tables.ts'

export const claims: Domain = {
  name: 'claims',
  uses: { reads: ['orders', 'shipments', 'users'], writes: ['orders', 'shipments'] },
  routes: async () => {},
  control: null,
  assumptions: {},
  topics: [],
  commands: null,
  due: [],
  tables: [
    describeTable(claim, { times: { date_created: 'ms', last_updated: 'ms' }, firstId: FIRST_CLAIM_ID }),
    describeTable(claim_message, { times: { date_created: 'ms', date_read: 'ms' } }),
  ],
  demo: null,
  trimHistory: null,
  worldFile: {
    after: ['users', 'orders', 'shipments'],
    lists: {},
    tables: { claim: 'omitted', claim_message: 'omitted' },
  },
}
