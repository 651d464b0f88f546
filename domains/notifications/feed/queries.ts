import { sql } from 'drizzle-orm'
import { $, type Preparable, prepared, type Q } from '../../../db/engine.ts'
import { outbox } from '../../../db/tables.ts'
import type { NotificationStatus } from '../statuses.ts'

export interface EventRow {
  id: number
  topic: string
  resource: string
  /** JSON: array of ids. */
  user_ids: string
  /** World time, ms. */
  at: number
}

/** An attempt that is over, with its notification as it stands now. */
export interface FinishedAttemptRow {
  /** Grows with every attempt of the world. */
  place: number
  delivery_id: number
  application_id: number
  user_id: number
  topic: string
  resource: string
  status: NotificationStatus
  n: number
  /** World time, ms. */
  sent: number
  ms: number
  http_code: number | null
  error: string | null
  /** World time at which its topic was switched off by it; null when it was not. */
  off_at: number | null
  /** How the application is told now; null when it is not any more. */
  profile: string | null
  overrides: string | null
}

/** How far somebody has read: the last fact's id, and the last attempt's place. */
export interface FeedPosition {
  fact: number
  attempt: number
}

/** Where all that has happened ends, whether it is kept or not. */
export const latestPosition = async (q: Q): Promise<FeedPosition> =>
  (await selectLatestPosition(q).one()) as unknown as FeedPosition
const selectLatestPosition = prepared(
  (): Preparable => ({
    toSQL: () => ({
      sql: `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outbox'), 0) AS fact,
                   (SELECT coalesce(max(rowid), 0) FROM notification_attempt) AS attempt`,
      params: [],
    }),
  }),
)

/** Facts after one, in order. */
export const eventsAfter = (q: Q, event: number, limit: number): Promise<EventRow[]> =>
  selectEvents(q).all({ fact: event, most: limit })
const selectEvents = prepared(({ db }) =>
  db
    .select()
    .from(outbox)
    .where(sql`${outbox.id} > ${$('fact')}`)
    .orderBy(outbox.id)
    .limit($('most')),
)

/** Finished attempts after a place, in order. */
export const finishedAttemptsAfter = (q: Q, attempt: number, limit: number): Promise<FinishedAttemptRow[]> =>
  selectFinishedAttempts(q).all({ attempt, most: limit }) as Promise<FinishedAttemptRow[]>
const selectFinishedAttempts = prepared(
  (): Preparable => ({
    toSQL: () => ({
      // From the attempts on, whatever the planner thinks: they are few, and the last.
      sql: `SELECT a.rowid AS place, n.id AS delivery_id, n.application_id, n.user_id, n.topic, n.resource, n.status,
                   a.n, a.sent, a.ms, a.http_code, a.error,
                   iif(a.switched_off, n.ended_at, NULL) AS off_at, s.profile, s.overrides
            FROM notification_attempt a CROSS JOIN notification n ON n.id = a.notification_id
            LEFT JOIN notification_setting s ON s.application_id = n.application_id
            WHERE a.rowid > ? ORDER BY a.rowid LIMIT ?`,
      params: ['attempt', 'most'].map($),
    }),
  }),
)
