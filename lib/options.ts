import { resolve } from 'node:path'
import type { Switches, World } from '../db/world.ts'
import { SWITCHES } from '../domains/assumptions.ts'
import { parseInstant } from '../domains/shared/instants.ts'
import { switchError } from '../http/switches.ts'
import { SCENARIOS, type Scenario, SHIPPED_SEED } from '../scenarios/names.ts'
import { findOptionMismatch } from './option_mismatch.ts'
import type { Instant, SandboxOptions, WorldFile } from './types.ts'

/** What a sandbox is started with, checked. */
export interface ParsedOptions {
  scenario: Scenario
  seed: number
  /** Ms; null: it runs. */
  now: number | null
  switches: Switches
  /** A file that the world is laid out from. */
  load: string | undefined
  /** The same, as it stands in the program. */
  file: WorldFile | undefined
  /** Folder. */
  data: string | undefined
}

/** Throws a TypeError that names the option. */
export function parseOptions({ scenario, seed, now, assume = {}, load, data }: SandboxOptions): ParsedOptions {
  if (scenario !== undefined && !SCENARIOS.includes(scenario))
    throw invalidOption('scenario', `one of ${SCENARIOS.join(', ')}`)
  if (seed !== undefined && !(Number.isSafeInteger(seed) && seed >= 0)) throw invalidOption('seed', 'an integer from 0')
  if (load !== undefined && (scenario ?? seed ?? now) !== undefined)
    throw new TypeError('sandbox: load says what the world holds; leave out scenario, seed and now')
  for (const [name, value] of Object.entries(assume)) {
    const problem = switchError(SWITCHES, name, value)
    if (problem) throw new TypeError(`sandbox: assume: ${name} ${problem}`)
  }
  return {
    scenario: scenario ?? (typeof load === 'object' ? 'empty' : 'demo'),
    seed: seed ?? SHIPPED_SEED,
    now: now === undefined ? null : instantOf('now', now),
    switches: assume as Switches,
    load: typeof load === 'string' ? resolve(load) : undefined,
    file: typeof load === 'object' ? load : undefined,
    data: data === undefined ? undefined : resolve(data),
  }
}

const invalidOption = (name: string, expected: string) => new TypeError(`sandbox: ${name} must be ${expected}`)

/** Ms. Throws a TypeError. */
export function instantOf(name: string, instant: Instant): number {
  const ms = typeof instant === 'string' ? parseInstant(instant) : Number(instant)
  if (ms === undefined || !Number.isSafeInteger(ms))
    throw invalidOption(name, 'an instant: ISO 8601 such as 2026-03-02T12:00:00Z, ms since 1970, or a Date')
  return ms
}

/** Throws an Error for options that say otherwise than a kept world was made. */
export function rejectMismatch(world: World, options: SandboxOptions): void {
  const { load, scenario, seed } = options
  const { now, switches, data } = parseOptions(options)
  const requested = { load, scenario, seed, now: options.now === undefined ? undefined : now, assume: switches }
  const mismatch = findOptionMismatch(world, requested)
  if (mismatch)
    throw new Error(
      `the world in ${data} was made with ${mismatch.made}; leave out ${mismatch.option} or use another folder`,
    )
}
