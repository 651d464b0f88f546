import { $, type Preparable, type PublishedEvents, prepared, type Q } from '../../../db/engine.ts'

/** Queues a notification of each event for each application and user that it concerns; in the unit of the events. */
export async function enqueueNotifications(q: Q, { first, last, now }: PublishedEvents): Promise<void> {
  await insertNotifications(q).run({ first, last, now })
}
/** An application gets one for each user who has granted it access, where its setting has the topic. */
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
