import { $, type Preparable, prepared, type Q } from '../../../db/engine.ts'
import type { NotificationRow } from '../queries.ts'

// With in-order delivery, only the first pending notification of a resource is sent; the others are `behind` it. These
// run inside `world.tx` after every change that can make another notification the first.

type ResourceQueue = Pick<NotificationRow, 'application_id' | 'resource'>

/** A notification has left the queue of its resource: the next one may be sent. */
export const unblockNext = (q: Q, { application_id, resource }: ResourceQueue) =>
  setNextUnblocked(q).run({ application_id, resource })
const setNextUnblocked = prepared(
  (): Preparable => ({
    toSQL: () => ({
      // `+?`: see `fixedPlan`.
      sql: `UPDATE notification SET behind = 0 WHERE behind = 1 AND id = (
              SELECT min(id) FROM notification
              WHERE application_id = +? AND resource = +? AND status = 'pending' AND ended_at IS NULL)`,
      params: ['application_id', 'resource'].map($),
    }),
  }),
)

/** A notification has returned to the queue of its resource, at its own position. */
export const reorder = (q: Q, { application_id, resource }: ResourceQueue) =>
  setOrder(q).run({ application_id, resource })
const setOrder = prepared(
  (): Preparable => ({
    toSQL: () => ({
      sql: `UPDATE notification SET behind = id > (
              SELECT min(p.id) FROM notification p
              WHERE p.application_id = notification.application_id AND p.resource = notification.resource
                AND p.status = 'pending' AND p.ended_at IS NULL)
            WHERE application_id = ? AND resource = ? AND status = 'pending' AND ended_at IS NULL
              AND EXISTS (SELECT 1 FROM notification_setting s WHERE s.application_id = notification.application_id AND s.in_order)`,
      params: ['application_id', 'resource'].map($),
    }),
  }),
)

/** The setting of an application has changed: updates the queues of all its resources. */
export const reorderAll = (q: Q, application_id: number) => setOrderAll(q).run({ application_id })
const setOrderAll = prepared(
  (): Preparable => ({
    toSQL: () => ({
      sql: `UPDATE notification SET behind = (SELECT in_order FROM notification_setting s WHERE s.application_id = notification.application_id)
              AND EXISTS (
                SELECT 1 FROM notification p
                WHERE p.application_id = notification.application_id AND p.resource = notification.resource
                  AND p.status = 'pending' AND p.ended_at IS NULL AND p.id < notification.id)
            WHERE application_id = ? AND status = 'pending' AND ended_at IS NULL`,
      params: ['application_id'].map($),
    }),
  }),
)
