import t from 'tap'
import { start } from '../support/app.ts'

// GET /applications/:id and DELETE /users/:user_id/applications/:id [spec: oauth.application, oauth.revoke].

const { application, sellers, call, control } = await start(t, { scenario: 'quiet' })
const [seller, other] = sellers as [(typeof sellers)[0], (typeof sellers)[0]]
const errorBody = (status: number, error: string, message: string) => ({ message, error, status, cause: [] })
const FOREIGN = errorBody(403, 'access_denied', 'access to the requested resource is forbidden')
const NO_TOKEN = errorBody(401, 'unauthorized', 'authorization value not present')
const notFound = (id: unknown) => errorBody(404, 'not_found', `Application with id ${id} not found`)

t.test('reads the application of the token', async (t) => {
  const url = `/applications/${application.id}`
  const own = {
    id: application.id,
    site_id: 'MLA',
    thumbnail: null,
    url: null,
    sandbox_mode: true,
    active: true,
    name: 'mercadito',
    description: 'mercadito',
    callback_url: application.redirect_uri,
    scopes: ['offline_access', 'read', 'write'],
    max_requests_per_hour: 18_000,
    notifications_callback_url: null,
    notifications_topics: [],
  }
  t.equal((await seller.get(url)).text, JSON.stringify(own))
  t.equal((await other.get(url)).body.site_id, 'MLB', 'that of the caller')
  const setting = { callback_url: 'http://127.0.0.1:9/hook', topics: ['questions', 'items'] }
  await control(`PUT ${url}/notifications`, setting)
  const { notifications_callback_url, notifications_topics } = (await seller.get(url)).body
  t.strictSame(
    [notifications_callback_url, notifications_topics.sort()],
    [setting.callback_url, ['items', 'questions']],
  )
  await control(`DELETE ${url}/notifications`)
  t.strictSame((await call(url)).body, NO_TOKEN)
  const { id } = (await control('POST /applications', { redirect_uri: 'http://localhost/' })).body
  t.strictSame((await seller.get(`/applications/${id}`)).body, FOREIGN)
  for (const unknown of ['1', '-1', 'A1'])
    t.strictSame((await seller.get(`/applications/${unknown}`)).body, notFound(unknown))
})

t.test('a user revokes the grant to an application, with all that it holds', async (t) => {
  const user = (await control('POST /users', { site_id: 'MLA' })).body
  const form = (fields: Record<string, unknown>) => ({
    method: 'POST' as const,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields as Record<string, string>).toString(),
  })
  const client = { client_id: application.id, client_secret: application.secret }
  const { redirect_uri } = application
  const pick = { response_type: 'code', client_id: application.id, redirect_uri, user_id: user.id }
  const codeOf = async () =>
    new URL(String((await call({ url: '/authorization', ...form(pick) })).headers.location)).searchParams.get('code')
  const exchange = async (fields: object) =>
    (await call({ url: '/oauth/token', ...form({ ...client, redirect_uri, ...fields }) })).body
  const granted = await exchange({ grant_type: 'authorization_code', code: await codeOf() })
  const open = await codeOf()
  const headers = { authorization: `Bearer ${granted.access_token}` }
  const url = `/users/${user.id}/applications/${application.id}`
  const revoke = (url: string) => call({ method: 'DELETE', url, headers })
  t.strictSame((await call({ method: 'DELETE', url })).body, NO_TOKEN)
  t.strictSame((await revoke(`/users/${seller.id}/applications/${application.id}`)).body, FOREIGN)
  t.strictSame((await revoke('/users/1/applications/1')).body, errorBody(404, 'not_found', 'User with id 1 not found'))
  t.strictSame((await revoke(`/users/${user.id}/applications/1`)).body, notFound(1))
  const answer = await revoke(url)
  t.strictSame(
    [answer.status, answer.text],
    [200, JSON.stringify({ user_id: user.id, app_id: application.id, msg: 'Autorización eliminada' })],
  )
  t.strictSame((await revoke(url)).body, errorBody(401, 'not_found', 'invalid_token'), 'its access token has ended')
  for (const dead of [
    { grant_type: 'refresh_token', refresh_token: granted.refresh_token },
    { grant_type: 'authorization_code', code: open },
  ])
    t.equal((await exchange(dead)).error, 'invalid_grant', dead.grant_type)
  const { grants } = JSON.parse((await control('GET /world')).text)
  t.notOk(grants.some(({ user_id }: { user_id: number }) => user_id === user.id))
  t.equal((await seller.get('/users/me')).status, 200, 'other users keep theirs')
})
