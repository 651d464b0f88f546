import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { countCall } from '../../http/faults/rate_limit.ts'
import { type AnyWorld, badRequest, bearer, errorBody, ITEM, notFound, start, valuesOf } from '../support/app.ts'
import { until } from '../support/until.ts'

const app = await start(t)
const { control, call, seller, buyer, server } = app
const other = app.sellers[1]!

const add = async (rule: unknown, { control }: AnyWorld = app) => (await control('POST /faults', rule)).body
const ruleOf = async (id: number) => (await control(`GET /faults/${id}`)).body
t.beforeEach(async () => {
  await control('DELETE /faults')
})

t.test('creates, reads, lists, counts and deletes a fault rule', async (t) => {
  const created = await control('POST /faults', {
    match: { method: 'GET', path: '/items/*', user: seller.id },
    action: { status: 503 },
    times: 2,
    seed: 7,
  })
  t.equal(created.status, 201)
  const { id } = created.body
  const rule = {
    id,
    match: { method: 'GET', path: '/items/*', user: seller.id },
    action: { status: 503 },
    probability: 1,
    times: 2,
    seed: 7,
    matched: 0,
    applied: 0,
    enabled: true,
  }
  t.strictSame(created.body, rule)
  const unavailable = errorBody(503, 'service_unavailable', 'Service Unavailable')
  t.strictSame((await seller.get(`/items/${ITEM}`)).body, unavailable)
  t.strictSame(
    (await seller.get(`/items/${ITEM}/?attributes=id`)).body,
    unavailable,
    'attributes do not apply to errors',
  )
  t.equal((await seller.get(`/items/${ITEM}`)).status, 200, 'the rule applied as often as times allows')
  t.equal((await other.get(`/items/${ITEM}`)).status, 200, 'does not match another user')
  t.equal((await seller.get('/users/me')).status, 200, 'does not match another path')
  t.strictSame(await ruleOf(id), { ...rule, matched: 3, applied: 2 })
  const hit = (await control(`GET /requests?fault=${id}&bodies=false&order=desc`)).body.results
  const effect = { faults: [id], response: { status: 503 } }
  t.match(hit, [effect, effect], 'the calls that it was applied to')
  t.equal(hit.length, 2)

  const second = await add({ action: { delay: 0 } })
  t.strictSame(second, {
    ...{ id: id + 1, match: {}, action: { delay: 0 }, probability: 1, times: null },
    ...{ seed: second.seed, matched: 0, applied: 0, enabled: true },
  })
  t.ok(Number.isSafeInteger(second.seed))
  t.strictSame((await control('GET /faults?limit=1')).body, {
    paging: { total: 2, limit: 1, offset: 0 },
    results: [{ ...rule, matched: 3, applied: 2 }],
  })
  t.strictSame((await control('GET /faults?offset=1')).body.results, [second])

  t.equal((await control(`DELETE /faults/${id}`)).status, 204)
  t.strictSame((await control(`GET /faults/${id}`)).body, notFound(`Fault ${id} not found`))
  t.strictSame((await control(`DELETE /faults/${id}`)).body, notFound(`Fault ${id} not found`))
  t.equal((await control('DELETE /faults')).status, 204)
  t.equal((await control('GET /faults')).body.paging.total, 0)
})

t.test('assigns the next free id, or takes a given one', async (t) => {
  const { id } = await add({ action: { drop: true }, match: { path: '/nowhere' } })
  const rule = { action: { drop: true }, match: { path: '/nowhere' } }
  t.equal((await add({ ...rule, id: id + 1 })).id, id + 1)
  t.equal((await add({ ...rule, id: Number.MAX_SAFE_INTEGER })).id, Number.MAX_SAFE_INTEGER)
  t.equal((await add(rule)).id, id + 2)
  t.strictSame(
    (await control('POST /faults', { ...rule, id })).body,
    errorBody(409, 'conflict', `Fault ${id} exists already`),
  )
})

