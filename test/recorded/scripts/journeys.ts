import type { Answer, Person, TestApp } from '../../support/app.ts'

// Sequences of calls that clients and tests make.

const FLEX = 736_230
const TURBO = 736_231
/** All fields of a configuration. */
const CONFIGURATION = `{
  address { id address_line zip_code city { id name } }
  subscription {
    site_id user_id service_id status { id } creation_date
    training_times { original { value unit } remaining { value unit } activation_date }
  }
  delivery_window is_moderated working_days radius disabled_features
  delivery_ranges {
    week { from to capacity calculated_cutoff et_hour type processing_time }
    saturday { from to capacity calculated_cutoff et_hour type processing_time }
    sunday { from to capacity calculated_cutoff et_hour type processing_time }
  }
  zones {
    enabled id is_mandatory label neighborhoods selected
    price { cents currency_id decimal_separator fraction symbol }
  }
  availables { capacity_range { from to } cutoff ranges accurate_ranges { from to } radius_range { from to } }
}`
const SOME =
  '{ delivery_window working_days radius delivery_ranges { week { from to capacity } } zones { id selected } }'

const path = ({ site_id, id }: Person, service: number) =>
  `/shipping/flex/sites/${site_id}/users/${id}/services/${service}/configuration`

const put = (who: Person, url: string, body: unknown): Promise<Answer> =>
  who.get(url, { method: 'PUT', payload: JSON.stringify(body) })

const DATES = ['2026-03-01', '2026-03-07T15:00:00Z', '2026-03-01T09:30:00.000-04:00', '2025-12-01', 'x', '2026-02-30']

/** All statistics of a seller, with many windows. */
export async function contacts(app: TestApp): Promise<void> {
  for (const seller of app.sellers) {
    const items = [1, 2, 3].map((n) => `${seller.site_id}140000000${n}`)
    for (const kind of ['questions', 'phone_views', 'whatsapp'])
      for (const about of [`/items/${items[0]}`, `/users/${seller.id}`]) {
        const at = `${about}/contacts/${kind}`
        await seller.get(`${at}?date_from=2026-02-01&date_to=2026-03-08`)
        await seller.get(`${at}?date_from=2026-03-07T00:00:00Z&date_to=2026-03-07T15:00:00Z`)
        for (const [last, unit] of [
          [1, 'hour'],
          [24, 'hour'],
          [7, 'day'],
          [40, 'day'],
          [0, 'day'],
          [5, 'month'],
        ])
          await seller.get(`${at}/time_window?last=${last}&unit=${unit}`)
        await seller.get(`${at}/time_window?last=3&unit=day&ending=2026-02-20T12:00:00Z`)
        await seller.get(`${at}/time_window?last=3&unit=hour&ending=2026-03-07T14:00:00.000-04:00&order=desc`)
        await seller.get(`${at}/time_window?last=5&unit=day&order=asc`)
        await app.call(`${at}/time_window?last=2&unit=day`)
        await app.call(`${at}?date_from=2026-03-01&date_to=2026-03-08`)
        await seller.get(at)
      }
    for (const kind of ['questions', 'phone_views', 'whatsapp']) {
      await seller.get(`/items/contacts/${kind}/time_window?ids=${items}&last=4&unit=day`)
      await seller.get(`/items/contacts/${kind}/time_window?ids=${items[0]},MLA9,x&last=4&unit=hour`)
      await seller.get(`/items/contacts/${kind}/time_window?last=4&unit=hour`)
    }
  }
  const [seller] = app.sellers as [Person]
  for (const from of DATES)
    for (const to of DATES) await seller.get(`/users/${seller.id}/contacts/questions?date_from=${from}&date_to=${to}`)
}

