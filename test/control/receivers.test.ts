import dns from 'node:dns/promises'
import { once } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { type Answer, start } from '../support/app.ts'

const app = await start(t, { allowlist: ['*.test'] })
const { control, call } = app

/** What a receiver does with the n-th request, from 1; it has read all of it. */
type Behaviour = (socket: Socket, n: number) => void

const answer = (status: string, body: string, headers = '') =>
  `HTTP/1.1 ${status}\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
const well: Behaviour = (socket) => socket.write(answer('200 OK', 'ok'))
/** Once the other side has given up. */
const tooLate = (socket: Socket, text: string) => socket.once('close', () => socket.write(text))

/** A receiver of bytes, so that it can do what no HTTP server does. */
async function receiver(t: Test, first: Behaviour) {
  const sockets = new Set<Socket>()
  const state = { behaviour: first, requests: 0, url: '', shut, open }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    let text = ''
    socket.on('data', (piece) => {
      text += piece
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
  async function shut() {
    if (!server.listening) return
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  }
  await open()
  t.teardown(shut)
  return state
}
type Receiver = Awaited<ReturnType<typeof receiver>>

/** A world of its own, its clock frozen at noon, and its application. */
async function world(t: Test) {
  const { body } = await control('POST /worlds', { scenario: 'demo', now: '2026-03-02T12:00:00Z' })
  const base = `/w/${body.world.id}`
  t.teardown(() => control(`DELETE /worlds/${body.world.id}`))
  const tell = (id: number, callback_url: string, more: object) =>
    control(`PUT /applications/${id}/notifications`, { callback_url, ...more }, base)
  const settle = () => control('POST /settle', undefined, base)
  const deliveries = async (query = '') =>
    (await control(`GET /deliveries?limit=50${query}`, undefined, base)).body.results.reverse()
  return { base, ready: body, tell, settle, deliveries }
}

/** A try as it is recorded: the body by its length and its first characters. */
const shown = ({ tries, status, attempts, next_at }: Answer['body']) => ({
  status,
  attempts,
  next_at,
  tries: tries.map(({ ms, body, url, ...rest }: { ms: number; body: string; url: string }) => ({
    ...rest,
    length: body.length,
    begins: body.slice(0, 5),
  })),
})

interface Kind {
  does: Behaviour
  http_code?: number
  /** Of the body, as it is kept. */
  length?: number
  begins?: string
  error?: string
  /** How the receiver is broken otherwise, and mended. */
  before?(receiver: Receiver): Promise<void> | void
  after?(receiver: Receiver): Promise<void> | void
  /** Instead of the receiver's own name, 127.0.0.1. */
  host?: string
}

const NOT_IN_TIME = 'no answer within 500 ms'
const NOT_WHOLE = 'no whole answer within 500 ms'
const lookup = dns.lookup
const leadTo = (answers: (name: string) => Promise<object>) => {
  dns.lookup = answers as typeof lookup
  syncBuiltinESMExports()
}
t.teardown(() => leadTo(lookup))

const BROKEN: Record<string, Kind> = {
  'is slow to answer': { does: (socket) => tooLate(socket, answer('200 OK', 'ok')), error: NOT_IN_TIME },
  'is slow to end its answer': {
    does(socket) {
      const text = answer('200 OK', 'casi todo')
      socket.write(text.slice(0, -4))
      tooLate(socket, text.slice(-4))
    },
    http_code: 200,
    length: 5,
    begins: 'casi ',
    error: NOT_WHOLE,
  },
  'answers nothing at all': { does() {}, error: NOT_IN_TIME },
  'closes without an answer': { does: (socket) => socket.end(), error: 'closed without an answer' },
  'closes within its answer': {
    does: (socket) => socket.end(answer('200 OK', 'casi todo').slice(0, -4)),
    http_code: 200,
    length: 5,
    begins: 'casi ',
    error: 'answer broke off',
  },
  resets: { does: (socket) => socket.resetAndDestroy(), error: 'connection reset' },
  'answers 500': {
    does: (socket) => socket.write(answer('500 Internal Server Error', 'no anda')),
    http_code: 500,
    length: 7,
    begins: 'no an',
  },
  'answers 204': { does: (socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'), http_code: 204 },
  'answers 301': {
    does: (socket) => socket.write(answer('301 Moved Permanently', '', 'location: http://127.0.0.1:1/otro\r\n')),
    http_code: 301,
    error: 'redirects are not followed',
  },
  'answers garbage': { does: (socket) => socket.end('¿qué?\r\n\r\n'), error: 'answer is no HTTP' },
  'answers 500 with 10 MB': {
    does: (socket) => socket.write(answer('500 Internal Server Error', 'x'.repeat(10_000_000))),
    http_code: 500,
    length: 65_536,
    begins: 'xxxxx',
  },
  'is not there': {
    does: well,
    error: 'connection refused',
    before: (receiver) => receiver.shut(),
    after: (receiver) => receiver.open(),
  },
  'has a name that does not resolve': {
    does: well,
    host: 'recibe.localhost',
    error: 'no address: ENOTFOUND',
    before: () => leadTo(() => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))),
    after: () => leadTo(async () => [{ address: '127.0.0.1', family: 4 }]),
  },
}

t.test('a receiver that is broken is tried again, and is told once it is mended', async (t) => {
  // At the same time, since the slow ones take as long as they may.
  t.jobs = Object.keys(BROKEN).length
  await Promise.all(
    Object.entries(BROKEN).map(([name, { does, before, after, host, ...kind }]) =>
      t.test(`one that ${name}`, { buffered: true }, async (t) => {
        const { http_code = null, length = 0, begins = '', error = null } = kind
        const at = await receiver(t, does)
        const { base, ready, tell, settle, deliveries } = await world(t)
        // Half a second only where it is the point: nothing else may depend on how busy this machine is.
        const isSlow = error === NOT_IN_TIME || error === NOT_WHOLE
        const told = { topics: ['items'], profile: isSlow ? 'realistic' : 'ideal' }
        const url = host ? at.url.replace('127.0.0.1', host) : at.url
        await tell(ready.application.id, url, told)
        await before?.(at)
        await control('PATCH /items/MLA1400000002', { status: 'paused' }, base)
        t.equal((await settle()).status, 204)
        const [{ id }, ...others] = await deliveries()
        t.strictSame(others, [])
        const failed = { http_code, error, length, begins }
        const delivery = async () => (await control(`GET /deliveries/${id}`, undefined, base)).body
        const one = { n: 1, sent: '2026-03-02T12:00:00.000Z', ...failed }
        const two = { n: 2, sent: '2026-03-02T12:00:15.000Z', ...failed }
        t.strictSame(shown(await delivery()), {
          status: 'pending',
          attempts: 1,
          next_at: '2026-03-02T12:00:15.000Z',
          tries: [one],
        })
        await control('POST /clock/advance', { by: 'PT14.999S' }, base)
        await settle()
        t.equal((await delivery()).attempts, 1, 'not before its time')
        await control('POST /clock/advance', { by: 'PT0.001S' }, base)
        await settle()
        t.strictSame(shown(await delivery()), {
          status: 'pending',
          attempts: 2,
          next_at: '2026-03-02T12:01:00.000Z',
          tries: [one, two],
        })
        at.behaviour = well
        await after?.(at)
        await tell(ready.application.id, url, { topics: ['items'], profile: 'ideal' })
        await control('POST /clock/advance', { by: 'PT45S' }, base)
        await settle()
        const done = await delivery()
        t.strictSame(shown(done), {
          status: 'delivered',
          attempts: 3,
          next_at: null,
          tries: [
            one,
            two,
            { n: 3, sent: '2026-03-02T12:01:00.000Z', http_code: 200, error: null, length: 2, begins: 'ok' },
          ],
        })
        t.ok(done.tries.every((one: { url: string }) => one.url === url))
        t.ok(done.tries.every(({ ms }: { ms: number }) => Number.isInteger(ms) && ms >= 0))
      }),
    ),
  )
})

t.test('an answer of 200 counts whatever it says, and 64 KiB of it are kept', async (t) => {
  const at = await receiver(t, (socket) => socket.write(answer('200 OK', 'á'.repeat(5_000_000))))
  const { base, ready, tell, settle, deliveries } = await world(t)
  await tell(ready.application.id, at.url, { topics: ['items'] })
  await control('PATCH /items/MLA1400000002', { status: 'paused' }, base)
  await settle()
  const [{ id, status, attempts }] = await deliveries()
  t.strictSame([status, attempts, at.requests], ['delivered', 1, 1])
  const { tries } = (await control(`GET /deliveries/${id}`, undefined, base)).body
  t.equal(tries[0].body, 'á'.repeat(32_768))
})

t.test('a slow receiver holds back no other application', async (t) => {
  const COUNT = 20
  const waiting: Socket[] = []
  const slow = await receiver(t, (socket) => waiting.push(socket))
  const quick = await receiver(t, well)
  const { base, ready, tell, settle, deliveries } = await world(t)
  const { body: other } = await control('POST /applications', { redirect_uri: 'http://localhost/' }, base)
  const [seller, buyer] = [ready.sellers[0], ready.buyers[0]]
  const granted = await control('POST /tokens', { user_id: seller.id, application_id: other.id }, base)
  t.equal(granted.status, 201)
  await tell(ready.application.id, slow.url, { topics: ['questions'] })
  await tell(other.id, quick.url, { topics: ['questions'] })
  for (let n = 0; n < COUNT; n++) {
    const asked = await call({
      method: 'POST',
      url: '/questions',
      headers: { authorization: `Bearer ${buyer.token}` },
      payload: JSON.stringify({ item_id: 'MLA1400000001', text: `¿Hay ${n}?` }),
    })
    t.equal(asked.status, 201)
  }
  const of = async (application_id: number, status: string) =>
    (await deliveries(`&application_id=${application_id}&status=${status}`)).length
  while ((await of(other.id, 'delivered')) < COUNT) await new Promise((resolve) => setTimeout(resolve, 5))
  t.strictSame([await of(ready.application.id, 'delivered'), await of(ready.application.id, 'pending')], [0, 2 * COUNT])
  slow.behaviour = well
  for (const socket of waiting) well(socket, 1)
  await settle()
  t.strictSame([await of(ready.application.id, 'delivered'), slow.requests], [2 * COUNT, 2 * COUNT])
})

t.test('a receiver at one address of its name is found, in one attempt and with one lookup', async (t) => {
  const at = await receiver(t, well)
  const { base, ready, tell, settle, deliveries } = await world(t)
  let asked = 0
  leadTo(async () => {
    asked++
    return [
      { address: '127.0.0.2', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]
  })
  t.teardown(() => leadTo(lookup))
  await tell(ready.application.id, at.url.replace('127.0.0.1', 'localhost'), { topics: ['items'] })
  await control('PATCH /items/MLA1400000002', { status: 'paused' }, base)
  await settle()
  const [{ id, status, attempts }] = await deliveries()
  t.strictSame([status, attempts, asked, at.requests], ['delivered', 1, 1, 1])
  const { tries } = (await control(`GET /deliveries/${id}`, undefined, base)).body
  t.strictSame(
    tries.map(({ n, error }: Answer['body']) => [n, error]),
    [[1, null]],
  )
})

t.test('this server is no receiver', async (t) => {
  await app.server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.server.address() as AddressInfo
  const { base, ready, tell, settle, deliveries } = await world(t)
  for (const host of ['127.0.0.1', 'localhost', 'tienda.localhost', '0x7f.1']) {
    const { status, body } = await tell(ready.application.id, `http://${host}:${port}/w/1/hook`, {})
    const { hostname } = new URL(`http://${host}`)
    const message = `callback_url: ${hostname}:${port} is this server itself`
    t.strictSame([status, body], [400, { message, error: 'bad_request', status: 400, cause: [] }], host)
  }
  t.equal((await tell(ready.application.id, `http://espejo.test:${port}/hook`, { topics: ['items'] })).status, 200)
  leadTo(async () => [{ address: '127.0.0.1', family: 4 }])
  t.teardown(() => leadTo(lookup))
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

