import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import Sqlite from 'better-sqlite3'
import type { FastifyPluginAsync, RouteOptions } from 'fastify'
import t from 'tap'
import { EVENT_KINDS } from '../../control/events/kinds.ts'
import { controlConfig, viewable, viewableUnmasked } from '../../domains/shared/control_schemas.ts'
import document from '../../openapi.sandbox.json' with { type: 'json' }
import { type Answer, bearer, errorBody, start, valuesOf } from '../support/app.ts'
import { INVALID_TOKEN, NO_TOKEN } from '../support/questions.ts'

const ADMIN = 'the-admin-token'
const VIEWER = 'the-viewer-token'
/** Part of an address to which notifications are sent. */
const HOOK_SECRET = 'el-secreto-del-aviso'
const HOOK = `http://127.0.0.1:9/hook?${HOOK_SECRET}`
const routes: RouteOptions[] = []
const app = await start(t, {
  adminToken: ADMIN,
  viewerToken: VIEWER,
  startup: { node: '24', settings: [{ name: 'notify', value: HOOK, source: 'flag' }] },
  beforePlugins: (app) => app.addHook('onRoute', (route) => void routes.push(route)),
})
await app.openControlPlane()
const { server, worlds, call, application, seller, buyer } = app

const MAY_ONLY_READ = errorBody(
  403,
  'access_denied',
  'Authorization: the viewer token may only read; this call needs the admin token',
)

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'
const callAs = (token: string) => (method: Method, path: string, body?: unknown, headers?: Record<string, string>) =>
  call({
    method,
    url: `/_sandbox${path}`,
    headers: { ...bearer(token), ...headers },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  })
const asAdmin = callAs(ADMIN)
const asViewer = callAs(VIEWER)

/** Something for every list, and calls that carry every kind of secret where the journal shows it. */
async function fillWorld(): Promise<void> {
  const create = async (path: string, body: unknown, method: Method = 'POST') => {
    const answer = await asAdmin(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
    return answer.body
  }
  const made = await create('/tokens', { user_id: seller.id, token: 'un-token-elegido', refresh: true })
  await create('/applications', { redirect_uri: 'http://localhost/x', secret: 'un-secreto-elegido' })
  await create(`/applications/${application.id}/notifications`, { callback_url: HOOK }, 'PUT')
  await create('/faults', { match: { path: '/nothing' }, action: { status: 503 } })
  const answer = { body: { access_token: 'un-token-elegido', text: `Bearer ${seller.token}` } }
  await create('/stubs', { match: { path: '/stubbed' }, answer })
  await create('/snapshots', { name: 'uno' })
  await create('/run', { explain: 'en' }, 'PUT')
  await create('/loans', { item_id: 'MLA1400000001' })
  await asAdmin('POST', '/clock/advance', { by: 1000 }, { 'x-sandbox-snapshot': 'a' })
  await create('/shipments', { seller_id: seller.id })
  await buyer.post('/questions', { item_id: 'MLA1400000001', text: '¿Hay stock?' })
  await create('/settle', {})

  const refresh = (token: string, secret = application.secret) =>
    `grant_type=refresh_token&client_id=${application.id}&client_secret=${secret}&refresh_token=${token}`
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const token = { method: 'POST', url: '/oauth/token' } as const
  const refreshed = await call({ ...token, headers: form, payload: refresh(made.refresh_token) })
  if (refreshed.status !== 200) throw new Error(refreshed.text)
  await call(`/users/me?access_token=${seller.token}`)
  await call(`/users/me?access_token=un-token-elegido`)
  await call(`/users/me?access_token=${ADMIN}&token=${VIEWER}`)
  await call({ url: '/users/me', headers: bearer(ADMIN) })
  await call({ url: '/users/me', headers: { ...bearer(VIEWER), cookie: ADMIN, 'user-agent': buyer.token } })
  await call(`/questions/${seller.token}`)
  await buyer.post('/answers', { question_id: 1, text: `Mi token es ${buyer.token}` })
  await call({ ...token, payload: { client_secret: application.secret, code: ADMIN } })
  await call({ url: `/authorization?code=${ADMIN}&client_secret=${application.secret}` })
}
await fillWorld()

/** Every secret in the database of the default world, and those of the server. */
async function readSecrets(): Promise<string[]> {
  const file = join(tmpdir(), `mercadito-viewers-${process.pid}.sqlite`)
  await worlds.copy(1, file)
  const copy = new Sqlite(file, { readonly: true })
  try {
    const texts = copy
      .prepare<[], string>(
        `SELECT token FROM access_token UNION SELECT token FROM refresh_token UNION SELECT code FROM authorization_code
         UNION SELECT secret FROM application UNION SELECT password FROM user UNION SELECT key FROM world`,
      )
      .pluck()
      .all()
    return [...texts, ADMIN, VIEWER, HOOK_SECRET]
  } finally {
    copy.close()
    rmSync(file)
  }
}
const secrets = await readSecrets()
/** Any of them: to search each of the hundreds takes most of the time of this file. */
const secretPattern = () =>
  new RegExp(
    secrets
      .map((secret) => secret.replace(/[^\w-]/g, '\\$&'))
      .sort((a, b) => b.length - a.length)
      .join('|'),
    'g',
  )
const leaksOf = (text: string) => text.match(secretPattern()) ?? []

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; example?: unknown }[]
  responses: Record<string, { content?: Record<string, unknown> }>
}
const operations = Object.entries(document.paths as unknown as Record<string, Record<string, Operation>>)
  .filter(([path]) => path.startsWith('/_sandbox/'))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase() as Method,
      path: path.replace(/^\/_sandbox/, ''),
      ...operation,
    })),
  )
