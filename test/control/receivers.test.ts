import dns from 'node:dns/promises'
import { once } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { type Answer, type AnyWorld, badRequest, ITEM, NOON, start, valuesOf } from '../support/app.ts'
import { createSubscribedWorld } from '../support/deliveries.ts'
import { until } from '../support/until.ts'

const app = await start(t, { allowlist: ['*.test'] })

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
        // The short limit applies only where nothing arrives: the others must not depend on the load of the machine.
        const profile = error === NOT_IN_TIME ? 'realistic' : 'ideal'
        const overrides = error === NOT_WHOLE ? { limit_ms: 3000 } : {}
        const setting = { topics: ['items'], profile, overrides }
        const url = host ? target.url.replace('127.0.0.1', host) : target.url
        const world = await createSubscribedWorld(t, app, url, setting)
        const { configure, pause, settle, advance, deliveries, delivery } = world
        await before?.(target)
        await pause()
        t.equal((await settle()).status, 204)
        const [{ id }, ...others] = await deliveries()
        t.strictSame(others, [])
        const failed = { http_code, error, length, begins }
        const [at15, at60] = ['2026-03-02T12:00:15.000Z', '2026-03-02T12:01:00.000Z']
        const one = { n: 1, sent: NOON, ...failed }
        const two = { n: 2, sent: at15, ...failed }
        const three = { n: 3, sent: at60, http_code: 200, error: null, length: 2, begins: 'ok' }
        const expectState = async (status: string, attempts: number, next_at: string | null, tries: object[]) =>
          t.strictSame(summary(await delivery(id)), { status, attempts, next_at, tries })
        await expectState('pending', 1, at15, [one])
        await advance('PT14.999S')
        await settle()
        t.equal((await delivery(id)).attempts, 1, 'not before it is due')
        await advance('PT0.001S')
        await settle()
        await expectState('pending', 2, at60, [one, two])
        target.behaviour = answerOk
        await after?.(target)
        await configure({ topics: ['items'], profile: 'ideal' })
        await advance('PT45S')
        await settle()
        await expectState('delivered', 3, null, [one, two, three])
        for (const { ms, url: called } of (await delivery(id)).tries)
          t.strictSame([called, Number.isInteger(ms) && ms >= 0], [url, true])
      }),
    ),
  )
})

/** Another application of the seller, which is notified, too; answers its id. */
async function subscribeAnother({ seller, control }: AnyWorld, callback_url: string, topic: string): Promise<number> {
  const { id } = (await control('POST /applications', { redirect_uri: 'http://localhost/' })).body
  t.equal((await control('POST /tokens', { user_id: seller.id, application_id: id })).status, 201)
  await control(`PUT /applications/${id}/notifications`, { callback_url, topics: [topic] })
  return id
}

t.test('a slow receiver does not delay another application', async (t) => {
  const COUNT = 20
  const waiting: Socket[] = []
  const slow = await receiver(t, (socket) => waiting.push(socket))
  const quick = await receiver(t, answerOk)
  const world = await createSubscribedWorld(t, app, slow.url, { topics: ['questions'] })
  const { application, buyer, settle, deliveries } = world
  const other = await subscribeAnother(world, quick.url, 'questions')
  for (let n = 0; n < COUNT; n++)
    t.equal((await buyer.post('/questions', { item_id: ITEM, text: `¿Hay ${n}?` })).status, 201)
  const countDeliveries = async (application_id: number, status: string) =>
    (await deliveries(`?application_id=${application_id}&status=${status}`)).length
  await until(`${COUNT} deliveries`, async () => (await countDeliveries(other, 'delivered')) >= COUNT)
  const slowOnes = () => Promise.all(['delivered', 'pending'].map((status) => countDeliveries(application.id, status)))
  t.strictSame(await slowOnes(), [0, 2 * COUNT])
  slow.behaviour = answerOk
  for (const socket of waiting) answerOk(socket, 1)
  await settle()
  t.strictSame([await slowOnes(), slow.requests], [[2 * COUNT, 0], 2 * COUNT])
})

t.test('tries each address of a name, in one attempt with one lookup', async (t) => {
  const target = await receiver(t, answerOk)
  let lookups = 0
  mockLookup(async () => {
    lookups++
    return [
      { address: '127.0.0.2', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]
  })
  t.teardown(() => mockLookup(lookup))
  const url = target.url.replace('127.0.0.1', 'localhost')
  const { pause, settle, delivery } = await createSubscribedWorld(t, app, url, { topics: ['items'] })
  await pause()
  await settle()
  const { status, attempts, tries } = await delivery(1)
  t.strictSame([status, attempts, lookups, target.requests], ['delivered', 1, 1, 1])
  t.strictSame(valuesOf(tries, 'n', 'error'), [[1, null]])
})

t.test('rejects this server itself as a receiver', async (t) => {
  await app.server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.server.address() as AddressInfo
  const { configure, pause, settle, delivery } = await createSubscribedWorld(t, app, 'inbox:')
  for (const host of ['127.0.0.1', 'localhost', 'tienda.localhost', '0x7f.1']) {
    const { status, body } = await configure({ callback_url: `http://${host}:${port}/w/1/hook` })
    const { hostname } = new URL(`http://${host}`)
    const message = `callback_url: ${hostname}:${port} is this server itself`
    t.strictSame([status, body], [400, badRequest(message)], host)
  }
  const mirror = { callback_url: `http://espejo.test:${port}/hook`, topics: ['items'] }
  t.equal((await configure(mirror)).status, 200)
  mockLookup(async () => [{ address: '127.0.0.1', family: 4 }])
  t.teardown(() => mockLookup(lookup))
  await pause()
  await settle()
  const { status, tries } = await delivery(1)
  t.strictSame([status, valuesOf(tries, 'error')], ['pending', [`espejo.test:${port} is this server itself`]])
  t.equal((await app.control('GET /requests?path=*hook*')).body.paging.total, 0)
})

t.test('fails an attempt whose lookup does not end in time, without delaying others', async (t) => {
  const COUNT = 20
  const quick = await receiver(t, answerOk)
  const lookups: string[] = []
  mockLookup((name) => {
    lookups.push(name)
    return new Promise(() => {})
  })
  t.teardown(() => mockLookup(lookup))
  const setting = { topics: ['items'], overrides: { limit_ms: 100 } }
  const world = await createSubscribedWorld(t, app, 'http://mudo.test/', setting)
  const { application, pause, activate, settle, deliveries, delivery } = world
  await subscribeAnother(world, quick.url, 'items')
  const items = Array.from({ length: COUNT / 2 }, (_, n) => `MLA${1_400_000_001 + n}`)
  for (const change of [pause, activate]) for (const item of items) await change(item)
  await settle()
  t.equal(quick.requests, COUNT)
  const [failed] = await deliveries(`?application_id=${application.id}&limit=${COUNT}`)
  const first = await delivery(failed.id)
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
