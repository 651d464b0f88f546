import { createServer } from 'node:http'
import { mock } from 'node:test'
import t, { type Test } from 'tap'
import { publish } from '../../db/outbox.ts'
import type { World } from '../../db/world.ts'
import { openSseResponse } from '../../domains/notifications/feed/sse_response.ts'
import { badRequest, DAY, ITEM, NOON, start } from '../support/app.ts'
import { type Event, follow as openStream, urlOf } from '../support/event_stream.ts'
import { receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const app = await start(t)
const { control } = app
await app.server.listen({ port: 0, host: '127.0.0.1' })

/** A world, and its event stream. */
async function createWorld(t: Test, settings?: object) {
  const world = await app.createWorld(settings, t)
  return {
    ...world,
    pause: (item: string) => world.control(`PATCH /items/${item}`, { status: 'paused' }),
    follow: (query = '', headers?: Record<string, string>) =>
      openStream(t, `${urlOf(app.server)}${world.base}/_sandbox/events${query}`, headers),
    /** Events that are there before any call. */
    async publishEvents(write: (world: World) => Promise<unknown>) {
      const acquired = (await app.worlds.acquire(world.id))!
      await write(acquired)
      app.worlds.release(acquired)
    },
  }
}
/** A change of a listing by the control call with the number `by`. */
const eventOf = (id: number, item: string, seller: number, by = id) => ({
  event: 'fact',
  id: String(id),
  data: {
    ...{ id, topic: 'items', resource: `/items/${item}`, users: [seller], at: NOON },
    cause: { kind: 'control', id: by },
  },
})

/** Events without the real times of facts, which must be there. */
const timeless = (events: Event[]) =>
  events.map(({ data, ...event }) => {
    if (event.event !== 'fact') return data === undefined ? event : { ...event, data }
    const { real_at, ...rest } = data
    return { ...event, data: new Date(real_at).toISOString() === real_at ? rest : data }
  })

t.test('streams events and delivery attempts as they happen', async (t) => {
  const { url: callback_url } = await receiver(t, (response) => response.writeHead(503).end())
  const { application, seller, control, pause, follow } = await createWorld(t)
  await pause('MLA1400000009')
  const { response, events, until } = await follow()
  t.strictSame(
    [response.statusCode, response.headers['content-type'], response.headers['cache-control']],
    [200, 'text/event-stream; charset=utf-8', 'no-store'],
  )
  await control(`PUT /applications/${application.id}/notifications`, { callback_url, profile: 'realistic' })
  await pause(ITEM)
  await until(3)
  const [retry, published, { data, ...attempt }] = timeless(events) as [Event, Event, Event]
  t.strictSame([retry, published, attempt], [{ retry: '1000' }, eventOf(2, ITEM, seller.id, 3), { event: 'attempt' }])
  const { ms, left_ms, real_sent, ...rest } = data
  t.ok(Math.abs(Date.now() - Date.parse(real_sent)) < 60_000)
  t.strictSame(rest, {
    delivery_id: 1,
    application_id: application.id,
    user_id: seller.id,
    topic: 'items',
    resource: `/items/${ITEM}`,
    status: 'pending',
    n: 1,
    http_code: 503,
    error: null,
    sent: NOON,
    limit_ms: 500,
    fact_id: 2,
  })
  t.equal(left_ms, 500 - ms)
  await control('POST /deliveries/1/resend')
  await until(4)
  t.strictSame([events[3]!.event, events[3]!.data.n, events.length], ['attempt', 2, 4])
})

t.test('replays missed events on reconnect, but no attempts', async (t) => {
  const { seller, pause, follow } = await createWorld(t)
  for (const n of [1, 2, 3]) t.equal((await pause(`MLA140000000${n}`)).status, 200, `change ${n}`)
  const [first, ...missed] = [1, 2, 3].map((n) => eventOf(n, `MLA140000000${n}`, seller.id))
  const cases: [query: string, headers: Record<string, string>][] = [
    ['', { 'last-event-id': '1' }],
    ['?last_event_id=1', {}],
    ['?last_event_id=0', { 'last-event-id': '1' }],
    ['?last_event_id=1', { 'last-event-id': '' }],
  ]
  for (const [query, headers] of cases) {
    const { events, until } = await follow(query, headers)
    await until(3)
    t.strictSame(timeless(events.slice(1)), missed, `${query} ${JSON.stringify(headers)}`)
  }
  const ahead = await follow('?last_event_id=99')
  await ahead.until(4)
  t.strictSame(timeless(ahead.events.slice(1)), [first, ...missed], 'an id from another state replays everything')
})

t.test('replays a long history completely and in order', async (t) => {
  const { publishEvents, follow } = await createWorld(t)
  await publishEvents(({ tx, clock }) =>
    tx(async (q) => {
      for (let n = 1; n <= 450; n++)
        await publish(q, { topic: 'items', resource: `/items/MLA${n}`, users: [], at: clock.now() })
    }),
  )
  const { events, until } = await follow('?last_event_id=0')
  await until(451)
  t.strictSame(
    events.slice(1).map(({ data }) => data.id),
    Array.from({ length: 450 }, (_, n) => n + 1),
  )
})

t.test('reports a gap when events have been deleted', async (t) => {
  const { publishEvents, follow } = await createWorld(t)
  // Every thousandth event deletes those older than two days. After the clock moved back an older id can be the later
  // event.
  const groups = [
    { count: 600, age: 0 },
    { count: 100, age: 4 * DAY },
    { count: 10, age: 0 },
    { count: 290, age: DAY },
  ]
  await publishEvents(async ({ tx, clock }) => {
    for (const { count, age } of groups)
      await tx(async (q) => {
        for (let n = 0; n < count; n++)
          await publish(q, { topic: 'items', resource: '/items/MLA1', users: [], at: clock.now() - age })
      })
  })
  const replay = async (after: number | string, count: number) => {
    const { events, until } = await follow(`?last_event_id=${after}`)
    await until(count + 1)
    return events.slice(1).map(({ event, id, data }) => (event === 'gap' ? { id, ...data } : data.id))
  }
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)
  const gap = { id: '700', after: 600, first: 701 }
  t.strictSame(await replay(0, 901), [...range(1, 600), gap, ...range(701, 1000)])
  t.strictSame(await replay(598, 303), [599, 600, gap, ...range(701, 1000)])
  t.strictSame(await replay(650, 301), [{ ...gap, after: 650 }, ...range(701, 1000)])
  t.strictSame(await replay(700, 300), range(701, 1000), 'a gap that was seen is not reported again')
  t.strictSame(await replay(999, 1), [1000])
})

