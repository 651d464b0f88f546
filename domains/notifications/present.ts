import { derived } from '../../db/ids.ts'
import type { World } from '../../db/world.ts'
import { utcMillis } from '../shared/instants.ts'
import { uuid } from '../shared/uuid.ts'
import type { EventRow, FinishedAttemptRow } from './feed/queries.ts'
import type { NotificationRow } from './queries.ts'
import { profileOf } from './settings/profiles.ts'

/** The same at every attempt. */
export const notificationId = ({ key }: Pick<World, 'key'>, id: number): string =>
  uuid(derived(key, `notification ${id}`, 32))

/** What a receiver gets (rulings, Notifications). `sent`: world time of the attempt, ms. */
export const payload = (world: Pick<World, 'key'>, row: NotificationRow, sent: number) => ({
  _id: notificationId(world, row.id),
  resource: row.resource,
  user_id: row.user_id,
  topic: row.topic,
  application_id: row.application_id,
  attempts: row.attempts,
  sent: utcMillis(sent),
  received: utcMillis(row.received),
})

/** A server-sent event; `id` where a client can go on from it. JSON has no line ends, whatever is in it. */
const sseMessage = (name: string, data: object, id?: number) =>
  `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`

/**
 * Facts after one, which is 0 or has an id, up to another are not kept any more; who comes again goes on behind them.
 */
const gapMessage = (after: number, first: number) => sseMessage('gap', { after, first }, first - 1)

/** What has happened after a fact, in order. Ids are given out without holes: where one is, facts are gone. */
export const eventMessages = (after: number, rows: EventRow[]): string =>
  rows
    .map((row, n) => {
      const previousId = rows[n - 1]?.id ?? after
      return (row.id === previousId + 1 ? '' : gapMessage(previousId, row.id)) + eventMessage(row)
    })
    .join('')

const eventMessage = ({ id, topic, resource, user_ids, at }: EventRow) =>
  sseMessage('fact', { id, topic, resource, users: JSON.parse(user_ids), at: utcMillis(at) }, id)

/**
 * What an attempt came to, against the limit that the application's profile sets now; null where it is not told any
 * more. Where it switched its topic off, that follows.
 */
export function attemptMessages({ place, sent, profile, overrides, off_at, ...row }: FinishedAttemptRow) {
  const limit_ms = profile === null ? null : profileOf({ profile, overrides: overrides! }).limit_ms
  const left_ms = limit_ms === null ? null : limit_ms - row.ms
  const message = sseMessage('attempt', { ...row, sent: utcMillis(sent), limit_ms, left_ms })
  if (off_at === null) return message
  const { application_id, topic } = row
  return message + sseMessage('topic_off', { application_id, topic, since: utcMillis(off_at) })
}