/** Asking, answering, deleting, hiding, blocking, searching. */
export async function questions(app: TestApp): Promise<void> {
  for (const [n, seller] of app.sellers.entries()) {
    const [buyer, second] = [app.buyers[2 * n]!, app.buyers[2 * n + 1]!]
    const item = `${seller.site_id}1400000001`
    const ids: number[] = []
    for (const text of ['¿Tiene garantía?', 'a', '😀 one\u2028two', '<b>"\'\\', '', ' ', 'x'.repeat(2001)]) {
      const asked = await buyer.post('/questions', { item_id: item, text })
      if (asked.status === 201) ids.push(asked.body.id)
    }
    await second.post('/questions', { item_id: item, text: '¿Y envío?' })
    await second.post(`/questions/${item}`, { text: '¿Y envío hoy?' })
    await seller.post('/questions', { item_id: item, text: 'own' })
    await app.call({ method: 'POST', url: '/questions', payload: JSON.stringify({ item_id: item, text: 'x' }) })
    const [first, other, third, fourth] = ids as [number, number, number, number]
    await seller.post('/answers', { question_id: first, text: 'Sí, un año.' })
    await seller.post('/answers', { question_id: first, text: 'otra vez' })
    await buyer.post('/answers', { question_id: other, text: 'not mine' })
    await seller.delete(`/questions/${other}`)
    await seller.delete(`/questions/${other}`)
    for (const id of [...ids, 1]) {
      await app.call(`/questions/${id}`)
      for (const who of [seller, buyer, second]) {
        await who.get(`/questions/${id}`)
        await who.get(`/questions/${id}?api_version=4`)
      }
    }
    await seller.post('/my/questions/hidden', { question_ids: [third, fourth] })
    await seller.post('/my/questions/hidden', { questions_ids: [1] })
    await buyer.post('/my/questions/hidden', { question_ids: [third] })
    await seller.get('/my/questions/hidden')
    const list = `/users/${seller.id}/questions_blacklist`
    await seller.post(list, { user_id: buyer.id })
    await seller.post(list, { user_id: buyer.id })
    await seller.post(list, { user_id: 7 })
    await buyer.post('/questions', { item_id: item, text: '¿Me bloqueó?' })
    await seller.get(list)
    await seller.get(`${list}?limit=1&offset=1`)
    await buyer.get(list)
    await seller.delete(`${list}/${buyer.id}`)
    await seller.delete(`${list}/${buyer.id}`)
    await buyer.post('/questions', { item_id: item, text: '¿Ya no?' })
    for (const query of [
      '',
      'limit=3',
      'limit=0',
      'limit=101',
      'limit=2&offset=2',
      'offset=1001',
      'status=UNANSWERED&limit=5',
      'status=answered&limit=5',
      'status=DELETED',
      'status=x',
      `item=${item}`,
      `item_id=${item}&limit=4&sort_fields=date_created&sort_types=ASC`,
      `from=${buyer.id}`,
      `seller_id=${seller.id}&sort_fields=item_id,from_id&sort_types=DESC,ASC&limit=6`,
      'sort_fields=x',
      'date_created.from=2026-03-01T00:00:00Z&date_created.to=2026-03-05T00:00:00Z&limit=4',
      'date_created.from=x',
      'api_version=4&limit=4',
      'attributes=questions,total&limit=2',
      'attributes=total',
    ])
      await seller.get(`/questions/search?${query}`)
    await buyer.get(`/questions/search?item=${item}&limit=5`)
    await app.call(`/questions/search?item=${item}&limit=5`)
    await app.call('/questions/search')
    await seller.get('/my/received_questions/search?limit=4')
    await seller.get('/my/received_questions/search?limit=2&status=UNANSWERED&api_version=4')
    let scroll = (await seller.get('/questions/search?search_type=scan&limit=100')).body?.scroll_id
    for (let page = 0; scroll && page < 4; page++)
      scroll = (await seller.get(`/questions/search?search_type=scan&limit=100&scroll_id=${scroll}`)).body?.scroll_id
    await seller.get('/questions/search?search_type=scan&scroll_id=x')
    await seller.get(`/users/${seller.id}/questions/response_time`)
    await buyer.get(`/users/${seller.id}/questions/response_time`)
    await app.call(`/users/${seller.id}/questions/response_time`)
  }
}

