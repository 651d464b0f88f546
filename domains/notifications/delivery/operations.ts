import { type AnyColumn, and, eq, isNotNull, lt, lte, notInArray, type SQL, sql } from 'drizzle-orm'
import { $, type Preparable, prepared, type Q } from '../../../db/engine.ts'
import type { AttemptRow, NotificationRow } from '../queries.ts'
import { notification, notification_attempt } from '../tables.ts'
import { unblockNext } from './ordering_operations.ts'

// Every operation is called inside `world.tx`.

/** Ended notifications that are stored. */
const MAX_ROWS = 100_000
const SWEEP_BATCH_SIZE = 1_000

export interface Claim {
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
export const claim = (q: Q, claimed: Claim): Promise<NotificationRow[]> =>
  claimRows(q).all({ ...claimed }) as Promise<NotificationRow[]>
const claimRows = prepared(
  (): Preparable => ({
    toSQL: () => ({
      sql: `UPDATE notification SET leased_until = ?, attempts = attempts + (leased_until IS NULL), first_at = coalesce(first_at, ?)
            WHERE id IN (
              SELECT n.id FROM notification n
              WHERE n.application_id = ? AND n.status = 'pending' AND n.behind = 0 AND n.next_at <= ?
                AND (n.leased_until IS NULL OR n.leased_until < ?)
              ORDER BY n.next_at, n.id LIMIT ?)
            RETURNING *`,
      params: ['until', 'now', 'application_id', 'now', 'real', 'limit'].map($),
    }),
  }),
)

/** The state of a notification after an attempt. */
export type Outcome = Pick<NotificationRow, 'next_at' | 'ended_at'> & { status: 'pending' | 'delivered' | 'missed' }

/** Stores an attempt and updates its notification. */
export async function recordAttempt(q: Q, attempt: AttemptRow, outcome: Outcome): Promise<void> {
  await insertAttempt(q).run({ ...attempt })
  const row = await updateAfterAttempt(q).one({ id: attempt.notification_id, ...outcome })
  if (row && outcome.ended_at !== null) await unblockNext(q, row)
}
const insertAttempt = prepared(({ db }) =>
  db
    .insert(notification_attempt)
    .values({
      notification_id: $('notification_id'),
      n: $('n'),
      sent: $('sent'),
      data: $('data'),
      url: $('url'),
      ms: $('ms'),
      http_code: $('http_code'),
      headers: $('headers'),
      body: $('body'),
      error: $('error'),
      switched_off: $('switched_off'),
    })
    .onConflictDoNothing(),
)
// A notification that was dropped during the attempt stays dropped; a held one stays held instead of being retried.
const updateAfterAttempt = prepared(({ db }) => {
  const ifStillOpen = (column: AnyColumn, value: SQL) =>
    sql`CASE WHEN ${notification.status} IN ('pending', 'held') THEN ${value} ELSE ${column} END`
  return db
    .update(notification)
    .set({
      status: ifStillOpen(
        notification.status,
        sql`iif(${notification.status} = 'held' AND ${$('status')} = 'pending', 'held', ${$('status')})`,
      ),
      next_at: ifStillOpen(notification.next_at, sql`${$('next_at')}`),
      ended_at: ifStillOpen(notification.ended_at, sql`${$('ended_at')}`),
      leased_until: null,
    })
    .where(eq(notification.id, $('id')))
    .returning({ application_id: notification.application_id, resource: notification.resource })
})

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
const isEnded = notInArray(notification.status, ['pending', 'held'])
const selectOutdated = prepared(({ db }) =>
  db
    .select({ id: notification.id })
    .from(notification)
    .where(and(lt(notification.ended_at, $('before')), isEnded))
    .limit(SWEEP_BATCH_SIZE),
)
const selectOverLimit = prepared(({ db }) =>
  db
    .select({ id: notification.id })
    .from(notification)
    .where(and(lte(notification.id, $('last')), isEnded))
    .orderBy(notification.id)
    .limit(SWEEP_BATCH_SIZE),
)
const sweepAttempts = prepared(({ db }) =>
  db
    .delete(notification_attempt)
    .where(sql`${notification_attempt.notification_id} IN (SELECT value FROM json_each(${$('ids')}))`),
)
const sweepEnded = prepared(({ db }) =>
  db.delete(notification).where(sql`${notification.id} IN (SELECT value FROM json_each(${$('ids')}))`),
)

/** Releases all claims of a world without a dispatcher; an unfinished attempt does not count. */
export const releaseClaims = (q: Q) => clearClaims(q).run()
const clearClaims = prepared(({ db }) =>
  db
    .update(notification)
    .set({ leased_until: null, attempts: sql`${notification.attempts} - 1` })
    .where(isNotNull(notification.leased_until)),
)

/** Moves pending attempts with the world's clock, by so many ms (negative: back), so that they wait as long as before. */
export const shiftSchedule = (q: Q, by: number) => shiftTimes(q).run({ by })
const shiftTimes = prepared(({ db }) =>
  db
    .update(notification)
    .set({ next_at: sql`${notification.next_at} + ${$('by')}`, first_at: sql`${notification.first_at} + ${$('by')}` })
    .where(eq(notification.status, 'pending')),
)
