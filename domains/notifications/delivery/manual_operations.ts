import { sql } from 'drizzle-orm'
import { $, type Q } from '../../../db/engine.ts'
import { updateReturning } from '../../../db/rows.ts'
import type { NotificationRow } from '../queries.ts'
import { notification, notification_setting } from '../tables.ts'
import { reorder, unblockNext } from './ordering_operations.ts'

// Changes made by control calls, inside `world.tx`. Each returns the changed notification; undefined when there is none
// or its status does not allow the change.

export interface ManualChange {
  id: number
  /** World time, ms. */
  now: number
  /** Real time, ms. */
  real: number
}

/** Applies a change, then updates the order of the other notifications of the resource. */
async function changeThenReorder(
  q: Q,
  reorderOthers: typeof reorder | typeof unblockNext,
  change: Promise<NotificationRow | undefined>,
): Promise<NotificationRow | undefined> {
  const row = await change
  if (!row) return undefined
  await reorderOthers(q, row)
  return row
}

/** Makes one more attempt due now; not while it is held or in flight, nor without a setting of its application. */
export const resend = (q: Q, { id, now, real }: ManualChange): Promise<NotificationRow | undefined> =>
  changeThenReorder(q, reorder, setPendingAgain(q).one({ id, now, real }))
const setPendingAgain = updateReturning(
  notification,
  {
    status: 'pending',
    // Retries of an ended notification count from now: otherwise all of them would be due at once.
    first_at: sql`iif(${notification.status} = 'pending', ${notification.first_at}, ${$('now')})`,
    next_at: $('now'),
    leased_until: null,
    ended_at: null,
  },
  { id: $, status: ['pending', 'delivered', 'missed', 'dropped', 'silenced'] },
  () => sql`(${notification.leased_until} IS NULL OR ${notification.leased_until} < ${$('real')})
    AND EXISTS (SELECT 1 FROM ${notification_setting} WHERE ${notification_setting.application_id} = ${notification.application_id})`,
)

/** Stops attempts until the release; an attempt in flight continues, and the notification is held if it fails. */
export const hold = (q: Q, { id }: ManualChange): Promise<NotificationRow | undefined> =>
  changeThenReorder(q, unblockNext, setHeld(q).one({ id }))
const setHeld = updateReturning(notification, { status: 'held' }, { id: $, status: 'pending' })

/** Makes the next attempt of a held notification due now. */
export const release = (q: Q, { id, now }: ManualChange): Promise<NotificationRow | undefined> =>
  changeThenReorder(q, reorder, setReleased(q).one({ id, now }))
const setReleased = updateReturning(notification, { status: 'pending', next_at: $('now') }, { id: $, status: 'held' })

/** Ends all attempts; the result of an attempt in flight does not change the status. */
export const drop = (q: Q, { id, now }: ManualChange): Promise<NotificationRow | undefined> =>
  changeThenReorder(q, unblockNext, setDropped(q).one({ id, now }))
const setDropped = updateReturning(
  notification,
  { status: 'dropped', ended_at: $('now') },
  { id: $, status: ['pending', 'held'] },
)
