import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { orderSections, SECTIONS } from '../../control/world_file/sections.ts'
import { DOMAINS, TABLES } from '../../domains/index.ts'
import { TOPICS } from '../../domains/shared/topics.ts'
import type { WorldFileSection } from '../../domains/world_file.ts'
import { WORLD_FILES } from '../../domains/world_files.ts'
import { worldSchema } from '../../tools/openapi/document.ts'
import { asText, WORLD_SCHEMA } from '../../tools/openapi/files.ts'
import { type Answer, badRequest, bearer, start, valuesOf } from '../support/app.ts'

const app = await start(t)
const { control, call } = app

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const responseOf = ({ status, body }: Answer) => ({ status, body })
const createWorld = async (body: object = { scenario: 'empty' }): Promise<string> => (await app.createWorld(body)).base
const exportFile = async (base: string): Promise<string> => (await control('GET /world', undefined, base)).text
const importFile = (base: string, file: unknown) => control('PUT /world', file, base)
/** Imports a file that is valid. */
async function load(base: string, file: unknown): Promise<Answer['body']> {
  const { status, body, text } = await importFile(base, file)
  t.equal(status, 200, text.slice(0, 300))
  return body
}
/** Another world that has imported a file, and exports the same. */
async function loadElsewhere(file: string): Promise<string> {
  const other = await createWorld()
  await load(other, file)
  t.equal(await exportFile(other), file)
  return other
}
const get = async (base: string, url: string, token: string) =>
  (await call({ url: base + url, headers: bearer(token) })).body

const EXAMPLE = read('examples/world.json')

t.test(`${WORLD_SCHEMA} is the schema that imports are checked with; else run npm run openapi`, async (t) => {
  t.equal(asText(worldSchema()), read(WORLD_SCHEMA))
  const served = await control('GET /world.schema.json')
  t.equal(served.text, read(WORLD_SCHEMA))
  t.equal(served.headers['content-type'], 'application/schema+json; charset=utf-8')
  const validate = new Ajv2020({ strict: true, strictTypes: false }).compile(JSON.parse(served.text))
  t.ok(validate(JSON.parse(EXAMPLE)))
  t.ok(validate(JSON.parse(await exportFile(''))))
  t.notOk(validate({ version: 1, people: [] }))
})

t.test('every table is exported, derived by an import, or omitted on purpose', async (t) => {
  for (const { name, tables } of DOMAINS) {
    const section: WorldFileSection | undefined = (WORLD_FILES as Record<string, WorldFileSection>)[name]
    t.strictSame(Object.keys(section?.tables ?? {}).sort(), tables.map(({ name }) => name).sort(), name)
  }
  const inSections = SECTIONS.flatMap(({ tables }) => Object.keys(tables))
  t.strictSame(TABLES.map(({ name }) => name).sort(), [...inSections, 'outbox', 'sequence', 'world'].sort())
})

t.test('orders sections by what they come after, otherwise as they are given', async (t) => {
  const section = (...after: string[]) => ({ after, lists: {}, tables: {} })
  const [reviews, items, users] = [section('items', 'users'), section('users'), section()]
  t.strictSame(orderSections(new Map(Object.entries({ reviews, items, users }))), [users, items, reviews])
  t.throws(
    () => orderSections(new Map(Object.entries({ reviews, items }))),
    /missing one, or in a cycle: reviews,items/,
  )
  t.throws(() => orderSections(new Map(Object.entries({ a: section('b'), b: section('a') }))), /: a,b/)
})

t.test('shows and exports what ends after the last instant of the clock with that instant', async (t) => {
  const world = await app.createWorld({ scenario: 'empty', now: '9999-12-31T00:00:00Z' })
  const { base, seller } = world
  const created = await world.control('POST /tokens', { user_id: seller.id, token: 'late', expires_in: 30 * 86_400 })
  t.equal(created.body.expires_at, '9999-12-31T23:59:59.999Z')
  const { body: costs } = await world.call('/sites/MLA/listing_prices?price=1&listing_type_id=silver')
  t.equal(costs[0].stop_time, '9999-12-31T23:59:59.999Z')
  const file = await exportFile(base)
  t.match(
    JSON.parse(file).tokens.find(({ token }: { token: string }) => token === 'late'),
    { expires_at: '9999-12-31T23:59:59.999Z' },
  )
  t.equal((await importFile(await createWorld(), file)).status, 200)
})

