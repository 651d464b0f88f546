import { createServer, type IncomingMessage, request } from 'node:http'
import { mock } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { publish } from '../../db/outbox.ts'
import { start } from '../support/app.ts'

const NOON = '2026-03-02T12:00:00.000Z'
const app = await start(t)
const { control } = app
await app.server.listen({ port: 0, host: '127.0.0.1' })
const at = (server = app.server) => `http://127.0.0.1:${(server.server.address() as { port: number }).port}`

interface Event {
  event?: string
  id?: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any event
  data?: any
  retry?: string
}

/** A stream as a client reads it. */
async function follow(t: Test, path: string, headers: Record<string, string> = {}, origin = at(), method = 'GET') {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${origin}${path}`, { method, headers, agent: false }, resolve).on('error', reject).end()
  })
  t.teardown(() => response.destroy())
  const events: Event[] = []
  let text = ''
  let heartbeats = 0
  let news = Promise.withResolvers<void>()
  const tell = () => {
    news.resolve()
    news = Promise.withResolvers<void>()
  }
  response.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      if (lines[0] === ':') heartbeats++
      else {
        const event = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2)))
        events.push(event.data === undefined ? event : { ...event, data: JSON.parse(event.data) })
      }
    }
    tell()
  })
  const over = new Promise<string>((resolve) => {
    response.once('end', () => resolve('ended')).once('error', () => resolve('cut off'))
  })
  const until = async (enough: () => boolean) => {
    while (!enough()) await news.promise
  }
  return {
    response,
    events,
    over,
    until: (count: number) => until(() => events.length >= count),
    heartbeat: (count: number) => until(() => heartbeats >= count),
  }
}

async function world(t: Test) {
  const { body } = await control('POST /worlds', { scenario: 'demo', now: NOON })
  const base = `/w/${body.world.id}`
  t.teardown(() => control(`DELETE /worlds/${body.world.id}`))
  return {
    id: body.world.id as number,
    base,
    application: body.application.id as number,
    seller: body.sellers[0].id as number,
    set: (item: string, status: string) => control(`PATCH /items/${item}`, { status }, base),
  }
}
const fact = (id: number, item: string, seller: number) => ({
  event: 'fact',
  id: String(id),
  data: { id, topic: 'items', resource: `/items/${item}`, users: [seller], at: NOON },
})

t.test('facts and attempts are told as they happen', async (t) => {
  const receiver = createServer((_request, response) => void response.writeHead(503).end())
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    receiver.closeAllConnections()
    receiver.close()
  })
  const { base, application, seller, set } = await world(t)
  await set('MLA1400000009', 'paused')
  const { response, events, until } = await follow(t, `${base}/_sandbox/events`)
  t.strictSame(
    [response.statusCode, response.headers['content-type'], response.headers['cache-control']],
    [200, 'text/event-stream; charset=utf-8', 'no-store'],
  )
  const callback_url = `http://127.0.0.1:${(receiver.address() as { port: number }).port}/`
  const path = `/applications/${application}/notifications`
  await control(`PUT ${path}`, { callback_url, profile: 'realistic' }, base)
  await set('MLA1400000001', 'paused')
  await until(3)
  const [retry, told, { data, ...attempt }] = events as [Event, Event, Event]
  t.strictSame([retry, told, attempt], [{ retry: '1000' }, fact(2, 'MLA1400000001', seller), { event: 'attempt' }])
  const { ms, left_ms, ...rest } = data
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
  })
  t.equal(left_ms, 500 - ms)
  await control('POST /deliveries/1/resend', undefined, base)
  await until(4)
  t.strictSame([events[3]!.event, events[3]!.data.n, events.length], ['attempt', 2, 4])
})

t.test('who comes again gets the facts that were missed, and no attempt twice', async (t) => {
  const { base, seller, set } = await world(t)
  for (const [n, item] of ['MLA1400000001', 'MLA1400000002', 'MLA1400000003'].entries())
    t.equal((await set(item, 'paused')).status, 200, `change ${n + 1}`)
  const missed = [2, 3].map((n) => fact(n, `MLA140000000${n}`, seller))
  const by: [path: string, headers: Record<string, string>][] = [
    ['', { 'last-event-id': '1' }],
    ['?last_event_id=1', {}],
    ['?last_event_id=0', { 'last-event-id': '1' }],
    ['?last_event_id=1', { 'last-event-id': '' }],
  ]
  for (const [query, headers] of by) {
    const { events, until } = await follow(t, `${base}/_sandbox/events${query}`, headers)
    await until(3)
    t.strictSame(events.slice(1), missed, `${query} ${JSON.stringify(headers)}`)
  }
  const ahead = await follow(t, `${base}/_sandbox/events?last_event_id=99`)
  await ahead.until(4)
  t.strictSame(
    ahead.events.slice(1),
    [fact(1, 'MLA1400000001', seller), ...missed],
    'it was another state that said 99',
  )
})

t.test('a long past is told whole and in order', async (t) => {
  const { id, base } = await world(t)
  const held = (await app.worlds.acquire(id))!
  await held.tx(async (q) => {
    for (let n = 1; n <= 450; n++)
      await publish(q, { topic: 'items', resource: `/items/MLA${n}`, users: [], at: held.clock.now() })
  })
  app.worlds.release(held)
  const { events, until } = await follow(t, `${base}/_sandbox/events?last_event_id=0`)
  await until(451)
  t.strictSame(
    events.slice(1).map(({ data }) => data.id),
    Array.from({ length: 450 }, (_, n) => n + 1),
  )
})

