import { $, type Preparable, prepared, type Q } from '../../../db/engine.ts'
import type { NotificationRow } from '../queries.ts'

// Which notification of a resource comes next where they come in order: the first that is pending and has not arrived
// yet. The others are behind it. Called inside `world.tx`, after every change of who is first.

type ResourceQueue = Pick<NotificationRow, 'application_id' | 'resource'>

/** One has left the line: the next may go. */
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

/** One has come back into the line, in its own place. */
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

/** All lines of an application are as its setting has it now. */
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