const isStream = ({ responses }: Operation) => 'text/event-stream' in (responses[200]?.content ?? {})

/** The addresses of calls whose ids are in no list of their own, that need one of two parameters, or have attempts. */
const ADDRESSES: Record<string, string> = {
  '/contacts/series': '/contacts/series?item_id=MLA1400000001',
  '/deliveries/{id}': '/deliveries/1',
  '/flex/items/{id}': '/flex/items/MLA1400000001',
  '/diff/{table}': '/diff/access_token',
}

/** The path of an operation with ids of its lists, and examples of the parameters that it needs. */
async function addressOf({ path, parameters = [] }: (typeof operations)[0]): Promise<string> {
  let address = ADDRESSES[path] ?? path
  for (let match = /^([^{]*)\/\{(\w+)\}/.exec(address); match; match = /^([^{]*)\/\{(\w+)\}/.exec(address)) {
    const [, list, name] = match as unknown as [string, string, string]
    const [first] = (await asAdmin('GET', `${list}?limit=1`)).body.results
    address = address.replace(`{${name}}`, first[name])
  }
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  const query = required.map(({ name, example }): [string, string] => [name, String(example)])
  return query.length === 0 ? address : `${address}?${new URLSearchParams(query)}`
}

/** An answer without the times at which it was made. */
const textOf = ({ text }: Answer) =>
  text.replace(/"used_at":"[^"]*"/g, '"used_at":"now"').replace(/"uptime_s":\d+/, '"uptime_s":0')
/** The same with `***` for every secret. */
const masked = (answer: Answer) => textOf(answer).replace(secretPattern(), '***')

t.test('reads all that the admin reads, and no secret of the world', async (t) => {
  const withSecrets = new Set<string>()
  const rejected: string[] = []
  for (const operation of operations.filter((one) => one.method === 'GET' && !isStream(one))) {
    const address = await addressOf(operation)
    const expected = await asAdmin('GET', address)
    t.equal(expected.status, 200, address)
    const seen = await asViewer('GET', address)
    t.strictSame(leaksOf(seen.text), [], address)
    if (seen.status === 403) rejected.push(operation.path)
    else t.equal(textOf(seen), address === '/whoami' ? '{"role":"viewer"}' : masked(expected))
    if (leaksOf(expected.text).length > 0) withSecrets.add(operation.path)
  }
  t.strictSame(rejected, ['/world', '/recording'])
  t.strictSame([...withSecrets].sort(), [
    '/applications',
    '/applications/{id}',
    '/applications/{id}/notifications',
    '/deliveries/{id}',
    '/notifications',
    '/server',
    '/stubs',
    '/stubs/{id}',
    '/tokens',
    '/users',
    '/users/{id}',
    '/world',
    '/worlds/{id}',
  ])
})

t.test('reads other worlds without secrets', async (t) => {
  const { body: created } = await asAdmin('POST', '/worlds', { scenario: 'empty' })
  const { body: seen } = await call({ url: `/w/${created.world.id}/_sandbox/applications`, headers: bearer(VIEWER) })
  t.strictSame(valuesOf(seen.results, 'secret'), ['***'])
  await asAdmin('DELETE', `/worlds/${created.world.id}`)
})

t.test('gets 403 for every call that changes or exports something', async (t) => {
  const version = app.world.version()
  const accepted: string[] = []
  for (const { method, path } of operations.filter(({ method }) => method !== 'GET')) {
    const { status, body } = await asViewer(method, path.replaceAll(/\{\w+\}/g, '1'), {})
    if (status === 403) t.strictSame(body, MAY_ONLY_READ)
    else accepted.push(`${method} ${path}`)
  }
  t.strictSame(accepted, ['POST /verify'])
  t.strictSame((await asViewer('GET', '/world')).body, MAY_ONLY_READ)
  t.equal(app.world.version(), version)
  t.strictSame(worlds.ids(), [1])
  t.ok(operations.length > 60)
})

/** Reads that are not viewable: pages of the console need no token, and world files have secrets, recordings all users. */
const HIDDEN = ['/_sandbox', '/_sandbox/console', '/_sandbox/console/:file', '/_sandbox/recording', '/_sandbox/world']

t.test('only declared routes are viewable; they change nothing and name what they answer', async (t) => {
  const viewable = routes.filter(({ config }) => config?.isViewable)
  t.strictSame(
    viewable.filter(({ method }) => method !== 'GET').map(({ method, url }) => `${method} ${url}`),
    ['POST /_sandbox/verify'],
  )
  t.notOk(viewable.some(({ config }) => config?.access !== 'control'))
  const hidden = routes.filter(
    ({ method, url, config }) => method === 'GET' && url.startsWith('/_sandbox') && !config?.isViewable,
  )
  t.strictSame(hidden.map(({ url }) => url).sort(), HIDDEN, 'reads that a viewer may not make, or that need no token')
  const unmasked = viewable.filter(({ schema }) => {
    const responses = schema?.response as { 200: { type?: string } }
    return responses[200].type !== 'object'
  })
  t.strictSame(
    valuesOf(unmasked, 'url'),
    ['/metrics', '/_sandbox/openapi.json', '/_sandbox/events', '/_sandbox/world.schema.json'],
    'texts and streams, which response schemas cannot mask',
  )
})

t.test('a route for viewers whose answers cannot be masked is rejected when the control plane opens', async (t) => {
  const startWith = async (schema: object, config: object) => {
    const route: FastifyPluginAsync = async (app) => {
      app.get('/notes', { config: config as never, schema }, () => 'el-secreto')
    }
    const app = await start(t, {
      adminToken: ADMIN,
      viewerToken: VIEWER,
      arrangeControlPlugins: (plugins) => [...plugins, [route, {}]],
    })
    await app.openControlPlane()
    return app
  }
  const config = controlConfig('Notes', 'Notes')
  const message = 'GET /_sandbox/notes: viewers may read only objects that have a schema, or what declares isUnmasked'
  for (const schema of [
    {},
    { response: { 200: Type.String() } },
    { response: { 200: Type.Unknown() } },
    { response: { 200: { content: { 'text/plain': { schema: Type.String() } } } } },
    { response: { '2xx': Type.Object({}), 201: Type.String() } },
  ])
    await t.rejects(startWith(schema, viewable(config)), { message })
  const { call } = await startWith({}, viewableUnmasked(config))
  t.equal((await call({ url: '/_sandbox/notes', headers: bearer(VIEWER) })).text, 'el-secreto')
  const { call: hidden } = await startWith({}, config)
  t.equal((await hidden({ url: '/_sandbox/notes', headers: bearer(VIEWER) })).status, 403)
})

t.test('masks secrets of other services', async (t) => {
  const messageOf = (secret: string, bearer: string) => ({
    authorization: bearer,
    'X-Api-Key': secret,
    api_key: secret,
    password: secret,
    list: [{ access_token: secret, refresh_token: secret, client_secret: secret }],
    text: 'hola',
  })
  const [sent, masked] = [messageOf('ajeno', 'Bearer ajeno'), messageOf('***', '***')]
  const text = JSON.stringify(sent)
  const headers = { 'x-api-key': 'ajeno', 'set-cookie': 'sesion=ajeno', 'x-a': 'b' }
  const stub = { match: { method: 'POST', path: '/echo' }, answer: { body: sent, headers } }
  const { body: added } = await asAdmin('POST', '/stubs', stub)
  const matching = (await asAdmin('POST', '/stubs', { match: { path: '/login', body: sent }, answer: {} })).body
  await call({ method: 'POST', url: '/echo?api_key=ajeno&x-api-key=ajeno', payload: text })
  await call({ method: 'POST', url: '/echo', payload: text.slice(0, -9) })
  await call({ method: 'POST', url: '/echo', payload: 'text=hola&api_key=ajeno&Authorization=ajeno' })
  const part = '--b\r\nContent-Disposition: form-data; name="x-api-key"\r\n\r\najeno\r\n--b--\r\n'
  await call({ method: 'POST', url: '/echo', payload: part })
  const { results } = (await asViewer('GET', '/requests?path=/echo')).body
  t.strictSame(valuesOf(results, 'query', 'body'), [
    [{ api_key: '***', 'x-api-key': '***' }, JSON.stringify(masked)],
    [{}, JSON.stringify(masked).slice(0, -9)],
    [{}, 'text=hola&api_key=***&Authorization=***'],
    [{}, part.replace('ajeno', '***')],
  ])
  for (const { response } of results) t.strictSame(JSON.parse(response.body), masked)
  const maskedHeaders = { 'x-api-key': '***', 'set-cookie': '***', 'x-a': 'b' }
  const stubs = (await asAdmin('GET', '/stubs')).body.results.slice(-2)
  t.strictSame(valuesOf(stubs, 'match', 'answer'), valuesOf([added, matching], 'match', 'answer'), 'admins see them')
  const seen = [
    { ...stubs[0], answer: { status: 200, headers: maskedHeaders, body: masked } },
    { ...stubs[1], match: { path: '/login', body: masked } },
  ]
  for (const one of seen) t.strictSame((await asViewer('GET', `/stubs/${one.id}`)).body, one)
  t.strictSame((await asViewer('GET', '/stubs')).body.results.slice(-2), seen)
})

t.test('verifies calls, and learns no secret by it', async (t) => {
  const verify = (expected: object) => asViewer('POST', '/verify', expected)
  const { status, text } = await verify({ path: '/oauth/token', at_least: 1 })
  t.equal(status, 200)
  t.strictSame(leaksOf(text), [])
  t.equal((await verify({ path: '/users/me', query: { access_token: seller.token } })).status, 409)
  t.equal((await verify({ path: '/users/me', query: { access_token: '***' } })).status, 200)
})

t.test('finds no delivery by a secret of its address', async (t) => {
  const found = async (q: string) => (await asViewer('GET', `/deliveries?q=${q}`)).body.paging.total
  t.ok((await found('127.0.0.1:9/hook')) > 0)
  t.strictSame(await Promise.all([HOOK_SECRET, HOOK_SECRET.slice(0, 4)].map(found)), [0, 0])
})

t.test('streams events without secrets', async (t) => {
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as { port: number }
  const path = `/_sandbox/events?last_event_id=0&kinds=${EVENT_KINDS}`
  const open = request({ port, path, headers: bearer(VIEWER) }).end()
  const [response] = await once(open, 'response')
  t.equal(response.statusCode, 200)
  await call(`/users/me?access_token=${seller.token}`)
  await asAdmin('POST', '/tokens', { user_id: seller.id, token: 'otro-token-elegido' })
  secrets.push('otro-token-elegido')
  for (const token of ['otro-token-elegido', buyer.token])
    t.equal((await asAdmin('PATCH', `/tokens/${token}`, { expires_in: 60 })).status, 200)
  t.equal((await asAdmin('POST', '/deliveries/1/resend')).status, 200)
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk
    if (text.includes('event: attempt')) break
  }
  for (const kind of ['fact', 'request', 'control']) t.match(text, `event: ${kind}`)
  t.strictSame(leaksOf(text), [])
})

t.test('whoami names the role', async (t) => {
  const local = await start(t, { scenario: 'empty' })
  t.strictSame((await local.control('GET /whoami')).body, { role: 'local' })
  t.strictSame((await asAdmin('GET', '/whoami')).body, { role: 'admin' })
  t.strictSame((await asViewer('GET', '/whoami')).body, { role: 'viewer' })
  t.strictSame((await callAs('another')('GET', '/whoami')).body, INVALID_TOKEN)
  t.strictSame((await call('/_sandbox/whoami')).body, NO_TOKEN)
  t.strictSame(
    (await asViewer('GET', '/whoami', undefined, { origin: 'http://example.com' })).body,
    errorBody(403, 'access_denied', 'Origin: pages of other sites may not control this server'),
  )
})

t.test('unknown paths and methods are answered as for the admin', async (t) => {
  for (const [method, path] of [
    ['GET', '/nothing'],
    ['POST', '/nothing'],
    ['DELETE', '/clock'],
    ['OPTIONS', '/clock'],
    ['HEAD', '/clock'],
    ['HEAD', '/world'],
  ] as const) {
    const seen = await asViewer(method, path)
    t.strictSame(seen.body, (await asAdmin(method, path)).body)
    t.ok([404, 405].includes(seen.status))
  }
  t.equal((await call({ url: '/metrics', headers: bearer(VIEWER) })).status, 200)
})

t.test('is no token of the emulated API', async (t) => {
  t.strictSame((await call({ url: '/users/me', headers: bearer(VIEWER) })).body, INVALID_TOKEN)
})
