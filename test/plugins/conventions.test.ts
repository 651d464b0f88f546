import type { InjectOptions } from 'fastify'
import t from 'tap'
import { start } from '../support/app.ts'

const { sellers, buyers, application, call, control, faults, world } = await start(t)
const [seller] = sellers as [(typeof sellers)[0]]
const [buyer] = buyers as [(typeof buyers)[0]]
const listing = 'MLA1400000001'

const standard = (status: number, error: string, message: string) => ({ message, error, status, cause: [] })
const unknown = standard(404, 'resource not found', 'Resource not found.')
const invalidToken = standard(401, 'not_found', 'invalid_token')
const missingToken = standard(401, 'unauthorized', 'authorization value not present')
const malformed = standard(400, 'bad_request', 'The address is not a well-formed URL.')
const notAllowed = standard(405, 'method_not_allowed', 'Method not allowed. Allowed: OPTIONS, POST')
const limit = standard(400, 'bad_request', 'limit: must be an integer from 0 to 100')
const json = 'application/json; charset=utf-8'

t.test('every failure is answered with the standard error', async (t) => {
  const bearer = { authorization: `Bearer ${seller.token}` }
  const rows: [name: string, request: InjectOptions, status: number, body: object][] = [
    ['unknown route', { url: '/nowhere' }, 404, unknown],
    ['unknown route, any method', { method: 'PATCH', url: '/nowhere' }, 404, unknown],
    ['a malformed URL', { url: '/items/%zz' }, 400, malformed],
    ['wrong method', { method: 'PATCH', url: '/answers' }, 405, notAllowed],
    ['no token', { url: '/users/me' }, 401, missingToken],
    ['an empty token', { url: '/users/me?access_token=', headers: { authorization: 'Bearer ' } }, 401, missingToken],
    ['an unknown token', { url: '/users/me', headers: { authorization: 'Bearer APP_USR-1-2-3-4' } }, 401, invalidToken],
    ['another scheme', { url: '/users/me', headers: { authorization: 'Basic YTpi' } }, 401, missingToken],
    ['a token without a scheme', { url: '/users/me', headers: { authorization: seller.token } }, 401, missingToken],
    ['a scheme without a token', { url: '/users/me', headers: { authorization: 'Bearer' } }, 401, missingToken],
    ['no blank', { url: '/users/me', headers: { authorization: `Bearer${seller.token}` } }, 401, missingToken],
    ['a token that is not needed', { url: '/currencies', headers: { authorization: 'Bearer x' } }, 401, invalidToken],
    ['a token before a bad body', { method: 'POST', url: '/answers', payload: '{' }, 401, missingToken],
    [
      'a body over the limit',
      { method: 'POST', url: '/questions', headers: bearer, payload: 'x'.repeat(1024 * 1024 + 1) },
      413,
      standard(413, 'payload_too_large', 'The body must have at most 1048576 bytes.'),
    ],
    ['a parameter out of range', { url: '/questions/search?limit=101', headers: bearer }, 400, limit],
    ['a parameter twice', { url: '/questions/search?limit=1&limit=2', headers: bearer }, 400, limit],
    [
      'an id above 2^53',
      { url: '/users/9007199254740992' },
      404,
      standard(404, 'not_found', 'User with id 9007199254740992 not found'),
    ],
    [
      'an id above 100 characters',
      { url: `/questions/${'1'.repeat(150)}`, headers: bearer },
      404,
      standard(404, 'not_found', `Question with id ${'1'.repeat(150)} not found`),
    ],
    [
      'foreign data',
      { url: `/questions/search?seller_id=${buyer.id}`, headers: bearer },
      403,
      standard(403, 'access_denied', 'access to the requested resource is forbidden'),
    ],
    ['an unknown world', { url: '/w/77/currencies' }, 404, unknown],
    ['an invalid world number', { url: '/w/abc/currencies' }, 404, unknown],
  ]
  for (const [name, request, status, body] of rows) {
    const answer = await call(request)
    t.equal(answer.status, status, name)
    t.strictSame(answer.body, body, name)
    t.strictSame(Object.keys(answer.body), ['message', 'error', 'status', 'cause'], name)
    t.equal(answer.headers['content-type'], json, name)
    t.equal(answer.headers['access-control-allow-origin'], '*', name)
  }
  const { headers } = await call({ method: 'DELETE', url: '/currencies/ARS' })
  t.equal(headers.allow, 'GET, HEAD, OPTIONS')
})