t.test('rejects invalid rules and writes nothing', async (t) => {
  const path = 'match.path: must be a path of the API, such as /questions/*; * matches anything'
  const oneAction =
    'action: must have exactly one of status, delay, drop, optimistic_lock, partial, rate_limit and limits'
  const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)
  const rows: [rule: unknown, message: string][] = [
    [{ action: {} }, oneAction],
    [{ action: { status: 500, drop: true } }, oneAction],
    [{ action: { drop: true, body: {} } }, 'action: body and headers are allowed with status only'],
    [{ action: { delay: 1, headers: {} } }, 'action: body and headers are allowed with status only'],
    [{ action: { status: 500, headers: { 'a b': 'c' } } }, 'action.headers.a b: must be a header that HTTP can send'],
    [{ action: { status: 500, headers: { a: 'c\r\nd: e' } } }, 'action.headers.a: must be a header that HTTP can send'],
    [
      { action: { status: 500, headers: { 'Content-Length': '1' } } },
      'action.headers.Content-Length: is a header of the connection; rules cannot set it',
    ],
    [{ action: { status: 500, body: 'x'.repeat(65_536) } }, 'action.body: must have at most 65536 bytes'],
    [{ action: { status: 500, body: nested(300) } }, 'action.body: must have at most 200 levels'],
    [{ action: { delay: { min: 2, max: 1 } } }, 'action.delay: min must not be above max'],
    [{ action: { status: 500 }, match: { path: 'questions' } }, path],
    [{ action: { status: 500 }, match: { path: '/questions?x=1' } }, path],
    [{ action: { status: 500 }, match: { path: '/\u0000' } }, path],
    [{ action: { status: 500 }, match: { path: `/${'x'.repeat(1000)}` } }, path],
    [{ action: { status: 500 }, match: { paht: '/x' } }, 'match.paht: is an unknown member'],
    [{ action: { delay: { min: 1 } } }, 'action.delay.max: is required, must be ms from 0 to 60000'],
    [{ action: { status: 500 }, match: { user: 1 } }, 'match.user: must be a user of this world'],
    [{ action: { status: 500 }, match: { user: 2 ** 53 } }, 'match.user: must be a user of this world'],
  ]
  for (const [rule, message] of rows)
    t.strictSame((await control('POST /faults', rule)).body, badRequest(message), message)
  t.equal((await control('GET /faults')).body.paging.total, 0)
})

t.test('switches a rule off and on; its counts and the random choices continue', async (t) => {
  const rule = await add({ action: { status: 503 }, match: { path: '/users/me' }, times: 3 })
  const statuses = async (n: number) => {
    const found: number[] = []
    for (let call = 0; call < n; call++) found.push((await seller.get('/users/me')).status)
    return found
  }
  t.strictSame(await statuses(1), [503])
  const off = await control(`PATCH /faults/${rule.id}`, { enabled: false })
  t.equal(off.status, 200)
  t.strictSame(off.body, { ...rule, matched: 1, applied: 1, enabled: false })
  t.strictSame(await ruleOf(rule.id), off.body)
  t.strictSame((await control('GET /faults')).body.results, [off.body], 'is listed')
  t.strictSame(await statuses(2), [200, 200])
  t.strictSame(await ruleOf(rule.id), off.body, 'a rule that is off counts nothing')
  t.strictSame((await control(`PATCH /faults/${rule.id}`, { enabled: true })).body, {
    ...rule,
    matched: 1,
    applied: 1,
  })
  t.strictSame(await statuses(3), [503, 503, 200], 'as often as times allows in all')

  const added = await add({ action: { drop: true }, enabled: false })
  t.match(added, { enabled: false })
  t.strictSame(await statuses(1), [200], 'a rule may be created switched off')
})

