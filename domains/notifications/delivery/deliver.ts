import { realNow } from '../../../db/clock.ts'
import { isDiskFull } from '../../../db/disk.ts'
import { EVENT_RETENTION_MS } from '../../../db/outbox.ts'
import { delay } from '../../../db/timers.ts'
import type { World } from '../../../db/world.ts'
import type { OnFault } from '../../../http/errors/error_handler.ts'
import { SENT } from '../assumptions.ts'
import { type Inboxes, inboxAttempt } from '../inbox/inboxes.ts'
import { type Attempt, failedAttempt } from '../outbound/attempt.ts'
import { LookupError, lookupWithTimeout } from '../outbound/connection.ts'
import { requestHeaders } from '../outbound/http_request.ts'
import { InvalidTarget, type NetworkPolicy } from '../outbound/network_policy.ts'
import type { Sender } from '../outbound/sender.ts'
import { INBOX_TARGET, parseTarget, resolvePinnedAddresses } from '../outbound/targets.ts'
import { payload } from '../present.ts'
import { type AttemptRow, attemptsOf, type NotificationRow } from '../queries.ts'
import { incrementMissed, resetMissed } from '../settings/operations.ts'
import type { Profile } from '../settings/profiles.ts'
import { outcomeOf, recordStart } from './attempt_log.ts'
import { type ClaimedNotification, recordAttempt, sweep } from './operations.ts'

/** Expired notifications are deleted after this number of deliveries. */
const SWEEP_EVERY = 500
/** Until the next try to write what did not fit on the disk. */
export const DISK_FULL_RETRY_MS = 1000

/** A topic that is switched off for an application, with the number of consecutively missed notifications. */
export interface SwitchedOff {
  application_id: number
  topic: string
  missed: number
}

type Stored = { switchedOff?: SwitchedOff }
type AttemptResult = Omit<AttemptRow, 'notification_id' | 'n' | 'switched_off'>

/** Makes an attempt with `send`, or returns what a receiver would have answered. */
export type InterceptAttempt = (
  world: World,
  notification: NotificationRow,
  send: () => Promise<Attempt>,
) => Promise<Attempt>

interface Delivery {
  sender: Sender
  inboxes: Inboxes
  onFault: OnFault
  networkPolicy: NetworkPolicy
  /** Called instead of an attempt, which `send` makes (recordings). */
  interceptAttempt?: InterceptAttempt | undefined
  /** The server stops, and the result of the attempt is unknown. */
  isAborted: () => boolean
}

/** Makes one attempt and commits its result; undefined when it was aborted: the next start repeats it. */
export async function deliver(delivery: Delivery, claimed: ClaimedNotification): Promise<Stored | undefined> {
  const { world, setting, profile, row, sent } = claimed
  const { callback_url: url } = setting
  const data = JSON.stringify(payload(world, row, await sentOf(claimed)))
  const recordEnd = recordStart(world.generation, row)
  const real_sent = realNow()
  const send = () =>
    url === INBOX_TARGET ? sendToInbox(delivery, claimed, data) : sendAttempt(delivery, url, data, profile.limit_ms)
  const sending = delivery.interceptAttempt ? delivery.interceptAttempt(world, row, send) : send()
  const { http_code, headers, body, ms, error } = await sending.finally(recordEnd)
  if (delivery.isAborted()) return undefined
  const request = { sent, real_sent, data, sent_headers: sentHeaders(url, data), url }
  const attempt = { ...request, ms: Math.round(ms), http_code, headers: JSON.stringify(headers), body, error }
  return withSpace(delivery, () => storeResult(world, row, profile, attempt))
}

/** JSON, names in lower case; null for the receiver inside the server. */
function sentHeaders(url: string, data: string): string | null {
  if (url === INBOX_TARGET) return null
  const headers = Object.entries(requestHeaders(new URL(url), data))
  return JSON.stringify(Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])))
}

/** World time, ms; by default of the first attempt: receivers use it in keys against duplicates [spec: notifications.payload.sent]. */
async function sentOf({ world, row, sent }: ClaimedNotification): Promise<number> {
  if (row.attempts === 1 || SENT.of(world) === 'attempt') return sent
  const [first] = await attemptsOf(world.read, row.id)
  return first?.sent ?? sent
}

/** Commits the result of an attempt. */
const storeResult = (world: World, row: NotificationRow, profile: Profile, attempt: AttemptResult): Promise<Stored> =>
  world.tx(async (q) => {
    const { application_id, topic } = row
    const { off_after } = profile
    const hasArrived = attempt.http_code === 200 && attempt.error === null
    const now = world.clock.now()
    const outcome = outcomeOf(world, row, profile, { hasArrived, now })
    if (hasArrived) await resetMissed(q, { application_id, topic })
    const isOff = outcome.status === 'missed' && (await incrementMissed(q, { application_id, topic, off_after, now }))
    const ids = { notification_id: row.id, n: row.attempts }
    await recordAttempt(q, { ...ids, ...attempt, switched_off: isOff ? 1 : 0 }, outcome)
    if (row.id % SWEEP_EVERY === 0) await sweep(q, { before: now - EVENT_RETENTION_MS, last: row.id })
    return isOff ? { switchedOff: { application_id, topic, missed: off_after } } : {}
  })

/** Repeats a unit while the disk is full: an attempt whose result is lost would be sent again. Rejects at the stop. */
async function withSpace<T>({ sender, onFault }: Delivery, unit: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await unit()
    } catch (error) {
      if (!isDiskFull(error as Error) || sender.stopSignal.aborted) throw error
      onFault(error as Error)
      // The last try follows the stop at once.
      await delay(DISK_FULL_RETRY_MS, undefined, { signal: sender.stopSignal, ref: false }).catch(() => {})
    }
  }
}

/** Nothing leaves the server: the network policy has no part in it. */
function sendToInbox(
  { sender, inboxes }: Delivery,
  { world, profile, row, sent }: ClaimedNotification,
  body: string,
): Promise<Attempt> {
  const { id: delivery_id, application_id, topic } = row
  const answer = inboxes.receive(world, { at: sent, delivery_id, application_id, topic, body })
  return inboxAttempt(answer, profile.limit_ms, sender.stopSignal)
}

/** Checks the target again: the network policy, the addresses of its name or this server's own may have changed. */
async function sendAttempt(
  { sender, networkPolicy }: Delivery,
  callback_url: string,
  body: string,
  timeoutMs: number,
): Promise<Attempt> {
  const startedAt = performance.now()
  try {
    const url = parseTarget(callback_url, networkPolicy)
    const addresses = await resolvePinnedAddresses(url, networkPolicy, lookupWithTimeout(timeoutMs, sender.stopSignal))
    return await sender.send({ url, addresses, body, timeoutMs })
  } catch (error) {
    if (error instanceof InvalidTarget || error instanceof LookupError)
      return failedAttempt(error.message, performance.now() - startedAt)
    throw error
  }
}
