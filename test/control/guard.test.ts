import t from 'tap'
import { errorBody, start } from '../support/app.ts'

const HOST = 'Host: must be a name of this machine, such as localhost'
const ORIGIN = 'Origin: pages of other sites may not control this server'
const SITE = 'Sec-Fetch-Site: pages of other sites may not control this server'
const forbidden = (message: string) => errorBody(403, 'access_denied', message)

t.test('on loopback, accepts control calls of local programs only', async (t) => {
  const app = await start(t)
  const clock = (headers: Record<string, string>, method: 'GET' | 'POST' = 'GET') =>
    app.call({ method, url: method === 'GET' ? '/_sandbox/clock' : '/_sandbox/reset', headers })
  const allowed: Record<string, string>[] = [
    { host: 'localhost' },
    { host: 'localhost:4400' },
    { host: 'LOCALHOST:4400' },
    { host: '127.0.0.1:4400' },
    { host: '127.9.9.9' },
    { host: '[::1]:4400' },
    { host: 'localhost:4400', origin: 'http://localhost:4400' },
    { host: 'localhost:4400', 'sec-fetch-site': 'same-origin' },
    { host: 'localhost:4400', 'sec-fetch-site': 'none' },
  ]
  for (const headers of allowed) t.equal((await clock(headers)).status, 200, JSON.stringify(headers))
  const rejected: [Record<string, string>, message: string][] = [
    [{ host: 'example.com' }, HOST],
    [{ host: 'localhost.example.com' }, HOST],
    [{ host: '127.0.0.1.example.com' }, HOST],
    [{ host: '192.168.1.7:4400' }, HOST],
    [{ host: 'localhost:4400', origin: 'http://example.com' }, ORIGIN],
    [{ host: 'localhost:4400', origin: 'http://localhost:3000' }, ORIGIN],
    [{ host: 'localhost:4400', origin: 'null' }, ORIGIN],
    [{ host: 'localhost:4400', origin: '' }, ORIGIN],
    [{ host: 'localhost:4400', 'sec-fetch-site': 'cross-site' }, SITE],
    [{ host: 'localhost:4400', 'sec-fetch-site': 'same-site' }, SITE],
    [{ host: 'localhost:4400', 'sec-fetch-site': '' }, SITE],
  ]
  for (const [headers, message] of rejected) {
    t.strictSame((await clock(headers)).body, forbidden(message), JSON.stringify(headers))
    t.strictSame((await clock(headers, 'POST')).body, forbidden(message))
  }
})

t.test('when exposed, accepts control calls with the admin token only', async (t) => {
  const app = await start(t, { isExposed: true, adminToken: 's3cret' })
  const clock = (headers: Record<string, string>) => app.call({ url: '/_sandbox/clock', headers })
  for (const host of ['sandbox.example.com', 'localhost']) {
    t.equal((await clock({ host, authorization: 'Bearer s3cret' })).status, 200)
    t.equal((await clock({ host, authorization: 'bearer  s3cret' })).status, 200)
    t.strictSame((await clock({ host })).body, errorBody(401, 'unauthorized', 'authorization value not present'))
    for (const authorization of ['Bearer s3cre', 'Bearer s3cret2', `Bearer ${app.sellers[0]!.token}`])
      t.strictSame((await clock({ host, authorization })).body, errorBody(401, 'not_found', 'invalid_token'))
  }
  t.strictSame(
    (await clock({ host: 'a.example.com', authorization: 'Bearer s3cret', origin: 'https://b.example.com' })).body,
    forbidden(ORIGIN),
  )
  const query = await app.call({ url: '/_sandbox/clock?access_token=s3cret', headers: { host: 'a.example.com' } })
  t.equal(query.status, 401, 'no token in the query')
  t.equal(
    (await app.call({ url: '/_sandbox/nothing', headers: { host: 'a' } })).status,
    401,
    'the token is checked before the path',
  )
  t.equal((await app.call({ url: '/currencies', headers: { host: 'a.example.com' } })).status, 200)
})

t.test('control calls have none of the emulated API’s conventions', async (t) => {
  const app = await start(t)
  const plain = await app.call('/_sandbox/clock')
  for (const query of [
    'callback=show',
    'attributes=mode',
    'callback=show&_method=PUT&_body={"mode":"real"}',
    'callback=-',
  ])
    t.strictSame((await app.call(`/_sandbox/clock?${query}`)).body, plain.body)
  t.equal(plain.headers['access-control-allow-origin'], undefined)
  t.equal((await app.call('/_sandbox/nothing')).headers['access-control-allow-origin'], undefined)
  t.equal((await app.call('/_sandbox/%zz')).headers['access-control-allow-origin'], undefined)
  const preflight = await app.call({ method: 'OPTIONS', url: '/_sandbox/clock' })
  t.equal(preflight.status, 405)
  t.equal(preflight.headers['access-control-allow-origin'], undefined)
  t.equal((await app.call('/_sandboxes')).headers['access-control-allow-origin'], '*', 'another path')
  t.match((await app.call('/_sandboxes?callback=show')).text, /^show\(\[404,/, 'part of the emulated API')

  const document = (await app.call('/_sandbox/openapi.json')).body
  t.equal(document.info.title, 'mercadito: control plane')
  t.ok(document.paths['/_sandbox/clock/advance'])
  t.strictSame(
    Object.keys((await app.call('/openapi.json')).body.paths).filter((path) => path.includes('sandbox')),
    [],
  )
})