/** Subscriptions, configuration, settings, Flex of listings, drivers of shipments. */
export async function flex(app: TestApp): Promise<void> {
  for (const seller of app.sellers) {
    const { site_id, id } = seller
    const ask = (query: string, more: object = {}, who: Person = seller) =>
      who.post(`/shipping/flex/sites/${site_id}/configuration/v3`, { query, ...more })
    const of = (service: number, fields = CONFIGURATION) =>
      `{ configuration(user_id: ${id}, service_id: ${service}) ${fields} }`
    const found = await seller.get(`/shipping/flex/sites/${site_id}/users/${id}/subscriptions/v1`)
    await seller.get(`/flex/sites/${site_id}/users/${id}/subscriptions/v1`)
    await app.buyers[0]!.get(`/flex/sites/${site_id}/users/${id}/subscriptions/v1`)
    const services = Array.isArray(found.body) ? found.body.map((one: { service_id: number }) => one.service_id) : []
    for (const service of new Set([...services, FLEX, TURBO, 1])) {
      await ask(of(service))
      await ask(of(service, '{ availables { cutoff } }'))
      await ask(of(service, '{ __typename radius }'))
      await ask(of(service, '{ nothing }'))
      await ask(of(service), {}, app.buyers[0]!)
      const at = path(seller, service)
      const week = [{ from: 14, to: 21, capacity: 80, cutoff: 13 }]
      const saturday = [{ from: 10, to: 14, capacity: 20, cutoff: 12 }]
      await put(seller, `${at}/delivery/custom/v3`, {
        delivery_window: 'same_day',
        delivery_ranges: { week, saturday },
      })
      await ask(of(service, SOME))
      await put(seller, `${at}/delivery/custom/v3`, { delivery_window: 'next_day', delivery_ranges: { week } })
      await put(seller, `${at}/delivery/custom/v3`, { delivery_ranges: { week: [{ from: 21, to: 14 }] } })
      await put(seller, `${at}/delivery/custom/v3`, {})
      const ranges = [10, 11, 12].map((from) => ({ from, to: from + 2, capacity: 20 }))
      await put(seller, `${at}/delivery/accurate/v3`, { delivery_ranges: { week: ranges } })
      await put(seller, `${at}/delivery/accurate/v3`, { delivery_ranges: { week: ranges.slice(1) } })
      await put(seller, `${at}/coverage/radius/v3`, { radius: 5000 })
      await put(seller, `${at}/coverage/radius/v3`, { radius: 1 })
      await put(seller, `${at}/coverage/zone/v3`, { zones: ['CABA', 'CABA_Sur', 'GBA_Norte'].map((id) => ({ id })) })
      await put(seller, `${at}/coverage/zone/v3`, { zones: [{ id: 'x' }] })
      await put(app.buyers[0]!, `${at}/coverage/zone/v3`, { zones: [{ id: 'CABA' }] })
      await ask(of(service))
    }
    const variables = { user: id, service: FLEX }
    const named =
      'query Q($user: Int!, $service: Int!) { a: configuration(user_id: $user, service_id: $service) { ...F } }'
    await ask(`${named} fragment F on Configuration { radius delivery_window }`, { variables, operationName: 'Q' })
    await ask(`${named} fragment F on Configuration { radius }`, { variables: {} })
    for (const query of ['', '{', '{ x }', '{ __schema { types { name } } }', 'mutation { x }']) await ask(query)
    for (const n of [1, 9, 12, 14, 24, 99]) {
      const item = `${site_id}14000000${String(n).padStart(2, '0')}`
      for (const at of [
        `/sites/${site_id}/shipping/selfservice/items/${item}`,
        `/flex/sites/${site_id}/items/${item}/v2`,
      ])
        for (const method of ['GET', 'POST', 'GET', 'POST', 'DELETE', 'GET', 'DELETE'] as const)
          await seller.get(at, { method })
      await app.call(`/items/${item}?attributes=id,status,shipping,tags`)
    }
    for (const n of [1, 3, 7, 12, 13])
      for (const version of ['v1', 'v2']) {
        const shipment = 43_000_000_000 + 12 * app.sellers.indexOf(seller) + n
        await seller.get(`/flex/sites/${site_id}/shipments/${shipment}/assignment/${version}`)
        await app.call(`/flex/sites/${site_id}/shipments/${shipment}/assignment/${version}`)
      }
  }
}

