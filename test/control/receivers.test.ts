import dns from 'node:dns/promises'
import { once } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { type Answer, start } from '../support/app.ts'
import { until } from '../support/until.ts'

const app = await start(t, { allowlist: ['*.test'] })
const { control, call } = app

/** Handles the n-th request, from 1, once its body is complete. */
type Behaviour = (socket: Socket, n: number) => void

const answer = (status: string, body: string, headers = '') =>
  `HTTP/1.1 ${status}\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
const answerOk: Behaviour = (socket) => socket.write(answer('200 OK', 'ok'))
/** Writes once the other side has closed the connection. */
const writeAfterClose = (socket: Socket, text: string) => socket.once('close', () => socket.write(text))

/** A receiver on a plain socket, to send what no HTTP server sends. */
async function receiver(t: Test, first: Behaviour) {
  const sockets = new Set<Socket>()
  const state = { behaviour: first, requests: 0, url: '', close, open }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
      const end = text.indexOf('\r\n\r\n') + 4
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1])
      if (end < 4 || text.length < end + length) return
      text = ''
      state.behaviour(socket, ++state.requests)
    })
  })
  let port = 0
  async function open() {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
    state.url = `http://127.0.0.1:${port}/hook`
  }
  async function close() {
    if (!server.listening) return
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  }
  await open()
  t.teardown(close)
  return state
}
type Receiver = Awaited<ReturnType<typeof receiver>>

/** A new world with the clock frozen at noon, and its application. */
async function createWorld(t: Test) {
  const { body } = await control('POST /worlds', { scenario: 'demo', now: '2026-03-02T12:00:00Z' })
  const base = `/w/${body.world.id}`
  t.teardown(() => control(`DELETE /worlds/${body.world.id}`))
  const configure = (id: number, callback_url: string, more: object) =>
    control(`PUT /applications/${id}/notifications`, { callback_url, ...more }, base)
  const settle = () => control('POST /settle', undefined, base)
  const deliveries = async (query = '') =>
    (await control(`GET /deliveries?limit=50${query}`, undefined, base)).body.results.reverse()
  return { base, info: body, configure, settle, deliveries }
}

/** A delivery with its attempts: the body by its length and first characters. */
const summary = ({ tries, status, attempts, next_at }: Answer['body']) => ({
  status,
  attempts,
  next_at,
  tries: tries.map(({ ms, body, url, real_sent, request, ...rest }: Answer['body']) => ({
    ...rest,
    length: body.length,
    begins: body.slice(0, 5),
  })),
})

interface Failure {
  behaviour: Behaviour
  http_code?: number
  /** Length of the recorded body. */
  length?: number
  begins?: string
  error?: string
  /** Breaks or repairs the receiver. */
  before?(receiver: Receiver): Promise<void> | void
  after?(receiver: Receiver): Promise<void> | void
  /** Replaces 127.0.0.1 in the receiver's URL. */
  host?: string
}

const NOT_IN_TIME = 'no answer within 500 ms'
/** Longer: the first part must arrive in time on any machine. */
const NOT_WHOLE = 'no whole answer within 3000 ms'
const lookup = dns.lookup
const mockLookup = (answers: (name: string) => Promise<object>) => {
  dns.lookup = answers as typeof lookup
  syncBuiltinESMExports()
}
t.teardown(() => mockLookup(lookup))

/** What an attempt makes of other answers: test/domains/notifications.sender.test.ts. */
const BROKEN: Record<string, Failure> = {
  'is slow to end its answer': {
    behaviour(socket) {
      const text = answer('200 OK', 'casi todo')
      socket.write(text.slice(0, -4))
      writeAfterClose(socket, text.slice(-4))
    },
    http_code: 200,
    length: 5,
    begins: 'casi ',
    error: NOT_WHOLE,
  },
  'does not answer': { behaviour() {}, error: NOT_IN_TIME },
  'answers 500': {
    behaviour: (socket) => socket.write(answer('500 Internal Server Error', 'no anda')),
    http_code: 500,
    length: 7,
    begins: 'no an',
  },
  'answers 204': { behaviour: (socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'), http_code: 204 },
  'is not there': {
    behaviour: answerOk,
    error: 'connection refused',
    before: (receiver) => receiver.close(),
    after: (receiver) => receiver.open(),
  },
  'has a name that does not resolve': {
    behaviour: answerOk,
    host: 'recibe.localhost',
    error: 'no address: ENOTFOUND',
    before: () => mockLookup(() => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))),
    after: () => mockLookup(async () => [{ address: '127.0.0.1', family: 4 }]),
  },
}

