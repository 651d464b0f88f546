import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { adoptAccessToken } from '../../domains/oauth/operations.ts'
import { tokenByText } from '../../domains/oauth/queries.ts'
import type { CountedRequest } from '../../http/connections/traffic.ts'
import { sendInternally } from '../../http/internal_request.ts'
import { bearer, HOUR, ITEM, NOW, start } from '../support/app.ts'
import { until } from '../support/until.ts'

/** Requests that have reached a handler. */
let handled = 0
const app = await start(t, {
  beforePlugins: (server) =>
    void server.addHook('preHandler', (_request, _reply, done) => {
      handled++
      done()
    }),
})
const { control, call, world, sellers, buyers } = app
const [seller, buyer, other] = [sellers[0]!, buyers[0]!, sellers[1]!]

/** Makes an address that was not requested before: unknown parameters are ignored. */
let fresh = 0

/** The answer to a repeated request, which comes from the cache, and to the same request made once. */
async function both(url: string, headers: Record<string, string> = {}) {
  const repeat = () => call({ url, headers })
  await repeat()
  await repeat()
  const cached = await repeat()
  const once = await call({ url: `${url}${url.includes('?') ? '&' : '?'}unknown=${fresh++}`, headers })
  return { cached, once }
}

t.test('the third of the same requests does not reach its route, and others do', async (t) => {
  const headers = bearer(seller.token)
  const me = { url: '/users/me', headers }
  /** How many of three requests have reached their handler. */
  const reached = async (request: Parameters<typeof call>[0]) => {
    const before = handled
    for (let n = 0; n < 3; n++) await call(request)
    return handled - before
  }
  const unknown = seller.token.replace(/-\d+$/, '-999')
  /** With the number of a world that may still come. */
  const ofLaterWorld = seller.token.replace('-00000001', '-0000ffff')
  const known = (await tokenByText(world.read, seller.token))!
  await world.tx((q) => adoptAccessToken(q, { ...known, token: ofLaterWorld }))
  const rows: [what: string, request: Parameters<typeof call>[0], reached: number][] = [
    ['a read', me, 2],
    ['the same', me, 0],
    ['another header', { ...me, headers: { ...headers, accept: '*/*' } }, 2],
    ['at the address of the world', { ...me, url: '/w/1/users/me' }, 2],
    ['a token in the query', `/users/me?access_token=${seller.token}`, 2],
    ['without a token', '/currencies', 2],
    ['an id that is not there', { url: '/questions/1', headers }, 2],
    ['a bad parameter', { url: '/questions/search?limit=101', headers }, 0],
    ['a refusal', { url: `/questions/search?seller_id=${buyer.id}`, headers }, 3],
    ['JSONP', { ...me, url: '/users/me?callback=show' }, 3],
    ['a HEAD', { ...me, method: 'HEAD' }, 3],
    ['a body', { ...me, method: 'GET', payload: '{}' }, 3],
    ['a fault in the header', { ...me, headers: { ...headers, 'x-sandbox-fault': 'delay=1' } }, 3],
    ['a token that is not known', { url: '/users/me', headers: bearer(unknown) }, 0],
    ['a token of a later world', { url: '/users/me', headers: bearer(ofLaterWorld) }, 3],
    ['an internal route', '/openapi.json', 3],
  ]
  for (const [what, request, count] of rows) t.equal(await reached(request), count, what)
  t.equal(await reached(me), 0)
  await control('POST /faults', { match: { path: '/sites' }, action: { status: 503 } })
  t.equal(await reached(me), 3, 'a world with faults')
  await control('DELETE /faults')
  t.equal(await reached(me), 2, 'a world that has changed')
  world.switches = { ...world.switches }
  t.equal(await reached(me), 2, 'a world with other switches')
})

t.test('a cached answer has the same text and headers', async (t) => {
  const urls: [url: string, headers: Record<string, string>][] = [
    [`/questions/search?seller_id=${seller.id}&limit=50`, bearer(seller.token)],
    [`/items/${ITEM}/contacts/questions/time_window?last=30&unit=day`, bearer(seller.token)],
    ['/users/me', bearer(seller.token)],
    ['/currencies', {}],
    [`/questions/search?seller_id=${seller.id}&attributes=total,limit`, bearer(seller.token)],
    [`/questions/search?seller_id=${seller.id}&limit=50&callback=hola`, bearer(seller.token)],
    [`/items/${ITEM}?access_token=${seller.token}`, {}],
    [
      `/vis/loans/search?seller_id=${seller.id}&date_from=2026-03-01T00:00:00&date_to=2026-03-07T00:00:00&status=all`,
      bearer(seller.token),
    ],
  ]
  for (const [url, headers] of urls) {
    const { cached, once } = await both(url, headers)
    t.equal(cached.status, 200, url)
    t.strictSame([cached.text, cached.status], [once.text, once.status])
    const { date: _1, ...headersOfCached } = cached.headers
    const { date: _2, ...headersOfOnce } = once.headers
    t.strictSame(headersOfCached, headersOfOnce)
  }
})

