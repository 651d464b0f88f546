import { describeTable } from '../../db/tables.ts'
import type { Domain } from '../domain.ts'
import { NOTIFICATIONS } from './assumptions.ts'
import commands from './commands.ts'
import { enqueueNotifications } from './delivery/operations.ts'
import { due } from './due_queries.ts'
import { notification, notification_attempt, notification_setting, notification_topic } from './tables.ts'

export const notifications: Domain = {
  name: 'notifications',
  uses: { reads: ['oauth'] },
  routes: () => import('./routes.ts'),
  paths: ['missed_feeds', 'myfeeds'],
  control: () => import('./control/index.ts'),
  assumptions: NOTIFICATIONS,
  topics: [],
  commands,
  due,
  tables: [
    describeTable(notification_setting, { secrets: ['callback_url'] }),
    describeTable(notification_topic, { times: { off_at: 'ms' } }),
    describeTable(notification, {
      times: { received: 'ms', first_at: 'ms', next_at: 'ms', ended_at: 'ms', leased_until: 'real', real_at: 'real' },
      isClearedInCopies: true,
    }),
    describeTable(notification_attempt, {
      times: { sent: 'ms', real_sent: 'real' },
      secrets: ['url'],
      isClearedInCopies: true,
    }),
  ],
  demo: null,
  trimHistory: null,
  subscriber: enqueueNotifications,
}
