import t from 'tap'
import { type AnyWorld, badRequest, bearer, errorBody, ITEM, notFound, start } from '../support/app.ts'

const app = await start(t)
const { control, call, seller } = app

const UNKNOWN_PATH = errorBody(404, 'resource not found', 'Resource not found.')
const add = async (stub: unknown, { control }: AnyWorld = app) => {
  const { status, body, text } = await control('POST /stubs', stub)
  if (status !== 201) throw new Error(text)
  return body
}
const hitsOf = async (id: number) => (await control(`GET /stubs/${id}`)).body.hits
const post = (url: string, payload: string, headers = {}) => call({ method: 'POST', url, payload, headers })
t.beforeEach(async () => {
  await control('DELETE /stubs')
})

t.test('creates, reads, lists, changes, counts and deletes a stub', async (t) => {
  const created = await control('POST /stubs', {
    match: { method: 'GET', path: '/seller-promotions/{order_id}', query: { full: '*' } },
    answer: { status: 203, headers: { 'X-Source': 'stub' }, body: { id: 1, tags: ['a'] } },
    times: 2,
    order: 5,
  })
  t.equal(created.status, 201)
  const { id } = created.body
  const stub = {
    id,
    match: { path: '/seller-promotions/{order_id}', method: 'GET', query: { full: '*' } },
    answer: { status: 203, headers: { 'x-source': 'stub' }, body: { id: 1, tags: ['a'] } },
    times: 2,
    order: 5,
    override: false,
    access: 'public',
    hits: 0,
  }
  t.strictSame(created.body, stub)

  const answered = await call('/seller-promotions/7?full=1')
  t.strictSame(
    [answered.status, answered.text, answered.headers['content-type'], answered.headers['x-source']],
    [203, '{"id":1,"tags":["a"]}', 'application/json; charset=utf-8', 'stub'],
  )
  t.strictSame((await call('/seller-promotions/7')).body, UNKNOWN_PATH, 'another query')
  t.strictSame((await call('/seller-promotions/7/?full=')).body, { id: 1, tags: ['a'] }, 'an empty parameter is one')
  t.strictSame((await call('/seller-promotions/7?full=1')).body, UNKNOWN_PATH, 'it answers as often as times allows')
  t.strictSame((await control(`GET /stubs/${id}`)).body, { ...stub, hits: 2 })

  const second = await add({ match: { path: '/a/*' }, answer: {} })
  t.strictSame(second, {
    ...{ id: id + 1, match: { path: '/a/*' }, answer: { status: 200 }, times: null },
    ...{ order: 0, override: false, access: 'public', hits: 0 },
  })
  t.strictSame((await control('GET /stubs?limit=1')).body, {
    paging: { total: 2, limit: 1, offset: 0 },
    results: [second],
  })
  t.strictSame((await control('GET /stubs?offset=1')).body.results, [{ ...stub, hits: 2 }], 'in the order of matching')

  let expected = { ...stub, hits: 2 }
  for (const [sent, changed] of [
    [{ times: null }, { times: null }],
    [{ order: -1 }, { order: -1 }],
    [{ access: 'token' }, { access: 'token' }],
    [{ override: true }, { override: true }],
    [{ answer: { body: 'x' } }, { answer: { status: 200, body: 'x' } }],
    [{ match: { path: '/seller-promotions/{a}/b' } }, { match: { path: '/seller-promotions/{a}/b' } }],
  ] as [object, object][]) {
    expected = { ...expected, ...changed }
    t.strictSame((await control(`PATCH /stubs/${id}`, sent)).body, expected, JSON.stringify(sent))
  }

  t.equal((await control(`DELETE /stubs/${id}`)).status, 204)
  t.equal((await call('/seller-promotions/1/b')).status, 404, 'it answers no more')
  const missing = notFound(`Stub ${id} not found`)
  t.strictSame((await control(`GET /stubs/${id}`)).body, missing)
  t.strictSame((await control(`DELETE /stubs/${id}`)).body, missing)
  t.strictSame((await control(`PATCH /stubs/${id}`, { order: 1 })).body, missing)
  t.equal((await control('DELETE /stubs')).status, 204)
  t.equal((await control('GET /stubs')).body.paging.total, 0)
})

