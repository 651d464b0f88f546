import { type Switches, type SwitchName, switchesOf } from '../db/switches.ts'
import type { World } from '../db/world.ts'
import { FILE } from '../domains/sandbox/world_file/loading.ts'

/** What was asked of a world that may have been made before; undefined where nothing was said. */
export interface Asked {
  load: unknown
  scenario: string | undefined
  seed: number | undefined
  /** Ms. */
  now: number | null | undefined
  assume: Partial<Switches> | undefined
}

/**
 * A kept world stays what it was made as; what says otherwise would be silently ignored. Answers with what it was made,
 * and the option that says otherwise; undefined where none does.
 */
export function madeOtherwise(
  { scenario, seed, startedAt, madeSwitches }: World,
  asked: Asked,
): { made: string; option: string } | undefined {
  if (asked.load !== undefined && scenario !== FILE) return { made: `scenario ${scenario}`, option: 'load' }
  const known = { scenario, seed, now: startedAt }
  for (const option of ['scenario', 'seed', 'now'] as const)
    if (asked[option] !== undefined && asked[option] !== known[option]) {
      const made = { ...known, now: startedAt === null ? 'running' : new Date(startedAt).toISOString() }
      return { made: `${option} ${made[option]}`, option }
    }
  const assumed = switchesOf(madeSwitches)
  for (const [name, value] of Object.entries(asked.assume ?? {}) as [SwitchName, string][])
    if (assumed[name] !== value) return { made: `${name}=${assumed[name]}`, option: `assume ${name}` }
  return undefined
}
