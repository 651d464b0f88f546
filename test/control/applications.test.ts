import t from 'tap'
import { badRequest, bearer, errorBody, notFound, start } from '../support/app.ts'

const app = await start(t)
const { control, call, application, seller, buyer } = app

const me = (token: string, base = '') => call({ url: `${base}/users/me?attributes=id`, headers: bearer(token) })
const invalidToken = errorBody(401, 'not_found', 'invalid_token')
const exchange = (parameters: object, base = '') =>
  call({ method: 'POST', url: `${base}/oauth/token`, payload: JSON.stringify(parameters) })

/** A token without an end, as lists have it beside its text. */
const plainToken = (user_id: number) => ({ application_id: application.id, user_id, expires_at: null, valid: true })

const CALLBACK = 'https://tienda.example.com/vuelta?de=ml'
/** What an application has unless it is said. */
const plain = { use_pkce: false, blocked: false }

t.test('creates, reads and lists an application', async (t) => {
  const { status, body } = await control('POST /applications', { redirect_uri: CALLBACK })
  t.equal(status, 201)
  const { secret, ...rest } = body
  t.strictSame(rest, { id: application.id + 1, name: 'Aplicación de prueba', redirect_uri: CALLBACK, ...plain })
  t.match(secret, /^[0-9a-f]{32}$/)
  t.not(secret, application.secret)
  t.strictSame((await control(`GET /applications/${body.id}`)).body, body)
  t.strictSame((await control('GET /applications')).body, {
    paging: { total: 2, limit: 50, offset: 0 },
    results: [
      {
        ...{ id: application.id, secret: application.secret },
        ...{ name: 'mercadito', redirect_uri: application.redirect_uri, ...plain },
      },
      body,
    ],
  })
  t.strictSame((await control('GET /applications?limit=1&offset=1')).body.results, [body])
})

t.test('creates an application with a chosen id and secret and runs OAuth with it', async (t) => {
  const own = { id: 5503910054141466, secret: 'mi-secreto', name: '<Mi app>', redirect_uri: CALLBACK }
  t.strictSame((await control('POST /applications', own)).body, { ...own, ...plain })
  const exists = errorBody(409, 'conflict', 'id: application 5503910054141466 exists already')
  t.strictSame((await control('POST /applications', own)).body, exists)
  const query = `response_type=code&client_id=5503910054141466&redirect_uri=${encodeURIComponent(CALLBACK)}`
  t.match(
    (await call(`/authorization?${query}`)).text,
    '<h1>&lt;Mi app&gt; <span data-text="asks">asks for access</span></h1>',
  )
  const authorized = await call({ method: 'POST', url: `/authorization?${query}&user_id=${buyer.id}` })
  const redirect = new URL(String(authorized.headers.location))
  t.equal(redirect.searchParams.get('de'), 'ml')
  const { body } = await exchange({
    grant_type: 'authorization_code',
    client_id: own.id,
    client_secret: own.secret,
    redirect_uri: CALLBACK,
    code: redirect.searchParams.get('code'),
  })
  t.equal(body.user_id, buyer.id)
  t.match(body.access_token, /^APP_USR-5503910054141466-/)

  const changed = { ...own, secret: 'otro', name: 'Otra', redirect_uri: 'http://localhost:3000/' }
  t.strictSame((await control('PATCH /applications/5503910054141466', {})).body, { ...own, ...plain })
  const { id: _, ...changes } = changed
  t.strictSame((await control('PATCH /applications/5503910054141466', changes)).body, { ...changed, ...plain })
  const refresh = { grant_type: 'refresh_token', client_id: own.id, refresh_token: body.refresh_token }
  t.equal((await exchange({ ...refresh, client_secret: own.secret })).body.error, 'invalid_client')
  t.equal((await exchange({ ...refresh, client_secret: 'otro' })).status, 200)

  t.equal((await control('POST /applications', { id: 3, redirect_uri: CALLBACK })).status, 201)
  t.equal((await control('GET /worlds/1')).body.application.id, application.id, 'the first one stays the default')
  t.equal((await control('POST /tokens', { user_id: buyer.id })).body.application_id, application.id)
})

t.test('rejects invalid applications', async (t) => {
  const url = 'redirect_uri: must be an absolute http or https URL without a fragment, at most 2048 characters'
  const rows: [member: object, message: string][] = [
    ...['/vuelta', 'javascript:alert(1)', 'https://a.example/#', 'https://', 'https://a.example\\@b:x/'].map(
      (redirect_uri): [object, string] => [{ redirect_uri }, url],
    ),
  ]
  for (const [member, message] of rows) {
    const rejected = badRequest(message)
    t.strictSame((await control('POST /applications', { redirect_uri: CALLBACK, ...member })).body, rejected)
    t.strictSame((await control(`PATCH /applications/${application.id}`, member)).body, rejected)
  }
  for (const id of ['5', 'x', '9007199254740992']) {
    const missing = notFound(`Application with id ${id} not found`)
    t.strictSame((await control(`GET /applications/${id}`)).body, missing)
    t.strictSame((await control(`PATCH /applications/${id}`, { name: 'A' })).body, missing)
  }
  t.equal((await control('GET /applications')).body.paging.total, 4)
})