t.test('keeps blocked applications, PKCE, operators and the last calls of grants', async (t) => {
  const [from, to] = [await createWorld(), await createWorld()]
  const flags = { redirect_uri: 'http://localhost:3000/', use_pkce: true, blocked: true }
  const own = (await control('POST /applications', { id: 77, ...flags }, from)).body
  const user = (await control('POST /users', { site_id: 'MLA', operator: true }, from)).body
  await control('POST /tokens', { user_id: user.id, application_id: 77 }, from)
  const file = JSON.parse(await exportFile(from))
  for (const grant of file.grants) grant.last_call = '2025-11-07T15:00:00.000Z'
  await load(to, file)
  t.strictSame(JSON.parse(await exportFile(to)).grants, file.grants)
  t.strictSame((await control('GET /applications/77', undefined, to)).body, own)
  t.equal((await control(`GET /users/${user.id}`, undefined, to)).body.operator, true)
})

t.test('exports the demo world and imports it into another, which is then equal', async (t) => {
  const file = await exportFile('')
  const base = await createWorld()
  const body = await load(base, file)
  t.strictSame(Object.keys(body), ['url', 'world', 'application', 'sellers', 'buyers'])
  t.strictSame(body, (await control(`GET /worlds/${body.world.id}`)).body)
  t.strictSame(
    valuesOf(body.sellers, 'id'),
    app.sellers.map(({ id }) => id),
  )
  t.equal(Math.floor(body.application.id / 1e9), body.world.id)
  t.equal(await exportFile(base), file)
  t.equal(await exportFile(''), file, 'an export changes nothing')

  for (const [n, seller] of app.sellers.entries()) {
    const { token } = body.sellers[n]
    for (const url of [
      `/users/${seller.id}/contacts/questions/time_window?last=90&unit=day`,
      `/users/${seller.id}/contacts/phone_views/time_window?last=500&unit=hour`,
      `/items/${seller.site_id}1400000001/contacts/whatsapp?date_from=2026-01-01T03:21:00Z&date_to=2026-03-07T11:12:13Z`,
      `/users/${seller.id}/questions/response_time`,
      '/questions/search?limit=100',
      `/shipping/flex/sites/${seller.site_id}/users/${seller.id}/subscriptions/v1`,
      `/vis/loans/search?seller_id=${seller.id}&date_from=2026-01-01T00:00:00&date_to=2026-03-07T00:00:00&status=all`,
    ])
      t.strictSame(await get(base, url, token), (await seller.get(url)).body, url)
  }

  t.equal((await control('POST /reset', undefined, base)).status, 204)
  t.equal(await exportFile(base), file, 'a reset restores the file')
  t.strictSame((await control(`GET /worlds/${body.world.id}`)).body, body, 'with its tokens')
})