t.test('changes each member of a rule, and leaves the others', async (t) => {
  const { id, ...rule } = await add({ action: { status: 503 }, match: { method: 'GET', path: '/items/*' }, seed: 7 })
  const change = async (body: object) => (await control(`PATCH /faults/${id}`, body)).body
  let expected = { id, ...rule }
  for (const [sent, changed] of [
    [{ times: 5 }, { times: 5 }],
    [{ times: null }, { times: null }],
    [{ probability: 0 }, { probability: 0 }],
    [{ seed: 8 }, { seed: 8 }],
    [{ action: { delay: { min: 1, max: 2 } } }, { action: { delay: { min: 1, max: 2 } } }],
    [{ match: { path: '/users/me/', user: seller.id } }, { match: { path: '/users/me', user: seller.id } }],
    [{ match: {} }, { match: {} }],
    [
      { enabled: false, times: 1 },
      { enabled: false, times: 1 },
    ],
  ]) {
    expected = { ...expected, ...changed }
    t.strictSame(await change(sent!), expected, JSON.stringify(sent))
  }
  await change({ enabled: true, probability: 1, times: null, action: { status: 404 }, match: { user: other.id } })
  t.strictSame([(await seller.get('/users/me')).status, (await other.get('/users/me')).status], [200, 404])
})

t.test('a new rate limit counts from the beginning', async (t) => {
  const { id } = await add({ action: { rate_limit: { limit: 1, window: 60 } }, match: { path: '/users/me' } })
  const status = async () => (await seller.get('/users/me')).status
  t.strictSame([await status(), await status()], [200, 429])
  await control(`PATCH /faults/${id}`, { times: 100 })
  t.equal(await status(), 429)
  await control(`PATCH /faults/${id}`, { action: { rate_limit: { limit: 1, window: 60 } } })
  t.strictSame([await status(), await status()], [200, 429])
})

t.test('a rate limit may count by the time in the world', async (t) => {
  await control('DELETE /faults')
  const rate_limit = { limit: 1, window: 60, clock: 'world' }
  const rule = await add({ action: { rate_limit }, match: { path: '/users/me' } })
  t.strictSame(rule.action, { rate_limit })
  await control('PUT /clock', { mode: 'frozen' })
  const read = async () => {
    const { status, headers } = await seller.get('/users/me')
    return [status, headers['retry-after']]
  }
  t.strictSame(
    [await read(), await read()],
    [
      [200, undefined],
      [429, '60'],
    ],
  )
  await control('POST /clock/advance', { by: 'PT59S' })
  t.strictSame(await read(), [429, '1'])
  await control('POST /clock/advance', { by: 'PT1S' })
  t.strictSame(await read(), [200, undefined])
  await control('PUT /clock', { mode: 'real' })
  await control('DELETE /faults')
})

t.test('rejects invalid changes of a rule and writes nothing', async (t) => {
  const rule = await add({ action: { status: 503 }, match: { path: '/nowhere' } })
  const members = 'must be a JSON object with some of match, action, probability, times, seed and enabled'
  for (const [change, message] of [
    [{}, `body: ${members}`],
    [[], `body: ${members}`],
    [{ times: 2, match: { user: 1 } }, 'match.user: must be a user of this world'],
    [
      { times: 2, action: {} },
      'action: must have exactly one of status, delay, drop, optimistic_lock, partial, rate_limit and limits',
    ],
    [{ action: { drop: true, body: 1 } }, 'action: body and headers are allowed with status only'],
  ] as const)
    t.strictSame((await control(`PATCH /faults/${rule.id}`, change)).body, badRequest(message))
  t.strictSame(await ruleOf(rule.id), rule)
  const unknown = await control(`PATCH /faults/${rule.id + 1}`, { enabled: false })
  t.strictSame(unknown.body, notFound(`Fault ${rule.id + 1} not found`))
  t.equal((await control('PATCH /faults/x', { enabled: false })).status, 404)
})

