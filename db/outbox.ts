import { lt, lte, or } from 'drizzle-orm'
import { $, type Preparable, prepared, type Q } from './engine.ts'
import type { Topic } from './schema/outbox.ts'

export interface Fact {
  topic: Topic
  /** The path of what changed. */
  resource: string
  /** Whose applications are told. */
  users: number[]
  /** World time. */
  at: number
}

const KEPT_ROWS = 100_000
const KEPT_MS = 2 * 24 * 3_600_000
const SWEEP_EVERY = 1_000

/** Writes a fact to be told, in the same unit as the change. Call it inside `world.tx`. */
export async function announce(q: Q, { topic, resource, users, at }: Fact): Promise<void> {
  const row = await insert(q).one({ topic, resource, user_ids: JSON.stringify([...new Set(users)]), at })
  q.facts = true
  await fanOut(q).run({ id: row!.id, topic, resource, users: JSON.stringify(users), at })
  if (row!.id % SWEEP_EVERY === 0) await sweep(q).run({ last: row!.id - KEPT_ROWS, before: at - KEPT_MS })
}
const insert = prepared(({ db, t }) =>
  db
    .insert(t.outbox)
    .values({ topic: $('topic'), resource: $('resource'), user_ids: $('user_ids'), at: $('at') })
    .returning({ id: t.outbox.id }),
)
/** Each application that a user has let in, and that wants to be told of the topic, is told once for each such user. */
const fanOut = prepared(
  (): Preparable => ({
    toSQL: () => ({
      sql: `INSERT INTO notification (outbox_id, application_id, user_id, topic, resource, received, status, next_at, behind)
            SELECT ?, s.application_id, g.user_id, ?, ?, ?, 'pending', ?,
              s.in_order AND (
                row_number() OVER (PARTITION BY s.application_id ORDER BY g.user_id) > 1
                OR EXISTS (
                  SELECT 1 FROM notification p WHERE p.application_id = s.application_id AND p.resource = ?
                    AND p.status = 'pending' AND p.ended_at IS NULL))
            FROM notification_setting s CROSS JOIN application_grant g
            WHERE g.application_id = s.application_id AND g.user_id IN (SELECT value FROM json_each(?))
              AND EXISTS (SELECT 1 FROM json_each(s.topics) WHERE value = ?)
              AND NOT EXISTS (
                SELECT 1 FROM notification_topic o
                WHERE o.application_id = s.application_id AND o.topic = ? AND o.off_at IS NOT NULL)
            ORDER BY s.application_id, g.user_id`,
      params: ['id', 'topic', 'resource', 'at', 'at', 'resource', 'users', 'topic', 'topic'].map($),
    }),
  }),
)
const sweep = prepared(({ db, t }) =>
  db.delete(t.outbox).where(or(lte(t.outbox.id, $('last')), lt(t.outbox.at, $('before')))),
)

/** Forgets what is still to be told: a copied world has nobody to tell it to. */
export async function forgetAll(q: Q): Promise<void> {
  for (const forget of [deleteFacts, deleteNotifications, deleteAttempts]) await forget(q).run()
}
const deleteFacts = prepared(({ db, t }) => db.delete(t.outbox))
const deleteNotifications = prepared(({ db, t }) => db.delete(t.notification))
const deleteAttempts = prepared(({ db, t }) => db.delete(t.notification_attempt))