t.test('retries a broken receiver, and delivers once it works', async (t) => {
  // Concurrent, because the slow ones take until their timeout.
  t.jobs = Object.keys(BROKEN).length
  await Promise.all(
    Object.entries(BROKEN).map(([name, { behaviour, before, after, host, ...kind }]) =>
      t.test(`a receiver that ${name}`, { buffered: true }, async (t) => {
        const { http_code = null, length = 0, begins = '', error = null } = kind
        const target = await receiver(t, behaviour)
        const { base, info, configure, settle, deliveries } = await createWorld(t)
        // The short limit applies only where nothing arrives: the others must not depend on the load of the machine.
        const profile = error === NOT_IN_TIME ? 'realistic' : 'ideal'
        const overrides = error === NOT_WHOLE ? { limit_ms: 3000 } : {}
        const setting = { topics: ['items'], profile, overrides }
        const url = host ? target.url.replace('127.0.0.1', host) : target.url
        await configure(info.application.id, url, setting)
        await before?.(target)
        await control('PATCH /items/MLA1400000002', { status: 'paused' }, base)
        t.equal((await settle()).status, 204)
        const [{ id }, ...others] = await deliveries()
        t.strictSame(others, [])
        const failed = { http_code, error, length, begins }
        const delivery = async () => (await control(`GET /deliveries/${id}`, undefined, base)).body
        const one = { n: 1, sent: '2026-03-02T12:00:00.000Z', ...failed }
        const two = { n: 2, sent: '2026-03-02T12:00:15.000Z', ...failed }
        t.strictSame(summary(await delivery()), {
          status: 'pending',
          attempts: 1,
          next_at: '2026-03-02T12:00:15.000Z',
          tries: [one],
        })
        await control('POST /clock/advance', { by: 'PT14.999S' }, base)
        await settle()
        t.equal((await delivery()).attempts, 1, 'not before it is due')
        await control('POST /clock/advance', { by: 'PT0.001S' }, base)
        await settle()
        t.strictSame(summary(await delivery()), {
          status: 'pending',
          attempts: 2,
          next_at: '2026-03-02T12:01:00.000Z',
          tries: [one, two],
        })
        target.behaviour = answerOk
        await after?.(target)
        await configure(info.application.id, url, { topics: ['items'], profile: 'ideal' })
        await control('POST /clock/advance', { by: 'PT45S' }, base)
        await settle()
        const delivered = await delivery()
        t.strictSame(summary(delivered), {
          status: 'delivered',
          attempts: 3,
          next_at: null,
          tries: [
            one,
            two,
            { n: 3, sent: '2026-03-02T12:01:00.000Z', http_code: 200, error: null, length: 2, begins: 'ok' },
          ],
        })
        t.ok(delivered.tries.every((one: { url: string }) => one.url === url))
        t.ok(delivered.tries.every(({ ms }: { ms: number }) => Number.isInteger(ms) && ms >= 0))
      }),
    ),
  )
})

t.test('a slow receiver does not delay another application', async (t) => {
  const COUNT = 20
  const waiting: Socket[] = []
  const slow = await receiver(t, (socket) => waiting.push(socket))
  const quick = await receiver(t, answerOk)
  const { base, info, configure, settle, deliveries } = await createWorld(t)
  const { body: other } = await control('POST /applications', { redirect_uri: 'http://localhost/' }, base)
  const [seller, buyer] = [info.sellers[0], info.buyers[0]]
  const granted = await control('POST /tokens', { user_id: seller.id, application_id: other.id }, base)
  t.equal(granted.status, 201)
  await configure(info.application.id, slow.url, { topics: ['questions'] })
  await configure(other.id, quick.url, { topics: ['questions'] })
  for (let n = 0; n < COUNT; n++) {
    const lookups = await call({
      method: 'POST',
      url: '/questions',
      headers: { authorization: `Bearer ${buyer.token}` },
      payload: JSON.stringify({ item_id: 'MLA1400000001', text: `¿Hay ${n}?` }),
    })
    t.equal(lookups.status, 201)
  }
  const countDeliveries = async (application_id: number, status: string) =>
    (await deliveries(`&application_id=${application_id}&status=${status}`)).length
  await until(`${COUNT} deliveries`, async () => (await countDeliveries(other.id, 'delivered')) >= COUNT)
  t.strictSame(
    [await countDeliveries(info.application.id, 'delivered'), await countDeliveries(info.application.id, 'pending')],
    [0, 2 * COUNT],
  )
  slow.behaviour = answerOk
  for (const socket of waiting) answerOk(socket, 1)
  await settle()
  t.strictSame([await countDeliveries(info.application.id, 'delivered'), slow.requests], [2 * COUNT, 2 * COUNT])
})