t.test('each caller and world has its own answers', async (t) => {
  const own = async (token?: string) => {
    const answer = await call({ url: '/users/me', headers: token ? bearer(token) : {} })
    return answer.body.id ?? answer.status
  }
  for (let round = 0; round < 3; round++) {
    t.strictSame(
      [await own(seller.token), await own(other.token), await own(buyer.token), await own(), await own('APP_USR-no')],
      [seller.id, other.id, buyer.id, 401, 401],
    )
  }
  const { body: created } = await control('POST /worlds', { scenario: 'demo', now: '2026-03-02T12:00:00Z' })
  const total = async (base: string, token: string) =>
    (await call({ url: `${base}/questions/search?limit=1`, headers: bearer(token) })).body.total
  for (let round = 0; round < 3; round++) {
    const here = await total('', seller.token)
    const there = await total(`/w/${created.world.id}`, created.sellers[0].token)
    t.ok(here > there && there > 0, 'a world of another day')
  }
})

t.test('an answer that depends on a header is cached per header', async (t) => {
  const url = `/vis/loans/search?seller_id=${seller.id}&date_from=2026-03-01T00:00:00&date_to=2026-03-07T00:00:00&status=all`
  const plain = await both(url, bearer(seller.token))
  const sandbox = await both(url, { ...bearer(seller.token), 'x-sandbox': 'true' })
  t.not(plain.cached.text, sandbox.cached.text)
  t.equal(plain.cached.text, plain.once.text)
  t.equal(sandbox.cached.text, sandbox.once.text)
})

t.test('a write invalidates cached answers', async (t) => {
  const url = `/questions/search?item=${ITEM}&limit=1`
  for (let n = 0; n < 5; n++) {
    const before = (await both(url, bearer(seller.token))).cached.body
    const { body: asked } = await buyer.post('/questions', { item_id: ITEM, text: `¿Hay stock? (${n})` })
    const after = (await seller.get(url)).body
    t.strictSame([after.total, after.questions[0].id], [before.total + 1, asked.id])
    await seller.post('/answers', { question_id: asked.id, text: 'Sí' })
    t.equal((await seller.get(url)).body.questions[0].status, 'ANSWERED')
  }
})

t.test('a revoked token, a fault rule and a switch take effect at once', async (t) => {
  const url = '/users/me'
  const { body: issued } = await control('POST /tokens', { user_id: seller.id })
  const token = issued.access_token ?? issued.token
  t.equal((await both(url, bearer(token))).cached.status, 200)
  await control(`DELETE /tokens/${token}`)
  t.equal((await call({ url, headers: bearer(token) })).status, 401)

  const series = `/items/${ITEM}/contacts/questions/time_window?last=2&unit=day`
  const { cached } = await both(series)
  await control('PATCH /assumptions/contacts.current_bucket', { value: 'exclude' })
  const excluded = await both(series)
  t.not(excluded.cached.text, cached.text)
  t.equal(excluded.cached.text, excluded.once.text)
  await control('PATCH /assumptions/contacts.current_bucket', { value: 'include' })
  t.equal((await call(series)).text, cached.text)

  const { body: rule } = await control('POST /faults', { match: { path: '/items/**' }, action: { status: 503 } })
  t.equal((await call(series)).status, 503)
  await control(`DELETE /faults/${rule.id}`)
  t.equal((await call(series)).text, cached.text)
})

t.test('a cached token expires with its lifetime', async (t) => {
  const { body: issued } = await control('POST /tokens', { user_id: seller.id, expires_in: 60 })
  const status = async (url: string) => (await call({ url, headers: bearer(issued.token) })).status
  const all = async () => [await status('/users/me'), await status('/users/me'), await status('/currencies')]
  const at = (ms: number) => world.clock.applySetting({ mode: 'frozen', ms: NOW + ms })
  t.strictSame(await all(), [200, 200, 200])
  at(59_999)
  t.strictSame(await all(), [200, 200, 200])
  // Only the clock has changed: nothing was written.
  at(60_000)
  t.strictSame(await all(), [401, 401, 401])
  at(0)
  t.strictSame(await all(), [200, 200, 200])
  await control(`PATCH /tokens/${issued.token}`, { expires_in: 120 })
  at(60_000)
  t.strictSame(await all(), [200, 200, 200])
  at(0)
})