/** Searches and details of leads. */
export async function credits(app: TestApp): Promise<void> {
  for (const seller of app.sellers)
    for (const headers of [{}, { 'x-sandbox': 'true' }, { 'x-sandbox': 'false' }]) {
      const search = `/vis/loans/search?seller_id=${seller.id}`
      const dates = 'date_from=2026-02-08T00:00:00&date_to=2026-03-07T15:00:00'
      const found = await seller.get(`${search}&${dates}`, { headers })
      for (const more of [
        'status=all',
        'status=rejected&limit=2',
        'status=in_analysis&limit=3&offset=1',
        'status=x',
        'financial_entity_id=SANTANDER',
        `item_id=${seller.site_id}1400000001`,
        'limit=0',
        'limit=1000',
        'attributes=results',
      ])
        await seller.get(`${search}&${dates}&${more}`, { headers })
      await seller.get(`${search}&date_from=2025-01-01T00:00:00&date_to=2026-03-07T15:00:00`, { headers })
      await seller.get(`${search}&date_from=2025-12-01T00:00:00&date_to=2026-01-15T00:00:00&status=all`, { headers })
      await seller.get(search, { headers })
      for (const { id } of (found.body?.results ?? []).slice(0, 4)) {
        await seller.get(`/vis/loans/${id}?seller_id=${seller.id}`, { headers })
        await seller.get(`/vis/loans/${id}`, { headers })
        await app.buyers[0]!.get(`/vis/loans/${id}?seller_id=${seller.id}`, { headers })
      }
      await seller.get(`/vis/loans/fbcc4f10-3a4e-4adb-91ed-434b317a9f8b?seller_id=${seller.id}`, { headers })
      await seller.get(`/vis/loans/x?seller_id=${seller.id}`, { headers })
    }
  const brazilian = app.sellers.find(({ site_id }) => site_id === 'MLB')!
  for (const status of ['approved', 'rejected', 'in_analysis']) {
    const made = await app.control('POST /loans', { item_id: 'MLB1400000001', status, installments_number: 24 })
    const { id } = made.body
    await app.control(`GET /loans/${id}`)
    for (const change of [{ status: 'approved' }, { status: 'rejected' }, { expired: true }, { expired: false }, {}]) {
      await app.control(`PATCH /loans/${id}`, change)
      await brazilian.get(`/vis/loans/${id}?seller_id=${brazilian.id}`)
    }
  }
  await app.control('POST /clock/advance', { by: 'P31D' })
  for (const { id } of (await app.control(`GET /loans?seller_id=${brazilian.id}&limit=5`)).body.results)
    await brazilian.get(`/vis/loans/${id}?seller_id=${brazilian.id}`)
}

