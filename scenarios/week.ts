import { createWriteStream, writeFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { readAsset } from '../db/assets.ts'
import { originAt, shiftTimes } from './history.ts'
import { type Scenario, SHIPPED_SEED } from './names.ts'

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
