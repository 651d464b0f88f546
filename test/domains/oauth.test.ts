import { createHash } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import t from 'tap'
import { NOW, start } from '../support/app.ts'

const { world, sellers, buyers, application, call, control } = await start(t, { scenario: 'quiet' })
const [seller] = sellers as [(typeof sellers)[0]]

const app = {
  client_id: String(application.id),
  client_secret: application.secret,
  redirect_uri: application.redirect_uri,
}
const form = (fields: Record<string, string>): InjectOptions => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  payload: new URLSearchParams(fields).toString(),
})
const exchange = (fields: Record<string, string>) => call({ method: 'POST', url: '/oauth/token', ...form(fields) })
const authorization = { response_type: 'code', client_id: app.client_id, redirect_uri: app.redirect_uri }

/** Follows the browser flow: picks a user and takes the code from the redirect. */
async function requestCode(user: number, more: Record<string, string> = {}): Promise<string> {
  const answer = await call({
    method: 'POST',
    url: '/authorization',
    ...form({ ...authorization, ...more, user_id: String(user) }),
  })
  return new URL(String(answer.headers.location)).searchParams.get('code')!
}
const exchangeCode = (code: string, more: Record<string, string> = {}) =>
  exchange({ grant_type: 'authorization_code', ...app, code, ...more })
const refresh = (refresh_token: string, more: Record<string, string> = {}) =>
  exchange({
    grant_type: 'refresh_token',
    client_id: app.client_id,
    client_secret: app.client_secret,
    refresh_token,
    ...more,
  })

const errorBody = (error: string, message: string) => ({
  message,
  error,
  status: 400,
  cause: [],
  error_description: message,
})
const invalidGrant = errorBody(
  'invalid_grant',
  'Error validating grant. Your authorization code or refresh token may be expired or it was already used',
)
const invalidClient = errorBody('invalid_client', 'invalid client_id or client_secret')

t.test('grants tokens to the application through the authorization page', async (t) => {
  const page = await call(
    `/authorization?${new URLSearchParams({ ...authorization, state: '"><script>alert(1)</script>' })}`,
  )
  t.equal(page.status, 200)
  t.equal(page.headers['content-type'], 'text/html; charset=utf-8')
  t.match(page.headers['content-security-policy'], /default-src 'none'/)
  const [, script] = page.text.split('<script>').map((part) => part.split('</script>')[0])
  t.equal(page.text.match(/<script/g)?.length, 1, 'its own')
  const hash = createHash('sha256').update(script!).digest('base64')
  t.strictSame(String(page.headers['content-security-policy']).split('; '), [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    "style-src 'self' 'unsafe-inline'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ])
  t.match(page.text, `value="${seller.id}"`)
  t.match(page.text, 'value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')

  t.match(page.text, '<html lang="en">')
  t.match(page.text, '<span data-text="asks">asks for access</span>')
  for (const [header, asks, seller] of [
    ['es-AR,es;q=0.9', 'pide acceso', 'vendedor'],
    ['pt', 'pede acesso', 'vendedor'],
    ['fr', 'asks for access', 'seller'],
  ]) {
    const url = `/authorization?${new URLSearchParams(authorization)}`
    const { text, headers } = await call({ url, headers: { 'accept-language': header } })
    t.match(text, `<span data-text="asks">${asks}</span>`)
    t.match(text, `<span data-text="seller">${seller}</span>`)
    t.match(headers.vary, /accept-language/)
  }

  const authorized = await call({
    method: 'POST',
    url: '/authorization',
    ...form({ ...authorization, state: 'a b&c', user_id: String(seller.id) }),
  })
  t.equal(authorized.status, 302)
  const redirect = new URL(String(authorized.headers.location))
  t.equal(redirect.origin + redirect.pathname, application.redirect_uri)
  t.equal(redirect.searchParams.get('state'), 'a b&c')
  const code = redirect.searchParams.get('code')!
  t.match(code, new RegExp(`^TG-00000001[0-9a-f]{16}-${seller.id}$`))

  const tokens = await exchangeCode(code)
  t.equal(tokens.status, 200)
  t.strictSame(Object.keys(tokens.body), [
    'access_token',
    'token_type',
    'expires_in',
    'scope',
    'user_id',
    'refresh_token',
  ])
  t.match(tokens.body, {
    access_token: new RegExp(`^APP_USR-${application.id}-030715-00000001[0-9a-f]{24}-${seller.id}$`),
    token_type: 'Bearer',
    expires_in: 21600,
    scope: 'offline_access read write',
    user_id: seller.id,
    refresh_token: new RegExp(`^TG-00000001[0-9a-f]{16}-${seller.id}$`),
  })
  const me = await call({ url: '/users/me', headers: { authorization: `Bearer ${tokens.body.access_token}` } })
  t.equal(me.body.id, seller.id)
  t.strictSame((await exchangeCode(code)).body, invalidGrant, 'a code works once')
})

t.test('reads parameters from a form, JSON, multipart or the query', async (t) => {
  const fields = async () => ({ grant_type: 'authorization_code', ...app, code: await requestCode(seller.id) })
  const url = '/oauth/token'
  const method = 'POST'
  const boundary = 'x----y'
  const parts = Object.entries(await fields()).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const requests: Record<string, InjectOptions> = {
    json: {
      method,
      url,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ ...(await fields()), client_id: application.id }),
    },
    'JSON as a form': { method, url, ...form({}), payload: JSON.stringify(await fields()) },
    'a form as JSON': {
      method,
      url,
      headers: { 'content-type': 'application/json' },
      payload: new URLSearchParams(await fields()).toString(),
    },
    'a form of no type': { method, url, payload: new URLSearchParams(await fields()).toString() },
    query: { method, url: `${url}?${new URLSearchParams(await fields())}` },
    multipart: {
      method,
      url,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      payload: `${parts.join('')}--${boundary}--\r\n`,
    },
  }
  for (const [name, options] of Object.entries(requests)) t.equal((await call(options)).status, 200, name)
  const broken = await call({
    method,
    url,
    headers: { 'content-type': 'multipart/form-data; boundary=z' },
    payload: 'nonsense',
  })
  t.strictSame(broken.body, errorBody('invalid_request', 'grant_type is required'))
})

