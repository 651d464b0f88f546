import { FILE_SCENARIO } from '../control/world_file/import.ts'
import type { Switches, World } from '../db/world.ts'
import { SWITCHES } from '../domains/assumptions.ts'

/** What was asked of a world that may have been made before; undefined where nothing was said. */
export interface RequestedOptions {
  load: unknown
  scenario: string | undefined
  seed: number | undefined
  /** Ms. */
  now: number | null | undefined
  assume: Switches | undefined
}

/**
 * A kept world stays what it was made as; what says otherwise would be silently ignored. Answers with what it was made,
 * and the option that says otherwise; undefined where none does.
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