/** Codes, tokens, users. */
export async function oauth(app: TestApp): Promise<void> {
  const { id: client_id, secret: client_secret, redirect_uri } = app.application
  const [seller, buyer] = [app.sellers[0]!, app.buyers[0]!]
  const form = (fields: object) => new URLSearchParams(fields as Record<string, string>).toString()
  const asked = { response_type: 'code', client_id, redirect_uri, state: 'a b&c' }
  await app.call(`/authorization?${form(asked)}`)
  await app.call(`/authorization?${form({ ...asked, redirect_uri: 'http://example.com/' })}`)
  await app.call(`/authorization?${form({ ...asked, client_id: 7 })}`)
  await app.call(`/authorization?${form({ ...asked, response_type: 'token' })}`)
  await app.call('/authorization')
  const codeOf = async (more: object = {}) => {
    const payload = form({ ...asked, user_id: seller.id, ...more })
    const { headers } = await app.call({ method: 'POST', url: '/authorization', payload })
    return new URL(String(headers.location ?? 'http://x/')).searchParams.get('code') ?? ''
  }
  const token = (fields: object, how: 'form' | 'json' | 'query' = 'form') =>
    how === 'query'
      ? app.call({ method: 'POST', url: `/oauth/token?${form(fields)}` })
      : app.call({
          method: 'POST',
          url: '/oauth/token',
          payload: how === 'json' ? JSON.stringify(fields) : form(fields),
          headers: { 'content-type': how === 'json' ? 'application/json' : 'application/x-www-form-urlencoded' },
        })
  const grant = { grant_type: 'authorization_code', client_id, client_secret, redirect_uri }
  for (const how of ['form', 'json', 'query'] as const) {
    const code = await codeOf()
    await token({ ...grant, code, client_secret: 'x' }, how)
    await token({ ...grant, code, redirect_uri: 'http://x/' }, how)
    const { body } = await token({ ...grant, code }, how)
    await token({ ...grant, code }, how)
    const again = { grant_type: 'refresh_token', client_id, client_secret, refresh_token: body.refresh_token }
    const next = await token(again, how)
    await token(again, how)
    for (const one of [body.access_token, next.body.access_token])
      await app.call({ url: '/users/me', headers: { authorization: `Bearer ${one}` } })
    await app.call(`/users/me?access_token=${next.body.access_token}`)
  }
  const verifier = 'v'.repeat(43)
  for (const code_challenge_method of ['plain', 'S256', 'S512']) {
    const code = await codeOf({ code_challenge: verifier, code_challenge_method })
    await token({ ...grant, code, code_verifier: 'x' })
    await token({ ...grant, code, code_verifier: verifier })
  }
  await codeOf({ user_id: 7 })
  await token({})
  await token({ ...grant, grant_type: 'password' })
  const late = await codeOf()
  await app.control('POST /clock/advance', { by: 'PT11M' })
  await token({ ...grant, code: late })
  await app.control('POST /clock/advance', { by: 'PT7H' })
  await app.call({ url: '/users/me', headers: { authorization: `Bearer ${seller.token}` } })
  for (const site_id of ['MLA', 'MLB', 'MCO', 'x']) await buyer.post('/users/test_user', { site_id })
  for (const { id, token } of [...app.sellers, ...app.buyers]) {
    await app.call(`/users/${id}`)
    await app.call({ url: `/users/${id}`, headers: { authorization: `Bearer ${token}` } })
    await app.call({ url: '/users/me', headers: { authorization: `Bearer ${token}` } })
  }
  const made = await app.control('POST /tokens', { user_id: seller.id, expires_in: 60, refresh: true })
  await app.control('GET /tokens?limit=3')
  await app.control(`PATCH /tokens/${made.body.token}`, { expires_in: 0 })
  await app.call({ url: '/users/me', headers: { authorization: `Bearer ${made.body.token}` } })
  await app.control(`DELETE /tokens/${made.body.token}`)
  await app.call({ url: '/users/me', headers: { authorization: `Bearer ${made.body.token}` } })
}

/** Listings and currencies. */
export async function items(app: TestApp): Promise<void> {
  for (const seller of app.sellers)
    for (let n = 1; n <= 26; n++) {
      const item = `${seller.site_id}14000000${String(n).padStart(2, '0')}`
      await app.call(`/items/${item}`)
      if (n % 5 === 0) await app.call(`/items/${item}?attributes=id,title,seller_address,nothing`)
      if (n % 8 === 0) await seller.get(`/items/${item}`)
    }
  await app.call('/items?ids=MLA1400000001,MLB1400000002,MLA9,x')
  await app.call('/items?ids=MLA1400000001,MLB1400000002&attributes=id,price')
  await app.call(`/items?ids=${Array.from({ length: 21 }, (_, n) => `MLA14000000${n + 10}`)}`)
  await app.call('/items?ids=')
  await app.call('/items')
  await app.sellers[0]!.get('/items?ids=MLA1400000001', { method: 'PUT' })
  await app.call('/currencies')
  for (const id of ['ARS', 'BRL', 'CLP', 'ars', 'XXX']) await app.call(`/currencies/${id}`)
}

