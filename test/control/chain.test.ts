import { mock } from 'node:test'
import t, { type Test } from 'tap'
import { bearer, ITEM, start, valuesOf } from '../support/app.ts'
import { manualReceiver } from '../support/receiver.ts'

const app = await start(t)

async function createWorld(t: Test) {
  const world = await app.createWorld(undefined, t)
  const { control, application } = world
  return {
    ...world,
    /** A call of a user; answers what the journal says of it. */
    async call(method: 'GET' | 'POST', url: string, token?: string, payload?: object) {
      const headers = token === undefined ? {} : bearer(token)
      await world.call({ method, url, headers, ...(payload && { payload }) })
      return (await control('GET /requests?order=desc&limit=1')).body.results[0]
    },
    subscribe: (callback_url: string, topic: string) =>
      control(`PUT /applications/${application.id}/notifications`, { callback_url, topics: [topic] }),
    requests: async () => (await control('GET /requests')).body,
  }
}

t.test('infers the attempt that a call follows', async (t) => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  t.teardown(() => mock.timers.reset())
  const { url, attemptStarted, answer } = await manualReceiver(t)
  const { seller, buyer, control, call, requests, subscribe } = await createWorld(t)
  const after = async (...made: Parameters<typeof call>) => (await call(...made)).after_delivery
  const attempt = (id: number, n: number) => ({ id, n, inferred: true })
  t.equal(await after('GET', `/items/${ITEM}`, seller.token), null)
  mock.timers.tick(1)

  await subscribe(url, 'items')
  await control(`PATCH /items/${ITEM}`, { status: 'paused' })
  await attemptStarted()
  const first = attempt(1, 1)
  t.strictSame(await after('GET', `/items/${ITEM}`, seller.token), first, 'it reads the resource')
  t.strictSame(await after('GET', `/items/${ITEM}`, buyer.token), first, 'for another user of the application')
  t.equal(await after('GET', '/users/me', seller.token), null, 'it reads nothing that the notification is about')
  const list = `/users/${seller.id}/items/search`
  t.strictSame(await after('GET', list, seller.token), first, 'its list, while the attempt is in flight')
  t.equal(await after('GET', list, buyer.token), null, 'for another user')
  t.equal(await after('GET', `${list}?offset=50`, seller.token), null, 'the list again')
  t.equal(await after('GET', `/items/${ITEM}?t=2`, seller.token), null, 'the resource again')
  t.equal(await after('GET', '/questions/search', seller.token), null, 'another list')
  t.equal(await after('GET', `/items/${ITEM}`), null, 'without a token there is no application')
  mock.timers.tick(1)
  await answer()
  await control('POST /settle')

  await control('PATCH /items/MLA1400000002', { status: 'paused' })
  await answer()
  await control('POST /settle')
  mock.timers.tick(2000)
  t.strictSame(await after('GET', list, seller.token), attempt(2, 1), 'the latest attempt, two seconds after its end')
  await control('PATCH /items/MLA1400000002', { status: 'active' })
  await answer()
  await control('POST /settle')
  mock.timers.tick(2001)
  t.equal(await after('GET', list, seller.token), null, 'later')
  t.strictSame(await after('GET', `/items?ids=MLA14,${ITEM}`, seller.token), first, 'the one that the query names')
  t.strictSame(await after('POST', '/questions', seller.token, { item_id: ITEM }), first, 'the one that the body names')
  t.equal(await after('POST', '/questions', seller.token, { item_id: 'MLA1' }), null, 'a write that names nothing')
  await control('POST /deliveries/1/resend')
  await answer()
  await control('POST /settle')
  mock.timers.tick(1)
  t.strictSame(await after('GET', `/items/${ITEM}`, seller.token), attempt(1, 2))
  t.equal((await requests()).results[0].after_delivery, null, 'no attempt came before the first call')
})

t.test('a program that polls after a notification is no chain', async (t) => {
  const { url, answer } = await manualReceiver(t)
  const { seller, buyer, control, call, subscribe } = await createWorld(t)
  await subscribe(url, 'questions')
  await call('POST', '/questions', buyer.token, { item_id: ITEM, text: '¿Envían?' })
  await answer()
  await answer()
  await control('POST /settle')
  const { results } = (await control('GET /deliveries')).body
  const id = Number(results[0].resource.split('/').at(-1))
  for (let n = 0; n < 3; n++) {
    await call('GET', '/my/received_questions/search?status=UNANSWERED', seller.token)
    await call('GET', `/questions/${id}`, seller.token)
  }
  for (let n = 0; n < 2; n++) await call('POST', '/answers', seller.token, { question_id: id, text: 'Sí' })
  const calls = (await control('GET /requests')).body.results as { method: string; after_delivery: object | null }[]
  t.strictSame(
    calls.map(({ method, after_delivery }) => [method, after_delivery !== null]),
    [['POST', false], ['GET', true], ['GET', true], ...Array(4).fill(['GET', false]), ['POST', true], ['POST', true]],
  )
})