t.test('rejects invalid stubs and writes nothing', async (t) => {
  const path = 'match.path: must be a path such as /orders/{order_id} or /orders/*, without a query'
  const parts = 'match.path: must have {name} as a whole part, and * as the last part only'
  const reserved = 'match.path: must not begin with /_sandbox or /w: such calls never reach a stub'
  const known =
    'values begin with method, path, params, query, headers, body, now, now_ms, date, hit, user, item, question'
  const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)
  const at = (path: string) => ({ match: { path }, answer: {} })
  const answering = (answer: unknown) => ({ match: { path: '/x' }, answer })
  const template = (body: unknown, headers?: object) => answering({ body, template: true, ...(headers && { headers }) })
  const rows: [stub: unknown, message: string][] = [
    [at('orders'), path],
    [at('/seller-promotions?x=1'), path],
    [at(`/${'x'.repeat(1000)}`), path],
    [at('/seller-promotions/{a}b'), parts],
    [at('/seller-promotions/*/x'), parts],
    [at('/seller-promotions/{}'), parts],
    [at('/seller-promotions*'), parts],
    [at('/{a}/{a}'), 'match.path: must not have a parameter twice'],
    [at('/a%20b'), 'match.path: must be decoded, without %'],
    [at('/_sandbox/clock'), reserved],
    [at('/w/2/seller-promotions'), reserved],
    [at('/items/{id}'), 'override: must be true, because the API has GET, PUT /items/:item_id; or name another method'],
    [
      { match: { method: 'HEAD', path: '/items/MLA1/' }, answer: {} },
      'override: must be true, because the API has GET, PUT /items/:item_id; or name another method',
    ],
    [
      { ...at('/openapi.json'), override: true },
      'match.path: /openapi.json belongs to the server, and cannot be stubbed',
    ],
    [{ ...at('/readyz'), override: true }, 'match.path: /readyz belongs to the server, and cannot be stubbed'],
    [{ match: { path: '/x', body: 'x'.repeat(16_384) }, answer: {} }, 'match.body: must have at most 16384 bytes'],
    [{ match: { path: '/x', body: nested(300) }, answer: {} }, 'match.body: must have at most 200 levels'],
    [answering({ status: 204, body: {} }), 'answer.body: an answer with 204 has no body'],
    [answering({ headers: { 'a b': 'c' } }), 'answer.headers.a b: must be a header that HTTP can send'],
    [
      answering({ headers: { Connection: 'close' } }),
      'answer.headers.Connection: is a header of the connection; rules cannot set it',
    ],
    [answering({ body: 'x'.repeat(262_144) }), 'answer.body: must have at most 262144 bytes'],
    [answering({ template: true }), 'answer.template: needs a body'],
    [template({ a: ['{{#query}}'] }), 'answer.body: Unclosed section "query" at 10: "{{#query}}"'],
    [template('{{now'), 'answer.body: Unclosed tag at 5: "{{now"'],
    [template('{{/a}}'), 'answer.body: Unopened section "a" at 0: "{{/a}}"'],
    [template('{{> other}}'), 'answer.body: {{> other}}: templates have no partials'],
    [template('{{querry.a}}'), `answer.body: {{querry.a}} is unknown; ${known}`],
    [template('{{^query}}{{constructor}}{{/query}}'), `answer.body: {{constructor}} is unknown; ${known}`],
    [
      template('{"a":"{{now}}"}', { 'content-type': 'application/json' }),
      'answer.body: must be JSON, not a text, where a template gives JSON',
    ],
  ]
  for (const [stub, message] of rows)
    t.strictSame((await control('POST /stubs', stub)).body, badRequest(message), message)
  t.equal((await control('GET /stubs')).body.paging.total, 0)

  const { id } = await add(at('/x'))
  t.strictSame(
    (await control('POST /stubs', { ...at('/x'), id })).body,
    errorBody(409, 'conflict', `Stub ${id} exists already`),
  )
  for (const [change, message] of [
    [{}, 'must be a JSON object with some of match, answer, times, order, override, access and proposed'],
    [
      { match: { path: '/users/me' } },
      'override: must be true, because the API has GET /users/me; or name another method',
    ],
    [{ answer: { body: '{{x}}', template: true } }, `answer.body: {{x}} is unknown; ${known}`],
  ] as const)
    t.match((await control(`PATCH /stubs/${id}`, change)).body, {
      status: 400,
      message: new RegExp(message.replace(/[{}()]/g, '.')),
    })
  t.strictSame((await control(`GET /stubs/${id}`)).body.match, { path: '/x' })
})

