import { sql } from 'drizzle-orm'
import { $, prepared, preparedSql, type Q } from '../../../db/engine.ts'
import { createSearchableList } from '../../../db/lists.ts'
import { outbox } from '../../../db/tables.ts'
import type { AttemptRow, NotificationRow } from '../queries.ts'

export type EventRow = typeof outbox.$inferSelect

/** An attempt that has ended, with the present state of its notification. */
export type FinishedAttemptRow = Pick<AttemptRow, 'n' | 'sent' | 'real_sent' | 'ms' | 'http_code' | 'error'> &
  Pick<NotificationRow, 'application_id' | 'user_id' | 'topic' | 'resource' | 'status'> & {
    /** Increases with every attempt of the world. */
    position: number
    delivery_id: number
    /** Id of the event that it notifies of. */
    fact_id: number
    /** World time at which it switched its topic off, ms; null when it did not. */
    off_at: number | null
    /** The application's present profile; null when it is no longer notified. */
    profile: string | null
    overrides: string | null
  }

/** The position of a client: id of the last event, position of the last attempt. */
export interface FeedPosition {
  event: number
  attempt: number
}

/** The position of the newest event and attempt, also when they have been deleted since. */
export const latestPosition = async (q: Q): Promise<FeedPosition> => (await selectLatestPosition(q).one())!
const selectLatestPosition = preparedSql<FeedPosition>(`
  SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outbox'), 0) AS event,
         (SELECT coalesce(max(rowid), 0) FROM notification_attempt) AS attempt`)

/** Events after a position, in order. */
export const eventsAfter = (q: Q, event: number, limit: number): Promise<EventRow[]> =>
  selectEvents(q).all({ event, limit })
const selectEvents = prepared(({ db }) =>
  db
    .select()
    .from(outbox)
    .where(sql`${outbox.id} > ${$('event')}`)
    .orderBy(outbox.id)
    .limit($('limit')),
)

/** Events, the latest first. */
export const listEvents = createSearchableList(outbox, {
  key: outbox.id,
  direction: 'desc',
  texts: [],
})

/** Attempts after a position, in order. */
export const finishedAttemptsAfter = (q: Q, attempt: number, limit: number): Promise<FinishedAttemptRow[]> =>
  selectFinishedAttempts(q).all({ attempt, limit })
// CROSS JOIN makes SQLite begin with the attempts: only the few newest are wanted.
const selectFinishedAttempts = preparedSql<FinishedAttemptRow>(`
  SELECT a.rowid AS position, n.id AS delivery_id, n.outbox_id AS fact_id, n.application_id, n.user_id, n.topic, n.resource, n.status,
         a.n, a.sent, a.real_sent, a.ms, a.http_code, a.error,
         iif(a.switched_off, n.ended_at, NULL) AS off_at, s.profile, s.overrides
  FROM notification_attempt a CROSS JOIN notification n ON n.id = a.notification_id
  LEFT JOIN notification_setting s ON s.application_id = n.application_id
  WHERE a.rowid > :attempt ORDER BY a.rowid LIMIT :limit`)
