import { sql } from 'drizzle-orm'
import t from 'tap'
import { badRequest, DAY, NOW, start } from '../support/app.ts'

const app = await start(t)
const { control, world, buyers, application, seller } = app

type Row = Record<string, unknown> & { id: number | string }
interface List {
  paging: { total: number; limit: number; offset: number; next_before?: number | string | null }
  results: Row[]
}
const list = async (path: string, query: object = {}): Promise<List> => {
  const parameters = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`]),
  )
  const { status, body } = await control(`GET ${path}?${parameters}`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}
/** All elements of a list, page by page, and their total. */
async function listAll(path: string, query: object, limit: number): Promise<{ total: number; rows: Row[] }> {
  const rows: Row[] = []
  for (let before: List['paging']['next_before']; ; ) {
    const { paging, results } = await list(path, { ...query, limit, ...(before !== undefined && { before }) })
    rows.push(...results)
    before = paging.next_before
    if (before === null) return { total: paging.total, rows }
    t.equal(results.length, limit, 'a page is full unless it is the last one')
    t.equal(before, results.at(-1)!.id)
  }
}
const idsOf = (rows: Row[]) => rows.map(({ id }) => id)
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

t.test('each combination of filters selects from all questions, in pages of before', async (t) => {
  const { rows: all } = await listAll('/questions', {}, 1000)
  t.ok(all.length > 2000)
  t.strictSame(
    idsOf(all),
    idsOf(all)
      .map(Number)
      .toSorted((a, b) => b - a),
    'the newest first',
  )
  for (const [status, rows] of Map.groupBy(all, ({ status }) => status))
    t.strictSame((await listAll('/questions', { status }, 1000)).rows, rows, String(status))
  const timeOf = (row: Row) => Date.parse(row.date_created as string)
  const askerOf = (row: Row) => (row.from as { id: number }).id
  const sample = all.find((row) => row.status === 'ANSWERED' && row.seller_id === seller.id)!
  const since = NOW - 20.3 * DAY
  const until = NOW - 2.7 * DAY
  const filters: Record<string, { query: object; holds: (row: Row) => boolean }> = {
    seller_id: { query: { seller_id: seller.id }, holds: (row) => row.seller_id === seller.id },
    item_id: { query: { item_id: sample.item_id }, holds: (row) => row.item_id === sample.item_id },
    from: { query: { from: askerOf(sample) }, holds: (row) => askerOf(row) === askerOf(sample) },
    status: { query: { status: 'ANSWERED' }, holds: ({ status }) => status === 'ANSWERED' },
    since: { query: { since: new Date(since).toISOString() }, holds: (row) => timeOf(row) >= since },
    until: { query: { until: new Date(until).toISOString() }, holds: (row) => timeOf(row) < until },
    q: {
      query: { q: 'ENVIO' },
      holds: ({ text, answer }) =>
        [text, (answer as { text: string } | null)?.text ?? ''].some((one) => plain(one as string).includes('envio')),
    },
  }
  const names = Object.keys(filters)
  for (let n = 0; n < 2 ** names.length; n++) {
    const chosen = names.filter((_, bit) => n & (1 << bit)).map((name) => filters[name]!)
    const query = Object.assign({}, ...chosen.map(({ query }) => query))
    const expected = idsOf(all.filter((row) => chosen.every(({ holds }) => holds(row))))
    const first = await list('/questions', { ...query, limit: 0 })
    t.strictSame(
      first,
      { paging: { total: expected.length, limit: 0, offset: 0, next_before: null }, results: [] },
      JSON.stringify(query),
    )
    const limit = Math.max(1, Math.ceil(expected.length / 3))
    const { rows } = await listAll('/questions', query, Math.min(limit, 1000))
    t.strictSame(idsOf(rows), expected, JSON.stringify(query))
  }
  t.ok(all.filter(filters.q!.holds).length > 20, 'the text occurs')
})

t.test('pages of before do not move while questions are added, and offset counts from there', async (t) => {
  const all = idsOf((await list('/questions', { limit: 6 })).results)
  const before = all[1]!
  const ask = (id: number) =>
    control('POST /questions', { item_id: 'MLA1400000001', from: buyers[0]!.id, text: 'Nueva', id })
  t.equal((await ask(Number(all[0]) + 1)).status, 201)
  t.strictSame(idsOf((await list('/questions', { before, limit: 2 })).results), all.slice(2, 4))
  t.strictSame(idsOf((await list('/questions', { before, limit: 2, offset: 2 })).results), all.slice(4, 6))
  const { paging } = await list('/questions', { limit: 0 })
  t.equal((await list('/questions', { before, limit: 1 })).paging.total, paging.total, 'of all pages')
  const last = { paging: { ...paging, limit: 50, next_before: null }, results: [] }
  t.strictSame(await list('/questions', { before: 0 }), last)
})

t.test('finds texts literally, in any letter case, with or without accents', async (t) => {
  const texts = ['¿Talle único? 100%', 'a_b*c', 'Ñandú [gris]', 'É fácil? Não.', 'x'.repeat(1000), '🙂 ok']
  const ids = []
  for (const [n, text] of texts.entries()) {
    ids.push(2_000_000_000 + n)
    await control('POST /users', { site_id: 'MLA', id: 2_000_000_000 + n, nickname: text.slice(0, 60) })
    await control('POST /questions', { item_id: 'MLA1400000002', id: 5_000_000 + n, text, from: null })
  }
  const found = async (q: string) => idsOf((await list('/questions', { item_id: 'MLA1400000002', q })).results)
  for (const [q, places] of [
    ['TALLE UNICO', [0]],
    ['único', [0]],
    ['0%', [0]],
    ['%', [0]],
    ['a_b', [1]],
    ['a_b*c', [1]],
    ['B*C', [1]],
    ['[', [2]],
    [']', [2]],
    ['[gris]', [2]],
    ['nandu', [2]],
    ['ÑANDÚ', [2]],
    ['facil', [3]],
    ['NAO.', [3]],
    ['x'.repeat(100), [4]],
    ['🙂', [5]],
    ['^', []],
    ['a?b', []],
    ['a-z', []],
  ] as const) {
    const expected = places.map((n) => 5_000_000 + n)
    t.strictSame(
      (await found(q)).filter((id) => Number(id) < 6_000_000),
      expected,
      q,
    )
  }
  t.strictSame(idsOf((await list('/users', { q: 'TALLE unico' })).results), [ids[0]])
  t.strictSame(await list('/users', { q: 'ñandu', site_id: 'MLB' }), {
    paging: { total: 0, limit: 50, offset: 0 },
    results: [],
  })
})

t.test('searches users by nickname and listings by title, with the other filters and pages', async (t) => {
  for (const [path, q, textOf, filter] of [
    ['/users', 'VENDEDOR', (row: Row) => row.nickname as string, { kind: 'seller' }],
    ['/items', 'a', (row: Row) => row.title as string, { status: 'active' }],
  ] as const) {
    const all = (await list(path, { ...filter, limit: 1000 })).results
    const expected = all.filter((row) => plain(textOf(row)).includes(plain(q)))
    t.ok(expected.length > 2 && expected.length < 1000, path)
    t.strictSame((await list(path, { ...filter, q, limit: 1000 })).results, expected)
    t.strictSame(await list(path, { ...filter, q, limit: 2, offset: 1 }), {
      paging: { total: expected.length, limit: 2, offset: 1 },
      results: expected.slice(1, 3),
    })
  }
})

t.test('lists leads by buyer and expiry, in pages of before', async (t) => {
  const create = async (more: object) =>
    (await control('POST /loans', { item_id: 'MLA1400000003', buyer_id: buyers[1]!.id, ...more })).body
  const at = (ms: number) => ({ date_created: new Date(ms).toISOString() })
  await create({ ...at(NOW - 30 * DAY), status: 'approved' })
  await create(at(NOW - 30 * DAY + 1))
  await create({ ...at(NOW - 5 * DAY), expired: true })
  await create({ ...at(NOW - 5 * DAY), status: 'approved' })
  await create({ ...at(NOW - 5 * DAY), buyer_id: buyers[0]!.id })
  const { rows: all } = await listAll('/loans', {}, 1000)
  t.ok(all.length > 80)
  const owner = all.find(({ buyer_id }) => buyer_id === buyers[1]!.id)!.seller_id
  for (const [query, holds] of [
    [{}, () => true],
    [{ buyer_id: buyers[1]!.id }, ({ buyer_id }: Row) => buyer_id === buyers[1]!.id],
    [{ seller_id: owner, status: 'approved' }, (row: Row) => row.seller_id === owner && row.status === 'approved'],
    [{ seller_id: owner, buyer_id: buyers[1]!.id }, (row: Row) => row.buyer_id === buyers[1]!.id],
  ] as const)
    for (const expired of [undefined, true, false]) {
      const expected = all.filter((row) => holds(row) && (expired === undefined || row.expired === expired))
      t.ok(expected.length > 0)
      const found = await listAll('/loans', { ...query, ...(expired !== undefined && { expired }) }, 3)
      t.strictSame(found, { total: expected.length, rows: expected }, JSON.stringify({ ...query, expired }))
    }
  t.strictSame(
    idsOf((await list('/loans', { before: String(all[1]!.id).toUpperCase(), limit: 2, offset: 1 })).results),
    idsOf(all.slice(3, 5)),
  )
})

t.test('lists tokens by application and shipments by the state of their driver', async (t) => {
  const other = (await control('POST /applications', { redirect_uri: 'http://localhost/other' })).body.id
  const { body: token } = await control('POST /tokens', { user_id: seller.id, application_id: other })
  const { refresh_token, ...listed } = token
  t.strictSame(await list('/tokens', { application_id: other }), {
    paging: { total: 1, limit: 50, offset: 0 },
    results: [listed],
  })
  t.strictSame(await list('/tokens', { application_id: other, user_id: seller.id + 1 }), {
    paging: { total: 0, limit: 50, offset: 0 },
    results: [],
  })
  t.ok((await list('/tokens', { application_id: application.id })).results.length > 10)

  const ship = async (more: object) => (await control('POST /shipments', { seller_id: seller.id, ...more })).body
  const shipments = [await ship({}), await ship({ driver_id: 5, route_open: false }), await ship({ driver_id: 5 })]
  for (const [n, status] of ['unassigned', 'assigned', 'on_route'].entries()) {
    const { results, paging } = await list('/shipments', { seller_id: seller.id, driver_status: status, limit: 200 })
    t.equal(paging.total, results.length)
    t.ok(idsOf(results).includes(shipments[n].id), status)
    t.notOk(shipments.some(({ id }, other) => other !== n && idsOf(results).includes(id)))
  }
})

t.test('searches notifications with their attempts, at most 100,000 in one call', async (t) => {
  const rows = 100_010
  await world.tx(async (q) => {
    q.db.run(sql`WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${rows})
      INSERT INTO notification (id, outbox_id, application_id, user_id, topic, resource, received, status, next_at)
      SELECT n, n, 7, 8, 'items', iif(n IN (1, 5, 20, ${rows}), '/items/needle', '/items/' || n), 0, 'dropped', 0 FROM number`)
    for (const [id, body, error] of [
      [2, 'a Needle', null],
      [30, '', 'no needle'],
    ])
      q.db.run(sql`INSERT INTO notification_attempt (notification_id, n, sent, data, url, ms, headers, body, error)
        VALUES (${id}, 1, 0, '', 'http://127.0.0.1:1/hook', 0, '{}', ${body}, ${error})`)
  })
  const paging = { limit: 50, offset: 0 }
  const page = async (query: object) => {
    const { results, paging } = await list('/deliveries', query)
    return { ids: idsOf(results), paging }
  }
  t.strictSame(await page({ q: 'NEEDLE' }), {
    ids: [rows, 30, 20],
    paging: { ...paging, total: 3, next_before: rows - 100_000 + 1 },
  })
  t.strictSame(await page({ q: 'needle', before: rows - 100_000 + 1 }), {
    ids: [5, 2, 1],
    paging: { ...paging, total: 3, next_before: null },
  })
  t.strictSame(await page({ q: 'needle', limit: 2 }), {
    ids: [rows, 30],
    paging: { total: 3, limit: 2, offset: 0, next_before: 30 },
  })
  t.strictSame(await page({ q: 'needle', limit: 2, before: 30 }), {
    ids: [20, 5],
    paging: { total: 4, limit: 2, offset: 0, next_before: 5 },
  })
  t.strictSame((await page({ q: 'hook' })).ids, [30])
  t.strictSame((await page({ q: 'needle', user_id: 9 })).ids, [])
  t.strictSame(await page({ before: 4, limit: 2, application_id: 7 }), {
    ids: [3, 2],
    paging: { total: rows, limit: 2, offset: 0, next_before: 2 },
  })
})

t.test('searches the attempts of notifications as they are shown, without secrets', async (t) => {
  const [token, password] = [seller.token, 'sesame-street']
  const texts = [
    { id: 1, body: `{"password":"${password}"}`, error: null, url: 'http://127.0.0.1:1/first' },
    { id: 2, body: `It was ${token}.`, error: null, url: 'http://127.0.0.1:1/second' },
    { id: 3, body: '', error: `no ${token}`, url: `http://127.0.0.1:1/third?x=${token}` },
    { id: 4, body: `Señor ${password}`, error: null, url: 'http://127.0.0.1:1/fourth' },
  ]
  const own = await start(t, { scenario: 'empty' })
  await own.world.tx(async (q) => {
    for (const { id, body, error, url } of texts) {
      q.db.run(sql`INSERT INTO notification (id, outbox_id, application_id, user_id, topic, resource, received, status, next_at)
      VALUES (${id}, ${id}, 7, 8, 'items', '/items/x', 0, 'dropped', 0)`)
      q.db.run(sql`INSERT INTO notification_attempt (notification_id, n, sent, data, url, ms, headers, body, error)
      VALUES (${id}, 1, 0, '', ${url}, 0, '{}', ${body}, ${error})`)
    }
  })
  const found = async (q: string) => {
    const { body } = await own.control(`GET /deliveries?q=${encodeURIComponent(q)}`)
    t.equal(body.paging.total, body.results.length)
    return idsOf(body.results)
  }
  for (const [q, ids] of [
    ['/items/X', [4, 3, 2, 1]],
    ['it was', [2]],
    ['SENOR SÉSAME', [4]],
    ['third', [3]],
    [password, [4]],
    [password.slice(0, 3), [4]],
    [token, []],
    [token.slice(0, 12), []],
    [token.slice(0, 8), []],
  ] as const)
    t.strictSame(await found(q), ids, q)
  const shown = await Promise.all(
    texts.map(async ({ id }) => {
      const [{ url, body, error }] = (await own.control(`GET /deliveries/${id}`)).body.tries
      return { id, body, error, url }
    }),
  )
  t.strictSame(shown, [
    { ...texts[0], body: '{"password":"***"}' },
    { ...texts[1], body: 'It was ***.' },
    { ...texts[2], error: 'no ***', url: 'http://127.0.0.1:1/third?x=***' },
    texts[3],
  ])
})

