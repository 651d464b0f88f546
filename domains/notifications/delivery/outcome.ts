import type { World } from '../../../db/world.ts'
import type { NotificationRow } from '../queries.ts'
import type { Profile } from '../settings/profiles.ts'
import type { Outcome } from './operations.ts'
import { duplicateDelay, retryDelay } from './seeded_random.ts'

/** The state of a notification after an attempt [spec: notifications.attempts]. `now`: world time, ms. */
export function outcomeOf(
  { key }: Pick<World, 'key'>,
  row: NotificationRow,
  profile: Profile,
  hasArrived: boolean,
  now: number,
): Outcome {
  // It had arrived before: this was the duplicate.
  if (row.ended_at !== null) return { status: 'delivered', next_at: now, ended_at: row.ended_at }
  if (hasArrived) {
    const delay = duplicateDelay(key, row.id, profile)
    return delay === null
      ? { status: 'delivered', next_at: now, ended_at: now }
      : { status: 'pending', next_at: now + delay, ended_at: now }
  }
  const delay = retryDelay(key, row.id, row.attempts, profile)
  return delay === null
    ? { status: 'missed', next_at: now, ended_at: now }
    : { status: 'pending', next_at: row.first_at! + delay, ended_at: null }
}
