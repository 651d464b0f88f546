import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock } from 'node:test'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { sandbox } from '../../lib/index.ts'
import type { Event, Notification, SandboxOptions, WorldFile } from '../../lib/types.ts'

const now = '2026-03-07T15:00:00Z'
const ITEM = 'MLA1400000001'
const faults: Error[] = []
const onFault = (error: Error) => faults.push(error)
const open = (options: SandboxOptions = {}) => sandbox({ now, port: false, onFault, ...options })

const market = await open()
t.teardown(market.close)
t.beforeEach(() => market.reset())

const folder = mkdtempSync(join(tmpdir(), 'mercadito-lib-'))
t.teardown(() => rmSync(folder, { recursive: true }))

t.test('describes the world and its users', async (t) => {
  t.strictSame(market.world, { id: 1, mode: 'temporary', data: null })
  t.strictSame(Object.keys(market.application), ['id', 'secret', 'redirect_uri'])
  t.equal(market.seller(), market.sellers[0])
  t.equal(market.seller('MLB').site_id, 'MLB')
  t.equal(market.buyer('MEC').site_id, 'MEC')
  t.strictSame(Object.keys(market.buyer()), ['id', 'site_id', 'nickname', 'token'])
  t.throws(() => market.seller('MLX'), { message: 'the world has no seller of MLX' })
})

t.test('isolates several sandboxes that start with equal data', async (t) => {
  const others = await Promise.all([open(), open(), open({ scenario: 'empty', seed: 2 })])
  const [same, another, seeded] = others
  t.strictSame(same.sellers, market.sellers)
  t.strictSame(another.application, market.application)
  t.notSame(seeded.sellers, market.sellers)
  const question = await same.ask(ITEM, '¿Hay?')
  await same.clock.advance('1d')
  const status = { path: { id: question.id } }
  await t.rejects(another.control.call('GET /questions/{id}', status), { name: 'ControlError', status: 404 })
  t.strictSame(await another.clock.now(), new Date(now))
  await Promise.all(others.map((other) => other.close()))
  t.equal((await market.fetch('/currencies')).status, 200)
})

t.test('takes no snapshots before writes', async (t) => {
  const { fetch, buyer, control } = market
  const headers = { authorization: `Bearer ${buyer('MLA').token}` }
  const body = JSON.stringify({ item_id: ITEM, text: '¿Hay?' })
  t.equal((await fetch(`${market.url}/questions`, { method: 'POST', headers, body })).status, 201)
  t.strictSame((await control.call('GET /snapshots')).results, [])
})

t.test('fetch works without a port', async (t) => {
  const answer = await market.fetch(`/items/${ITEM}?attributes=id,site_id`)
  t.type(answer, Response)
  t.equal(answer.status, 200)
  t.equal(answer.url, `${market.url}/items/${ITEM}?attributes=id,site_id`)
  t.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  t.equal(answer.headers.get('connection'), null)
  t.strictSame(await answer.json(), { id: ITEM, site_id: 'MLA' })
  t.equal((await market.fetch(new URL('/currencies/ARS', market.url), { method: 'HEAD' })).status, 200)
  await t.rejects(fetch(market.url), { name: 'TypeError' }, 'the URL is not reachable otherwise')
  await t.rejects(market.fetch('http://localhost:4400/currencies'), { message: 'fetch failed' })
})

t.test('fetch sends every kind of body', async (t) => {
  const { token } = market.buyer('MLA')
  const text = '¿Sirve para 220 V?'
  const body = JSON.stringify({ item_id: ITEM, text })
  const stream = () =>
    new ReadableStream({
      start(controller) {
        for (const byte of Buffer.from(body)) controller.enqueue(Uint8Array.of(byte))
        controller.close()
      },
    })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const requests: [string, () => ReturnType<typeof fetch>][] = [
    ['a string', () => market.fetch('/questions', { method: 'POST', headers, body })],
    ['bytes', () => market.fetch('/questions', { method: 'POST', headers, body: Buffer.from(body) })],
    [
      'a stream',
      () => market.fetch('/questions', { method: 'POST', headers, body: stream(), duplex: 'half' } as RequestInit),
    ],
    ['a Request', () => market.fetch(new Request(`${market.url}/questions`, { method: 'POST', headers, body }))],
  ]
  for (const [name, ask] of requests) {
    const answer = await ask()
    t.equal(answer.status, 201, name)
    t.equal(((await answer.json()) as { text: string }).text, text, name)
  }
  const recorded = await market.requests({ method: 'POST', path: '/questions' })
  t.strictSame(
    recorded.map((call) => JSON.parse(call.body!)),
    requests.map(() => ({ item_id: ITEM, text })),
  )
  const types = recorded.map(({ headers }) => headers['content-type'])
  t.strictSame(new Set(types), new Set(['application/json']))
})

