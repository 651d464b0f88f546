import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, rmSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { buildAll } from './build.ts'
import { type CompiledTests, compileTests, watchTests } from './compile_tests.ts'
import { at, root } from './root.ts'

// `npm test` runs all tests, `npm test -- test/openapi.test.ts` a file, `npm test -- test/db` a folder; `npm run test:watch --
// FILE` runs a file again after each change. `--timeout=600`: seconds that a test may take; `--jobs=1`: processes at a time.

const COMPILE_CACHE = at('dist/compiled')
/** Up to so many files have a process each, with source maps; processes share the others. */
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
/** Begins the output of a file, in that of a process of many. */
const BEGUN = /^# Subtest: (.*)$/gm
/** The test of an uncaught error is found without hooks of each promise. */
const TEST_FLAGS = [`--import=${pathToFileURL(at('test/support/uncaught_errors.js'))}`]

process.chdir(root)
const { values: flags, positionals: patterns } = readArguments()
const isWholeRun = patterns.length === 0
// In the order of the patterns: what takes longest can begin first.
const files = [...new Set((isWholeRun ? ['test'] : patterns).flatMap((pattern) => testFilesOf(pattern).sort()))]
const isAlone = flags.watch || files.length <= MAX_SINGLE
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
  // Others than tests, which are run by their names, have processes of their own.
  const isGrouped = !isAlone && files.every((path) => path.endsWith('.test.ts'))
  const [compiled] = await Promise.all([
    compileTests(files, { isGrouped, isAlone }),
    buildAll((part) => !PROGRAM_PARTS.includes(part)),
  ])
  return isGrouped ? runShared(compiled, Number(flags.jobs)) : runCompiled(compiled, isAlone ? 1 : Number(flags.jobs))
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
  const results: Result[] = []
  const runNext = async (): Promise<void> => {
    const file = waiting.shift()
    if (file === undefined) return
    const result = await runProcess(file, (text) => jobs === 1 && process.stdout.write(text))
    results.push(result)
    if (jobs > 1) process.stdout.write(`# ${file}\n${result.output}`)
    return runNext()
  }
  await Promise.all(Array.from({ length: jobs }, runNext))
  return exitCodeOf(results)
}

/**
 * Runs so many processes of a program, which share its files: most of what they take is to load and compile the same
 * modules. Another one follows where one has ended before the last file. Resolves with the exit code.
 */
async function runShared({ files: [runner], inputs }: CompiledTests, jobs: number): Promise<number> {
  if (inputs.some((path) => PROGRAM_USERS.test(path))) await buildAll()
  const unclaimed = () => files.length - globSync(join(dirname(runner!), '**/*.claimed')).length
  const results: Result[] = []
  const runNext = async (n: number): Promise<void> => {
    let rest = ''
    const print = (text: string) => process.stdout.write(`# process ${n}\n${text}`)
    const result = await runProcess(runner!, (text) => {
      rest += text
      // Whole files, so that those of processes beside each other do not mix.
      const end = rest.lastIndexOf('\n# Subtest: ') + 1
      if (end === 0) return
      print(rest.slice(0, end))
      rest = rest.slice(end)
    })
    print(rest)
    const last = [...result.output.matchAll(BEGUN)].at(-1)
    if (!last) return
    results.push({ ...result, file: last[1]! })
    if (unclaimed() > 0) return runNext(n)
  }
  await Promise.all(Array.from({ length: jobs }, (_, n) => runNext(n + 1)))
  const code = exitCodeOf(results)
  if (unclaimed() === 0) return code
  process.stdout.write(`${unclaimed()} files were not run\n`)
  return 1
}

interface Result {
  /** The file that has run last. */
  file: string
  code: number
  output: string
}

function exitCodeOf(results: Result[]): number {
  return printSummary(results) ? (results.find(({ code }) => code !== 0)?.code ?? 0) : 1
}

/** Runs a file. Resolves with the end of it. */
async function runProcess(file: string, onOutput: (text: string) => unknown): Promise<Result> {
  const child = spawn(process.execPath, [...TEST_FLAGS, ...(isAlone ? ['--enable-source-maps'] : []), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // Test processes, and the programs that they start, share a compile cache.
    env: { TAP_TIMEOUT: flags.timeout, ...(!isAlone && { NODE_COMPILE_CACHE: COMPILE_CACHE }), ...process.env },
  })
  const limit = setTimeout(() => child.kill('SIGKILL'), Number(flags.timeout) * 1000)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    limit.refresh()
    output += text
    onOutput(text)
  })
  const closed = once(child.stdout, 'close')
  const [code] = await once(child, 'exit')
  clearTimeout(limit)
  const rest = setTimeout(() => child.stdout.destroy(), MAX_REST_MS)
  await closed
  clearTimeout(rest)
  return { file, code: code ?? 1, output }
}

function totalOf({ output }: Result) {
  return TOTAL.exec(output.slice(output.lastIndexOf('# { total')))
}

/** Prints the number of assertions as the last line, such as `12 passed, 0 failed`; false if a file did not end with counts. */
function printSummary(results: Result[]): boolean {
  const totals = results.flatMap((result) => {
    const total = totalOf(result)
    if (!total) process.stdout.write(`${result.file} ended without a result\n`)
    return total ? [total] : []
  })
  if (totals.length < results.length) return false
  const [passed, failed, skipped] = [1, 2, 3].map((n) => totals.reduce((sum, total) => sum + Number(total[n] ?? 0), 0))
  process.stdout.write(`\n${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}\n`)
  return true
}
