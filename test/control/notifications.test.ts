import t, { type Test } from 'tap'
import { PROFILES } from '../../domains/notifications/settings/profiles.ts'
import { TOPICS } from '../../domains/shared/topics.ts'
import { ITEM, NOON, notFound, start, valuesOf } from '../support/app.ts'
import { createSubscribedWorld } from '../support/deliveries.ts'
import { keptServers } from '../support/kept.ts'
import { FOREIGN } from '../support/questions.ts'
import { manualReceiver, type Notification, receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const app = await start(t)

/** A receiver that answers with `status`. */
async function createReceiver(t: Test, status = 200) {
  const target = await receiver(t, (response) => response.writeHead(status).end('{}'))
  return {
    ...target,
    /** Waits until it has received `count` notifications. */
    async until(count: number) {
      await until(`${count} notifications`, () => target.received.length >= count)
      return target.received
    },
  }
}

/** A world whose application is subscribed. */
async function createWorld(t: Test, callback_url: string, setting?: object) {
  const world = await createSubscribedWorld(t, app, callback_url, setting)
  return {
    ...world,
    ask: (text = '¿Hay?') => world.buyer.post('/questions', { item_id: ITEM, text }),
    missedFeeds: (path = '/missed_feeds') => world.seller.get(`${path}?app_id=${world.application.id}`),
    /** Deliveries of a status, once there are `count` of them. */
    async deliveriesWith(status: string, count: number) {
      const found = () => world.deliveries(`?status=${status}`)
      await until(`${count} deliveries that are ${status}`, async () => (await found()).length >= count)
      return found()
    },
  }
}

t.test('notifies the applications of seller and buyer of a question and lists it as delivered', async (t) => {
  const { url, until } = await createReceiver(t)
  const { seller, buyer, application, stored, setting, ask, deliveriesWith, delivery } = await createWorld(t, url)
  t.strictSame(stored, {
    application_id: application.id,
    callback_url: url,
    topics: [...TOPICS],
    profile: 'ideal',
    overrides: {},
    numbers: PROFILES.ideal,
    topics_off: [],
  })
  t.strictSame((await setting()).body, stored)
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
    sent: NOON,
    received: NOON,
  })
  t.equal(second.user_id, buyer.id)
  const [listed] = await deliveriesWith('delivered', 2)
  const { tries, waits_for, ...shown } = await delivery(listed.id)
  t.strictSame([shown, waits_for], [listed, null])
  const request = {
    headers: tries[0].request.headers,
    body: JSON.stringify(received.find(({ user_id }) => user_id === listed.user_id)),
  }
  t.equal(request.headers['content-type'], 'application/json')
  t.strictSame(
    tries.map(({ ms, real_sent, ...attempt }: { ms: number; real_sent: string }) => attempt),
    [{ n: 1, sent: NOON, url, request, http_code: 200, body: '{}', error: null }],
  )
})

t.test('attempts a failing receiver eight times within an hour of world time, then lists a missed feed', async (t) => {
  const { url, received, until } = await createReceiver(t, 500)
  const world = await createWorld(t, url, { topics: ['items'] })
  const { seller, ask, pause, settle, advance, delivery, deliveriesWith, missedFeeds } = world
  await ask()
  await pause('MLA1400000002')
  await until(1)
  const steps = ['PT15S', 'PT45S', 'PT2M', 'PT4M', 'PT8M', 'PT15M', 'PT30M']
  for (const [n, by] of steps.entries()) {
    await deliveriesWith('pending', 1)
    await settle()
    t.equal(received.length, n + 1, 'no retry while the clock is frozen')
    await advance(by)
    await until(n + 2)
  }
  const [missed] = await deliveriesWith('missed', 1)
  const times = ['12:00:00', '12:00:15', '12:01:00', '12:03:00', '12:07:00', '12:15:00', '12:30:00', '13:00:00']
  const sent = times.map((time) => `2026-03-02T${time}.000Z`)
  t.strictSame(valuesOf((await delivery(missed.id)).tries, 'sent'), sent)
  const attempts = times.map((_, n) => [n + 1, NOON])
  t.strictSame(valuesOf(received, 'attempts', 'sent'), attempts, 'every attempt has the time of the first')
  t.equal(new Set(received.map(({ _id }) => _id)).size, 1, 'every attempt has the same _id')
  t.equal(missed.resource, '/items/MLA1400000002')
  const feeds = await missedFeeds()
  t.equal(feeds.status, 200)
  const older = await missedFeeds('/myfeeds')
  t.strictSame([older.status, older.body], [200, feeds.body], 'the older name has the same answer')
  const [{ request, response, ...payload }] = feeds.body.messages
  t.equal(feeds.body.messages.length, 1)
  t.strictSame(payload, received.at(-1))
  t.strictSame(request, { url, headers: { 'content-type': 'application/json' }, data: JSON.stringify(payload) })
  t.strictSame([response.http_code, response.body], [500, '{}'])
  await advance('P2DT1S')
  t.strictSame((await missedFeeds()).body, { messages: [] }, 'the missed feed is gone after two days')
  t.strictSame((await seller.get('/missed_feeds?app_id=1')).body, FOREIGN)
})

