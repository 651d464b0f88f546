import { and, between, lt, lte, or } from 'drizzle-orm'
import { $, type Preparable, prepared, type Q } from './engine.ts'
import type { Topic } from './schema/outbox.ts'

export interface Event {
  topic: Topic
  /** The path of what changed. */
  resource: string
  /** Whose applications are told. */
  users: number[]
  /** World time. */
  at: number
}

/** Facts that are kept, the latest ones. */
const MAX_EVENTS = 100_000
/** World ms for which they are kept. */
export const EVENT_RETENTION_MS = 2 * 24 * 3_600_000
const SWEEP_INTERVAL = 1_000

/** Writes a fact of this moment to be told, in the same unit as the change. Call it inside `world.tx`. */
export async function publish(q: Q, event: Event): Promise<void> {
  const { id } = (await insertEvent(q).one(rowOf(event)))!
  await enqueueNotifications(q, id, id, event.at)
}

/**
 * The same for some hundred facts of any instants up to `now` (world ms), told in their order and due now. One that is
 * older than facts are kept is told to whoever wants it and not kept: a long past drives out nothing that has happened
 * since.
 */
export async function publishAll(q: Q, events: readonly Event[], now: number): Promise<void> {
  if (events.length === 0) return
  const ids = ((await insertEvents(q).all({ facts: JSON.stringify(events.map(rowOf)) })) as { id: number }[]).map(
    ({ id }) => id,
  )
  const [first, last] = [Math.min(...ids), Math.max(...ids)]
  await enqueueNotifications(q, first, last, now)
  await deleteExpired(q).run({ first, last, before: now - EVENT_RETENTION_MS })
}

const rowOf = ({ topic, resource, users, at }: Event) => ({
  topic,
  resource,
  user_ids: JSON.stringify([...new Set(users)]),
  at,
})
const insertEvent = prepared(({ db, t }) =>
  db
    .insert(t.outbox)
    .values({ topic: $('topic'), resource: $('resource'), user_ids: $('user_ids'), at: $('at') })
    .returning({ id: t.outbox.id }),
)
const insertEvents = prepared(
  (): Preparable => ({
    toSQL: () => ({
      sql: `INSERT INTO outbox (topic, resource, user_ids, at)
            SELECT value ->> 'topic', value ->> 'resource', value ->> 'user_ids', value ->> 'at'
            FROM json_each(?) ORDER BY key RETURNING id`,
      params: [$('facts')],
    }),
  }),
)

/** Tells the facts with these ids, and now and then forgets old ones. */
async function enqueueNotifications(q: Q, first: number, last: number, now: number): Promise<void> {
  q.hasEvents = true
  await insertNotifications(q).run({ first, last, now })
  if (last % SWEEP_INTERVAL <= last - first)
    await deleteOldEvents(q).run({ last: last - MAX_EVENTS, before: now - EVENT_RETENTION_MS })
}
/** Each application that a user has let in, and that wants to be told of the topic, is told once for each such user. */
const insertNotifications = prepared(
  (): Preparable => ({
    toSQL: () => ({
      sql: `INSERT INTO notification (outbox_id, application_id, user_id, topic, resource, received, status, next_at, behind)
            SELECT o.id, s.application_id, g.user_id, o.topic, o.resource, o.at, 'pending', ?,
              s.in_order AND (
                row_number() OVER (PARTITION BY s.application_id, o.resource ORDER BY o.id, g.user_id) > 1
                OR EXISTS (
                  SELECT 1 FROM notification p WHERE p.application_id = s.application_id AND p.resource = o.resource
                    AND p.status = 'pending' AND p.ended_at IS NULL))
            FROM outbox o CROSS JOIN notification_setting s CROSS JOIN application_grant g
            WHERE o.id BETWEEN ? AND ?
              AND g.application_id = s.application_id AND g.user_id IN (SELECT value FROM json_each(o.user_ids))
              AND EXISTS (SELECT 1 FROM json_each(s.topics) WHERE value = o.topic)
              AND NOT EXISTS (
                SELECT 1 FROM notification_topic n
                WHERE n.application_id = s.application_id AND n.topic = o.topic AND n.off_at IS NOT NULL)
            ORDER BY o.id, s.application_id, g.user_id`,
      params: ['now', 'first', 'last'].map($),
    }),
  }),
)
const deleteOldEvents = prepared(({ db, t }) =>
  db.delete(t.outbox).where(or(lte(t.outbox.id, $('last')), lt(t.outbox.at, $('before')))),
)
const deleteExpired = prepared(({ db, t }) =>
  db.delete(t.outbox).where(and(between(t.outbox.id, $('first'), $('last')), lt(t.outbox.at, $('before')))),
)

/** Forgets what is still to be told: a copied world has nobody to tell it to. */
export async function clearOutbox(q: Q): Promise<void> {
  for (const deleteRows of [deleteEvents, deleteNotifications, deleteAttempts]) await deleteRows(q).run()
}
const deleteEvents = prepared(({ db, t }) => db.delete(t.outbox))
const deleteNotifications = prepared(({ db, t }) => db.delete(t.notification))
const deleteAttempts = prepared(({ db, t }) => db.delete(t.notification_attempt))
