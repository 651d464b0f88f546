import { createSecretKey } from 'node:crypto'
import { once } from 'node:events'
import { Agent, createServer, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import t, { type Test } from 'tap'
import type { Options } from '../../app.ts'
import { createSelfSigned } from '../../bin/certificate.ts'
import { SENT_ON_HEADER, signSentOn } from '../../cluster/requests/sent_on_header.ts'
import { NotOwned } from '../../cluster/storage/ownership.ts'
import { bearer } from '../support/app.ts'
import { follow } from '../support/event_stream.ts'
import {
  type Call,
  KEY,
  metricOf,
  type Node,
  open,
  readAnswer,
  send,
  startNode,
  untilIdle,
  untilInFlight,
} from '../support/nodes.ts'
import { openConnection } from '../support/raw_http.ts'
import { until } from '../support/until.ts'

/** `front` has the worlds of `owner`; `alone` gets the same calls directly. */
const startDemo = (t: Test, name: string, options: Partial<Options> = {}) =>
  startNode(t, name, { scenario: 'demo', ...options })
const [front, owner, alone] = await Promise.all([startDemo(t, 'front'), startDemo(t, 'owner'), startDemo(t, 'alone')])
for (const world of [1, 2]) front.elsewhere.set(world, owner.url)

/** What was removed there, while its owner is still known here. */
front.elsewhere.set(9, owner.url)

const [seller] = front.sellers as [(typeof front.sellers)[0]]
const [buyer] = front.buyers as [(typeof front.buyers)[0]]
const info = (await alone.control('GET /worlds/2')).body
const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
const MB = 1024 * 1024

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
function multipart(fields: Record<string, string>): Call {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--zz\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return { headers: { 'content-type': 'multipart/form-data; boundary=zz' }, body: `${parts.join('')}--zz--\r\n` }
}

const ofWorld9 = (token: string) => token.replace(/-00000001(?=[0-9a-f]+-\d+$)/, '-00000009')

const standard = (status: number, error: string, message: string) => ({ message, error, status, cause: [] })
const UNAVAILABLE = standard(503, 'service_unavailable', 'Service Unavailable')
const BROKE_OFF = standard(502, 'bad_gateway', 'Bad Gateway')
const code = { grant_type: 'authorization_code', code: 'TG-1', redirect_uri: info.application.redirect_uri }
const client = { client_id: String(info.application.id), client_secret: info.application.secret }
const question = (text: string) => JSON.stringify({ item_id: 'MLA1400000001', text })
/** A world file of more than 8 MB. */
const worldFile = JSON.stringify({
  ...JSON.parse((await alone.control('GET /world')).text),
  clock: { mode: 'frozen', now: '2026-03-07T15:00:00.000Z' },
}).replace('{', `{${' '.repeat(8 * MB)}`)

const CALLS: [name: string, path: string, call?: Call][] = [
  ['a read', '/currencies'],
  ['with a token', '/users/me', { headers: bearer(seller.token) }],
  ['with a token of another world', '/users/me', { headers: bearer(info.sellers[0].token) }],
  ['with a token of a world that was removed', '/users/me', { headers: bearer(ofWorld9(seller.token)) }],
  ['with a token in the query', `/users/me?access_token=${info.sellers[0].token}`],
  ['with a world in the address', '/w/2/currencies/ARS'],
  ['in absolute form', 'http://example.com/w/2/currencies/ARS'],
  ['HEAD', '/currencies', { method: 'HEAD' }],
  ['OPTIONS', '/questions', { method: 'OPTIONS', headers: { 'access-control-request-headers': 'x-a, x-b' } }],
  ['another method', '/currencies', { method: 'PATCH', body: 'x' }],
  ['an unknown method', '/currencies', { method: 'PROPFIND' }],
  ['an unknown path', '/no%C3%B1where'],
  ['an unknown world', '/w/7/currencies'],
  ['a world that was removed', '/w/9/currencies'],
  ['no token', '/users/me'],
  ['no token, with a body that is not read', '/questions', { method: 'POST', headers: JSON_TYPE, body: question('?') }],
  ['a browser', '/', { headers: { 'sec-fetch-dest': 'document', accept: 'text/html' } }],
  ['JSONP', '/currencies/ARS?callback=show'],
  ['JSONP of an error', '/currencies/XXX?callback=show'],
  [
    'a write by JSONP',
    `/questions?callback=show&_method=POST&_body=${encodeURIComponent(question('¿Uno?'))}&access_token=${buyer.token}`,
  ],
  [
    'a question',
    '/questions',
    { method: 'POST', headers: { ...bearer(buyer.token), ...JSON_TYPE }, body: question('¿2?') },
  ],
  [
    'a question in chunks',
    '/questions',
    {
      method: 'POST',
      headers: { ...bearer(buyer.token), 'transfer-encoding': 'chunked' },
      get body() {
        return Readable.from([question('¿3?').slice(0, 9), question('¿3?').slice(9)])
      },
    },
  ],
  [
    'a question after 100 Continue',
    '/questions',
    { method: 'POST', headers: { ...bearer(buyer.token), expect: '100-continue' }, body: question('¿4?') },
  ],
  ['an expectation that is not known', '/currencies', { headers: { expect: 'more' } }],
  ['no body', '/questions', { method: 'POST', headers: bearer(buyer.token) }],
  ['no body, with a type', '/questions', { method: 'POST', headers: { ...bearer(buyer.token), ...JSON_TYPE } }],
  [
    'a body that is not UTF-8',
    '/questions',
    { method: 'POST', headers: bearer(buyer.token), body: Buffer.from([123, 255]) },
  ],
  [
    'a body of DELETE',
    '/questions/1',
    { method: 'DELETE', headers: { ...bearer(seller.token), ...JSON_TYPE }, body: '{}' },
  ],
  ['a body that is too long', '/questions', { method: 'POST', headers: bearer(buyer.token), body: 'x'.repeat(2 * MB) }],
  [
    'OAuth of another world',
    '/oauth/token',
    { method: 'POST', headers: FORM_TYPE, body: form({ ...code, ...client }) },
  ],
  ['OAuth with a multipart form', '/oauth/token', { method: 'POST', ...multipart({ ...code, ...client }) }],
  ['a fault', '/currencies', { headers: { 'x-sandbox-fault': '429' } }],
  [
    'headers twice',
    '/currencies',
    { headers: ['host', 'localhost', 'cookie', 'a=1', 'cookie', 'b=2', 'x-a', '1', 'x-a', '2'] },
  ],
  ['a control call', '/_sandbox/clock'],
  ['a control call of another site', '/_sandbox/clock', { headers: { origin: 'https://example.com' } }],
  ['a change of the clock', '/_sandbox/clock/advance', { method: 'POST', headers: JSON_TYPE, body: '{"by":"1h"}' }],
  ['a world file', '/w/2/_sandbox/world'],
  ['the upload of a world file', '/w/2/_sandbox/world', { method: 'PUT', headers: JSON_TYPE, body: worldFile }],
]

t.test('an answer that was sent on is the one of the owner', async (t) => {
  const before = await metricOf(front, 'mercadito_requests_sent_on_total')
  for (const [name, path, call = {}] of CALLS) {
    const withHost = (): Call => ({
      ...call,
      ...(call.body && { body: call.body }),
      headers: Array.isArray(call.headers) ? call.headers : { host: 'localhost:4400', ...call.headers },
    })
    const direct = await send(alone.url, path, withHost())
    t.strictSame(await send(front.url, path, withHost()), direct, name)
  }
  const unsent = ['an unknown world', 'an expectation that is not known', 'a control call of another site']
  t.equal((await metricOf(front, 'mercadito_requests_sent_on_total'))! - before!, CALLS.length - unsent.length)
  t.equal(await metricOf(alone, 'mercadito_requests_sent_on_total'), 0)
  t.strictSame([front.faults, owner.faults], [[], []])
})

const bodyOf = ({ text }: { text: string }) => JSON.parse(text)
const ask = (text: string): Call => ({ method: 'POST', headers: bearer(buyer.token), body: question(text) })
t.test('only the owner has a call in its journal', async (t) => {
  const journalOf = async (node: Node) => (await node.control('GET /requests?limit=1')).body.results
  await owner.control('DELETE /requests')
  await send(front.url, '/currencies/ARS', { headers: { 'user-agent': 'me' } })
  t.match(await journalOf(owner), [{ method: 'GET', path: '/currencies/ARS', headers: { 'user-agent': 'me' } }])
  front.elsewhere.delete(1)
  t.strictSame(await journalOf(front), [])
  front.elsewhere.set(1, owner.url)
  const { text } = await front.call('/metrics')
  t.match(text, /^mercadito_http_requests_total{method="GET",route="\/currencies\/:id",status="200"} \d+$/m)
})

t.test('stubs do not see the header of the other server', async (t) => {
  const answer = { template: true, body: `<{{headers.${SENT_ON_HEADER}}}{{headers.x-a}}>` }
  await owner.control('POST /stubs', { match: { method: 'GET', path: '/shipments' }, answer })
  t.equal((await send(front.url, '/shipments', { headers: { 'x-a': 'b' } })).text, '<b>')
  t.equal((await owner.control('DELETE /stubs')).status, 204)
})

t.test('a call that was sent on twice is not sent on again', async (t) => {
  const target = '/_sandbox/worlds/2'
  const sent = (times: number) => {
    const header = signSentOn(createSecretKey(KEY), { method: 'GET', target }, { node: 'another', world: 1, times })
    return send(front.url, target, { headers: { [SENT_ON_HEADER]: header } })
  }
  front.elsewhere.delete(1)
  front.forgotten.splice(0)
  t.equal((await sent(1)).status, 200)
  const answer = await sent(2)
  t.strictSame([answer.status, bodyOf(answer)], [503, UNAVAILABLE])
  t.strictSame(front.forgotten.splice(0), [1, 1], 'what this server knew of the owner is older')
  front.elsewhere.set(1, owner.url)
})

t.test('a call that no server can serve gets 503', async (t) => {
  const node = await startNode(t, 'lonely')
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  for (const url of [null, `http://127.0.0.1:${port}`]) {
    node.elsewhere.set(1, url)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    t.teardown(() => agent.destroy())
    for (const [path, call] of [
      ['/currencies', {}],
      ['/questions', ask('¿?')],
      ['/_sandbox/world', { method: 'PUT', headers: JSON_TYPE, body: worldFile }],
    ] as [string, Call][]) {
      const answer = await send(node.url, path, { ...call, agent })
      t.strictSame([answer.status, bodyOf(answer)], [503, UNAVAILABLE], `${path} to ${url}`)
      t.ok(answer.headers.includes('retry-after: 1'))
      t.equal(answer.headers.includes('access-control-allow-origin: *'), !path.startsWith('/_sandbox'))
    }
    const { text } = await send(node.url, '/currencies?callback=show')
    t.strictSame([...new Set(node.forgotten.splice(0))], url === null ? [] : [1])
    t.match(text, /^show\(\[503,.*"Retry-After":\["1"\]/)
  }
  node.elsewhere.set(1, owner.url)
  t.equal((await node.call('/currencies')).status, 503, 'a request without a connection is not sent on')
})

t.test('a call whose client has gone meanwhile is not sent on', async (t) => {
  const node = await startNode(t, 'front')
  const gone = new Promise<void>((resolve) => {
    node.server.server.once('connection', (socket) => socket.once('close', () => setImmediate(resolve)))
  })
  const { acquire } = node.worlds
  const asked = new Promise<void>((resolve) => {
    node.worlds.acquire = async (id) => {
      resolve()
      await gone
      throw new NotOwned(id, owner.url)
    }
  })
  const socket = connect(Number(new URL(node.url).port), '127.0.0.1')
  socket.write('POST /questions HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{"item_id":')
  await asked
  socket.destroy()
  await gone
  node.worlds.acquire = acquire
  await untilIdle(node)
  t.equal(await metricOf(node, 'mercadito_requests_sent_on_total'), 0)
})

/** An owner that answers as `listener` does. */
async function startOwner(t: Test, node: Node, listener: RequestListener) {
  const sockets = new Set<Socket>()
  const server = createServer(listener).listen(0, '127.0.0.1')
  server.on('connection', (socket) => sockets.add(socket))
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  node.elsewhere.set(1, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return { server, sockets }
}

t.test('a call and its answer keep what is not of the connection', async (t) => {
  const node = await startNode(t, 'front of a stub')
  const calls: string[] = []
  const answers: ServerResponse[] = []
  await startOwner(t, node, ({ method, url, rawHeaders }, response) => {
    calls.push(`${method} ${url} ${rawHeaders.filter((_, n) => rawHeaders[n & ~1]!.startsWith('X-')).join(' ')}`)
    response.sendDate = false
    response.writeHead(299, 'Fine', ['Set-Cookie', 'a=1', 'SET-cookie', 'b=2', 'X-Kept', 'ñ', 'Trailer', 'x'])
    response.flushHeaders()
    answers.push(response)
  })
  node.elsewhere.set(2, node.elsewhere.get(1)!)
  const paths = ['/w/2/currencies?a=%20', 'http://example.com/w/2/sites', '/currencies?callback=x&_method=POST']
  for (const path of paths) {
    const headers = [
      'Host',
      'x',
      'X-One',
      '1',
      'X-Two',
      '2',
      'x-ONE',
      '3',
      'Upgrade',
      'x',
      'Connection',
      'X-Two, upgrade',
    ]
    const answer = await open(node.url, path, { headers })
    // Its head has arrived before the owner has sent anything else.
    answers.pop()!.end('abc')
    t.strictSame(await readAnswer(answer), {
      ...{ status: 299, message: 'Fine', headers: ['Set-Cookie: a=1', 'SET-cookie: b=2', 'X-Kept: Ã±'] },
      ...{ isLast: false, text: 'abc' },
    })
  }
  t.strictSame(
    calls,
    paths.map((path) => `GET ${path} X-One 1`),
  )
})

t.test('an answer before the whole body leaves the connection open for the rest', async (t) => {
  const { port } = new URL(front.url)
  const { socket, received } = await openConnection(Number(port))
  let isEnded = false
  socket.once('end', () => {
    isEnded = true
  })
  const head = `POST /questions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${buyer.token}\r\n`
  socket.write(`${head}content-length: ${3 * MB}\r\n\r\n${' '.repeat(2 * MB)}`)
  await until('an answer', () => received().length > 0)
  t.match(received(), [{ status: 413, headers: { connection: 'close' } }])
  await untilIdle(owner)
  await send(front.url, '/currencies')
  t.notOk(isEnded)
  socket.write(' '.repeat(MB))
  await once(socket, 'end')
  socket.destroy()
})

t.test('a call whose owner breaks off is not sent again', async (t) => {
  const node = await startNode(t, 'front of a stub')
  let calls = 0
  const { sockets } = await startOwner(t, node, (request, response) => {
    calls++
    request.resume()
    request.once('end', () => (calls % 2 === 0 ? request.socket.destroy() : response.end('{}')))
  })
  for (const [n, call] of [{}, ask('¿?'), { ...ask('¿?'), method: 'PUT' }].entries()) {
    // The owner closes the connection at the moment at which it is used again.
    t.equal((await send(node.url, '/currencies', call)).status, 200)
    const broken = await send(node.url, '/currencies', call)
    t.strictSame([broken.status, bodyOf(broken)], [502, BROKE_OFF])
    t.notOk(broken.headers.some((header) => header.startsWith('retry-after')))
    t.equal(calls, 2 * (n + 1))
    t.strictSame(node.forgotten.splice(0), [1])
    t.equal(sockets.size, n + 1, 'the connection was reused')
  }
})

t.test('an answer that breaks off breaks off at the client', async (t) => {
  const node = await startNode(t, 'front of a stub')
  await startOwner(t, node, (request, response) => {
    response.writeHead(200, request.url === '/currencies' ? { 'content-length': '1000' } : {})
    response.write('half', () => request.socket.destroy())
  })
  for (const path of ['/currencies', '/sites']) await t.rejects(send(node.url, path), { code: 'ECONNRESET' })
  await untilIdle(node)
})

t.test('an owner does not get the rest of a request whose client is gone', async (t) => {
  const node = await startNode(t, 'front of a stub')
  const received = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<boolean>()
  await startOwner(t, node, (request) => {
    request.once('data', () => received.resolve())
    request.once('close', () => gone.resolve(request.complete)).once('error', () => {})
  })
  const { socket } = await openConnection(Number(new URL(node.url).port))
  socket.write('PUT /_sandbox/world HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n{')
  await received.promise
  socket.destroy()
  t.equal(await gone.promise, false)
  await untilIdle(node)
})

t.test('the end of a body is where the connection says', async (t) => {
  const node = await startNode(t, 'front of a stub')
  const calls: string[] = []
  await startOwner(t, node, (request, response) => {
    calls.push(request.url!)
    request.resume().once('end', () => response.end('{}'))
  })
  const smuggled = 'GET /smuggled HTTP/1.1\r\nhost: x\r\n\r\n'
  for (const [method, name] of ['GET', 'POST', 'DELETE'].flatMap((method) =>
    ['content-length', 'transfer-encoding'].map((name) => [method, name] as const),
  )) {
    const isChunked = name === 'transfer-encoding'
    const headers = { connection: `close, ${name}, host`, [name]: isChunked ? 'chunked' : String(smuggled.length) }
    t.equal((await send(node.url, '/currencies', { method, headers, body: smuggled })).status, 200)
  }
  t.strictSame(
    calls,
    Array.from({ length: 6 }, () => '/currencies'),
  )
})

t.test('an event stream of the owner', async (t) => {
  const [node, other] = [await startDemo(t, 'front'), await startDemo(t, 'owner')]
  node.elsewhere.set(1, other.url)
  const openStream = () => follow(t, `${node.url}/_sandbox/events`)
  const [one, two] = [await openStream(), await openStream()]
  t.equal(one.response.headers['content-type'], 'text/event-stream; charset=utf-8')
  const asked = bodyOf(await send(node.url, '/questions', ask('¿Hay?')))
  await Promise.all([one.until(2), two.until(2)])
  t.match(one.events, [{}, { event: 'fact', data: { topic: 'questions', resource: `/questions/${asked.id}` } }])
  t.strictSame(two.events, one.events)

  one.response.destroy()
  await untilInFlight(other, 1)
  await send(node.url, '/questions', ask('¿Y ahora?'))
  await two.until(3)

  await other.control('POST /reset')
  t.equal(await two.ended, 'ended', 'by the owner')
  const three = await openStream()
  other.server.server.closeAllConnections()
  t.equal(await three.ended, 'cut off')
  const four = await openStream()
  await node.server.close()
  t.equal(await four.ended, 'ended', 'by the stop of the server')
  await untilIdle(other)
})

t.test('an owner that speaks HTTPS', async (t) => {
  const tls = await createSelfSigned(['localhost'], ['127.0.0.1'])
  const [node, secure] = [await startDemo(t, 'front'), await startDemo(t, 'owner', { tls })]
  node.elsewhere.set(1, secure.url.replace('http:', 'https:'))
  t.equal((await send(node.url, '/questions', ask('Hola'))).status, 503, 'its certificate is not trusted')
  const trusted = getCACertificates('default')
  t.teardown(() => setDefaultCACertificates(trusted))
  setDefaultCACertificates([tls.cert])
  for (let n = 0; n < 2; n++) t.equal((await send(node.url, '/questions', ask('Hola'))).status, 201)
})

t.test('64 calls at a time', async (t) => {
  const before = await metricOf(front, 'mercadito_requests_sent_on_total')
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  t.teardown(() => agent.destroy())
  const calls = Array.from({ length: 640 }, (_, n) => send(front.url, '/questions', { ...ask(`${n}?`), agent }))
  const answers = await Promise.all(calls)
  t.strictSame(new Set(answers.map(({ status }) => status)), new Set([201]))
  const asked = answers.map((answer) => bodyOf(answer) as { id: number; text: string })
  t.strictSame(
    asked.map(({ text }) => text),
    Array.from({ length: 640 }, (_, n) => `${n}?`),
  )
  t.equal(new Set(asked.map(({ id }) => id)).size, 640)
  t.equal((await metricOf(front, 'mercadito_requests_sent_on_total'))! - before!, 640)
  await untilIdle(front)
})
