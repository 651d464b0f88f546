import { isNotNull, sql } from 'drizzle-orm'
import { realNow } from '../../../db/clock.ts'
import { $, type PublishedEvents, preparedSql, type Q } from '../../../db/engine.ts'
import { insertInto, updateRows } from '../../../db/rows.ts'
import type { World } from '../../../db/world.ts'
import { type AttemptRow, type NotificationRow, nextDue, type SettingRow } from '../queries.ts'
import { hasRandomFirstAttempt, type Profile, profileOf } from '../settings/profiles.ts'
import { notification, notification_attempt } from '../tables.ts'
import { scheduleFirstAttempts, unblockNext } from './ordering_operations.ts'

// Every operation is called inside `world.tx`, but `claimDue`, which begins its own transaction.

/** Ended notifications that are stored. */
const MAX_ROWS = 100_000
const SWEEP_BATCH_SIZE = 1_000

/** A notification that is claimed for one attempt. */
export interface ClaimedNotification {
  world: World
  setting: SettingRow
  profile: Profile
  row: NotificationRow
  /** World time of the claim, ms. */
  sent: number
}

interface Claim {
  application_id: number
  /** World time, ms. */
  now: number
  /** Real time, ms: claims that expired before are taken over. */
  real: number
  /** Real time at which the claim expires, ms. */
  until: number
  limit: number
}

/** Claims due notifications until they are finished or the claim expires. A claim that is taken over counts no attempt. */
const claim = (q: Q, claimed: Claim): Promise<NotificationRow[]> => claimRows(q).all({ ...claimed })
const claimRows = preparedSql<NotificationRow>(`
  UPDATE notification SET leased_until = :until, attempts = attempts + (leased_until IS NULL), first_at = coalesce(first_at, :now)
  WHERE id IN (
    SELECT n.id FROM notification n
    WHERE n.application_id = :application_id AND n.status = 'pending' AND n.behind = 0 AND n.next_at <= :now
      AND (n.leased_until IS NULL OR n.leased_until < :real)
    ORDER BY n.next_at, n.id LIMIT :limit)
  RETURNING *`)

/** The state of a notification after an attempt. */
export type Outcome = Pick<NotificationRow, 'next_at' | 'ended_at'> & { status: 'pending' | 'delivered' | 'missed' }

/** Stores an attempt and updates its notification. */
export async function recordAttempt(q: Q, attempt: AttemptRow, outcome: Outcome): Promise<void> {
  await insertAttempt(q, attempt)
  const row = await updateAfterAttempt(q).one({ id: attempt.notification_id, ...outcome })
  if (row && outcome.ended_at !== null) await unblockNext(q, row)
}
const insertAttempt = insertInto(notification_attempt)
// A notification that was dropped during the attempt stays dropped; a held one stays held instead of being retried.
const updateAfterAttempt = preparedSql<Pick<NotificationRow, 'application_id' | 'resource'>>(`
  UPDATE notification SET
    status = CASE WHEN status IN ('pending', 'held') THEN iif(status = 'held' AND :status = 'pending', 'held', :status) ELSE status END,
    next_at = CASE WHEN status IN ('pending', 'held') THEN :next_at ELSE next_at END,
    ended_at = CASE WHEN status IN ('pending', 'held') THEN :ended_at ELSE ended_at END,
    leased_until = NULL
  WHERE id = :id RETURNING application_id, resource`)

/**
 * Deletes notifications that ended before a world time, ms, or that exceed the limit: one batch of each, so that other
 * transactions do not wait long. `last`: the id of a recent notification.
 */
export async function sweep(q: Q, { before, last }: { before: number; last: number }): Promise<void> {
  for (const selectIds of [selectOutdated, selectOverLimit]) {
    const ids = JSON.stringify((await selectIds(q).all({ before, last: last - MAX_ROWS })).map(({ id }) => id))
    if (ids === '[]') continue
    await sweepAttempts(q).run({ ids })
    await sweepEnded(q).run({ ids })
  }
}
const selectOutdated = preparedSql<{ id: number }>(`
  SELECT id FROM notification WHERE ended_at < :before AND status NOT IN ('pending', 'held') LIMIT ${SWEEP_BATCH_SIZE}`)
const selectOverLimit = preparedSql<{ id: number }>(`
  SELECT id FROM notification WHERE id <= :last AND status NOT IN ('pending', 'held') ORDER BY id LIMIT ${SWEEP_BATCH_SIZE}`)
const sweepAttempts = preparedSql(
  'DELETE FROM notification_attempt WHERE notification_id IN (SELECT value FROM json_each(:ids))',
)
const sweepEnded = preparedSql('DELETE FROM notification WHERE id IN (SELECT value FROM json_each(:ids))')

/** Releases all claims of a world without a dispatcher; an unfinished attempt does not count. */
export const releaseClaims = (q: Q) => clearClaims(q).run()
const clearClaims = updateRows(
  notification,
  { leased_until: null, attempts: sql`${notification.attempts} - 1` },
  {},
  () => isNotNull(notification.leased_until),
)

/** Moves pending attempts with the world's clock, by so many ms (negative: back), so that they wait as long as before. */
export const shiftSchedule = (q: Q, by: number) => shiftTimes(q).run({ by })
const shiftTimes = updateRows(
  notification,
  { next_at: sql`${notification.next_at} + ${$('by')}`, first_at: sql`${notification.first_at} + ${$('by')}` },
  { status: 'pending' },
)

/** Queues a notification of each event for each application and user that it concerns; in the unit of the events. */
export async function enqueueNotifications(q: Q, { first, last, now }: PublishedEvents): Promise<void> {
  await insertNotifications(q).run({ first, last, now })
}
/** An application gets one for each user who has granted it access, where its setting has the topic. */
const insertNotifications = preparedSql(`
  INSERT INTO notification (outbox_id, application_id, user_id, topic, resource, actions, received, real_at, cause, status, next_at, behind)
  SELECT o.id, s.application_id, g.user_id, o.topic, o.resource, o.actions, o.at, o.real_at, o.cause, 'pending', :now,
    s.in_order AND (
      row_number() OVER (PARTITION BY s.application_id, o.resource ORDER BY o.id, g.user_id) > 1
      OR EXISTS (
        SELECT 1 FROM notification p WHERE p.application_id = s.application_id AND p.resource = o.resource
          AND p.status = 'pending' AND p.ended_at IS NULL))
  FROM outbox o CROSS JOIN notification_setting s CROSS JOIN application_grant g
  WHERE o.id BETWEEN :first AND :last
    AND g.application_id = s.application_id AND g.user_id IN (SELECT value FROM json_each(o.user_ids))
    AND EXISTS (SELECT 1 FROM json_each(s.topics) WHERE value = o.topic)
    AND NOT EXISTS (
      SELECT 1 FROM notification_topic n
      WHERE n.application_id = s.application_id AND n.topic = o.topic AND n.off_at IS NOT NULL)
  ORDER BY o.id, s.application_id, g.user_id`)

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
