import { createServer } from 'node:http'
import { mock } from 'node:test'
import t, { type Test } from 'tap'
import { publish } from '../../db/outbox.ts'
import { openSseResponse } from '../../domains/notifications/feed/sse_response.ts'
import { badRequest, start } from '../support/app.ts'
import { type Event, follow as openStream, urlOf } from '../support/event_stream.ts'
import { until } from '../support/until.ts'

const NOON = '2026-03-02T12:00:00.000Z'
const app = await start(t)
const { control } = app
await app.server.listen({ port: 0, host: '127.0.0.1' })

/** An event stream of this server. */
const follow = (t: Test, path: string, headers: Record<string, string> = {}, origin = urlOf(app.server)) =>
  openStream(t, `${origin}${path}`, headers)

async function createWorld(t: Test) {
  const { body } = await control('POST /worlds', { scenario: 'demo', now: NOON })
  const base = `/w/${body.world.id}`
  t.teardown(() => control(`DELETE /worlds/${body.world.id}`))
  return {
    id: body.world.id as number,
    base,
    application: body.application.id as number,
    seller: body.sellers[0].id as number,
    setStatus: (item: string, status: string) => control(`PATCH /items/${item}`, { status }, base),
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
  const receiver = createServer((_request, response) => void response.writeHead(503).end())
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    receiver.closeAllConnections()
    receiver.close()
  })
  const { base, application, seller, setStatus } = await createWorld(t)
  await setStatus('MLA1400000009', 'paused')
  const { response, events, until } = await follow(t, `${base}/_sandbox/events`)
  t.strictSame(
    [response.statusCode, response.headers['content-type'], response.headers['cache-control']],
    [200, 'text/event-stream; charset=utf-8', 'no-store'],
  )
  const callback_url = `http://127.0.0.1:${(receiver.address() as { port: number }).port}/`
  const path = `/applications/${application}/notifications`
  await control(`PUT ${path}`, { callback_url, profile: 'realistic' }, base)
  await setStatus('MLA1400000001', 'paused')
  await until(3)
  const [retry, published, { data, ...attempt }] = timeless(events) as [Event, Event, Event]
  t.strictSame(
    [retry, published, attempt],
    [{ retry: '1000' }, eventOf(2, 'MLA1400000001', seller, 3), { event: 'attempt' }],
  )
  const { ms, left_ms, real_sent, ...rest } = data
  t.ok(Math.abs(Date.now() - Date.parse(real_sent)) < 60_000)
  t.strictSame(rest, {
    delivery_id: 1,
    application_id: application,
    user_id: seller,
    topic: 'items',
    resource: '/items/MLA1400000001',
    status: 'pending',
    n: 1,
    http_code: 503,
    error: null,
    sent: NOON,
    limit_ms: 500,
    fact_id: 2,
  })
  t.equal(left_ms, 500 - ms)
  await control('POST /deliveries/1/resend', undefined, base)
  await until(4)
  t.strictSame([events[3]!.event, events[3]!.data.n, events.length], ['attempt', 2, 4])
})

t.test('replays missed events on reconnect, but no attempts', async (t) => {
  const { base, seller, setStatus } = await createWorld(t)
  for (const [n, item] of ['MLA1400000001', 'MLA1400000002', 'MLA1400000003'].entries())
    t.equal((await setStatus(item, 'paused')).status, 200, `change ${n + 1}`)
  const missed = [2, 3].map((n) => eventOf(n, `MLA140000000${n}`, seller))
  const cases: [path: string, headers: Record<string, string>][] = [
    ['', { 'last-event-id': '1' }],
    ['?last_event_id=1', {}],
    ['?last_event_id=0', { 'last-event-id': '1' }],
    ['?last_event_id=1', { 'last-event-id': '' }],
  ]
  for (const [query, headers] of cases) {
    const { events, until } = await follow(t, `${base}/_sandbox/events${query}`, headers)
    await until(3)
    t.strictSame(timeless(events.slice(1)), missed, `${query} ${JSON.stringify(headers)}`)
  }
  const ahead = await follow(t, `${base}/_sandbox/events?last_event_id=99`)
  await ahead.until(4)
  t.strictSame(
    timeless(ahead.events.slice(1)),
    [eventOf(1, 'MLA1400000001', seller), ...missed],
    'an id from another state replays everything',
  )
})

