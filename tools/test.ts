import { spawn } from 'node:child_process'
import { globSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileTests } from './compile_tests.ts'

// `npm test` runs all tests, `npm test -- test/openapi.test.ts` a file, `npm test -- test/db` a folder; flags are those of
// tap, which itself builds dist/ first (.taprc).

const root = fileURLToPath(new URL('..', import.meta.url))
const COMPILE_CACHE = join(root, 'dist/compiled')
/** The comment with the counts that tap ends with. */
const TOTAL = /# \{ total: \d+(?:, pass: (\d+))?(?:, fail: (\d+))?(?:, todo: \d+)?(?:, skip: (\d+))? \}/

process.chdir(root)
const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--'))
const patterns = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const isWholeRun = patterns.length === 0
const files = (isWholeRun ? ['test'] : patterns).flatMap(testFilesOf).sort()
const tests = await compileTests(files, { isGrouped: isWholeRun })
// Entries of changed code would accumulate.
if (isWholeRun) rmSync(COMPILE_CACHE, { recursive: true, force: true })
process.exitCode = await runTap(tests)

function testFilesOf(pattern: string): string[] {
  const isFolder = statSync(pattern, { throwIfNoEntry: false })?.isDirectory()
  // Tests of fixtures belong to copies of the repository.
  const found = globSync(isFolder ? join(pattern, '**/*.test.ts') : pattern, { exclude: ['test/fixtures/**'] })
  if (found.length > 0) return found
  process.stderr.write(`no test file matches ${pattern}\n`)
  process.exit(1)
}

/** Runs tap and prints the number of assertions as the last line. Resolves with the exit code. */
function runTap(tests: string[]): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn('node_modules/.bin/tap', ['--reporter=tap', ...flags, ...tests], {
      stdio: ['ignore', 'pipe', 'inherit'],
      // Test processes, and the programs that they start, share a compile cache.
      env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env },
    })
    let tail = ''
    child.stdout.on('data', (chunk: Buffer) => {
      process.stdout.write(chunk)
      tail = (tail + chunk).slice(-4096)
    })
    child.on('close', (code) => {
      const summary = summaryOf(tail)
      process.stdout.write(summary === undefined ? 'tap printed no total\n' : `\n${summary}\n`)
      resolve(summary === undefined ? 1 : (code ?? 1))
    })
  })
}

/** `12 passed, 0 failed`; undefined when the output does not end with counts. */
function summaryOf(output: string): string | undefined {
  const total = TOTAL.exec(output.slice(output.lastIndexOf('# { total')))
  if (!total) return undefined
  const [, passed = '0', failed = '0', skipped] = total
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`
}