t.test('facts, deliveries and calls name each other', async (t) => {
  const { url, answer } = await manualReceiver(t)
  const { buyer, control, call, subscribe } = await createWorld(t)
  await subscribe(url, 'questions')
  await control(`PATCH /items/${ITEM}`, { status: 'paused' })
  await control(`PATCH /items/${ITEM}`, { status: 'active' })
  const asked = await call('POST', '/questions', buyer.token, { item_id: ITEM, text: '¿Envían?' })
  t.strictSame(asked.changes, [3])
  await answer()
  await answer()
  await control('POST /settle')
  const { results } = (await control('GET /deliveries')).body
  const chain = [3, { kind: 'request', id: asked.id }]
  const members = ['id', 'fact_id', 'cause']
  t.strictSame(valuesOf([...results, (await control('GET /deliveries/1')).body], ...members), [
    [2, ...chain],
    [1, ...chain],
    [1, ...chain],
  ])
})

t.test('a unit that is rolled back leaves its ids to the next one', async (t) => {
  const { buyer, control, call } = await createWorld(t)
  const world = (await app.worlds.acquire(app.worlds.ids().at(-1)!))!
  t.teardown(() => app.worlds.release(world))
  const { publish } = await import('../../db/outbox.ts')
  const { runWithCause } = await import('../../db/causes.ts')
  const failing = { kind: 'request', id: 99, events: [] }
  const failed = runWithCause(failing, () =>
    world.tx(async (q) => {
      await publish(q, { topic: 'items', resource: '/items/MLA1', users: [], at: 0 })
      throw new Error('rolled back')
    }),
  )
  const asked = call('POST', '/questions', buyer.token, { item_id: ITEM, text: '¿Envían?' })
  await t.rejects(failed, { message: 'rolled back' })
  t.strictSame([(await asked).changes, failing.events], [[1], []])
  t.equal((await control('GET /requests/1')).body.id, 1)
})

t.test('reset and restore keep the journal on request, with a mark', async (t) => {
  const { seller, control, call, requests } = await createWorld(t)
  const timeless = (marks: { real_at: string }[]) =>
    marks.map(({ real_at, ...mark }) => ({ ...mark, isTime: new Date(real_at).toISOString() === real_at }))
  const ids = async () => valuesOf((await requests()).results, 'id')
  await call('GET', '/users/me', seller.token)
  await control('POST /snapshots', { name: 'uno' })
  await call('GET', '/users/me', seller.token)
  t.equal((await control('POST /reset', { keep_requests: true })).status, 204)
  await call('GET', '/currencies')
  t.strictSame(await ids(), [1, 2, 3])
  t.equal((await control('POST /snapshots/uno/restore', { keep_requests: true })).status, 204)
  const marks = [
    { after: 2, change: 'reset', name: null, by: null, isTime: true },
    { after: 3, change: 'restore', name: 'uno', by: null, isTime: true },
  ]
  t.strictSame([await ids(), timeless((await requests()).marks)], [[1, 2, 3], marks])
  await control('POST /snapshots/uno/restore', { keep_requests: false })
  const empty = { paging: { total: 0, limit: 50, offset: 0 }, results: [], dropped: 0, marks: [] }
  const begun = async () => {
    const { marks, ...page } = await requests()
    t.strictSame({ ...page, marks: [] }, empty)
    return timeless(marks)
  }
  t.strictSame(await begun(), [{ after: 0, change: 'restore', name: 'uno', by: null, isTime: true }])
  t.equal((await call('GET', '/currencies')).id, 1)
  await control('POST /reset')
  t.strictSame(await begun(), [{ after: 0, change: 'reset', name: null, by: null, isTime: true }])
  await call('GET', '/currencies')
  await control('POST /reset', { keep_requests: true })
  await control('DELETE /requests')
  t.strictSame(await requests(), empty)
})
