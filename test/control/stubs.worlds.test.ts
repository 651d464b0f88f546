import t from 'tap'
import { badRequest, errorBody, start, valuesOf } from '../support/app.ts'

const app = await start(t)
const { call, seller } = app

const UNKNOWN_PATH = errorBody(404, 'resource not found', 'Resource not found.')

async function newWorld(settings: object = { scenario: 'quiet' }) {
  const world = await app.createWorld(settings)
  return {
    ...world,
    stubs: async () => (await world.control('GET /stubs')).body.results,
    async add(stub: object) {
      const { status, text, body } = await world.control('POST /stubs', stub)
      if (status !== 201) throw new Error(text)
      return body.id as number
    },
  }
}
const X = { match: { path: '/x' }, answer: { body: 'x' } }

t.test('a stub belongs to one world; the token or the address of a call selects it', async (t) => {
  const [one, two] = [await newWorld(), await newWorld()]
  await one.add({ match: { path: '/x' }, answer: { body: 'one' } })
  await two.add({ match: { path: '/x' }, answer: { body: 'two' } })
  const asOne = () => one.seller.get('/x')
  t.strictSame(
    [(await one.call('/x')).text, (await two.call('/x')).text, (await asOne()).text, (await call('/x')).status],
    ['one', 'two', 'one', 404],
  )
  await two.control('DELETE /stubs')
  t.strictSame([(await one.call('/x')).text, (await two.call('/x')).status], ['one', 404])
  t.equal((await one.stubs())[0].hits, 3)
})

t.test('snapshot, restore, fork, undo and reset have stubs with their counters', async (t) => {
  const world = await newWorld()
  const id = await world.add({ ...X, times: 2 })
  await world.call('/x')
  const before = await world.stubs()
  t.equal(before[0].hits, 1)
  await world.control('POST /snapshots', { name: 'uno' })
  await world.call('/x')
  t.equal((await world.call('/x')).status, 404)
  const fork = await newWorld({ from: world.id })
  t.equal((await fork.call('/x')).status, 404)
  await world.control('POST /snapshots/uno/restore')
  t.strictSame(await world.stubs(), before)
  t.equal((await world.call('/x')).text, 'x', 'once more')

  await world.control(`DELETE /stubs/${id}`, undefined, { 'x-sandbox-snapshot': 'before' })
  t.strictSame(await world.stubs(), [])
  t.equal((await world.control('POST /undo', {})).status, 200)
  t.strictSame(await world.stubs(), [{ ...before[0], hits: 2 }])
  await world.control('POST /reset')
  t.strictSame(await world.stubs(), [])
})

t.test('a call that a stub answers is no change that undo takes back', async (t) => {
  const world = await newWorld()
  await world.add(X)
  await world.control('POST /stubs', { match: { path: '/y' }, answer: {} }, { 'x-sandbox-snapshot': 'a' })
  await world.call({ method: 'POST', url: '/x' })
  const { body } = await world.control('GET /undo')
  t.match(JSON.stringify(body), /"path":"\/stubs"/)
  t.notMatch(JSON.stringify(body), /"path":"\/x"/)
})

t.test('the difference of two states shows stubs', async (t) => {
  const world = await newWorld()
  await world.add(X)
  t.match((await world.control('GET /diff')).body, { tables: [{ table: 'stub', added: 1, removed: 0, changed: 0 }] })
})

