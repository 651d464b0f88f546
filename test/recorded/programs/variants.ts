import type { Answer, TestApp } from '../../support/app.ts'

// The same operations in all forms of HTTP and JSONP.

/** One URL for each route, with existing values. */
const addresses = ({ sellers, buyers }: TestApp): string[] => {
  const [seller, buyer] = [sellers[0]!, buyers[0]!]
  const flex = '/shipping/flex/sites/MLA'
  const services = `${flex}/users/${seller.id}/services/736230/configuration`
  const item = 'MLA1400000001'
  const windows = ['questions', 'phone_views', 'whatsapp'].flatMap((kind) => [
    ...[`/items/${item}`, `/users/${seller.id}`].flatMap((of) => [
      `${of}/contacts/${kind}?date_from=2026-03-01&date_to=2026-03-08`,
      `${of}/contacts/${kind}/time_window?last=2&unit=day`,
    ]),
    `/items/contacts/${kind}/time_window?ids=${item}&last=2&unit=day`,
  ])
  return [
    '/',
    '/nothing',
    '/oauth/token',
    '/authorization?response_type=code&client_id=7',
    '/users/me',
    `/users/${buyer.id}`,
    '/users/test_user',
    '/currencies',
    '/currencies/ARS',
    '/sites',
    '/sites/MLA',
    `/items/${item}`,
    `/items?ids=${item}`,
    `/users/${seller.id}/items/search?limit=3`,
    '/questions',
    '/answers',
    `/questions/search?item=${item}&limit=2`,
    '/my/received_questions/search?limit=2',
    '/questions/13000000001',
    '/my/questions/hidden',
    `/users/${seller.id}/questions_blacklist`,
    `/users/${seller.id}/questions_blacklist/${buyer.id}`,
    `/users/${seller.id}/questions/response_time`,
    `${flex}/users/${seller.id}/subscriptions/v1`,
    `/flex/sites/MLA/users/${seller.id}/subscriptions/v1`,
    `${flex}/configuration/v3`,
    `${services}/delivery/custom/v3`,
    `${services}/coverage/zone/v3`,
    `${services}/delivery/accurate/v3`,
    `${services}/coverage/radius/v3`,
    `/sites/MLA/shipping/selfservice/items/${item}`,
    `/flex/sites/MLA/items/${item}/v2`,
    '/flex/sites/MLA/shipments/43000000001/assignment/v1',
    '/flex/sites/MLA/shipments/43000000001/assignment/v2',
    ...windows,
    `/vis/loans/search?seller_id=${seller.id}&date_from=2026-02-08T00:00:00&date_to=2026-03-07T15:00:00`,
    '/vis/loans/fbcc4f10-3a4e-4adb-91ed-434b317a9f8b',
    '/missed_feeds?app_id=1',
  ]
}
const CONTROL = `livez readyz _sandbox/worlds _sandbox/worlds/1 _sandbox/backup
  _sandbox/reset _sandbox/snapshots _sandbox/snapshots/a _sandbox/snapshots/a/restore _sandbox/clock
  _sandbox/clock/advance _sandbox/users _sandbox/users/1 _sandbox/applications _sandbox/applications/1
  _sandbox/applications/1/notifications _sandbox/settle _sandbox/deliveries _sandbox/deliveries/1
  _sandbox/deliveries/1/resend _sandbox/tokens _sandbox/tokens/x _sandbox/items _sandbox/items/MLA1
  _sandbox/questions _sandbox/questions/1 _sandbox/shipments _sandbox/shipments/1 _sandbox/flex/subscriptions
  _sandbox/flex/subscriptions/1 _sandbox/loans _sandbox/loans/x _sandbox/faults _sandbox/faults/1 _sandbox/requests
  _sandbox/verify _sandbox/contacts _sandbox/simulate _sandbox/assumptions/x _sandbox/world _sandbox/stubs _sandbox/stubs/1
  _sandbox/stubs/misses _sandbox/undo _sandbox/clock/due _sandbox/inbox _sandbox/facts
  _sandbox/audit _sandbox/nothing _sandbox`
  .split(/\s+/)
  .map((path) => `/${path}`)

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** Those that are the same on all paths, or too long to be recorded for each. */
const OTHER_METHODS = ['OPTIONS', 'TRACE', 'PROPFIND'] as const
const more = (url: string, query: string) => `${url}${url.includes('?') ? '&' : '?'}${query}`

