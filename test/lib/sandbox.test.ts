import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { sandbox } from '../../lib/index.ts'
import type { Event, Notification, SandboxOptions, WorldFile } from '../../lib/types.ts'

const now = '2026-03-07T15:00:00Z'
const ITEM = 'MLA1400000001'
const faults: Error[] = []
const onFault = (error: Error) => faults.push(error)
const open = (options: SandboxOptions = {}) => sandbox({ now, port: false, onFault, ...options })

const s = await open()
t.teardown(s.close)
t.beforeEach(() => s.reset())

const folder = mkdtempSync(join(tmpdir(), 'mercadito-lib-'))
t.teardown(() => rmSync(folder, { recursive: true }))

t.test('it says all that a program needs to begin', async (t) => {
  t.strictSame(s.world, { id: 1, mode: 'temporary', data: null })
  t.strictSame(Object.keys(s.application), ['id', 'secret', 'redirect_uri'])
  t.equal(s.seller(), s.sellers[0])
  t.equal(s.seller('MLB').site_id, 'MLB')
  t.equal(s.buyer('MEC').site_id, 'MEC')
  t.strictSame(Object.keys(s.buyer()), ['id', 'site_id', 'nickname', 'token'])
  t.throws(() => s.seller('MLX'), { message: 'the world has no seller of MLX' })
})

t.test('several are alike where they begin alike, and know nothing of each other', async (t) => {
  const others = await Promise.all([open(), open(), open({ scenario: 'empty', seed: 2 })])
  const [same, again, seeded] = others
  t.strictSame(same.sellers, s.sellers)
  t.strictSame(again.application, s.application)
  t.notSame(seeded.sellers, s.sellers)
  const asked = await same.ask(ITEM, '¿Hay?')
  await same.clock.advance('1d')
  const status = { path: { id: asked.id } }
  await t.rejects(again.control.call('GET /questions/{id}', status), { name: 'ControlError', status: 404 })
  t.strictSame(await again.clock.now(), new Date(now))
  await Promise.all(others.map((other) => other.close()))
  t.equal((await s.fetch('/currencies')).status, 200)
})

t.test('fetch needs no port', async (t) => {
  const answer = await s.fetch(`/items/${ITEM}?attributes=id,site_id`)
  t.type(answer, Response)
  t.equal(answer.status, 200)
  t.equal(answer.url, `${s.url}/items/${ITEM}?attributes=id,site_id`)
  t.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  t.equal(answer.headers.get('connection'), null)
  t.strictSame(await answer.json(), { id: ITEM, site_id: 'MLA' })
  t.equal((await s.fetch(new URL('/currencies/ARS', s.url), { method: 'HEAD' })).status, 200)
  await t.rejects(fetch(s.url), { name: 'TypeError' }, 'and nobody else reaches it')
  await t.rejects(s.fetch('http://localhost:4400/currencies'), { message: 'fetch failed' })
})

t.test('whatever is sent arrives', async (t) => {
  const { token } = s.buyer('MLA')
  const text = '¿Sirve para 220 V?'
  const body = JSON.stringify({ item_id: ITEM, text })
  const streamed = () =>
    new ReadableStream({
      start(controller) {
        for (const byte of Buffer.from(body)) controller.enqueue(Uint8Array.of(byte))
        controller.close()
      },
    })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const ways: [string, () => ReturnType<typeof fetch>][] = [
    ['a text', () => s.fetch('/questions', { method: 'POST', headers, body })],
    ['bytes', () => s.fetch('/questions', { method: 'POST', headers, body: Buffer.from(body) })],
    [
      'a stream',
      () => s.fetch('/questions', { method: 'POST', headers, body: streamed(), duplex: 'half' } as RequestInit),
    ],
    ['a Request', () => s.fetch(new Request(`${s.url}/questions`, { method: 'POST', headers, body }))],
  ]
  for (const [way, ask] of ways) {
    const answer = await ask()
    t.equal(answer.status, 201, way)
    t.equal(((await answer.json()) as { text: string }).text, text, way)
  }
  const made = await s.requests({ method: 'POST', path: '/questions' })
  t.strictSame(
    made.map((call) => JSON.parse(call.body!)),
    ways.map(() => ({ item_id: ITEM, text })),
  )
  const types = made.map(({ headers }) => headers['content-type'])
  t.strictSame(new Set(types), new Set(['application/json']))
})