t.test('rejects invalid filters', async (t) => {
  for (const [call, message] of [
    ['/questions?since=2026-03-02&until=2026-03-01', 'since: must not be after until'],
  ] as const)
    t.strictSame((await control(`GET ${call}`)).body, badRequest(message), call)
})

t.test('rows of questions and leads have the names of those whom they are about', async (t) => {
  const item = (await control('GET /items/MLB1400000001')).body
  const { nickname: seller_nickname } = (await control(`GET /users/${item.seller_id}`)).body
  const { id: guest } = (await control('POST /questions', { item_id: item.id, text: 'Tem em azul?', from: null })).body
  const { id: asked } = (await control('POST /questions', { item_id: item.id, text: 'Tem em preto?' })).body
  const { id: lead } = (await control('POST /loans', { item_id: item.id })).body
  const row = async (list: string, id: unknown) =>
    (await control(`GET /${list}`)).body.results.find((one: { id: unknown }) => one.id === id)
  const { nickname: buyer_nickname } = (await control('GET /users?site_id=MLB&kind=buyer&limit=1')).body.results[0]
  const names = { item_title: item.title, seller_nickname }
  t.match(await row('questions', guest), { ...names, buyer_nickname: null })
  t.match(await row('questions', asked), { ...names, buyer_nickname })
  t.match(await row('loans', lead), { ...names, buyer_nickname, currency_id: 'BRL' })
})
