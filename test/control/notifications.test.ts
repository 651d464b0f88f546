import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createTemporaryFolder, openDataFolder } from '../../db/folders.ts'
import { PROFILES } from '../../domains/notifications/settings/profiles.ts'
import { TOPICS } from '../../domains/shared/topics.ts'
import { bearer, errorBody, notFound, start } from '../support/app.ts'
import { type Notification, receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const app = await start(t)
const { control, call } = app

/** A receiver that answers with the status of `answer`, 200 by default, after `before`. */
async function createReceiver(t: Test, answer: (n: number) => number = () => 200, before = async () => {}) {
  const target = await receiver(t, async (response, _, nth) => {
    await before()
    response.writeHead(answer(nth)).end('{}')
  })
  return {
    ...target,
    /** Waits until it has received `count` notifications. */
    async until(count: number) {
      await until(`${count} notifications`, () => target.received.length >= count)
      return target.received
    },
  }
}

/** A new world whose application is subscribed. */
async function createSubscribedWorld(t: Test, callback_url: string, more: object = {}) {
  const { body } = await control('POST /worlds', { scenario: 'demo', now: '2026-03-02T12:00:00Z' })
  const base = `/w/${body.world.id}`
  t.teardown(() => control(`DELETE /worlds/${body.world.id}`))
  const setting = await control(
    `PUT /applications/${body.application.id}/notifications`,
    { callback_url, ...more },
    base,
  )
  t.equal(setting.status, 200)
  const [seller, buyer] = [body.sellers[0], body.buyers[0]]
  const ask = (text = '¿Hay?') =>
    call({
      method: 'POST',
      url: '/questions',
      headers: bearer(buyer.token),
      payload: JSON.stringify({ item_id: 'MLA1400000001', text }),
    })
  /** Deliveries of a status, oldest first, once there are `count` of them. */
  const deliveriesWith = (status: string, count: number) =>
    until(`${count} deliveries that are ${status}`, async () => {
      const { body } = await control(`GET /deliveries?status=${status}`, undefined, base)
      return body.paging.total >= count && body.results.reverse()
    })
  return { base, seller, buyer, application: body.application, setting: setting.body, ask, deliveriesWith }
}

t.test('notifies the applications of seller and buyer of a question and lists it as delivered', async (t) => {
  const { url, until } = await createReceiver(t)
  const { base, seller, buyer, application, setting, ask, deliveriesWith } = await createSubscribedWorld(t, url)
  t.strictSame(setting, {
    application_id: application.id,
    callback_url: url,
    topics: [...TOPICS],
    profile: 'ideal',
    overrides: {},
    numbers: PROFILES.ideal,
    topics_off: [],
  })
  t.strictSame((await control(`GET /applications/${application.id}/notifications`, undefined, base)).body, setting)
  const { body: question } = await ask()
  const received = await until(2)
  const [first, second] = [...received].sort((a, b) => a.user_id - b.user_id) as [Notification, Notification]
  t.match(first._id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  t.not(first._id, second._id)
  const { _id, ...rest } = first
  t.strictSame(rest, {
    resource: `/questions/${question.id}`,
    user_id: seller.id,
    topic: 'questions',
    application_id: application.id,
    attempts: 1,
    sent: '2026-03-02T12:00:00.000Z',
    received: '2026-03-02T12:00:00.000Z',
  })
  t.equal(second.user_id, buyer.id)
  const [delivery] = await deliveriesWith('delivered', 2)
  const { tries, waits_for, ...listed } = (await control(`GET /deliveries/${delivery.id}`, undefined, base)).body
  t.strictSame([listed, waits_for], [delivery, null])
  const request = {
    headers: tries[0].request.headers,
    body: JSON.stringify(received.find(({ user_id }) => user_id === delivery.user_id)),
  }
  t.equal(request.headers['content-type'], 'application/json')
  t.strictSame(
    tries.map(({ ms, real_sent, ...attempt }: { ms: number; real_sent: string }) => attempt),
    [{ n: 1, sent: '2026-03-02T12:00:00.000Z', url, request, http_code: 200, body: '{}', error: null }],
  )
})

t.test('attempts a failing receiver eight times within an hour of world time, then lists a missed feed', async (t) => {
  const { url, received, until } = await createReceiver(t, () => 500)
  const { base, seller, application, ask, deliveriesWith } = await createSubscribedWorld(t, url, { topics: ['items'] })
  await ask()
  await control('PATCH /items/MLA1400000002', { status: 'paused' }, base)
  await until(1)
  const steps = ['PT15S', 'PT45S', 'PT2M', 'PT4M', 'PT8M', 'PT15M', 'PT30M']
  for (const [n, by] of steps.entries()) {
    await deliveriesWith('pending', 1)
    await control('POST /settle', undefined, base)
    t.equal(received.length, n + 1, 'no retry while the clock is frozen')
    await control('POST /clock/advance', { by }, base)
    await until(n + 2)
  }
  const [missed] = await deliveriesWith('missed', 1)
  const times = ['12:00:00', '12:00:15', '12:01:00', '12:03:00', '12:07:00', '12:15:00', '12:30:00', '13:00:00']
  const { tries } = (await control(`GET /deliveries/${missed.id}`, undefined, base)).body
  t.strictSame(
    tries.map(({ sent }: { sent: string }) => sent),
    times.map((time) => `2026-03-02T${time}.000Z`),
  )
  t.strictSame(
    received.map(({ attempts, sent }) => [attempts, sent]),
    times.map((_, n) => [n + 1, '2026-03-02T12:00:00.000Z']),
    'every attempt has the time of the first',
  )
  t.equal(new Set(received.map(({ _id }) => _id)).size, 1, 'every attempt has the same _id')
  t.equal(missed.resource, '/items/MLA1400000002')
  const feeds = await call({ url: `/missed_feeds?app_id=${application.id}`, headers: bearer(seller.token) })
  t.equal(feeds.status, 200)
  const older = await call({ url: `/myfeeds?app_id=${application.id}`, headers: bearer(seller.token) })
  t.strictSame([older.status, older.body], [200, feeds.body], 'the older name has the same answer')
  const [{ request, response, ...payload }] = feeds.body.messages
  t.equal(feeds.body.messages.length, 1)
  t.strictSame(payload, received.at(-1))
  t.strictSame(request, { url, headers: { 'content-type': 'application/json' }, data: JSON.stringify(payload) })
  t.strictSame([response.http_code, response.body], [500, '{}'])
  await control('POST /clock/advance', { by: 'P2DT1S' }, base)
  const later = await call({ url: `/missed_feeds?app_id=${application.id}`, headers: bearer(seller.token) })
  t.strictSame(later.body, { messages: [] }, 'the missed feed is gone after two days')
  const foreign = await call({ url: '/missed_feeds?app_id=1', headers: bearer(seller.token) })
  t.strictSame(foreign.body, errorBody(403, 'access_denied', 'access to the requested resource is forbidden'))
})

t.test('a clock move stops at every instant at which an attempt is due', async (t) => {
  const { url, received } = await createReceiver(t, () => 500)
  const { base, deliveriesWith } = await createSubscribedWorld(t, url, { topics: ['items'] })
  await control('PATCH /assumptions/notifications.sent', { value: 'attempt' }, base)
  await control('PATCH /items/MLA1400000005', { status: 'paused' }, base)
  await control('POST /settle', undefined, base)
  await control('POST /clock/advance', { by: 'PT5S' }, base)
  await control('PATCH /items/MLA1400000006', { status: 'paused' }, base)
  await control('POST /settle', undefined, base)
  t.equal(received.length, 2)
  const moved = await control('POST /clock/advance', { by: 'PT2H' }, base)
  t.strictSame([moved.status, moved.body], [200, { mode: 'frozen', now: '2026-03-02T14:00:05.000Z' }])
  t.equal(received.length, 16, 'all attempts are made when the call answers')
  const sent = received.map(({ sent }) => sent)
  t.strictSame(sent, [...sent].sort(), 'in order of their due times')
  t.strictSame(
    received.filter(({ resource }) => resource.endsWith('6')).map(({ sent }) => sent.slice(11, 19)),
    ['12:00:05', '12:00:20', '12:01:05', '12:03:05', '12:07:05', '12:15:05', '12:30:05', '13:00:05'],
  )
  t.equal((await deliveriesWith('missed', 2)).length, 2)
})

t.test('moves pending retries back with the clock', async (t) => {
  const { url, received } = await createReceiver(t, () => 500)
  const { base } = await createSubscribedWorld(t, url, { topics: ['items'] })
  await control('PATCH /items/MLA1400000005', { status: 'paused' }, base)
  await control('POST /settle', undefined, base)
  await control('POST /clock/advance', { by: '-P1D' }, base)
  const [delivery] = (await control('GET /deliveries', undefined, base)).body.results
  t.equal(delivery.next_at, '2026-03-01T12:00:15.000Z')
  await control('POST /clock/advance', { by: 'PT60S' }, base)
  const { tries } = (await control(`GET /deliveries/${delivery.id}`, undefined, base)).body
  t.strictSame(
    tries.map(({ sent }: { sent: string }) => sent),
    ['2026-03-02T12:00:00.000Z', '2026-03-01T12:00:15.000Z', '2026-03-01T12:01:00.000Z'],
  )
  t.strictSame([...new Set(received.map(({ sent }) => sent))], ['2026-03-02T12:00:00.000Z'])
})

t.test('answers how far the clock has moved when the call does not wait', async (t) => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const { url } = await createReceiver(
    t,
    () => 500,
    () => opened,
  )
  const { base } = await createSubscribedWorld(t, url, { topics: ['items'] })
  await control('PATCH /items/MLA1400000005', { status: 'paused' }, base)
  const { status, body } = await control('POST /clock/advance', { by: 'PT10S', wait: 0 }, base)
  t.strictSame([status, body], [202, { mode: 'frozen', now: '2026-03-02T12:00:00.000Z', pending: 1 }])
  open()
  const second = await control('POST /clock/advance', { by: 'PT10S' }, base)
  t.equal(second.body.now, '2026-03-02T12:00:20.000Z', 'the first move ends before the second')
})

t.test('sends nothing after an application has unsubscribed', async (t) => {
  const { url, received } = await createReceiver(t)
  const { base, application, ask } = await createSubscribedWorld(t, url)
  t.equal((await control(`DELETE /applications/${application.id}/notifications`, undefined, base)).status, 204)
  const missing = notFound(`Application with id ${application.id} has no notification setting`)
  t.strictSame((await control(`GET /applications/${application.id}/notifications`, undefined, base)).body, missing)
  t.strictSame((await control(`DELETE /applications/${application.id}/notifications`, undefined, base)).body, missing)
  await ask()
  await control('POST /settle', undefined, base)
  t.strictSame(received, [])
  t.equal((await control('GET /deliveries', undefined, base)).body.paging.total, 0)
})

t.test('sends an attempt that was in flight at shutdown again, under the same number', async (t) => {
  const parent = createTemporaryFolder(tmpdir())
  t.teardown(() => parent.release())
  const startKept = async () =>
    start(t, { folder: openDataFolder(join(parent.path, 'kept')), mode: 'kept', secret: true, scenario: 'empty' })
  const blocked = Promise.withResolvers<void>()
  t.teardown(blocked.resolve)
  let isFirst = true
  const { url, received, until } = await createReceiver(
    t,
    () => 200,
    async () => {
      if (isFirst) await blocked.promise
    },
  )
  const first = await startKept()
  const { id } = (await first.control('POST /users', { site_id: 'MLA' })).body
  await first.control('POST /tokens', { user_id: id, application_id: first.application.id })
  await first.control(`PUT /applications/${first.application.id}/notifications`, { callback_url: url })
  const item = { seller_id: id, title: 'Mate imperial', price: 100 }
  const { body: listed } = await first.control('POST /items', item)
  await first.control(`PATCH /items/${listed.id}`, { status: 'paused' })
  await until(1)
  await first.server.close()
  isFirst = false
  const second = await startKept()
  await until(2)
  await second.control('POST /settle')
  t.equal(received[0]!._id, received[1]!._id)
  t.strictSame([received[0]!.attempts, received[1]!.attempts], [1, 1])
  const { body } = await second.control('GET /deliveries/1')
  t.match([body.status, body.attempts, body.tries.length], ['delivered', 1, 1])
})

t.test('lists the settings of all applications', async (t) => {
  const { base, application, setting } = await createSubscribedWorld(t, 'http://127.0.0.1:9/', { topics: ['items'] })
  const list = async (query = '') => (await control(`GET /notifications${query}`, undefined, base)).body
  t.strictSame(await list(), { paging: { total: 1, limit: 50, offset: 0 }, results: [setting] })
  const { body: other } = await control('POST /applications', { redirect_uri: 'http://localhost/' }, base)
  t.strictSame((await list(`?application_id=${other.id}`)).results, [], 'it is not notified')
  await control(`PUT /applications/${other.id}/notifications`, { callback_url: 'inbox:' }, base)
  t.strictSame(
    (await list()).results.map((one: { application_id: number }) => one.application_id),
    [application.id, other.id].sort((a, b) => a - b),
  )
  t.strictSame((await list(`?application_id=${application.id}`)).results, [setting])
  t.strictSame(await list('?limit=0'), { paging: { total: 2, limit: 0, offset: 0 }, results: [] })
})

t.test('rejects invalid settings', async (t) => {
  const path = `PUT /applications/${app.application.id}/notifications`
  const invalid: [body: object, message: RegExp][] = [
    [{ callback_url: 'ftp://127.0.0.1/' }, /^callback_url: must begin with http/],
    [{ callback_url: 'http://10.0.0.1/' }, /^callback_url: /],
    [{ callback_url: 'http://example.com/' }, /^callback_url: /],
    [{ callback_url: 'http://127.0.0.1/', topics: ['orders'] }, /^topics: /],
  ]
  for (const [body, message] of invalid) {
    const answer = await control(path, body)
    t.match(answer.body, { status: 400, error: 'bad_request', message })
  }
  t.strictSame(
    (await control('PUT /applications/7/notifications', { callback_url: 'http://127.0.0.1/' })).body.status,
    404,
  )
  t.strictSame((await control('GET /deliveries/7')).body, notFound('Delivery with id 7 not found'))
})