/** Documents and health of the server. */
export async function documents(app: TestApp): Promise<void> {
  for (const url of ['/openapi.json', '/_sandbox/openapi.json', '/_sandbox/world.schema.json', '/metrics', '/docs'])
    for (const method of ['GET', 'HEAD', 'POST'] as const) await app.call({ method, url })
}

/** Control calls, each followed by calls of the emulated API that show its effect. */
export async function control(app: TestApp): Promise<void> {
  const { control, call } = app
  const [seller, buyer] = [app.sellers[0]!, app.buyers[0]!]
  const item = 'MLA1400000001'
  const look = async () => {
    await call(`/items/${item}`)
    await seller.get('/questions/search?limit=3')
    await call(`/items/${item}/contacts/phone_views/time_window?last=3&unit=day`)
    await call(`/items/${item}/contacts/questions/time_window?last=30&unit=hour`)
    await control('GET /clock')
  }
  const lists =
    'users applications tokens items questions shipments flex/subscriptions loans faults snapshots assumptions worlds'
  for (const list of lists.split(' '))
    for (const query of ['', '?limit=2', '?limit=1&offset=3', '?limit=0', '?limit=1001', '?offset=-1'])
      await control(`GET /${list}${query}`)
  for (const url of ['/livez', '/readyz', '/readyz?wait=10ms', '/readyz?wait=x', '/docs']) await call(url)

  const asked = await control('POST /questions', { item_id: item, text: '¿Hay?', at: '2026-03-06T10:00:00Z' })
  await control('POST /questions', { item_id: item, text: '¿Hay?', date_created: '2026-03-06T10:00:00Z', id: 77 })
  for (const change of [
    { flags: { hold: true } },
    { flags: { hold: false, suspected_spam: true } },
    { flags: { hidden: true } },
    { flags: { hidden: false } },
    { status: 'UNDER_REVIEW' },
    { answer: { text: 'Sí' } },
    { answer: { status: 'BANNED' } },
    { answer: null },
    { status: 'BANNED' },
    {},
    { text: '' },
  ]) {
    for (const id of [asked.body?.id ?? 77, 77]) {
      await control(`PATCH /questions/${id}`, change)
      for (const who of [seller, buyer]) await who.get(`/questions/${id}`)
    }
  }
  for (const one of [
    { kind: 'phone_view', item_id: item, count: 20, at: '2026-03-07T12:00:00Z' },
    { kind: 'whatsapp', item_id: item, buyer_id: buyer.id },
    { kind: 'question', item_id: item },
    [{ kind: 'phone_view', item_id: item }, { kind: 'x' }],
    { kind: 'phone_view', item_id: 'MLA9' },
  ])
    await control('POST /contacts', one)
  await look()
  for (const profile of ['quiet', 'normal', 'busy', 'peak'])
    await control('POST /simulate', { days: 2, profile, seed: 7, user_id: seller.id })
  await control('POST /simulate', { days: 1 })
  await control('POST /simulate', { days: 0 })
  await look()
  for (const by of ['PT1H', 'P1D', '-PT3H', 'x', 'P4000000D']) await control('POST /clock/advance', { by })
  await look()
  await control('PUT /clock', { mode: 'frozen', now: '2026-03-09T12:00:00Z' })
  await look()
  await control('PUT /clock', { mode: 'shifted', now: '2026-03-09T12:00:00Z' })
  await control('PUT /clock', { mode: 'real' })
  await control('PUT /clock', { mode: 'frozen', now: '2026-03-07T15:00:00Z' })

  for (const body of [
    { id: 1, match: { path: '/currencies' }, action: { status: 503 }, times: 1 },
    { id: 2, match: { path: '/users/*', method: 'GET' }, action: { status: 429, headers: { 'retry-after': '3' } } },
    { id: 3, match: { user: buyer.id }, action: { status: 500, body: { a: 1 } }, probability: 0.5, seed: 3 },
    { id: 4, match: { path: '/items/*' }, action: { rate_limit: { limit: 2, window: 60 } } },
    { id: 5, match: { path: '/missed_feeds' }, action: { drop: true } },
    { id: 6, match: { path: '/authorization' }, action: { delay: 1 } },
    { id: 1, action: { status: 503 } },
    { action: {} },
  ])
    await control('POST /faults', body)
  for (let n = 0; n < 4; n++)
    for (const url of ['/currencies', '/users/me', `/items/${item}`, '/missed_feeds', '/questions/search?limit=1'])
      for (const who of [seller, buyer]) await who.get(url)
  await control('GET /faults')
  await control('DELETE /faults/2')
  await control('GET /faults/2')
  await control('DELETE /faults')
  for (const fault of ['503', '429', '404', 'drop', 'delay=1', 'x', '200', ''])
    await call({ url: '/currencies', headers: { 'x-sandbox-fault': fault } })
  await control('GET /requests?limit=1000&order=desc')
  await control(`GET /requests?path=/items/*&method=GET&user=${seller.id}&limit=2`)
  await control('GET /requests?status=0')
  await control('GET /requests?since=20&limit=3')
  for (const body of [
    { path: '/currencies', method: 'GET', times: 13 },
    { path: '/questions/*', at_least: 1 },
    { path: '/answers', method: 'POST', body: { question_id: 1 } },
    { path: '*', query: { limit: '1' }, at_most: 1 },
    { path: 'x' },
  ])
    await control('POST /verify', body)
  await control('DELETE /requests')
  await control('GET /requests')

  const user = await control('POST /users', { site_id: 'MLB', nickname: 'LOJA', level_id: '5_green' })
  await control(`PATCH /users/${user.body.id}`, { nickname: 'LOJA_2', address: { city: 'São Paulo' } })
  await control('POST /users', { site_id: 'XXX', nick: 1 })
  const listing = await control('POST /items', { seller_id: user.body.id, title: 'Cuia', price: 12.5 })
  await control(`PATCH /items/${listing.body.id}`, { status: 'paused' })
  await control(`PATCH /items/${listing.body.id}`, { status: 'closed', price: 0 })
  await call(`/items/${listing.body.id}`)
  const shipment = await control('POST /shipments', { seller_id: seller.id, driver_id: 81_234_567 })
  for (const change of [{ route_open: false }, { driver_id: 99 }, { driver_id: null }, {}]) {
    await control(`PATCH /shipments/${shipment.body.id}`, change)
    await seller.get(`/flex/sites/MLA/shipments/${shipment.body.id}/assignment/v1`)
  }
  const peruvian = app.sellers.find(({ site_id }) => site_id === 'MPE') ?? seller
  const listed = await control(`GET /flex/subscriptions?user_id=${peruvian.id}`)
  for (const { id } of listed.body.results)
    for (const status of ['in', 'out', 'pending', 'out', 'in']) {
      await control(`PATCH /flex/subscriptions/${id}`, { status })
      await peruvian.get(`/flex/sites/MPE/users/${peruvian.id}/subscriptions/v1`)
    }
  await control('POST /flex/subscriptions', { user_id: user.body.id, status: 'in', training_days: 7 })
  const application = await control('POST /applications', { redirect_uri: 'http://localhost:3000/callback' })
  await control(`PATCH /applications/${application.body.id}`, { redirect_uri: 'https://example.com/' })

  for (const [name, value] of [
    ['contacts.current_bucket', 'exclude'],
    ['contacts.day_offset', '+05:00'],
    ['contacts.auth', 'required'],
    ['auth.query_token', 'reject'],
    ['auth.query_token', 'x'],
    ['x', 'x'],
  ]) {
    await control(`PATCH /assumptions/${name}`, { value })
    await look()
    await call(`/users/me?access_token=${seller.token}`)
  }
  await control('POST /snapshots', { name: 'a' })
  await control('POST /snapshots', { name: 'a' })
  await control('POST /snapshots', { name: '..' })
  await buyer.post('/questions', { item_id: item, text: 'after' })
  await control('POST /snapshots/a/restore')
  await look()
  await buyer.post('/questions', { item_id: item, text: 'after' })
  const fork = (await control('POST /worlds', { from: 1 })).body
  await control('POST /worlds', { from: 99 })
  await control('POST /worlds', { scenario: 'x' })
  await control('POST /worlds', {
    scenario: 'empty',
    seed: 5,
    now: '2026-03-02T12:00:00Z',
    assume: { 'contacts.auth': 'required' },
  })
  await control('POST /worlds', { scenario: 'demo', seed: 3, now: '2026-01-31T23:59:59.999Z' })
  const base = `/w/${fork.world.id}`
  const there = { authorization: `Bearer ${fork.sellers[0].token}` }
  await call({ url: '/questions/search?limit=2', headers: there })
  await call({ url: `${base}/questions/search?limit=2`, headers: there })
  await call({ url: '/w/4/users/me', headers: there })
  await control('POST /reset', undefined, base)
  await control('GET /questions?limit=2', undefined, base)
  await control('GET /users', undefined, '/w/99')
  await control('GET /users', undefined, '/w/x')
  await control('DELETE /snapshots/a')
  await control('POST /reset')
  await look()
  await control(`DELETE /worlds/${fork.world.id}`)
  await control('DELETE /worlds/1')
  await call({ url: `${base}/questions/search?limit=2`, headers: there })
  await control('GET /worlds')
}

