import { derived } from '../../db/ids.ts'
import type { World } from '../../db/world.ts'
import { utcMillis } from '../shared/instants.ts'
import { uuid } from '../shared/texts.ts'
import type { NotificationRow } from './queries.ts'

/** The same at every attempt. */
export const notificationId = ({ key }: Pick<World, 'key'>, id: number): string =>
  uuid(derived(key, `notification ${id}`, 32))

/** What an event says that has happened; of most topics nothing [spec: notifications.payload.actions]. */
export const actionsOf = ({ actions }: { actions: string | null }): { actions?: string[] } =>
  actions === null ? {} : { actions: JSON.parse(actions) }

/** The body that a receiver gets [spec: notifications.payload]. `sent`: world time, ms. */
export const payload = (world: Pick<World, 'key'>, row: NotificationRow, sent: number) => ({
  _id: notificationId(world, row.id),
  resource: row.resource,
  user_id: row.user_id,
  topic: row.topic,
  ...actionsOf(row),
  application_id: row.application_id,
  attempts: row.attempts,
  sent: utcMillis(sent),
  received: utcMillis(row.received),
})
