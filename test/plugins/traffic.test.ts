import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import t from 'tap'
import { start } from '../support/app.ts'
import { until } from '../support/until.ts'

const limits = { maxInFlight: 2, bodyTimeoutMs: 1000 }
const app = await start(t, { scenario: 'empty', limits, adminToken: 'abc' })
const { server, call, sellers } = app
await server.listen({ port: 0, host: '127.0.0.1' })
const { port } = server.server.address() as { port: number }
const bearer = { authorization: 'Bearer abc', host: 'localhost' }

const HALF = `POST /users/test_user HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"site_id":`

/** A request that stays in flight until it is aborted. */
async function openRequest(head = HALF) {
  const before = await inFlight()
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(head)
  await untilInFlight(before + 1)
  return {
    socket,
    async abort() {
      const now = await inFlight()
      socket.destroy()
      await untilInFlight(now - 1)
    },
  }
}

const metrics = async () => {
  const { text, status, headers } = await call({ url: '/metrics', headers: bearer })
  t.equal(status, 200)
  t.match(headers['content-type'], /^text\/plain; version=0\.0\.4/)
  return new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && line[0] !== '#')
      .map((line): [string, number] => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  )
}
const inFlight = async () => {
  const { status, body } = await call('/readyz')
  // Only the metrics have the number.
  if (status !== 200 && body.error !== 'overloaded') throw new Error(body.message)
  const { text } = await call({ url: '/metrics', headers: bearer })
  return Number(/^mercadito_http_requests_in_flight (\d+)$/m.exec(text)![1])
}
const untilInFlight = (count: number) => until(`${count} in flight`, async () => (await inFlight()) === count)

const unready = (error: string, message: string) => ({ message, error, status: 503, cause: [] })

t.test('livez and readyz', async (t) => {
  const live = await call('/livez')
  t.strictSame([live.status, live.body], [200, { status: 'live' }])
  for (const url of ['/readyz', '/readyz?wait=10s', '/readyz?wait=500ms', '/w/1/readyz']) {
    const { status, body, headers } = await call(url)
    t.strictSame([status, body], [200, { status: 'ready' }], url)
    t.equal(headers['access-control-allow-origin'], undefined)
  }
  for (const wait of ['', '10', 'PT10S', '100s', '-1s'])
    t.strictSame((await call(`/readyz?wait=${wait}`)).body, {
      message: 'wait: must be such as 10s or 500ms, at most 60s',
      error: 'bad_request',
      status: 400,
      cause: [],
    })
  t.equal((await call({ method: 'HEAD', url: '/livez' })).status, 200)
  const { body } = await call({ url: '/_sandbox/requests', headers: bearer })
  t.strictSame(body.results, [], 'not recorded in the journal')
})

t.test('metrics have the version', async (t) => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  t.equal((await metrics()).get(`mercadito_build_info{version="${version}"}`), 1)
})

t.test('metrics count by the pattern of the route and the status', async (t) => {
  const before = await metrics()
  const of = (all: Map<string, number>, method: string, route: string, status: number) =>
    all.get(`mercadito_http_requests_total{method="${method}",route="${route}",status="${status}"}`) ?? 0
  await sellers[0]!.get('/questions/7')
  await sellers[0]!.get('/questions/8')
  await call('/questions/8')
  await call('/nothing/of/the/kind')
  await call({ method: 'DELETE', url: '/currencies' })
  await call('/w/9/currencies')
  await call({ url: '/currencies', headers: { 'x-sandbox-fault': '429' } })
  const after = await metrics()
  for (const [method, route, status, n] of [
    ['GET', '/questions/:question_id', 404, 2],
    ['GET', '/questions/:question_id', 401, 1],
    ['GET', '', 404, 1],
    ['DELETE', '', 405, 1],
    ['GET', '/currencies', 404, 1],
    ['GET', '/currencies', 429, 1],
  ] as const)
    t.equal(of(after, method, route, status) - of(before, method, route, status), n, `${method} ${route} ${status}`)
  const name = 'mercadito_http_request_duration_seconds'
  const labels = 'method="GET",route="/questions/:question_id"'
  t.equal(after.get(`${name}_count{${labels}}`), 3)
  t.equal(after.get(`${name}_bucket{${labels},le="+Inf"}`), 3)
  t.ok(after.get(`${name}_sum{${labels}}`)! > 0)
  t.ok(after.get('mercadito_worlds') === 1 && after.get('mercadito_worlds_open') === 1)
  t.equal(after.get('mercadito_http_requests_in_flight'), 0)
  t.equal(after.get('mercadito_notifications_pending'), 0)
  t.equal(after.get('mercadito_notifications_in_flight'), 0)
  t.ok(after.has('nodejs_eventloop_lag_p99_seconds') && after.has('process_resident_memory_bytes'))
})