t.test('a clock move stops at every instant at which an attempt is due', async (t) => {
  const { url, received } = await createReceiver(t, 500)
  const { control, pause, settle, advance, deliveriesWith } = await createWorld(t, url, { topics: ['items'] })
  await control('PATCH /assumptions/notifications.sent', { value: 'attempt' })
  await pause('MLA1400000005')
  await settle()
  await advance('PT5S')
  await pause('MLA1400000006')
  await settle()
  t.equal(received.length, 2)
  const moved = await advance('PT2H')
  t.strictSame([moved.status, moved.body], [200, { mode: 'frozen', now: '2026-03-02T14:00:05.000Z' }])
  t.equal(received.length, 16, 'all attempts are made when the call answers')
  const sent = valuesOf(received, 'sent')
  t.strictSame(sent, [...sent].sort(), 'in order of their due times')
  t.strictSame(
    received.filter(({ resource }) => resource.endsWith('6')).map(({ sent }) => sent.slice(11, 19)),
    ['12:00:05', '12:00:20', '12:01:05', '12:03:05', '12:07:05', '12:15:05', '12:30:05', '13:00:05'],
  )
  t.equal((await deliveriesWith('missed', 2)).length, 2)
})

t.test('moves pending retries back with the clock', async (t) => {
  const { url, received } = await createReceiver(t, 500)
  const { pause, settle, advance, delivery } = await createWorld(t, url, { topics: ['items'] })
  await pause()
  await settle()
  await advance('-P1D')
  t.equal((await delivery(1)).next_at, '2026-03-01T12:00:15.000Z')
  await advance('PT60S')
  const sent = [NOON, '2026-03-01T12:00:15.000Z', '2026-03-01T12:01:00.000Z']
  t.strictSame(valuesOf((await delivery(1)).tries, 'sent'), sent)
  t.strictSame([...new Set(valuesOf(received, 'sent'))], [NOON])
})

t.test('answers how far the clock has moved when the call does not wait', async (t) => {
  const { url, answer } = await manualReceiver(t)
  const { control, pause, advance } = await createWorld(t, url, { topics: ['items'] })
  await pause()
  const { status, body } = await control('POST /clock/advance', { by: 'PT10S', wait: 0 })
  t.strictSame([status, body], [202, { mode: 'frozen', now: NOON, pending: 1 }])
  await answer(500)
  const second = await advance('PT10S')
  t.equal(second.body.now, '2026-03-02T12:00:20.000Z', 'the first move ends before the second')
})

t.test('sends nothing after an application has unsubscribed', async (t) => {
  const { url, received } = await createReceiver(t)
  const { application, ask, setting, unsubscribe, settle, deliveries } = await createWorld(t, url)
  t.equal((await unsubscribe()).status, 204)
  const missing = notFound(`Application with id ${application.id} has no notification setting`)
  t.strictSame((await setting()).body, missing)
  t.strictSame((await unsubscribe()).body, missing)
  await ask()
  await settle()
  t.strictSame([received, await deliveries()], [[], []])
})

t.test('sends an attempt that was in flight at shutdown again, under the same number', async (t) => {
  const { open } = keptServers(t, { secret: true })
  const { url, received } = await receiver(t, (response, _, nth) => nth > 1 && response.end('{}'))
  const first = await open()
  const { id } = (await first.control('POST /users', { site_id: 'MLA' })).body
  await first.control('POST /tokens', { user_id: id, application_id: first.application.id })
  await first.control(`PUT /applications/${first.application.id}/notifications`, { callback_url: url })
  const item = { seller_id: id, title: 'Mate imperial', price: 100 }
  const { body: listed } = await first.control('POST /items', item)
  await first.control(`PATCH /items/${listed.id}`, { status: 'paused' })
  await until('the first attempt', () => received.length === 1)
  await first.server.close()
  const second = await open()
  await until('the second attempt', () => received.length > 1)
  await second.control('POST /settle')
  t.equal(received[0]!._id, received[1]!._id)
  t.strictSame([received[0]!.attempts, received[1]!.attempts], [1, 1])
  const { body } = await second.control('GET /deliveries/1')
  t.match([body.status, body.attempts, body.tries.length], ['delivered', 1, 1])
})

t.test('lists the settings of all applications', async (t) => {
  const { control, application, stored } = await createWorld(t, 'http://127.0.0.1:9/', { topics: ['items'] })
  const list = async (query = '') => (await control(`GET /notifications${query}`)).body
  t.strictSame(await list(), { paging: { total: 1, limit: 50, offset: 0 }, results: [stored] })
  const { body: other } = await control('POST /applications', { redirect_uri: 'http://localhost/' })
  t.strictSame((await list(`?application_id=${other.id}`)).results, [], 'it is not notified')
  await control(`PUT /applications/${other.id}/notifications`, { callback_url: 'inbox:' })
  const both = [application.id, other.id].sort((a, b) => a - b)
  t.strictSame(valuesOf((await list()).results, 'application_id'), both)
  t.strictSame((await list(`?application_id=${application.id}`)).results, [stored])
  t.strictSame(await list('?limit=0'), { paging: { total: 2, limit: 0, offset: 0 }, results: [] })
})

t.test('rejects invalid settings', async (t) => {
  const { control } = app
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
  t.equal((await control('PUT /applications/7/notifications', { callback_url: 'http://127.0.0.1/' })).status, 404)
  t.strictSame((await control('GET /deliveries/7')).body, notFound('Delivery with id 7 not found'))
})