t.test('exports all changes of a world; an import of them gives the same next ids', async (t) => {
  const base = await createWorld({ scenario: 'empty', now: '2026-03-02T12:00:00Z' })
  const send = async (endpoint: string, body: unknown): Promise<Answer['body']> => {
    const answer = await control(endpoint, body, base)
    t.ok(answer.status < 300, endpoint, { answer: answer.status < 300 ? '' : answer.text })
    return answer.body
  }
  await send('PATCH /assumptions/contacts.owner_only', { value: 'true' })
  await send('PATCH /assumptions/contacts.day_offset', { value: '+02:00' })
  const [seller, buyer] = [2500000101, 2500000102]
  const loner = await send('POST /users', { site_id: 'MCO', nickname: 'SIN "TOKEN" \u2028 🙂', tags: [] })
  const application = { id: 77, secret: 'un-secreto', redirect_uri: 'https://example.com/vuelta', name: 'Otra' }
  await send('POST /applications', application)
  await send('POST /applications', { name: 'Propia', redirect_uri: 'https://example.com/propia' })
  const [own] = JSON.parse(await exportFile(base)).applications
  const notifications = {
    callback_url: 'http://127.0.0.1:9/hook?a=%C3%A1',
    topics: ['items', 'questions'],
    profile: 'hostile',
    overrides: { silenced: 1, attempts_at: [0, 5], in_order: true },
  }
  await send('PUT /applications/77/notifications', notifications)
  await send(`PUT /applications/${Number(base.slice(3)) * 1e9 + own.number}/notifications`, {
    callback_url: 'http://localhost:9',
    topics: [...TOPICS],
    profile: 'ideal',
    overrides: {},
  })
  await send('POST /tokens', { user_id: seller, application_id: 77, token: 'fijo' })
  await send('POST /tokens', { user_id: buyer, application_id: 77, expires_in: 60 })
  for (const n of [1, 2, 3])
    await send('POST /items', { seller_id: seller, id: `MLA90000000${n}`, title: `Cosa ${n}`, price: n + 0.25 })
  await send('PATCH /items/MLA900000003', { status: 'closed' })
  const ask = (more: object) =>
    send('POST /questions', { item_id: 'MLA900000001', from: buyer, text: '¿Sirve\npara "esto"?', ...more })
  await ask({})
  await ask({ status: 'BANNED' })
  await ask({ date_created: '2026-02-20T10:00:00Z', answer: { text: 'Sí' }, flags: { hidden: true } })
  for (const _ of [1, 2]) await ask({ from: null, date_created: '2026-02-20T10:00:00Z' })
  await ask({ from: loner.id, id: 5, flags: { hold: true, suspected_spam: true } })
  const { order } = await send('POST /orders', { item_id: 'MLA900000001', buyer: loner.id })
  await send(`POST /conversations/${order.pack_id}/block`, { substatus: 'blocked_by_buyer' })
  const post = async (url: string, payload: object, status: number) =>
    t.equal((await call({ method: 'POST', url: base + url, headers: bearer('fijo'), payload })).status, status, url)
  for (const note of ['Entregar por la tarde.', 'Pagó dos veces.'])
    await post(`/orders/${order.id}/notes`, { note }, 201)
  await post(`/users/${seller}/order_blacklist`, { user_id: buyer }, 200)
  await send('POST /messages', { pack_id: order.pack_id, from: 'buyer', text: '¿Cuándo?' })
  await send('POST /claims', { order_id: order.id, message: 'No anda.' })
  await send('POST /flex/subscriptions', { user_id: seller, status: 'in' })
  await send('POST /flex/subscriptions', { user_id: seller, status: 'activating', origin: { city: 'Quilmes' } })
  await send('POST /shipments', { seller_id: seller, driver_id: 9, route_open: true })
  await send('POST /loans', { item_id: 'MLA900000002', buyer_id: buyer })
  await send('POST /faults', {
    id: 3,
    match: { method: 'GET', path: '/nowhere/*', user: seller },
    action: { status: 503, body: { a: 1 }, headers: { 'retry-after': '3' } },
    probability: 0.25,
    seed: 9,
    times: 4,
  })
  await send('POST /faults', { match: { path: '/nowhere' }, action: { delay: { min: 1, max: 2 } } })
  await send('PUT /clock', { mode: 'frozen', now: '2026-03-02T13:30:00.123Z' })
  // Not possible by calls: several contacts of one instant, a contact without a question and a question without one.
  const world = (await app.worlds.acquire(Number(base.slice(3))))!
  const { recordContact } = await import('../../domains/contacts/operations.ts')
  const at = Date.UTC(2026, 1, 20, 10)
  await world.tx(async (q) => {
    for (const [item_id, kind, buyer_id] of [
      ['MLA900000002', 'phone_views', null],
      ['MLA900000001', 'phone_views', buyer],
      ['MLA900000001', 'phone_views', null],
      ['MLA900000001', 'phone_views', buyer],
      ['MLA900000001', 'questions', buyer],
      ['MLA900000001', 'questions', null],
    ] as const)
      await recordContact(q, world, { item_id, kind, buyer_id, user_id: seller, at })
    const run = (sql: string) => q.prepare({ toSQL: () => ({ sql, params: [] }) }).run()
    await run(`DELETE FROM contact_event WHERE buyer_id = ${loner.id}`)
    await run(
      'UPDATE contact_item_hour SET n = (SELECT count(*) FROM contact_event e WHERE e.item_id = contact_item_hour.item_id AND e.kind = contact_item_hour.kind AND e.at / 3600000 = hour)',
    )
    await run(
      `UPDATE flex_subscription SET holidays = '["2026-12-25"]', zone_cutoffs = '{"CABA":{"week":12,"saturday":13,"sunday":14}}' WHERE origin <> ''`,
    )
    await run(`INSERT INTO blocked_buyer VALUES (${seller}, ${buyer}, ${at}), (${seller}, ${loner.id}, ${at + 1})`)
  })
  app.worlds.release(world)

  const file = await exportFile(base)
  const parsed = JSON.parse(file)
  t.strictSame(parsed.clock, { mode: 'frozen', now: '2026-03-02T13:30:00.123Z' })
  t.strictSame(parsed.assumptions, { 'contacts.day_offset': '+02:00', 'contacts.owner_only': 'true' })
  t.strictSame(parsed.applications.slice(-1), [{ ...application, notifications }])
  t.strictSame(
    parsed.applications[0],
    { number: own.number, notifications: { callback_url: 'http://localhost:9/' } },
    'members with their default are left out',
  )
  t.equal(parsed.applications.length, 3)
  const [home, far] = parsed.flex_subscriptions
  t.match(far, {
    ...{ status: 'activating', origin: { address: '', city: 'Quilmes', state: '', zip_code: '' } },
    ...{ zone_cutoffs: { CABA: { week: 12, saturday: 13, sunday: 14 } }, holidays: ['2026-12-25'] },
  })
  for (const member of ['origin', 'zone_cutoffs', 'holidays']) t.notOk(member in home, `${member}: its default`)
  t.ok(parsed.tokens.some(({ token }: { token?: string }) => token === 'fijo'))
  t.strictSame(
    parsed.contacts.filter(({ kind }: { kind: string }) => kind === 'phone_view'),
    [
      {
        kind: 'phone_view',
        item_id: 'MLA900000001',
        at: Array(3).fill('2026-02-20T10:00:00.000Z'),
        buyer_ids: [null, buyer, buyer],
      },
      { kind: 'phone_view', item_id: 'MLA900000002', at: ['2026-02-20T10:00:00.000Z'] },
    ],
  )
  t.equal(parsed.questions.find(({ id }: { id: number }) => id === 5).counted, false)
  t.notOk(file.includes('APP_USR-'), 'generated tokens are left out')

  const [sale] = parsed.orders
  t.strictSame(sale.notes.map((one: { note: string }) => one.note).sort(), [
    'Entregar por la tarde.',
    'Pagó dos veces.',
  ])
  t.match(parsed.order_blocked_buyers, [{ seller_id: seller, buyer_id: buyer }])
  t.match(parsed.conversation_blocks, [{ id: order.pack_id, substatus: 'blocked_by_buyer' }])

  const other = await loadElsewhere(file)
  await load(other, file)
  t.equal(await exportFile(other), file, 'imported a second time')
  t.equal((await get(other, '/users/me', 'fijo')).id, seller)

  const next = async (world: string) => {
    const post = async (endpoint: string, body: object) => (await control(endpoint, body, world)).body.id
    return [
      await post('POST /users', { site_id: 'MLA' }),
      await post('POST /items', { seller_id: seller }),
      await post('POST /questions', { item_id: 'MLA900000001', from: buyer, text: '¿Y?' }),
      await post('POST /shipments', { seller_id: seller }),
      (await control('POST /questions', { item_id: 'MLA900000001', from: null, text: '¿Y?' }, world)).body.from.id,
    ]
  }
  t.strictSame(await next(other), await next(base))
})

