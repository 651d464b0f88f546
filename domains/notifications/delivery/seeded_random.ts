import { derived } from '../../../db/ids.ts'
import type { Profile } from '../settings/profiles.ts'

// What a profile leaves to chance. A world throws the same dice for the same notification at every run.

/** From 0 up to 1, for one question about one notification of a world. */
const seededRandom = (key: string, id: number, purpose: string): number =>
  Number.parseInt(derived(key, `notification ${id} ${purpose}`, 8), 16) / 2 ** 32

/** Whether first attempts of this profile need not come at once. */
export const hasRandomFirstAttempt = ({ jitter_ms, delayed, delay_ms, silenced }: Profile): boolean =>
  jitter_ms > 0 || (delayed > 0 && delay_ms > 0) || silenced > 0

/** World ms by which the first attempt comes late; null: there never is one. */
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

/** World ms after it arrived at which it comes once more; null: it does not. */
export const duplicateDelay = (key: string, id: number, { jitter_ms, duplicates }: Profile): number | null =>
  seededRandom(key, id, 'comes twice') < duplicates ? Math.round(seededRandom(key, id, 'echoes') * jitter_ms) : null

/** World ms after the first attempt at which the one after the `n`th begins; null: there is none. */
export function retryDelay(key: string, id: number, n: number, { attempts_at, spread }: Profile): number | null {
  const at = attempts_at[n]
  if (at === undefined) return null
  const wait = at - attempts_at[n - 1]!
  return at + (spread > 0 ? Math.round(seededRandom(key, id, `retries ${n}`) * spread * wait) : 0)
}