t.test('who comes too late for some facts is told so', async (t) => {
  const { id, base } = await world(t)
  const held = (await app.worlds.acquire(id))!
  const DAY = 24 * 3_600_000
  const write = (count: number, at: number) =>
    held.tx(async (q) => {
      for (let n = 0; n < count; n++) await publish(q, { topic: 'items', resource: '/items/MLA1', users: [], at })
    })
  const now = held.clock.now()
  // Every thousandth sweeps what is older than two days; a clock that was put back lets an older id be the later fact.
  await write(600, now)
  await write(100, now - 4 * DAY)
  await write(10, now)
  await write(290, now - 1 * DAY)
  app.worlds.release(held)
  const seen = async (after: number | string, count: number) => {
    const { events, until } = await follow(t, `${base}/_sandbox/events?last_event_id=${after}`)
    await until(count + 1)
    return events.slice(1).map(({ event, id, data }) => (event === 'gap' ? { id, ...data } : data.id))
  }
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)
  const gap = { id: '700', after: 600, first: 701 }
  t.strictSame(await seen(0, 901), [...range(1, 600), gap, ...range(701, 1000)])
  t.strictSame(await seen(598, 303), [599, 600, gap, ...range(701, 1000)])
  t.strictSame(await seen(650, 301), [{ ...gap, after: 650 }, ...range(701, 1000)])
  t.strictSame(await seen(700, 300), range(701, 1000), 'who saw the gap is not told of it again')
  t.strictSame(await seen(999, 1), [1000])
})

t.test('a fork keeps no facts of the world that it was made of, and gives on from its ids', async (t) => {
  const { id, seller, set } = await world(t)
  await set('MLA1400000001', 'paused')
  await set('MLA1400000002', 'paused')
  const { body } = await control('POST /worlds', { from: id })
  const fork = `/w/${body.world.id}`
  t.teardown(() => control(`DELETE /worlds/${body.world.id}`))
  const late = await follow(t, `${fork}/_sandbox/events?last_event_id=1`)
  const fresh = await follow(t, `${fork}/_sandbox/events`)
  await Promise.all([late.until(1), fresh.until(1)])
  await control('PATCH /items/MLA1400000003', { status: 'paused' }, fork)
  await Promise.all([late.until(3), fresh.until(2)])
  const third = fact(3, 'MLA1400000003', seller)
  t.strictSame(late.events.slice(1), [{ event: 'gap', id: '2', data: { after: 1, first: 3 } }, third])
  t.strictSame(fresh.events.slice(1), [third])
})

t.test('a stream holds no world, and ends with its state', async (t) => {
  const { id, base } = await world(t)
  const reset = await follow(t, `${base}/_sandbox/events`)
  const settled = async () => {
    const held = (await app.worlds.acquire(id))!
    for (let waited = 0; held.refCount > 1 && waited < 500; waited++) await setTimeout(10)
    const others = held.refCount - 1
    app.worlds.release(held)
    return others
  }
  await reset.until(1)
  t.equal(await settled(), 0)
  t.equal((await control('POST /reset', undefined, base)).status < 300, true)
  t.equal(await reset.over, 'ended')
  const again = await follow(t, `${base}/_sandbox/events`)
  await control(`DELETE /worlds/${id}`)
  t.equal(await again.over, 'ended')
})

t.test('a heartbeat keeps a silent stream alive', async (t) => {
  const { base } = await world(t)
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

t.test('a client that does not read is dropped', async (t) => {
  const { id, base } = await world(t)
  const { response, over } = await follow(t, `${base}/_sandbox/events`)
  response.pause()
  const held = (await app.worlds.acquire(id))!
  await held.tx(async (q) => {
    // More than the system takes for a connection.
    for (let n = 0; n < 40; n++)
      await publish(q, { topic: 'items', resource: 'x'.repeat(500_000), users: [], at: held.clock.now() })
  })
  app.worlds.release(held)
  response.resume()
  t.equal(await over, 'cut off')
})

t.test('what is refused', async (t) => {
  const error = (status: number, code: string, message: string) => ({ message, error: code, status, cause: [] })
  const wrong = error(400, 'bad_request', 'last_event_id: must be an integer from 0')
  t.strictSame((await control('GET /events?last_event_id=-1')).body, wrong)
  t.strictSame((await control('GET /events?last_event_id=x')).body, wrong)
  for (const id of ['x', '-1', '1e3', '99999999999999999999']) {
    const { body } = await app.call({ url: '/_sandbox/events', headers: { 'last-event-id': id } })
    t.strictSame(body, error(400, 'bad_request', 'Last-Event-ID: must be an integer from 0'), id)
  }
  t.equal((await control('GET /events', undefined, '/w/999')).status, 404)
  const posted = await control('POST /events')
  t.strictSame([posted.status, posted.headers.allow], [405, 'GET, HEAD'])
})

t.test('HEAD answers as GET begins', async (t) => {
  const { response, over } = await follow(t, '/_sandbox/events', {}, at(), 'HEAD')
  t.equal(await over, 'ended')
  const stream = await follow(t, '/_sandbox/events')
  const same = ({
    statusCode,
    headers: { date: _, 'transfer-encoding': __, 'content-length': ___, ...headers },
  }: IncomingMessage) => ({ statusCode, headers })
  t.strictSame(same(response), same(stream.response))
  t.equal((await app.call({ method: 'HEAD', url: '/_sandbox/events?last_event_id=x' })).status, 400)
})

t.test('the server closes although somebody listens', async (t) => {
  const other = await start(t)
  await other.server.listen({ port: 0, host: '127.0.0.1' })
  const { over } = await follow(t, '/_sandbox/events', {}, at(other.server))
  await other.server.close()
  t.equal(await over, 'ended')
  t.strictSame(other.faults, [])
})

t.test('nothing went wrong unseen', async (t) => {
  t.strictSame(app.faults, [])
})
