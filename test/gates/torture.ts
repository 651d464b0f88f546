import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readDuration } from '../../domains/shared/durations.ts'
import { at, root } from '../../tools/root.ts'

// `npm run torture -- PART` repeats tests with one seed after the other, for hours if wanted. It is a script, not a test:
// it continues from the seed of its last start, and its figures add up over all starts.

/** Ms after which a run counts as hanging, also on a busy machine. */
const MAX_RUN_MS = 60 * 60_000
/** Characters of the output of a failed run that are printed. */
const PRINTED = 4000

interface Run {
  file: string
  /** Units of one run, unless fewer are wanted; many, because a run starts with loading everything. */
  size: number
}

interface Part {
  goal: number
  unit: string
  /** The seed decides which one is next. */
  runs: Run[]
  args?: (seed: number, size: number) => string[]
  /** The number of units that a run prints, where it is not its size. */
  counted?: RegExp
  /** Whether the output of a run that has passed is printed. */
  isPrinted?: true
}

/** The figures of all starts. */
interface State {
  /** The seed of the next run. */
  seed: number
  done: number
}

const PARTS: Record<string, Part> = {
  kills: {
    goal: 2000,
    unit: 'kills',
    runs: [
      { file: 'test/journeys/crash.long.ts', size: 50 },
      { file: 'test/journeys/crash.worlds.long.ts', size: 50 },
      { file: 'test/journeys/crash.contacts.long.ts', size: 50 },
      { file: 'test/journeys/crash.notifications.long.ts', size: 50 },
    ],
  },
  requests: {
    goal: 5_000_000,
    unit: 'requests',
    runs: [{ file: 'test/gates/torture_requests.ts', size: 50_000 }],
    counted: /^(\d+) requests$/m,
  },
  models: {
    goal: 20_000,
    unit: 'sequences',
    runs: [
      { file: 'test/properties/flex.model.long.ts', size: 1000 },
      { file: 'test/properties/writes.test.ts', size: 100 },
    ],
  },
  cluster: {
    goal: 20,
    unit: 'runs of each failure',
    runs: [{ file: 'test/cluster/failures.cluster.ts', size: 1 }],
  },
  soak: {
    goal: 60,
    unit: 'minutes',
    runs: [{ file: 'test/gates/soak.ts', size: 60 }],
    args: (seed, size) => ['--minutes', String(size), '--seed', String(seed)],
    isPrinted: true,
  },
}

const USAGE = `usage: npm run torture -- ${Object.keys(PARTS).join('|')} [COUNT] [--for 10m] [--seed N] [--state FOLDER]`
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { for: { type: 'string' }, seed: { type: 'string' }, state: { type: 'string', default: at('.torture') } },
})
const folder = values.state
const [name, countText] = positionals
const ms = values.for === undefined ? undefined : readDuration(values.for)
const count = countText === undefined ? undefined : Number(countText)
const isValid = (name === undefined || name in PARTS) && !(count !== undefined && !(count > 0))
if (!isValid || (values.for !== undefined && ms === undefined)) {
  console.error(USAGE)
  process.exit(2)
}
mkdirSync(folder, { recursive: true })
if (name === undefined) for (const name of Object.keys(PARTS)) printFigures(name)
else if (values.seed !== undefined) await repeat(name, Number(values.seed))
else await proceed(name)

/** Runs until the count, the time or the goal is reached, or a run fails. */
async function proceed(name: string): Promise<void> {
  const { goal, runs, unit } = PARTS[name]!
  const start = performance.now()
  const state = readState(name)
  const first = state.done
  const target = count !== undefined ? first + count : ms === undefined ? goal : Number.POSITIVE_INFINITY
  while (state.done < target && !(ms !== undefined && state.done > first && performance.now() - start >= ms)) {
    let size = Math.min(runs[state.seed % runs.length]!.size, target - state.done)
    if (unit === 'minutes' && ms !== undefined) size = Math.min(size, ms / 60_000)
    const done = await runOnce(name, state.seed, size)
    if (done === undefined) break
    state.done += done
    state.seed++
    writeState(name, state)
    printFigures(name)
  }
  if (state.done === first) printFigures(name)
}

/** Repeats the run of a seed without counting it. */
async function repeat(name: string, seed: number): Promise<void> {
  const { runs } = PARTS[name]!
  const done = await runOnce(name, seed, count ?? runs[seed % runs.length]!.size)
  if (done !== undefined) console.log(`${name}, seed ${seed}: passed`)
}

/** Resolves with the units done; undefined after a failure, which the next start repeats. */
async function runOnce(name: string, seed: number, size: number): Promise<number | undefined> {
  const { runs, args, counted, unit, isPrinted } = PARTS[name]!
  const { file } = runs[seed % runs.length]!
  const timeout = MAX_RUN_MS + (unit === 'minutes' ? size * 60_000 : 0)
  const child = spawn(process.execPath, ['--env-file=tools/tap.env', file, ...(args?.(seed, size) ?? [])], {
    cwd: root,
    env: {
      // Starts are a large part of a kill; servers that end normally write the cache.
      NODE_COMPILE_CACHE: at('dist/compiled'),
      ...process.env,
      SEED: String(seed),
      SIZE: String(size),
      TIMES: '1',
      // Without it a test may take 30 seconds.
      TAP_TIMEOUT: String(MAX_RUN_MS / 1000),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout,
  })
  let output = ''
  const collect = (chunk: Buffer) => {
    output += chunk
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  const done = counted ? Number(counted.exec(output)?.[1]) : size
  if (code === 0 && done > 0) {
    if (isPrinted) console.log(output.trim())
    return done
  }
  const log = join(folder, `${name}-${seed}.log`)
  writeFileSync(log, output)
  console.error(output.slice(-PRINTED))
  console.error(`failed: ${file} with seed ${seed}, exit code ${code ?? 'none'}; all output is in ${log}`)
  console.error(`repeat: npm run torture -- ${name} ${size} --seed ${seed}`)
  process.exitCode = 1
  return undefined
}

function printFigures(name: string): void {
  const { goal, unit } = PARTS[name]!
  const { done, seed } = readState(name)
  const written = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 1 })
  console.log(`${name}: ${written(done)} of ${written(goal)} ${unit}, next seed ${seed}`)
}

function readState(name: string): State {
  try {
    return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return { seed: 1, done: 0 }
  }
}

/** Atomically, because a run may be interrupted at any time. */
function writeState(name: string, state: State): void {
  const path = join(folder, `${name}.json`)
  writeFileSync(`${path}.new`, `${JSON.stringify(state)}\n`)
  renameSync(`${path}.new`, path)
}