t.test('replays a long history completely and in order', async (t) => {
  const { id, base } = await createWorld(t)
  const acquired = (await app.worlds.acquire(id))!
  await acquired.tx(async (q) => {
    for (let n = 1; n <= 450; n++)
      await publish(q, { topic: 'items', resource: `/items/MLA${n}`, users: [], at: acquired.clock.now() })
  })
  app.worlds.release(acquired)
  const { events, until } = await follow(t, `${base}/_sandbox/events?last_event_id=0`)
  await until(451)
  t.strictSame(
    events.slice(1).map(({ data }) => data.id),
    Array.from({ length: 450 }, (_, n) => n + 1),
  )
})

t.test('reports a gap when events have been deleted', async (t) => {
  const { id, base } = await createWorld(t)
  const acquired = (await app.worlds.acquire(id))!
  const DAY = 24 * 3_600_000
  const write = (count: number, urlOf: number) =>
    acquired.tx(async (q) => {
      for (let n = 0; n < count; n++)
        await publish(q, { topic: 'items', resource: '/items/MLA1', users: [], at: urlOf })
    })
  const now = acquired.clock.now()
  // Every thousandth event deletes those older than two days. After the clock moved back an older id can be the later
  // event.
  await write(600, now)
  await write(100, now - 4 * DAY)
  await write(10, now)
  await write(290, now - 1 * DAY)
  app.worlds.release(acquired)
  const replay = async (after: number | string, count: number) => {
    const { events, until } = await follow(t, `${base}/_sandbox/events?last_event_id=${after}`)
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
  const { id, seller, setStatus } = await createWorld(t)
  await setStatus('MLA1400000001', 'paused')
  await setStatus('MLA1400000002', 'paused')
  const { body } = await control('POST /worlds', { from: id })
  const fork = `/w/${body.world.id}`
  t.teardown(() => control(`DELETE /worlds/${body.world.id}`))
  const reconnected = await follow(t, `${fork}/_sandbox/events?last_event_id=1`)
  const connected = await follow(t, `${fork}/_sandbox/events`)
  await Promise.all([reconnected.until(1), connected.until(1)])
  await control('PATCH /items/MLA1400000003', { status: 'paused' }, fork)
  await Promise.all([reconnected.until(3), connected.until(2)])
  const third = eventOf(3, 'MLA1400000003', seller, 1)
  t.strictSame(timeless(reconnected.events.slice(1)), [{ event: 'gap', id: '2', data: { after: 1, first: 3 } }, third])
  t.strictSame(timeless(connected.events.slice(1)), [third])
})

t.test('a stream does not keep the world acquired, and ends when the state is replaced', async (t) => {
  const { id, base } = await createWorld(t)
  const reset = await follow(t, `${base}/_sandbox/events`)
  const otherRefs = async () => {
    const acquired = (await app.worlds.acquire(id))!
    await until('the release of the world', () => acquired.refCount === 1)
    const others = acquired.refCount - 1
    app.worlds.release(acquired)
    return others
  }
  await reset.until(1)
  t.equal(await otherRefs(), 0)
  t.equal((await control('POST /reset', undefined, base)).status < 300, true)
  t.equal(await reset.ended, 'ended')
  const reopened = await follow(t, `${base}/_sandbox/events`)
  await control(`DELETE /worlds/${id}`)
  t.equal(await reopened.ended, 'ended')
})

t.test('sends heartbeats on an idle stream', async (t) => {
  const { base } = await createWorld(t)
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const { events, heartbeat, until } = await follow(t, `${base}/_sandbox/events`)
  await until(1)
  mock.timers.tick(15_000)
  await heartbeat(1)
  mock.timers.tick(15_000)
  await heartbeat(2)
  t.equal(events.length, 1)
})

t.test('disconnects a client that does not read', async (t) => {
  const { id, base } = await createWorld(t)
  const { response, ended } = await follow(t, `${base}/_sandbox/events`)
  response.pause()
  const acquired = (await app.worlds.acquire(id))!
  await acquired.tx(async (q) => {
    // More than the socket buffers of the system take.
    for (let n = 0; n < 40; n++)
      await publish(q, { topic: 'items', resource: 'x'.repeat(500_000), users: [], at: acquired.clock.now() })
  })
  app.worlds.release(acquired)
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
  const { ended } = await follow(t, '/_sandbox/events', {}, urlOf(other.server))
  await other.server.close()
  t.equal(await ended, 'ended')
  t.strictSame(other.faults, [])
})

t.test('reports no unexpected error', async (t) => {
  t.strictSame(app.faults, [])
})
