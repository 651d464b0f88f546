import type { Draft } from '../../db/sqlite/draft.ts'
import { describeTable } from '../../db/tables.ts'
import type { Domain } from '../domain.ts'
import { MESSAGES } from './assumptions.ts'
import commands from './commands.ts'
import { conversation_block, message, message_attachment } from './tables.ts'

export const messages: Domain = {
  name: 'messages',
  uses: { reads: ['claims', 'orders', 'shipments', 'users'] },
  routes: () => import('./routes.ts'),
  paths: ['messages'],
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
}

/** Deletes the messages after `now` (world ms); those that were read later are not read yet. */
function trimHistory(draft: Draft, { now }: { now: number }): void {
  draft.run('DELETE FROM message WHERE date_created > :now', { now })
  draft.run('UPDATE message SET date_read = NULL WHERE date_read > :now', { now })
}
