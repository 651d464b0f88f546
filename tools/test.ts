import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, rmSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { buildAll } from './build.ts'
import { type CompiledTests, compileTests, watchTests } from './compile_tests.ts'
import { at, root } from './root.ts'

// `npm test` runs all tests except test/journeys/, which `npm run test:journeys` runs; `npm test -- test/openapi.test.ts` a
// file, `npm test -- test/db` a folder; `npm run test:watch -- FILE` runs a file again after each change. `--timeout=600`:
// seconds that a test may take; `--jobs=1`: processes at a time.

const COMPILE_CACHE = at('dist/compiled')
/** Up to so many files have a process each, with source maps; more are grouped. */
const MAX_SINGLE = 4
/** Seconds of a test, and of a process that prints nothing. */
const TIMEOUT = 240
/** Until the output of a process has been read that has ended; what it started may hold the pipe open. */
const MAX_REST_MS = 2000
/** Files whose tests use the program or the console in `dist/`, and parts of the build that others do without. */
const PROGRAM_USERS = /^test\/(support\/bundle|control\/console\.test|journeys\/.*\.test)\.ts$/
const PROGRAM_PARTS = ['program', 'console', 'page of /docs']
/** The comment with the counts that tap ends with. */
const TOTAL = /# \{ total: \d+(?:, pass: (\d+))?(?:, fail: (\d+))?(?:, todo: \d+)?(?:, skip: (\d+))? \}/
/** The test of an uncaught error is found without hooks of each promise. */
const TEST_FLAGS = [`--import=${pathToFileURL(at('test/support/uncaught_errors.js'))}`]

process.chdir(root)
const { values: flags, positionals: patterns } = readArguments()
const isWholeRun = patterns.length === 0
// In the order of the patterns: what takes longest can begin first.
const files = [...new Set((isWholeRun ? ['test'] : patterns).flatMap((pattern) => testFilesOf(pattern).sort()))].filter(
  (path) => !isWholeRun || !path.startsWith('test/journeys/'),
)
// Entries of changed code would accumulate.
if (isWholeRun) rmSync(COMPILE_CACHE, { recursive: true, force: true })
if (flags.watch) await watch()
else process.exitCode = await compileAndRun()

function readArguments() {
  try {
    const read = parseArgs({
      allowPositionals: true,
      options: {
        watch: { type: 'boolean' },
        timeout: { type: 'string', default: String(TIMEOUT) },
        // Most processes wait for others at times.
        jobs: { type: 'string', default: String(availableParallelism() + 1) },
      },
    })
    for (const name of ['timeout', 'jobs'] as const)
      if (!/^[1-9]\d*$/.test(read.values[name])) throw new Error(`--${name} must be an integer from 1`)
    return read
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(2)
  }
}

function testFilesOf(pattern: string): string[] {
  const isFolder = statSync(pattern, { throwIfNoEntry: false })?.isDirectory()
  // Tests of fixtures belong to copies of the repository.
  const found = globSync(isFolder ? join(pattern, '**/*.test.ts') : pattern, { exclude: ['test/fixtures/**'] })
  if (found.length > 0) return found
  process.stderr.write(`no test file matches ${pattern}\n`)
  process.exit(1)
}

/** Resolves with the exit code. */
async function compileAndRun(): Promise<number> {
  const isAlone = files.length <= MAX_SINGLE
  // Others than tests, which are run by their names, have processes of their own.
  const isGrouped = !isAlone && files.every((path) => path.endsWith('.test.ts'))
  const [compiled] = await Promise.all([
    compileTests(files, { isGrouped, isAlone }),
    buildAll((part) => !PROGRAM_PARTS.includes(part)),
  ])
  return runCompiled(compiled, isAlone ? 1 : Number(flags.jobs))
}

async function watch(): Promise<void> {
  let last = Promise.resolve()
  await watchTests(files, (compiled) => {
    last = last.then(async () => {
      await buildAll((part) => !PROGRAM_PARTS.includes(part))
      await runCompiled(compiled, 1)
    })
  })
}

/** Runs so many processes at a time, in the order of the files. Resolves with the exit code. */
async function runCompiled({ files, inputs }: CompiledTests, jobs: number): Promise<number> {
  if (inputs.some((path) => PROGRAM_USERS.test(path))) await buildAll()
  const waiting = [...files]
  const outputs = new Map<string, string>()
  let failed = 0
  const runNext = async (): Promise<void> => {
    const file = waiting.shift()
    if (file === undefined) return
    const { code, output } = await runProcess(file, jobs === 1)
    outputs.set(file, output)
    if (code !== 0) failed = code
    if (jobs > 1) process.stdout.write(`# ${file}\n${output}`)
    return runNext()
  }
  await Promise.all(Array.from({ length: jobs }, runNext))
  return printSummary(outputs) ? failed : 1
}

/** Runs a file, and prints its output while it runs if no other one does. Resolves with the end of it. */
async function runProcess(file: string, isAlone: boolean): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [...TEST_FLAGS, ...(isAlone ? ['--enable-source-maps'] : []), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // Test processes, and the programs that they start, share a compile cache.
    env: { TAP_TIMEOUT: flags.timeout, ...(!isAlone && { NODE_COMPILE_CACHE: COMPILE_CACHE }), ...process.env },
  })
  const limit = setTimeout(() => child.kill('SIGKILL'), Number(flags.timeout) * 1000)
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => {
    limit.refresh()
    chunks.push(chunk)
    if (isAlone) process.stdout.write(chunk)
  })
  const closed = once(child.stdout, 'close')
  const [code] = await once(child, 'exit')
  clearTimeout(limit)
  const rest = setTimeout(() => child.stdout.destroy(), MAX_REST_MS)
  await closed
  clearTimeout(rest)
  return { code: code ?? 1, output: Buffer.concat(chunks).toString() }
}

/** Prints the number of assertions as the last line, such as `12 passed, 0 failed`; false if a file did not end with counts. */
function printSummary(outputs: Map<string, string>): boolean {
  const totals = [...outputs].flatMap(([file, output]) => {
    const total = TOTAL.exec(output.slice(output.lastIndexOf('# { total')))
    if (!total) process.stdout.write(`${file} ended without a result\n`)
    return total ? [total] : []
  })
  if (totals.length < outputs.size) return false
  const [passed, failed, skipped] = [1, 2, 3].map((n) => totals.reduce((sum, total) => sum + Number(total[n] ?? 0), 0))
  process.stdout.write(`\n${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}\n`)
  return true
}
