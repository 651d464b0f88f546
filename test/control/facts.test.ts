import { mock } from 'node:test'
import t from 'tap'
import { ITEM, NOON, start, valuesOf } from '../support/app.ts'

const app = await start(t)

async function createWorld() {
  const world = await app.createWorld()
  return {
    ...world,
    list: async (query = '') => (await world.control(`GET /facts${query}`)).body,
    ask: async () => (await world.buyer.post('/questions', { item_id: ITEM, text: '¿Envían?' })).body,
  }
}

t.test('lists the published changes with their causes, whether or not an application is notified', async (t) => {
  const real_at = '2026-05-01T10:00:00.123Z'
  mock.timers.enable({ apis: ['Date'], now: Date.parse(real_at) })
  t.teardown(() => mock.timers.reset())
  const { control, seller, buyer, list, ask } = await createWorld()
  const paging = { total: 0, limit: 50, offset: 0, next_before: null }
  t.strictSame(await list(), { paging, results: [] })
  const { id } = await ask()
  await control(`PATCH /items/${ITEM}`, { status: 'paused' })
  const question = {
    ...{ id: 1, topic: 'questions', resource: `/questions/${id}`, users: [seller.id, buyer.id] },
    ...{ at: NOON, real_at, cause: { kind: 'request', id: 1 } },
  }
  const item = {
    ...{ id: 2, topic: 'items', resource: `/items/${ITEM}`, users: [seller.id] },
    ...{ at: NOON, real_at, cause: { kind: 'control', id: 1 } },
  }
  t.strictSame(await list(), { paging: { ...paging, total: 2 }, results: [item, question] })
  t.strictSame(await list('?topic=items'), { paging: { ...paging, total: 1 }, results: [item] })
  t.strictSame((await list(`?resource=/questions/${id}`)).results, [question])
  t.strictSame((await list('?resource=/questions')).results, [])
})

t.test('pages', async (t) => {
  const { list, ask } = await createWorld()
  for (let n = 0; n < 5; n++) await ask()
  const page = async (query: string) => {
    const { paging, results } = await list(query)
    return [valuesOf(results, 'id'), paging.next_before]
  }
  t.strictSame(await page('?limit=2'), [[5, 4], 4])
  await ask()
  t.strictSame(await page('?limit=2&before=4'), [[3, 2], 2])
  t.strictSame(await page('?limit=2&before=2'), [[1], null])
  t.strictSame(await page('?limit=1&offset=1'), [[5], 5])
})

t.test('a change has its own cause as long as the journal has the call', async () => {
  const { application, control, list, ask } = await createWorld()
  await control(`PUT /applications/${application.id}/notifications`, { callback_url: 'inbox:', topics: ['questions'] })
  const requestsOf = (rows: { cause: { kind: string; id: number } | null }[]) => rows.map(({ cause }) => cause?.id)
  const causes = async () => {
    const deliveries = (await control('GET /deliveries')).body.results
    const facts = (await list()).results
    t.ok(deliveries.length > 0 && deliveries.every((one: object) => 'real_at' in one && 'fact_id' in one))
    const causeOf = new Map(facts.map(({ id, cause, real_at }: Fact) => [id, { cause, real_at }]))
    for (const { fact_id, cause, real_at } of deliveries) t.strictSame({ cause, real_at }, causeOf.get(fact_id))
    return requestsOf(facts)
  }
  type Fact = { id: number; cause: null; real_at: string }
  const restore = (name: string, keep_requests: boolean) =>
    control(`POST /snapshots/${name}/restore`, { keep_requests })

  await ask()
  await control('POST /snapshots', { name: 'early' })
  await ask()
  await control('POST /snapshots', { name: 'late' })
  await restore('early', true)
  await ask()
  await ask()
  t.strictSame(await causes(), [4, 3, 1], 'the ids of changes that were taken back are given again')
  await restore('late', true)
  t.strictSame(await causes(), [2, 1], 'a later change of the same id is no cause')
  await control('PUT /clock', { mode: 'frozen', now: '2026-03-02T13:00:00.000Z' })
  t.strictSame(await causes(), [2, 1])
  await control(`PATCH /items/${ITEM}`, { status: 'paused' }, { 'x-sandbox-snapshot': 'pause' })
  t.strictSame(requestsOf((await list()).results).slice(1), [2, 1])
  t.equal((await control('POST /undo')).status, 200)
  t.strictSame(await causes(), [2, 1], 'after an undo')

  await restore('late', false)
  t.strictSame(await causes(), [undefined, undefined], 'the journal with these calls has ended')
  await ask()
  t.strictSame(await causes(), [1, undefined, undefined])
  await control('POST /reset', { keep_requests: false })
  await ask()
  t.strictSame(requestsOf((await list()).results), [1])
  await restore('late', true)
  t.strictSame(await causes(), [undefined, undefined], 'calls of this journal did not cause them')
})
