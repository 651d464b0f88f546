import { and, eq, inArray, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../../db/engine.ts'
import type { NotificationRow } from '../queries.ts'
import { notification, notification_setting } from '../tables.ts'
import { reorder, unblockNext } from './ordering_operations.ts'

// What a person does to a notification, called inside `world.tx`. Each answers it as it stands then; undefined where it
// does not stand so that this can be done, or is not there. `now`: world time, ms; `real`: real time, ms.

export interface ManualChange {
  id: number
  now: number
  real: number
}

/** What was done, once the others of its resource have taken their places. */
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

/**
 * One more attempt, due now, however it stands but held; not while one is under way, nor where nobody is told any more.
 */
export const resend = (q: Q, { id, now, real }: ManualChange): Promise<NotificationRow | undefined> =>
  changeThenReorder(q, reorder, setPendingAgain(q).one({ id, now, real }))
const setPendingAgain = prepared(({ db }) =>
  db
    .update(notification)
    .set({
      status: 'pending',
      // What had ended begins anew: its retries count from now, and do not come all at once.
      first_at: sql`iif(${notification.status} = 'pending', ${notification.first_at}, ${$('now')})`,
      next_at: sql`${$('now')}`,
      leased_until: null,
      ended_at: null,
    })
    .where(
      and(
        eq(notification.id, $('id')),
        inArray(notification.status, ['pending', 'delivered', 'missed', 'dropped', 'silenced']),
        sql`(${notification.leased_until} IS NULL OR ${notification.leased_until} < ${$('real')})`,
        sql`EXISTS (SELECT 1 FROM ${notification_setting} WHERE ${notification_setting.application_id} = ${notification.application_id})`,
      ),
    )
    .returning(),
)

/** No attempts until it is released; one that is under way goes on, and it is held when that fails. */
export const hold = (q: Q, { id }: ManualChange): Promise<NotificationRow | undefined> =>
  changeThenReorder(q, unblockNext, setHeld(q).one({ id }))
const setHeld = prepared(({ db }) =>
  db
    .update(notification)
    .set({ status: 'held' })
    .where(and(eq(notification.id, $('id')), eq(notification.status, 'pending')))
    .returning(),
)

/** The next attempt of a held one is due now. */
export const release = (q: Q, { id, now }: ManualChange): Promise<NotificationRow | undefined> =>
  changeThenReorder(q, reorder, setReleased(q).one({ id, now }))
const setReleased = prepared(({ db }) =>
  db
    .update(notification)
    .set({ status: 'pending', next_at: sql`${$('now')}` })
    .where(and(eq(notification.id, $('id')), eq(notification.status, 'held')))
    .returning(),
)

/** No more attempts; one that is under way changes nothing any more. */
export const drop = (q: Q, { id, now }: ManualChange): Promise<NotificationRow | undefined> =>
  changeThenReorder(q, unblockNext, setDropped(q).one({ id, now }))
const setDropped = prepared(({ db }) =>
  db
    .update(notification)
    .set({ status: 'dropped', ended_at: sql`${$('now')}` })
    .where(and(eq(notification.id, $('id')), inArray(notification.status, ['pending', 'held'])))
    .returning(),
)