t.test('a lookup that never ends fails its attempt in time, and holds back nobody', async (t) => {
  const COUNT = 20
  const quick = await receiver(t, well)
  const { base, ready, tell, settle, deliveries } = await world(t)
  const { body: other } = await control('POST /applications', { redirect_uri: 'http://localhost/' }, base)
  await control('POST /tokens', { user_id: ready.sellers[0].id, application_id: other.id }, base)
  const asked: string[] = []
  leadTo((name) => {
    asked.push(name)
    return new Promise(() => {})
  })
  t.teardown(() => leadTo(lookup))
  await tell(ready.application.id, 'http://mudo.test/', { topics: ['items'], overrides: { limit_ms: 100 } })
  await tell(other.id, quick.url, { topics: ['items'] })
  for (let n = 0; n < COUNT; n++)
    await control(`PATCH /items/MLA${1400000001 + (n % 10)}`, { status: n < 10 ? 'paused' : 'active' }, base)
  await settle()
  t.equal(quick.requests, COUNT)
  const failed = await deliveries(`&application_id=${ready.application.id}`)
  const first = (await control(`GET /deliveries/${failed[0].id}`, undefined, base)).body
  t.strictSame([first.status, first.tries[0].error], ['pending', 'no address of mudo.test within 100 ms'])
  t.ok(first.tries[0].ms >= 99, `${first.tries[0].ms} ms`)
  t.strictSame(asked, ['mudo.test'], 'asked once for all of them')
})

t.test('nor does it hold back the end of the server', async (t) => {
  const ending = await start(t, { allowlist: ['*.test'] })
  const begun = Promise.withResolvers<void>()
  leadTo(() => {
    begun.resolve()
    return new Promise(() => {})
  })
  t.teardown(() => leadTo(lookup))
  const told = { callback_url: 'http://callado.test/', profile: 'ideal' }
  await ending.control(`PUT /applications/${ending.application.id}/notifications`, told)
  await ending.control('PATCH /items/MLA1400000002', { status: 'paused' })
  await begun.promise
  const before = performance.now()
  await ending.server.close()
  t.ok(performance.now() - before < 8000, 'it would take ten seconds')
  t.strictSame(ending.faults, [])
})

t.test('nothing went wrong unseen', async (t) => {
  t.strictSame(app.faults, [])
})