t.test('a counter that has assigned no number is not exported', async (t) => {
  const base = await createWorld()
  const clock = { mode: 'frozen', now: '2026-03-02T12:00:00Z' }
  await load(base, { version: 1, clock, counters: { guest: 0 } })
  const file = await exportFile(base)
  const { counters } = JSON.parse(file)
  t.match(counters, { question: Number, access_token: undefined, guest: undefined })
  t.notOk(Object.values(counters).includes(0))
  await loadElsewhere(file)
})

t.test('imports a file written by hand', async (t) => {
  const base = await createWorld()
  const { sellers } = await load(base, EXAMPLE)
  const shop = 'token-de-la-tienda'
  t.strictSame(valuesOf(sellers, 'id', 'nickname', 'token'), [[700000001, 'TIENDA', shop]])
  t.match(await get(base, '/users/me', shop), { id: 700000001, nickname: 'TIENDA', site_id: 'MLA' })
  t.match(await get(base, '/users/me', 'token-de-lucia'), { first_name: 'Lucía' })
  t.match(await get(base, '/items/MLA700000001', shop), {
    title: 'Mate de calabaza',
    price: 12999,
    currency_id: 'ARS',
    status: 'active',
    shipping: { mode: 'me2', tags: ['self_service_in'] },
    date_created: '2026-03-02T12:00:00.000Z',
  })
  t.match(await get(base, '/items/MLA1400000001', shop), {
    title: 'Bombilla de alpaca',
    status: 'paused',
    price: 4500.5,
  })
  const found = await get(base, '/questions/search?sort_fields=date_created&sort_types=ASC', shop)
  t.match(found, {
    total: 2,
    questions: [
      { id: 13000000001, status: 'ANSWERED', from: { id: 700000002 }, answer: { text: 'Sí, con bombilla de alpaca.' } },
      { status: 'UNANSWERED', text: '¿Hacen envíos?' },
    ],
  })
  const range = 'date_from=2026-03-01&date_to=2026-03-03'
  for (const [kind, total] of [
    ['questions', 2],
    ['phone_views', 25],
    ['whatsapp', 2],
  ])
    for (const subject of ['items/MLA700000001', 'users/700000001'])
      t.equal((await get(base, `/${subject}/contacts/${kind}?${range}`, shop)).total, total)
  const window = await get(base, '/users/700000001/contacts/phone_views/time_window?last=1&unit=day', shop)
  t.equal(window.date_to, '2026-03-02T04:00:00Z', 'the assumption of the file')
  t.equal((await get(base, '/users/700000001/questions/response_time', shop)).weekend.response_time, 40)
  t.match(await get(base, '/shipping/flex/sites/MLA/users/700000001/subscriptions/v1', shop), [
    { mode: 'FLEX', status: { id: 'in' }, service_id: 736230 },
  ])
  t.strictSame(await get(base, '/flex/sites/MLA/shipments/900001/assignment/v1', shop), { driver_id: 17 })
  const loans = '/vis/loans/search?seller_id=700000001&date_from=2026-03-01T00:00:00&date_to=2026-03-03T00:00:00'
  t.match(await get(base, loans, shop), { paging: { total: 1 }, results: [{ buyer_id: 700000002, expired: false }] })
  const file = await exportFile(base)
  await loadElsewhere(file)

  t.equal((await control('PUT /clock', { mode: 'frozen', now: '2026-03-02T18:00:00Z' }, base)).status, 200)
  t.match(await get(base, '/users/me', 'token-de-lucia'), { status: 401 }, 'a token expires at the time of the file')
})

