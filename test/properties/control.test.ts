import fc from 'fast-check'
import t from 'tap'
import { start } from '../support/app.ts'
import { judgeControl } from './control_answers.ts'
import { control } from './control_calls.ts'
import { staged } from './control_stage.ts'
import { anyControlCall, stories, storiesAbout } from './control_stories.ts'

const { all, cases, seen, faults, othersAreAsBefore } = await staged(t)

t.test('whatever is asked is answered as documented, and leaves a world in which the emulated API works', async () => {
  await all(stories(60), 32)
})

t.test('every control call has been carried out, and refused', async (t) => {
  for (const operation of control.operations) {
    const { method, path, parameters, body } = operation
    const came = (wanted: (status: number) => boolean) => [...seen.get(operation)!.keys()].some(wanted)
    const isDone = () => came((status) => status < 300)
    const isRefused = () => (parameters.length === 0 && !body) || came((status) => status >= 400)
    // What chance has left out.
    for (let seed = 1; seed <= 200 && !(isDone() && isRefused()); seed++) await all(storiesAbout(operation), 1, seed)
    t.ok(isDone(), `${method} ${path} has been carried out`)
    t.ok(isRefused(), `${method} ${path} has been refused`)
  }
  t.ok(cases() >= 2_500, `${cases()} cases`)
})

t.test('where an admin token is needed, nothing is told and nothing changes without it', async (t) => {
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
      const sent = { ...call, headers: authorization === undefined ? headers : { ...headers, authorization } }
      const answer = await server.inject(sent as never)
      if (answer.statusCode !== 401) judgeControl(sent, answer, worlds.has)
      if (answer.statusCode < 400) throw new Error(`is answered ${answer.statusCode}`)
    }),
    { seed: 1, numRuns: 400, includeErrorInReport: true },
  )
  t.strictSame(worlds.ids(), [1])
  t.strictSame(app.faults, [])
})

t.test('nothing went wrong unseen, nor in a world that no call was about', async (t) => {
  await t.resolves(othersAreAsBefore())
  t.strictSame(faults, [])
})