t.test('answers each status with the message and the error shape of the domain', async (t) => {
  const rows: [url: string, status: string, body: object][] = [
    ['/items/x', '404', errorBody(404, 'resource not found', 'Resource not found.')],
    ['/items/x', '401', errorBody(401, 'not_found', 'invalid_token')],
    ['/items/x', '403', errorBody(403, 'access_denied', 'access to the requested resource is forbidden')],
    ['/items/x', '409', errorBody(409, 'conflict', 'Conflict')],
    ['/items/x', '500', errorBody(500, 'internal_server_error', 'Internal server error')],
    ['/items/x', '502', errorBody(502, 'bad_gateway', 'Bad Gateway')],
    ['/items/x', '599', errorBody(599, 'status_599', 'Status 599')],
    ['/nowhere', '504', errorBody(504, 'gateway_timeout', 'Gateway Timeout')],
    ['/vis/loans/x', '401', errorBody(401, 'unauthorized', 'Unauthorized')],
    [`/items/${ITEM}/contacts/questions`, '503', { code: 'service_unavailable', message: 'Service Unavailable' }],
    [
      '/authorization',
      '500',
      {
        ...errorBody(500, 'internal_server_error', 'Internal server error'),
        error_description: 'Internal server error',
      },
    ],
  ]
  for (const [url, status, body] of rows) {
    const answer = await call({ url, headers: { 'x-sandbox-fault': status } })
    t.equal(answer.status, Number(status))
    t.strictSame(answer.body, body, `${url} ${status}`)
    t.equal(answer.headers['access-control-allow-origin'], '*')
  }
})

t.test('injects a fault into one call by header', async (t) => {
  const bad = badRequest('x-sandbox-fault: must be a status from 400 to 599, delay=MS with at most 60000, or drop')
  for (const value of ['', '200', '600', '5000', 'delay', 'delay=', 'delay=60001', 'delay=-1', 'Drop', 'drop, drop'])
    t.strictSame((await call({ url: '/currencies', headers: { 'x-sandbox-fault': value } })).body, bad, value)
  const limited = await call({ url: '/currencies', headers: { 'x-sandbox-fault': '429' } })
  t.strictSame(limited.body, errorBody(429, 'too_many_requests', 'Too Many Requests'))
  t.equal(limited.headers['retry-after'], '1')
  t.equal((await call({ url: '/currencies', headers: { 'x-sandbox-fault': 'delay=1' } })).status, 200)
  await t.rejects(call({ url: '/currencies', headers: { 'x-sandbox-fault': 'drop' } }))
  t.equal(
    (await call({ url: '/_sandbox/clock', headers: { 'x-sandbox-fault': '500' } })).status,
    200,
    'does not apply to control calls',
  )
  t.equal(
    (await call({ url: '/openapi.json', headers: { 'x-sandbox-fault': '500' } })).status,
    200,
    'does not apply to the document',
  )
  t.equal((await call('/currencies')).status, 200)
})

