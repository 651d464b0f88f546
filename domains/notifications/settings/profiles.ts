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
