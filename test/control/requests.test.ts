import t from 'tap'
import { createGeneration, type World } from '../../db/world.ts'
import type { Entry } from '../../http/journal/journal_entry.ts'
import { openJournals } from '../../http/journal/journals.ts'
import { type Answer, badRequest, ITEM, notFound, start, valuesOf } from '../support/app.ts'

const app = await start(t)
const { control, call, application, seller, buyer } = app

const STATUS_MESSAGE = 'status: must be an HTTP status, 0 for no answer, or one of 1xx, 2xx, 3xx, 4xx, 5xx'
const list = async (query = '') => (await control(`GET /requests${query}`)).body
const last = async () => (await list('?order=desc&limit=1')).results[0]
const verify = (expected: unknown) => control('POST /verify', expected)
t.beforeEach(async () => {
  await control('DELETE /requests')
})

/** An entry without the values that depend on real time. */
function timeless({ at, response: { ms, ...response }, ...entry }: Awaited<ReturnType<typeof last>>) {
  return { ...entry, response, took: Number.isInteger(ms) && ms >= 0, came: new Date(at).toISOString() === at }
}

t.test('records a call completely', async (t) => {
  const headers = { 'user-agent': 'curl/8', 'content-type': 'application/json', cookie: 'a=b', 'x-other': '1' }
  const response = await buyer.post('/questions?a=1&b=2&b=3', { item_id: ITEM, text: '¿Envían?' }, { headers })
  t.equal(response.status, 201)
  const entry = await last()
  t.strictSame(timeless(entry), {
    id: entry.id,
    world_time: '2026-03-07T15:00:00.000Z',
    method: 'POST',
    path: '/questions',
    query: { a: '1', b: ['2', '3'] },
    headers: { authorization: '***', cookie: '***', 'user-agent': 'curl/8', 'content-type': 'application/json' },
    body: `{"item_id":"${ITEM}","text":"¿Envían?"}`,
    truncated: false,
    user_id: buyer.id,
    application_id: application.id,
    faults: [],
    stub: null,
    error: null,
    found: null,
    response: { status: 201, body: response.text, truncated: false },
    changes: [1],
    after_delivery: null,
    took: true,
    came: true,
  })
  t.strictSame(
    [Object.keys(entry), Object.keys(entry.response)],
    [
      [
        ...['id', 'at', 'world_time', 'method', 'path', 'query', 'headers', 'body', 'truncated'],
        ...['user_id', 'application_id', 'faults', 'stub', 'error', 'response', 'found', 'changes', 'after_delivery'],
      ],
      ['status', 'body', 'truncated', 'ms'],
    ],
    'in this order',
  )
})

t.test('reads one call, and lists calls without bodies', async (t) => {
  await buyer.post('/questions?a=1', { item_id: ITEM, text: '¿Hay stock?' })
  const { headers: _, body: __, truncated: ___, response, ...entry } = await last()
  const { status, ms } = response
  t.strictSame((await control(`GET /requests/${entry.id}`)).body, await last())
  t.strictSame(await list('?bodies=false'), {
    paging: { total: 1, limit: 50, offset: 0 },
    results: [{ ...entry, response: { status, ms } }],
    dropped: 0,
    marks: [],
  })
  const missing = (id: unknown) =>
    notFound(`Request with id ${id} not found: it was not recorded, or is no longer stored`)
  for (const id of [entry.id + 1, 0, 'x']) t.strictSame((await control(`GET /requests/${id}`)).body, missing(id))
  await control('DELETE /requests')
  t.strictSame((await control(`GET /requests/${entry.id}`)).body, missing(entry.id))
})

t.test('searches texts as they are shown, without their secrets', async (t) => {
  const secret = 'Sesame-Street'
  await call({
    method: 'POST',
    url: `/oauth/token?x=${seller.token}`,
    payload: JSON.stringify({ client_secret: secret }),
  })
  await buyer.post('/questions', { item_id: ITEM, text: `¿Es de ${secret}?` })
  const found = async (q: string) => {
    const { results } = await list(`?q=${encodeURIComponent(q)}`)
    return valuesOf(results, 'path')
  }
  t.strictSame(await found('¿ES DE SESAME'), ['/questions'], 'in a body')
  t.strictSame(await found('"unanswered"'), ['/questions'], 'in an answer')
  t.strictSame(await found('/TOKEN?x=***'), ['/oauth/token'], 'in an address')
  t.strictSame(await found(secret), ['/questions'], 'not in a secret')
  t.strictSame(await found(seller.token), [], 'not in a token')
  t.strictSame(await found(seller.token.slice(0, 12)), [], 'nor in the beginning of one')
})

