import { describeTable } from '../../db/tables.ts'
import type { Domain } from '../domain.ts'
import { conversation_block, message, message_attachment } from './tables.ts'

export const messages: Domain = {
  name: 'messages',
  uses: { reads: ['claims', 'orders', 'shipments', 'users'] },
  routes: async () => {},
  control: null,
  assumptions: {},
  topics: [],
  commands: null,
  due: [],
  tables: [
    describeTable(message, { times: { date_created: 'ms', date_read: 'ms' } }),
    describeTable(conversation_block, { times: { at: 'ms' } }),
    describeTable(message_attachment, { times: { date_created: 'ms' } }),
  ],
  demo: null,
  trimHistory: null,
  worldFile: {
    after: ['users', 'orders', 'claims'],
    lists: {},
    tables: { message: 'omitted', conversation_block: 'omitted', message_attachment: 'omitted' },
  },
}