t.test('an application of a file is notified of later events, also after a reset', async (t) => {
  const base = await createWorld()
  const file = {
    ...JSON.parse(EXAMPLE),
    applications: [{ id: 88, secret: 'x' }, { notifications: { ...hook, topics: ['questions'] } }, {}],
    grants: [{ user_id: 'TIENDA', application: 1 }],
    tokens: [{ user_id: 'LUCIA', token: 'token-de-lucia', application: 2 }],
  }
  await load(base, file)
  for (const round of [1, 2]) {
    const { paging } = (await control('GET /deliveries', undefined, base)).body
    t.equal(paging.total, 0, `no notifications of what the file has, ${round}`)
    const ask = { method: 'POST', url: `${base}/questions`, headers: bearer('token-de-lucia') } as const
    const question = await call({ ...ask, payload: { item_id: 'MLA700000001', text: '¿De qué color?' } })
    t.equal(question.status, 201)
    t.equal((await control('POST /settle', undefined, base)).status, 204)
    const { results } = (await control('GET /deliveries', undefined, base)).body
    t.match(results, [
      { user_id: 700000001, resource: `/questions/${question.body.id}`, attempts: 1, status: 'pending' },
    ])
    t.equal(Math.floor(results[0].application_id / 1e9), Number(base.slice(3)))
    const setting = await control(`GET /applications/${results[0].application_id}/notifications`, undefined, base)
    t.match(setting.body, { ...hook, topics: ['questions'], profile: 'ideal', overrides: {} })
    t.equal((await control('GET /applications/88/notifications', undefined, base)).status, 404)
    t.equal((await control('POST /reset', undefined, base)).status, 204)
  }
})

t.test('imports the smallest file, and members in any order', async (t) => {
  const base = await createWorld()
  t.match(responseOf(await importFile(base, { version: 1 })), { status: 200, body: { sellers: [], buyers: [] } })
  t.equal((await control('GET /clock', undefined, base)).body.mode, 'real')
  const file = `\ufeff {"items":[ {"seller_id":"A","title":"x","price":0} , {"seller_id":"A","title":"}],[{","price":1,"id":"MLA1400000001"}],
    "users" : [\n{"site_id":"MLA","nickname":"A"}] , "version":1 }  `
  t.match(responseOf(await importFile(base, file)), {
    status: 200,
    body: { buyers: [{ id: 2500000001, nickname: 'A' }] },
  })
  const titles = [
    ['MLA1400000001', '}],[{'],
    ['MLA1400000002', 'x'],
  ]
  t.strictSame(valuesOf(JSON.parse(await exportFile(base)).items, 'id', 'title'), titles, 'a given id is kept')
})

const users = [
  { id: 1, site_id: 'MLA', nickname: 'V', level_id: '5_green', address: { city: 'Buenos Aires' } },
  { id: 2, site_id: 'MLA', nickname: 'C' },
]
const items = [{ id: 'MLA1', seller_id: 1, title: 'x', price: 1 }]
const hook = { callback_url: 'http://127.0.0.1:9/hook' }
/** Files with one element that is changed. */
const withUser = (more: object) => ({ users: [{ ...users[0], ...more }] })
const withItem = (more: object) => ({ users, items: [{ ...items[0], ...more }] })
const question = { item_id: 'MLA1', from_id: 2, text: 'x' }
const withQuestion = (more: object) => ({ users, items, questions: [{ ...question, ...more }] })
const withContact = (more: object) => ({ users, items, contacts: [{ item_id: 'MLA1', kind: 'whatsapp', ...more }] })
const withFlex = (...flex_subscriptions: object[]) => ({ users, flex_subscriptions })
const withHook = (more: object) => ({ applications: [{ notifications: { ...hook, ...more } }] })
const blocked = [
  { seller_id: 1, buyer_id: 2 },
  { seller_id: 'V', buyer_id: 'C' },
]
const loan = { item_id: 'MLA1', buyer_id: 3, down_payment_amount: 1, installments_number: 1, installments_amount: 1 }
const sameTokens = [1, 2].map((user_id) => ({ user_id, token: 't' }))

