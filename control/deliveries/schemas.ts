import { type Static, Type } from '@sinclair/typebox'
import { realNow } from '../../db/clock.ts'
import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { actionsOf, notificationId } from '../../domains/notifications/present.ts'
import { attemptsOf, firstOfResource, type NotificationRow, shownTexts } from '../../domains/notifications/queries.ts'
import { Actions } from '../../domains/notifications/routes.ts'
import { NOTIFICATION_STATUSES } from '../../domains/notifications/tables.ts'
import { utcMillis, utcOrNull } from '../../domains/shared/instants.ts'
import { Nullable, OneOf, ResponseObject, SecretUrl } from '../../domains/shared/schemas.ts'
import { TOPICS } from '../../domains/shared/topics.ts'
import { causeOf, presentCause } from '../../http/journal/call_cause.ts'
import { redact, SECRETS } from '../../http/journal/redaction.ts'

/** What caused a change. */
export const Cause = Nullable(
  ResponseObject({
    kind: OneOf(['request', 'control'], {
      description: 'A recorded request, or a control call',
      examples: ['request'],
    }),
    id: Nullable(Type.Integer(), { description: 'Its id; null until it is recorded', examples: [17] }),
  }),
  {
    description:
      'The call that caused it; null if it is not known: causes are in memory like the journal that has the calls, the latest 2000 of a world',
  },
)

/** Parameters of lists of changes. */
export const ChangeFilter = {
  topic: Type.Optional(OneOf([...TOPICS], { description: 'Only of this topic' })),
  resource: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'Only of this resource',
      examples: ['/questions/13000000001'],
      'x-message': 'must be a path of 1 to 1000 characters',
    }),
  ),
}

const NullableTime = (description: string) => Nullable(Type.String(), { description })
/** When a change was published. */
export const RealTime = NullableTime('Real time of the change; null if an older version stored it')
const DeliveryFields = {
  id: Type.Integer({ description: 'Number of the delivery' }),
  _id: Type.String({ description: '`_id` of the notification in all attempts' }),
  application_id: Type.Integer({ description: 'The application that gets the notifications' }),
  user_id: Type.Integer({ description: 'The user concerned' }),
  topic: OneOf([...TOPICS], { description: 'Topic' }),
  resource: Type.String({ description: 'Path of the changed resource' }),
  actions: Actions,
  status: OneOf([...NOTIFICATION_STATUSES], { description: 'Status', examples: ['pending'] }),
  attempts: Type.Integer({ description: 'Number of attempts so far' }),
  received: Type.String({ description: 'World time of the change' }),
  real_at: RealTime,
  next_at: NullableTime('World time of the next attempt; null if there is none'),
  fact_id: Type.Integer({ description: 'Id of the change in the stream of events' }),
  cause: Cause,
}
export const ListedDelivery = ResponseObject(DeliveryFields, {
  title: 'ListedDelivery',
  description: 'A notification without its attempts',
})
const WAITS = ['in_flight', 'behind', 'clock_stopped', 'first_attempt', 'retry', 'duplicate', 'turn'] as const
const Wait = Nullable(
  ResponseObject({
    reason: OneOf([...WAITS], {
      description:
        'in_flight: an attempt has no answer yet; behind: an earlier one of the resource comes first; clock_stopped: its time never comes while the clock is frozen; first_attempt, retry, duplicate: its time; turn: it is due, and sent when one of the attempts of its application ends',
      examples: ['retry'],
    }),
    until: NullableTime('World time of its next attempt; null if another event decides'),
    behind: Nullable(Type.Integer(), { description: 'Number of the delivery that comes first' }),
  }),
  { description: 'What it waits for; null if it is not pending' },
)
const Attempt = ResponseObject(
  {
    n: Type.Integer({ description: 'Number of the attempt, from 1' }),
    sent: Type.String({ description: 'World time' }),
    real_sent: NullableTime('Real time; null if an older version stored it'),
    url: SecretUrl({ description: 'URL' }),
    request: ResponseObject(
      {
        headers: Type.Record(Type.String(), Type.String(), {
          description:
            'Headers, names in lower case; empty for the receiver inside the server and for attempts that an older version stored',
        }),
        body: Type.String({ description: 'Body' }),
      },
      {
        description:
          'What was sent, or would have been if there was no connection; tokens and secrets are replaced by `***`',
      },
    ),
    ms: Type.Integer({ description: 'Duration in real time, ms' }),
    http_code: Nullable(Type.Integer(), { description: 'Status of the answer; null: no answer' }),
    body: Type.String({ description: 'Body of the answer; tokens and secrets are replaced by `***`' }),
    error: Nullable(Type.String(), { description: 'Text of the error' }),
  },
  { title: 'DeliveryAttempt', description: 'One attempt' },
)
export const Delivery = ResponseObject(
  { ...DeliveryFields, waits_for: Wait, tries: Type.Array(Attempt, { description: 'Finished attempts, in order' }) },
  { title: 'Delivery', description: 'A notification with its attempts' },
)

export const present = (world: World, row: NotificationRow) => ({
  id: row.id,
  _id: notificationId(world, row.id),
  application_id: row.application_id,
  user_id: row.user_id,
  topic: row.topic as (typeof TOPICS)[number],
  resource: row.resource,
  ...actionsOf(row),
  status: row.status,
  attempts: row.attempts,
  received: utcMillis(row.received),
  real_at: utcOrNull(row.real_at),
  next_at: row.status === 'pending' ? utcMillis(row.next_at) : null,
  fact_id: row.outbox_id,
  cause: presentCause(causeOf(world, row)),
})

/** A delivery with its attempts, in order. */
export const presentWithAttempts = async (world: World, q: Q, row: NotificationRow) => ({
  ...present(world, row),
  waits_for: row.status === 'pending' ? await waitOf(world, q, row) : null,
  tries: (await attemptsOf(q, row.id)).map((attempt) => ({
    n: attempt.n,
    sent: utcMillis(attempt.sent),
    real_sent: utcOrNull(attempt.real_sent),
    request: {
      headers: JSON.parse(redact(attempt.sent_headers ?? '{}', SECRETS.request)) as Record<string, string>,
      body: redact(attempt.data, SECRETS.request),
    },
    ms: attempt.ms,
    http_code: attempt.http_code,
    ...shownTexts(attempt),
  })),
})

/** What a pending notification waits for. */
async function waitOf({ clock }: World, q: Q, row: NotificationRow): Promise<Static<typeof Wait>> {
  const { leased_until, behind, next_at, attempts, ended_at } = row
  const wait = (reason: (typeof WAITS)[number], until: number | null = null, behind: number | null = null) => ({
    reason,
    until: utcOrNull(until),
    behind,
  })
  if (leased_until !== null && leased_until >= realNow()) return wait('in_flight')
  if (behind) return wait('behind', null, await firstOfResource(q, row))
  if (next_at <= clock.now()) return wait('turn')
  if (clock.mode === 'frozen') return wait('clock_stopped', next_at)
  // It has arrived, and will come again.
  if (ended_at !== null) return wait('duplicate', next_at)
  return wait(attempts === 0 ? 'first_attempt' : 'retry', next_at)
}