t.test('issues a token for any user', async (t) => {
  const { status, body } = await control('POST /tokens', { user_id: seller.id })
  t.equal(status, 201)
  t.match(body.token, new RegExp(`^APP_USR-${application.id}-030715-00000001[0-9a-f]{24}-${seller.id}$`))
  const { token, ...rest } = body
  t.strictSame(rest, { ...plainToken(seller.id), refresh_token: null })
  t.strictSame((await me(token)).body, { id: seller.id })
})

t.test('accepts a chosen token text in the header, in the query and under the world’s base path', async (t) => {
  const { status, body } = await control('POST /tokens', { user_id: seller.id, token: 'TOKEN-DE-PRUEBA' })
  t.equal(status, 201)
  t.strictSame(body, { token: 'TOKEN-DE-PRUEBA', ...plainToken(seller.id), refresh_token: null })
  t.strictSame((await me('TOKEN-DE-PRUEBA')).body, { id: seller.id })
  t.strictSame((await me('TOKEN-DE-PRUEBA', '/w/1')).body, { id: seller.id })
  t.strictSame((await call('/users/me?access_token=TOKEN-DE-PRUEBA&attributes=id')).body, { id: seller.id })
  const repeated = await control('POST /tokens', { user_id: buyer.id, token: 'TOKEN-DE-PRUEBA' })
  t.strictSame(repeated.body, errorBody(409, 'conflict', 'token: exists already'))
  t.strictSame((await me('TOKEN-DE-PRUEBA')).body, { id: seller.id }, 'the token still belongs to its first user')

  t.equal((await control('POST /worlds', { scenario: 'empty' })).body.world.id, 2)
  t.strictSame((await me('TOKEN-DE-PRUEBA', '/w/2')).body, invalidToken)
  t.equal((await control('POST /tokens', { user_id: buyer.id, token: 'TOKEN-DE-PRUEBA' }, '/w/2')).status, 201)
  t.strictSame((await me('TOKEN-DE-PRUEBA', '/w/2')).body, { id: buyer.id })
  t.strictSame((await me('TOKEN-DE-PRUEBA')).body, { id: seller.id })

  for (const unusual of [
    '!',
    '~'.repeat(200),
    'a/b?c=d&e#f%2F;"<>\\',
    `APP_USR-1-999999-00000001${'0'.repeat(24)}-5`,
  ]) {
    t.equal((await control('POST /tokens', { user_id: buyer.id, token: unusual })).status, 201)
    t.strictSame((await me(unusual)).body, { id: buyer.id }, unusual)
    t.strictSame((await call(`/users/me?attributes=id&access_token=${encodeURIComponent(unusual)}`)).body, {
      id: buyer.id,
    })
    const address = `/tokens/${encodeURIComponent(unusual)}`
    t.equal((await control(`PATCH ${address}`, { expires_in: 5 })).body.token, unusual)
    t.equal((await control(`DELETE ${address}`)).status, 204)
    t.strictSame((await me(unusual)).body, invalidToken)
  }
})

t.test('expires a token by the world’s clock', async (t) => {
  const { body } = await control('POST /tokens', { user_id: seller.id, token: 'CORTO', expires_in: 60 })
  t.strictSame([body.expires_at, body.valid], ['2026-03-07T15:01:00.000Z', true])
  const listed = async () =>
    (await control(`GET /tokens?user_id=${seller.id}`)).body.results.find(
      ({ token }: { token: string }) => token === 'CORTO',
    )
  const { refresh_token: _, ...token } = body
  t.strictSame(await listed(), token)
  await control('POST /clock/advance', { by: 'PT59S' })
  t.strictSame((await me('CORTO')).body, { id: seller.id })
  await control('POST /clock/advance', { by: 'PT1S' })
  t.strictSame((await me('CORTO')).body, invalidToken)
  t.strictSame(await listed(), { ...token, valid: false })

  for (const [expires_in, expires_at, valid] of [
    [3600, '2026-03-07T16:01:00.000Z', true],
    [0, '2026-03-07T15:01:00.000Z', false],
    [null, null, true],
  ] as const) {
    t.strictSame((await control('PATCH /tokens/CORTO', { expires_in })).body, { ...token, expires_at, valid })
    t.strictSame((await me('CORTO')).body, valid ? { id: seller.id } : invalidToken)
  }
  t.equal((await control('DELETE /tokens/CORTO')).status, 204)
  t.strictSame((await me('CORTO')).body, invalidToken)
  const missing = notFound('Token not found')
  t.strictSame((await control('DELETE /tokens/CORTO')).body, missing)
  t.strictSame((await control('PATCH /tokens/CORTO', { expires_in: 1 })).body, missing)
  const expired = (await control('POST /tokens', { user_id: seller.id, expires_in: 0 })).body
  t.equal(expired.valid, false)
  t.strictSame((await me(expired.token)).body, invalidToken)
  await control('POST /clock/advance', { by: '-PT1M' })
  t.strictSame((await me(expired.token)).body, { id: seller.id }, 'valid again after the clock moves back')
})

