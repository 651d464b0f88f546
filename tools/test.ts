import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildAll } from './build.ts'
import { type CompiledTests, compileTests, watchTests } from './compile_tests.ts'
import { at, root } from './root.ts'

// `npm test` runs all tests, `npm test -- test/openapi.test.ts` a file, `npm test -- test/db` a folder; `npm run test:watch --
// FILE` runs a file again after each change. Flags (`--timeout=600`, `--jobs=1`) are those of tap.

const COMPILE_CACHE = at('dist/compiled')
/** Up to so many files run without tap's own process, which takes longer to start than most files take. */
const MAX_SINGLE = 4
/** Of one file. */
const MAX_MS = 240_000
/** tap ends a test after 30 seconds otherwise; .taprc says the same to its runner. */
const LIMITS = { TAP_TIMEOUT: String(MAX_MS / 1000) }
/** Until the output of a process has been read that has ended; what it started may hold the pipe open. */
const MAX_REST_MS = 2000
/** Files whose tests use the program or the console in `dist/`, and parts of the build that others do without. */
const PROGRAM_USERS = /^test\/(support\/bundle|control\/console\.test|journeys\/.*\.test)\.ts$/
const PROGRAM_PARTS = ['program', 'console', 'page of /docs']
/** The comment with the counts that tap ends with. */
const TOTAL = /# \{ total: \d+(?:, pass: (\d+))?(?:, fail: (\d+))?(?:, todo: \d+)?(?:, skip: (\d+))? \}/

process.chdir(root)
const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--'))
const patterns = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const isWholeRun = patterns.length === 0
const files = (isWholeRun ? ['test'] : patterns).flatMap(testFilesOf).sort()
// Entries of changed code would accumulate.
if (isWholeRun) rmSync(COMPILE_CACHE, { recursive: true, force: true })
if (flags.includes('--watch')) await watch()
else if (files.length <= MAX_SINGLE && flags.length === 0) process.exitCode = await runEach()
else
  process.exitCode = await runTap((await compileTests(files, { isGrouped: files.every(isTest), isAlone: false })).files)

/** Others, which are named when they are wanted, have processes of their own. */
function isTest(path: string): boolean {
  return path.endsWith('.test.ts')
}

function testFilesOf(pattern: string): string[] {
  const isFolder = statSync(pattern, { throwIfNoEntry: false })?.isDirectory()
  // Tests of fixtures belong to copies of the repository.
  const found = globSync(isFolder ? join(pattern, '**/*.test.ts') : pattern, { exclude: ['test/fixtures/**'] })
  if (found.length > 0) return found
  process.stderr.write(`no test file matches ${pattern}\n`)
  process.exit(1)
}

/** Builds and runs the files, one after the other. Resolves with the exit code. */
async function runEach(): Promise<number> {
  const [compiled] = await Promise.all([
    compileTests(files, { isGrouped: false, isAlone: true }),
    buildAll((part) => !PROGRAM_PARTS.includes(part)),
  ])
  return runCompiled(compiled)
}

async function runCompiled({ files, inputs }: CompiledTests): Promise<number> {
  if (inputs.some((path) => PROGRAM_USERS.test(path))) await buildAll()
  const outputs: string[] = []
  let failed = 0
  for (const file of files) {
    const { code, output } = await runProcess(process.execPath, ['--enable-source-maps', file], LIMITS)
    outputs.push(output)
    if (code !== 0) failed = code
  }
  return printSummary(outputs) ? failed : 1
}

async function watch(): Promise<void> {
  let last = Promise.resolve()
  await watchTests(files, (compiled) => {
    last = last.then(async () => {
      await buildAll((part) => !PROGRAM_PARTS.includes(part))
      await runCompiled(compiled)
    })
  })
}

async function runTap(tests: string[]): Promise<number> {
  // .taprc builds first.
  const { code, output } = await runProcess(
    'node_modules/.bin/tap',
    ['--reporter=tap', ...flags, ...tests],
    // Test processes, and the programs that they start, share a compile cache.
    { NODE_COMPILE_CACHE: COMPILE_CACHE },
  )
  return printSummary([output]) ? code : 1
}

/** Runs a program and prints its output; resolves with the end of it. */
async function runProcess(command: string, args: string[], env = {}): Promise<{ code: number; output: string }> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...env, ...process.env } })
  const limit = command === process.execPath ? setTimeout(() => child.kill('SIGKILL'), MAX_MS) : undefined
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    process.stdout.write(chunk)
    output = (output + chunk).slice(-4096)
  })
  const closed = once(child.stdout, 'close')
  const [code] = await once(child, 'exit')
  clearTimeout(limit)
  const rest = setTimeout(() => child.stdout.destroy(), MAX_REST_MS)
  await closed
  clearTimeout(rest)
  return { code: code ?? 1, output }
}

/** Prints the number of assertions as the last line, such as `12 passed, 0 failed`; false if a run did not end with counts. */
function printSummary(outputs: string[]): boolean {
  const totals = outputs.map((output) => TOTAL.exec(output.slice(output.lastIndexOf('# { total'))))
  if (totals.includes(null)) {
    process.stdout.write('a test file ended without a result\n')
    return false
  }
  const [passed, failed, skipped] = [1, 2, 3].map((n) => totals.reduce((sum, total) => sum + Number(total![n] ?? 0), 0))
  process.stdout.write(`\n${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}\n`)
  return true
}
