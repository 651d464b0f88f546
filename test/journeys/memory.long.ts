import t from 'tap'
import { launchWith, type RunningServer } from '../support/bundle.ts'

/** For pages that are each requested twice, and stored as characters: enough survives collections for V8 to grow the heap. */
const REQUESTS = 10_000
const CONCURRENCY = 64

/** Megabytes of the young generation after many requests. */
async function youngGenerationSize(server: RunningServer): Promise<number> {
  const { id, token } = server.sellers[0]!
  const headers = { authorization: `Bearer ${token}` }
  let n = 0
  const ask = async () => {
    while (n < REQUESTS) {
      const answer = await fetch(`${server.url}/questions/search?seller_id=${id}&limit=7&n=${Math.floor(n++ / 2)}`, {
        headers,
      })
      if (answer.status !== 200) throw new Error(await answer.text())
      await answer.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, ask))
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  return Number(/nodejs_heap_space_size_total_bytes\{space="new"\} (\d+)/.exec(metrics)![1]) / 2 ** 20
}

t.test('limits the young generation of the heap unless NODE_OPTIONS sets it', async (t) => {
  const [limited, unlimited] = await Promise.all([
    launchWith(t, { NODE_OPTIONS: '' }),
    launchWith(t, { NODE_OPTIONS: '--max-semi-space-size=32' }),
  ])
  const megabytes = { bound: await youngGenerationSize(limited), free: await youngGenerationSize(unlimited) }
  t.ok(megabytes.bound <= 8, `${megabytes.bound} MB`)
  t.ok(megabytes.free > 32, `${megabytes.free} MB`)
  await limited.stop()
  await unlimited.stop()
})
