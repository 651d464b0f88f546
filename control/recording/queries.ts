import { asc, eq, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { notification, notification_attempt } from '../../domains/notifications/tables.ts'

const PAGE_SIZE = 500

/** All attempts to deliver a notification that are stored, by notification. */
export async function* recordedDeliveries(q: Q) {
  for (let after = { id: 0, n: 0 }; ; ) {
    const rows = await selectAttempts(q).all({ ...after, page: PAGE_SIZE })
    yield* rows
    if (rows.length < PAGE_SIZE) return
    after = rows.at(-1)!
  }
}
const selectAttempts = prepared(({ db }) =>
  db
    .select({
      id: sql<number>`${notification_attempt.notification_id}`.as('id'),
      n: notification_attempt.n,
      sent: notification_attempt.sent,
      topic: notification.topic,
      resource: notification.resource,
      ms: notification_attempt.ms,
      http_code: notification_attempt.http_code,
      headers: notification_attempt.headers,
      body: notification_attempt.body,
      error: notification_attempt.error,
    })
    .from(notification_attempt)
    .innerJoin(notification, eq(notification.id, notification_attempt.notification_id))
    .where(sql`(${notification_attempt.notification_id}, ${notification_attempt.n}) > (${$('id')}, ${$('n')})`)
    .orderBy(asc(notification_attempt.notification_id), asc(notification_attempt.n))
    .limit($('page')),
)