t.test('limits the number of stubs of a world, and their bytes', async (t) => {
  const world = await app.createWorld({ scenario: 'empty' })
  const large = { match: { path: '/x' }, answer: { body: 'x'.repeat(262_000) } }
  for (let n = 0; n < 64; n++) await add(large, world)
  t.strictSame(
    (await world.control('POST /stubs', large)).body,
    errorBody(409, 'conflict', 'The answers of a world’s stubs have at most 16777216 bytes'),
  )
  const stubs = Array(1000).fill({ match: { path: '/x' }, answer: {} })
  await world.control('PUT /world', { version: 1, stubs })
  t.strictSame(
    (await world.control('POST /stubs', { match: { path: '/x' }, answer: {} })).body,
    errorBody(409, 'conflict', 'A world has at most 1000 stubs'),
  )
})

t.test('matches paths, queries and bodies', async (t) => {
  const body = '{{#params}}{{a}}|{{*}}{{/params}}'
  const answers = async (match: object, ...calls: [url: string, payload?: string, type?: string][]) => {
    const { id } = await add({ match, answer: { body, template: true } })
    const texts: (string | number)[] = []
    for (const [url, payload, type] of calls) {
      const { status, text } =
        payload === undefined ? await call(url) : await post(url, payload, type ? { 'content-type': type } : {})
      texts.push(status === 200 ? text : status)
    }
    await control(`DELETE /stubs/${id}`)
    return texts
  }
  t.strictSame(await answers({ path: '/o/{a}' }, ['/o/5'], ['/o/a%2Fb%20c'], ['/o/5/6'], ['/o/'], ['/o']), [
    ...['5|', 'a/b c|', 404, 404, 404],
  ])
  t.strictSame(await answers({ path: '/o/{a}/*' }, ['/o/5/6'], ['/o/5/6/7'], ['/o/5']), ['5|6', '5|6/7', 404])
  t.strictSame(await answers({ path: '/ñ' }, ['/%C3%B1'], ['/n']), ['|', 404])
  const query = { a: 1, b: 'x*', c: ['1', '2'] }
  t.strictSame(
    await answers(
      { path: '/q', query },
      ['/q?a=1&b=xyz&c=1&c=2&d=4'],
      ['/q?a=0&a=1&b=x&c=1&c=2'],
      ['/q?a=2&b=xyz&c=1&c=2'],
      ['/q?a=1&b=yx&c=1&c=2'],
      ['/q?a=1&b=x&c=1'],
      ['/q?a=1&b=x'],
    ),
    ['|', '|', 404, 404, 404, 404],
  )
  t.strictSame(
    await answers(
      { path: '/b', body: { a: { b: [1, { c: 'x' }] } } },
      ['/b', '{"a":{"b":[1,{"c":"x","d":1}],"e":2}}'],
      ['/b', '{"a":{"b":[1,{"c":"x"},3]}}'],
      ['/b', '{"a":{"b":["1",{"c":"x"}]}}'],
      ['/b', 'no JSON'],
      ['/b', ''],
      ['/b'],
    ),
    ['|', 404, 404, 404, 404, 404],
  )
  const form = 'application/x-www-form-urlencoded'
  t.strictSame(await answers({ path: '/f', body: { a: '1' } }, ['/f', 'a=1&b=2', form], ['/f', 'a=2', form]), [
    '|',
    404,
  ])
  t.strictSame(await answers({ path: '/t', body: 'hola' }, ['/t', 'hola'], ['/t', 'hola!']), ['|', 404])
})

t.test('the lowest order answers, then the lowest id; times makes sequences', async (t) => {
  const answering = (body: string, more: object = {}) => add({ match: { path: '/s' }, answer: { body }, ...more })
  await answering('last', { order: 1 })
  await answering('first', { times: 1 })
  await answering('second', { times: 2 })
  const texts: string[] = []
  for (let n = 0; n < 5; n++) texts.push((await call('/s')).text)
  t.strictSame(texts, ['first', 'second', 'second', 'last', 'last'])
  const more = await answering('more', { times: 1, order: -1 })
  t.equal((await call('/s')).text, 'more')
  t.equal((await call('/s')).text, 'last')
  await control(`PATCH /stubs/${more.id}`, { times: 2 })
  t.equal((await call('/s')).text, 'more', 'it may answer again')
})