t.test('fetch fails as a connection would', async (t) => {
  await market.control.call('POST /faults', { body: { match: { path: '/currencies' }, action: { drop: true } } })
  await t.rejects(market.fetch('/currencies'), {
    name: 'TypeError',
    message: 'fetch failed',
    cause: { code: 'ECONNRESET' },
  })
  await market.control.call('POST /faults', { body: { match: { path: '/items/*' }, action: { delay: 60_000 } } })
  const controller = new AbortController()
  const response = market.fetch(`/items/${ITEM}`, { signal: controller.signal })
  controller.abort(new Error('enough'))
  await t.rejects(response, { message: 'enough' })
  await t.rejects(market.fetch('/currencies', { signal: controller.signal }), { message: 'enough' })
  const timedOut = market.fetch(`/items/${ITEM}`, { signal: AbortSignal.timeout(20) })
  await t.rejects(timedOut, { name: 'TimeoutError' })
})

t.test('returns redirects without following them', async (t) => {
  const { id, redirect_uri } = market.application
  const user = market.seller().id
  const address = `/authorization?response_type=code&client_id=${id}&redirect_uri=${encodeURIComponent(redirect_uri)}`
  const page = await market.fetch(address)
  t.match(await page.text(), String(user))
  const form = { method: 'POST', body: new URLSearchParams({ user_id: String(user), decision: 'allow' }) }
  const redirect = await market.fetch(address, form)
  t.equal(redirect.status, 302)
  t.match(redirect.headers.get('location'), `${redirect_uri}?code=`)
  await t.rejects(market.fetch(address, { ...form, redirect: 'error' }), { message: 'fetch failed' })
})

