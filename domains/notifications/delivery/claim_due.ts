import { realNow } from '../../../db/clock.ts'
import type { World } from '../../../db/world.ts'
import { nextDue, type SettingRow } from '../queries.ts'
import { profileOf } from '../settings/profiles.ts'
import type { ClaimedNotification } from './deliver.ts'
import { scheduleFirstAttempts } from './first_attempt_operations.ts'
import { claim } from './operations.ts'
import { hasRandomFirstAttempt } from './seeded_random.ts'

/** Real ms for which a claim outlasts the time limit of the receiver. */
const CLAIM_GRACE_MS = 30_000

/**
 * Claims the notifications of one application that are due, at most `limit`. `hasRescheduled`: first attempts were
 * given a random time instead, so the world must be scanned again.
 */
export async function claimDue(
  world: World,
  setting: SettingRow,
  limit: number,
): Promise<{ claimed: ClaimedNotification[]; hasRescheduled: boolean }> {
  const { application_id } = setting
  const profile = profileOf(setting)
  const real = realNow()
  const now = world.clock.now()
  const due = await nextDue(world.read, application_id)
  if (due === null || due > now) return { claimed: [], hasRescheduled: false }
  return world.tx(async (q) => {
    if (hasRandomFirstAttempt(profile) && (await scheduleFirstAttempts(q, world, profile, { application_id, now })))
      return { claimed: [], hasRescheduled: true }
    const until = real + profile.limit_ms + CLAIM_GRACE_MS
    const rows = await claim(q, { application_id, now, real, until, limit })
    return { claimed: rows.map((row) => ({ world, setting, profile, row, sent: now })), hasRescheduled: false }
  })
}
