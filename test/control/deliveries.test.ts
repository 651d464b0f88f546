import type { ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import { start } from '../support/app.ts'
import { receiver } from '../support/receiver.ts'

const app = await start(t)
const { control } = app
const error = (status: number, code: string, message: string) => ({ message, error: code, status, cause: [] })
const refused = (message: string) => error(400, 'bad_request', message)
const NOON = '2026-03-02T12:00:00.000Z'

/** Answers only when the test says so. */
async function patient(t: Test) {
  const waiting: ServerResponse[] = []
  let awaited = Promise.withResolvers<void>()
  const { url, got } = await receiver(t, (response) => {
    waiting.push(response)
    awaited.resolve()
  })
  const asked = async () => {
    while (waiting.length === 0) {
      await awaited.promise
      awaited = Promise.withResolvers<void>()
    }
  }
  return {
    url,
    bodies: got,
    /** Waits until an attempt is under way. */
    asked,
    async answer(status: number) {
      await asked()
      waiting.shift()!.writeHead(status).end('{}')
    },
  }
}

/** A world of its own, whose application is told of its listings. */
async function told(t: Test) {
  const there = await patient(t)
  const { body } = await control('POST /worlds', { scenario: 'demo', now: NOON })
  const base = `/w/${body.world.id}`
  t.teardown(() => control(`DELETE /worlds/${body.world.id}`))
  const path = `/applications/${body.application.id}/notifications`
  const setting = { callback_url: there.url, topics: ['items'] }
  await control(`PUT ${path}`, setting, base)
  const all = async (query = '') => (await control(`GET /deliveries${query}`, undefined, base)).body.results
  const order = async (id: number, action: string) => control(`POST /deliveries/${id}/${action}`, undefined, base)
  return {
    ...there,
    base,
    application: body.application.id as number,
    seller: body.sellers[0].id as number,
    unsubscribe: () => control(`DELETE ${path}`, undefined, base),
    subscribe: () => control(`PUT ${path}`, setting, base),
    settle: () => control('POST /settle', undefined, base),
    advance: (by: string) => control('POST /clock/advance', { by }, base),
    pause: (item: string) => control(`PATCH /items/${item}`, { status: 'paused' }, base),
    activate: (item: string) => control(`PATCH /items/${item}`, { status: 'active' }, base),
    all,
    order,
    /** Does it, and answers status, attempts and due time. */
    async does(id: number, action: string) {
      const { status, body } = await order(id, action)
      if (status !== 200) return body
      return [body.status, body.attempts, body.next_at]
    },
    stands: async (id: number) => (await control(`GET /deliveries/${id}`, undefined, base)).body,
  }
}

t.test('what was delivered is sent once more, with the same _id', async (t) => {
  const { pause, answer, settle, order, stands, bodies, url, application, seller, base } = await told(t)
  await pause('MLA1400000001')
  await answer(200)
  await settle()
  const delivered = await stands(1)
  const again = await order(1, 'resend')
  t.strictSame(again.body, { ...delivered, status: 'pending', next_at: NOON }, 'with what it has been through')
  await answer(200)
  await settle()
  const attempt = (n: number) => ({ n, sent: NOON, url, http_code: 200, body: '{}', error: null })
  const { tries, ...rest } = await stands(1)
  t.strictSame(
    tries.map(({ ms, ...one }: { ms: number }) => one),
    [attempt(1), attempt(2)],
  )
  t.strictSame(rest, {
    id: 1,
    _id: delivered._id,
    application_id: application,
    user_id: seller,
    topic: 'items',
    resource: '/items/MLA1400000001',
    status: 'delivered',
    attempts: 2,
    received: NOON,
    next_at: null,
  })
  t.strictSame(
    bodies.map(({ attempts, _id }) => [attempts, _id]),
    [1, 2].map((n) => [n, delivered._id]),
  )
  t.equal((await control('GET /deliveries/1', undefined, base)).status, 200)
})

t.test('what is sent once more and fails long after is retried from then on, not all at once', async (t) => {
  const { pause, answer, settle, does, advance, stands } = await told(t)
  await pause('MLA1400000001')
  await answer(200)
  await settle()
  await advance('PT5H')
  t.strictSame(await does(1, 'resend'), ['pending', 1, '2026-03-02T17:00:00.000Z'])
  await answer(500)
  await settle()
  const { status, attempts, next_at } = await stands(1)
  t.strictSame([status, attempts, next_at], ['pending', 2, '2026-03-02T17:01:00.000Z'])
})

t.test('a pending one is tried at once, a missed one a ninth time', async (t) => {
  const { pause, answer, settle, does, stands, base, application } = await told(t)
  await pause('MLA1400000001')
  await answer(500)
  await settle()
  for (let n = 1; n < 8; n++) {
    t.strictSame(await does(1, 'resend'), ['pending', n, NOON], `after ${n} attempts`)
    await answer(500)
    await settle()
  }
  t.equal((await stands(1)).status, 'missed')
  t.strictSame(await does(1, 'resend'), ['pending', 8, NOON])
  await answer(200)
  await settle()
  const { status, tries } = await stands(1)
  t.strictSame([status, tries.length, tries.at(-1).n], ['delivered', 9, 9])
  t.strictSame((await control(`GET /deliveries?application_id=${application}&status=missed`, undefined, base)).body, {
    paging: { total: 0, limit: 50, offset: 0 },
    results: [],
  })
})

t.test('what is held is not tried until it is released', async (t) => {
  const { pause, answer, settle, does, advance, stands, bodies } = await told(t)
  await pause('MLA1400000001')
  await answer(500)
  await settle()
  t.strictSame(await does(1, 'hold'), ['held', 1, null])
  await advance('P1D')
  await settle()
  t.equal(bodies.length, 1)
  t.strictSame(await does(1, 'release'), ['pending', 1, '2026-03-03T12:00:00.000Z'])
  await answer(200)
  await settle()
  t.equal((await stands(1)).status, 'delivered')
})

t.test('an attempt under way goes on: held after it, unless it delivers; dropped whatever it brings', async (t) => {
  const { pause, asked, answer, settle, does, stands } = await told(t)
  const cases: [action: string, answered: number, status: string][] = [
    ['hold', 500, 'held'],
    ['hold', 200, 'delivered'],
    ['drop', 500, 'dropped'],
    ['drop', 200, 'dropped'],
  ]
  for (const [n, [action, answered, status]] of cases.entries()) {
    const id = n + 1
    await pause(`MLA140000000${id}`)
    await asked()
    t.strictSame(
      await does(id, 'resend'),
      refused('status: is pending, with an attempt under way; must be over'),
      'nor are there two at once',
    )
    t.strictSame(await does(id, action), [action === 'hold' ? 'held' : 'dropped', 1, null])
    await answer(answered)
    await settle()
    const { status: after, tries } = await stands(id)
    t.strictSame([after, tries.length, tries[0].http_code], [status, 1, answered], `${action}, then ${answered}`)
  }
  t.strictSame(await does(1, 'release'), ['pending', 1, NOON])
  await answer(200)
  await settle()
  t.equal((await stands(1)).status, 'delivered', 'it is claimed like any other')
  t.strictSame(await does(3, 'resend'), ['pending', 1, NOON])
  await answer(200)
  await settle()
  t.equal((await stands(3)).status, 'delivered')
})

t.test('released while its attempt is under way, it is finished by that', async (t) => {
  const { pause, asked, answer, settle, does, stands, bodies } = await told(t)
  await pause('MLA1400000001')
  await asked()
  await does(1, 'hold')
  t.strictSame(await does(1, 'release'), ['pending', 1, NOON])
  await answer(200)
  await settle()
  t.equal((await stands(1)).status, 'delivered')
  t.equal(bodies.length, 1)
})

t.test('what cannot be done is refused with how it stands', async (t) => {
  const { pause, activate, answer, settle, does, subscribe, unsubscribe, application } = await told(t)
  await pause('MLA1400000001')
  await answer(200)
  await pause('MLA1400000002')
  await answer(500)
  await settle()
  await does(2, 'hold')
  await activate('MLA1400000001')
  await answer(500)
  await settle()
  await does(3, 'drop')
  const is = (status: string, allowed: string) => refused(`status: is ${status}; must be ${allowed}`)
  const table: [id: number, action: string, answer: object][] = [
    [1, 'hold', is('delivered', 'pending')],
    [1, 'release', is('delivered', 'held')],
    [1, 'drop', is('delivered', 'pending or held')],
    [2, 'hold', is('held', 'pending')],
    [2, 'resend', refused('status: is held; release it')],
    [3, 'hold', is('dropped', 'pending')],
    [3, 'release', is('dropped', 'held')],
    [3, 'drop', is('dropped', 'pending or held')],
    ...['resend', 'hold', 'release', 'drop'].map((action): [number, string, object] => [
      9,
      action,
      error(404, 'not_found', 'Delivery with id 9 not found'),
    ]),
  ]
  for (const [id, action, answer] of table) t.strictSame(await does(id, action), answer, `${action} ${id}`)
  await unsubscribe()
  t.strictSame(await does(2, 'release'), is('dropped', 'held'), 'who is not told has nothing held')
  t.strictSame(await does(1, 'resend'), refused(`application_id: ${application} is not notified`))
  await subscribe()
  t.strictSame(await does(2, 'resend'), ['pending', 1, NOON])
  await answer(200)
  await settle()
})

t.test('deliveries are found by what they are about', async (t) => {
  const { pause, answer, settle, all, base, seller, application } = await told(t)
  for (const item of ['MLA1400000001', 'MLA1400000002']) {
    await pause(item)
    await answer(200)
  }
  await settle()
  const table: [query: string, ids: number[]][] = [
    ['', [2, 1]],
    ['?resource=/items/MLA1400000001', [1]],
    ['?resource=/items/MLA140000000', []],
    [`?user_id=${seller}`, [2, 1]],
    ['?user_id=1', []],
    ['?topic=items', [2, 1]],
    ['?topic=questions', []],
    [`?application_id=${application}&status=delivered&topic=items&resource=%2Fitems%2FMLA1400000002`, [2]],
  ]
  for (const [query, ids] of table)
    t.strictSame(
      (await all(query)).map(({ id }: { id: number }) => id),
      ids,
      query,
    )
  const wrong: [query: string, message: string][] = [
    ['topic=orders', 'topic: must be one of questions, leads-credits, items, flex-handshakes'],
    ['user_id=x', 'user_id: must be an integer from 1'],
    ['resource=', 'resource: must be a path of 1 to 1000 characters'],
  ]
  for (const [query, message] of wrong)
    t.strictSame((await control(`GET /deliveries?${query}`, undefined, base)).body, refused(message))
})

t.test('nothing went wrong unseen', async (t) => {
  t.strictSame(app.faults, [])
})
