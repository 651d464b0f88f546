import { createHash } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import t from 'tap'
import { NOW, start } from '../support/app.ts'

const { world, sellers, buyers, application, call, faults } = await start(t)
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
const asked = { response_type: 'code', client_id: app.client_id, redirect_uri: app.redirect_uri }

/** Goes the way of a person: picks a user, and takes the code from the redirect. */
async function codeFor(user: number, more: Record<string, string> = {}): Promise<string> {
  const answer = await call({
    method: 'POST',
    url: '/authorization',
    ...form({ ...asked, ...more, user_id: String(user) }),
  })
  return new URL(String(answer.headers.location)).searchParams.get('code')!
}
const withCode = (code: string, more: Record<string, string> = {}) =>
  exchange({ grant_type: 'authorization_code', ...app, code, ...more })
const refresh = (refresh_token: string, more: Record<string, string> = {}) =>
  exchange({
    grant_type: 'refresh_token',
    client_id: app.client_id,
    client_secret: app.client_secret,
    refresh_token,
    ...more,
  })

const refused = (error: string, message: string) => ({
  message,
  error,
  status: 400,
  cause: [],
  error_description: message,
})
const dead = refused(
  'invalid_grant',
  'Error validating grant. Your authorization code or refresh token may be expired or it was already used',
)
const noClient = refused('invalid_client', 'invalid client_id or client_secret')

t.test('a person lets the application in, and it gets its tokens', async (t) => {
  const page = await call(`/authorization?${new URLSearchParams({ ...asked, state: '"><script>alert(1)</script>' })}`)
  t.equal(page.status, 200)
  t.equal(page.headers['content-type'], 'text/html; charset=utf-8')
  t.match(page.headers['content-security-policy'], /default-src 'none'/)
  t.notMatch(page.text, '<script')
  t.match(page.text, `value="${seller.id}"`)
  t.match(page.text, 'value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')

  const picked = await call({
    method: 'POST',
    url: '/authorization',
    ...form({ ...asked, state: 'a b&c', user_id: String(seller.id) }),
  })
  t.equal(picked.status, 302)
  const back = new URL(String(picked.headers.location))
  t.equal(back.origin + back.pathname, application.redirect_uri)
  t.equal(back.searchParams.get('state'), 'a b&c')
  const code = back.searchParams.get('code')!
  t.match(code, new RegExp(`^TG-00000001[0-9a-f]{16}-${seller.id}$`))

  const tokens = await withCode(code)
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
  t.strictSame((await withCode(code)).body, dead, 'a code works once')
})

t.test('parameters come as form, JSON, multipart or query', async (t) => {
  const fields = async () => ({ grant_type: 'authorization_code', ...app, code: await codeFor(seller.id) })
  const url = '/oauth/token'
  const method = 'POST'
  const boundary = 'x----y'
  const parts = Object.entries(await fields()).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const ways: Record<string, InjectOptions> = {
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
  for (const [way, options] of Object.entries(ways)) t.equal((await call(options)).status, 200, way)
  const broken = await call({
    method,
    url,
    headers: { 'content-type': 'multipart/form-data; boundary=z' },
    payload: 'nonsense',
  })
  t.strictSame(broken.body, refused('invalid_request', 'grant_type is required'))
})

t.test('what is missing or wrong is named, the client before the code', async (t) => {
  const grant_type = 'authorization_code'
  const code = 'TG-0000000100000000ffffffff-1'
  const rows: [name: string, fields: Record<string, string>, body: object][] = [
    ['nothing', {}, refused('invalid_request', 'grant_type is required')],
    [
      'client_credentials',
      { ...app, grant_type: 'client_credentials' },
      refused('unsupported_grant_type', 'invalid grant_type: client_credentials'),
    ],
    [
      'a name of Object',
      { ...app, grant_type: 'constructor' },
      refused('unsupported_grant_type', 'invalid grant_type: constructor'),
    ],
    ['no client_id', { ...app, grant_type, code, client_id: '' }, refused('invalid_request', 'client_id is required')],
    [
      'no client_secret',
      { ...app, grant_type, code, client_secret: '' },
      refused('invalid_request', 'client_secret is required'),
    ],
    ['no code', { ...app, grant_type }, refused('invalid_request', 'code is required')],
    [
      'no redirect_uri',
      { ...app, grant_type, code, redirect_uri: '' },
      refused('invalid_request', 'redirect_uri is required'),
    ],
    [
      'no refresh_token',
      { ...app, grant_type: 'refresh_token' },
      refused('invalid_request', 'refresh_token is required'),
    ],
    ['another client', { ...app, grant_type, code, client_id: '1' }, noClient],
    ['no number', { ...app, grant_type, code, client_id: 'x' }, noClient],
    ['a wrong secret', { ...app, grant_type, code, client_secret: 'x' }, noClient],
    ['a dead code', { ...app, grant_type, code }, dead],
    ['a dead refresh token', { ...app, grant_type: 'refresh_token', refresh_token: code }, dead],
  ]
  for (const [name, fields, body] of rows) {
    const answer = await exchange(fields)
    t.equal(answer.status, 400, name)
    t.strictSame(answer.body, body, name)
    t.equal(JSON.stringify(answer.body), JSON.stringify(body), `${name}: order of members`)
  }
  const other = await withCode(await codeFor(seller.id), { redirect_uri: 'https://evil.example.com/' })
  t.strictSame(other.body, refused('invalid_grant', 'The redirect_uri does not match the original'))
})

t.test('a code asked for with a challenge wants its verifier', async (t) => {
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
    const code = await codeFor(seller.id, challenge)
    t.strictSame((await withCode(code)).body, refused('invalid_request', 'code_verifier is required'))
    const wrong = await withCode(code, { code_verifier: `${verifier}x` })
    t.strictSame(wrong.body, refused('invalid_grant', 'code_verifier does not match the code_challenge'))
    t.equal((await withCode(code, { code_verifier: verifier })).status, 200)
  }
})

