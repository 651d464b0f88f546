import { and, between, lt, lte, or } from 'drizzle-orm'
import { keyOf } from './causes.ts'
import { realNow } from './clock.ts'
import { $, type PublishedEvents, prepared, preparedSql, type Q } from './engine.ts'
import { columnValues } from './rows.ts'
import { outbox } from './tables.ts'

/** A change that applications may want to know of. */
export interface Event {
  topic: string
  /** The path of what changed. */
  resource: string
  /** What has happened to it, for the topics that say so. */
  actions?: readonly string[]
  /** Users whose applications may be notified. */
  users: number[]
  /** World time. */
  at: number
}

/** Only the latest events are stored. */
export const MAX_EVENTS = 100_000
/** World ms for which events are stored. */
export const EVENT_RETENTION_MS = 2 * 24 * 3_600_000
const SWEEP_INTERVAL = 1_000

/** Stores an event of this moment in the unit of its change. Call it inside `world.tx`. */
export async function publish(q: Q, event: Event): Promise<void> {
  const { id } = (await insertEvent(q).one({ ...rowOf(event), ...originOf(q) }))!
  await notifySubscribers(q, { first: id, last: id, events: [event], now: event.at })
}

/**
 * Publishes some hundred events of any instants up to `now` (world ms), in their order. Events older than the retention
 * reach the subscribers but are not stored: a long history displaces no event of the present.
 */
export async function publishAll(q: Q, events: readonly Event[], now: number): Promise<void> {
  if (events.length === 0) return
  const ids = (
    (await insertEvents(q).all({ facts: JSON.stringify(events.map(rowOf)), ...originOf(q) })) as { id: number }[]
  ).map(({ id }) => id)
  const [first, last] = [Math.min(...ids), Math.max(...ids)]
  await notifySubscribers(q, { first, last, events, now })
  await deleteExpired(q).run({ first, last, before: now - EVENT_RETENTION_MS })
}

const rowOf = ({ topic, resource, actions, users, at }: Event) => ({
  topic,
  resource,
  actions: actions ? JSON.stringify(actions) : null,
  user_ids: JSON.stringify([...new Set(users)]),
  at,
})
/** When events are published, and by what. */
const originOf = ({ effects }: Q) => ({
  real_at: realNow(),
  cause: effects?.cause ? keyOf(effects.cause) : null,
})
const insertEvent = prepared(({ db }) =>
  db
    .insert(outbox)
    .values({ ...columnValues(outbox), id: undefined })
    .returning({ id: outbox.id }),
)
const insertEvents = preparedSql(`
  INSERT INTO outbox (topic, resource, actions, user_ids, at, real_at, cause)
  SELECT value ->> 'topic', value ->> 'resource', value ->> 'actions', value ->> 'user_ids', value ->> 'at', :real_at, :cause
  FROM json_each(:facts) ORDER BY key RETURNING id`)

/** Passes the events of these ids on; now and then deletes old events. */
async function notifySubscribers(q: Q, published: PublishedEvents): Promise<void> {
  const { first, last, now } = published
  if (q.effects) q.effects.events = { first: q.effects.events?.first ?? first, last }
  for (const subscriber of q.subscribers) await subscriber(q, published)
  if (last % SWEEP_INTERVAL <= last - first)
    await deleteOldEvents(q).run({ last: last - MAX_EVENTS, before: now - EVENT_RETENTION_MS })
}
const deleteOldEvents = prepared(({ db }) =>
  db.delete(outbox).where(or(lte(outbox.id, $('last')), lt(outbox.at, $('before')))),
)
const deleteExpired = prepared(({ db }) =>
  db.delete(outbox).where(and(between(outbox.id, $('first'), $('last')), lt(outbox.at, $('before')))),
)
