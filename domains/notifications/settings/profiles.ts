import { derived } from '../../../db/ids.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** Rules of the delivery of notifications. Probabilities are from 0 to 1. */
export interface Profile {
  /** Real time that a receiver has to answer 200, ms. */
  limit_ms: number
  /** World time of each attempt, ms after the first. */
  attempts_at: number[]
  /** The notifications of one resource are delivered one after the other. */
  in_order: boolean
  /** Missed notifications in a row that switch their topic off; 0: never. */
  off_after: number
  /** Maximum delay of a retry, as a share of the time since the attempt before. */
  spread: number
  /** Maximum delay of a first attempt, world ms: notifications overtake one another. */
  jitter_ms: number
  /** Probability of an additional delay of up to `delay_ms`. */
  delayed: number
  /** World ms. */
  delay_ms: number
  /** Probability that a notification is delivered a second time. */
  duplicates: number
  /** Probability that a notification is never sent. */
  silenced: number
}

/** Eight attempts within an hour [spec: notifications.attempts, notifications.schedule]. */
const OBSERVED_ATTEMPTS_AT = [0, 15 * SECOND, ...[1, 3, 7, 15, 30, 60].map((minutes) => minutes * MINUTE)]

const NO_RANDOMNESS = { spread: 0, jitter_ms: 0, delayed: 0, delay_ms: 0, duplicates: 0, silenced: 0 }

export const PROFILES = {
  /** Immediate and in order, with time for a slow receiver. */
  ideal: { limit_ms: 10 * SECOND, attempts_at: OBSERVED_ATTEMPTS_AT, in_order: true, off_after: 0, ...NO_RANDOMNESS },
  /** Like the public service [spec: notifications.success]. */
  realistic: { limit_ms: 500, attempts_at: OBSERVED_ATTEMPTS_AT, in_order: false, off_after: 10, ...NO_RANDOMNESS },
  /** All rare cases that a receiver must handle. */
  hostile: {
    limit_ms: 500,
    attempts_at: OBSERVED_ATTEMPTS_AT,
    in_order: false,
    off_after: 10,
    spread: 0.5,
    jitter_ms: 5 * SECOND,
    delayed: 0.1,
    delay_ms: 10 * MINUTE,
    duplicates: 0.2,
    silenced: 0.05,
  },
} as const satisfies Record<string, Profile>

export type ProfileName = keyof typeof PROFILES
export const PROFILE_NAMES = Object.keys(PROFILES) as ProfileName[]

/** The profile of an application with its overrides (JSON). */
export const profileOf = ({ profile, overrides }: { profile: string; overrides: string }): Profile => ({
  ...PROFILES[profile as ProfileName],
  ...JSON.parse(overrides),
})

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
