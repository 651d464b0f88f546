import { resolve } from 'node:path'
import type { Switches, World } from '../db/world.ts'
import { SWITCHES } from '../domains/assumptions.ts'
import { nearest } from '../http/errors/suggestions.ts'
import { switchError } from '../http/switches.ts'
import { FILE_SCENARIO, SCENARIOS, type Scenario, SHIPPED_SEED } from '../scenarios/names.ts'
import { instantOf } from './instants.ts'
import type { SandboxOptions, WorldFile } from './types.ts'

/** Checked options of a sandbox. */
interface ParsedOptions {
  scenario: Scenario
  seed: number
  /** Ms; null: the clock runs. */
  now: number | null
  switches: Switches
  /** Path of a world file. */
  load: string | undefined
  /** A world file as an object. */
  file: WorldFile | undefined
  /** Path of the data folder. */
  data: string | undefined
  /** Path of the recording. */
  record: string | undefined
}

const OPTION_NAMES = Object.keys({
  scenario: true,
  seed: true,
  now: true,
  assume: true,
  load: true,
  data: true,
  port: true,
  adminToken: true,
  notify: true,
  notifyProfile: true,
  notifyAllow: true,
  explain: true,
  record: true,
  onFault: true,
} satisfies Record<keyof SandboxOptions, true>)

/** Throws a TypeError that names the option. */
export function parseOptions(options: SandboxOptions): ParsedOptions {
  for (const name of Object.keys(options)) if (!OPTION_NAMES.includes(name)) throw unknownOption(name)
  const { scenario, seed, now, assume = {}, load, data, port, record } = options
  if (scenario !== undefined && !SCENARIOS.includes(scenario))
    throw invalidOption('scenario', `one of ${SCENARIOS.join(', ')}`)
  if (seed !== undefined && !(Number.isSafeInteger(seed) && seed >= 0)) throw invalidOption('seed', 'an integer from 0')
  if (port !== undefined && port !== false && !(Number.isInteger(port) && port >= 0 && port <= 65_535))
    throw invalidOption('port', 'an integer from 0 to 65535, or false')
  if (load !== undefined && (scenario ?? seed ?? now) !== undefined)
    throw new TypeError('sandbox: load cannot be combined with scenario, seed or now')
  for (const [name, value] of Object.entries(assume)) {
    const problem = switchError(SWITCHES, name, value)
    if (problem) throw new TypeError(`sandbox: assume: ${name} ${problem}`)
  }
  return {
    scenario: scenario ?? (typeof load === 'object' ? 'empty' : 'demo'),
    seed: seed ?? SHIPPED_SEED,
    now: now === undefined ? null : instantOf('sandbox: now', now),
    switches: assume as Switches,
    load: typeof load === 'string' ? resolve(load) : undefined,
    file: typeof load === 'object' ? load : undefined,
    data: data === undefined ? undefined : resolve(data),
    record: record === undefined ? undefined : resolve(record),
  }
}

const invalidOption = (name: string, expected: string) => new TypeError(`sandbox: ${name} must be ${expected}`)

function unknownOption(name: string): TypeError {
  const similar = nearest(name, OPTION_NAMES)
  return new TypeError(`sandbox: unknown option ${name}${similar === undefined ? '' : ` (Did you mean ${similar}?)`}`)
}

/** Throws an Error if options differ from those that a kept world was created with. */
export function rejectMismatch(world: World, options: SandboxOptions): void {
  const { load, scenario, seed } = options
  const { now, switches, data } = parseOptions(options)
  const requested = { load, scenario, seed, now: options.now === undefined ? undefined : now, assume: switches }
  const mismatch = findOptionMismatch(world, requested)
  if (mismatch)
    throw new Error(
      `the world in ${data} was created with ${mismatch.made}; omit ${mismatch.option} or use another folder`,
    )
}

/** Options for a world that may exist already; undefined if not given. */
interface RequestedOptions {
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
