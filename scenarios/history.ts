import { createWriteStream, writeFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { readAsset } from '../db/assets.ts'
import { type Draft, openDraft } from '../db/sqlite/draft.ts'
import { DOMAINS } from '../domains/index.ts'
import { MONDAY, type Scenario, SHIPPED_SEED } from './names.ts'

const WEEK_MS = 7 * 24 * 3_600_000

/** The Monday before an instant, 04:00Z, ms: the week of a world's history that contains the instant begins there. */
export const originAt = (instant: number): number => MONDAY + Math.floor((instant - MONDAY) / WEEK_MS) * WEEK_MS

/** Moves a scenario's file from the fixed Monday to `origin`. */
function shiftTimes(file: string, origin: number): void {
  const offset = origin - MONDAY
  if (offset === 0) return
  const draft = openDraft(file)
  for (const { name, times } of DOMAINS.flatMap(({ tables }) => tables)) {
    const instants = Object.entries(times).filter(([, unit]) => unit === 'ms')
    const moved = instants.map(([column]) => `"${column}" = "${column}" + :by`)
    if (moved.length > 0) draft.run(`UPDATE "${name}" SET ${moved.join(', ')}`, { by: offset })
  }
  draft.close()
}

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

/** Writes a scenario whose history ends in the week of the instant, including the days after it. */
export async function writeWeek(
  file: string,
  { scenario, seed, instant }: HistorySpec,
): Promise<{ instant: number; isTrimmed: false }> {
  await writeScenario(file, scenario, seed)
  shiftTimes(file, originAt(instant))
  return { instant, isTrimmed: false }
}

async function writeScenario(file: string, scenario: Scenario, seed: number): Promise<void> {
  const mode = 0o600
  if (seed === SHIPPED_SEED) {
    // In chunks: memory for the whole file would not be returned to the system.
    const decompressed = createZstdDecompress({ chunkSize: 256 * 1024 })
    decompressed.end(readAsset(`${scenario}.sqlite.zst`))
    return pipeline(decompressed, createWriteStream(file, { mode }))
  }
  const { generate } = await import('./generate.ts')
  writeFileSync(file, await generate(scenario, seed), { mode })
}
