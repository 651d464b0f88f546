import type { Generation } from '../../db/world.ts'
import { type StartedAttempt, startedAttemptsOf } from '../../domains/notifications/delivery/attempt_log.ts'
import type { Entry } from '../../http/journal/journal_entry.ts'

/** Real ms after an attempt in which a call of the same user counts as its effect. */
const REACTION_MS = 2000

/**
 * The attempt that a call probably follows: the latest one to its application with an id that the call names, else the
 * latest one for its user that has not ended more than REACTION_MS before. Null if there is none.
 */
export function deliveryBefore(generation: Generation, entry: Entry) {
  const { application_id, user_id, at } = entry
  const attempts = startedAttemptsOf(generation)
  if (application_id === null || attempts.first === attempts.next) return null
  const names = namesIn(entry)
  let recent: StartedAttempt | undefined
  for (let position = attempts.next - 1; position >= attempts.first; position--) {
    const attempt = attempts.get(position)!
    if (attempt.startedAt > at || attempt.application_id !== application_id) continue
    if (names.has(attempt.resource_id)) return present(attempt)
    if (attempt.user_id === user_id && at <= attempt.endedAt + REACTION_MS) recent ??= attempt
  }
  return recent ? present(recent) : null
}

const present = ({ delivery_id: id, n }: StartedAttempt) => ({ id, n, inferred: true })

/** The words of the address and the body: ids are among them. */
const namesIn = ({ url, body }: Entry): Set<string> =>
  new Set(`${url} ${body?.text ?? ''}`.toLowerCase().match(/[\w-]+/g))