t.test('tries each address of a name, in one attempt with one lookup', async (t) => {
  const target = await receiver(t, answerOk)
  const { base, info, configure, settle, deliveries } = await createWorld(t)
  let lookups = 0
  mockLookup(async () => {
    lookups++
    return [
      { address: '127.0.0.2', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]
  })
  t.teardown(() => mockLookup(lookup))
  await configure(info.application.id, target.url.replace('127.0.0.1', 'localhost'), { topics: ['items'] })
  await control('PATCH /items/MLA1400000002', { status: 'paused' }, base)
  await settle()
  const [{ id, status, attempts }] = await deliveries()
  t.strictSame([status, attempts, lookups, target.requests], ['delivered', 1, 1, 1])
  const { tries } = (await control(`GET /deliveries/${id}`, undefined, base)).body
  t.strictSame(
    tries.map(({ n, error }: Answer['body']) => [n, error]),
    [[1, null]],
  )
})

t.test('rejects this server itself as a receiver', async (t) => {
  await app.server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.server.address() as AddressInfo
  const { base, info, configure, settle, deliveries } = await createWorld(t)
  for (const host of ['127.0.0.1', 'localhost', 'tienda.localhost', '0x7f.1']) {
    const { status, body } = await configure(info.application.id, `http://${host}:${port}/w/1/hook`, {})
    const { hostname } = new URL(`http://${host}`)
    const message = `callback_url: ${hostname}:${port} is this server itself`
    t.strictSame([status, body], [400, { message, error: 'bad_request', status: 400, cause: [] }], host)
  }
  t.equal((await configure(info.application.id, `http://espejo.test:${port}/hook`, { topics: ['items'] })).status, 200)
  mockLookup(async () => [{ address: '127.0.0.1', family: 4 }])
  t.teardown(() => mockLookup(lookup))
  await control('PATCH /items/MLA1400000002', { status: 'paused' }, base)
  await settle()
  const [{ id }] = await deliveries()
  const { status, tries } = (await control(`GET /deliveries/${id}`, undefined, base)).body
  t.strictSame([status, tries.length, tries[0].error], ['pending', 1, `espejo.test:${port} is this server itself`])
  const { body } = await control('GET /requests')
  t.strictSame(
    body.results.filter(({ path }: { path: string }) => path.includes('hook')),
    [],
  )
})

t.test('fails an attempt whose lookup does not end in time, without delaying others', async (t) => {
  const COUNT = 20
  const quick = await receiver(t, answerOk)
  const { base, info, configure, settle, deliveries } = await createWorld(t)
  const { body: other } = await control('POST /applications', { redirect_uri: 'http://localhost/' }, base)
  await control('POST /tokens', { user_id: info.sellers[0].id, application_id: other.id }, base)
  const lookups: string[] = []
  mockLookup((name) => {
    lookups.push(name)
    return new Promise(() => {})
  })
  t.teardown(() => mockLookup(lookup))
  await configure(info.application.id, 'http://mudo.test/', { topics: ['items'], overrides: { limit_ms: 100 } })
  await configure(other.id, quick.url, { topics: ['items'] })
  for (let n = 0; n < COUNT; n++)
    await control(`PATCH /items/MLA${1400000001 + (n % 10)}`, { status: n < 10 ? 'paused' : 'active' }, base)
  await settle()
  t.equal(quick.requests, COUNT)
  const failed = await deliveries(`&application_id=${info.application.id}`)
  const first = (await control(`GET /deliveries/${failed[0].id}`, undefined, base)).body
  t.strictSame([first.status, first.tries[0].error], ['pending', 'no address of mudo.test within 100 ms'])
  t.ok(first.tries[0].ms >= 99, `${first.tries[0].ms} ms`)
  t.strictSame(lookups, ['mudo.test'], 'one lookup for all attempts')
})

t.test('a pending lookup does not delay the shutdown', async (t) => {
  const other = await start(t, { allowlist: ['*.test'] })
  const lookupStarted = Promise.withResolvers<void>()
  mockLookup(() => {
    lookupStarted.resolve()
    return new Promise(() => {})
  })
  t.teardown(() => mockLookup(lookup))
  const setting = { callback_url: 'http://callado.test/', profile: 'ideal' }
  await other.control(`PUT /applications/${other.application.id}/notifications`, setting)
  await other.control('PATCH /items/MLA1400000002', { status: 'paused' })
  await lookupStarted.promise
  const before = performance.now()
  await other.server.close()
  t.ok(performance.now() - before < 8000, 'less than the timeout of ten seconds')
})