t.test('patterns match paths as they are shown, without their tokens', async (t) => {
  const { token } = seller
  await call(`/questions/${token}`)
  const matched = async (path: string) => {
    const [listed, verified] = [
      await list(`?path=${encodeURIComponent(path)}`),
      (await control('POST /verify', { path, at_least: 0 })).body,
    ]
    t.equal(listed.paging.total, verified.matched)
    return verified.matched
  }
  t.strictSame([await matched('/questions/***'), await matched('/questions/*')], [1, 1])
  for (const part of [token, token.slice(0, 12), token.slice(0, 8)])
    t.strictSame([await matched(`/questions/${part}`), await matched(`*${part}*`)], [0, 0], part)
})

t.test('records every call of the emulated API and no other', async (t) => {
  const calls: (() => Promise<Answer>)[] = [
    () => seller.get('/users/me?attributes=id'),
    () => call('/nowhere'),
    () => call({ method: 'PATCH', url: '/answers' }),
    () => call({ url: '/users/me', headers: { authorization: 'Bearer x' } }),
    () => call({ method: 'OPTIONS', url: '/currencies' }),
    () => call({ method: 'HEAD', url: '/currencies' }),
    () => call('/currencies/XXX?callback=f'),
    () => seller.get(`/questions?callback=f&_method=POST&_body=${encodeURIComponent('{"item_id":1}')}`),
    () => seller.post('/answers', 'x'.repeat(1024 * 1024 + 1)),
    () => call('/w/1/currencies/ARS'),
    () => call('/openapi.json'),
    () => call('/docs'),
    () => call('/_sandbox/clock'),
    () => call('/w/99/currencies'),
  ]
  for (const run of calls) await run()
  const { results } = await list()
  t.strictSame(
    results.map((entry: Awaited<ReturnType<typeof last>>) => [
      entry.method,
      entry.path,
      entry.response.status,
      entry.user_id,
    ]),
    [
      ['GET', '/users/me', 200, seller.id],
      ['GET', '/nowhere', 404, null],
      ['PATCH', '/answers', 405, null],
      ['GET', '/users/me', 401, null],
      ['OPTIONS', '/currencies', 200, null],
      ['HEAD', '/currencies', 200, null],
      ['GET', '/currencies/XXX', 404, null],
      ['POST', '/questions', 400, seller.id],
      ['POST', '/answers', 413, seller.id],
      ['GET', '/currencies/ARS', 200, null],
    ],
  )
  t.equal(results[0].response.body, `{"id":${seller.id}}`, 'the body after projection')
  t.equal(results[5].response.body, null)
  t.strictSame(JSON.parse(results[6].response.body), notFound('Currency with id XXX not found'))
  t.equal(results[7].body, '{"item_id":1}')
  t.equal(results[8].body, null)
})