/** Objects get `version: 1` unless they have a version. */
const REJECTED: [file: string | object, message: string][] = [
  ['', 'world: must be a JSON object; syntax error at line 1'],
  ['[]', 'world: must be a JSON object; syntax error at line 1'],
  ['{"version":1,\n"users":[}', 'world: must be a JSON object; syntax error at line 2'],
  ['{"version":1,}', 'world: must be a JSON object; syntax error at line 1'],
  ['{"version":1} x', 'world: must be a JSON object; syntax error at line 1'],
  ['{"version":1,"version":1}', 'version: is a duplicate'],
  ['{"version":x}', 'version: is not JSON'],
  ['{"version":1,"users":[{x}]}', 'users[0]: is not JSON'],
  ['{"version":1,"users":[{"site_id":"MLA"},]}', 'users[1]: is not JSON'],
  ['{"version":1,"users":[] []}', 'users: is not JSON'],
  ['{"version":1,"users":{}}', 'users: must be an array'],
  ['{}', 'version: is required, must be 1'],
  [{ version: 2 }, 'version: must be 1'],
  [{ clock: { mode: 'frozen' } }, 'clock.now: is required with frozen, must be an ISO 8601 date-time'],
  [{ clock: { mode: 'real', now: '2026-03-02' } }, 'clock.now: real time cannot be set; use shifted or frozen'],
  [{ assumptions: { 'contacts.auth': 'maybe' } }, 'assumptions.contacts.auth: must be one of optional, required'],
  [{ assumptions: { other: 'x' } }, 'assumptions.other: is an unknown member'],
  [
    { users: [{}] },
    'users[0].site_id: is required, must be one of MLA, MLB, MLM, MLC, MCO, MLU, MPE, MEC, MLV, MBO, MPY, MCR, MPA, MRD, MGT, MHN, MNI, MSV, MCU',
  ],
  [{ users: [users[0], users[0]] }, 'users[1].id: is a duplicate'],
  [withUser({ address: { town: 'x' } }), 'users[0].address.town: is an unknown member'],
  [
    withUser({ registration_date: '2026-02-30' }),
    'users[0].registration_date: must be an ISO 8601 date-time, for example 2026-03-01T00:00:00.000-04:00',
  ],
  [withItem({ id: 'x' }), 'items[0].id: must be M, two letters of the site, and 1 to 20 digits'],
  [
    { users, items: [items[0], { ...items[0], id: 'MLA2', seller_id: 9 }] },
    'items[1].seller_id: the file has no user 9',
  ],
  [withItem({ seller_id: 'W' }), 'items[0].seller_id: the file has no user W'],
  [
    { users: [...users, { site_id: 'MLA', nickname: 'C' }], items: [{ ...items[0], seller_id: 'C' }] },
    'items[0].seller_id: several users of the file have the nickname C; use an id',
  ],
  [withQuestion({ item_id: 'MLA2' }), 'questions[0].item_id: the file has no listing MLA2'],
  [
    { users, items, questions: [question, { ...question, from_id: 1 }] },
    'questions[1].from_id: the seller cannot ask on a listing of their own',
  ],
  [withQuestion({ from_id: undefined }), 'questions[0].from_id: is required unless guest is true'],
  [withQuestion({ guest: true }), 'questions[0].from_id: is a user, so guest must not be true'],
  [withQuestion({ status: 'ANSWERED' }), 'questions[0].answer: is required where the status is ANSWERED'],
  [
    withQuestion({ status: 'UNANSWERED', answer: { text: 'x' } }),
    'questions[0].answer: a question that is UNANSWERED has none',
  ],
  [
    withContact({ at: ['yesterday'] }),
    'contacts[0].at[0]: must be an ISO 8601 date-time, for example 2026-03-01T00:00:00.000-04:00',
  ],
  [
    withContact({ at: ['2026-03-01'], buyer_ids: [1, 2] }),
    'contacts[0].buyer_ids: must be an array with one user, or null, for each instant',
  ],
  [
    withContact({ at: Array(10_000).fill('2026-03-01'), count: 100_000 }),
    'contacts[0]: a world may have at most 20000000 contacts',
  ],
  [{ users, items, loans: [loan] }, 'loans[0].buyer_id: the file has no user 3'],
  [{ users, blocked_buyers: blocked }, 'blocked_buyers[1]: is a duplicate'],
  [
    withFlex({ user_id: 1, mode: 'TURBO' }),
    'flex_subscriptions[0].mode: TURBO needs FLEX, which the seller does not have',
  ],
  [withFlex({ user_id: 1 }, { user_id: 'V' }), 'flex_subscriptions[1].mode: the seller already has FLEX'],
  [
    withFlex({ user_id: 1, origin: { city: 'Quilmes' } }),
    'flex_subscriptions[0].mode: another origin needs FLEX, which the seller does not have',
  ],
  [
    withFlex(...[null, { city: 'Quilmes' }, { city: 'Quilmes' }].map((origin) => ({ user_id: 1, origin }))),
    'flex_subscriptions[2].mode: the seller already has FLEX from this origin',
  ],
  [
    withFlex({ user_id: 1, zone_cutoffs: { CABA: { week: 12, saturday: 12, sunday: 25 } } }),
    'flex_subscriptions[0].zone_cutoffs.CABA.sunday: must be an integer from 0 to 24',
  ],
  [
    withFlex({ user_id: 1, delivery_ranges: { week: [{ from: 9, to: 8, capacity: 50, cutoff: 12 }] } }),
    'flex_subscriptions[0].delivery_ranges.week[0].to: must be later than from',
  ],
  [{ applications: [] }, 'applications: must have at least one'],
  [{ applications: [{ id: 5 }, { id: 5 }] }, 'applications[1].id: is a duplicate'],
  [{ applications: [{ id: 5, number: 3 }] }, 'applications[0].number: must not be given together with id'],
  [
    withHook({ callback_url: undefined }),
    'applications[0].notifications.callback_url: is required, must be a string of at most 2000 characters',
  ],
  [{ applications: [{ notifications: true }] }, 'applications[0].notifications: must be an object with callback_url'],
  [
    { applications: [{}, { notifications: { callback_url: 'http://10.0.0.1/' } }] },
    'applications[1].notifications.callback_url: 10.0.0.1 is not a loopback address, and the server listens on loopback only: not allowed unless allowlisted',
  ],
  [
    withHook({ callback_url: 'ftp://127.0.0.1/' }),
    'applications[0].notifications.callback_url: must begin with http:// or https://',
  ],
  [{ users, tokens: [{ user_id: 1, application: 1 }] }, 'tokens[0].application: the file has no application 1'],
  [{ users, tokens: sameTokens }, 'tokens[1].token: is a duplicate'],
  [
    { faults: [{ action: {} }] },
    'faults[0].action: must have exactly one of status, delay, drop, optimistic_lock, partial, rate_limit and limits',
  ],
  [{ faults: [{ match: { user: 4 }, action: { drop: true } }] }, 'faults[0].match.user: the file has no user 4'],
  [
    `{"version":1,"faults":[{"action":{"status":500,"body":${'['.repeat(10_000)}"\\u00e9"${']'.repeat(10_000)}}}]}`,
    'faults[0]: must have at most 400 levels',
  ],
  [
    `{"version":1,"users":[{"site_id":"MLA","nickname":"${'x'.repeat(1024 * 1024)}"}]}`,
    'users[0]: must have at most 1048576 bytes',
  ],
]

