import { randomBytes } from 'node:crypto'
import { createWriteStream, writeFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { readAsset } from '../db/assets.ts'
import { realNow } from '../db/clock.ts'
import { derived } from '../db/ids.ts'
import { openDraft } from '../db/sqlite/draft.ts'
import { type Switches, writeWorldRow } from '../db/world.ts'
import { issueCredentials } from '../domains/oauth/application_operations.ts'
import { type Credentials, readCredentials } from '../domains/oauth/credentials.ts'
import { originAt, shiftTimes, trimHistory } from './history.ts'
import { MONDAY, type Scenario, SHIPPED_SEED } from './names.ts'
import type { Templates } from './templates.ts'

export interface Start {
  scenario: Scenario
  /** 0 to 2^53 − 1. */
  seed: number
  /** World time to freeze at, ms; null = real time. */
  now: number | null
  /** The world is kept, or other machines can reach it: its tokens must not be guessable. */
  secret: boolean
  switches?: Switches
}

/** What the first creation of a world took from chance and time; with it the world is created again. */
export interface CreationRecord {
  key: string
  /** Ms. */
  createdAt: number
}

/**
 * Writes a new world to `file`: the scenario's file, moved by whole weeks so that its history ends in the week of
 * `now`, without what happens after `now`, and with an application and tokens of its own, which are returned.
 * `templates` saves most of the work.
 */
export async function populate(
  file: string,
  id: number,
  { scenario, seed, now, secret, switches = {} }: Start,
  { templates, creation }: { templates?: Templates; creation?: CreationRecord } = {},
): Promise<Credentials> {
  const requested = creation?.createdAt ?? now ?? undefined
  const { instant, isTrimmed } = templates
    ? await templates.copy({ scenario, seed, instant: requested }, file)
    : await writeWeek(file, { scenario, seed, instant: requested ?? realNow() })
  const key = creation?.key ?? (secret ? randomKey() : derived(`${scenario} ${seed}`, `world ${id}`, 64))
  const draft = openDraft(file)
  try {
    if (!isTrimmed) trimHistory(draft, instant)
    await writeWorldRow(draft.q, {
      id,
      scenario,
      seed,
      now,
      made_at: instant,
      origin: originAt(instant),
      key,
      switches,
    })
    await issueCredentials(draft.q, { id, key }, MONDAY)
    return await readCredentials(draft.q)
  } finally {
    draft.close()
  }
}

/** A key that cannot be guessed, nor can anything that is derived from it. */
export const randomKey = (): string => randomBytes(32).toString('hex')

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
    // In pieces: memory for the whole would not be given back to the system.
    const decompressed = createZstdDecompress({ chunkSize: 256 * 1024 })
    decompressed.end(readAsset(`${scenario}.sqlite.zst`))
    return pipeline(decompressed, createWriteStream(file, { mode }))
  }
  const { generate } = await import('./generate.ts')
  writeFileSync(file, await generate(scenario, seed), { mode })
}
