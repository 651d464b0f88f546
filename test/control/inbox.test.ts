import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import t, { type Test } from 'tap'
import { createGeneration, type World } from '../../db/world.ts'
import { MAX_ENTRIES, openInboxes } from '../../domains/notifications/inbox/inboxes.ts'
import { TOPICS } from '../../domains/shared/topics.ts'
import { type Answer, badRequest, bearer, ITEM, NOON, start, valuesOf } from '../support/app.ts'
import { expectAnswer } from '../support/questions.ts'
import { until } from '../support/until.ts'

const app = await start(t, { scenario: 'quiet' })
const DEFAULT = { status: 200, ms: 0 }

/** A world with the clock frozen at noon, whose application sends to the inbox. */
async function createWorld(t: Test, setting: object = {}) {
  const world = await app.createWorld({ scenario: 'quiet', now: NOON }, t)
  const { control: on, application } = world
  const path = `/applications/${application.id}/notifications`
  const { body: stored } = await on(`PUT ${path}`, { callback_url: 'inbox:', topics: ['items'], ...setting })
  const setStatus =
    (status: string) =>
    async (item = ITEM) => {
      await on(`PATCH /items/${item}`, { status })
      await on('POST /settle')
    }
  return {
    ...world,
    on,
    application: application.id,
    setting: () => on(`GET ${path}`),
    stored,
    pause: setStatus('paused'),
    activate: setStatus('active'),
    inbox: async (query = '') => (await on(`GET /inbox${query}`)).body,
    tries: async (id: number) => (await on(`GET /deliveries/${id}`)).body.tries,
  }
}

/** Real times are replaced by whether they are instants. */
const withoutRealTime = (list: Answer['body']) => ({
  ...list,
  results: list.results.map((one: { real_at: string }) => ({
    ...one,
    real_at: new Date(one.real_at).toISOString() === one.real_at,
  })),
})
const ids = ({ results }: Answer['body']): number[] => valuesOf(results, 'id')

t.test('stores each notification with the body that a receiver gets', async (t) => {
  const { on, application, seller, stored, pause, inbox, tries } = await createWorld(t)
  t.match(stored, { callback_url: 'inbox:', topics: ['items'], profile: 'ideal', topics_off: [] })
  t.strictSame(await inbox(), { paging: { total: 0, limit: 50, offset: 0 }, results: [], dropped: 0, answer: DEFAULT })
  await pause()
  const [delivery] = (await on('GET /deliveries')).body.results
  t.equal(delivery.status, 'delivered')
  t.strictSame(withoutRealTime(await inbox()), {
    paging: { total: 1, limit: 50, offset: 0 },
    results: [
      {
        id: 1,
        at: NOON,
        real_at: true,
        application_id: application,
        delivery_id: delivery.id,
        body: {
          _id: delivery._id,
          resource: `/items/${ITEM}`,
          user_id: seller.id,
          topic: 'items',
          application_id: application,
          attempts: 1,
          sent: NOON,
          received: NOON,
        },
        ...DEFAULT,
      },
    ],
    dropped: 0,
    answer: DEFAULT,
  })
  const [{ real_sent, request, ...only }, ...others] = await tries(delivery.id)
  t.strictSame([only, others], [{ n: 1, sent: NOON, url: 'inbox:', ms: 0, http_code: 200, body: '', error: null }, []])
  t.strictSame([request.headers, JSON.parse(request.body)], [{}, (await inbox()).results[0].body])
  t.ok(Math.abs(Date.parse(real_sent) - Date.now()) < 60_000)
})

t.test('answers with the set status and time; a failed attempt is retried and becomes a missed feed', async (t) => {
  const overrides = { attempts_at: [0, 60_000], off_after: 1 }
  const world = await createWorld(t, { profile: 'realistic', overrides })
  const { on, application, seller, pause, inbox, tries, setting } = world
  expectAnswer(t, await on('PUT /inbox', { status: 503 }), 200, { status: 503, ms: 0 })
  await pause()
  expectAnswer(t, await on('PUT /inbox', { status: 301, ms: 1 }), 200, { status: 301, ms: 1 })
  await on('POST /clock/advance', { by: '1m' })
  t.match(await inbox(), {
    results: [
      { id: 2, at: '2026-03-02T12:01:00.000Z', delivery_id: 1, body: { attempts: 2 }, status: 301, ms: 1 },
      { id: 1, at: NOON, delivery_id: 1, body: { attempts: 1 }, status: 503, ms: 0 },
    ],
    answer: { status: 301, ms: 1 },
  })
  t.match(await tries(1), [
    { n: 1, url: 'inbox:', http_code: 503, ms: 0, error: null },
    { n: 2, url: 'inbox:', http_code: 301, ms: 1, error: 'redirects are not followed' },
  ])
  t.equal((await on('GET /deliveries/1')).body.status, 'missed')
  const feeds = await seller.get(`/missed_feeds?app_id=${application}`)
  t.match(feeds.body.messages, [
    { resource: `/items/${ITEM}`, request: { url: 'inbox:' }, response: { http_code: 301, body: '' } },
  ])
  t.match((await setting()).body.topics_off, [{ topic: 'items' }])
  expectAnswer(t, await on('PUT /inbox', {}), 200, DEFAULT)
})

