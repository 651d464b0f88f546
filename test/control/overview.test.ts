import t from 'tap'
import { QUESTION_STATUSES } from '../../domains/questions/tables.ts'
import about from '../../package.json' with { type: 'json' }
import { NOW, start } from '../support/app.ts'
import { receiver } from '../support/receiver.ts'

const app = await start(t)
const { control } = app

const none = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 0]))
const NO_QUESTIONS = none(...QUESTION_STATUSES)
const NO_DELIVERIES = none('pending', 'delivered', 'missed', 'held', 'dropped', 'silenced')

t.test('a new world, and the same after calls of every kind', async (t) => {
  const world = await app.createWorld({ scenario: 'empty', now: '2026-03-02T12:30:00Z', name: 'Feria' })
  const { control, seller, sellers, buyers, application } = world
  const overview = async () => {
    const { body } = await control('GET /overview')
    const { minutes, ...requests } = body.requests
    return { ...body, requests, minutes }
  }
  const [{ created_at }] = (await control('GET /worlds?offset=1')).body.results
  const empty = {
    world: { id: 2, name: 'Feria', scenario: 'empty', seed: 1, mode: 'temporary', created_at },
    clock: { mode: 'frozen', now: '2026-03-02T12:30:00.000Z' },
    version: about.version,
    requests: { total: 0, dropped: 0, by_status: none('2xx', '3xx', '4xx', '5xx', 'none') },
    questions: { by_status: NO_QUESTIONS },
    deliveries: { by_status: NO_DELIVERIES },
    loans: { by_status: none('approved', 'rejected', 'in_analysis'), expired: 0 },
    flex: { by_status: none('in', 'out', 'pending', 'creating', 'activating') },
    contacts: none('phone_views', 'messaging_clicks', 'questions'),
    faults: none('rules', 'active', 'hits'),
    topics_off: [],
    applications: 1,
    users: sellers.length + buyers.length,
    items: 0,
    orders: 0,
    snapshots: 0,
  }
  const { minutes: quiet, ...before } = await overview()
  t.strictSame(before, empty)
  t.strictSame(
    quiet.map(({ at: _, ...counts }: { at: string }) => counts),
    Array(10).fill({ total: 0, refused: 0, p95_ms: null }),
  )

  const post = async (path: string, body: object) => {
    const { status, text } = await control(`POST ${path}`, body)
    t.ok(status < 300, text)
  }
  const [seller_id, buyer_id] = [seller.id, world.buyer.id]
  const { url } = await receiver(t, (response) => response.writeHead(500).end())
  const setting = { callback_url: url, topics: ['items'], overrides: { attempts_at: [0], off_after: 1 } }
  await control(`PUT /applications/${application.id}/notifications`, setting)
  await post('/items', { seller_id, id: 'MLA1' })
  await control('PATCH /items/MLA1', { price: 2 })
  await control('POST /settle')
  await post('/applications', { redirect_uri: 'http://localhost/other' })
  await post('/users', { site_id: 'MLA' })
  const question = { item_id: 'MLA1', from: buyer_id, text: '¿Hay?' }
  await post('/questions', question)
  await post('/questions', { ...question, answer: { text: 'Sí' }, date_created: '2026-03-01T13:00:00Z' })
  await post('/questions', { ...question, status: 'BANNED', date_created: '2026-03-01T12:59:59Z' })
  await post('/contacts', { kind: 'phone_view', item_id: 'MLA1', count: 3 })
  await post('/contacts', { kind: 'whatsapp', item_id: 'MLA1', at: '2026-03-01T13:00:00Z' })
  await post('/contacts', { kind: 'whatsapp', item_id: 'MLA1', at: '2026-03-01T12:59:59Z', count: 9 })
  const lead = { item_id: 'MLA1', buyer_id }
  await post('/loans', lead)
  await post('/loans', { ...lead, status: 'approved', expired: true })
  await post('/loans', { ...lead, status: 'rejected', date_created: '2026-01-31T12:30:00Z' })
  await post('/loans', { ...lead, date_created: '2026-01-31T12:30:00.001Z' })
  await control(`PATCH /users/${seller_id}`, { level_id: '5_green', address: { city: 'Buenos Aires' } })
  await post('/flex/subscriptions', { user_id: seller_id, status: 'in' })
  await post('/snapshots', { name: 'a' })
  await post('/faults', { match: { path: '/users/me' }, action: { status: 503 }, times: 1 })
  await post('/faults', { match: { path: '/sites' }, action: { drop: true }, enabled: false })
  await post('/faults', { match: { path: '/currencies' }, action: { delay: 0 } })
  for (const path of ['/users/me', '/users/me', '/currencies', '/nothing']) await seller.get(path)

  const { requests, minutes, deliveries, topics_off, ...rest } = await overview()
  t.strictSame(rest, {
    world: empty.world,
    clock: empty.clock,
    version: empty.version,
    questions: { by_status: { ...NO_QUESTIONS, UNANSWERED: 1, ANSWERED: 1, BANNED: 1 } },
    loans: { by_status: { approved: 1, rejected: 1, in_analysis: 2 }, expired: 2 },
    flex: { by_status: { in: 1, out: 0, pending: 0, creating: 0, activating: 0 } },
    contacts: { phone_views: 3, messaging_clicks: 1, questions: 2 },
    faults: { rules: 3, active: 1, hits: 2 },
    applications: 2,
    users: empty.users + 1,
    items: 1,
    orders: 0,
    snapshots: 1,
  })
  t.strictSame(requests, { total: 4, dropped: 0, by_status: { '2xx': 2, '3xx': 0, '4xx': 1, '5xx': 1, none: 0 } })
  t.equal(minutes.length, 10)
  t.equal(Date.parse(minutes[9].at) - Date.parse(minutes[0].at), 9 * 60_000)
  // The calls may have been before and after the end of a minute.
  const last = minutes.slice(-2)
  t.equal(last[0].total + last[1].total, 4)
  t.equal(last[0].refused + last[1].refused, 2)
  t.ok(last.every(({ total, p95_ms }: { total: number; p95_ms: number }) => total > 0 === (p95_ms !== null)))
  t.match(deliveries.by_status, { missed: 2 })
  t.strictSame(topics_off, [{ application_id: application.id, topic: 'items', since: '2026-03-02T12:30:00.000Z' }])

  await control('POST /clock/advance', { by: 'P1D' })
  t.match(await overview(), { contacts: empty.contacts, loans: { expired: 3 } })
  await control('POST /clock/advance', { by: '-3d' })
  t.match(await overview(), { contacts: empty.contacts, loans: { expired: 1 } })
})

