import { realNow } from '../../../db/clock.ts'
import { keptFor } from '../../../db/kept.ts'
import { Ring, RingBudget } from '../../../db/ring.ts'
import type { Generation, World } from '../../../db/world.ts'
import type { NotificationRow } from '../queries.ts'
import { duplicateDelay, type Profile, retryDelay } from '../settings/profiles.ts'
import type { Outcome } from './operations.ts'

/** An attempt that was started, in memory; times are real, ms. */
export interface StartedAttempt {
  delivery_id: number
  n: number
  application_id: number
  user_id: number
  topic: string
  /** The id in its resource, in lower case. */
  resource_id: string
  startedAt: number
  /** Infinity while it is in flight. */
  endedAt: number
}

/** Attempts of one world, and of all. */
const MAX_ATTEMPTS = 1000
const MAX_TOTAL_ATTEMPTS = 20_000

const budget = new RingBudget(MAX_TOTAL_ATTEMPTS)

/** The latest attempts of a world, in the order of their starts. */
export const startedAttemptsOf = keptFor((_: Generation) => new Ring<StartedAttempt>(MAX_ATTEMPTS, { budget }))

type Notification = Pick<NotificationRow, 'id' | 'attempts' | 'application_id' | 'user_id' | 'topic' | 'resource'>

/** Records that an attempt starts. Returns what records its end. */
export function recordStart(
  generation: Generation,
  { id: delivery_id, attempts: n, application_id, user_id, topic, resource }: Notification,
): () => void {
  const attempt = {
    ...{ delivery_id, n, application_id, user_id, topic, resource_id: idInResource(resource) },
    ...{ startedAt: realNow(), endedAt: Number.POSITIVE_INFINITY },
  }
  startedAttemptsOf(generation).append(attempt)
  return () => {
    attempt.endedAt = realNow()
  }
}

/** The longest segment with a digit: `/flex/sites/MLA/shipments/4000000001/assignment/v1` has others. */
export const idInResource = (resource: string): string =>
  resource
    .toLowerCase()
    .split('/')
    .filter((segment) => /\d/.test(segment))
    .reduce((longest, segment) => (segment.length > longest.length ? segment : longest), '')

/** The state of a notification after an attempt [spec: notifications.attempts]. `now`: world time, ms. */
export function outcomeOf(
  { key }: Pick<World, 'key'>,
  row: NotificationRow,
  profile: Profile,
  { hasArrived, now }: { hasArrived: boolean; now: number },
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
