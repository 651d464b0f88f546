import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { createTemporaryFolder, openDataFolder } from '../../db/folders.ts'
import { start, type TestApp } from '../support/app.ts'
import { operations } from '../support/openapi.ts'
import fc, { runs } from '../support/property.ts'
import type { Call } from './answers.ts'
import { almostValidCall, arbitraryCall, asJsonp, validCall } from './calls.ts'
import { collectDemoValues, type DemoValues } from './demo.ts'

/** In parts, between which the kept world is restarted. */
const PARTS = 3

/** Of every operation, in any order: valid calls, calls with one invalid value, arbitrary calls and JSONP. */
function generateCalls(demo: DemoValues): Call[] {
  const calls = operations.map((operation) =>
    fc.oneof(
      { weight: 5, arbitrary: validCall(demo, operation) },
      { weight: 3, arbitrary: almostValidCall(demo, operation) },
      { weight: 1, arbitrary: arbitraryCall(demo, operation) },
      { weight: 1, arbitrary: validCall(demo, operation).map((call) => asJsonp(call, 'show')) },
    ),
  )
  const shuffled = fc
    .tuple(...calls)
    .chain((all) => fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }))
  return fc.sample(shuffled, { numRuns: runs(8) }).flat()
}

/** A digest of the answers to each part of the calls; `next` returns the app that answers the next part. */
async function digestAnswers(first: TestApp, next: (app: TestApp) => Promise<TestApp>): Promise<string[]> {
  const calls = generateCalls(await collectDemoValues(first))
  const digests: string[] = []
  let app = first
  const size = Math.ceil(calls.length / PARTS)
  for (let from = 0; from < calls.length; from += size) {
    const hash = createHash('sha256')
    for (const call of calls.slice(from, from + size)) {
      const { statusCode, headers, payload } = await app.server.inject(call as never)
      // `date` is real time.
      hash.update(JSON.stringify([statusCode, { ...headers, date: undefined }, payload]))
    }
    // Injected calls resolve as microtasks only: timers run here.
    await setImmediate()
    digests.push(hash.digest('hex').slice(0, 16))
    app = await next(app)
  }
  return digests
}

t.test('a frozen world answers the same calls with the same bytes, also one that is kept and restarted', async (t) => {
  const { path, release } = createTemporaryFolder(tmpdir())
  t.teardown(() => release())
  const startKept = () => start(t, { mode: 'kept', folder: openDataFolder(`${path}/data`) })
  const temporary = await digestAnswers(await start(t), async (app) => app)
  const kept = await digestAnswers(await startKept(), async (app) => {
    await app.server.close()
    return startKept()
  })
  t.equal(temporary.length, PARTS)
  t.strictSame(kept, temporary)
})