t.test('never records secrets', async (t) => {
  const secret = application.secret
  const grant = {
    grant_type: 'refresh_token',
    client_id: application.id,
    client_secret: secret,
    refresh_token: 'sesame',
  }
  const form = (fields: object) => new URLSearchParams(fields as Record<string, string>).toString()
  const token = (payload: string, type: string) =>
    call({ method: 'POST', url: '/oauth/token', payload, headers: { 'content-type': type } })
  const multipart = `--b\r\nContent-Disposition: form-data; name="client_secret"\r\n\r\n${secret}\r\n--b--\r\n`
  const picked = await call({
    method: 'POST',
    url: '/authorization',
    payload: form({
      ...{ response_type: 'code', client_id: application.id, redirect_uri: application.redirect_uri },
      ...{ user_id: seller.id, code_challenge: 'sesame-challenge', code_challenge_method: 'plain' },
    }),
  })
  const code = new URL(String(picked.headers.location)).searchParams.get('code')!
  const pair = await token(
    form({
      ...{ grant_type: 'authorization_code', client_id: application.id, client_secret: secret, code },
      ...{ redirect_uri: application.redirect_uri, code_verifier: 'sesame-challenge' },
    }),
    'application/x-www-form-urlencoded',
  )
  t.equal(pair.status, 200)
  const testUser = await call({ method: 'POST', url: '/users/test_user', payload: '{"site_id":"MLA"}' })
  t.equal(testUser.status, 201)
  await token(JSON.stringify(grant), 'application/json')
  await token(form(grant).replace('client_secret', 'client%5Fsecret'), 'application/json')
  await token(JSON.stringify(grant).replace('client_secret', 'client\\u005fsecret'), 'application/json')
  await token(multipart, 'multipart/form-data; boundary=b')
  await token(`{"refresh_token":"sesame ${'x'.repeat(9000)}`, 'application/json')
  await token(`{"x":"${'x'.repeat(8150)}","refresh_token":"sesame${'x'.repeat(900)}`, 'application/json')
  await token(`{"refresh_token" : "sesame \\" sesame", "client_secret":sesame`, 'application/json')
  await call(`/users/me?access_token=${seller.token}`)
  await call(`/users/me?access%5Ftoken=${seller.token}&x=${seller.token}`)
  await seller.get(`/items/${seller.token}`)
  await call(`/oauth/token?callback=f&_method=POST&${form(grant)}&_body=${encodeURIComponent(JSON.stringify(grant))}`)
  await call({ url: '/currencies', headers: { 'user-agent': seller.token, cookie: 'sesame' } })
  const { text } = await control('GET /requests')
  const { results } = JSON.parse(text)
  t.equal(results.length, 15)
  const all = [
    secret,
    'sesame',
    code,
    seller.token,
    pair.body.access_token,
    pair.body.refresh_token,
    testUser.body.password,
  ]
  for (const secretText of all) t.notOk(text.includes(secretText), secretText)
  t.equal(results[1].response.status, 200)
  t.strictSame(JSON.parse(results[1].response.body), { ...pair.body, access_token: '***', refresh_token: '***' })
  t.strictSame(JSON.parse(results[2].response.body), { ...testUser.body, password: '***' })
  t.strictSame(JSON.parse(results[3].body), { ...grant, client_secret: '***', refresh_token: '***' })
  t.equal(results[10].path, '/users/me')
  t.strictSame(results[10].query, { access_token: '***' })
  t.strictSame(results[12].path, '/items/***')
  const found = await verify({ path: '/oauth/token', body: { client_secret: secret } })
  t.equal(found.status, 409)
  t.notOk(found.text.split('"cause"')[1]!.includes('sesame'))
  const near = await verify({ path: '/items/x' })
  t.equal(near.body.cause[0].request.path, '/items/***')
  t.notOk(near.text.includes(seller.token))
})