t.test('a refresh token works once and brings the next', async (t) => {
  const first = (await withCode(await codeFor(seller.id))).body
  const second = await refresh(first.refresh_token)
  t.equal(second.status, 200)
  t.not(second.body.access_token, first.access_token)
  t.strictSame((await refresh(first.refresh_token)).body, dead)
  const both = await Promise.all([refresh(second.body.refresh_token), refresh(second.body.refresh_token)])
  t.strictSame(both.map(({ status }) => status).sort(), [200, 400], 'of two at once one gets it')
})

t.test('everything lives by the clock of the world', async (t) => {
  const at = (ms: number) => {
    world.clock.applySetting({ mode: 'frozen', ms: NOW + ms })
  }
  const HOUR = 3_600_000
  const [kept, late] = [await codeFor(seller.id), await codeFor(seller.id)]
  at(HOUR / 6 - 1)
  const { access_token, refresh_token } = (await withCode(kept)).body
  at(HOUR / 6)
  t.strictSame((await withCode(late)).body, dead, 'a code lives ten minutes')
  const call401 = { message: 'invalid_token', error: 'not_found', status: 401, cause: [] }
  const me = () => call({ url: '/users/me', headers: { authorization: `Bearer ${access_token}` } })
  at(HOUR / 6 - 1 + 6 * HOUR - 1)
  t.equal((await me()).status, 200)
  at(HOUR / 6 - 1 + 6 * HOUR)
  t.strictSame((await me()).body, call401, 'an access token six hours')
  t.equal((await seller.get('/users/me')).status, 200, 'those of the scenario do not expire')
  at(181 * 24 * HOUR)
  t.strictSame((await refresh(refresh_token)).body, dead, 'a refresh token six months')
  at(0)
})

t.test('the page refuses what it cannot answer, and never redirects there', async (t) => {
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
    const query = new URLSearchParams({ ...asked, ...fields })
    t.strictSame((await call(`/authorization?${query}`)).body, refused('invalid_request', message))
    t.strictSame(
      (await call({ method: 'POST', url: '/authorization', ...form({ ...asked, ...fields, user_id: '1' }) })).status,
      400,
    )
  }
  for (const [user_id, message] of [
    ['', 'user_id is required'],
    ['1', 'user_id: must be a user of this world'],
    ['x', 'user_id: must be a user of this world'],
  ] as const) {
    const answer = await call({ method: 'POST', url: '/authorization', ...form({ ...asked, user_id }) })
    t.strictSame(answer.body, refused('invalid_request', message))
  }
})

t.test('a token says for whom it is', async (t) => {
  for (const person of [...sellers, ...buyers]) {
    t.match(person.token, new RegExp(`^APP_USR-${application.id}-\\d{6}-00000001[0-9a-f]{24}-${person.id}$`))
    t.equal((await person.get('/users/me')).body.nickname, person.nickname)
  }
  t.strictSame(faults, [])
})
