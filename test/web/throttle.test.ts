import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { throttle } from '../../web/world/throttle.ts'

t.test('calls cause one run until it has run, and one more after that', async (t) => {
  let runs = 0
  const soon = throttle(1, () => runs++)
  const waitFor = async (count: number) => {
    while (runs < count) await setTimeout(1)
  }
  soon()
  soon()
  t.equal(runs, 0, 'not during the call')
  await waitFor(1)
  soon()
  soon()
  await waitFor(2)
  await setTimeout(20)
  t.equal(runs, 2)
})

t.test('a run that is due can be cancelled, and the next call runs again', async (t) => {
  const runs: string[] = []
  const soon = throttle(1, () => runs.push('run'))
  soon()
  soon.cancel()
  await setTimeout(20)
  t.strictSame(runs, [])
  soon()
  while (runs.length === 0) await setTimeout(1)
  t.strictSame(runs, ['run'])
})