t.test('agrees with the lists of a demo world', async (t) => {
  const { body } = await control('GET /overview')
  const total = async (path: string) => (await control(`GET ${path}limit=0`)).body.paging.total
  for (const [name, path] of [
    ['questions', '/questions'],
    ['loans', '/loans'],
    ['deliveries', '/deliveries'],
  ] as const)
    for (const [status, n] of Object.entries(body[name].by_status)) t.equal(n, await total(`${path}?status=${status}&`))
  t.equal(body.loans.expired, await total('/loans?expired=true&'))
  t.ok(body.loans.expired > 10)
  for (const name of ['users', 'items', 'orders', 'applications', 'snapshots'])
    t.equal(body[name], await total(`/${name}?`))
  const subscriptions = Object.values<number>(body.flex.by_status).reduce((sum, n) => sum + n)
  t.equal(subscriptions, await total('/flex/subscriptions?'))
  const since = new Date(NOW - 23 * 3_600_000).toISOString()
  const until = new Date(NOW + 1).toISOString()
  let views = 0
  for (const seller of app.sellers)
    views += (await seller.get(`/users/${seller.id}/contacts/phone_views?date_from=${since}&date_to=${until}`)).body
      .total
  t.ok(views > 0)
  t.equal(body.contacts.phone_views, views)
})

t.test('agrees with the lists after changes of notifications and leads of several applications', async (t) => {
  const { control, seller, application } = await app.createWorld()
  const send = async (request: string, body?: object) => {
    const answer = await control(request, body)
    t.ok(answer.status < 300, answer.text)
    return answer.body
  }
  const { id: other } = await send('POST /applications', { redirect_uri: 'http://localhost/other' })
  await send('POST /tokens', { user_id: seller.id, application_id: other })
  for (const [id, status] of [
    [application.id, 200],
    [other, 500],
  ]) {
    const { url } = await receiver(t, (response) => response.writeHead(status).end())
    const setting = { callback_url: url, topics: ['items'], overrides: { attempts_at: [0] } }
    await send(`PUT /applications/${id}/notifications`, setting)
  }
  const pause = (n: number) => send(`PATCH /items/MLA140000000${n}`, { status: 'paused' })
  for (const n of [1, 2, 3]) await pause(n)
  await send('POST /settle')
  const setting = { callback_url: 'http://127.0.0.1:9/', topics: ['items'], overrides: { attempts_at: [0, 60_000] } }
  await send(`PUT /applications/${other}/notifications`, setting)
  for (const n of [4, 5, 6]) await pause(n)
  await send('POST /settle')
  const { results } = await send('GET /deliveries?status=pending')
  await send(`POST /deliveries/${results[0].id}/drop`)
  await send(`POST /deliveries/${results[1].id}/hold`)
  for (const status of ['approved', 'rejected', 'rejected']) {
    const { id } = await send('POST /loans', { item_id: 'MLA1400000001' })
    await send('POST /loans', { item_id: 'MLA1400000001' })
    await send(`PATCH /loans/${id}`, { status })
  }
  const { deliveries, loans } = await send('GET /overview')
  const listed = async (path: string, statuses: object) =>
    Object.fromEntries(
      await Promise.all(
        Object.keys(statuses).map(async (status) => [
          status,
          (await send(`GET ${path}?limit=0&status=${status}`)).paging.total,
        ]),
      ),
    )
  t.strictSame(deliveries.by_status, await listed('/deliveries', deliveries.by_status))
  t.strictSame(loans.by_status, await listed('/loans', loans.by_status))
  t.strictSame(deliveries.by_status, { delivered: 6, missed: 3, pending: 1, held: 1, dropped: 1, silenced: 0 })
  t.ok(loans.by_status.in_analysis > 2 && loans.by_status.rejected > 1)
})

t.test('an unknown world', async (t) => {
  t.equal((await control('GET /overview', undefined, '/w/99')).status, 404)
})
