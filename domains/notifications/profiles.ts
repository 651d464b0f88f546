const SECOND = 1000
const MINUTE = 60 * SECOND

/** How notifications of an application are delivered. */
export interface Profile {
  /** Real time that a receiver has to answer 200, ms. */
  limit_ms: number
  /** World time of each attempt, ms after the first. */
  attempts_at: number[]
  /** One resource's notifications wait for those before them. */
  in_order: boolean
}

/** Eight attempts within an hour, each of half a second (rulings of the public service; the offsets are assumed). */
const OBSERVED = [0, 15 * SECOND, ...[1, 3, 7, 15, 30, 60].map((minutes) => minutes * MINUTE)]

export const PROFILES = {
  /** At once and in order; a slow receiver is waited for. */
  ideal: { limit_ms: 10 * SECOND, attempts_at: OBSERVED, in_order: true },
  /** As the public service does it. */
  realistic: { limit_ms: 500, attempts_at: OBSERVED, in_order: false },
} as const satisfies Record<string, Profile>

export type ProfileName = keyof typeof PROFILES
export const PROFILE_NAMES = Object.keys(PROFILES) as ProfileName[]

/** A profile with the numbers that differ for one application. */
export const profileOf = ({ profile, overrides }: { profile: string; overrides: string }): Profile => ({
  ...PROFILES[profile as ProfileName],
  ...JSON.parse(overrides),
})
