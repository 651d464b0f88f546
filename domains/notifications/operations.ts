import { type AnyColumn, and, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { $, type Preparable, prepared, type Q } from '../../db/engine.ts'
import type { AttemptRow, NotificationRow, SettingRow } from './queries.ts'

// Every operation is called inside `world.tx`.

/** An application wants to be told from now on, or otherwise than before. */
export const setSetting = (q: Q, row: SettingRow) => upsert(q).run({ ...row })
const upsert = prepared(({ db, t: { notification_setting: s } }) => {
  const given = {
    callback_url: $('callback_url'),
    topics: $('topics'),
    profile: $('profile'),
    overrides: $('overrides'),
  }
  return db
    .insert(s)
    .values({ application_id: $('application_id'), ...given })
    .onConflictDoUpdate({
      target: s.application_id,
      set: Object.fromEntries(Object.entries(given).map(([name, place]) => [name, sql`${place}`])),
    })
})

/** An application wants to be told nothing more; what is under way is given up. Answers whether it was told. */
export async function dropSetting(q: Q, application_id: number, now: number): Promise<boolean> {
  if ((await remove(q).run({ application_id })) === 0) return false
  await giveUp(q).run({ application_id, now })
  return true
}
const remove = prepared(({ db, t: { notification_setting: s } }) =>
  db.delete(s).where(eq(s.application_id, $('application_id'))),
)
const giveUp = prepared(({ db, t: { notification: n } }) =>
  db
    .update(n)
    .set({ status: 'dropped', ended_at: sql`${$('now')}` })
    .where(and(eq(n.application_id, $('application_id')), inArray(n.status, ['pending', 'held']))),
)

export interface Claim {
  application_id: number
  /** World time, ms. */
  now: number
  /** Real time, ms: what was claimed until now and not finished is claimed anew. */
  real: number
  /** Real time until which the claim holds, ms. */
  until: number
  in_order: boolean
  most: number
}

/** Takes what is due; nobody else gets it until it is finished, or the claim is over. Each claim is an attempt. */
export const claim = (q: Q, { in_order, ...values }: Claim): Promise<NotificationRow[]> =>
  take(q).all({ ...values, in_order: in_order ? 1 : 0 }) as Promise<NotificationRow[]>
const take = prepared(
  (): Preparable => ({
    toSQL: () => ({
      sql: `UPDATE notification SET leased_until = ?, attempts = attempts + 1, first_at = coalesce(first_at, ?)
            WHERE id IN (
              SELECT n.id FROM notification n
              WHERE n.application_id = ? AND n.status = 'pending' AND n.next_at <= ?
                AND (n.leased_until IS NULL OR n.leased_until < ?)
                AND (? = 0 OR NOT EXISTS (
                  SELECT 1 FROM notification p
                  WHERE p.application_id = n.application_id AND p.resource = n.resource AND p.status = 'pending' AND p.id < n.id))
              ORDER BY n.next_at, n.id LIMIT ?)
            RETURNING *`,
      params: ['until', 'now', 'application_id', 'now', 'real', 'in_order', 'most'].map($),
    }),
  }),
)

/** Writes down what came of an attempt. `next_at` null: there is no further one; then `status` says how it ended. */
export async function finish(
  q: Q,
  attempt: AttemptRow,
  { status, next_at, now }: { status: 'pending' | 'delivered' | 'missed'; next_at: number | null; now: number },
): Promise<void> {
  await insertAttempt(q).run({ ...attempt })
  await close(q).run({
    id: attempt.notification_id,
    status,
    next_at: next_at ?? now,
    ended_at: status === 'pending' ? null : now,
  })
}
const insertAttempt = prepared(({ db, t: { notification_attempt: a } }) =>
  db
    .insert(a)
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
    })
    .onConflictDoNothing(),
)
// What was dropped meanwhile stays so, and what was held is held where it would be tried again.
const close = prepared(({ db, t: { notification: n } }) => {
  const unless = (column: AnyColumn, value: SQL) =>
    sql`CASE WHEN ${n.status} IN ('pending', 'held') THEN ${value} ELSE ${column} END`
  return db
    .update(n)
    .set({
      status: unless(n.status, sql`iif(${n.status} = 'held' AND ${$('status')} = 'pending', 'held', ${$('status')})`),
      next_at: unless(n.next_at, sql`${$('next_at')}`),
      ended_at: unless(n.ended_at, sql`${$('ended_at')}`),
      leased_until: null,
    })
    .where(eq(n.id, $('id')))
})

/** Forgets what ended before an instant of the world, ms. */
export async function sweep(q: Q, before: number): Promise<void> {
  await sweepAttempts(q).run({ before })
  await sweepEnded(q).run({ before })
}
const sweepAttempts = prepared(({ db, t: { notification: n, notification_attempt: a } }) =>
  db.delete(a).where(sql`${a.notification_id} IN (SELECT id FROM ${n} WHERE ended_at < ${$('before')})`),
)
const sweepEnded = prepared(({ db, t: { notification: n } }) => db.delete(n).where(lt(n.ended_at, $('before'))))

/** Gives back every claim, for a world that nobody is delivering from. */
export const release = (q: Q) => unclaim(q).run()
const unclaim = prepared(({ db, t: { notification: n } }) =>
  db.update(n).set({ leased_until: null }).where(sql`${n.leased_until} IS NOT NULL`),
)

/** The world's clock moves by so many ms, back when negative: what waits to be tried again waits as long as before. */
export const postpone = (q: Q, by: number) => shift(q).run({ by })
const shift = prepared(({ db, t: { notification: n } }) =>
  db
    .update(n)
    .set({ next_at: sql`${n.next_at} + ${$('by')}`, first_at: sql`${n.first_at} + ${$('by')}` })
    .where(eq(n.status, 'pending')),
)
