import { and, eq, isNull, lte, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { lateness } from './chances.ts'
import { moveUp } from './order_operations.ts'
import type { Profile } from './profiles.ts'

/** Notifications that are looked at in one unit. */
const AT_ONCE = 500

/**
 * Says of what is due for the first time when its first attempt begins, if ever, as the application's profile has it.
 * Answers whether there may be more of it. Called inside `world.tx`. `now`: world time, ms.
 */
export async function putOff(
  q: Q,
  { key }: Pick<World, 'key'>,
  profile: Profile,
  { application_id, now }: { application_id: number; now: number },
): Promise<boolean> {
  const rows = await unsettled(q).all({ application_id, now })
  for (const { id } of rows) {
    const late = lateness(key, id, profile)
    if (late === null) await moveUp(q, (await silence(q).one({ id, now }))!)
    else await begin(q).run({ id, at: now + late })
  }
  return rows.length === AT_ONCE
}
const unsettled = prepared(({ db, t: { notification: n } }) =>
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
    .limit(AT_ONCE),
)
const silence = prepared(({ db, t: { notification: n } }) =>
  db
    .update(n)
    .set({ status: 'silenced', ended_at: sql`${$('now')}` })
    .where(eq(n.id, $('id')))
    .returning(),
)
const begin = prepared(({ db, t: { notification: n } }) =>
  db
    .update(n)
    .set({ first_at: sql`${$('at')}`, next_at: sql`${$('at')}` })
    .where(eq(n.id, $('id'))),
)
