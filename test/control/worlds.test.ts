import { readdirSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { type AnyWorld, bearer, errorBody, ITEM, iso, NOON, NOW, notFound, start, valuesOf } from '../support/app.ts'
import { INVALID_TOKEN } from '../support/questions.ts'

const app = await start(t)
const { control, call, seller, worlds } = app

/** A listing of a world file, as it is before its first sale. */
const unsold = ({ details: { initial_quantity: _, variations, ...details }, ...item }: FileItem) => ({
  ...item,
  sold_quantity: 0,
  details: {
    ...details,
    ...(variations && { variations: variations.map((one) => ({ ...one, sold_quantity: 0 })) }),
  },
})
interface FileItem {
  sold_quantity?: number
  details: { initial_quantity?: number; variations?: object[] }
}

t.test('creates a world from a scenario and answers its users, application and address', async (t) => {
  const { status, body } = await control('POST /worlds', { scenario: 'demo', now: NOON })
  t.equal(status, 201)
  const { sellers, buyers, application, ...rest } = body
  t.strictSame(rest, { url: 'http://localhost:80/w/2', world: { id: 2, mode: 'temporary', data: null } })
  t.equal(Math.floor(application.id / 1e9), 2)
  t.equal(sellers.length, 8)
  t.equal(buyers.length, 16)
  t.match(sellers[0].token, /^APP_USR-2\d{9}-\d{6}-00000002[0-9a-f]{24}-2500000101$/)
  const me = await call({ url: '/users/me', headers: bearer(sellers[0].token) })
  t.equal(me.status, 200, 'found by its token')
  t.strictSame((await call({ url: '/w/2/users/me', headers: bearer(sellers[0].token) })).body, me.body)
  t.strictSame((await seller.get('/w/2/users/me')).body, INVALID_TOKEN)
  t.strictSame((await control('GET /worlds/2')).body, body)
  t.strictSame((await control('GET /clock', undefined, '/w/2')).body, { mode: 'frozen', now: NOON })
})

t.test('a quiet world has the people, listings and Flex subscriptions of the demo, and no history', async (t) => {
  const exportOf = async (scenario: string) =>
    (await (await app.createWorld({ scenario, now: NOON })).control('GET /world')).body
  const [demo, quiet, empty] = [await exportOf('demo'), await exportOf('quiet'), await exportOf('empty')]
  const lists = (file: object) => Object.entries(file).filter(([, list]) => Array.isArray(list))
  const countsOf = (file: object) => Object.fromEntries(lists(file).map(([name, list]) => [name, list.length]))
  t.strictSame(countsOf(quiet), {
    ...countsOf(empty),
    users: 8 * (1 + 2 + 40),
    items: 8 * 25,
    flex_subscriptions: demo.flex_subscriptions.length,
  })
  for (const name of ['users', 'flex_subscriptions']) t.strictSame(quiet[name], demo[name], name)
  t.strictSame(quiet.items, demo.items.map(unsold))

  const { seller, buyer } = await app.createWorld({ scenario: 'quiet', now: NOON })
  const get = async (path: string) => (await seller.get(path)).body
  t.match(await get('/questions/search'), { total: 0, questions: [] })
  t.strictSame(await get('/users/2500000101/contacts/questions?date_from=2026-01-01&date_to=2026-03-01'), {
    date_from: '2026-01-01',
    date_to: '2026-03-01',
    user_id: '2500000101',
    total: 0,
  })
  const asked = await buyer.post('/questions', { item_id: ITEM, text: '¿Hay stock?' })
  t.match(asked.body, { id: 13000000001, status: 'UNANSWERED' }, 'ids begin with the first')
  t.equal((await get('/questions/search')).total, 1)
})

t.test('isolates worlds from each other', async (t) => {
  const [a, b] = [await app.createWorld({ scenario: 'demo' }), await app.createWorld({ scenario: 'demo' })]
  const created = await a.buyer.post('/questions', { item_id: ITEM, text: '¿Hay stock?' })
  t.equal(created.status, 201)
  const read = ({ seller }: AnyWorld) => seller.get(`/questions/${created.body.id}`)
  t.equal((await read(a)).body.text, '¿Hay stock?')
  t.equal((await read(b)).status, 404)
  await a.control('PUT /clock', { mode: 'frozen', now: '2030-01-01T00:00:00Z' })
  t.equal((await b.control('GET /clock')).body.mode, 'real')
  t.not(a.application.id, b.application.id)
  t.not(a.application.secret, b.application.secret)
  const tokens = [a, b].flatMap(({ sellers }) => valuesOf(sellers, 'token'))
  t.equal(new Set(tokens).size, tokens.length)
})

t.test('finds the world of a refresh token and of an application', async (t) => {
  const { id, application, buyer } = await app.createWorld({ scenario: 'empty' })
  const authorize = new URLSearchParams({
    response_type: 'code',
    client_id: String(application.id),
    redirect_uri: application.redirect_uri,
    user_id: String(buyer.id),
  })
  const page = await call({ method: 'POST', url: '/authorization', payload: authorize.toString() })
  t.equal(page.status, 302)
  const code = new URL(String(page.headers.location)).searchParams.get('code')
  const token = (parameters: object) =>
    call({
      method: 'POST',
      url: '/oauth/token',
      payload: JSON.stringify({ client_id: application.id, client_secret: application.secret, ...parameters }),
    })
  const first = await token({ grant_type: 'authorization_code', code, redirect_uri: application.redirect_uri })
  t.equal(first.status, 200)
  t.match(first.body.access_token, new RegExp(`-${id.toString(16).padStart(8, '0')}`))
  const { status, body } = await token({ grant_type: 'refresh_token', refresh_token: first.body.refresh_token })
  t.equal(status, 200)
  t.equal((await call({ url: '/users/me', headers: bearer(body.access_token) })).body.id, buyer.id)
})

t.test('a fork starts with the data of its origin and its own credentials', async (t) => {
  const a = await app.createWorld()
  await a.control(`PUT /applications/${a.application.id}/notifications`, { callback_url: 'inbox:' })
  const created = await a.buyer.post('/questions', { item_id: ITEM, text: 'Antes' })
  const b = await app.createWorld({ from: a.id })
  const people = ({ sellers }: AnyWorld) => valuesOf(sellers, 'id', 'site_id', 'nickname')
  t.strictSame(people(b), people(a))
  t.equal(b.application.id % 1e9, a.application.id % 1e9)
  t.equal(Math.floor(b.application.id / 1e9), b.id)
  t.not(b.application.secret, a.application.secret)
  const deliveries = async ({ control }: AnyWorld) => (await control('GET /deliveries')).body.paging.total
  t.strictSame([await deliveries(a), await deliveries(b)], [2, 0], 'notifications are those of the origin')
  const url = `/questions/${created.body.id}`
  const read = async ({ seller }: AnyWorld) => (await seller.get(url)).body
  t.strictSame(await read(b), await read(a))
  t.equal((await b.control('GET /clock')).body.now, NOON)
  t.equal((await b.seller.delete(url)).status, 200)
  t.equal((await read(a)).status, 'UNANSWERED', 'the origin is unchanged')

  await b.control('POST /reset')
  t.equal((await read(b)).text, 'Antes', 'a reset reverts to the forked state')
  const now = '2026-03-05T00:00:00.000Z'
  const later = await app.createWorld({ from: a.id, now })
  t.strictSame((await later.control('GET /clock')).body, { mode: 'frozen', now })
})

t.test('lists and deletes worlds', async (t) => {
  const world = await app.createWorld({ scenario: 'empty' })
  const all = (await control('GET /worlds?limit=1000')).body
  t.equal(all.paging.total, all.results.length)
  const [first] = all.results
  t.ok(first.bytes > 1_000_000 && Date.parse(first.used_at) <= Date.now())
  const { used_at, bytes } = first
  const unnamed = { created_by: null, expires_at: null, name: null }
  const clock = { mode: 'frozen', now: iso(NOW) }
  t.strictSame(first, { id: 1, url: 'http://localhost:80', created_at: null, used_at, bytes, clock, ...unnamed })
  const last = all.results.at(-1)
  t.ok(last.bytes > 100_000 && Math.abs(Date.now() - Date.parse(last.created_at)) < 60_000)
  t.strictSame(last, {
    id: world.id,
    url: `http://localhost:80${world.base}`,
    created_at: last.created_at,
    used_at: null,
    bytes: last.bytes,
    clock: { mode: 'real', now: last.clock.now },
    ...unnamed,
  })
  t.ok(Math.abs(Date.now() - Date.parse(last.clock.now)) < 60_000)
  t.strictSame((await control('GET /worlds?limit=1&offset=1')).body, {
    paging: { total: all.paging.total, limit: 1, offset: 1 },
    results: [all.results[1]],
  })
  await world.control('POST /snapshots', { name: 'a' })
  const { status, text } = await control(`DELETE /worlds/${world.id}`)
  t.strictSame([status, text], [204, ''])
  t.strictSame((await control(`GET /worlds/${world.id}`)).body, notFound(`World ${world.id} not found`))
  t.equal((await world.call('/currencies')).status, 404)
  t.strictSame((await world.seller.get('/users/me')).body, INVALID_TOKEN, 'its tokens become invalid')
  t.strictSame(
    readdirSync(worlds.folder).filter((name) => name.startsWith(`world-${world.id}.`)),
    [],
  )
  t.equal((await app.createWorld({ scenario: 'empty' })).id, world.id + 1, 'world numbers are not reused')
})

const INVALID: [call: string, body: unknown, status: number, code: string, message: string][] = [
  ['POST /worlds', {}, 400, 'bad_request', 'scenario: exactly one of scenario and from is required'],
  [
    'POST /worlds',
    { scenario: 'demo', from: 1 },
    400,
    'bad_request',
    'scenario: exactly one of scenario and from is required',
  ],
  ['POST /worlds', { from: 1, seed: 2 }, 400, 'bad_request', 'seed: cannot be combined with from'],
  ['POST /worlds', { from: 99999 }, 404, 'not_found', 'World 99999 not found'],
  [
    'POST /worlds',
    { scenario: 'demo', now: 'yesterday' },
    400,
    'bad_request',
    'now: must be an ISO 8601 date-time, for example 2026-03-01T00:00:00.000-04:00',
  ],
  ['GET /worlds/x', undefined, 404, 'not_found', 'World x not found'],
  ['GET /worlds/0', undefined, 404, 'not_found', 'World 0 not found'],
  ['GET /worlds/99999', undefined, 404, 'not_found', 'World 99999 not found'],
  ['DELETE /worlds/99999', undefined, 404, 'not_found', 'World 99999 not found'],
  ['DELETE /worlds/1', undefined, 400, 'bad_request', 'id: the default world cannot be deleted; reset it'],
  ['PUT /worlds', {}, 405, 'method_not_allowed', 'Method not allowed. Allowed: GET, POST'],
  ['GET /nothing', undefined, 404, 'resource not found', 'Resource not found.'],
]
for (const [request, body, status, code, message] of INVALID)
  t.test(`${request} ${JSON.stringify(body)} is rejected: ${message}`, async (t) => {
    const before = worlds.ids()
    const answer = await control(request, body)
    t.strictSame([answer.status, answer.body], [status, errorBody(status, code, message)])
    t.strictSame(worlds.ids(), before)
  })

t.test('removes a world once when several calls delete it at the same time', async (t) => {
  const { id } = await app.createWorld({ scenario: 'empty' })
  const answers = await Promise.all(Array.from({ length: 4 }, () => control(`DELETE /worlds/${id}`)))
  t.strictSame(answers.map(({ status }) => status).sort(), [204, 404, 404, 404])
  const message = `World ${id} not found`
  for (const { status, body } of answers) if (status === 404) t.strictSame(body, notFound(message))
})

t.test('answers 404 for base paths without a world', async (t) => {
  for (const base of ['/w/99999', '/w/x', '/w/'])
    t.strictSame(
      (await control('GET /clock', undefined, base)).body,
      errorBody(404, 'resource not found', 'Resource not found.'),
    )
})

t.test('keeps only the most recently used worlds open', async (t) => {
  const created = []
  for (let n = 0; n < 40; n++) created.push(await app.createWorld({ scenario: 'empty', now: NOON }))
  for (let round = 0; round < 2; round++) {
    const answers = await Promise.all(created.map(({ buyer }) => buyer.get('/users/me')))
    t.strictSame(new Set(valuesOf(answers, 'status')), new Set([200]))
  }
  // Worlds are closed once no request uses them.
  await setImmediate()
  const open = readdirSync(worlds.folder).filter((name) => name.endsWith('-wal'))
  t.ok(open.length <= 33, `${open.length} are open`)
})
