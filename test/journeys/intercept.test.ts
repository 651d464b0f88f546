import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import t, { type Test } from 'tap'
import { createAuthority } from '../../intercept/authority.ts'
import { openProxy } from '../../intercept/proxy.ts'
import { bearer, start } from '../support/app.ts'
import { openSecureTunnel, openTunnel } from '../support/proxied.ts'
import { exchange, type RawAnswer } from '../support/raw_http.ts'
import { until } from '../support/until.ts'

const API = 'api.mercadolibre.com'
const authority = await createAuthority({ isStored: false })
const ca = authority.certificate.toString('pem')

/** A proxy in front of a world. */
async function openHere(t: Test, world: string, allowed: string[] = []) {
  const proxy = await openProxy(authority, { world, ca: undefined, allowed })
  t.teardown(proxy.close)
  return proxy
}

/** A server with a proxy in front of its default world. */
async function startHere(t: Test, options: Parameters<typeof start>[1] = {}, base = '') {
  const app = await start(t, { scenario: 'empty', ...options })
  await app.listenOn({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return { ...app, url, direct: port, proxy: await openHere(t, url + base) }
}

/** A proxy in front of a world that the test itself plays. */
async function playWorld(t: Test, handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const world = createServer(handle).listen(0, '127.0.0.1')
  t.teardown(() => {
    world.closeAllConnections()
    world.close()
  })
  await once(world, 'listening')
  return openHere(t, `http://127.0.0.1:${(world.address() as AddressInfo).port}`)
}

interface Call {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string
}

/** A call of the API through TLS. Resolves with status, raw headers and body. */
async function call(port: number, { path, body, ...options }: Call, host = API) {
  const socket = await openSecureTunnel(port, `${host}:443`, { ca })
  const sent = request({ ...options, path, host, createConnection: () => socket }).end(body)
  return readAnswer(sent)
}

async function readAnswer(sent: ReturnType<typeof request>) {
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, headers: answer.rawHeaders, text: await readText(answer) }
}

const withoutConnection = ({ headers, ...answer }: Awaited<ReturnType<typeof readAnswer>>) => ({
  ...answer,
  headers: headers.filter((_, n) => !/^(date|connection|keep-alive)$/i.test(headers[n - (n % 2)]!)),
})
const withoutDate = ({ headers: { date: _, ...headers }, ...answer }: RawAnswer) => ({ ...answer, headers })

t.test('calls through the proxy get the answers of the world, byte by byte', async (t) => {
  const { direct, proxy, sellers, buyers } = await startHere(t)
  const [seller, buyer] = [sellers[0]!, buyers[0]!]
  const calls: Call[] = [
    { path: '/users/me', headers: bearer(seller.token) },
    { path: '/questions/search?limit=1&q=%22a%20b%22', headers: bearer(seller.token) },
    { path: '/users/me' },
    { path: '/currencies/ARS', method: 'HEAD' },
    { path: '/currencies/ARS', method: 'OPTIONS' },
    { path: '//none/./../"', method: 'DELETE' },
    { path: '/questions', method: 'POST', headers: bearer(buyer.token), body: '{"item_id":"MLA1","text":"¿Hay?"}' },
    {
      path: '/questions',
      method: 'POST',
      headers: { ...bearer(buyer.token), 'transfer-encoding': 'chunked' },
      body: '{',
    },
    { path: '/authorization?response_type=code' },
  ]
  for (const one of calls) {
    const { body, ...options } = one
    const expected = withoutConnection(
      await readAnswer(request({ ...options, port: direct, host: '127.0.0.1', agent: false }).end(body)),
    )
    const title = `${one.method ?? 'GET'} ${one.path}`
    t.strictSame(withoutConnection(await call(proxy.port, one)), expected, title)
    for (const host of ['auth.mercadolivre.com.br', 'api.mercadopago.com'])
      t.strictSame(withoutConnection(await call(proxy.port, one, host)), expected, `${title} ${host}`)
    const absolute = {
      ...options,
      path: `https://${API}${one.path}`,
      port: proxy.port,
      host: '127.0.0.1',
      agent: false,
    }
    t.strictSame(withoutConnection(await readAnswer(request(absolute).end(body))), expected, `${title}: absolute`)
  }
  t.equal(proxy.calls(), 4 * calls.length)
  t.strictSame(proxy.refusals(), [])
})

t.test('calls without a token reach the world of the run', async (t) => {
  const app = await startHere(t, {}, '/w/2')
  await app.control('POST /worlds', { scenario: 'empty' })
  await call(app.proxy.port, { path: '/currencies/ARS' })
  const requestsOf = async (base: string) => (await app.control('GET /requests', undefined, base)).body.results
  t.match(await requestsOf('/w/2'), [{ method: 'GET', path: '/currencies/ARS' }])
  t.strictSame(await requestsOf('/w/1'), [])
})

t.test('other hosts are refused, and counted', async (t) => {
  const { proxy } = await startHere(t)
  const message = 'mercadito exec --intercept refuses calls to example.com; allow them with --allow example.com'
  const [refused] = await exchange(proxy.port, 'CONNECT EXAMPLE.com.:443 HTTP/1.1\r\nhost: example.com\r\n\r\n')
  t.match(refused, { status: 403, text: `${message}\n` })
  await t.rejects(openTunnel(proxy.port, 'example.com:443'), { message: `HTTP/1.1 403 ${message}` })

  const body = JSON.stringify({ message, error: 'intercepted', status: 403 })
  const [absolute] = await exchange(
    proxy.port,
    'GET http://example.com/ HTTP/1.1\r\nhost: example.com\r\nconnection: close\r\n\r\n',
  )
  t.match(absolute, { status: 403, text: body })
  const socket = connectTls({ port: proxy.securePort, host: '127.0.0.1', servername: 'example.com', ca })
  const answer = await readAnswer(request({ host: 'example.com', createConnection: () => socket }).end())
  t.match(answer, { status: 403, text: body })
  await call(proxy.port, { path: '/', headers: { host: 'www.mercadolibre.com.ar' } })
  t.strictSame(proxy.refusals(), [
    { host: 'example.com', reason: 'host', calls: 4 },
    { host: 'www.mercadolibre.com.ar', reason: 'host', calls: 1 },
  ])
  t.equal(proxy.calls(), 0)
})

t.test('handshakes that clients break off are counted, as they do not trust the certificate', async (t) => {
  const { proxy } = await startHere(t)
  const { port, securePort } = proxy
  const rejected = { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }
  // Node sends no alert: it closes its connection, but not that of a proxy.
  const direct = connectTls({ port: securePort, host: '127.0.0.1', servername: API })
  await t.rejects(once(direct, 'secureConnect'), rejected)
  await until('it is counted', () => proxy.refusals().length === 1)
  await t.rejects(openSecureTunnel(port, `${API}:443`, {}), rejected)
  await t.rejects(openSecureTunnel(port, 'auth.mercadolibre.cl:443', {}), rejected)
  t.match(await call(port, { path: '/currencies/ARS' }), { status: 200 })
  await openTunnel(port, `${API}:443`)
  await proxy.close()
  t.strictSame(proxy.refusals(), [
    { host: API, reason: 'certificate', calls: 2 },
    { host: 'auth.mercadolibre.cl', reason: 'certificate', calls: 1 },
  ])
  t.equal(proxy.calls(), 1)
})

const curl = spawnSync('curl', ['--version']).error ? { skip: 'needs curl' } : {}
t.test('an alert of TLS that rejects the certificate is counted', curl, async (t) => {
  const { proxy } = await startHere(t)
  const args = ['--silent', '--noproxy', '', '--proxy', `http://127.0.0.1:${proxy.port}`, `https://${API}/currencies`]
  const env = { PATH: process.env.PATH }
  // The exit code of curl for it.
  t.strictSame(await once(spawn('curl', args, { env, stdio: 'ignore' }), 'exit'), [60, null])
  await until('it is counted', () => proxy.refusals().length === 1)
  t.strictSame(proxy.refusals(), [{ host: API, reason: 'certificate', calls: 1 }])
})

t.test('what the proxy does not speak is refused with a clear line', async (t) => {
  const { proxy } = await startHere(t)
  const rows: [name: string, status: number, message: RegExp, ...pieces: string[]][] = [
    [
      'an HTTP/2 preface',
      505,
      /^mercadito exec --intercept speaks HTTP\/1\.1 only, not HTTP\/2\n$/,
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    ],
    [
      'a WebSocket',
      501,
      /"mercadito exec --intercept speaks HTTP\/1\.1 only, not WebSocket"/,
      `GET http://${API}/ HTTP/1.1\r\nhost: ${API}\r\nupgrade: websocket\r\nconnection: upgrade, close\r\n\r\n`,
    ],
    ['no host', 400, /"This is the proxy of mercadito exec/, 'GET / HTTP/1.0\r\n\r\n'],
    [
      'a host that is none',
      400,
      /"This is the proxy/,
      'GET http://a$b/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    ],
    ['CONNECT without a host', 400, /^CONNECT needs a host and a port/, 'CONNECT / HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['CONNECT to port 0', 400, /^CONNECT needs a host and a port/, 'CONNECT a:0 HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['not HTTP', 400, /"This is not an HTTP request\."/, 'hello\r\n\r\n'],
    ['a long head', 431, /at most 32768 bytes/, `GET / HTTP/1.1\r\nhost: ${API}\r\nx-a: ${'a'.repeat(40_000)}\r\n\r\n`],
  ]
  for (const [name, status, message, ...pieces] of rows)
    t.match(await exchange(proxy.port, ...pieces), [{ status, text: message }], name)

  const offersHttp2 = openSecureTunnel(proxy.port, `${API}:443`, { ca, ALPNProtocols: ['h2'] })
  await t.rejects(offersHttp2, { message: /no application protocol/ })
  t.strictSame(
    new Set(proxy.refusals().map(({ host, reason }) => `${reason} ${host}`)),
    new Set([`http2 ${API}`, `websocket ${API}`]),
  )
})

t.test('an upgrade to HTTP/2 that a client can do without is ignored', async (t) => {
  const { proxy } = await startHere(t)
  const [answer] = await exchange(
    proxy.port,
    `GET http://${API}/currencies/ARS HTTP/1.1\r\nhost: x\r\nconnection: upgrade, http2-settings, close\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABk\r\n\r\n`,
  )
  t.match(answer, { status: 200, text: /"ARS"/ })
})

t.test('allowed hosts are reached, and their connections are not opened', async (t) => {
  // It answers with what it got when the other side has ended, so that a connection must be half-open.
  const echo = createSocketServer({ allowHalfOpen: true }, async (socket) => {
    socket.end(`got ${await readText(socket)}`)
  }).listen(0, '127.0.0.1')
  const site = createServer(({ url, headers }, response) =>
    response.end(`${url} ${headers.host} ${headers.te}`),
  ).listen(0, '127.0.0.1')
  t.teardown(() => echo.close())
  t.teardown(() => site.close())
  await Promise.all([once(echo, 'listening'), once(site, 'listening')])
  const [echoPort, sitePort] = [echo, site].map((one) => (one.address() as AddressInfo).port)
  const proxy = await openHere(t, 'http://127.0.0.1:1', ['127.0.0.1', '*.example.com'])

  const socket = await openTunnel(proxy.port, `127.0.0.1:${echoPort}`)
  socket.end('\x16\x03 not HTTP')
  t.equal(await readText(socket), 'got \x16\x03 not HTTP')

  const [answer] = await exchange(
    proxy.port,
    `GET http://127.0.0.1:${sitePort}/a?b HTTP/1.1\r\nhost: other\r\nte: trailers\r\nconnection: te, close\r\n\r\n`,
  )
  t.match(answer, { status: 200, text: `/a?b 127.0.0.1:${sitePort} undefined` })

  const closed = createSocketServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  await once(closed, 'close')
  await t.rejects(openTunnel(proxy.port, `127.0.0.1:${port}`), {
    message: `HTTP/1.1 502 mercadito cannot reach 127.0.0.1:${port} (ECONNREFUSED)`,
  })
  await t.rejects(openTunnel(proxy.port, 'example.com:443'), { message: /^HTTP\/1\.1 403 / })
  t.match(await call(proxy.port, { path: '/', headers: { host: 'a.example.com' } }), { status: 403 })
})

t.test('an unreachable world is said', async (t) => {
  const proxy = await openHere(t, 'http://127.0.0.1:1')
  t.match(await call(proxy.port, { path: '/' }), {
    status: 502,
    text: JSON.stringify({
      message: 'mercadito cannot reach http://127.0.0.1:1 (ECONNREFUSED)',
      error: 'intercepted',
      status: 502,
    }),
  })
})

t.test('Expect and pipelines work as with the server itself', async (t) => {
  const { direct, proxy, buyers } = await startHere(t)
  const body = '{"item_id":"MLA1","text":"?"}'
  const head = `host: ${API}\r\nauthorization: Bearer ${buyers[0]!.token}\r\n`
  const rows: [name: string, statuses: number[], ...pieces: string[]][] = [
    [
      'Expect: 100-continue',
      [100, 404],
      `POST /questions HTTP/1.1\r\n${head}content-length: ${body.length}\r\nexpect: 100-continue\r\nconnection: close\r\n\r\n`,
      body,
    ],
    ['Expect: tea', [417], `GET /currencies HTTP/1.1\r\n${head}expect: tea\r\nconnection: close\r\n\r\n`],
    [
      'a pipeline',
      [200, 404, 200],
      `GET /currencies/ARS HTTP/1.1\r\n${head}\r\nGET /none HTTP/1.1\r\n${head}\r\nGET /currencies/BRL HTTP/1.1\r\n${head}connection: close\r\n\r\n`,
    ],
  ]
  for (const [name, statuses, ...pieces] of rows) {
    const answers = await exchange(proxy.port, ...pieces)
    t.strictSame(
      answers.map(({ status }) => status),
      statuses,
      name,
    )
    t.strictSame(answers.map(withoutDate), (await exchange(direct, ...pieces)).map(withoutDate), `${name}: direct`)
  }
})

t.test('bodies are streamed both ways', async (t) => {
  // Answers each part of the request before the next one is sent.
  const proxy = await playWorld(t, (request, response) => request.pipe(response))
  const socket = await openSecureTunnel(proxy.port, `${API}:443`, { ca })
  const sent = request({ method: 'POST', host: API, createConnection: () => socket })
  sent.write('one')
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  t.equal(String((await once(answer, 'data'))[0]), 'one')
  const part = 'x'.repeat(1024 * 1024)
  const received = readText(answer)
  for (let n = 0; n < 20; n++) if (!sent.write(part)) await once(sent, 'drain')
  sent.end()
  t.equal((await received).length, 20 * part.length)
})

t.test('a client that goes away ends its call in the world', async (t) => {
  const ends: Promise<unknown>[] = []
  const arrived = Promise.withResolvers<void>()
  const proxy = await playWorld(t, (request, response) => {
    ends.push(once(response, 'close'))
    request.resume()
    if (ends.length === 2) arrived.resolve()
  })
  const sockets = await Promise.all([1, 2].map(() => openSecureTunnel(proxy.port, `${API}:443`, { ca })))
  sockets[0]!.write(`GET / HTTP/1.1\r\nhost: ${API}\r\n\r\n`)
  sockets[1]!.write(`POST / HTTP/1.1\r\nhost: ${API}\r\ncontent-length: 9\r\n\r\n{`)
  await arrived.promise
  for (const socket of sockets) socket.destroy()
  await Promise.all(ends)
  t.equal(ends.length, 2)
})

t.test('a world that closes the connection, as a fault may say, closes that of the client', async (t) => {
  const { proxy } = await startHere(t)
  const dropped = `GET http://${API}/currencies HTTP/1.1\r\nhost: x\r\nx-sandbox-fault: drop\r\n\r\n`
  t.strictSame(await exchange(proxy.port, dropped), [])
  const broken = await playWorld(t, (_request, response) => {
    response.writeHead(200, { 'content-length': 10 })
    response.write('half', () => response.destroy())
  })
  await t.rejects(call(broken.port, { path: '/' }), { message: 'aborted' })
})

t.test('slow senders are ended as by the server itself', async (t) => {
  const { direct, proxy, buyers } = await startHere(t, { limits: { bodyTimeoutMs: 300 } })
  const slow = `POST /questions HTTP/1.1\r\nhost: ${API}\r\nauthorization: Bearer ${buyers[0]!.token}\r\ncontent-length: 100\r\n\r\n{`
  const [expected] = await exchange(direct, slow)
  const answers = await exchange(proxy.port, slow)
  t.equal(answers[0]!.status, 408)
  t.strictSame(answers.map(withoutDate), [withoutDate(expected!)])
})

t.test('garbage in place of TLS ends its connection only', async (t) => {
  const { proxy } = await startHere(t)
  for (const bytes of ['hello\r\n\r\n', `GET / HTTP/1.1\r\nhost: ${API}\r\n\r\n`, '\x16\x03\x01\xff\xff\xff']) {
    const socket = await openTunnel(proxy.port, `${API}:443`)
    socket.end(bytes)
    await once(socket.resume(), 'close')
  }
  t.match(await call(proxy.port, { path: '/currencies/ARS' }), { status: 200 })
})

t.test('closing breaks what is in flight', async (t) => {
  const arrived = Promise.withResolvers<void>()
  const proxy = await playWorld(t, () => arrived.resolve())
  const [calling, silent] = [
    await openSecureTunnel(proxy.port, `${API}:443`, { ca }),
    await openTunnel(proxy.port, `${API}:443`),
  ]
  const ended = [calling, silent].map((socket) =>
    Promise.race([once(socket.on('error', () => {}).resume(), 'end'), once(socket, 'close')]),
  )
  calling.write(`GET / HTTP/1.1\r\nhost: ${API}\r\n\r\n`)
  await arrived.promise
  await proxy.close()
  await Promise.all(ended)
  await t.rejects(openTunnel(proxy.port, `${API}:443`))
})
