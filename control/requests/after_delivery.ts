import type { Ring } from '../../db/ring.ts'
import type { Generation } from '../../db/world.ts'
import { type StartedAttempt, startedAttemptsOf } from '../../domains/notifications/delivery/attempt_log.ts'
import type { Topic } from '../../domains/shared/topics.ts'
import { type Entry, pathOfEntry } from '../../http/journal/journal_entry.ts'

/** Real ms after an attempt in which a call that names nothing counts as its effect. */
const REACTION_MS = 2000

/** The lists that have the resources of a topic; shipments have none. */
const LISTS: Readonly<Partial<Record<Topic, RegExp>>> = {
  questions: /^\/(questions|my\/received_questions)\/search$/,
  items: /^\/users\/[^/]+\/items\/search$/,
  orders_v2: /^\/orders\/search$/,
  post_purchase: /^\/post-purchase\/v1\/claims\/search$/,
  payments: /^\/(collections|v1\/payments)\/search$/,
  'leads-credits': /^\/vis\/loans\/search$/,
}

/** Where a call was recorded. */
export interface CallContext {
  generation: Generation
  requests: Ring<Entry>
}

/**
 * The attempt that a call probably follows, null if there is none: the latest one to its application with an id that the
 * call names, else the latest one for its user about something in the list that it reads. A read that repeats one since
 * the attempt follows nothing: its program polls.
 */
export function deliveryBefore({ generation, requests }: CallContext, entry: Entry) {
  const isReading = isRead(entry)
  const attempt = latestAttempt(
    generation,
    entry,
    ({ topic }) => isReading && LISTS[topic as Topic]?.test(pathOfEntry(entry)) === true,
  )
  if (!attempt || (isReading && isRepeated(requests, entry, attempt))) return null
  return { id: attempt.delivery_id, n: attempt.n, inferred: true }
}

/** Whether an attempt may be the reason of a call, also of a repeated one: for findings, which excuse it if in doubt. */
export const mayFollowDelivery = (generation: Generation, entry: Entry): boolean =>
  latestAttempt(generation, entry, () => true) !== undefined

/** The latest attempt that a call names, else the latest one of its user that is recent and fits. */
function latestAttempt(generation: Generation, entry: Entry, fits: (attempt: StartedAttempt) => boolean) {
  const { application_id, user_id, at } = entry
  const attempts = startedAttemptsOf(generation)
  if (application_id === null || attempts.first === attempts.next) return undefined
  const names = namesIn(entry)
  let recent: StartedAttempt | undefined
  for (let position = attempts.next - 1; position >= attempts.first; position--) {
    const attempt = attempts.get(position)!
    if (attempt.startedAt > at || attempt.application_id !== application_id) continue
    if (names.has(attempt.resource_id)) return attempt
    if (!recent && attempt.user_id === user_id && at <= attempt.endedAt + REACTION_MS && fits(attempt)) recent = attempt
  }
  return recent
}

/** Whether the same client has read the same since an attempt. Queries do not count: they page, or avoid caches. */
function isRepeated(requests: Ring<Entry>, entry: Entry, { startedAt, resource_id }: StartedAttempt): boolean {
  const client = clientOf(entry)
  const path = pathOfEntry(entry)
  const isNamed = namesIn(entry).has(resource_id)
  for (let id = entry.id - 1; id >= requests.first; id--) {
    const earlier = requests.get(id)!
    if (earlier.at < startedAt || !isRead(earlier) || pathOfEntry(earlier) !== path) continue
    if (clientOf(earlier) === client && namesIn(earlier).has(resource_id) === isNamed) return true
  }
  return false
}

const isRead = ({ method }: Entry): boolean => method === 'GET' || method === 'HEAD'

const clientOf = ({ application_id, user_id, headers }: Entry): string =>
  `${application_id} ${user_id} ${headers['user-agent']}`

/** The words of the address and the body: ids are among them. */
const namesIn = ({ url, body }: Entry): Set<string> =>
  new Set(`${url} ${body?.text ?? ''}`.toLowerCase().match(/[\w-]+/g))
