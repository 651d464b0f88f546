import type { World } from '../../../db/world.ts'
import { causeOf, presentCause } from '../../../http/journal/call_cause.ts'
import { utcMillis, utcOrNull } from '../../shared/instants.ts'
import type { TOPICS } from '../../shared/topics.ts'
import { actionsOf } from '../present.ts'
import { profileOf } from '../settings/profiles.ts'
import type { EventRow, FinishedAttemptRow } from './queries.ts'

/** A server-sent event; `id` where a client can resume from it. JSON contains no line breaks. */
export const sseMessage = (name: string, data: object, id?: number) =>
  `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`

/** Some events after `after` (an id, or 0) are no longer stored; a client that resumes continues after the gap. */
const gapMessage = (after: number, first: number) => sseMessage('gap', { after, first }, first - 1)

/** The events after one, in order. Ids are assigned without gaps: a gap means that events were deleted. */
export const eventMessages = (world: World, after: number, rows: EventRow[]): string =>
  rows
    .map((row, n) => {
      const previousId = rows[n - 1]?.id ?? after
      return (row.id === previousId + 1 ? '' : gapMessage(previousId, row.id)) + eventMessage(world, row)
    })
    .join('')

const eventMessage = (world: World, row: EventRow) => sseMessage('fact', presentEvent(world, row), row.id)

export const presentEvent = (world: World, row: EventRow) => ({
  id: row.id,
  topic: row.topic as (typeof TOPICS)[number],
  resource: row.resource,
  ...actionsOf(row),
  users: JSON.parse(row.user_ids) as number[],
  at: utcMillis(row.at),
  real_at: utcOrNull(row.real_at),
  cause: presentCause(causeOf(world, row)),
})

/**
 * An attempt with the current time limit of its application (null if it is no longer notified), followed by `topic_off`
 * if it switched the topic off; those of the kinds that are wanted.
 */
export function attemptMessages(row: FinishedAttemptRow, kinds: ReadonlySet<string>): string {
  const { position: _, sent, real_sent, profile, overrides, off_at, fact_id, ...attempt } = row
  let messages = ''
  if (kinds.has('attempt')) {
    const limit_ms = profile === null ? null : profileOf({ profile, overrides: overrides! }).limit_ms
    const left_ms = limit_ms === null ? null : limit_ms - attempt.ms
    messages += sseMessage('attempt', {
      ...attempt,
      sent: utcMillis(sent),
      real_sent: utcOrNull(real_sent),
      limit_ms,
      left_ms,
      fact_id,
    })
  }
  if (off_at !== null && kinds.has('topic_off')) {
    const { application_id, topic } = attempt
    messages += sseMessage('topic_off', { application_id, topic, since: utcMillis(off_at) })
  }
  return messages
}