t.test('an unexpected error is reported, and answered without details', async (t) => {
  const { read } = world
  world.read = {
    ...read,
    prepare: () => ({ one: () => Promise.reject(new Error('disk on fire at /secret')) }) as never,
  }
  const answer = await call('/currencies/ARS')
  t.equal(answer.status, 200, 'a route without a query still works')
  const broken = await seller.get('/users/me')
  world.read = read
  t.equal(broken.status, 500)
  t.strictSame(broken.body, standard(500, 'internal_server_error', 'Internal server error'))
  t.equal(faults.splice(0).length, 1)
})

t.test('a token is read from the header, else from the query', async (t) => {
  const me = { id: seller.id }
  t.match((await call({ url: '/users/me', headers: { authorization: `bearer  ${seller.token}` } })).body, me)
  t.match((await call(`/users/me?access_token=${seller.token}`)).body, me)
  t.match(
    (await call({ url: `/users/me?access_token=${buyer.token}`, headers: { authorization: `Bearer ${seller.token}` } }))
      .body,
    me,
  )
  t.strictSame(
    (await call({ url: `/users/me?access_token=${seller.token}`, headers: { authorization: 'Bearer x' } })).body,
    invalidToken,
  )
  t.match((await call(`/w/1/users/me?access_token=${seller.token}`)).body, me)
  for (const authorization of ['Basic YTpi', `Token ${buyer.token}`, buyer.token, 'Bearer', 'BEARER '])
    t.match(
      (await call({ url: `/users/me?access_token=${seller.token}`, headers: { authorization } })).body,
      me,
      `${authorization} counts as none sent`,
    )
  for (const authorization of ['Basic YTpi', buyer.token])
    t.equal((await call({ url: '/currencies/ARS', headers: { authorization } })).status, 200, authorization)
  for (const scheme of ['BEARER', 'bEaReR'])
    t.match((await call({ url: '/users/me', headers: { authorization: `${scheme} ${seller.token}` } })).body, me)
  const elsewhere = seller.token.replace(/-00000001/, '-00000002')
  t.strictSame((await call(`/users/me?access_token=${elsewhere}`)).body, invalidToken)
})

t.test('an invalid callback never reaches a script, whatever else is wrong with the call', async (t) => {
  for (const url of ['/w/2/currencies', '/w/x/currencies', '/items/%zz', '/nowhere', '/users/me'])
    for (const query of ['callback=alert(1)//', 'c%61llback=alert(1)//', 'callback', '&callback=1']) {
      const answer = await call(`${url}?${query}`)
      t.equal(answer.headers['content-type'], json, `${url}?${query}`)
      t.ok(answer.status >= 400)
    }
  t.equal((await call('/currencies/ARS?c%61llback=show')).headers['content-type'], 'text/javascript;charset=UTF-8')
  const post = await buyer.post('/questions?callback=show', { item_id: listing, text: 'Hola' })
  t.equal(post.status, 201, 'a callback on another method is ignored')
})

t.test('callback and access_token take one value [spec: http.query.repeated]', async (t) => {
  const badCallback = standard(
    400,
    'invalid_callback',
    'callback: must be the name of a function, at most 128 characters',
  )
  for (const query of [
    'callback=a&callback=b',
    'callback=a&callback=a',
    'callback=a&callback=',
    'callback&c%61llback=a',
  ])
    for (const url of [`/currencies/ARS?${query}`, `/questions?${query}&_method=POST&_body=`]) {
      const answer = await call(url)
      t.strictSame([answer.status, answer.body], [400, badCallback], url)
      t.equal(answer.headers['content-type'], json, url)
    }
  const post = await buyer.post('/questions?callback=a&callback=b', { item_id: listing, text: 'Hola' })
  t.equal(post.status, 201, 'a callback on another method is ignored')

  const badToken = standard(400, 'bad_request', 'access_token: must be sent once')
  const [mine, other] = [`access_token=${seller.token}`, `access_token=${buyer.token}`]
  for (const query of [`${mine}&${mine}`, `${mine}&${other}`, `${mine}&access_token=`, `access_token=&${mine}`])
    for (const url of ['/users/me', '/currencies', '/questions/search', '/vis/loans/search']) {
      const answer = await call(`${url}?${query}`)
      t.strictSame([answer.status, answer.body], [400, badToken], `${url}?${query}`)
    }
  t.strictSame((await call(`/items/${listing}/contacts/whatsapp?${mine}&${other}`)).body, {
    code: 'bad_request',
    message: 'access_token: must be sent once',
  })
  t.equal((await seller.get(`/users/me?${other}&${other}`)).status, 200, 'the token of the header counts')
  const stub = await control('POST /stubs', { match: { path: '/invoices' }, access: 'token', answer: { body: 1 } })
  t.strictSame((await call(`/invoices?${mine}&${other}`)).body, badToken, 'a path that only a stub has')
  await control(`DELETE /stubs/${stub.body.id}`)
  await control('PATCH /assumptions/auth.query_token', { value: 'reject' })
  t.strictSame((await call(`/users/me?${mine}&${other}`)).body, missingToken, 'tokens of the query are ignored')
  await control('PATCH /assumptions/auth.query_token', { value: 'accept' })
})