t.test('metrics need the access of control calls', async (t) => {
  const rows: [headers: Record<string, string>, status: number][] = [
    [{ host: 'evil.example' }, 403],
    [{ host: 'localhost' }, 401],
    [{ ...bearer, origin: 'https://evil.example' }, 403],
    [{ ...bearer, 'sec-fetch-site': 'cross-site' }, 403],
    [bearer, 200],
  ]
  for (const [headers, status] of rows)
    t.equal((await call({ url: '/metrics', headers })).status, status, JSON.stringify(headers))
})

t.test('requests above the limit get 503, health checks do not', async (t) => {
  const rejectedBefore = (await metrics()).get('mercadito_http_requests_refused_total')!
  const first = await openRequest()
  t.equal((await call('/currencies')).status, 200)
  const second = await openRequest()
  const { status, body, headers } = await call('/currencies')
  t.strictSame(
    [status, body],
    [503, { message: 'Service Unavailable', error: 'service_unavailable', status: 503, cause: [] }],
  )
  t.match(headers, { 'retry-after': '1', 'access-control-allow-origin': '*' })
  t.match((await call('/currencies?callback=show')).text, /show\(\[503,/)
  const control = await call({ url: '/_sandbox/clock', headers: bearer })
  t.strictSame([control.status, control.headers['access-control-allow-origin']], [503, undefined])
  t.equal((await call('/livez')).status, 200)
  const overloaded = await call('/readyz')
  t.strictSame(overloaded.body, unready('overloaded', 'The server is overloaded.'))
  t.equal(overloaded.headers['retry-after'], '1')
  t.equal((await call('/readyz?wait=1ms')).status, 503)
  const waiting = call('/readyz?wait=60s')
  await first.abort()
  t.strictSame((await waiting).body, { status: 'ready' }, 'as soon as there is capacity')
  await second.abort()
  t.equal((await call('/currencies')).status, 200)
  t.equal((await metrics()).get('mercadito_http_requests_refused_total'), rejectedBefore + 3)
})

t.test('injected delays do not count as in flight', async (t) => {
  const delayed: ReturnType<typeof call>[] = []
  for (let n = 0; n < 5; n++) {
    delayed.push(call({ url: '/currencies', headers: { 'x-sandbox-fault': 'delay=500' } }))
    await new Promise(setImmediate)
    t.equal(await inFlight(), 0)
  }
  t.equal((await call('/currencies')).status, 200)
  for (const { status } of await Promise.all(delayed)) t.equal(status, 200)
  t.equal(await inFlight(), 0)
})

t.test('a request whose body does not arrive gets 408', async (t) => {
  const upload =
    'POST /_sandbox/contacts HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer abc\r\ncontent-type: application/x-ndjson\r\ncontent-length: 1000\r\n\r\n{"kind":'
  for (const head of [HALF, upload]) {
    const { socket } = await openRequest(head)
    const [answer] = await once(socket, 'data')
    t.match(String(answer), /^HTTP\/1\.1 408 .*\r\n\r\n\{"message":"The request took too long to arrive\."/s)
    await once(socket, 'close')
    await untilInFlight(0)
  }
})

t.test('a pending readiness check is answered when the server stops', async (t) => {
  const stopping = await start(t, { scenario: 'empty', limits: { maxInFlight: 0 } })
  const waiting = stopping.call('/readyz?wait=60s')
  await new Promise(setImmediate)
  const closed = stopping.server.close()
  t.strictSame((await waiting).body, unready('stopping', 'The server is stopping.'))
  await closed
})