t.test('matches calls by method and path', async (t) => {
  const rows: [match: object, matching: string[], notMatching: string[]][] = [
    [
      { path: '/currencies' },
      ['GET /currencies', 'GET /currencies/', 'GET /currencies?x=/', 'HEAD /currencies', 'GET /%63urrencies'],
      ['GET /currencies/ARS', 'OPTIONS /currencies'],
    ],
    [{ path: '/currencies/' }, ['GET /currencies'], ['GET /items']],
    [
      { path: '/*/ARS' },
      ['GET /currencies/ARS', 'POST /currencies/ARS', 'GET /a/b/ARS'],
      ['GET /ARS', 'GET /currencies/ARSX'],
    ],
    [{ path: '*a*s' }, ['GET /answers'], ['GET /questions']],
    [{ path: '/aba*ba' }, ['GET /ababa'], ['GET /aba']],
    [{ method: 'GET' }, ['GET /currencies', 'HEAD /currencies'], ['POST /answers', 'OPTIONS /currencies']],
    [{ method: 'HEAD' }, ['HEAD /currencies'], ['GET /currencies']],
    [{ method: 'OPTIONS' }, ['OPTIONS /currencies'], ['GET /currencies']],
    [
      { method: 'DELETE', path: '/questions/*' },
      ['DELETE /questions/1'],
      ['GET /questions/1', 'GET /questions/1?_method=DELETE'],
    ],
    [{ method: 'POST', path: '/w/1/answers' }, [], ['POST /answers', 'POST /w/1/answers']],
    [{ method: 'POST', path: '/answers' }, ['POST /w/1/answers'], ['POST /w/2/answers']],
  ]
  const statusOf = async (line: string) => {
    const [method, url] = line.split(' ') as ['GET', string]
    return (await call({ method, url })).status
  }
  for (const [match, matching, notMatching] of rows) {
    const { id } = await add({ match, action: { status: 418 } })
    for (const line of matching) t.equal(await statusOf(line), 418, `${JSON.stringify(match)} ${line}`)
    for (const line of notMatching) t.not(await statusOf(line), 418, `${JSON.stringify(match)} not ${line}`)
    await control(`DELETE /faults/${id}`)
  }
  await add({ match: { method: 'DELETE' }, action: { status: 418 } })
  t.equal((await call('/questions/1?callback=f&_method=DELETE')).text.slice(0, 7), 'f([418,', 'matches a JSONP write')
})

t.test('applies before authentication, and matches the user of the token', async (t) => {
  const userRule = await add({ match: { user: seller.id }, action: { status: 500 } })
  t.equal((await seller.get('/users/me')).status, 500)
  t.equal((await call(`/users/me?access_token=${seller.token}`)).status, 500)
  t.equal((await buyer.get('/users/me')).status, 200)
  t.equal((await call({ url: '/users/me', headers: { authorization: 'Bearer x' } })).status, 401)
  await control(`DELETE /faults/${userRule.id}`)
  await add({ action: { status: 500 } })
  t.equal((await call({ url: '/users/me', headers: { authorization: 'Bearer x' } })).status, 500)
  t.equal((await call('/users/me')).status, 500)
})

t.test('answers with any body and headers', async (t) => {
  const body = { message: 'mañana', list: [1, null] }
  await add({ match: { path: '/currencies' }, action: { status: 503, body, headers: { 'Retry-After': '30' } } })
  const json = await call('/currencies')
  t.equal(json.status, 503)
  t.strictSame(json.body, body)
  t.equal(json.headers['retry-after'], '30')
  t.equal(json.headers['content-type'], 'application/json; charset=utf-8')
  await add({
    match: { path: '/items' },
    action: { status: 502, body: '<h1>Bad</h1>', headers: { 'content-type': 'text/html' } },
  })
  const html = await call('/items')
  t.equal(html.text, '<h1>Bad</h1>')
  t.equal(html.headers['content-type'], 'text/html')
  await add({ match: { path: '/questions' }, action: { status: 502, body: 'no' } })
  t.equal((await call('/questions')).headers['content-type'], 'text/plain; charset=utf-8')
  await add({ match: { path: '/answers' }, action: { status: 429, headers: { 'retry-after': '9' } } })
  const limited = await call({ method: 'POST', url: '/answers' })
  t.strictSame(limited.body, errorBody(429, 'too_many_requests', 'Too Many Requests'))
  t.equal(limited.headers['retry-after'], '9')
})

t.test('applies the first rule that triggers and adds up delays', async (t) => {
  const never = await add({ action: { status: 500 }, probability: 0 })
  const delayed = await add({ action: { delay: { min: 1, max: 3 } } })
  const wins = await add({ action: { status: 503 }, times: 1 })
  const next = await add({ action: { status: 504 } })
  t.equal((await call('/currencies')).status, 503)
  t.equal((await call('/currencies')).status, 504)
  t.strictSame(valuesOf((await control('GET /faults')).body.results, 'id', 'matched', 'applied'), [
    [never.id, 2, 0],
    [delayed.id, 2, 2],
    [wins.id, 2, 1],
    [next.id, 1, 1],
  ])
  const { results } = (await control('GET /requests?order=desc&limit=2')).body
  t.strictSame(valuesOf(results, 'faults'), [
    [delayed.id, next.id],
    [delayed.id, wins.id],
  ])
})

