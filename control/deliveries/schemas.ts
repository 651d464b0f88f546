import { Type } from '@sinclair/typebox'
import type { World } from '../../db/world.ts'
import { notificationId } from '../../domains/notifications/present.ts'
import type { AttemptRow, NotificationRow } from '../../domains/notifications/queries.ts'
import { NOTIFICATION_STATUSES } from '../../domains/notifications/statuses.ts'
import { utcMillis } from '../../domains/shared/instants.ts'
import { Nullable, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'
import { TOPICS } from '../../domains/shared/topics.ts'

const NullableTime = (description: string) => Nullable(Type.String(), { description })
const DeliveryFields = {
  id: Type.Integer({ description: 'Number of the delivery' }),
  _id: Type.String({ description: 'What the receiver gets as `_id`, at every attempt' }),
  application_id: Type.Integer({ description: 'Who is told' }),
  user_id: Type.Integer({ description: 'For whom' }),
  topic: OneOf([...TOPICS], { description: 'What it is about' }),
  resource: Type.String({ description: 'Path of what changed' }),
  status: OneOf([...NOTIFICATION_STATUSES], { description: 'How it stands', examples: ['pending'] }),
  attempts: Type.Integer({ description: 'How many were begun' }),
  received: Type.String({ description: 'World time of the change' }),
  next_at: NullableTime('World time of the next attempt; null where there is none'),
}
export const ListedDelivery = ResponseObject(DeliveryFields, {
  title: 'ListedDelivery',
  description: 'A notification on its way',
})
const Attempt = ResponseObject(
  {
    n: Type.Integer({ description: 'From 1' }),
    sent: Type.String({ description: 'World time' }),
    url: Type.String({ description: 'Where it went' }),
    ms: Type.Integer({ description: 'Real time that it took' }),
    http_code: Nullable(Type.Integer(), { description: 'Status of the answer; null: there was none' }),
    body: Type.String({ description: 'What was answered' }),
    error: Nullable(Type.String(), { description: 'What went wrong, for people' }),
  },
  { title: 'DeliveryAttempt', description: 'One try' },
)
export const Delivery = ResponseObject(
  { ...DeliveryFields, tries: Type.Array(Attempt, { description: 'Attempts that are over, in order' }) },
  { title: 'Delivery', description: 'A notification with its attempts' },
)

export const present = (world: World, row: NotificationRow) => ({
  id: row.id,
  _id: notificationId(world, row.id),
  application_id: row.application_id,
  user_id: row.user_id,
  topic: row.topic as (typeof TOPICS)[number],
  resource: row.resource,
  status: row.status,
  attempts: row.attempts,
  received: utcMillis(row.received),
  next_at: row.status === 'pending' ? utcMillis(row.next_at) : null,
})

/** A delivery with its attempts, in order. */
export const presentWithAttempts = (world: World, row: NotificationRow, attempts: AttemptRow[]) => ({
  ...present(world, row),
  tries: attempts.map(({ n, sent, url, ms, http_code, body, error }) => ({
    n,
    sent: utcMillis(sent),
    url,
    ms,
    http_code,
    body,
    error,
  })),
})