t.test('what breaks over a connection breaks here', async (t) => {
  await s.control.call('POST /faults', { body: { match: { path: '/currencies' }, action: { drop: true } } })
  await t.rejects(s.fetch('/currencies'), { name: 'TypeError', message: 'fetch failed', cause: { code: 'ECONNRESET' } })
  await s.control.call('POST /faults', { body: { match: { path: '/items/*' }, action: { delay: 60_000 } } })
  const late = new AbortController()
  const asked = s.fetch(`/items/${ITEM}`, { signal: late.signal })
  late.abort(new Error('enough'))
  await t.rejects(asked, { message: 'enough' })
  await t.rejects(s.fetch('/currencies', { signal: late.signal }), { message: 'enough' })
  const lost = s.fetch(`/items/${ITEM}`, { signal: AbortSignal.timeout(20) })
  await t.rejects(lost, { name: 'TimeoutError' })
})

t.test('redirects are answered, not followed', async (t) => {
  const { id, redirect_uri } = s.application
  const user = s.seller().id
  const address = `/authorization?response_type=code&client_id=${id}&redirect_uri=${encodeURIComponent(redirect_uri)}`
  const page = await s.fetch(address)
  t.match(await page.text(), String(user))
  const form = { method: 'POST', body: new URLSearchParams({ user_id: String(user), decision: 'allow' }) }
  const led = await s.fetch(address, form)
  t.equal(led.status, 302)
  t.match(led.headers.get('location'), `${redirect_uri}?code=`)
  await t.rejects(s.fetch(address, { ...form, redirect: 'error' }), { message: 'fetch failed' })
})

