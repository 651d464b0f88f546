import { EVENT_RETENTION_MS } from '../../../db/outbox.ts'
import type { World } from '../../../db/world.ts'
import type { Attempt } from '../outbound/attempt.ts'
import { failedAttempt } from '../outbound/attempt.ts'
import { LookupError, lookupWithTimeout } from '../outbound/dns_lookups.ts'
import { InvalidTarget } from '../outbound/hosts.ts'
import type { NetworkPolicy } from '../outbound/network_policy.ts'
import type { Sender } from '../outbound/sender.ts'
import { parseTarget, resolvePinnedAddresses } from '../outbound/targets.ts'
import { payload } from '../present.ts'
import type { NotificationRow, SettingRow } from '../queries.ts'
import { incrementMissed, resetMissed } from '../settings/operations.ts'
import type { Profile } from '../settings/profiles.ts'
import { recordAttempt, sweep } from './operations.ts'
import { outcomeOf } from './outcome.ts'

/** Notifications after which what is no longer kept is looked for. */
const SWEEP_EVERY = 500

/** Of this topic an application is told no more: so many were missed one after the other. */
export interface SwitchedOff {
  application_id: number
  topic: string
  missed: number
}

/**
 * Makes one attempt at a notification that was claimed at `sent` (world time, ms), and writes down what came of it,
 * unless `isOver` says then that the server stops: nobody knows whether it arrived, so the next one sends it again.
 */
export async function deliver(
  { sender, networkPolicy, isAborted }: { sender: Sender; networkPolicy: NetworkPolicy; isAborted: () => boolean },
  { world, setting, profile, row, sent }: ClaimedNotification,
): Promise<{ switchedOff?: SwitchedOff } | undefined> {
  const data = JSON.stringify(payload(world, row, sent))
  const { http_code, headers, body, ms, error } = await sendAttempt(
    { sender, networkPolicy },
    setting.callback_url,
    data,
    profile.limit_ms,
  )
  if (isAborted()) return undefined
  const hasArrived = http_code === 200 && error === null
  const { application_id, topic } = row
  const { off_after } = profile
  return world.tx(async (q) => {
    const now = world.clock.now()
    const newState = outcomeOf(world, row, profile, hasArrived, now)
    if (hasArrived) await resetMissed(q, { application_id, topic })
    const isOff = newState.status === 'missed' && (await incrementMissed(q, { application_id, topic, off_after, now }))
    const attemptRow = {
      notification_id: row.id,
      n: row.attempts,
      sent,
      data,
      url: setting.callback_url,
      ms: Math.round(ms),
      http_code,
      headers: JSON.stringify(headers),
      body,
      error,
      switched_off: isOff ? 1 : 0,
    }
    await recordAttempt(q, attemptRow, newState)
    if (row.id % SWEEP_EVERY === 0) await sweep(q, { before: now - EVENT_RETENTION_MS, last: row.id })
    return isOff ? { switchedOff: { application_id, topic, missed: off_after } } : {}
  })
}

/** What is tried, and how its application is told. */
export interface ClaimedNotification {
  world: World
  setting: SettingRow
  profile: Profile
  row: NotificationRow
  sent: number
}

async function sendAttempt(
  { sender, networkPolicy }: { sender: Sender; networkPolicy: NetworkPolicy },
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
    // It was allowed when the application asked for it; what its name leads to is not, or is not known.
    if (error instanceof InvalidTarget || error instanceof LookupError)
      return failedAttempt(error.message, performance.now() - startedAt)
    throw error
  }
}
