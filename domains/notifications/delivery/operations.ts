import { type AnyColumn, and, eq, isNotNull, lt, lte, notInArray, type SQL, sql } from 'drizzle-orm'
import { $, type Preparable, prepared, type Q } from '../../../db/engine.ts'
import type { AttemptRow, NotificationRow } from '../queries.ts'
import { notification, notification_attempt } from '../tables.ts'
import { unblockNext } from './ordering_operations.ts'

// Every operation is called inside `world.tx`.

/** Notifications that are kept beside those that are not over. */
const MAX_ROWS = 100_000
/** Rows that are swept at a time. */
const SWEEP_BATCH_SIZE = 1_000

export interface Claim {
  application_id: number
  /** World time, ms. */
  now: number
  /** Real time, ms: what was claimed until now and not finished is claimed anew. */
  real: number
  /** Real time until which the claim holds, ms. */
  until: number
  most: number
}

/**
 * Takes what is due; nobody else gets it until it is finished, or the claim is over. Each claim is an attempt, unless
 * it takes over one that nobody finished.
 */
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
      params: ['until', 'now', 'application_id', 'now', 'real', 'most'].map($),
    }),
  }),
)

/** How a notification stands after an attempt. */
export type Outcome = Pick<NotificationRow, 'next_at' | 'ended_at'> & { status: 'pending' | 'delivered' | 'missed' }

/** Writes down what came of an attempt. */
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
// What was dropped meanwhile stays so, and what was held is held where it would be tried again.
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
 * Forgets what ended before an instant of the world, ms, or long ago by number: some at a time, so that nobody waits
 * for it. `last`: number of a late one.
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

/** Gives back every claim, for a world that nobody is delivering from: what nobody finished was no attempt. */
export const releaseClaims = (q: Q) => clearClaims(q).run()
const clearClaims = prepared(({ db }) =>
  db
    .update(notification)
    .set({ leased_until: null, attempts: sql`${notification.attempts} - 1` })
    .where(isNotNull(notification.leased_until)),
)

/** The world's clock moves by so many ms, back when negative: what waits to be tried again waits as long as before. */
export const shiftSchedule = (q: Q, by: number) => shiftTimes(q).run({ by })
const shiftTimes = prepared(({ db }) =>
  db
    .update(notification)
    .set({ next_at: sql`${notification.next_at} + ${$('by')}`, first_at: sql`${notification.first_at} + ${$('by')}` })
    .where(eq(notification.status, 'pending')),
)