t.test('buyers ask, sellers answer, and what was called is known', async (t) => {
  const asked = await s.ask(ITEM, '¿Hay stock?', { from: null })
  const answered = await s.answer(asked, 'Sí.')
  t.strictSame([asked.status, asked.from!.id], ['UNANSWERED', answered.from!.id])
  t.strictSame([answered.id, answered.status, answered.answer!.text], [asked.id, 'ANSWERED', 'Sí.'])
  t.equal((await s.answer((await s.ask(ITEM, '¿Y mañana?')).id, 'También.')).answer!.text, 'También.')

  await s.fetch('/currencies')
  await s.fetch('/currencies/ARS')
  t.strictSame(
    (await s.requests()).map(({ path, response }) => [path, response.status]),
    [
      ['/currencies', 200],
      ['/currencies/ARS', 200],
    ],
  )
  t.equal((await s.requests({ path: '/currencies/*' })).length, 1)
  t.equal((await s.verify({ path: '/currencies', times: 1 })).matched, 1)
  await t.rejects(s.verify({ path: '/answers' }), {
    name: 'ControlError',
    status: 409,
    error: 'verification_failed',
    message: /^POST \/verify: Expected .*\n {2}\{"request":\{.*"path":"\/currencies\/ARS"/,
  })
  await s.reset()
  t.strictSame(await s.requests(), [])
})

t.test('a list comes whole', async (t) => {
  await s.notify('http://127.0.0.1:9/')
  // More than the page that a call takes when nobody says how many.
  for (let n = 0; n < 30; n++) await s.ask(ITEM, `¿Hay ${n}?`)
  await s.settle()
  t.equal((await s.deliveries()).length, 60)
  t.equal((await s.deliveries({ user_id: s.seller('MLA').id })).length, 30)
})

t.test('the clock', async (t) => {
  const { clock } = s
  const at = (iso: string) => new Date(iso)
  const moves: [string, () => Promise<Date>, string][] = [
    ['it stands', clock.now, '2026-03-07T15:00:00Z'],
    ['ISO 8601', () => clock.advance('PT1H30M'), '2026-03-07T16:30:00Z'],
    ['short', () => clock.advance('1d2h'), '2026-03-08T18:30:00Z'],
    ['back', () => clock.advance('-1d'), '2026-03-07T18:30:00Z'],
    ['ms', () => clock.advance(1_500), '2026-03-07T18:30:01.500Z'],
    ['ms back', () => clock.advance(-500), '2026-03-07T18:30:01.000Z'],
    ['a text', () => clock.set('2026-04-01T00:00:00Z'), '2026-04-01T00:00:00Z'],
    ['a Date', () => clock.set(at('2026-04-02T00:00:00Z')), '2026-04-02T00:00:00Z'],
    ['a number', () => clock.freeze(Date.UTC(2026, 3, 3)), '2026-04-03T00:00:00Z'],
    ['it stands again', clock.now, '2026-04-03T00:00:00Z'],
  ]
  for (const [name, move, expected] of moves) t.strictSame(await move(), at(expected), name)
  const mode = async () => (await s.control.call('GET /clock')).mode
  t.ok((await clock.resume()) >= at('2026-04-03T00:00:00Z'))
  t.equal(await mode(), 'shifted')
  t.ok((await clock.set('2026-05-01T00:00:00Z')) >= at('2026-05-01T00:00:00Z'))
  t.equal(await mode(), 'shifted')
  await clock.real()
  t.equal(await mode(), 'real')
  await clock.freeze()
  t.equal(await mode(), 'frozen')
  await t.rejects(clock.advance('soon'), { message: 'advance: soon is no duration such as PT2H or 2h30m' })
  await t.rejects(clock.set('soon'), { name: 'TypeError', message: /^sandbox: instant must be an instant/ })
})

t.test('notifications come to a function, and its answer counts', async (t) => {
  const told: Notification[] = []
  const types: unknown[] = []
  // As anybody would write it: what push returns is no status.
  const receive = (n: Notification, request: Request) => {
    types.push(request.headers.get('content-type'))
    return told.push(n)
  }
  await s.notify(receive, { topics: ['questions'] })
  const { id } = await s.ask(ITEM, '¿Hay?')
  await s.settle()
  const resource = `/questions/${id}`
  const [seller, buyer] = [s.seller('MLA').id, s.buyer('MLA').id]
  t.strictSame(new Set(told.map((one) => one.user_id)), new Set([seller, buyer]))
  const { _id, ...rest } = told.find(({ user_id }) => user_id === seller)!
  t.match(_id, /^[\da-f-]{36}$/)
  t.strictSame(rest, {
    resource,
    user_id: seller,
    topic: 'questions',
    application_id: s.application.id,
    attempts: 1,
    sent: '2026-03-07T15:00:00.000Z',
    received: '2026-03-07T15:00:00.000Z',
  })
  t.match(types, [/^application\/json/, /^application\/json/])
  t.strictSame(
    (await s.deliveries({ user_id: seller })).map(({ status, attempts }) => [status, attempts]),
    [['delivered', 1]],
  )

  const answers: [string, () => unknown, number][] = [
    ['a Response is the answer', () => new Response('busy', { status: 503, headers: { 'x-why': 'busy' } }), 503],
    ['what it throws is a 500', () => Promise.reject(new Error('no')), 500],
  ]
  for (const [name, answer, code] of answers) {
    await s.notify(answer)
    const { id } = await s.ask(ITEM, name)
    await s.settle()
    const [pending] = await s.deliveries({ resource: `/questions/${id}`, user_id: seller })
    const { tries } = await s.control.call('GET /deliveries/{id}', { path: { id: pending!.id } })
    t.match(tries, [{ http_code: code }], name)
  }
})

t.test('they come from the start too, and after a reset', async (t) => {
  const told: string[] = []
  const other = await open({ notify: ({ resource }) => told.push(resource), notifyProfile: 'realistic' })
  const setting = { path: { id: other.application.id } }
  t.equal((await other.control.call('GET /applications/{id}/notifications', setting)).profile, 'realistic')
  await other.reset()
  const { id } = await other.ask(ITEM, '¿Hay?')
  await other.settle()
  t.strictSame(told, [`/questions/${id}`, `/questions/${id}`])
  await other.close()
})

t.test('and to an address', async (t) => {
  const told: string[] = []
  const server = createServer((request, response) => {
    told.push(request.url!)
    response.end()
  }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  await s.notify(`http://127.0.0.1:${(server.address() as { port: number }).port}/hook`)
  await s.ask(ITEM, '¿Hay?')
  await s.settle()
  t.strictSame(told, ['/hook', '/hook'])
})

t.test('what happens streams', async (t) => {
  const { id } = await s.ask(ITEM, '¿Hay?')
  const seen: Event[] = []
  for await (const event of s.control.events({ last_event_id: 0 })) {
    seen.push(event)
    if (seen.length === 1) await s.answer(id, 'Sí.')
    if (seen.length === 2) break
  }
  const users = [s.seller('MLA').id, s.buyer('MLA').id]
  const fact = { type: 'fact', topic: 'questions', resource: `/questions/${id}`, users, at: '2026-03-07T15:00:00.000Z' }
  t.strictSame(seen, [
    { ...fact, id: 1 },
    { ...fact, id: 2 },
  ])
  const over = new AbortController()
  const none = s.control.events({ signal: over.signal }).next()
  over.abort()
  await t.rejects(none, { name: 'AbortError' })
})

t.test('it listens where it is not told otherwise', async (t) => {
  const other = await sandbox({ now, onFault, adminToken: 'secret' })
  t.match(other.url, /^http:\/\/127\.0\.0\.1:\d+$/)
  const answer = await fetch(`${other.url}/items/${ITEM}?attributes=id`)
  t.strictSame(await answer.json(), { id: ITEM })
  t.equal((await fetch(`${other.url}/_sandbox/clock`)).status, 401)
  t.strictSame(await other.clock.now(), new Date(now), 'its own calls bear the token')
  const made = await other.control.call('POST /worlds', { body: { scenario: 'empty' } })
  t.equal(made.url, `${other.url}/w/2`)
  t.equal((await other.fetch(`${made.url}/currencies`)).status, 200)
  t.equal((await other.control.world(2).call('GET /clock')).mode, 'real')
  await other.close()
  await other.close()
  await t.rejects(fetch(other.url), { message: 'fetch failed' })
  await t.rejects(other.fetch('/currencies'), { message: 'fetch failed', cause: { message: 'the sandbox is closed' } })
  await t.rejects(other.ask(ITEM, '¿Hay?'), { name: 'ControlError', status: 0, error: 'no_answer' })
})

t.test('it ends with the block that it is in, also with streams open', async (t) => {
  let address: string
  {
    await using other = await sandbox({ now, onFault })
    address = other.url
    const { body } = await fetch(`${address}/_sandbox/events`)
    t.ok(body)
  }
  await t.rejects(fetch(address), { message: 'fetch failed' })
})

t.test('a world from a file, as it lies or as it stands in the program', async (t) => {
  const load = fileURLToPath(new URL('../../examples/world.json', import.meta.url))
  const file = JSON.parse(readFileSync(load, 'utf8')) as WorldFile
  const worlds = []
  for (const given of [load, file]) {
    const other = await sandbox({ port: false, onFault, load: given })
    worlds.push(await (await other.fetch('/_sandbox/world')).json())
    await other.reset()
    t.strictSame(await (await other.fetch('/_sandbox/world')).json(), worlds.at(-1))
    await other.close()
  }
  t.strictSame(worlds[0], worlds[1])
  await t.rejects(sandbox({ load: { ...file, items: 5 } as never }), /items/)
  await t.rejects(sandbox({ load: join(folder, 'nowhere.json') }), /nowhere\.json/)
})

t.test('a folder keeps it', async (t) => {
  const data = join(folder, 'market')
  const first = await open({ data, scenario: 'demo' })
  const { id } = await first.ask(ITEM, '¿Hay?')
  t.strictSame(first.world, { id: 1, mode: 'kept', data })
  await t.rejects(open({ data }), { message: `${data} is in use by another mercadito` })
  await first.close()
  const second = await sandbox({ data, port: false, onFault })
  t.equal((await second.control.call('GET /questions/{id}', { path: { id } })).text, '¿Hay?')
  t.strictSame(second.sellers, first.sellers)
  await second.close()
  const other: [SandboxOptions, made: string, option: string][] = [
    [{ seed: 4 }, 'seed 1', 'seed'],
    [{ now: 0 }, 'now 2026-03-07T15:00:00.000Z', 'now'],
    [{ scenario: 'empty' }, 'scenario demo', 'scenario'],
    [{ assume: { 'contacts.auth': 'required' } }, 'contacts.auth=optional', 'assume contacts.auth'],
    [{ load: { version: 1 } }, 'scenario demo', 'load'],
  ]
  for (const [options, made, option] of other)
    await t.rejects(sandbox({ data, ...options }), {
      message: `the world in ${data} was created with ${made}; omit ${option} or use another folder`,
    })
})

t.test('options that cannot be', async (t) => {
  const wrong: [SandboxOptions, string | RegExp][] = [
    [{ scenario: 'full' as 'demo' }, 'sandbox: scenario must be one of demo, empty'],
    [{ seed: -1 }, 'sandbox: seed must be an integer from 0'],
    [{ now: 'soon' }, /^sandbox: now must be an instant: ISO 8601/],
    [{ now: new Date('soon') }, /^sandbox: now must be an instant/],
    [{ load: 'x.json', seed: 1 }, 'sandbox: load cannot be combined with scenario, seed or now'],
    [
      { assume: { 'contacts.auth': 'maybe' } as never },
      'sandbox: assume: contacts.auth must be one of optional, required',
    ],
    [{ notify: 'ftp://x' }, 'sandbox: notify must begin with http:// or https://'],
  ]
  for (const [options, message] of wrong) await t.rejects(sandbox(options), { name: 'TypeError', message })
})

t.test('nothing went wrong unseen', async (t) => t.strictSame(faults, []))
