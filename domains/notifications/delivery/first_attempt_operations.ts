import { and, eq, isNull, lte, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../../db/engine.ts'
import type { World } from '../../../db/world.ts'
import type { Profile } from '../settings/profiles.ts'
import { notification } from '../tables.ts'
import { unblockNext } from './ordering_operations.ts'
import { firstAttemptDelay } from './seeded_random.ts'

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
const selectUnscheduled = prepared(({ db }) =>
  db
    .select({ id: notification.id })
    .from(notification)
    .where(
      and(
        eq(notification.application_id, $('application_id')),
        eq(notification.status, 'pending'),
        lte(notification.next_at, $('now')),
        isNull(notification.first_at),
      ),
    )
    .orderBy(notification.next_at, notification.id)
    .limit(BATCH_SIZE),
)
const markSilenced = prepared(({ db }) =>
  db
    .update(notification)
    .set({ status: 'silenced', ended_at: sql`${$('now')}` })
    .where(eq(notification.id, $('id')))
    .returning(),
)
const setFirstAttempt = prepared(({ db }) =>
  db
    .update(notification)
    .set({ first_at: sql`${$('at')}`, next_at: sql`${$('at')}` })
    .where(eq(notification.id, $('id'))),
)
