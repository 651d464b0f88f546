import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildAll } from './build.ts'
import { compile } from './tests.ts'

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const tap = at('node_modules/.bin/tap')
const COMPILED = at('dist/compiled')

process.chdir(at('.'))
const asked = process.argv.slice(2)
const whole = asked.length === 0
const [tests] = await Promise.all([
  compile(globSync(whole ? 'test/**/*.test.ts' : asked).sort(), { whole }),
  buildAll(),
])
prepareTap()
// Of this run: names change with every change, and what is old would pile up.
if (whole) rmSync(COMPILED, { recursive: true, force: true })
process.exitCode = await run(tests)

/** Tap compiles its plugins once for an installation; a run that finds them missing fails. */
function prepareTap(): void {
  const mark = createHash('sha256')
    .update(readFileSync('.taprc'))
    .update(readFileSync('package-lock.json'))
    .digest('hex')
  const marker = 'node_modules/.tap-prepared'
  try {
    if (readFileSync(marker, 'utf8') === mark) return
  } catch {
    // Not prepared yet.
  }
  const { status } = spawnSync(tap, ['build'], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error('tap build failed')
  mkdirSync('node_modules', { recursive: true })
  writeFileSync(marker, mark)
}

/** Runs tap and closes with its own count of all assertions; answers the exit code. */
function run(tests: string[]): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(tap, ['--reporter=tap', ...tests], {
      stdio: ['ignore', 'pipe', 'inherit'],
      // What one process has compiled the next one need not: tests share most of their code, and so do the programs
      // they run.
      env: { NODE_COMPILE_CACHE: COMPILED, ...process.env },
    })
    let tail = ''
    child.stdout.on('data', (chunk: Buffer) => {
      process.stdout.write(chunk)
      tail = (tail + chunk).slice(-4096)
    })
    child.on('close', (code) => {
      const count = /# \{ total: \d+(?:, pass: (\d+))?(?:, fail: (\d+))?(?:, todo: (\d+))?(?:, skip: (\d+))? \}/.exec(
        tail.slice(tail.lastIndexOf('# { total')),
      )
      if (!count) {
        process.stdout.write('tap did not close with a count\n')
        return resolve(1)
      }
      const [passed = 0, failed = 0, , skipped = 0] = count
        .slice(1)
        .map(Number)
        .map((n) => n || 0)
      process.stdout.write(`\n${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}\n`)
      resolve(code ?? 1)
    })
  })
}
