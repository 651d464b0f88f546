import { $, preparedSql, type Q } from '../../../db/engine.ts'
import { updateReturning, updateRows } from '../../../db/rows.ts'
import type { World } from '../../../db/world.ts'
import type { NotificationRow } from '../queries.ts'
import { firstAttemptDelay, type Profile } from '../settings/profiles.ts'
import { notification } from '../tables.ts'

// With in-order delivery, only the first pending notification of a resource is sent; the others are `behind` it. These
// run inside `world.tx` after every change that can make another notification the first.

type ResourceQueue = Pick<NotificationRow, 'application_id' | 'resource'>

/** A notification has left the queue of its resource: the next one may be sent. */
export const unblockNext = (q: Q, { application_id, resource }: ResourceQueue) =>
  setNextUnblocked(q).run({ application_id, resource })
const setNextUnblocked = preparedSql(`
  UPDATE notification SET behind = 0 WHERE behind = 1 AND id = (
  SELECT min(id) FROM notification
  WHERE application_id = :application_id AND resource = :resource AND status = 'pending' AND ended_at IS NULL)`)

/** A notification has returned to the queue of its resource, at its own position. */
export const reorder = (q: Q, { application_id, resource }: ResourceQueue) =>
  setOrder(q).run({ application_id, resource })
const setOrder = preparedSql(`
  UPDATE notification SET behind = id > (
    SELECT min(p.id) FROM notification p
    WHERE p.application_id = notification.application_id AND p.resource = notification.resource
      AND p.status = 'pending' AND p.ended_at IS NULL)
  WHERE application_id = :application_id AND resource = :resource AND status = 'pending' AND ended_at IS NULL
    AND EXISTS (SELECT 1 FROM notification_setting s WHERE s.application_id = notification.application_id AND s.in_order)`)

/** The setting of an application has changed: updates the queues of all its resources. */
export const reorderAll = (q: Q, application_id: number) => setOrderAll(q).run({ application_id })
const setOrderAll = preparedSql(`
  UPDATE notification SET behind = (SELECT in_order FROM notification_setting s WHERE s.application_id = notification.application_id)
    AND EXISTS (
      SELECT 1 FROM notification p
      WHERE p.application_id = notification.application_id AND p.resource = notification.resource
        AND p.status = 'pending' AND p.ended_at IS NULL AND p.id < notification.id)
  WHERE application_id = :application_id AND status = 'pending' AND ended_at IS NULL`)

/** Notifications per transaction. */
const BATCH_SIZE = 500

/**
 * Gives new notifications of an application the time of their first attempt, or silences them, as its profile says.
 * Returns whether there may be more. Called inside `world.tx`. `now`: world time, ms.
 */
export async function scheduleFirstAttempts(
  q: Q,
  { key }: Pick<World, 'key'>,
  profile: Profile,
  { application_id, now }: { application_id: number; now: number },
): Promise<boolean> {
  const rows = await selectUnscheduled(q).all({ application_id, now })
  for (const { id } of rows) {
    const delay = firstAttemptDelay(key, id, profile)
    if (delay === null) await unblockNext(q, (await markSilenced(q).one({ id, now }))!)
    else await setFirstAttempt(q).run({ id, at: now + delay })
  }
  return rows.length === BATCH_SIZE
}
const selectUnscheduled = preparedSql<{ id: number }>(`
  SELECT id FROM notification
  WHERE application_id = :application_id AND status = 'pending' AND next_at <= :now AND first_at IS NULL
  ORDER BY next_at, id LIMIT ${BATCH_SIZE}`)
const markSilenced = updateReturning(notification, { status: 'silenced', ended_at: $('now') }, { id: $ })
const setFirstAttempt = updateRows(notification, { first_at: $('at'), next_at: $('at') }, { id: $ })