t.test('draws the same sequence from the same seed', async (t) => {
  const outcomes = async (seed: number) => {
    await control('DELETE /faults')
    await add({ action: { status: 500 }, probability: 0.5, seed })
    const statuses: number[] = []
    for (let n = 0; n < 24; n++) statuses.push((await call('/currencies')).status)
    return statuses
  }
  const first = await outcomes(1)
  t.strictSame(await outcomes(1), first)
  t.notSame(await outcomes(2), first)
  t.ok(first.includes(200) && first.includes(500))
})

t.test('applies exactly `times` times under concurrent calls', async (t) => {
  const { id } = await add({ action: { status: 500 }, times: 7 })
  const answers = await Promise.all(Array.from({ length: 40 }, () => call('/currencies')))
  t.equal(answers.filter(({ status }) => status === 500).length, 7)
  const { matched, applied } = await ruleOf(id)
  t.strictSame([matched, applied], [40, 7])
})

t.test('applies the published limits by the clock of the world [spec: http.limits]', async (t) => {
  // A thousand calls may take more than the second that is left of a minute.
  await control('PUT /clock', { mode: 'frozen', now: (await control('GET /clock')).body.now })
  const { id } = await add({ action: { limits: 'published' } })
  const subscriptions = `/shipping/flex/sites/MLA/users/${seller.id}/subscriptions/v1`
  const before = app.world.version()
  for (let n = 0; n < 1000; n += 100) {
    const answers = await Promise.all(Array.from({ length: 100 }, () => seller.get(subscriptions)))
    t.notOk(answers.some(({ status }) => status === 429))
  }
  t.equal(app.world.version(), before, 'a call within the limits is no write')
  const limited = await seller.get(subscriptions)
  t.strictSame(limited.body, errorBody(429, 'local_rate_limited', 'local_rate_limited'))
  t.strictSame(
    Object.keys(limited.headers).filter((name) => /retry|limit/.test(name)),
    [],
    'no header tells when to come back',
  )
  t.equal((await other.get(subscriptions)).status, 429, 'the application counts, and not the user')
  const otherApp = (await control('POST /applications', { redirect_uri: 'http://localhost:3000/' })).body
  const { token } = (await control('POST /tokens', { user_id: seller.id, application_id: otherApp.id })).body
  const asOther = { headers: bearer(token) }
  t.equal((await seller.get(subscriptions, asOther)).status, 200, 'another application')
  t.equal((await seller.get(subscriptions.replace('/shipping', ''))).status, 200, 'another endpoint')
  t.equal((await call('/currencies')).status, 200, 'a call without a token')
  t.strictSame([(await ruleOf(id)).matched, (await ruleOf(id)).applied], [2, 2])
  const [last] = (await control(`GET /requests?order=desc&limit=1&status=429`)).body.results
  const why = (await control(`GET /requests/${last.id}/explain`)).body
  t.strictSame([why.check, why.rule.id, why.no_fix.reason], ['faults', 'http.limits', 'fault'])
  await control('POST /clock/advance', { by: 'PT59S' })
  t.equal((await seller.get(subscriptions)).status, 429)
  await control('POST /clock/advance', { by: 'PT1S' })
  t.equal((await seller.get(subscriptions)).status, 200, 'a minute after the first call')
  // As many calls over HTTP take ten seconds.
  const { generation, clock } = app.world
  for (let n = 1006; n < 18_000; n++)
    countCall(
      generation,
      { rule: id, callerKey: String(app.application.id), now: clock.now() },
      { limit: 18_000, window: 3600 },
    )
  t.equal((await seller.get('/currencies')).status, 200, 'the last one that passes')
  t.equal((await seller.get('/currencies')).status, 429)
  t.equal(
    (await seller.get(`/users/${seller.id}/contacts/questions`)).body.code,
    'local_rate_limited',
    'as the domain has it',
  )
  t.equal((await seller.get('/currencies', asOther)).status, 200)
  await control('POST /clock/advance', { by: 'PT1H' })
  t.equal((await seller.get('/currencies')).status, 200)
  await control('POST /clock/advance', { by: '-PT3H' })
  t.equal((await seller.get('/currencies')).status, 200, 'a clock that goes back begins a window')
  await control('PUT /clock', { mode: 'real' })
})

