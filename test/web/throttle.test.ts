import { mock } from 'node:test'
import t from 'tap'
import { throttle } from '../../web/world/throttle.ts'

mock.timers.enable({ apis: ['setTimeout'] })
t.teardown(() => mock.timers.reset())

t.test('calls cause one run until it has run, and one more after that', async (t) => {
  let runs = 0
  const soon = throttle(100, () => runs++)
  soon()
  soon()
  t.equal(runs, 0, 'not during the call')
  mock.timers.tick(100)
  t.equal(runs, 1)
  soon()
  soon()
  t.equal(runs, 1, 'not during the call')
  mock.timers.tick(100)
  t.equal(runs, 2)
  mock.timers.tick(1000)
  t.equal(runs, 2, 'and not again')
})

t.test('a run that is due can be cancelled, and the next call runs again', async (t) => {
  const runs: string[] = []
  const soon = throttle(100, () => runs.push('run'))
  soon()
  soon.cancel()
  mock.timers.tick(1000)
  t.strictSame(runs, [])
  soon()
  mock.timers.tick(1000)
  t.strictSame(runs, ['run'])
})