/** Bodies for a call, unless there is no such call. */
const bodiesFor = ({ status }: Answer, ...bodies: string[]) => (status === 404 || status === 405 ? [] : bodies)

/** Every method on every path, with and without a token, with a trailing slash, under the base path of another world. */
export async function methods(app: TestApp): Promise<void> {
  const [seller] = app.sellers as [TestApp['sellers'][0]]
  for (const url of addresses(app)) {
    for (const method of METHODS) {
      const answer = await seller.get(url, { method })
      if (answer.status !== 405) await app.call({ method, url })
      if (method === 'POST' || method === 'PUT')
        for (const payload of bodiesFor(answer, '{', '[]', '{}', 'null', 'a=b', '"x"'))
          await seller.get(url, { method, payload })
    }
    const [path, query = ''] = url.split('?') as [string, string?]
    for (const other of [`${path}/`, `/w/1${path}/`, `/w/2${path}`, path.toUpperCase()])
      await seller.get(`${other}?${query}`)
  }
  for (const url of ['/currencies/ARS', '/sites', '/questions', '/answers', '/oauth/token', '/nothing']) {
    for (const method of OTHER_METHODS) await app.call({ method: method as 'OPTIONS', url })
    for (const origin of ['null', 'https://example.com']) {
      await app.call({ url, headers: { origin } })
      const asked = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-a' }
      await app.call({ method: 'OPTIONS', url, headers: asked })
    }
  }
}

/** Every method on every path of the control plane. */
export async function controlMethods(app: TestApp): Promise<void> {
  for (const url of CONTROL) {
    for (const method of METHODS) {
      if (url === '/_sandbox/reset' && method === 'POST') continue
      const answer = await app.call({ method, url })
      if (method === 'POST' || method === 'PUT' || method === 'PATCH')
        for (const payload of bodiesFor(answer, '{', '[]', '{}', 'null', '{"x":1}'))
          await app.call({ method, url, payload })
    }
    for (const other of [`${url}/`, `/w/1${url}`, `/w/9${url}`, more(url, 'callback=x'), more(url, 'x=1&limit=x')])
      await app.call(other)
  }
  for (const url of ['/livez', '/_sandbox/clock', '/_sandbox/nothing']) {
    for (const method of OTHER_METHODS) await app.call({ method: method as 'OPTIONS', url })
    for (const origin of ['http://localhost', 'https://example.com']) {
      await app.call({ url, headers: { origin } })
      await app.call({ method: 'OPTIONS', url, headers: { origin, 'access-control-request-method': 'POST' } })
    }
    await app.call({ url, headers: { host: 'example.com' } })
    await app.call({ url, headers: { authorization: 'Bearer x' } })
  }
}

const NAMES = [
  'show',
  'a.b.c',
  '$',
  '_x1',
  'x'.repeat(128),
  'x'.repeat(129),
  '',
  '1',
  'a b',
  'a..b',
  'alert(1)',
  'ñ',
  'a[0]',
]

