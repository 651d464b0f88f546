import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { createTemporaryFolder, openDataFolder } from '../../db/folders.ts'
import { start, type TestApp } from '../support/app.ts'
import fc from '../support/property.ts'
import type { Call } from './answers.ts'
import { anyOperation } from './call_runner.ts'
import { almostValidCall, arbitraryCall, asJsonp, validCall } from './calls.ts'
import { collectDemoValues, type DemoValues } from './demo.ts'
import { words } from './values.ts'

const CALLS = 10_000
const CALLS_PER_DIGEST = 1_000

/**
 * The first 16 digits of SHA-256 of the answers to each thousand calls. They change with any answer, and with the calls:
 * these depend on openapi.json and on the version of fast-check.
 */
const DIGESTS = [
  ...words('f1aad728df097590 66d36175b1d19650 65f20284469011ca 0d595bdc0790c4bc c72f482f764695b7'),
  ...words('d7a332a0165ed3cd 60e9ec01ae25251c d542ab53ec31a99b 3d6b31fea9b86e70 d618f39addcec114'),
]

/** Valid calls, calls with one invalid value, arbitrary calls and JSONP. */
function generateCalls(demo: DemoValues): Call[] {
  const call = fc.oneof(
    { weight: 5, arbitrary: anyOperation(demo, validCall) },
    { weight: 3, arbitrary: anyOperation(demo, almostValidCall) },
    { weight: 1, arbitrary: anyOperation(demo, arbitraryCall) },
    { weight: 1, arbitrary: anyOperation(demo, validCall).map((call) => asJsonp(call, 'show')) },
  )
  return fc.sample(call, { seed: 20_261_122, numRuns: CALLS })
}

/** The digests of all calls; `next` returns the app that answers the next thousand. */
async function digestAnswers(first: TestApp, next: (app: TestApp) => Promise<TestApp>): Promise<string[]> {
  const calls = generateCalls(await collectDemoValues(first))
  const digests: string[] = []
  let app = first
  for (let from = 0; from < calls.length; from += CALLS_PER_DIGEST) {
    const hash = createHash('sha256')
    for (const call of calls.slice(from, from + CALLS_PER_DIGEST)) {
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

t.test('a frozen world answers the same calls with the same bytes', async (t) => {
  const app = await start(t)
  t.strictSame(await digestAnswers(app, async (app) => app), DIGESTS)
})

t.test('a kept world that is restarted answers the same bytes', async (t) => {
  const { path, release } = createTemporaryFolder(tmpdir())
  t.teardown(() => release())
  const options = () => ({ mode: 'kept' as const, folder: openDataFolder(`${path}/data`) })
  const digests = await digestAnswers(await start(t, options()), async (app) => {
    await app.server.close()
    return start(t, options())
  })
  t.strictSame(digests, DIGESTS)
})