t.test('OPTIONS describes every path from the schemas of its routes', async (t) => {
  const { paths } = (await call('/openapi.json')).body
  for (const path of Object.keys(paths)) {
    const url = path.replace(/\{\w+\}/g, 'x')
    const answer = await call({
      method: 'OPTIONS',
      url,
      headers: { 'content-type': 'application/json', 'content-length': '0' },
    })
    t.equal(answer.status, 200, path)
    t.strictSame(
      Object.keys(answer.body),
      ['name', 'description', 'attributes', 'methods', 'related_resources', 'connections'],
      path,
    )
    const own = Object.keys(paths[path]).map((method) => method.toUpperCase())
    t.strictSame(
      answer.headers.allow,
      [...own, ...(own.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort().join(', '),
      `${path}: Allow has the methods of the path`,
    )
    const { methods, connections, related_resources } = answer.body
    for (const { example } of methods) t.notMatch(example, /[{}]/)
    for (const method of own) {
      const description = paths[path][method.toLowerCase()].summary
      t.ok(
        methods.some(
          (one: { method: string; description: string }) => one.method === method && one.description === description,
        ),
        `${method} ${path}: its description is the summary of the route`,
      )
    }
    for (const target of Object.values(connections)) t.match(target, /^\/[/a-z0-9_-]+\/:id$/, path)
    t.notOk(related_resources.includes(methods[0].example), `${path}: another resource than its own`)
    t.equal(answer.headers['access-control-allow-origin'], '*')
  }
  const one = await call({ method: 'OPTIONS', url: '/currencies/ARS' })
  t.strictSame(one.body, {
    name: 'Currencies',
    description: 'Currencies in which prices are given',
    attributes: {
      id: 'ISO 4217 code',
      description: 'Name of the currency',
      symbol: 'Symbol shown before an amount',
      decimal_places: 'Decimals of an amount',
    },
    methods: [
      { method: 'GET', example: '/currencies', description: 'List the currencies' },
      { method: 'GET', example: '/currencies/:id', description: 'Read one currency' },
    ],
    related_resources: [],
    connections: { id: '/currencies/:id' },
  })
  t.match(one.headers, {
    allow: 'GET, HEAD, OPTIONS',
    'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    'access-control-allow-headers': /authorization/,
  })
  t.strictSame((await call({ method: 'OPTIONS', url: '/nowhere' })).body, unknown)
  t.equal((await call({ method: 'OPTIONS', url: '/questions/' })).status, 200, 'with a trailing slash')
  t.equal((await call({ method: 'OPTIONS', url: '/it%65ms' })).status, 200, 'an escaped character')
  for (const url of ['/users/', '/openapiXjson', '/', '//'])
    t.strictSame((await call({ method: 'OPTIONS', url })).body, unknown, url)
})

t.test('OPTIONS lists the methods of the whole family', async (t) => {
  const describe = async (url: string) => (await call({ method: 'OPTIONS', url })).body
  const linesOf = (methods: { method: string; example: string }[]) =>
    methods.map(({ method, example }) => `${method} ${example}`)
  const { methods: ofFamily, ...questions } = await describe('/questions')
  t.strictSame(linesOf(ofFamily), [
    ...['GET /questions/search', 'GET /my/received_questions/search', 'GET /questions/:id', 'POST /questions/:id'],
    ...['DELETE /questions/:id', 'POST /questions', 'POST /answers/'],
    ...['GET /my/questions/hidden', 'POST /my/questions/hidden'],
    ...['GET /users/:seller_id/questions_blacklist', 'POST /users/:seller_id/questions_blacklist'],
    'DELETE /users/:seller_id/questions_blacklist/:id',
  ])
  t.strictSame(questions, {
    name: 'Questions',
    description: 'What buyers ask about listings, and what sellers answer',
    attributes: {
      id: 'Question identifier',
      answer: 'The answer; null when there is none',
      date_created: 'When it was asked, at offset -04:00',
      deleted_from_listing: 'It does not show on the page of the listing any more',
      hold: 'It waits for moderation',
      item_id: 'Listing identifier',
      seller_id: 'Seller of the listing',
      status: 'State of the question',
      text: 'Text of the question; empty when it was banned',
      from: 'Who asked',
    },
    related_resources: ['/items', '/users'],
    connections: { id: '/questions/:id', item_id: '/items/:id', seller_id: '/users/:id' },
  })
  for (const url of [
    '/questions/search',
    '/questions/13000000001',
    '/answers',
    '/my/questions/hidden',
    `/users/${seller.id}/questions_blacklist`,
    `/users/${seller.id}/questions_blacklist/1`,
  ]) {
    const { methods, related_resources } = await describe(url)
    t.strictSame([methods, related_resources], [ofFamily, ['/items', '/users']], url)
  }
  const listing = await describe('/sites/MLA/shipping/selfservice/items/MLA1400000001')
  const switches = ['/sites/:site_id/shipping/selfservice/items/:id', '/flex/sites/:site_id/items/:id/v2']
  const ofSwitches = switches.flatMap((path) => ['GET', 'POST', 'DELETE'].map((method) => `${method} ${path}`))
  t.strictSame(linesOf(listing.methods), ofSwitches)
  const { related_resources, connections } = await describe('/sites')
  t.strictSame(
    { related_resources, connections },
    {
      related_resources: ['/currencies'],
      connections: { id: '/sites/:id', default_currency_id: '/currencies/:id' },
    },
  )
  const related = ['/categories', '/currencies', '/products', '/sites', '/users']
  t.strictSame((await describe('/items/MLA1400000001')).related_resources, related)
  t.strictSame((await describe('/vis/loans/search')).related_resources, ['/items', '/users'])
  const shipment = await describe('/shipments/43000000001')
  t.strictSame(shipment.related_resources, ['/collections', '/currencies', '/items', '/orders', '/sites', '/users'])
  const ends = { sender_id: '/users/:id', receiver_id: '/users/:id' }
  t.strictSame(shipment.connections, { id: '/shipments/:id', order_id: '/orders/:id', site_id: '/sites/:id', ...ends })
  t.strictSame((await describe('/categories/MLA3530')).connections, { id: '/categories/:id' })
})

t.test('serves the documentation', async (t) => {
  const page = await call('/docs')
  t.match(page.text, /swagger-ui/)
  t.equal(
    page.headers['content-security-policy'],
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  for (const [url, type] of [
    ['/docs/page.js', 'text/javascript; charset=utf-8'],
    ['/docs/page.css', 'text/css; charset=utf-8'],
    ['/docs/swagger-ui.js', 'text/javascript; charset=utf-8'],
    ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
    ['/w/1/openapi.json', json],
  ] as const)
    t.match(await call(url), { status: 200, headers: { 'content-type': type } }, url)
})

t.test('the pages contain no token and no secret', async (t) => {
  const documents = ['/docs', '/docs?api=control', '/docs/page.js', '/openapi.json'].map((url) => ({ url }))
  for (const request of documents) {
    const { status, text } = await call(request)
    t.equal(status, 200, request.url)
    t.notMatch(text, /APP_USR-\d/, request.url)
    t.notOk(text.includes(application.secret), request.url)
  }
})

// What Chromium sends; over http under a name that is not loopback there is no `sec-fetch-dest`.
const NAVIGATION = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

t.test('a browser that opens the base address is sent to the console', async (t) => {
  await call({ method: 'DELETE', url: '/_sandbox/requests' })
  for (const [url, location] of [
    ['/', '_sandbox/console/'],
    ['/w/1/', '_sandbox/console/'],
    ['/w/1', '1/_sandbox/console/'],
  ] as const) {
    const { status, headers, text } = await call({ url, headers: NAVIGATION })
    t.strictSame({ status, text }, { status: 302, text: '' }, url)
    t.match(headers, { location, 'cache-control': 'no-store', vary: 'accept' }, url)
  }
  t.equal((await call('/_sandbox/requests')).body.paging.total, 0, 'the call is not in the journal')
})

t.test('every other request of the base address is an unknown path', async (t) => {
  const requests: InjectOptions[] = [
    { url: '/' },
    ...['*/*', 'application/json, text/html', 'text/htmlx'].map((accept) => ({ url: '/', headers: { accept } })),
    { url: '/?a=1', headers: NAVIGATION },
    { url: '/w/1?a=1', headers: NAVIGATION },
    { url: '/w/x', headers: NAVIGATION },
    { url: '/nowhere', headers: NAVIGATION },
    { method: 'POST', url: '/', headers: NAVIGATION },
    { method: 'OPTIONS', url: '/', headers: NAVIGATION },
  ]
  for (const request of requests) {
    const { status, body, headers } = await call(request)
    t.strictSame(
      { status, body, vary: headers.vary },
      { status: 404, body: unknown, vary: undefined },
      JSON.stringify(request),
    )
  }
  t.equal((await call({ method: 'HEAD', url: '/', headers: NAVIGATION })).status, 404)
})