t.test('leaves members out of answers about orders [spec: orders.partial]', async (t) => {
  const item = (await control('POST /items', { seller_id: seller.id, title: 'Mate' })).body.id
  const { order } = (await control('POST /orders', { item_id: item, buyer: buyer.id })).body
  const whole = await seller.get(`/orders/${order.id}`)
  const found = await seller.get('/orders/search?seller=me&limit=2')
  for (let n = 0; n < 3; n++) t.equal((await seller.get('/users/me')).status, 200, 'whole answers may be stored')
  const { id } = await add({ action: { partial: ['buyer', 'shipping', 'no_such_member'] } })
  for (const path of ['/users/me', `/orders/${order.id}/notes`, '/orders/1'])
    t.not((await seller.get(path)).status, 206, path)

  for (let n = 0; n < 3; n++) {
    const { status, headers, body } = await seller.get(`/orders/${order.id}`)
    t.equal(status, 206)
    t.equal(headers['x-content-missing'], 'buyer,shipping', 'members that orders do not have are not missing')
    t.strictSame(body, { ...whole.body, buyer: null, shipping: null })
  }
  const partial = await seller.get('/orders/search?seller=me&limit=2')
  t.equal(partial.status, 206)
  t.equal(partial.headers['x-content-missing'], 'buyer,shipping')
  const results = found.body.results.map((one: object) => ({ ...one, buyer: null, shipping: null }))
  t.strictSame(partial.body, { ...found.body, results })
  const few = await seller.get(`/orders/${order.id}?attributes=id,buyer`)
  t.strictSame([few.status, few.body], [206, { id: order.id, buyer: null }])
  const script = await seller.get(`/orders/${order.id}?callback=f`)
  t.match([script.status, script.text], [200, /^f\(\[206,/])
  const [recorded] = (await control(`GET /requests?fault=${id}&order=desc&limit=1`)).body.results
  t.match(recorded, { faults: [id], response: { status: 206 } })
  await control('DELETE /faults')
  t.strictSame((await seller.get(`/orders/${order.id}`)).body, whole.body)
})

t.test('limits the rate of each caller within a window', async (t) => {
  const rule = { id: 900, match: { path: '/currencies' }, action: { rate_limit: { limit: 2, window: 3600 } } }
  const { id } = await add(rule)
  const statuses = async (ask: () => Promise<{ status: number }>) => [
    (await ask()).status,
    (await ask()).status,
    (await ask()).status,
  ]
  const expected = [200, 200, 429]
  t.strictSame(await statuses(() => seller.get('/currencies')), expected)
  t.strictSame(await statuses(() => call('/currencies')), expected, 'callers without a token count by address')
  t.strictSame(await statuses(() => buyer.get('/currencies')), expected)
  const limited = await seller.get('/currencies')
  t.strictSame(limited.body, errorBody(429, 'too_many_requests', 'Too Many Requests'))
  t.ok(Number(limited.headers['retry-after']) > 3000 && Number(limited.headers['retry-after']) <= 3600)
  t.equal((await ruleOf(id)).applied, 4)
  await control(`DELETE /faults/${id}`)
  await add(rule)
  t.strictSame(
    await statuses(() => seller.get('/currencies')),
    expected,
    'a new rule with the same id starts counting from zero',
  )
  const world = await app.createWorld({ scenario: 'empty' })
  await add(rule, world)
  const callWorld = () => world.call('/currencies')
  t.strictSame(await statuses(callWorld), expected, 'another world counts separately')
  t.equal((await world.control('POST /reset')).status, 204)
  t.equal((await callWorld()).status, 200)
})

t.test('rules belong to one world; restore and reset revert them', async (t) => {
  const world = await app.createWorld({ scenario: 'empty' })
  const { control } = world
  const rule = await add({ action: { status: 500 }, times: 2, match: { path: '/currencies' } }, world)
  const status = async ({ call }: AnyWorld = world) => (await call('/currencies')).status
  t.equal(await status(), 500)
  t.equal(await status(app), 200, 'does not apply to the default world')
  await control('POST /snapshots', { name: 'one-left' })
  t.strictSame([await status(), await status()], [500, 200])
  await control('POST /snapshots/one-left/restore')
  t.strictSame((await control(`GET /faults/${rule.id}`)).body, { ...rule, matched: 1, applied: 1 })
  t.strictSame([await status(), await status()], [500, 200])
  const fork = await app.createWorld({ from: world.id })
  t.equal((await fork.control('GET /faults')).body.paging.total, 1, 'a fork copies the rules')
  await control('POST /reset')
  t.equal((await control('GET /faults')).body.paging.total, 0)
  t.equal(await status(), 200)
})

t.test('drops connections and delays over a socket, and releases the world', async (t) => {
  await server.listen({ port: 0 })
  const { port } = server.server.address() as { port: number }
  const before = app.world.refCount
  const open = (path: string, headers = '') => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', () => {})
    socket.write(`${path} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n`)
    return { socket, closed: once(socket, 'close').then(() => text) }
  }
  await add({ match: { path: '/currencies' }, action: { drop: true } })
  await add({ match: { path: '/items' }, action: { delay: 60_000 } })
  await control('DELETE /requests')
  t.equal(await open('GET /currencies').closed, '')
  t.equal(await open('GET /users/1', 'x-sandbox-fault: drop\r\n').closed, '')
  const waiting = open('GET /items')
  // The delay has begun once the rule has counted the call.
  const appliedCount = async () => (await control('GET /faults?offset=1')).body.results[0].applied
  await until('a call that is delayed', async () => (await appliedCount()) > 0)
  waiting.socket.destroy()
  await waiting.closed
  const recorded = async () => (await control('GET /requests')).body.results
  await until('three calls in the journal', async () => (await recorded()).length >= 3)
  t.strictSame(
    (await recorded()).map(({ path, response }: { path: string; response: { status: null } }) => [
      path,
      response.status,
    ]),
    [
      ['/currencies', null],
      ['/users/1', null],
      ['/items', null],
    ],
  )
  t.equal(app.world.refCount, before)
})

t.test('a path that neither the API nor a stub has is refused, if that is wanted', async (t) => {
  const rule = { match: { path: '/answr' }, action: { drop: true }, check_path: true }
  const refused = 'match.path: neither the API nor a stub has /answr; the nearest path is /answers'
  t.strictSame(await add(rule), badRequest(refused))
  t.match(await add({ ...rule, check_path: false }), { match: { path: '/answr' } })
  await control('POST /stubs', { match: { path: '/answr' }, answer: {} })
  t.match(await add(rule), { match: { path: '/answr' } })
  t.match(await add({ action: { drop: true }, check_path: true }), { match: {} })
  t.equal((await control('GET /faults')).body.paging.total, 3)
})

t.test('closes the server without waiting for delayed calls', async (t) => {
  const { id } = await add({ match: { path: '/currencies' }, action: { delay: 60_000 } })
  const delayedCall = call('/currencies')
  await until('a call that is delayed', async () => (await ruleOf(id)).applied > 0)
  await server.close()
  t.equal((await delayedCall).status, 200)
})