t.test('names the missing or invalid parameter, and checks the client before the code', async (t) => {
  const grant_type = 'authorization_code'
  const code = 'TG-0000000100000000ffffffff-1'
  const rows: [name: string, fields: Record<string, string>, body: object][] = [
    ['nothing', {}, errorBody('invalid_request', 'grant_type is required')],
    [
      'client_credentials',
      { ...app, grant_type: 'client_credentials' },
      errorBody('unsupported_grant_type', 'invalid grant_type: client_credentials'),
    ],
    [
      'a member of Object',
      { ...app, grant_type: 'constructor' },
      errorBody('unsupported_grant_type', 'invalid grant_type: constructor'),
    ],
    [
      'no client_id',
      { ...app, grant_type, code, client_id: '' },
      errorBody('invalid_request', 'client_id is required'),
    ],
    [
      'no client_secret',
      { ...app, grant_type, code, client_secret: '' },
      errorBody('invalid_request', 'client_secret is required'),
    ],
    ['no code', { ...app, grant_type }, errorBody('invalid_request', 'code is required')],
    [
      'no redirect_uri',
      { ...app, grant_type, code, redirect_uri: '' },
      errorBody('invalid_request', 'redirect_uri is required'),
    ],
    [
      'no refresh_token',
      { ...app, grant_type: 'refresh_token' },
      errorBody('invalid_request', 'refresh_token is required'),
    ],
    ['another client', { ...app, grant_type, code, client_id: '1' }, invalidClient],
    ['a client_id that is not a number', { ...app, grant_type, code, client_id: 'x' }, invalidClient],
    ['a wrong secret', { ...app, grant_type, code, client_secret: 'x' }, invalidClient],
    ['an unknown code', { ...app, grant_type, code }, invalidGrant],
    ['an unknown refresh token', { ...app, grant_type: 'refresh_token', refresh_token: code }, invalidGrant],
  ]
  for (const [name, fields, body] of rows) {
    const answer = await exchange(fields)
    t.equal(answer.status, 400, name)
    t.strictSame(answer.body, body, name)
    t.equal(JSON.stringify(answer.body), JSON.stringify(body), `${name}: order of members`)
  }
  const other = await exchangeCode(await requestCode(seller.id), { redirect_uri: 'https://evil.example.com/' })
  t.strictSame(other.body, errorBody('invalid_grant', 'The redirect_uri does not match the original'))
})