t.test('counts concurrent calls exactly', async (t) => {
  const limited = await add({ match: { path: '/c' }, answer: { body: 'a' }, times: 7 })
  const rest = await add({ match: { path: '/c' }, answer: { body: 'b' } })
  const texts = await Promise.all(Array.from({ length: 40 }, async () => (await call('/c')).text))
  t.equal(texts.filter((text) => text === 'a').length, 7)
  t.strictSame([await hitsOf(limited.id), await hitsOf(rest.id)], [7, 33])
})

t.test('answers only what the API does not have', async (t) => {
  await add({ match: { path: '/*' }, answer: { body: 'stub' } })
  t.equal((await seller.get('/users/me')).body.id, seller.id)
  t.equal((await call('/items/MLA1')).status, 404, 'of a listing')
  t.equal((await call('/openapi.json')).body.openapi, '3.1.0')
  t.equal((await call('/docs/')).status, 200)
  t.equal((await control('GET /clock')).status, 200)
  t.equal((await call('/w/999/x')).status, 404, 'of a world')
  t.equal((await call('/x/y')).text, 'stub')
  t.equal((await call('/')).text, 'stub')
  t.equal(
    (await call({ method: 'DELETE', url: `/items/${ITEM}` })).text,
    'stub',
    'a method that the path does not have',
  )
  t.match(await call({ method: 'OPTIONS', url: `/items/${ITEM}` }), { status: 200, body: { name: 'Items' } })
})

t.test('an override answers instead of the API, and not from the response cache', async (t) => {
  const read = async () => (await seller.get('/users/me')).text
  const original = await read()
  t.equal(await read(), original)
  t.equal(await read(), original, 'from the cache')
  const stub = await add({
    match: { method: 'GET', path: '/users/me' },
    answer: { body: { stub: 1 } },
    override: true,
    times: 3,
  })
  t.strictSame([await read(), await read(), await read()], Array(3).fill('{"stub":1}'))
  t.strictSame([await read(), await read(), await read()], Array(3).fill(original))
  await control(`PATCH /stubs/${stub.id}`, { times: null })
  t.strictSame([await read(), await read(), await read()], Array(3).fill('{"stub":1}'))
  await control(`DELETE /stubs/${stub.id}`)
  t.strictSame([await read(), await read(), await read()], Array(3).fill(original))
})

t.test('an override comes after the check of the token, and before all checks of the call', async (t) => {
  await add({
    match: { method: 'POST', path: '/answers', body: { question_id: 'no number' } },
    answer: { status: 201, body: { id: '{{body.question_id}}' }, template: true },
    override: true,
  })
  t.strictSame((await seller.post('/answers', { question_id: 'no number' })).body, { id: 'no number' })
  t.equal((await seller.post('/answers', '{"question_id"')).status, 400, 'another body gets the answer of the API')
  t.strictSame(
    (await post('/answers', '{"question_id":"no number"}')).body,
    errorBody(401, 'unauthorized', 'authorization value not present'),
  )
  await add({ match: { path: '/sites' }, answer: { body: 'x' }, override: true })
  t.equal((await call('/sites?limit=')).text, 'x')
  t.match(await call({ method: 'OPTIONS', url: '/sites' }), { status: 200, body: { name: 'Sites' } })
})

t.test('a token that is sent must be valid; access can require one', async (t) => {
  const open = await add({ match: { path: '/open' }, answer: { body: '{{user.id}}', template: true } })
  const closed = await add({ match: { path: '/closed' }, answer: { body: 'x' }, access: 'token' })
  const missing = errorBody(401, 'unauthorized', 'authorization value not present')
  const invalid = errorBody(401, 'not_found', 'invalid_token')
  t.equal((await call('/open')).text, '')
  t.equal((await seller.get('/open')).text, String(seller.id))
  t.equal((await call(`/open?access_token=${seller.token}`)).text, String(seller.id))
  t.strictSame((await call({ url: '/open', headers: bearer('x') })).body, invalid)
  t.strictSame((await call('/closed')).body, missing)
  t.strictSame((await call({ url: '/closed', headers: bearer('x') })).body, invalid)
  t.equal((await seller.get('/closed')).text, 'x')
  t.strictSame([await hitsOf(open.id), await hitsOf(closed.id)], [3, 1], 'a refused call is no hit')
  t.strictSame((await call({ url: '/other', headers: bearer('x') })).body, UNKNOWN_PATH)
})

