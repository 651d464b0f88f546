/** `-04:00`, and every other whole hour that a place on earth has. */
const OFFSETS = Array.from({ length: 27 }, (_, n) => n - 12).map(
  (hour) => `${hour < 0 ? '-' : '+'}${String(Math.abs(hour)).padStart(2, '0')}:00`,
)

/**
 * Assumptions with a switch: what a world does where the real service is not known, and what it can do instead. The
 * first value is the default.
 */
export const SWITCHES = {
  'auth.query_token': ['accept', 'reject'],
  'contacts.auth': ['optional', 'required'],
  'contacts.current_bucket': ['include', 'exclude'],
  'contacts.day_offset': ['-04:00', ...OFFSETS.filter((offset) => offset !== '-04:00')],
  'contacts.owner_only': ['false', 'true'],
  'flex.activation_needs_subscription': ['true', 'false'],
} as const satisfies Record<string, readonly [string, ...string[]]>

export type SwitchName = keyof typeof SWITCHES
export type Switches = Record<SwitchName, string>

const DEFAULTS = Object.fromEntries(Object.entries(SWITCHES).map(([name, values]) => [name, values[0]])) as Switches

/** All switches of a world: the defaults, and over them what the world has set. */
export const switchesOf = (overrides: Partial<Switches>): Switches => ({ ...DEFAULTS, ...overrides })

/** Those that are not as by default, in the order of their names. */
export const nonDefaultSwitches = (switches: Partial<Switches>): Partial<Switches> =>
  Object.fromEntries(
    Object.entries(switches)
      .filter(([name, value]) => value !== DEFAULTS[name as SwitchName])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

export const isSwitch = (name: string): name is SwitchName => Object.hasOwn(SWITCHES, name)

/** What is wrong with setting a switch so; undefined when nothing is. */
export function switchError(name: string, value: unknown): string | undefined {
  if (!isSwitch(name)) return `must be one of ${Object.keys(SWITCHES).join(', ')}`
  const values: readonly unknown[] = SWITCHES[name]
  return values.includes(value) ? undefined : `must be one of ${values.join(', ')}`
}
