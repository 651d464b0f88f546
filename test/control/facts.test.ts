import { mock } from 'node:test'
import t from 'tap'
import { bearer, start } from '../support/app.ts'

const NOON = '2026-03-02T12:00:00.000Z'
const LISTING = 'MLA1400000001'
const app = await start(t)

async function createWorld() {
  const { body } = await app.control('POST /worlds', { scenario: 'demo', now: NOON })
  const base = `/w/${body.world.id}`
  const control = (request: string, payload?: unknown) => app.control(request, payload, base)
  return {
    base,
    application: body.application.id as number,
    control,
    seller: body.sellers[0] as { id: number; token: string },
    buyer: body.buyers[0] as { id: number; token: string },
    list: async (query = '') => (await control(`GET /facts${query}`)).body,
    ask: async (token: string) =>
      (
        await app.call({
          method: 'POST',
          url: `${base}/questions`,
          headers: bearer(token),
          payload: JSON.stringify({ item_id: LISTING, text: '¿Envían?' }),
        })
      ).body,
  }
}

t.test('lists the published changes with their causes, whether or not an application is notified', async (t) => {
  const real_at = '2026-05-01T10:00:00.123Z'
  mock.timers.enable({ apis: ['Date'], now: Date.parse(real_at) })
  t.teardown(() => mock.timers.reset())
  const { control, seller, buyer, list, ask } = await createWorld()
  const paging = { total: 0, limit: 50, offset: 0, next_before: null }
  t.strictSame(await list(), { paging, results: [] })
  const { id } = await ask(buyer.token)
  await control(`PATCH /items/${LISTING}`, { status: 'paused' })
  const question = {
    ...{ id: 1, topic: 'questions', resource: `/questions/${id}`, users: [seller.id, buyer.id] },
    ...{ at: NOON, real_at, cause: { kind: 'request', id: 1 } },
  }
  const item = {
    ...{ id: 2, topic: 'items', resource: `/items/${LISTING}`, users: [seller.id] },
    ...{ at: NOON, real_at, cause: { kind: 'control', id: 1 } },
  }
  t.strictSame(await list(), { paging: { ...paging, total: 2 }, results: [item, question] })
  t.strictSame(await list('?topic=items'), { paging: { ...paging, total: 1 }, results: [item] })
  t.strictSame((await list(`?resource=/questions/${id}`)).results, [question])
  t.strictSame((await list('?resource=/questions')).results, [])
})

t.test('pages', async (t) => {
  const { buyer, list, ask } = await createWorld()
  for (let n = 0; n < 5; n++) await ask(buyer.token)
  const page = async (query: string) => {
    const { paging, results } = await list(query)
    return [results.map(({ id }: { id: number }) => id), paging.next_before]
  }
  t.strictSame(await page('?limit=2'), [[5, 4], 4])
  await ask(buyer.token)
  t.strictSame(await page('?limit=2&before=4'), [[3, 2], 2])
  t.strictSame(await page('?limit=2&before=2'), [[1], null])
  t.strictSame(await page('?limit=1&offset=1'), [[5], 5])
})

t.test('a change has its own cause as long as the journal has the call', async () => {
  const { base, application, control, buyer, list, ask } = await createWorld()
  await control(`PUT /applications/${application}/notifications`, { callback_url: 'inbox:', topics: ['questions'] })
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

  await ask(buyer.token)
  await control('POST /snapshots', { name: 'early' })
  await ask(buyer.token)
  await control('POST /snapshots', { name: 'late' })
  await restore('early', true)
  await ask(buyer.token)
  await ask(buyer.token)
  t.strictSame(await causes(), [4, 3, 1], 'the ids of changes that were taken back are given again')
  await restore('late', true)
  t.strictSame(await causes(), [2, 1], 'a later change of the same id is no cause')
  await control('PUT /clock', { mode: 'frozen', now: '2026-03-02T13:00:00.000Z' })
  t.strictSame(await causes(), [2, 1])
  const paused = { url: `${base}/_sandbox/items/${LISTING}`, payload: JSON.stringify({ status: 'paused' }) }
  await app.call({ ...paused, method: 'PATCH', headers: { 'x-sandbox-snapshot': 'pause' } })
  t.strictSame(requestsOf((await list()).results).slice(1), [2, 1])
  t.equal((await control('POST /undo')).status, 200)
  t.strictSame(await causes(), [2, 1], 'after an undo')

  await restore('late', false)
  t.strictSame(await causes(), [undefined, undefined], 'the journal with these calls has ended')
  await ask(buyer.token)
  t.strictSame(await causes(), [1, undefined, undefined])
  await control('POST /reset', { keep_requests: false })
  await ask(buyer.token)
  t.strictSame(requestsOf((await list()).results), [1])
  await restore('late', true)
  t.strictSame(await causes(), [undefined, undefined], 'calls of this journal did not cause them')
})
