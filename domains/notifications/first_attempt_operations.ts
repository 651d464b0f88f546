import { and, eq, isNull, lte, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { unblockNext } from './ordering_operations.ts'
import type { Profile } from './profiles.ts'
import { firstAttemptDelay } from './seeded_random.ts'

/** Notifications that are looked at in one unit. */
const BATCH_SIZE = 500

/**
 * Says of what is due for the first time when its first attempt begins, if ever, as the application's profile has it.
 * Answers whether there may be more of it. Called inside `world.tx`. `now`: world time, ms.
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
const selectUnscheduled = prepared(({ db, t: { notification: n } }) =>
  db
    .select({ id: n.id })
    .from(n)
    .where(
      and(
        eq(n.application_id, $('application_id')),
        eq(n.status, 'pending'),
        lte(n.next_at, $('now')),
        isNull(n.first_at),
      ),
    )
    .orderBy(n.next_at, n.id)
    .limit(BATCH_SIZE),
)
const markSilenced = prepared(({ db, t: { notification: n } }) =>
  db
    .update(n)
    .set({ status: 'silenced', ended_at: sql`${$('now')}` })
    .where(eq(n.id, $('id')))
    .returning(),
)
const setFirstAttempt = prepared(({ db, t: { notification: n } }) =>
  db
    .update(n)
    .set({ first_at: sql`${$('at')}`, next_at: sql`${$('at')}` })
    .where(eq(n.id, $('id'))),
)
