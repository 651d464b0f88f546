import t from 'tap'
import { launchWith, type Running } from '../support/bundle.ts'

/** For pages, each asked for twice: enough for V8 to want more room. */
const REQUESTS = 6000
const AT_ONCE = 64

/** Megabytes of what V8 collects often, once the server has had much to do. */
async function youngAfterWork(server: Running): Promise<number> {
  const { id, token } = server.sellers[0]!
  const headers = { authorization: `Bearer ${token}` }
  let n = 0
  const ask = async () => {
    while (n < REQUESTS) {
      const answer = await fetch(`${server.url}/questions/search?seller_id=${id}&limit=50&n=${Math.floor(n++ / 2)}`, {
        headers,
      })
      if (answer.status !== 200) throw new Error(await answer.text())
      await answer.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, ask))
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  return Number(/nodejs_heap_space_size_total_bytes\{space="new"\} (\d+)/.exec(metrics)![1]) / 2 ** 20
}

t.test('a busy server leaves the young part of its memory small, unless it is told otherwise', async (t) => {
  const [bound, free] = await Promise.all([
    launchWith(t, { NODE_OPTIONS: '' }),
    launchWith(t, { NODE_OPTIONS: '--max-semi-space-size=32' }),
  ])
  const megabytes = { bound: await youngAfterWork(bound), free: await youngAfterWork(free) }
  t.ok(megabytes.bound <= 32, `${megabytes.bound} MB`)
  t.ok(megabytes.free > 32, `${megabytes.free} MB`)
  await bound.end()
  await free.end()
})