t.test('a cached answer is valid as long as the times that it was computed from', async (t) => {
  const { clock } = world
  const series = `/items/${ITEM}/contacts/questions/time_window?last=1&unit=hour`
  const from = async () => (await both(series)).cached.body.date_from
  const at = (ms: number) => clock.applySetting({ mode: 'frozen', ms: NOW + ms })
  t.equal(await from(), '2026-03-07T15:00:00Z')
  at(HOUR - 1)
  t.equal(await from(), '2026-03-07T15:00:00Z')
  at(HOUR)
  t.equal(await from(), '2026-03-07T16:00:00Z')
  at(0)
  t.equal(await from(), '2026-03-07T15:00:00Z')

  const report = `/users/${seller.id}/questions/response_time`
  const texts = new Set<string>()
  for (const ms of [0, 1, 6 * HOUR, 7 * 24 * HOUR]) {
    at(ms)
    const { cached, once } = await both(report, bearer(seller.token))
    t.equal(cached.text, once.text)
    texts.add(cached.text)
  }
  t.ok(texts.size >= 3, 'a report by the minute is computed again')

  // On a running clock, across a full hour: the answer equals the one before or the one after it.
  clock.applySetting({ mode: 'shifted', ms: NOW + HOUR - 20 - Date.now() })
  while (clock.now() < NOW + HOUR + 5) {
    const once = () => call(`${series}&unknown=${fresh++}`)
    const [before, cached, after] = [(await once()).text, (await call(series)).text, (await once()).text]
    t.ok(cached === before || cached === after)
  }
  at(0)
})

interface Entry {
  id: number
  at: string
  response: { ms: number }
}

t.test('the journal records cached answers', async (t) => {
  await control('DELETE /requests')
  const url = `/questions/search?seller_id=${seller.id}&limit=50`
  for (let n = 0; n < 3; n++) await seller.get(url)
  const { results } = (await control('GET /requests')).body
  t.equal(results.length, 3)
  const [first, ...more] = results.map(({ id, at, response: { ms, ...response }, ...entry }: Entry) => ({
    ...entry,
    response,
  }))
  t.match(first, { path: '/questions/search', response: { status: 200 } })
  t.strictSame(more, [first, first])
})

t.test('cached answers are counted, and in flight until their client takes them', async (t) => {
  const { server, call, sellers } = await start(t)
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as { port: number }
  const request = `GET /questions/search?seller_id=${sellers[0]!.id}&limit=50 HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${sellers[0]!.token}\r\n\r\n`
  const metric = async (name: string) =>
    Number(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (\\d+)$`, 'm').exec((await call('/metrics')).text)?.[1] ?? 0)
  const count = () => metric('mercadito_http_request_duration_seconds_count{method="GET",route="/questions/search"}')
  const inFlight = () => metric('mercadito_http_requests_in_flight')

  const socket = connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  for (let n = 0; n < 5; n++) {
    socket.write(request)
    await once(socket, 'data')
  }
  await until('5 counted', async () => (await count()) === 5)
  t.equal(await inFlight(), 0)
  socket.pause()
  // More bytes than the system takes.
  socket.write(request.repeat(900))
  await until('a full connection', async () => (await inFlight()) > 0)
  socket.destroy()
  await until('none in flight', async () => (await inFlight()) === 0)
})

t.test('the log has cached answers like others, each with an id of its own', async (t) => {
  const logged: object[] = []
  const onRequestEnd = ({ id, method, url, routeOptions, params, query }: CountedRequest, status: number) =>
    logged.push([id, method, url, routeOptions.url, params, query, status])
  const { call, sellers } = await start(t, { onRequestEnd })
  const url = `/users/${sellers[0]!.id}?attributes=id`
  const ids = []
  for (let n = 0; n < 3; n++)
    ids.push((await call({ url, headers: bearer(sellers[0]!.token) })).headers['x-request-id'])
  t.strictSame(ids, ['req-1', 'req-2', 'req-3'])
  const [[, ...first]] = logged as [unknown[]]
  t.match(first, ['GET', url, '/users/:user_id'])
  t.strictSame(
    logged,
    ids.map((id) => [id, ...first]),
  )
})

t.test('calls that the server makes itself get the answers of their own tokens', async (t) => {
  await control('DELETE /requests')
  const callers = [seller, buyer, other]
  for (let round = 0; round < 4; round++)
    for (const { token } of callers)
      t.match(
        await sendInternally(app.server, {
          ...{ method: 'GET', url: '/users/me', headers: bearer(token), body: undefined, world: 1, isRecorded: true },
        }),
        { status: 200, violation: undefined, journalId: Number },
      )
  const { results } = (await control('GET /requests')).body
  t.strictSame(
    results.map(({ user_id, response }: { user_id: number; response: { body: string } }) => [
      user_id,
      JSON.parse(response.body).id,
    ]),
    Array.from({ length: 12 }, (_, n) => callers[n % 3]!.id).map((id) => [id, id]),
  )
})
