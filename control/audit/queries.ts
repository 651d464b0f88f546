import { asc, desc, gte } from 'drizzle-orm'
import { $, prepared } from '../../db/engine.ts'
import { notification, notification_attempt } from '../../domains/notifications/tables.ts'

/** The latest notifications, the last first. */
export const latestNotifications = prepared(({ db }) =>
  db
    .select({
      id: notification.id,
      cause: notification.cause,
      application_id: notification.application_id,
      user_id: notification.user_id,
      topic: notification.topic,
      resource: notification.resource,
      status: notification.status,
      ended_at: notification.ended_at,
    })
    .from(notification)
    .orderBy(desc(notification.id))
    .limit($('limit')),
)

/** The attempts of the notifications from one on, the last notification first. */
export const attemptsSince = prepared(({ db }) =>
  db
    .select({
      notification_id: notification_attempt.notification_id,
      n: notification_attempt.n,
      sent: notification_attempt.sent,
      url: notification_attempt.url,
      ms: notification_attempt.ms,
      http_code: notification_attempt.http_code,
      error: notification_attempt.error,
    })
    .from(notification_attempt)
    .where(gte(notification_attempt.notification_id, $('notification_id')))
    .orderBy(desc(notification_attempt.notification_id), asc(notification_attempt.n))
    .limit($('limit')),
)
