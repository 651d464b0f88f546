import { FILE_SCENARIO } from '../control/world_file/import.ts'
import type { Switches, World } from '../db/world.ts'
import { SWITCHES } from '../domains/assumptions.ts'

/** Options for a world that may exist already; undefined if not given. */
export interface RequestedOptions {
  load: unknown
  scenario: string | undefined
  seed: number | undefined
  /** Ms. */
  now: number | null | undefined
  assume: Switches | undefined
}

/**
 * Finds an option that differs from the one that an existing world was created with, and that would be ignored.
 * Returns the option, and the value that the world was created with; undefined if none differs.
 */
export function findOptionMismatch(
  { scenario, seed, frozenAt, initialSwitches }: World,
  requested: RequestedOptions,
): { made: string; option: string } | undefined {
  if (requested.load !== undefined && scenario !== FILE_SCENARIO)
    return { made: `scenario ${scenario}`, option: 'load' }
  const actual = { scenario, seed, now: frozenAt }
  for (const option of ['scenario', 'seed', 'now'] as const)
    if (requested[option] !== undefined && requested[option] !== actual[option]) {
      const made = { ...actual, now: frozenAt === null ? 'running' : new Date(frozenAt).toISOString() }
      return { made: `${option} ${made[option]}`, option }
    }
  for (const [name, value] of Object.entries(requested.assume ?? {})) {
    const assumed = initialSwitches[name] ?? SWITCHES[name]![0]
    if (assumed !== value) return { made: `${name}=${assumed}`, option: `assume ${name}` }
  }
  return undefined
}