t.test('a fork has no events of its origin and continues its ids', async (t) => {
  const { id, seller, pause } = await createWorld(t)
  await pause(ITEM)
  await pause('MLA1400000002')
  const fork = await createWorld(t, { from: id })
  const reconnected = await fork.follow('?last_event_id=1')
  const connected = await fork.follow()
  await Promise.all([reconnected.until(1), connected.until(1)])
  await fork.pause('MLA1400000003')
  await Promise.all([reconnected.until(3), connected.until(2)])
  const third = eventOf(3, 'MLA1400000003', seller.id, 1)
  t.strictSame(timeless(reconnected.events.slice(1)), [{ event: 'gap', id: '2', data: { after: 1, first: 3 } }, third])
  t.strictSame(timeless(connected.events.slice(1)), [third])
})

t.test('a stream does not keep the world acquired, and ends when the state is replaced', async (t) => {
  const { id, control, follow } = await createWorld(t)
  const reset = await follow()
  const otherRefs = async () => {
    const acquired = (await app.worlds.acquire(id))!
    await until('the release of the world', () => acquired.refCount === 1)
    const others = acquired.refCount - 1
    app.worlds.release(acquired)
    return others
  }
  await reset.until(1)
  t.equal(await otherRefs(), 0)
  t.equal((await control('POST /reset')).status, 204)
  t.equal(await reset.ended, 'ended')
  const reopened = await follow()
  await app.control(`DELETE /worlds/${id}`)
  t.equal(await reopened.ended, 'ended')
})

t.test('sends heartbeats on an idle stream', async (t) => {
  const { follow } = await createWorld(t)
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const { events, heartbeat, until } = await follow()
  await until(1)
  mock.timers.tick(15_000)
  await heartbeat(1)
  mock.timers.tick(15_000)
  await heartbeat(2)
  t.equal(events.length, 1)
})

t.test('disconnects a client that does not read', async (t) => {
  const { publishEvents, follow } = await createWorld(t)
  const { response, ended } = await follow()
  response.pause()
  await publishEvents(({ tx, clock }) =>
    tx(async (q) => {
      // More than the socket buffers of the system take.
      for (let n = 0; n < 40; n++)
        await publish(q, { topic: 'items', resource: 'x'.repeat(500_000), users: [], at: clock.now() })
    }),
  )
  response.resume()
  t.equal(await ended, 'cut off')
})

t.test('writes nothing to a response that has ended', async (t) => {
  const server = createServer((_request, response) => {
    response.on('error', (error) => t.fail(error.message))
    const stream = openSseResponse(response)
    response.end()
    t.equal(stream.isOpen(), false)
    stream.write('data: late\n\n')
  })
  t.teardown(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.equal(await (await fetch(urlOf({ server }))).text(), 'retry: 1000\n\n')
})

t.test('rejects invalid event ids', async (t) => {
  const invalidId = badRequest('last_event_id: must be an integer from 0')
  t.strictSame((await control('GET /events?last_event_id=-1')).body, invalidId)
  t.strictSame((await control('GET /events?last_event_id=x')).body, invalidId)
  for (const id of ['x', '-1', '1e3', '99999999999999999999']) {
    const { body } = await app.call({ url: '/_sandbox/events', headers: { 'last-event-id': id } })
    t.strictSame(body, badRequest('Last-Event-ID: must be an integer from 0'), id)
  }
  t.equal((await control('GET /events', undefined, '/w/999')).status, 404)
  const posted = await control('POST /events')
  t.strictSame([posted.status, posted.headers.allow], [405, 'GET'])
})

t.test('closes the server while a client listens', async (t) => {
  const other = await start(t)
  await other.server.listen({ port: 0, host: '127.0.0.1' })
  const { ended } = await openStream(t, `${urlOf(other.server)}/_sandbox/events`)
  await other.server.close()
  t.equal(await ended, 'ended')
})
