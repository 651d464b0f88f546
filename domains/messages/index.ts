import { describeTable } from '../../db/tables.ts'
import type { Domain } from '../domain.ts'
import { MESSAGES } from './assumptions.ts'
import commands from './commands.ts'
import { trimHistory } from './history.ts'
import routes from './routes.ts'
import { conversation_block, message, message_attachment } from './tables.ts'
import { worldFile } from './world_file.ts'

export const messages: Domain = {
  name: 'messages',
  uses: { reads: ['claims', 'orders', 'shipments', 'users'] },
  routes,
  control: () => import('./control.ts'),
  assumptions: MESSAGES,
  topics: ['messages'],
  commands,
  due: [],
  tables: [
    describeTable(message, { times: { date_created: 'ms', date_read: 'ms' } }),
    describeTable(conversation_block, { times: { at: 'ms' } }),
    describeTable(message_attachment, { times: { date_created: 'ms' } }),
  ],
  demo: () => import('./demo.ts'),
  trimHistory,
  worldFile,
}