/** Notifications to a port without a listener, and changes of their deliveries. */
export async function deliveries(app: TestApp): Promise<void> {
  const { control } = app
  const [seller, buyer] = [app.sellers[0]!, app.buyers[0]!]
  const at = `/applications/${app.application.id}/notifications`
  for (const body of [
    { callback_url: 'http://10.0.0.1/' },
    { callback_url: 'x' },
    { callback_url: 'http://127.0.0.1:9/hook', topics: ['x'] },
    { callback_url: 'http://127.0.0.1:9/hook', profile: 'x' },
    { callback_url: 'http://127.0.0.1:9/hook', profile: 'realistic' },
    { callback_url: 'http://127.0.0.1:9/hook', profile: 'hostile', overrides: { silenced: 0, duplicates: 1 } },
    { callback_url: 'http://127.0.0.1:9/hook' },
  ]) {
    await control(`PUT ${at}`, body)
    await control(`GET ${at}`)
  }
  const item = 'MLA1400000001'
  for (let n = 0; n < 4; n++) {
    const asked = await buyer.post('/questions', { item_id: item, text: `¿Hay? ${n}` })
    if (n % 2) await seller.post('/answers', { question_id: asked.body.id, text: 'Sí' })
  }
  await control(`PATCH /items/${item}`, { status: 'paused' })
  await control('GET /deliveries?limit=50')
  await control('GET /deliveries?topic=items&status=pending')
  for (const id of [1, 2, 3, 99])
    for (const action of ['hold', 'resend', 'release', 'drop', 'release']) {
      await control(`POST /deliveries/${id}/${action}`)
      await control(`GET /deliveries/${id}`)
    }
  for (const by of ['PT15S', 'PT1M', 'PT10M', 'PT2H']) {
    await control('POST /clock/advance', { by })
    await control('GET /deliveries?limit=50')
  }
  await control('GET /deliveries/4')
  for (const query of ['', '&limit=1', '&offset=1', '&topic=items', '&topic=x'])
    await seller.get(`/missed_feeds?app_id=${app.application.id}${query}`)
  await seller.get('/missed_feeds?app_id=7')
  await seller.get('/missed_feeds')
  await app.call(`/missed_feeds?app_id=${app.application.id}`)
  await control(`DELETE ${at}`)
  await control(`DELETE ${at}`)
  await control('GET /deliveries?limit=5')
}
