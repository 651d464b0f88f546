import type { Switches, World } from '../db/world.ts'

/** An assumption whose value each world can choose. */
export interface Switch<Value extends string = string> {
  name: string
  /** The first is the default. */
  values: readonly [Value, ...Value[]]
  of(world: Pick<World, 'switches'>): Value
}

export const defineSwitch = <const Value extends string>(
  name: string,
  values: readonly [Value, ...Value[]],
): Switch<Value> => ({ name, values, of: ({ switches }) => (switches[name] as Value | undefined) ?? values[0] })

/** The values of all switches by name, each with its default first. */
export type SwitchValues = Readonly<Record<string, readonly string[]>>

/** The reason why a switch cannot have a value; undefined if it can. */
export function switchError(all: SwitchValues, name: string, value: unknown): string | undefined {
  if (!Object.hasOwn(all, name)) return `must be one of ${Object.keys(all).join(', ')}`
  const values: readonly unknown[] = all[name]!
  return values.includes(value) ? undefined : `must be one of ${values.join(', ')}`
}

/** The switches whose value differs from the default, sorted by name: how worlds store them. */
export const nonDefaultSwitches = (all: SwitchValues, switches: Switches): Switches =>
  Object.fromEntries(
    Object.entries(switches)
      .filter(([name, value]) => value !== all[name]?.[0])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
