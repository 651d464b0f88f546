import t from 'tap'
import { start } from '../support/app.ts'

const { call, control, sellers } = await start(t)
const errorBody = (status: number, error: string, message: string) => ({ message, error, status, cause: [] })

// The whole answers are among the recorded ones.

t.test('reads each site of the list [spec: sites.list, sites.read]', async (t) => {
  const { body } = await call('/sites')
  t.equal(body.length, 19)
  for (const site of body) t.strictSame((await call(`/sites/${site.id}`)).body, site)
})

t.test('answers 404 for ids that are none [spec: sites.not_found]', async (t) => {
  const rows: [path: string, name: string, ids: string[]][] = [
    ['/currencies', 'Currency', ['XXX', 'ars', '__proto__']],
    ['/sites', 'Site', ['MXX', 'mla', '__proto__']],
    ['/items', 'Item', ['MLA1', 'no-id', 'mla1400000001', 'MLA', `MLA${'1'.repeat(200)}`]],
    ['/users', 'User', ['1', 'a1', '-1', '1.5', '9007199254740993']],
  ]
  for (const [path, name, ids] of rows)
    for (const id of ids) {
      const { body } = await call(`${path}/${id}`)
      t.strictSame(body, errorBody(404, 'not_found', `${name} with id ${id} not found`), `${path}/${id}`)
    }
})

t.test('takes a word in the place of an id for an unknown path [spec: http.path.word]', async (t) => {
  const unknown = errorBody(404, 'resource not found', 'Resource not found.')
  for (const path of [
    '/items/likes',
    '/items/likes/',
    '/users/abc',
    '/users/items_visits?ids=1',
    '/questions/counts',
  ]) {
    t.strictSame((await call(path)).body, unknown, path)
    t.strictSame((await sellers[0]!.get(path)).body, unknown, `${path}, with a token`)
    const invalid = { url: path, headers: { authorization: 'Bearer APP_USR-x' } }
    t.strictSame((await call(invalid)).body, unknown, `${path}, with an invalid token`)
  }
  for (const method of ['OPTIONS', 'PUT', 'PATCH'] as const)
    t.strictSame((await call({ method, url: '/items/likes', payload: '{}' })).body, unknown, method)
  for (const [call405, allow] of [
    [{ method: 'GET', url: '/users/test_user' }, 'OPTIONS, POST'],
    [{ method: 'DELETE', url: '/questions/search' }, 'GET, HEAD, OPTIONS'],
  ] as const) {
    const { status, headers, body } = await call(call405)
    const refused = errorBody(405, 'method_not_allowed', `Method not allowed. Allowed: ${allow}`)
    t.strictSame([status, headers.allow, body], [405, allow, refused], 'another path, without this method')
  }
  const answer = { status: 200, body: { MLA1: 3 } }
  const { id } = (await control('POST /stubs', { match: { path: '/items/likes' }, answer })).body
  t.strictSame((await call('/items/likes?ids=MLA1')).body, { MLA1: 3 }, 'a stub answers it')
  await control(`DELETE /stubs/${id}`)
})

t.test('reads several listings, by GET or PUT', async (t) => {
  const [one, two] = ['MLA1400000001', 'MLA1400000002']
  const first = (await call(`/items/${one}`)).body
  const missing = { code: 404, body: errorBody(404, 'not_found', 'Item with id MLA9 not found') }
  for (const method of ['GET', 'PUT'] as const) {
    const many = await call({ method, url: `/items?ids=${two},MLA9,${one}` })
    t.equal(many.status, 200)
    t.equal(many.body[0].body.id, two, 'in the order of ids')
    t.strictSame(many.body[1], missing)
    t.strictSame(many.body[2], { code: 200, body: first })
    t.strictSame((await call({ method, url: `/items?ids=${two}&ids=MLA9&ids=${one}` })).body, many.body)
    t.strictSame((await call({ method, url: `/items?ids=${two}%2CMLA9%2C${one}` })).body, many.body)
    const status = await call({
      method,
      url: `/items?ids=${one},MLA9&attributes=status`,
      ...(method === 'PUT' && { payload: 'null' }),
    })
    t.equal(
      JSON.stringify(status.body),
      JSON.stringify([{ code: 200, body: { status: 'active' }, status: 'active' }, missing]),
    )
    t.strictSame((await call({ method, url: `/items?ids=${one}&attributes=id` })).body, [
      { code: 200, body: { id: one } },
    ])
  }
  const twenty = Array(20).fill(one).join(',')
  t.equal((await call(`/items?ids=${twenty}`)).body.length, 20)
  const bad = errorBody(400, 'bad_request', 'ids: must be 1 to 20 listing identifiers separated by commas')
  for (const url of [`/items?ids=${twenty},${one}`, '/items?ids=', '/items?ids=,'])
    t.strictSame((await call(url)).body, bad, url)
  t.strictSame(
    (await call('/items')).body,
    errorBody(400, 'bad_request', 'ids: is required, must be 1 to 20 listing identifiers separated by commas'),
  )
})

t.test('creates a test user and rejects invalid bodies', async (t) => {
  const post = (payload: string) => call({ method: 'POST', url: '/users/test_user', payload })
  const created = await post('{"site_id":"MLB"}')
  t.equal(created.status, 201)
  t.strictSame(Object.keys(created.body), ['id', 'nickname', 'password', 'site_status', 'email'])
  const { results } = (await control(`GET /users?q=${created.body.nickname}`)).body
  t.equal(created.body.email, results[0].email)
  t.equal(created.body.site_status, 'active')
  t.match((await call(`/users/${created.body.id}`)).body, {
    nickname: created.body.nickname,
    site_id: 'MLB',
    country_id: 'BR',
  })
  t.not((await post('{"site_id":"MLV"}')).body.id, created.body.id)
  const rows: [payload: string, message: string][] = [
    ['{"site_id":"XXX"}', 'Invalid siteId'],
    ['{"site_id":"mla"}', 'Invalid siteId'],
    ['{"site_id":""}', 'Invalid siteId'],
    ['{"site_id":null}', 'site_id: must be the id of a site'],
    ['{}', 'site_id: is required, must be the id of a site'],
    ['[]', 'body: must be a JSON object with site_id'],
    ['null', 'body: must be a JSON object with site_id'],
    ['{', 'body: must be JSON'],
    ['', 'body: must be JSON'],
  ]
  for (const [payload, message] of rows)
    t.strictSame((await post(payload)).body, errorBody(400, 'bad_request', message), payload)
})

t.test('answers an invalid token as in 2023 where a world says so [spec: http.token.invalid]', async (t) => {
  const headers = { authorization: 'Bearer nonsense' }
  const paths = ['/users/me', '/items/MLA1400000001', '/users/1/contacts/questions', '/questions/search?callback=show']
  const bodies = async () => Promise.all(paths.map(async (url) => (await call({ url, headers })).text))
  const before = await bodies()
  t.equal(before[0], JSON.stringify(errorBody(401, 'not_found', 'invalid_token')))
  await control('PATCH /assumptions/auth.invalid_token', { value: '2023' })
  const body = '{"code":"unauthorized","message":"invalid access token"}'
  t.strictSame((await bodies()).slice(0, 3), [body, body, body])
  t.match((await bodies())[3], `,${body}])`)
  t.equal((await call({ url: '/users/me', headers })).status, 401)
  t.strictSame((await call('/users/me')).body, errorBody(401, 'unauthorized', 'authorization value not present'))
  await control('PATCH /assumptions/auth.invalid_token', { value: '2014' })
  t.strictSame(await bodies(), before)
})