t.test('rejects an invalid file with the place of the error, and leaves the world as it is', async (t) => {
  const base = await createWorld()
  await load(base, EXAMPLE)
  const before = await exportFile(base)
  for (const [wrong, message] of REJECTED) {
    const file = typeof wrong === 'string' ? wrong : JSON.stringify({ version: 1, ...wrong })
    const expected = { status: 400, body: badRequest(message) }
    t.strictSame(responseOf(await importFile(base, file)), expected, file.slice(0, 120))
  }
  t.strictSame(
    (await importFile(base, { version: 1, people: [] })).body.message.slice(0, 43),
    'people: is an unknown member; a world file ',
  )
  t.equal(await exportFile(base), before)
  t.equal((await control('POST /reset', undefined, base)).status, 204)
  t.equal(await exportFile(base), before, 'and the start')
  t.strictSame(await app.worlds.snapshots(Number(base.slice(3))), [])
})

t.test('requests during an import see the world before or after it', async (t) => {
  const base = await createWorld()
  await load(base, EXAMPLE)
  const small = {
    version: 1,
    users: [{ id: 9, site_id: 'MLA', nickname: 'N' }],
    tokens: [{ user_id: 9, token: 'token-de-la-tienda' }],
  }
  let over = false
  const seen = new Set<unknown>()
  const watch = async () => {
    while (!over) {
      seen.add((await get(base, '/users/me', 'token-de-la-tienda')).nickname)
      // Injected calls do not wait for I/O: without this, file access would never complete.
      await new Promise(setImmediate)
    }
  }
  const watching = [watch(), watch()]
  for (const file of [small, EXAMPLE, small]) t.equal((await importFile(base, file)).status, 200)
  over = true
  await Promise.all(watching)
  t.strictSame([...seen].sort(), ['N', 'TIENDA'])
})

