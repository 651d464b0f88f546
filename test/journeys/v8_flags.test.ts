import { execFileSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { at } from '../../tools/root.ts'

/** The `results` of a program in a process of its own, whose flags it changes. */
const run = (text: string, ...options: string[]) =>
  JSON.parse(
    execFileSync(process.execPath, [...options, '--input-type=module', '-e', IMPORTS + text + PRINT], {
      env: { PATH: process.env.PATH },
      encoding: 'utf8',
    }),
  )
const IMPORTS = `
  import { getHeapSpaceStatistics } from 'node:v8'
  import { setReadyFlags, setStartFlags } from '${pathToFileURL(at('bin/v8_flags.ts'))}'`
const PRINT = '\nconsole.log(JSON.stringify(results))'

/** The sizes of the young generation, MB. */
const SIZES = `
  const size = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 1024 / 1024
  const results = []
  // Keeps the latest objects, so that collections let the space grow, and lets observers run.
  const allocate = async () => {
    const latest = []
    for (let turn = 0; turn < 300; turn++) {
      for (let n = 0; n < 20_000; n++) latest[n % 5000] = { turn, n }
      await new Promise(setImmediate)
    }
    results.push(size())
  }
  setStartFlags()
  await allocate()
  setReadyFlags()
  await allocate()
  // As V8 does by itself in an idle process.
  gc({ type: 'major', flavor: 'last-resort', execution: 'sync' })
  results.push(size())
  await allocate()`

t.test('the young generation grows to 8 MB, and again after V8 has made it small', async (t) => {
  const [held, grown, small, again] = run(SIZES, '--expose-gc')
  t.ok(held < 8)
  t.equal(grown, 8)
  t.ok(small < 8)
  t.equal(again, 8)
})

/** Whether TurboFan compiles a function that runs often: during the start, and after a wait. */
const compiled = (wait: string) => `
  const TURBOFANNED = 1 << 6
  const isCompiled = async () => {
    const sum = new Function('n', 'let sum = 0; for (let i = 0; i < n; i++) sum += i % 7; return sum')
    for (let turn = 0; turn < 60; turn++) {
      for (let n = 0; n < 100; n++) sum(1000)
      await new Promise(setImmediate)
      if (%GetOptimizationStatus(sum) & TURBOFANNED) return true
    }
    return false
  }
  setStartFlags()
  const results = [await isCompiled()]
  ${wait}
  results.push(await isCompiled())`

t.test(
  'TurboFan compiles nothing until the server is ready or a second has passed, and nothing with --no-opt',
  async (t) => {
    for (const wait of ['setReadyFlags()', 'await new Promise((resolve) => setTimeout(resolve, 1100))'])
      t.strictSame(run(compiled(wait), '--allow-natives-syntax'), [false, true])
    t.strictSame(run(compiled('setReadyFlags()'), '--allow-natives-syntax', '--no-opt'), [false, false])
  },
)
