import t from 'tap'
import { start } from '../support/app.ts'
import fc, { runs, TIMES } from '../support/property.ts'
import { checkControlAnswer, isConsolePage } from './control_answers.ts'
import { control } from './control_calls.ts'
import { createControlRunner } from './control_runner.ts'
import { anyControlCall, scripts, scriptsOf } from './control_scripts.ts'

const { runAll, cases, statuses, expectOthersUnchanged } = await createControlRunner(t)

t.test('answers any control call as documented, and the emulated API still works afterwards', async () => {
  await runAll(scripts(60), runs(32))
})

t.test('every control call has succeeded and failed', async (t) => {
  for (const operation of control.operations) {
    const { method, path, parameters, body } = operation
    const hasStatus = (matches: (status: number) => boolean) => [...statuses.get(operation)!.keys()].some(matches)
    const hasSucceeded = () => hasStatus((status) => status < 300)
    const hasFailed = () => (parameters.length === 0 && !body) || hasStatus((status) => status >= 400)
    // Operations that the random calls have missed.
    for (let seed = 1; seed <= 200 && !(hasSucceeded() && hasFailed()); seed++)
      await runAll(scriptsOf(operation), 1, seed)
    t.ok(hasSucceeded(), `${method} ${path} has succeeded`)
    t.ok(hasFailed(), `${method} ${path} has failed`)
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
  t.ok(accepted > 20 * TIMES, `${accepted} calls`)
  t.equal(world.version(), version)
  t.strictSame(worlds.ids(), [1])
})

t.test('leaves other worlds unchanged', (t) => t.resolves(expectOthersUnchanged()))