t.test('what was sold of a listing follows from its orders, unless the file says it', async (t) => {
  const base = await createWorld()
  const users = [
    { id: 5, nickname: 'TIENDA', site_id: 'MLA', level_id: '5_green' },
    { id: 6, nickname: 'ANA', site_id: 'MLA' },
  ]
  const listing = { seller_id: 5, title: 'Silla', price: 5, available_quantity: 9 }
  const items = [
    { id: 'MLA1', ...listing },
    { id: 'MLA2', ...listing, sold_quantity: 0 },
  ]
  const orders = items.map(({ id }) => ({ item_id: id, buyer_id: 6, quantity: 3 }))
  await load(base, { version: 1, users, items, orders })
  const file = await exportFile(base)
  t.strictSame(valuesOf(JSON.parse(file).items, 'sold_quantity'), [3, 0])
  await loadElsewhere(file)
})

t.test('a listing keeps its details and its description', async (t) => {
  const base = await createWorld()
  const clock = { mode: 'frozen', now: '2026-03-02T12:00:00Z' }
  const date_created = '2026-02-01T10:00:00.000Z'
  const value = { id: 'COLOR', name: 'Color', value_id: null, value_name: 'Azul' }
  const variation = { id: 1, price: 5, available_quantity: 2, sold_quantity: 1, picture_ids: ['1-MLA1_012026'] }
  const listing = { seller_id: 'TIENDA', title: 'Silla', price: 5, date_created }
  const whole = {
    ...listing,
    ...{ available_quantity: 2, sold_quantity: 1, category_id: 'MLA7015', promotion_until: '2026-03-09T12:00:00.000Z' },
    details: {
      condition: 'used',
      original_price: 9,
      pictures: ['1-MLA1_012026'],
      shipping: { free_shipping: true, free_methods: [{ id: 1, rule: { free_mode: 'country', value: null } }] },
      variations: [{ ...variation, attribute_combinations: [value], seller_custom_field: null }],
      sub_status: ['paused_by_seller'],
      health: 0.5,
    },
    description: { plain_text: 'De madera.', last_updated: '2026-02-03T10:00:00.000Z' },
  }
  const items = [
    { id: 'MLA1', ...listing },
    { id: 'MLA2', ...whole },
  ]
  const users = [{ id: 5, nickname: 'TIENDA', site_id: 'MLA', level_id: '5_green' }]
  await load(base, { version: 1, clock, users, items })
  const file = await exportFile(base)
  const [plain, exported] = JSON.parse(file).items
  for (const name of ['category_id', 'promotion_until', 'details', 'description'])
    t.notOk(name in plain, `${name}: its default`)
  t.equal(plain.sold_quantity, 0)
  t.match(exported, { ...whole, seller_id: 5, description: { ...whole.description, date_created } })
  const other = await loadElsewhere(file)
  const read = await app.call(`${other}/items/MLA2`)
  t.match(read.body, {
    price: 5,
    original_price: 9,
    condition: 'used',
    variations: [{ id: 1 }],
    domain_id: 'MLA-FURNITURE',
  })
  t.equal((await app.call(`${other}/items/MLA2/description`)).body.plain_text, 'De madera.')

  for (const [details, message] of [
    [{ health: 2 }, 'items[0].details.health: must be from 0 to 1'],
    [{ colour: 'x' }, 'items[0].details.colour: is an unknown member'],
    [
      { variations: [{ id: 1 }] },
      'items[0].details.variations[0].price: is required, must be a number from 0 to 10^12',
    ],
  ] as const) {
    const wrong = await importFile(base, { version: 1, users, items: [{ ...listing, details }] })
    t.strictSame([wrong.status, wrong.body.message], [400, message])
  }
})

t.test('a shipment keeps what is known of it, also blank texts, as sellers may send them', async (t) => {
  const base = await createWorld()
  const users = [{ id: 5, nickname: 'TIENDA', site_id: 'MLA', level_id: '5_green' }]
  const details = { cost: 5.5, list_cost: 9, service_id: 154, tracking_url: ' ', comments: '' }
  const shipments = [{ seller_id: 5, mode: 'me1', tracking_number: ' ', details }]
  await load(base, { version: 1, users, shipments })
  const file = await exportFile(base)
  t.match(JSON.parse(file).shipments, shipments)
  await loadElsewhere(file)
})
