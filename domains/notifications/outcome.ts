import type { World } from '../../db/world.ts'
import { echo, retryAfter } from './chances.ts'
import type { Outcome } from './operations.ts'
import type { Profile } from './profiles.ts'
import type { NotificationRow } from './queries.ts'

/** How a notification stands after an attempt that has arrived, or not. `now`: world time, ms. */
export function outcome(
  { key }: Pick<World, 'key'>,
  row: NotificationRow,
  profile: Profile,
  hasArrived: boolean,
  now: number,
): Outcome {
  // This was the second time that it came.
  if (row.ended_at !== null) return { status: 'delivered', next_at: now, ended_at: row.ended_at }
  if (hasArrived) {
    const later = echo(key, row.id, profile)
    return later === null
      ? { status: 'delivered', next_at: now, ended_at: now }
      : { status: 'pending', next_at: now + later, ended_at: now }
  }
  const later = retryAfter(key, row.id, row.attempts, profile)
  return later === null
    ? { status: 'missed', next_at: now, ended_at: now }
    : { status: 'pending', next_at: row.first_at! + later, ended_at: null }
}