t.test('requires the verifier of a code challenge', async (t) => {
  const verifier = 'a-verifier-of-43-characters-0123456789abcdefg'
  const S256 = {
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  for (const challenge of [
    S256,
    { code_challenge: verifier, code_challenge_method: 'plain' },
    { code_challenge: verifier },
  ]) {
    const code = await requestCode(seller.id, challenge)
    t.strictSame((await exchangeCode(code)).body, errorBody('invalid_request', 'code_verifier is required'))
    const wrong = await exchangeCode(code, { code_verifier: `${verifier}x` })
    t.strictSame(wrong.body, errorBody('invalid_grant', 'code_verifier does not match the code_challenge'))
    t.equal((await exchangeCode(code, { code_verifier: verifier })).status, 200)
  }
})

t.test('remembers that a user has let the application act for them', async (t) => {
  const { id } = (await call({ method: 'POST', url: '/users/test_user', payload: '{"site_id":"MLA"}' })).body
  const grants = async (): Promise<{ user_id: number }[]> => JSON.parse((await control('GET /world')).text).grants
  const before = await grants()
  await requestCode(id)
  const after = await grants()
  t.equal(after.length, before.length + 1)
  t.ok(after.some(({ user_id }) => user_id === id))
})

t.test('exchanges a refresh token once for the next', async (t) => {
  const first = (await exchangeCode(await requestCode(seller.id))).body
  const { id, secret } = (await control('POST /applications', { redirect_uri: app.redirect_uri })).body
  const other = { client_id: String(id), client_secret: secret }
  t.strictSame((await refresh(first.refresh_token, other)).body, invalidGrant, 'that of another application')
  t.strictSame((await exchangeCode(await requestCode(seller.id), other)).body, invalidGrant, 'a code of another one')
  const second = await refresh(first.refresh_token)
  t.equal(second.status, 200)
  t.not(second.body.access_token, first.access_token)
  t.strictSame((await refresh(first.refresh_token)).body, invalidGrant)
  const both = await Promise.all([refresh(second.body.refresh_token), refresh(second.body.refresh_token)])
  t.strictSame(both.map(({ status }) => status).sort(), [200, 400], 'one of two concurrent exchanges succeeds')
})

t.test('expires codes and tokens by the world’s clock', async (t) => {
  const setClock = (ms: number) => {
    world.clock.applySetting({ mode: 'frozen', ms: NOW + ms })
  }
  const HOUR = 3_600_000
  const [usedCode, unusedCode] = [await requestCode(seller.id), await requestCode(seller.id)]
  setClock(HOUR / 6 - 1)
  const { access_token } = (await exchangeCode(usedCode)).body
  setClock(HOUR / 6)
  t.strictSame((await exchangeCode(unusedCode)).body, invalidGrant, 'a code expires after ten minutes')
  const invalidToken = { message: 'invalid_token', error: 'not_found', status: 401, cause: [] }
  const me = () => call({ url: '/users/me', headers: { authorization: `Bearer ${access_token}` } })
  setClock(HOUR / 6 - 1 + 6 * HOUR - 1)
  t.equal((await me()).status, 200)
  setClock(HOUR / 6 - 1 + 6 * HOUR)
  t.strictSame((await me()).body, invalidToken, 'an access token expires after six hours')
  t.equal((await seller.get('/users/me')).status, 200, 'tokens of the scenario do not expire')
  setClock(0)
})

t.test('a refresh token lives six calendar months by the world’s clock [spec: oauth.lifetimes]', async (t) => {
  const setClock = (ms: number) => world.clock.applySetting({ mode: 'frozen', ms })
  const issueAt = async (ms: number): Promise<string> => {
    setClock(ms)
    return (await exchangeCode(await requestCode(seller.id))).body.refresh_token
  }
  const cases: [name: string, from: number, until: number][] = [
    ['184 days', Date.UTC(2026, 2, 7, 15), Date.UTC(2026, 8, 7, 15)],
    ['181 days', Date.UTC(2026, 10, 7, 15), Date.UTC(2027, 4, 7, 15)],
    ['the last day of a shorter month', Date.UTC(2026, 7, 31, 15), Date.UTC(2027, 1, 28, 15)],
  ]
  for (const [name, from, until] of cases) {
    const [used, expired] = [await issueAt(from), await issueAt(from)]
    setClock(from + 90 * 24 * 3_600_000)
    t.equal((await seller.get('/users/me')).status, 200, 'the grant needs a call')
    setClock(until - 1)
    t.equal((await refresh(used)).status, 200, name)
    setClock(until)
    t.strictSame((await refresh(expired)).body, invalidGrant, name)
  }
  setClock(NOW)
})

t.test('an application can demand PKCE [spec: oauth.use_pkce]', async (t) => {
  const own = (await control('POST /applications', { redirect_uri: app.redirect_uri })).body
  const client = { client_id: String(own.id), client_secret: own.secret }
  const early = await requestCode(seller.id, client)
  t.equal((await control(`PATCH /applications/${own.id}`, { use_pkce: true })).body.use_pkce, true)
  t.strictSame((await exchangeCode(early, client)).body, invalidGrant, 'a code of before has no challenge')
  const page = { ...authorization, client_id: client.client_id }
  const required = errorBody('invalid_request', 'code_challenge is required')
  for (const code_challenge of [{}, { code_challenge: '' }]) {
    t.strictSame((await call(`/authorization?${new URLSearchParams({ ...page, ...code_challenge })}`)).body, required)
    const fields = { ...page, ...code_challenge, user_id: String(seller.id) }
    t.strictSame((await call({ method: 'POST', url: '/authorization', ...form(fields) })).body, required)
  }
  t.equal((await call(`/authorization?${new URLSearchParams({ ...page, code_challenge: 'abc' })}`)).status, 200)
  const code = await requestCode(seller.id, { ...client, code_challenge: 'abc' })
  t.equal((await exchangeCode(code, { ...client, code_verifier: 'abc' })).status, 200)
  await control(`PATCH /applications/${own.id}`, { use_pkce: false })
  t.equal((await exchangeCode(await requestCode(seller.id, client), client)).status, 200)
})

t.test('an operator cannot authorize an application [spec: oauth.operator]', async (t) => {
  const { id, token } = (await control('POST /users', { site_id: 'MLA' })).body
  t.equal((await control(`PATCH /users/${id}`, { operator: true })).body.operator, true)
  const fields = form({ ...authorization, user_id: String(id) })
  const refused = await call({ method: 'POST', url: '/authorization', ...fields })
  t.strictSame(
    [refused.status, refused.body, refused.headers.location],
    [
      400,
      errorBody(
        'invalid_operator_user_id',
        'The user is an operator. The owner of the account must authorize the application',
      ),
      undefined,
    ],
  )
  t.equal((await call({ url: '/users/me', headers: { authorization: `Bearer ${token}` } })).status, 200)
  await control(`PATCH /users/${id}`, { operator: false })
  t.equal((await call({ method: 'POST', url: '/authorization', ...fields })).status, 302)
})

t.test('a blocked application is refused everywhere [spec: oauth.blocked]', async (t) => {
  const own = (await control('POST /applications', { redirect_uri: app.redirect_uri })).body
  const client = { client_id: String(own.id), client_secret: own.secret }
  const tokens = (await exchangeCode(await requestCode(seller.id, client), client)).body
  const code = await requestCode(seller.id, client)
  const body = { message: 'unauthorized_scopes', error: 'unauthorized_scopes', status: 401, cause: [] }
  const oauth = { ...body, error_description: 'unauthorized_scopes' }
  const page = { ...authorization, client_id: client.client_id }
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  const as = (url: string, method: 'GET' | 'POST' = 'GET') => call({ method, url, headers })
  t.equal((await as('/users/me')).status, 200)
  t.equal((await control(`PATCH /applications/${own.id}`, { blocked: true })).body.blocked, true)
  for (const [answer, expected] of [
    [await as('/users/me'), body],
    [await as('/items/MLA1400000001'), body],
    [await as('/questions', 'POST'), body],
    [await as(`/vis/loans/search?seller_id=${seller.id}`), body],
    [
      await as(`/users/${seller.id}/contacts/questions?date_from=2026-01-01&date_to=2026-02-01`),
      { code: 'unauthorized_scopes', message: 'unauthorized_scopes' },
    ],
    [await refresh(tokens.refresh_token, client), oauth],
    [await exchangeCode(code, client), oauth],
    [await call(`/authorization?${new URLSearchParams(page)}`), oauth],
    [await call({ method: 'POST', url: '/authorization', ...form({ ...page, user_id: String(seller.id) }) }), oauth],
  ] as const) {
    t.equal(answer.status, 401)
    t.strictSame(answer.body, expected)
  }
  t.equal((await refresh(tokens.refresh_token, { ...client, client_secret: 'x' })).body.error, 'invalid_client')
  t.equal((await seller.get('/users/me')).status, 200, 'another application of the user')
  const refused = (await control('GET /requests?limit=20&order=desc&path=/questions')).body.results[0]
  const why = (await control(`GET /requests/${refused.id}/explain`)).body
  t.strictSame([why.check, why.rule.id, why.no_fix.reason], ['token', 'oauth.blocked', 'none_found'])
  t.match(why.text, `The token is valid, but its application ${own.id} is blocked.`)
  await control(`PATCH /applications/${own.id}`, { blocked: false })
  t.equal((await as('/users/me')).status, 200)
  t.equal((await refresh(tokens.refresh_token, client)).status, 200, 'the token was not used up')
})

t.test('a grant dies four months after its last call [spec: oauth.dead_grant, oauth.last_call]', async (t) => {
  const own = (await control('POST /applications', { redirect_uri: app.redirect_uri })).body
  const client = { client_id: String(own.id), client_secret: own.secret }
  const setClock = (ms: number) => world.clock.applySetting({ mode: 'frozen', ms })
  const lastCall = async () => {
    const { applications, grants } = JSON.parse((await control('GET /world')).text)
    const n = applications.findIndex(({ number }: { number: number }) => number === own.id % 1e9)
    return grants.find(({ application }: { application: number }) => application === n)?.last_call
  }
  const authorize = async () => (await exchangeCode(await requestCode(seller.id, client), client)).body
  const { token } = (await control('POST /tokens', { user_id: seller.id, application_id: own.id })).body
  const me = async () => (await call({ url: '/users/me', headers: { authorization: `Bearer ${token}` } })).status
  const DAY = 24 * 3_600_000
  const first = await authorize()
  t.equal(await lastCall(), new Date(NOW).toISOString(), 'an authorization counts')
  setClock(NOW + DAY - 1)
  const before = world.version()
  t.equal(await me(), 200)
  t.equal(world.version(), before, 'a call within a day is no write')
  const second = await refresh(first.refresh_token, client)
  t.equal(await lastCall(), new Date(NOW).toISOString(), 'an exchange does not count')
  setClock(NOW + DAY)
  t.strictSame(await Promise.all([me(), me(), me()]), [200, 200, 200])
  t.equal(await lastCall(), new Date(NOW + DAY).toISOString())
  const [alive, dead] = [Date.UTC(2026, 6, 8, 15) - 1, Date.UTC(2026, 6, 8, 15)]
  setClock(alive)
  const third = await refresh(second.body.refresh_token, client)
  t.equal(third.status, 200)
  setClock(dead)
  t.strictSame((await refresh(third.body.refresh_token, client)).body, invalidGrant)
  t.equal(await me(), 200, 'a token that does not expire still works')
  t.strictSame((await refresh(third.body.refresh_token, client)).body, invalidGrant, 'no call revives a grant')
  const refused = (await control('GET /requests?limit=1&order=desc&path=/oauth/token')).body.results[0]
  const why = (await control(`GET /requests/${refused.id}/explain`)).body
  t.strictSame([why.check, why.rule.id], ['live_grant', 'oauth.dead_grant'])
  setClock(alive)
  const fourth = await refresh(third.body.refresh_token, client)
  t.equal(fourth.status, 200, 'alive again when the clock moves back: the token was not used up')
  setClock(dead)
  await authorize()
  t.equal((await refresh(fourth.body.refresh_token, client)).status, 200, 'a new authorization revives it')
  setClock(NOW)
})

t.test('another password ends the grants of a user [spec: oauth.password]', async (t) => {
  const { id, token, password } = (await control('POST /users', { site_id: 'MLA' })).body
  const tokens = (await exchangeCode(await requestCode(id))).body
  const code = await requestCode(id)
  const me = (token: string) => call({ url: '/users/me', headers: { authorization: `Bearer ${token}` } })
  t.equal((await control(`PATCH /users/${id}`, { password })).status, 200)
  t.equal((await me(token)).status, 200, 'the same password changes nothing')
  t.equal((await control(`PATCH /users/${id}`, { password: 'otra' })).body.token, null)
  const invalidToken = { message: 'invalid_token', error: 'not_found', status: 401, cause: [] }
  for (const dead of [token, tokens.access_token]) t.strictSame((await me(dead)).body, invalidToken)
  const explain = async () => {
    const last = (await control('GET /requests?limit=1&order=desc')).body.results[0]
    return (await control(`GET /requests/${last.id}/explain`)).body
  }
  t.match(
    (await explain()).text,
    'The token was revoked: by a control call, or because its user has changed the password.',
  )
  t.strictSame((await refresh(tokens.refresh_token)).body, invalidGrant)
  const why = await explain()
  t.strictSame([why.check, why.rule.id], ['live_grant', 'oauth.dead_grant'])
  t.strictSame((await exchangeCode(code)).body, invalidGrant)
  const again = (await exchangeCode(await requestCode(id))).body
  t.equal((await me(again.access_token)).status, 200)
  t.equal((await refresh(again.refresh_token)).status, 200)
  t.strictSame((await refresh(tokens.refresh_token)).body, invalidGrant, 'those of before stay dead')
})

t.test('the page answers errors without a redirect', async (t) => {
  const rows: [fields: Record<string, string>, message: string][] = [
    [{ response_type: '' }, 'response_type is required'],
    [{ client_id: '' }, 'client_id is required'],
    [{ redirect_uri: '' }, 'redirect_uri is required'],
    [{ response_type: 'token' }, 'response_type: must be code'],
    [{ client_id: '5' }, 'client_id: must be an application of this world'],
    [{ client_id: '99999999999999999999' }, 'client_id: must be an application of this world'],
    [{ redirect_uri: 'https://evil.example.com' }, 'redirect_uri: must be the address that the application has'],
    [{ code_challenge: 'x', code_challenge_method: 'S512' }, 'code_challenge_method: must be S256 or plain'],
  ]
  for (const [fields, message] of rows) {
    const query = new URLSearchParams({ ...authorization, ...fields })
    t.strictSame((await call(`/authorization?${query}`)).body, errorBody('invalid_request', message))
    t.strictSame(
      (await call({ method: 'POST', url: '/authorization', ...form({ ...authorization, ...fields, user_id: '1' }) }))
        .status,
      400,
    )
  }
  for (const [user_id, message] of [
    ['', 'user_id is required'],
    ['1', 'user_id: must be a user of this world'],
    ['x', 'user_id: must be a user of this world'],
  ] as const) {
    const answer = await call({ method: 'POST', url: '/authorization', ...form({ ...authorization, user_id }) })
    t.strictSame(answer.body, errorBody('invalid_request', message))
  }
})

t.test('the default application returns to any loopback address [spec: oauth.loopback]', async (t) => {
  const ask = async (redirect_uri: string, more: object = {}) =>
    call({
      method: 'POST',
      url: '/authorization',
      ...form({ ...authorization, user_id: `${seller.id}`, redirect_uri, ...more }),
    })
  const refused = errorBody('invalid_request', 'redirect_uri: must be the address that the application has')
  const loopback = [
    'http://127.0.0.1:8123/oauth/done?from=here',
    'https://localhost/',
    'http://[::1]:1/',
    'http://127.9.9.9:5/x',
  ]
  for (const redirect_uri of loopback) {
    const { status, headers } = await ask(redirect_uri)
    t.equal(status, 302, redirect_uri)
    const location = new URL(String(headers.location))
    const code = location.searchParams.get('code')!
    location.searchParams.delete('code')
    t.equal(location.href, new URL(redirect_uri).href)
    if (redirect_uri !== loopback[0]) continue
    t.strictSame((await exchangeCode(code)).body.message, 'The redirect_uri does not match the original')
    t.equal((await exchangeCode(await requestCode(seller.id, { redirect_uri }), { redirect_uri })).status, 200)
  }
  const others = [
    'http://127.0.0.1.evil.example/',
    'http://localhost@evil.example/',
    'http://10.0.0.1/',
    'http://localhost/#a',
  ]
  for (const other of [
    ...others,
    'http://localhost\\@evil.example/',
    'ftp://localhost/',
    'localhost',
    'http://0.0.0.0/',
  ])
    t.strictSame((await ask(other)).body, refused, other)

  const own = (await control('POST /applications', { redirect_uri: 'http://localhost:3001/callback' })).body
  t.strictSame((await ask(loopback[0]!, { client_id: String(own.id) })).body, refused, 'another application')
  await control('PATCH /assumptions/oauth.loopback', { value: 'exact' })
  t.strictSame((await ask(loopback[0]!)).body, refused)
  t.equal((await ask(app.redirect_uri)).status, 302)
  await control('PATCH /assumptions/oauth.loopback', { value: 'any' })
})

t.test('each token identifies its user', async (t) => {
  for (const person of [...sellers, ...buyers]) {
    t.match(person.token, new RegExp(`^APP_USR-${application.id}-\\d{6}-00000001[0-9a-f]{24}-${person.id}$`))
    t.equal((await person.get('/users/me')).body.nickname, person.nickname)
  }
})
