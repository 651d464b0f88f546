import t from 'tap'
import { start } from '../support/app.ts'
import type { Operation } from '../support/openapi.ts'
import fc, { runs, TIMES } from '../support/property.ts'
import { checkControlAnswer, isConsolePage } from './control_answers.ts'
import { control } from './control_calls.ts'
import { createControlRunner } from './control_runner.ts'
import { anyControlCall, scripts, scriptsOf } from './control_scripts.ts'

/** Operations whose calls share a world. */
const PER_SCRIPT = 12
/** Calls of each in the first round and in later ones: most need few, and the setup of a script costs as much as 20. */
const CALLS_OF_EACH = [8, 8, 24]

const { runAll, cases, statuses, expectOthersUnchanged } = await createControlRunner(t)

t.test('answers any control call as documented, and the emulated API still works afterwards', async () => {
  await runAll(scripts(60), runs(32))
})

t.test('every control call has succeeded and failed', async (t) => {
  const hasStatus = (operation: Operation, matches: (status: number) => boolean) =>
    [...statuses.get(operation)!.keys()].some(matches)
  const hasSucceeded = (operation: Operation) => hasStatus(operation, (status) => status < 300)
  const hasFailed = (operation: Operation) =>
    (operation.parameters.length === 0 && !operation.body) || hasStatus(operation, (status) => status >= 400)
  // Operations that the random calls have missed, several in each script.
  for (let seed = 0; seed < 200; seed++) {
    const callsOfEach = CALLS_OF_EACH[seed] ?? CALLS_OF_EACH.at(-1)!
    const missed = control.operations.flatMap((operation) =>
      hasSucceeded(operation) && hasFailed(operation) ? [] : [{ operation, isValid: !hasSucceeded(operation) }],
    )
    for (let from = 0; from < missed.length; from += PER_SCRIPT)
      await runAll(scriptsOf(missed.slice(from, from + PER_SCRIPT), callsOfEach), 1, seed)
  }
  for (const operation of control.operations) {
    t.ok(hasSucceeded(operation), `${operation.method} ${operation.path} has succeeded`)
    t.ok(hasFailed(operation), `${operation.method} ${operation.path} has failed`)
  }
  t.ok(cases() >= 2_500 * TIMES, `${cases()} cases`)
})

t.test('requires the admin token: without it nothing is answered or changed', async (t) => {
  const app = await start(t, { scenario: 'empty', adminToken: 's3cret', isExposed: true })
  const { server, worlds } = app
  const tokens = fc.constantFrom(
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Bearer s3cre',
    'Bearer s3crett',
    'Bearer S3CRET',
    'Basic s3cret',
    's3cret',
  )
  await fc.assert(
    fc.asyncProperty(anyControlCall, tokens, async (call, authorization) => {
      const { authorization: _, ...headers } = call.headers
      const request = { ...call, headers: authorization === undefined ? headers : { ...headers, authorization } }
      const answer = await server.inject(request as never)
      if (answer.statusCode !== 401) checkControlAnswer(request, answer, worlds.has)
      if (answer.statusCode < 400 && !isConsolePage(request)) throw new Error(`answered ${answer.statusCode}`)
    }),
    { numRuns: runs(400) },
  )
  t.strictSame(worlds.ids(), [1])
})

t.test('with the viewer token, changes nothing', async (t) => {
  const tokens = { adminToken: 's3cret', viewerToken: 'v1ewer' }
  const app = await start(t, { scenario: 'empty', ...tokens })
  const { server, world, worlds } = app
  const version = world.version()
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(anyControlCall, async (call) => {
      const request = { ...call, headers: { ...call.headers, authorization: 'Bearer v1ewer' } }
      const answer = await server.inject(request as never)
      checkControlAnswer(request, answer, worlds.has)
      if (answer.statusCode < 400) accepted++
    }),
    { numRuns: runs(400) },
  )
  t.ok(accepted > 0, `${accepted} calls`)
  t.equal(world.version(), version)
  t.strictSame(worlds.ids(), [1])
})

t.test('leaves other worlds unchanged', (t) => t.resolves(expectOthersUnchanged()))
