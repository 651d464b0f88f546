import { writeFileSync } from 'node:fs'
import { readAsset } from '../db/assets.ts'
import type { Draft } from '../db/sqlite/draft.ts'
import { DOMAINS } from '../domains/index.ts'
import { MONDAY, type Scenario, SHIPPED_SEED } from './names.ts'
import { unpack } from './shipped.ts'

const WEEK_MS = 7 * 24 * 3_600_000

/** The Monday before an instant, 04:00Z, ms: the week of a world's history that contains the instant begins there. */
export const originAt = (instant: number): number => MONDAY + Math.floor((instant - MONDAY) / WEEK_MS) * WEEK_MS

/** Deletes the rows of a draft after `now`, ms. */
export function trimHistory(draft: Draft, now: number): void {
  for (const domain of DOMAINS) domain.trimHistory?.(draft, { now, origin: originAt(now) })
}

/** A scenario's history up to an instant, ms. */
export interface HistorySpec {
  scenario: Scenario
  seed: number
  instant: number
}

/** Writes a scenario whose history ends in the week of the instant, including the days after it. Resolves with the instant. */
export async function writeWeek(file: string, { scenario, seed, instant }: HistorySpec): Promise<number> {
  const by = BigInt(originAt(instant) - MONDAY)
  const mode = 0o600
  if (seed === SHIPPED_SEED) {
    const bytes = unpack(readAsset(`${scenario}.sqlite.zst`), by)
    writeFileSync(file, bytes, { mode })
    // Frees 6 MB now, and not when V8 next collects old buffers.
    ;(bytes.buffer as ArrayBuffer).transfer(0)
  } else {
    const { fileOf, generate } = await import('./generate.ts')
    writeFileSync(file, fileOf(await generate(scenario, seed), by), { mode })
  }
  return instant
}