t.test('a browser runs nothing in answers of stubs, and keeps the page that picks a test user', async (t) => {
  const policyOf = async (url: string) => {
    const { headers } = await call(url)
    return [headers['content-security-policy'], headers['x-content-type-options']]
  }
  const page = '<script>alert(1)</script>'
  const answers: [answer: object, policy: string][] = [
    [{ body: page, headers: { 'content-type': 'text/html' } }, 'sandbox'],
    [{ body: page }, 'sandbox'],
    [{ body: { a: page } }, 'sandbox'],
    [{ status: 404, body: page, headers: { 'content-type': 'image/svg+xml' } }, 'sandbox'],
    [{ status: 204 }, 'sandbox'],
    [
      { body: page, headers: { 'Content-Security-Policy': "script-src 'self'", 'x-content-type-options': 'none' } },
      "script-src 'self', sandbox",
    ],
  ]
  for (const [n, [answer, policy]] of answers.entries()) {
    await add({ match: { path: `/inert/${n}` }, answer })
    t.strictSame(await policyOf(`/inert/${n}`), [policy, 'nosniff'], JSON.stringify(answer))
    t.strictSame(await policyOf(`/inert/${n}?callback=f`), [policy, 'nosniff'], 'JSONP')
  }
  await add({
    match: { path: '/currencies' },
    answer: { body: page, headers: { 'content-type': 'text/html' } },
    override: true,
  })
  t.strictSame(await policyOf('/currencies'), ['sandbox', 'nosniff'])
  for (const template of [false, true]) {
    const answer = {
      body: { a: page, b: template ? '{{query.x}}' : '&<' },
      headers: { 'content-type': 'Text/HTML' },
      template,
    }
    await add({ match: { path: `/json/${template}` }, answer })
    const { text } = await call(`/json/${template}?x=%26%3C`)
    t.strictSame(JSON.parse(text), { a: page, b: '&<' })
    t.notMatch(text, /[<>&]/)
  }
  const { id, redirect_uri } = app.application
  const picker = `/authorization?response_type=code&client_id=${id}&redirect_uri=${encodeURIComponent(redirect_uri)}`
  t.match(await policyOf(picker), [/^default-src 'none';/, undefined])
  t.strictSame(await policyOf('/sites'), [undefined, undefined], 'JSON is not rendered')
  await add({
    match: { path: '/authorization' },
    answer: { body: page, headers: { 'content-type': 'text/html' } },
    override: true,
  })
  t.strictSame(await policyOf(picker), ['sandbox', 'nosniff'], 'a stub in its place')
})

