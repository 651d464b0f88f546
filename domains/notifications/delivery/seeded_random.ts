import { derived } from '../../../db/ids.ts'
import type { Profile } from '../settings/profiles.ts'

// The random parts of a profile. They are derived from the key of the world: every run gives the same values.

/** From 0 up to 1, for one purpose and notification. */
const seededRandom = (key: string, id: number, purpose: string): number =>
  Number.parseInt(derived(key, `notification ${id} ${purpose}`, 8), 16) / 2 ** 32

/** Whether first attempts can be late or silenced. */
export const hasRandomFirstAttempt = ({ jitter_ms, delayed, delay_ms, silenced }: Profile): boolean =>
  jitter_ms > 0 || (delayed > 0 && delay_ms > 0) || silenced > 0

/** World ms by which the first attempt is late; null: the notification is silenced. */
export function firstAttemptDelay(
  key: string,
  id: number,
  { jitter_ms, delayed, delay_ms, silenced }: Profile,
): number | null {
  if (seededRandom(key, id, 'is silenced') < silenced) return null
  const jitter = seededRandom(key, id, 'jitters') * jitter_ms
  const delay = seededRandom(key, id, 'is delayed') < delayed ? seededRandom(key, id, 'delays') * delay_ms : 0
  return Math.round(jitter + delay)
}

/** World ms from the arrival to the duplicate; null: there is no duplicate. */
export const duplicateDelay = (key: string, id: number, { jitter_ms, duplicates }: Profile): number | null =>
  seededRandom(key, id, 'comes twice') < duplicates ? Math.round(seededRandom(key, id, 'echoes') * jitter_ms) : null

/** World ms from the first attempt to the one after the `n`th; null: the `n`th is the last. */
export function retryDelay(key: string, id: number, n: number, { attempts_at, spread }: Profile): number | null {
  const at = attempts_at[n]
  if (at === undefined) return null
  const wait = at - attempts_at[n - 1]!
  return at + (spread > 0 ? Math.round(seededRandom(key, id, `retries ${n}`) * spread * wait) : 0)
}