t.test('truncates bodies at 8 KiB, at a character boundary', async (t) => {
  await seller.post('/answers', { question_id: 1, text: `${'ñ'.repeat(5000)}` })
  const { body, truncated, response } = await last()
  t.ok(truncated)
  t.ok(Buffer.byteLength(body) <= 8192 && Buffer.byteLength(body) > 8188)
  t.match(body, /^\{"question_id":1,"text":"ñ+$/)
  t.equal(response.truncated, false)
  await call({
    method: 'POST',
    url: '/answers',
    headers: { 'x-sandbox-fault': '500' },
    payload: `"${'a'.repeat(8190)}"`,
  })
  t.equal((await last()).body, `"${'a'.repeat(8190)}"`, 'the longest body that is not truncated')
  await call({
    method: 'POST',
    url: '/answers',
    headers: { 'x-sandbox-fault': '500' },
    payload: `"${'a'.repeat(8191)}"`,
  })
  t.equal((await last()).body, `"${'a'.repeat(8191)}`)
  const { text } = await seller.get('/questions/search?limit=100')
  t.ok(text.includes('😊') && text.length > 8192, 'its characters have two bytes in memory')
  const long = await last()
  t.ok(long.response.truncated && !long.truncated)
  t.ok(Buffer.byteLength(long.response.body) <= 8192 && Buffer.byteLength(long.response.body) > 8188)
  t.ok(text.startsWith(long.response.body))
})

t.test('filters, sorts and pages', async (t) => {
  await seller.get('/users/me')
  await buyer.get('/users/me')
  await call('/currencies/ARS')
  await call('/currencies/XXX')
  await call({ method: 'HEAD', url: '/currencies' })
  await t.rejects(call({ method: 'POST', url: '/answers/', headers: { 'x-sandbox-fault': 'drop' } }))
  const all = (await list()).results
  t.strictSame(
    all.map((one: { error: string | null }) => one.error),
    [null, null, null, 'not_found', null, null],
  )
  const ids: number[] = valuesOf(all, 'id')
  const rows: [query: string, places: number[]][] = [
    ['', [0, 1, 2, 3, 4, 5]],
    ['?order=desc', [5, 4, 3, 2, 1, 0]],
    ['?order=desc&limit=2&offset=1', [4, 3]],
    ['?limit=0', []],
    ['?method=GET', [0, 1, 2, 3, 4]],
    ['?method=HEAD', [4]],
    ['?path=/currencies', [4]],
    ['?path=/currencies/*', [2, 3]],
    ['?path=/answers', [5]],
    ['?path=*', [0, 1, 2, 3, 4, 5]],
    ['?status=404', [3]],
    ['?status=0', [5]],
    ['?status=2xx', [0, 1, 2, 4]],
    ['?status=4xx', [3]],
    ['?status=5xx', []],
    [`?user=${buyer.id}`, [1]],
    [`?application_id=${application.id}`, [0, 1]],
    ['?application_id=1', []],
    ['?q=CURRENCIES/ars', [2]],
    ['?q=currency%20with%20id', [3]],
    [`?q=${buyer.nickname.toLowerCase()}`, [1]],
    ['?max_age=3600', [0, 1, 2, 3, 4, 5]],
    ['?max_age=0&path=*', []],
    [`?before=${ids[2]}`, [0, 1]],
    [`?before=${ids[4]}&order=desc&limit=2`, [3, 2]],
    [`?since=${ids[0]}&before=${ids[3]}`, [1, 2]],
    [`?since=${ids[3]}`, [4, 5]],
    [`?since=${ids[1]}&method=GET&status=200&path=/cur*`, [2, 4]],
  ]
  for (const [query, places] of rows)
    t.strictSame(
      valuesOf((await list(query)).results, 'id'),
      places.map((place) => ids[place]),
      query,
    )
  t.strictSame((await list('?method=HEAD&limit=0')).paging, { total: 1, limit: 0, offset: 0 })
  t.equal((await list()).dropped, 0)
  const wrong: [query: string, message: string][] = [
    ['?path=x', 'path: must be a path of the API, such as /questions/*; * matches anything'],
    ['?status=6xx', STATUS_MESSAGE],
  ]
  for (const [query, message] of wrong) t.strictSame(await list(query), badRequest(message), query)
  t.equal((await control('DELETE /requests')).status, 204)
  t.strictSame(await list(), { paging: { total: 0, limit: 50, offset: 0 }, results: [], dropped: 0, marks: [] })
  await call('/currencies/ARS')
  t.equal((await last()).id, ids[5]! + 1, 'ids continue')
})

t.test('keeps a journal while its world is closed, and clears it on reset and restore', async (t) => {
  const world = await app.createWorld({ scenario: 'empty' })
  await world.seller.get('/users/me')
  await world.call('/currencies/ARS')
  t.equal((await list()).paging.total, 0, 'not in the default world’s journal')
  const paths = async () => valuesOf((await world.control('GET /requests')).body.results, 'path')
  t.strictSame(await paths(), ['/users/me', '/currencies/ARS'])
  for (let n = 0; n < 34; n++) {
    const other = await app.createWorld({ scenario: 'empty' })
    await other.call('/currencies/ARS')
  }
  t.strictSame(await paths(), ['/users/me', '/currencies/ARS'], 'after the world was closed and reopened')
  await world.control('POST /snapshots', { name: 'one' })
  await world.control('POST /reset')
  t.strictSame(await paths(), [])
  await world.call('/currencies/BRL')
  t.equal((await world.control('GET /requests')).body.results[0].id, 1)
  await world.control('POST /snapshots/one/restore')
  t.strictSame(await paths(), [])
})

t.test('limits the journal of one world and of all worlds together', async (t) => {
  const journals = openJournals(18 * 1024 * 1024)
  const worlds = Array.from({ length: 6 }, () => ({
    generation: createGeneration(),
    clock: { peek: () => 0 },
    isRetired: false,
  }))
  const record = (world: (typeof worlds)[0], answer: string) =>
    journals.record({ world, caller: null, raw: { method: 'GET', url: '/x', headers: {} } } as never, 200, answer)
  const [first, second] = worlds as [(typeof worlds)[0], (typeof worlds)[0]]
  const sizes = (entries: Entry[]) => entries.reduce((sum, { size }) => sum + size, 0)

  for (let n = 0; n < 1500; n++) record(first, 'x')
  const journal = journals.of(first.generation)
  t.strictSame(
    [
      journal.requests.values().length,
      journal.requests.values()[0]!.id,
      journal.requests.values()[999]!.id,
      journal.requests.dropped,
    ],
    [1000, 501, 1500, 500],
  )
  for (const world of worlds.slice(1)) for (let n = 0; n < 600; n++) record(world, 'x'.repeat(20_000))
  const sizesByWorld = worlds.map(({ generation }) => sizes(journals.of(generation).requests.values()))
  for (const bytes of sizesByWorld.slice(2))
    t.ok(bytes <= 4 * 1024 * 1024 && bytes > 3.9 * 1024 * 1024, 'a world has its share')
  t.ok(sizesByWorld.reduce((a, b) => a + b) <= 18 * 1024 * 1024)
  t.strictSame(
    [sizesByWorld[0], journal.requests.dropped],
    [0, 1500],
    'the least recently used journal is evicted first',
  )
  t.ok(sizesByWorld[1]! < sizesByWorld[2]!, 'then the next one')
  t.equal(journals.of(second.generation).requests.values()[0]!.answer!.text.length, 8192)

  for (const onEnd of worlds[5]!.generation.onEnd)
    onEnd({ change: 'deleted', name: null, keepsJournal: false }, undefined)
  t.equal(journals.of(worlds[5]!.generation).requests.values().length, 0)
  record(first, 'x')
  t.equal(journal.requests.values()[0]!.id, 1501)
  const [next, last] = [createGeneration(), createGeneration()]
  for (const onEnd of first.generation.onEnd) onEnd({ change: 'reset', name: null, keepsJournal: true }, next)
  first.isRetired = true
  record(first, 'x')
  t.equal(journals.of(next), journal)
  t.equal(journal.requests.values().length, 2, 'a retired state records in a journal that continues')
  for (const onEnd of next.onEnd) onEnd({ change: 'load', name: null, keepsJournal: false }, last)
  record(first, 'x')
  t.equal(journal.requests.values().length, 0, 'a retired state records nothing')
  t.not(journals.of(last), journal)
})

t.test('a call that repeats another has its own id and times', async (t) => {
  const journals = openJournals()
  let time = 0
  const world = { generation: createGeneration(), clock: { peek: () => ++time }, isRetired: false } as unknown as World
  const raw = () => ({ method: 'GET', url: '/x', headers: {} }) as never
  journals.record({ world, caller: null, raw: raw() } as never, 200, 'x')
  const { requests } = journals.of(world.generation)
  const first = requests.get(1)!
  for (let n = 0; n < 700; n++) journals.record({ world, caller: null, raw: raw() } as never, 200, 'y')
  const before = Date.now()
  for (let n = 0; n < 1200; n++) journals.recordAgain(raw(), world, first)
  const entries = requests.values()
  t.strictSame(
    entries.map(({ id, world_time, at: _at, ms: _ms, ...entry }) => ({ id, world_time, ...entry })),
    Array.from({ length: 1000 }, (_, n) => {
      const { at: _at, ms: _ms, ...shared } = first
      return { ...shared, id: 902 + n, world_time: 902 + n }
    }),
  )
  t.ok(entries.every(({ at, ms }) => at >= before && ms >= 0 && at + ms <= Date.now()))
  t.equal(requests.get(1901)!.id, 1901)
  t.equal(first.id, 1)
})

t.test('verifies the number of matching requests', async (t) => {
  for (const text of ['uno', 'dos', 'tres'])
    await buyer.post('/questions', { item_id: ITEM, text, nothing: null, from: { tags: ['a', { n: 1 }] } })
  const all = (await list()).results
  const path = '/questions'
  const rows: [expected: object, matched: number][] = [
    [{ path }, 3],
    [{ path, method: 'POST', times: 3 }, 3],
    [{ path: '/quest*', at_least: 2 }, 3],
    [{ path, at_most: 3 }, 3],
    [{ path, at_least: 1, at_most: 5 }, 3],
    [{ path, method: 'GET', times: 0 }, 0],
    [{ path: '/nowhere', at_most: 0 }, 0],
    [{ path, body: { text: 'dos' }, times: 1 }, 1],
    [{ path, body: { nothing: null } }, 3],
    [{ path, body: { from: { tags: ['a', {}] } } }, 3],
    [{ path, body: { from: { tags: ['a'] } }, times: 0 }, 0],
    [{ path, body: { from: [] }, times: 0 }, 0],
    [{ path, body: { missing: null }, times: 0 }, 0],
    [{ path, body: null, times: 0 }, 0],
  ]
  for (const [expected, matched] of rows) {
    const answer = await verify(expected)
    t.equal(answer.status, 200, JSON.stringify(expected))
    t.equal(answer.body.matched, matched)
  }
  t.strictSame((await verify({ path, body: { text: 'dos' } })).body, { matched: 1, dropped: 0, requests: [all[1]] })

  await seller.get('/questions/search?item=A&limit=5&status=x&status=y')
  await call({
    method: 'POST',
    url: '/oauth/token',
    payload: 'grant_type=x&a=1',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  await seller.post('/answers', 'no json')
  for (const expected of [
    { path: '/questions/search', query: { limit: 5, item: 'A' } },
    { path: '/questions/search', query: { status: ['x', 'y'] } },
    { path: '/oauth/token', body: { grant_type: 'x', a: '1' } },
    { path: '/answers', body: 'no json' },
  ])
    t.equal((await verify({ ...expected, times: 1 })).status, 200, JSON.stringify(expected))
})

t.test('reports the nearest misses and their differences', async (t) => {
  await buyer.post('/questions', { item_id: ITEM, text: 'uno', tags: [1] })
  await buyer.post('/questions?x=1', { item_id: ITEM, text: 'dos' })
  await seller.get('/question')
  await seller.get('/users/me')
  const [one, two, near] = (await list()).results
  const short = ({ id, method, path, query, response: { status } }: typeof one) => ({ id, method, path, query, status })
  const expected = { method: 'POST', path: '/questions', query: { x: 1 }, body: { text: 'tres', tags: [1, 2] } }
  const failed = await verify(expected)
  t.equal(failed.status, 409)
  t.strictSame(failed.body, {
    message:
      'Expected at least 1 request of POST /questions with query {"x":1} and body {"text":"tres","tags":[1,2]}; found 0 among 4',
    error: 'verification_failed',
    status: 409,
    cause: [
      {
        request: short(two),
        differences: [
          { what: 'body.text', expected: 'tres', actual: 'dos' },
          { what: 'body.tags', expected: [1, 2] },
        ],
      },
      {
        request: short(one),
        differences: [
          { what: 'query.x', expected: '1' },
          { what: 'body.text', expected: 'tres', actual: 'uno' },
          { what: 'body.tags.length', expected: 2, actual: 1 },
        ],
      },
      {
        request: short(near),
        differences: [
          { what: 'method', expected: 'POST', actual: 'GET' },
          { what: 'path', expected: '/questions', actual: '/question' },
          { what: 'query.x', expected: '1' },
          { what: 'body', expected: { text: 'tres', tags: [1, 2] }, actual: null },
        ],
      },
    ],
    matched: 0,
    dropped: 0,
  })
  const exceeded = await verify({ path: '/questions', at_most: 1 })
  t.strictSame(exceeded.body, {
    message: 'Expected at most 1 request of any method /questions; found 2 among 4',
    error: 'verification_failed',
    status: 409,
    cause: [
      { request: short(one), differences: [] },
      { request: short(two), differences: [] },
    ],
    matched: 2,
    dropped: 0,
  })
  const cases: [expected: object, message: RegExp][] = [
    [{ times: 2 }, /^Expected exactly 2 requests of any method \/x; found 0 among 4$/],
    [{ at_least: 2 }, /^Expected at least 2 requests of/],
    [{ at_least: 2, at_most: 3 }, /^Expected 2 to 3 requests of/],
    [{ body: 'y'.repeat(900) }, /^.{520,560}…; found 0 among 4$/],
  ]
  for (const [expected, message] of cases) t.match((await verify({ path: '/x', ...expected })).body.message, message)
})

t.test('verifies the status of answers', async (t) => {
  const { body: question } = await buyer.post('/questions', { item_id: ITEM, text: '¿Hay?' })
  await control('POST /faults', { match: { path: '/answers' }, action: { status: 599 }, times: 1 })
  for (const status of [599, 200])
    t.equal((await seller.post('/answers', { question_id: question.id, text: 'Sí.' })).status, status)
  await t.rejects(call({ method: 'POST', url: '/answers', headers: { 'x-sandbox-fault': 'drop' } }))
  const [failed, answered, dropped] = (await list('?path=/answers')).results
  const path = '/answers'
  const rows: [status: unknown, requests: unknown[]][] = [
    [undefined, [failed, answered, dropped]],
    [200, [answered]],
    ['2xx', [answered]],
    [599, [failed]],
    ['5xx', [failed]],
    [0, [dropped]],
    [201, []],
    ['1xx', []],
    ['4xx', []],
  ]
  for (const [status, requests] of rows)
    t.strictSame(
      (await verify({ path, status, times: requests.length })).body,
      { matched: requests.length, dropped: 0, requests },
      String(status),
    )
  const request = ({ id, method, query, response }: typeof failed) => ({
    ...{ id, method, path, query },
    status: response.status,
  })
  t.strictSame((await verify({ method: 'POST', path, body: { text: 'Sí.' }, status: '2xx', times: 2 })).body, {
    message: 'Expected exactly 2 requests of POST /answers with body {"text":"Sí."} and status 2xx; found 1 among 4',
    error: 'verification_failed',
    status: 409,
    cause: [
      { request: request(failed), differences: [{ what: 'status', expected: '2xx', actual: 599 }] },
      {
        request: request(dropped),
        differences: [
          { what: 'body', expected: { text: 'Sí.' }, actual: null },
          { what: 'status', expected: '2xx', actual: null },
        ],
      },
      {
        request: { ...request(failed), id: failed.id - 1, path: '/questions', status: 201 },
        differences: [
          { what: 'path', expected: '/answers', actual: '/questions' },
          { what: 'body.text', expected: 'Sí.', actual: '¿Hay?' },
        ],
      },
    ],
    matched: 1,
    dropped: 0,
  })
  t.equal(
    (await verify({ path, status: 0, times: 0 })).body.message,
    'Expected exactly 0 requests of any method /answers with no answer; found 1 among 4',
  )
})

t.test('rejects invalid expectations', async (t) => {
  const path = 'must be a path of the API, such as /questions/*; * matches anything'
  const rows: [expected: unknown, message: string][] = [
    [{ path: 'x' }, `path: ${path}`],
    [{ path: '/x', times: 1, at_least: 1 }, 'times: cannot be combined with at_least or at_most'],
    [{ path: '/x', at_least: 2, at_most: 1 }, 'at_least: must not be above at_most'],
    [`{"path":"/x","body":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 'body: must have at most 200 levels'],
  ]
  for (const [expected, message] of rows) t.strictSame((await verify(expected)).body, badRequest(message), message)
})