/** JSONP. */
export async function jsonp(app: TestApp): Promise<void> {
  const [seller, buyer] = [app.sellers[0]!, app.buyers[0]!]
  const token = `access_token=${seller.token}`
  for (const url of addresses(app)) {
    await app.call(more(url, `${token}&callback=show`))
    await app.call(more(url, 'callback=show'))
    await app.call(more(url, `${token}&callback=show&_method=POST&_body=%7B%7D`))
  }
  for (const url of ['/users/me', '/currencies', '/questions/search?limit=2', '/answers', '/nothing']) {
    await app.call(more(url, `${token}&callback=a.b&attributes=id,total,name`))
    await app.call(more(url, `${token}&callback=%00`))
    await app.call({ method: 'HEAD', url: more(url, `${token}&callback=show`) })
    await app.call({ method: 'POST', url: more(url, `${token}&callback=show`), payload: '{}' })
    for (const method of ['PUT', 'DELETE', 'post', 'PATCH', 'GET', 'x'])
      await app.call(more(url, `${token}&callback=show&_method=${method}&_body=%7B%7D`))
    await app.call({ url: more(url, 'callback=show'), headers: { authorization: 'Bearer x' } })
    await app.call({ url: more(url, 'callback=show'), headers: { 'x-sandbox-fault': '503' } })
  }
  for (const name of NAMES) {
    await app.call(`/currencies/ARS?callback=${encodeURIComponent(name)}`)
    await app.call(`/users/me?callback=${encodeURIComponent(name)}`)
  }
  await app.call('/currencies/ARS?callback=a&callback=b')
  await app.call('/currencies/ARS?%63allback=a')
  const write = (method: string, path: string, body: object | string, who = buyer) =>
    app.call(
      `${path}?access_token=${who.token}&callback=show&_method=${method}&_body=${encodeURIComponent(typeof body === 'string' ? body : JSON.stringify(body))}`,
    )
  for (const text of ['¿Hay?', 'one\u2028two\u2029', '</script>'])
    await write('POST', '/questions', { item_id: 'MLA1400000001', text })
  await write('POST', '/questions', '{')
  const { body } = await seller.get('/questions/search?limit=2&sort_fields=date_created&sort_types=DESC')
  const [first, second] = body.questions as [{ id: number }, { id: number }]
  await write('POST', '/answers', { question_id: first.id, text: 'Sí\u2028' }, seller)
  await write('DELETE', `/questions/${second.id}`, '', seller)
  await write('POST', `/users/${seller.id}/questions_blacklist`, { user_id: buyer.id }, seller)
  await write('DELETE', `/users/${seller.id}/questions_blacklist/${buyer.id}`, '', seller)
}

const ATTRIBUTES = ['id, title', 'total,limit', 'nothing', ',']
const MORE_ATTRIBUTES = ['title,id', '', 'id,,id', 'a.b', '__proto__', '*', 'x'.repeat(3000)]
const VALUES = ['', 'x', '-1', '0', '1.5', '99999999999999999999', '%00', 'MLA1,MLA2']

/** Projections, and repeated, unknown and escaped parameters. */
export async function queries(app: TestApp): Promise<void> {
  const [seller] = app.sellers as [TestApp['sellers'][0]]
  for (const url of addresses(app)) {
    for (const names of ATTRIBUTES) await seller.get(more(url, `attributes=${names}`))
    await seller.get(more(url, 'attributes=id&attributes=total'))
    await seller.get(more(url, 'unknown=1&unknown=2&__proto__=x&a[b]=c'))
    const [path, query = ''] = url.split('?') as [string, string?]
    if (query !== '') await seller.get(`${path}?${query}&${query}`)
    for (const pair of query === '' ? [] : query.split('&')) {
      const [name] = pair.split('=')
      for (const value of VALUES) await seller.get(`${path}?${query.replace(pair, `${name}=${value}`)}`)
      await seller.get(`${path}?${query.replace(pair, '')}`)
    }
  }
  for (const url of [`/items/MLA1400000001`, '/currencies'])
    for (const names of MORE_ATTRIBUTES) await seller.get(more(url, `attributes=${names}`))
  await seller.get('/currencies?x=%zz')
  for (const authorization of [
    '',
    'Bearer',
    'Bearer ',
    `bearer ${seller.token}`,
    `BEARER  ${seller.token}`,
    seller.token,
  ])
    for (const url of ['/users/me', '/currencies', '/nothing', '/questions/search', '/_sandbox/clock'])
      await app.call({ url, headers: { authorization } })
  await app.call(`/users/me?access_token=${seller.token}&access_token=${seller.token}`)
  await app.call({ url: `/users/me?access_token=x`, headers: { authorization: `Bearer ${seller.token}` } })
  const MEBIBYTE = 1024 * 1024
  for (const length of [MEBIBYTE, MEBIBYTE + 1])
    await app.buyers[0]!.post('/questions', `{"item_id":"MLA1400000001","text":"a"}`.padEnd(length))
  for (const type of [
    'application/json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'x',
    '',
  ])
    for (const payload of ['{"item_id":"MLA1400000001","text":"b"}', 'item_id=MLA1400000001&text=c', ''])
      await app.buyers[0]!.get('/questions', { method: 'POST', payload, headers: { 'content-type': type } })
}
