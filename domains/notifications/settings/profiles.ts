const SECOND = 1000
const MINUTE = 60 * SECOND

/** How notifications of an application are delivered. Shares are from 0 to 1. */
export interface Profile {
  /** Real time that a receiver has to answer 200, ms. */
  limit_ms: number
  /** World time of each attempt, ms after the first. */
  attempts_at: number[]
  /** One resource's notifications wait for those before them. */
  in_order: boolean
  /** Notifications missed one after the other that switch their topic off; 0: none do. */
  off_after: number
  /** Share of its wait by which a retry may come later. */
  spread: number
  /** World time that a first attempt may come late, ms: neighbours change places. */
  jitter_ms: number
  /** Share of those that come later still, by up to `delay_ms` of world time. */
  delayed: number
  delay_ms: number
  /** Share of those that come once more after they arrived. */
  duplicates: number
  /** Share of those that are never sent. */
  silenced: number
}

/** Eight attempts within an hour, each of half a second (rulings of the public service; the offsets are assumed). */
const OBSERVED_ATTEMPTS_AT = [0, 15 * SECOND, ...[1, 3, 7, 15, 30, 60].map((minutes) => minutes * MINUTE)]

/** As much as this is left to chance. */
const NO_RANDOMNESS = { spread: 0, jitter_ms: 0, delayed: 0, delay_ms: 0, duplicates: 0, silenced: 0 }

export const PROFILES = {
  /** At once and in order; a slow receiver is waited for. */
  ideal: { limit_ms: 10 * SECOND, attempts_at: OBSERVED_ATTEMPTS_AT, in_order: true, off_after: 0, ...NO_RANDOMNESS },
  /** As the public service does it; after how many it switches a topic off is assumed. */
  realistic: { limit_ms: 500, attempts_at: OBSERVED_ATTEMPTS_AT, in_order: false, off_after: 10, ...NO_RANDOMNESS },
  /** All that a receiver must bear and seldom meets. */
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

/** A profile with the numbers that differ for one application; `overrides` is JSON. */
export const profileOf = ({ profile, overrides }: { profile: string; overrides: string }): Profile => ({
  ...PROFILES[profile as ProfileName],
  ...JSON.parse(overrides),
})
