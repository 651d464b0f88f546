/** Assumptions with a switch: what a world does where the real service is not known, and what it can do instead. The first value is the default. */
export const SWITCHES = {
  'auth.query_token': ['accept', 'reject'],
  'contacts.auth': ['optional', 'required'],
  'contacts.current_bucket': ['include', 'exclude'],
  /** Whole hours, `-12:00` to `+14:00`: where a day begins in statistics. */
  'contacts.day_offset': ['-04:00'],
  /** `true`: only the owner reads a listing's or a user's statistics. */
  'contacts.owner_only': ['false', 'true'],
  /** `false`: a listing may be offered with Flex by a seller who has no subscription to it. */
  'flex.activation_needs_subscription': ['true', 'false'],
} as const

export type SwitchName = keyof typeof SWITCHES
export type Switches = Record<SwitchName, string>

const DEFAULTS = Object.fromEntries(Object.entries(SWITCHES).map(([name, values]) => [name, values[0]])) as Switches

/** All switches of a world: the defaults, and over them what the world has set. */
export const switchesOf = (set: Partial<Switches>): Switches => ({ ...DEFAULTS, ...set })