t.test('a world file has stubs, and rejects invalid ones', async (t) => {
  const [from, to] = [await newWorld(), await newWorld({ scenario: 'empty' })]
  await from.add({
    match: { method: 'POST', path: '/o/{id}', query: { a: '1', b: ['2', '3'] }, body: { c: [true] } },
    answer: { status: 201, headers: { 'x-a': 'b' }, body: { t: '{{now}}' }, template: true },
    ...{ id: 7, times: 5, order: -2, override: true, access: 'token' },
  })
  await from.add({ match: { path: '/x' }, answer: { body: 'x' } })
  await from.call('/x')
  const file = (await from.control('GET /world')).body
  t.strictSame(file.stubs[0], { id: 1, match: { path: '/x' }, answer: { status: 200, body: 'x' }, hits: 1 })
  t.equal((await to.control('PUT /world', file)).status, 200)
  t.strictSame(await to.stubs(), await from.stubs())
  t.equal((await to.call('/x')).text, 'x')
  t.equal(await to.add(X), 2, 'the counter of ids continues')

  const rows: [stub: unknown, message: string][] = [
    [
      { ...X, match: { path: '/a*' } },
      'stubs[1].match.path: must have {name} as a whole part, and * as the last part only',
    ],
    [{ ...X, answer: { status: 1 } }, 'stubs[1].answer.status: must be an integer from 200 to 599'],
    [
      { ...X, answer: { body: '{{#now}}', template: true } },
      'stubs[1].answer.body: Unclosed section "now" at 8: "{{#now}}"',
    ],
    [{ ...X, id: 3 }, 'stubs[1].id: is a duplicate'],
    [{ ...X, hits: -1 }, 'stubs[1].hits: must be an integer from 0 to 2^53 − 1'],
  ]
  const stubs = await to.stubs()
  for (const [stub, message] of rows) {
    const { body } = await to.control('PUT /world', { version: 1, stubs: [{ ...X, id: 3 }, stub] })
    t.strictSame(body, badRequest(message), message)
  }
  t.strictSame(await to.stubs(), stubs)
})

t.test('the journal, the events and verifications have the calls that a stub answered', async (t) => {
  const world = await newWorld()
  const id = await world.add({ ...X, access: 'token' })
  await world.seller.get('/x?a=1')
  await world.call('/x')
  await world.call('/y')
  const { results } = (await world.control('GET /requests')).body
  t.strictSame(
    results.map(({ path, stub, response }: { path: string; stub: number; response: { status: number } }) => [
      ...[path, stub, response.status],
    ]),
    [
      ['/x', id, 200],
      ['/x', id, 401],
      ['/y', null, 404],
    ],
  )
  t.equal(results[0].user_id, world.seller.id)
  t.match(results[0], { changes: [], faults: [] })
  t.strictSame(valuesOf((await world.control('GET /requests?stub=1')).body.results, 'id'), [1, 2])
  t.equal((await world.control('POST /verify', { path: '/x', query: { a: 1 }, times: 1 })).status, 200)
})

t.test('explanations name the stub that answered, or nearly did', async (t) => {
  const world = await newWorld()
  const explain = async (method: 'GET' | 'POST', url: string, lang = 'en') => {
    await world.call({ method, url })
    const { results } = (await world.control('GET /requests?order=desc&limit=1')).body
    return (await world.control(`GET /requests/${results[0].id}/explain?lang=${lang}`)).body
  }
  await world.add({ match: { path: '/ok' }, answer: {} })
  await world.add({ match: { path: '/bad' }, answer: { status: 409, body: { error: 'no', message: 'No.' } } })
  const once = await world.add({ match: { method: 'GET', path: '/once', query: { a: '1' } }, answer: {}, times: 1 })

  const ok = await explain('GET', '/ok')
  t.match(ok, { refused: false, text: 'GET /ok was answered with 200: nothing was refused. Stub 1 answered it.' })
  const bad = await explain('GET', '/bad')
  t.match(bad, {
    request: { status: 409, error: 'no', message: 'No.' },
    refused: true,
    text: 'GET /bad was refused with 409 by the check “The stub that answers it gives no error”. Stub 2 answered it.',
    check: 'stub',
    rule: { id: 'http.stubs' },
    fix: null,
    no_fix: { reason: 'stub' },
  })
  t.notOk('near_stubs' in bad)

  const difference = (what: string, expected: unknown, actual: unknown) => ({ what, expected, actual })
  const near = (differences: object[]) => [{ id: once, path: '/once', differences }]
  const missed = await explain('GET', '/once?a=2')
  t.match(missed.text, /Stub 3 nearly matches: query.a is 2, not 1\.$/)
  t.strictSame(missed.near_stubs, near([difference('query.a', '1', '2')]))
  t.match((await explain('GET', '/once', 'es')).text, /El stub 3 casi coincide: query.a falta, no 1\.$/)
  t.match((await explain('GET', '/once', 'pt')).text, /O stub 3 quase corresponde: query.a falta, não 1\.$/)
  t.strictSame((await explain('POST', '/once?a=1')).near_stubs, near([difference('method', 'GET', 'POST')]))
  await world.call('/once?a=1')
  const used = await explain('GET', '/once?a=1')
  t.match(used.text, /Stub 3 matches, but has answered as often as it may \(1\)\.$/)
  t.strictSame(used.near_stubs, near([difference('times', 1, 1)]))
  t.notOk('near_stubs' in (await explain('GET', '/something/else')))

  await world.add({ match: { path: '/sites', query: { a: '1' } }, answer: {}, override: true })
  t.strictSame((await explain('GET', '/sites?a=2')).near_stubs, [
    { id: 4, path: '/sites', differences: [difference('query.a', '1', '2')] },
  ])
})

