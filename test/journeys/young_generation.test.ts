import { execFileSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { at } from '../../tools/root.ts'

/** In a process of its own, whose flags it changes. Prints the sizes of the young generation, MB. */
const PROGRAM = `
  import { getHeapSpaceStatistics } from 'node:v8'
  import { growYoungGeneration, holdYoungGeneration } from '${pathToFileURL(at('bin/young_generation.ts'))}'

  const size = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 1024 / 1024
  const sizes = []
  // Keeps the latest objects, so that collections let the space grow, and lets observers run.
  const allocate = async () => {
    const latest = []
    for (let turn = 0; turn < 300; turn++) {
      for (let n = 0; n < 20_000; n++) latest[n % 5000] = { turn, n }
      await new Promise(setImmediate)
    }
    sizes.push(size())
  }
  holdYoungGeneration()
  await allocate()
  growYoungGeneration()
  await allocate()
  // As V8 does by itself in an idle process.
  gc({ type: 'major', flavor: 'last-resort', execution: 'sync' })
  sizes.push(size())
  await allocate()
  console.log(JSON.stringify(sizes))`

t.test('the young generation grows to 8 MB, and again after V8 has made it small', async (t) => {
  const output = execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', PROGRAM], {
    env: { PATH: process.env.PATH },
    encoding: 'utf8',
  })
  const [held, grown, small, again] = JSON.parse(output)
  t.ok(held < 8)
  t.equal(grown, 8)
  t.ok(small < 8)
  t.equal(again, 8)
})