t.test('HEAD, JSONP, attributes and CORS are as in other calls', async (t) => {
  await add({ match: { method: 'GET', path: '/o' }, answer: { body: { a: 1, b: 2 } } })
  await add({
    match: { method: 'PUT', path: '/o' },
    answer: { status: 202, body: { put: '{{body.x}}' }, template: true },
  })
  await add({ match: { path: '/text' }, answer: { body: 'a, b' } })
  await add({ match: { path: '/empty' }, answer: { status: 204 } })
  const { headers, text } = await call({ method: 'HEAD', url: '/o' })
  t.strictSame([text, headers['content-length'], headers['access-control-allow-origin']], ['', '13', '*'])
  await add({ match: { path: '/currencies' }, answer: { status: 204 }, override: true })
  for (const url of ['/empty', '/currencies']) {
    const { status, headers } = await call({ method: 'HEAD', url })
    t.strictSame([status, headers['content-length'], headers['content-type']], [204, undefined, undefined], url)
  }
  t.strictSame((await call('/o?attributes=b')).body, { b: 2 })
  t.match(
    (await call('/o?callback=f')).text,
    /^f\(\[200,\{.*"Content-Type":\["text\/javascript.*\},\{"a":1,"b":2\}\]\)$/,
  )
  t.match(
    (await call('/o?callback=f&_method=PUT&_body=%7B%22x%22%3A%22y%22%7D')).text,
    /^f\(\[202,.*,\{"put":"y"\}\]\)$/,
  )
  t.equal((await call('/o?callback=1')).status, 400)
  t.strictSame(
    [(await call('/text')).text, (await call('/text')).headers['content-type']],
    ['a, b', 'text/plain; charset=utf-8'],
  )
  t.strictSame([(await call('/empty')).status, (await call('/empty')).text], [204, ''])

  const preflight = (url: string, method: string) =>
    call({
      method: 'OPTIONS',
      url,
      headers: { 'access-control-request-method': method, 'access-control-request-headers': 'x-a' },
    })
  const allowed = await preflight('/o', 'PUT')
  t.equal(allowed.status, 204)
  t.match(allowed.headers, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'PUT',
    'access-control-allow-headers': 'x-a',
  })
  t.equal((await preflight('/o', 'DELETE')).status, 404)
  t.equal((await call({ method: 'OPTIONS', url: '/text' })).status, 404, 'OPTIONS is matched only if a stub names it')
  await add({ match: { method: 'OPTIONS', path: '/text' }, answer: { body: 'options' } })
  t.equal((await preflight('/text', 'GET')).text, 'options')
})

t.test('faults come before stubs', async (t) => {
  const { id } = await add({ match: { path: '/o' }, answer: { body: 'x' } })
  await control('POST /faults', { match: { path: '/o' }, action: { status: 503 }, times: 1 })
  t.equal((await call('/o')).status, 503)
  t.equal((await call({ url: '/o', headers: { 'x-sandbox-fault': '429' } })).status, 429)
  t.equal((await call('/o')).text, 'x')
  t.equal(await hitsOf(id), 1)
})

t.test('the answers of a world without a matching stub are as without stubs', async (t) => {
  const urls = ['/nowhere', '/items/MLA1', '/users/me', '/nowhere?callback=f', '/', '/sites?limit=']
  const answers = async () => {
    const found: unknown[] = []
    for (const url of urls)
      for (const method of ['GET', 'POST', 'OPTIONS', 'HEAD'] as const) {
        const { status, text, headers } = await call({ method, url })
        const { date: _, ...rest } = headers
        found.push([method, url, status, text, rest])
      }
    return found
  }
  const before = await answers()
  await add({ match: { path: '/elsewhere' }, answer: { body: 'x' } })
  await add({ match: { path: '/users/me', query: { a: 'b' } }, answer: { body: 'x' }, override: true })
  t.strictSame(await answers(), before)
})

t.test('a stub that can never answer names the one before it', async (t) => {
  const first = await add({ match: { path: '/n/{a}', query: { q: '*' } }, answer: {} })
  t.notOk('shadowed_by' in first)
  const rows: [stub: object, isShadowed: boolean][] = [
    [{ match: { method: 'GET', path: '/n/5', query: { q: '1', r: '2' } } }, true],
    [{ match: { path: '/n/{b}/', query: { q: '1' }, body: { a: 1 } }, times: 2 }, true],
    [{ match: { path: '/n/5' } }, false],
    [{ match: { path: '/n/*', query: { q: '1' } } }, false],
    [{ match: { path: '/n/5/6', query: { q: '1' } } }, false],
    [{ match: { path: '/n/5', query: { q: '1' } }, override: true }, false],
    [{ match: { path: '/n/5', query: { q: '1' } }, order: -1 }, false],
  ]
  for (const [stub, isShadowed] of rows) {
    const created = await add({ answer: {}, ...stub })
    t.equal(created.shadowed_by, isShadowed ? first.id : undefined, JSON.stringify(stub))
    t.equal((await control(`GET /stubs/${created.id}`)).body.shadowed_by, created.shadowed_by)
    await control(`DELETE /stubs/${created.id}`)
  }
  const later = await add({ match: { path: '/n/5', query: { q: '1' } }, answer: {} })
  t.equal((await control('GET /stubs')).body.results.at(-1).shadowed_by, first.id)
  t.notOk('shadowed_by' in (await control(`PATCH /stubs/${later.id}`, { order: -1 })).body)
  await control(`PATCH /stubs/${first.id}`, { times: 1 })
  t.notOk('shadowed_by' in (await control(`PATCH /stubs/${later.id}`, { order: 1 })).body, 'the first one ends')
})