t.test('lists the calls that nothing has answered, with the nearest stubs', async (t) => {
  const world = await newWorld()
  await world.add({ match: { method: 'POST', path: '/seller-promotions/{id}/notes', body: { note: 'a' } }, answer: {} })
  await world.add({ match: { path: '/seller-promotions/{id}/feedback' }, answer: {} })
  await world.call({ method: 'POST', url: '/seller-promotions/5/notes', payload: { note: 'b' } })
  await world.call('/seller-promotions/5')
  await world.call('/sites/XXX')
  await world.call({ method: 'DELETE', url: '/sites' })
  await world.call('/seller-promotions/5/feedback')
  const { body } = await world.control('GET /stubs/misses')
  const request = (id: number, method: string, path: string, status: number) => {
    return { id, method, path, query: {}, status }
  }
  const near = (id: number, part: string, differences: object[]) => {
    return { id, path: `/seller-promotions/{id}/${part}`, differences }
  }
  const path = (part: string, actual: string) => ({ what: 'path', expected: `/seller-promotions/{id}/${part}`, actual })
  t.strictSame(body, {
    paging: { total: 3, limit: 50, offset: 0 },
    results: [
      { request: request(4, 'DELETE', '/sites', 405), near: [] },
      {
        request: request(2, 'GET', '/seller-promotions/5', 404),
        near: [
          near(2, 'feedback', [path('feedback', '/seller-promotions/5')]),
          near(1, 'notes', [
            { what: 'method', expected: 'POST', actual: 'GET' },
            path('notes', '/seller-promotions/5'),
            { what: 'body', expected: { note: 'a' }, actual: null },
          ]),
        ],
      },
      {
        request: request(1, 'POST', '/seller-promotions/5/notes', 404),
        near: [
          near(1, 'notes', [{ what: 'body.note', expected: 'a', actual: 'b' }]),
          near(2, 'feedback', [path('feedback', '/seller-promotions/5/notes')]),
        ],
      },
    ],
  })
  t.equal((await world.control('GET /stubs/misses?limit=1&offset=1')).body.results[0].request.id, 2)
  t.strictSame((await world.call('/seller-promotions/5')).body, UNKNOWN_PATH, 'the answer does not show it')
})

t.test('an audit does not judge what a stub answers', async (t) => {
  const world = await newWorld()
  await world.add({
    match: { path: '/questions/search' },
    answer: { body: { total: 'x', questions: 5 } },
    override: true,
  })
  await world.add({ match: { path: '/seller-promotions/search' }, answer: { body: { results: [] } } })
  for (let n = 0; n < 4; n++) {
    await world.seller.get(`/questions/search?offset=${n}`)
    await world.seller.get(`/seller-promotions/search?n=${n}`)
  }
  t.strictSame((await world.control('GET /audit')).body.findings, [])
})

t.test('a recording has stubs without their secrets', async (t) => {
  const world = await newWorld({ scenario: 'empty' })
  const body = { access_token: 'elegido', list: [{ client_secret: 'otro' }], text: `Bearer ${seller.token}` }
  const headers = { 'set-cookie': 'sesion=secreta' }
  await world.control('PUT /world', { version: 1, stubs: [{ match: { path: '/login' }, answer: { body, headers } }] })
  const { text } = await world.control('GET /recording')
  t.ok(text.includes('/login'))
  for (const secret of ['elegido', 'otro', 'sesion=secreta', seller.token]) t.notOk(text.includes(secret), secret)
})
