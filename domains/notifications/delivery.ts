import { KEPT_MS } from '../../db/outbox.ts'
import type { World } from '../../db/world.ts'
import { unsent } from './attempt.ts'
import { lookupWithin, NoAddress } from './lookups.ts'
import { finish, sweep } from './operations.ts'
import { outcome } from './outcome.ts'
import { payload } from './present.ts'
import type { Profile } from './profiles.ts'
import type { NotificationRow, SettingRow } from './queries.ts'
import type { Attempt, Sender } from './sender.ts'
import { countMissed, forgetMissed } from './setting_operations.ts'
import { BadTarget, pinnedAddresses, type Reach, readTarget } from './targets.ts'

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
  { sender, reach, isOver }: { sender: Sender; reach: Reach; isOver: () => boolean },
  { world, setting, profile, row, sent }: Claimed,
): Promise<{ switchedOff?: SwitchedOff } | undefined> {
  const data = JSON.stringify(payload(world, row, sent))
  const { http_code, headers, body, ms, error } = await attempt(
    { sender, reach },
    setting.callback_url,
    data,
    profile.limit_ms,
  )
  if (isOver()) return undefined
  const hasArrived = http_code === 200 && error === null
  const { application_id, topic } = row
  const { off_after } = profile
  return world.tx(async (q) => {
    const now = world.clock.now()
    const stands = outcome(world, row, profile, hasArrived, now)
    if (hasArrived) await forgetMissed(q, { application_id, topic })
    const isOff = stands.status === 'missed' && (await countMissed(q, { application_id, topic, off_after, now }))
    const tried = {
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
    await finish(q, tried, stands)
    if (row.id % SWEEP_EVERY === 0) await sweep(q, { before: now - KEPT_MS, last: row.id })
    return isOff ? { switchedOff: { application_id, topic, missed: off_after } } : {}
  })
}

/** What is tried, and how its application is told. */
export interface Claimed {
  world: World
  setting: SettingRow
  profile: Profile
  row: NotificationRow
  sent: number
}

async function attempt(
  { sender, reach }: { sender: Sender; reach: Reach },
  callback_url: string,
  body: string,
  patience: number,
): Promise<Attempt> {
  const begun = performance.now()
  try {
    const url = readTarget(callback_url, reach)
    const addresses = await pinnedAddresses(url, reach, lookupWithin(patience, sender.stopping))
    return await sender.send({ url, addresses, body, patience })
  } catch (error) {
    // It was allowed when the application asked for it; what its name leads to is not, or is not known.
    if (error instanceof BadTarget || error instanceof NoAddress)
      return unsent(error.message, performance.now() - begun)
    throw error
  }
}