t.test('an answer after the time limit is a failed attempt', async (t) => {
  const { on, pause, inbox, tries } = await createWorld(t, { overrides: { limit_ms: 2, attempts_at: [0] } })
  await on('PUT /inbox', { ms: 3 })
  await pause()
  t.match(await inbox(), { results: [{ status: 200, ms: 3 }] })
  t.match(await tries(1), [{ n: 1, http_code: null, ms: 2, body: '', error: 'no answer within 2 ms' }])
  await on('PUT /inbox', { ms: 2 })
  await on('POST /deliveries/1/resend')
  await on('POST /settle')
  t.match(await tries(1), [{ n: 1 }, { n: 2, http_code: 200, ms: 2, error: null }])
})

t.test('notifications of a resource wait for each other, as with any receiver', async (t) => {
  const { on, pause, activate, inbox } = await createWorld(t, { overrides: { attempts_at: [0, 60_000] } })
  const resources = async () =>
    (await inbox()).results.map(({ body }: Answer['body']) => [body.resource, body.attempts])
  await on('PUT /inbox', { status: 500 })
  await pause()
  await on('PUT /inbox', {})
  await activate()
  await pause('MLA1400000002')
  const [first, second] = [`/items/${ITEM}`, '/items/MLA1400000002']
  t.strictSame(await resources(), [
    [second, 1],
    [first, 1],
  ])
  await on('POST /clock/advance', { by: '1m' })
  t.strictSame(await resources(), [
    [first, 1],
    [first, 2],
    [second, 1],
    [first, 1],
  ])
})

t.test('lists by application, topic and position; clears, and ids continue', async (t) => {
  const { on, application, pause, activate, inbox } = await createWorld(t, { topics: [...TOPICS] })
  await pause()
  await activate()
  await on('POST /questions', { item_id: ITEM, text: '¿Hay stock?' })
  await on('POST /settle')
  const all = ids(await inbox())
  t.strictSame(
    all,
    [...all].sort((a, b) => b - a),
    'the latest first',
  )
  const items = ids(await inbox('?topic=items'))
  t.equal(items.length, 2)
  t.ok(all.length > 2)
  t.strictSame((await inbox('?topic=leads-credits')).paging.total, 0)
  t.strictSame(ids(await inbox(`?application_id=${application}`)), all)
  t.strictSame((await inbox(`?application_id=${application + 1}`)).paging.total, 0)
  t.strictSame(ids(await inbox('?limit=2')), all.slice(0, 2))
  t.strictSame(ids(await inbox('?limit=1&offset=1')), all.slice(1, 2))
  const before = await inbox(`?before=${all[1]}`)
  t.strictSame(before.paging, { total: all.length - 2, limit: 50, offset: 0 })
  t.strictSame(ids(before), all.slice(2))
  const cleared = await on('DELETE /inbox')
  t.strictSame([cleared.status, cleared.text], [204, ''])
  t.strictSame(ids(await inbox()), [])
  await pause()
  t.strictSame(ids(await inbox()), [all[0]! + 1])
})

t.test('each state of a world has an inbox of its own', async (t) => {
  const { id, on, pause, activate, inbox, setting } = await createWorld(t)
  await pause()
  await on('POST /snapshots', { name: 'a' })
  await on('PUT /inbox', { status: 503 })
  const fork = await app.createWorld({ from: id }, t)
  const EMPTY = { paging: { total: 0 }, results: [], dropped: 0, answer: DEFAULT }
  t.match((await fork.control('GET /inbox')).body, EMPTY)
  await fork.control(`PATCH /items/${ITEM}`, { status: 'active' })
  await fork.control('POST /settle')
  t.match((await fork.control('GET /inbox')).body, { results: [{ id: 1 }] }, 'a fork has the setting')
  t.match(await inbox(), { results: [{ id: 1 }], answer: { status: 503 } })

  await on('POST /snapshots/a/restore')
  t.match(await inbox(), EMPTY)
  await activate()
  t.match(await inbox(), { results: [{ id: 1, status: 200 }] }, 'a snapshot has the setting')
  await on('POST /reset')
  t.match(await inbox(), EMPTY)
  t.equal((await setting()).status, 404)
})