t.test('asks, answers and verifies requests', async (t) => {
  const question = await market.ask(ITEM, '¿Hay stock?', { from: null })
  const answered = await market.answer(question, 'Sí.')
  t.strictSame([question.status, question.from!.id], ['UNANSWERED', answered.from!.id])
  t.strictSame([answered.id, answered.status, answered.answer!.text], [question.id, 'ANSWERED', 'Sí.'])
  t.equal((await market.answer((await market.ask(ITEM, '¿Y mañana?')).id, 'También.')).answer!.text, 'También.')

  await market.fetch('/currencies')
  await market.fetch('/currencies/ARS')
  t.strictSame(
    (await market.requests()).map(({ path, response }) => [path, response.status]),
    [
      ['/currencies', 200],
      ['/currencies/ARS', 200],
    ],
  )
  t.equal((await market.requests({ path: '/currencies/*' })).length, 1)
  t.equal((await market.verify({ path: '/currencies', times: 1 })).matched, 1)
  await t.rejects(market.verify({ path: '/answers' }), {
    name: 'ControlError',
    status: 409,
    error: 'verification_failed',
    message: /^POST \/verify: Expected .*\n {2}\{"request":\{.*"path":"\/currencies\/ARS"/,
  })
  await market.reset()
  t.strictSame(await market.requests(), [])
})

t.test('returns lists completely', async (t) => {
  await market.notify('http://127.0.0.1:9/')
  // More than the default page.
  for (let n = 0; n < 30; n++) await market.ask(ITEM, `¿Hay ${n}?`)
  await market.settle()
  t.equal((await market.deliveries()).length, 60)
  t.equal((await market.deliveries({ user_id: market.seller('MLA').id })).length, 30)
})

t.test('reads and moves the clock', async (t) => {
  const { clock } = market
  const at = (iso: string) => new Date(iso)
  const moves: [string, () => Promise<Date>, string][] = [
    ['now', clock.now, '2026-03-07T15:00:00Z'],
    ['ISO 8601', () => clock.advance('PT1H30M'), '2026-03-07T16:30:00Z'],
    ['short', () => clock.advance('1d2h'), '2026-03-08T18:30:00Z'],
    ['back', () => clock.advance('-1d'), '2026-03-07T18:30:00Z'],
    ['ms', () => clock.advance(1_500), '2026-03-07T18:30:01.500Z'],
    ['ms back', () => clock.advance(-500), '2026-03-07T18:30:01.000Z'],
    ['a string', () => clock.set('2026-04-01T00:00:00Z'), '2026-04-01T00:00:00Z'],
    ['a Date', () => clock.set(at('2026-04-02T00:00:00Z')), '2026-04-02T00:00:00Z'],
    ['a number', () => clock.freeze(Date.UTC(2026, 3, 3)), '2026-04-03T00:00:00Z'],
    ['now again', clock.now, '2026-04-03T00:00:00Z'],
  ]
  for (const [name, move, expected] of moves) t.strictSame(await move(), at(expected), name)
  const mode = async () => (await market.control.call('GET /clock')).mode
  t.ok((await clock.resume()) >= at('2026-04-03T00:00:00Z'))
  t.equal(await mode(), 'shifted')
  t.ok((await clock.set('2026-05-01T00:00:00Z')) >= at('2026-05-01T00:00:00Z'))
  t.equal(await mode(), 'shifted')
  await clock.real()
  t.equal(await mode(), 'real')
  await clock.freeze()
  t.equal(await mode(), 'frozen')
  await t.rejects(clock.advance('soon'), { message: 'advance: soon is no duration such as PT2H, 2h30m or whole ms' })
  await t.rejects(clock.set('soon'), { name: 'TypeError', message: /^sandbox: instant must be an instant/ })
})

t.test('notifies a function and uses its answer', async (t) => {
  const notifications: Notification[] = []
  const types: unknown[] = []
  // A common callback: the number that push returns is not a status.
  const receive = (n: Notification, request: Request) => {
    types.push(request.headers.get('content-type'))
    return notifications.push(n)
  }
  await market.notify(receive, { topics: ['questions'] })
  const { id } = await market.ask(ITEM, '¿Hay?')
  await market.settle()
  const resource = `/questions/${id}`
  const [seller, buyer] = [market.seller('MLA').id, market.buyer('MLA').id]
  t.strictSame(new Set(notifications.map((notification) => notification.user_id)), new Set([seller, buyer]))
  const { _id, ...rest } = notifications.find(({ user_id }) => user_id === seller)!
  t.match(_id, /^[\da-f-]{36}$/)
  t.strictSame(rest, {
    resource,
    user_id: seller,
    topic: 'questions',
    application_id: market.application.id,
    attempts: 1,
    sent: '2026-03-07T15:00:00.000Z',
    received: '2026-03-07T15:00:00.000Z',
  })
  t.match(types, [/^application\/json/, /^application\/json/])
  t.strictSame(
    (await market.deliveries({ user_id: seller })).map(({ status, attempts }) => [status, attempts]),
    [['delivered', 1]],
  )

  const answers: [string, () => unknown, number][] = [
    ['a Response is the answer', () => new Response('busy', { status: 503, headers: { 'x-why': 'busy' } }), 503],
    ['an exception is a 500', () => Promise.reject(new Error('no')), 500],
  ]
  for (const [name, answer, code] of answers) {
    await market.notify(answer)
    const { id } = await market.ask(ITEM, name)
    await market.settle()
    const [pending] = await market.deliveries({ resource: `/questions/${id}`, user_id: seller })
    const { tries } = await market.control.call('GET /deliveries/{id}', { path: { id: pending!.id } })
    t.match(tries, [{ http_code: code }], name)
  }
})

t.test('notifies from the start and after a reset', async (t) => {
  const resources: string[] = []
  const other = await open({ notify: ({ resource }) => resources.push(resource), notifyProfile: 'realistic' })
  const setting = { path: { id: other.application.id } }
  t.equal((await other.control.call('GET /applications/{id}/notifications', setting)).profile, 'realistic')
  await other.reset()
  const { id } = await other.ask(ITEM, '¿Hay?')
  await other.settle()
  t.strictSame(resources, [`/questions/${id}`, `/questions/${id}`])
  await other.close()
})

t.test('stores notifications inside with inbox:', async (t) => {
  const other = await open({ notify: 'inbox:', scenario: 'quiet' })
  const { id } = await other.ask(ITEM, '¿Hay?')
  await other.settle()
  const { results } = await other.control.call('GET /inbox')
  t.strictSame(
    results.map(({ body }) => body.resource),
    [`/questions/${id}`, `/questions/${id}`],
  )
  t.equal((await other.notify('inbox:', { topics: ['items'] })).callback_url, 'inbox:')
  await other.close()
})

t.test('notifies a URL', async (t) => {
  const urls: string[] = []
  const server = createServer((request, response) => {
    urls.push(request.url!)
    response.end()
  }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  await market.notify(`http://127.0.0.1:${(server.address() as { port: number }).port}/hook`)
  await market.ask(ITEM, '¿Hay?')
  await market.settle()
  t.strictSame(urls, ['/hook', '/hook'])
})

t.test('streams events', async (t) => {
  const { id } = await market.ask(ITEM, '¿Hay?')
  const received: Event[] = []
  for await (const event of market.control.events({ last_event_id: 0 })) {
    received.push(event)
    if (received.length === 1) await market.answer(id, 'Sí.')
    if (received.length === 2) break
  }
  const users = [market.seller('MLA').id, market.buyer('MLA').id]
  const expected = {
    type: 'fact',
    topic: 'questions',
    resource: `/questions/${id}`,
    users,
    at: '2026-03-07T15:00:00.000Z',
  }
  const timeless = received.map((event) => {
    const { real_at, ...rest } = event as Extract<Event, { type: 'fact' }>
    t.equal(new Date(real_at!).toISOString(), real_at)
    return rest
  })
  // The first call is the reset before each test.
  t.strictSame(timeless, [
    { ...expected, id: 1, cause: { kind: 'control', id: 2 } },
    { ...expected, id: 2, cause: { kind: 'control', id: 3 } },
  ])
  const controller = new AbortController()
  const pending = market.control.events({ signal: controller.signal }).next()
  controller.abort()
  await t.rejects(pending, { name: 'AbortError' })
})

t.test('listens on a port by default', async (t) => {
  const other = await sandbox({ now, onFault, adminToken: 'secret' })
  t.match(other.url, /^http:\/\/127\.0\.0\.1:\d+$/)
  const answer = await fetch(`${other.url}/items/${ITEM}?attributes=id`)
  t.strictSame(await answer.json(), { id: ITEM })
  t.equal((await fetch(`${other.url}/_sandbox/clock`)).status, 401)
  t.strictSame(await other.clock.now(), new Date(now), 'the sandbox sends its own admin token')
  const created = await other.control.call('POST /worlds', { body: { scenario: 'empty' } })
  t.equal(created.url, `${other.url}/w/2`)
  t.equal((await other.fetch(`${created.url}/currencies`)).status, 200)
  t.equal((await other.control.world(2).call('GET /clock')).mode, 'real')
  await other.close()
  await other.close()
  await t.rejects(fetch(other.url), { message: 'fetch failed' })
  await t.rejects(other.fetch('/currencies'), {
    name: 'TypeError',
    message: 'fetch failed: the sandbox is closed',
    cause: { message: 'the sandbox is closed' },
  })
  const closed = { name: 'ControlError', status: 0, error: 'no_answer' }
  await t.rejects(other.ask(ITEM, '¿Hay?'), { ...closed, message: 'POST /questions: the sandbox is closed' })
  await t.rejects(other.clock.advance('1h'), { ...closed, message: 'POST /clock/advance: the sandbox is closed' })
  await t.rejects(other.control.events().next(), { ...closed, message: 'GET /events: the sandbox is closed' })
  await t.rejects(
    other.notify(() => {}),
    { message: 'the sandbox is closed' },
  )
})

t.test('closes at the end of an `await using` block, also with open streams', async (t) => {
  let address: string
  {
    await using other = await sandbox({ now, onFault })
    address = other.url
    const { body } = await fetch(`${address}/_sandbox/events`)
    t.ok(body)
  }
  await t.rejects(fetch(address), { message: 'fetch failed' })
})

t.test('loads a world from a file path or an object', async (t) => {
  const load = fileURLToPath(new URL('../../examples/world.json', import.meta.url))
  const file = JSON.parse(readFileSync(load, 'utf8')) as WorldFile
  const worlds = []
  for (const source of [load, file]) {
    const other = await sandbox({ port: false, onFault, load: source })
    worlds.push(await (await other.fetch('/_sandbox/world')).json())
    await other.reset()
    t.strictSame(await (await other.fetch('/_sandbox/world')).json(), worlds.at(-1))
    await other.close()
  }
  t.strictSame(worlds[0], worlds[1])
  await t.rejects(sandbox({ load: { ...file, items: 5 } as never }), /items/)
  await t.rejects(sandbox({ load: join(folder, 'nowhere.json') }), /nowhere\.json/)
})

t.test('keeps the world in a folder', async (t) => {
  const data = join(folder, 'market')
  const first = await open({ data, scenario: 'demo' })
  const { id } = await first.ask(ITEM, '¿Hay?')
  t.strictSame(first.world, { id: 1, mode: 'kept', data })
  await t.rejects(open({ data }), {
    message: `${data} is in use by another mercadito; stop that process, or choose another folder`,
  })
  await first.close()
  const second = await sandbox({ data, port: false, onFault })
  t.equal((await second.control.call('GET /questions/{id}', { path: { id } })).text, '¿Hay?')
  t.strictSame(second.sellers, first.sellers)
  await second.close()
  const other: [SandboxOptions, value: string, option: string][] = [
    [{ seed: 4 }, 'seed 1', 'seed'],
    [{ now: 0 }, 'now 2026-03-07T15:00:00.000Z', 'now'],
    [{ scenario: 'empty' }, 'scenario demo', 'scenario'],
    [{ assume: { 'contacts.auth': 'required' } }, 'contacts.auth=optional', 'assume contacts.auth'],
    [{ load: { version: 1 } }, 'scenario demo', 'load'],
  ]
  for (const [options, value, option] of other)
    await t.rejects(sandbox({ data, ...options }), {
      message: `the world in ${data} was created with ${value}; omit ${option} or use another folder`,
    })
})

t.test('records calls without a port', async (t) => {
  const record = join(folder, 'run.jsonl')
  const s = await open({ record, scenario: 'empty' })
  await s.fetch('/sites')
  await s.close()
  const [call] = readFileSync(record, 'utf8').trim().split('\n').slice(-1)
  t.match(JSON.parse(call!), { kind: 'call', method: 'GET', target: '/sites', status: 200 })
  await t.rejects(open({ record }), { message: /run\.jsonl exists already: a recording overwrites no file/ })
})

t.test('rejects invalid options', async (t) => {
  const wrong: [SandboxOptions, string | RegExp][] = [
    [{ scenario: 'full' as 'demo' }, 'sandbox: scenario must be one of demo, quiet, empty'],
    [{ seed: -1 }, 'sandbox: seed must be an integer from 0'],
    [{ now: 'soon' }, /^sandbox: now must be an instant: ISO 8601/],
    [{ now: new Date('soon') }, /^sandbox: now must be an instant/],
    [{ load: 'x.json', seed: 1 }, 'sandbox: load cannot be combined with scenario, seed or now'],
    [
      { assume: { 'contacts.auth': 'maybe' } as never },
      'sandbox: assume: contacts.auth must be one of optional, required',
    ],
    [{ port: 99_999 }, 'sandbox: port must be an integer from 0 to 65535, or false'],
    [{ port: '80' as never }, 'sandbox: port must be an integer from 0 to 65535, or false'],
    [{ prot: 80 } as SandboxOptions, 'sandbox: unknown option prot (Did you mean port?)'],
    [{ verbose: true } as SandboxOptions, 'sandbox: unknown option verbose'],
    [{ notify: 'ftp://x' }, 'sandbox: notify must begin with http:// or https://'],
  ]
  for (const [options, message] of wrong) await t.rejects(sandbox(options), { name: 'TypeError', message })
})

t.test('says why it cannot start', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const rows: [SandboxOptions, string][] = [
    [{ port }, `port ${port} is in use; choose another with port, or port: 0 for a free one`],
    [
      { data: '/dev/null/x' },
      'cannot write to /dev/null/x (ENOTDIR); check that it is a writable folder and that the disk is not full, or choose another with data',
    ],
  ]
  for (const [options, message] of rows) await t.rejects(sandbox({ scenario: 'empty', ...options }), { message })
})

t.test('works while a test runner has fake timers', async (t) => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate'] })
  t.teardown(() => mock.timers.reset())
  const notifications: Notification[] = []
  const other = await open({ notify: (n) => notifications.push(n), port: 0 })
  await other.control.call('POST /faults', { body: { match: { path: '/currencies' }, action: { delay: 20 } } })
  t.equal((await other.fetch('/currencies')).status, 200)
  await other.ask(ITEM, '¿Hay?')
  await other.settle()
  await other.clock.advance('1h')
  // Parcels of the demo move with the clock, too.
  t.equal(notifications.filter(({ topic }) => topic === 'questions').length, 2)
  await other.reset()
  await other.close()
})

t.test('reports no unexpected error', async (t) => t.strictSame(faults, []))
