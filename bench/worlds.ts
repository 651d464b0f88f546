import type { WorldInfo } from '../control/worlds/world_info.ts'
import type { Measurement } from './measurements.ts'

const REPETITIONS = 25
const QUESTIONS = 10_000
const EMPTY_WORLDS = 1000
const DEMO_WORLDS = 100
/** Time for the server to prepare copies in advance. */
const PAUSE_MS = 150

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!

/** Times as a client sees them, and the server's memory. The server has only its default world. */
export async function measureWorlds(url: string, megabytes: () => number): Promise<Measurement[]> {
  const measured: Measurement[] = []
  const call = async (method: string, path: string, body?: object, token?: string): Promise<unknown> => {
    const answer = await fetch(url + path, {
      method,
      ...(body && { body: JSON.stringify(body) }),
      ...(token && { headers: { authorization: `Bearer ${token}` } }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status} ${text}`)
    return text && JSON.parse(text)
  }
  const create = (body: object) => call('POST', '/_sandbox/worlds', body) as Promise<WorldInfo>

  async function time(name: string, goal: number, work: () => Promise<unknown>, before?: () => Promise<unknown>) {
    const times: number[] = []
    for (let n = 0; n < REPETITIONS; n++) {
      await before?.()
      const begun = performance.now()
      await work()
      times.push(performance.now() - begun)
    }
    const value = median(times)
    measured.push({ name, value: `${value.toFixed(1)} ms`, goal: `${goal} ms`, isMet: value <= goal })
  }

  await create({ scenario: 'demo' })
  await time('new world from empty', 5, () => create({ scenario: 'empty' }))
  await time('new world from demo, a ready copy', 5, () => create({ scenario: 'demo' }), pause)
  // Last of the three, because afterwards the disk has much to write.
  await time('new world from demo', 15, () => create({ scenario: 'demo' }))
  const full = await create({ scenario: 'demo' })
  const buyers = full.buyers.filter(({ site_id }) => site_id === 'MLA')
  for (let n = 0; n < QUESTIONS; n += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, k) =>
        call('POST', '/questions', { item_id: 'MLA1400000001', text: `¿Hay? ${n + k}` }, buyers[k % 2]!.token),
      ),
    )
  const forked = await create({ from: full.world.id })
  const base = `/w/${forked.world.id}/_sandbox`
  await time('reset of a world with 10,000 questions', 15, () => call('POST', `${base}/reset`))
  await call('POST', `${base}/snapshots`, { name: 'a' })
  await time('restore of the same', 15, () => call('POST', `${base}/snapshots/a/restore`))
  const demo = await create({ scenario: 'demo' })
  await time('reset of a demo world', 15, () => call('POST', `/w/${demo.world.id}/_sandbox/reset`))

  for (const [scenario, count] of [
    ['empty', EMPTY_WORLDS],
    ['demo', DEMO_WORLDS],
  ] as const)
    for (let n = 0; n < count; n++) {
      const { sellers } = await create({ scenario })
      await call('GET', '/users/me', undefined, sellers[0]!.token)
    }
  const rss = megabytes()
  measured.push({
    name: `RSS after ${EMPTY_WORLDS} empty and ${DEMO_WORLDS} demo worlds`,
    value: `${rss.toFixed(0)} MB`,
    goal: '300 MB',
    isMet: rss <= 300,
  })
  return measured
}