t.test('world files contain the setting', async (t) => {
  const { on, pause, inbox, setting } = await createWorld(t)
  const file = (await on('GET /world')).body
  t.match(file.applications, [{ notifications: { callback_url: 'inbox:', topics: ['items'] } }])
  t.equal((await on('PUT /world', file)).status, 200)
  t.match((await setting()).body, { callback_url: 'inbox:' })
  await pause()
  t.match(await inbox(), { results: [{ id: 1 }] })
})

t.test('is a target of exposed servers, too, and opens no connection; similar texts are rejected', async (t) => {
  const exposed = await start(t, { isExposed: true, adminToken: 'secreto', scenario: 'quiet' })
  const on = (method: 'PUT' | 'PATCH' | 'POST' | 'GET', path: string, payload?: object) =>
    exposed.call({
      method,
      url: `/_sandbox${path}`,
      headers: bearer('secreto'),
      ...(payload && { payload: JSON.stringify(payload) }),
    })
  const setting = `/applications/${exposed.application.id}/notifications`
  const sockets: unknown[] = []
  const onSocket = (message: unknown) => sockets.push(message)
  subscribe('net.client.socket', onSocket)
  t.teardown(() => unsubscribe('net.client.socket', onSocket))
  t.equal((await on('PUT', setting, { callback_url: 'inbox:' })).status, 200)
  await on('PATCH', `/items/${ITEM}`, { status: 'paused' })
  await on('POST', '/settle')
  t.strictSame(sockets, [])
  t.equal((await on('GET', '/inbox')).body.paging.total, 1)
  const EXACTLY = 'callback_url: must be exactly inbox:, or a URL'
  const rows: [callback_url: string, message: string][] = [
    ['inbox', EXACTLY],
    ['inbox:x', EXACTLY],
    ['inbox://127.0.0.1/', EXACTLY],
    ['INBOX:', EXACTLY],
    [' inbox:', 'callback_url: must not contain blanks'],
    ['http://inbox:80@127.0.0.1/', 'callback_url: must not contain credentials'],
  ]
  for (const [callback_url, message] of rows)
    expectAnswer(t, await on('PUT', setting, { callback_url }), 400, badRequest(message))
  t.equal((await on('GET', setting)).body.callback_url, 'inbox:')
})

t.test('the server stops while the inbox has not answered yet', async (t) => {
  const stopped = await start(t, { scenario: 'quiet' })
  const { control } = stopped
  await control(`PUT /applications/${stopped.application.id}/notifications`, {
    callback_url: 'inbox:',
    overrides: { limit_ms: 60_000 },
  })
  await control('PUT /inbox', { ms: 60_000 })
  await control(`PATCH /items/${ITEM}`, { status: 'paused' })
  const count = async () => (await control('GET /inbox')).body.paging.total
  await until('a notification', async () => (await count()) > 0)
  t.equal(await count(), 1, 'received, not answered')
  await stopped.server.close()
})

t.test('memory is bounded, for each world and for all', async (t) => {
  const inboxes = openInboxes(MAX_ENTRIES + 500)
  const createState = () => ({ generation: createGeneration(), isRetired: false }) as World
  const [one, two, three] = [createState(), createState(), createState()]
  const receive = (world: World, count: number) => {
    for (let n = 0; n < count; n++)
      inboxes.receive(world, { at: n, delivery_id: n, application_id: 1, topic: 'items', body: '{}' })
  }
  const stateOf = ({ generation }: World) => {
    const { entries } = inboxes.of(generation)
    return [entries.values().length, entries.dropped, entries.values()[0]?.id]
  }
  receive(one, MAX_ENTRIES + 3)
  t.strictSame(stateOf(one), [MAX_ENTRIES, 3, 4])
  receive(two, 600)
  t.strictSame(stateOf(one), [900, 103, 104], 'the one that received last keeps its entries')
  t.strictSame(stateOf(two), [600, 0, 1])
  receive(one, 1)
  t.strictSame(stateOf(two), [599, 1, 2])
  for (const onEnd of one.generation.onEnd) onEnd({ change: 'deleted', name: null, keepsJournal: false }, undefined)
  t.strictSame(stateOf(one), [0, 0, undefined])
  receive(three, 901)
  t.strictSame(stateOf(two), [599, 1, 2], 'the entries of a state that has ended do not count')
  receive({ ...one, isRetired: true }, 1)
  t.strictSame(stateOf(one), [0, 0, undefined], 'a retired world receives nothing')
})