t.test('issues a refresh token together with a token', async (t) => {
  const own = (await control('POST /applications', { redirect_uri: CALLBACK })).body
  const { body } = await control('POST /tokens', {
    user_id: buyer.id,
    application_id: own.id,
    expires_in: 0,
    refresh: true,
  })
  t.strictSame([body.application_id, body.valid], [own.id, false])
  t.match(body.refresh_token, /^TG-00000001[0-9a-f]{16}-\d+$/)
  const refreshGrant = {
    grant_type: 'refresh_token',
    client_id: own.id,
    client_secret: own.secret,
    refresh_token: body.refresh_token,
  }
  const { status, body: refreshed } = await exchange(refreshGrant)
  t.equal(status, 200)
  t.strictSame((await me(refreshed.access_token)).body, { id: buyer.id })
  t.equal((await exchange(refreshGrant)).body.error, 'invalid_grant', 'a refresh token works once')
})

t.test('lists tokens in the order of creation', async (t) => {
  const all = (await control('GET /tokens?limit=1000')).body
  t.equal(all.paging.total, all.results.length)
  const expected = [seller, buyer].map(({ id, token }) => ({ token, ...plainToken(id) }))
  t.strictSame(all.results.slice(0, 2), expected)
  const buyerTokens = all.results.filter(({ user_id }: { user_id: number }) => user_id === buyer.id)
  t.strictSame((await control(`GET /tokens?user_id=${buyer.id}&limit=2&offset=1`)).body, {
    paging: { total: buyerTokens.length, limit: 2, offset: 1 },
    results: buyerTokens.slice(1, 3),
  })
  t.strictSame((await control('GET /tokens?user_id=5')).body, {
    paging: { total: 0, limit: 50, offset: 0 },
    results: [],
  })
  t.equal((await control('GET /tokens?user_id=x')).body.message, 'user_id: must be an integer')
})

t.test('rejects invalid tokens', async (t) => {
  const before = (await control('GET /tokens?limit=0')).body
  const text = 'token: must be 1 to 200 visible ASCII characters, and not . or ..'
  const foreign = 'token: contains the number of another world'
  const rows: [member: object, message: string][] = [
    ...['', ' ', 'a b', 'ñ', 'a\n', '\u007f', '.', '..', 'a'.repeat(201), 7].map((token): [object, string] => [
      { token },
      text,
    ]),
    [{ token: `APP_USR-1-010100-00000002${'0'.repeat(24)}-5` }, foreign],
    [{ token: `APP_USR-1-010100-ffffffff${'0'.repeat(24)}-5` }, foreign],
    [{ token: `TG-00000002${'0'.repeat(16)}-5` }, foreign],
  ]
  for (const [member, message] of rows)
    t.strictSame(
      (await control('POST /tokens', { user_id: buyer.id, ...member })).body,
      badRequest(message),
      JSON.stringify(member),
    )
  const noUser = notFound('User with id 5 not found')
  t.strictSame((await control('POST /tokens', { user_id: 5 })).body, noUser)
  const noApplication = notFound('Application with id 5 not found')
  t.strictSame((await control('POST /tokens', { user_id: buyer.id, application_id: 5 })).body, noApplication)
  t.strictSame((await control('GET /tokens?limit=0')).body, before, 'no token was created')
})

t.test('a fork keeps chosen tokens and applications and reissues those with the world number', async (t) => {
  const chosen = `TG-00000001${'a'.repeat(16)}-5`
  for (const token of ['ELEGIDO', chosen]) await control('POST /tokens', { user_id: seller.id, token })
  // The id that the fork's own application would get.
  const squatter = {
    ...{ id: 3 * 1e9 + (application.id % 1e9), secret: 's', name: 'n', redirect_uri: CALLBACK },
    ...{ use_pkce: true, blocked: true },
  }
  t.equal((await control('POST /applications', squatter)).status, 201)
  const { world, application: own } = (await control('POST /worlds', { from: 1 })).body
  t.equal(world.id, 3)
  t.equal(Math.floor(own.id / 1e9), 3)
  t.not(own.id, squatter.id)
  t.strictSame((await me('ELEGIDO', '/w/3')).body, { id: seller.id })
  t.strictSame((await me(chosen, '/w/3')).body, invalidToken)
  t.equal((await control('GET /applications/5503910054141466', undefined, '/w/3')).body.secret, 'otro')
  t.strictSame((await control(`GET /applications/${squatter.id}`, undefined, '/w/3')).body, squatter)
  const elsewhere = await control('POST /applications', { ...squatter, id: 3 * 1e9 + 5 })
  t.strictSame(elsewhere.body, badRequest('id: contains the number of another world'))
  t.equal((await control('POST /applications', { ...squatter, id: 3 * 1e9 + 5 }, '/w/3')).status, 201)
  const created = (await control('POST /tokens', { user_id: seller.id }, '/w/3')).body
  t.equal(created.application_id, own.id)
  t.strictSame((await me(created.token)).body, { id: seller.id })
})
