import type { TestApp } from '../../support/app.ts'

const ITEM = 'MLA1400000001'

/** Reads what control calls change. */
const look = async ({ call, control, sellers }: TestApp): Promise<void> => {
  await call(`/items/${ITEM}`)
  await sellers[0]!.get('/questions/search?limit=3')
  await call(`/items/${ITEM}/contacts/phone_views/time_window?last=3&unit=day`)
  await call(`/items/${ITEM}/contacts/questions/time_window?last=30&unit=hour`)
  await control('GET /clock')
}

/** Lists, questions, contacts, simulations, the clock. */
export async function data(app: TestApp): Promise<void> {
  const { control, call } = app
  const [seller, buyer] = [app.sellers[0]!, app.buyers[0]!]
  const lists = 'users applications tokens items questions shipments flex/subscriptions loans faults snapshots worlds'
  for (const list of lists.split(' '))
    for (const query of ['?limit=3', '?limit=1&offset=3', '?limit=0', '?limit=1001', '?offset=-1'])
      await control(`GET /${list}${query}`)
  for (const url of ['/livez', '/readyz', '/readyz?wait=10ms', '/readyz?wait=x']) await call(url)

  const asked = await control('POST /questions', { item_id: ITEM, text: '¿Hay?', at: '2026-03-06T10:00:00Z' })
  await control('POST /questions', { item_id: ITEM, text: '¿Hay?', date_created: '2026-03-06T10:00:00Z', id: 77 })
  // Neither changes the ids that follow.
  await control('POST /questions', { item_id: ITEM, text: '¿Hay?', id: 99_000_000_001 })
  await control('POST /questions', { item_id: ITEM, text: '¿Hay?' })
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
    { kind: 'phone_view', item_id: ITEM, count: 20, at: '2026-03-07T12:00:00Z' },
    { kind: 'whatsapp', item_id: ITEM, buyer_id: buyer.id },
    { kind: 'question', item_id: ITEM },
    [{ kind: 'phone_view', item_id: ITEM }, { kind: 'x' }],
    { kind: 'phone_view', item_id: 'MLA9' },
  ])
    await control('POST /contacts', one)
  await look(app)
  for (const profile of ['quiet', 'normal', 'busy', 'peak'])
    await control('POST /simulate', { days: 2, profile, seed: 7, user_id: seller.id })
  await control('POST /simulate', { days: 1 })
  await control('POST /simulate', { days: 0 })
  await look(app)
  for (const by of ['PT1H', 'P1D', '-PT3H', 'x', 'P4000000D']) await control('POST /clock/advance', { by })
  await look(app)
  await control('PUT /clock', { mode: 'frozen', now: '2026-03-09T12:00:00Z' })
  await look(app)
  await control('PUT /clock', { mode: 'shifted', now: '2026-03-09T12:00:00Z' })
  await control('PUT /clock', { mode: 'real' })
  await control('PUT /clock', { mode: 'frozen', now: '2026-03-07T15:00:00Z' })
}

/** Fault rules, recorded requests, verifications. */
export async function faultsAndRequests(app: TestApp): Promise<void> {
  const { control, call } = app
  const [seller, buyer] = [app.sellers[0]!, app.buyers[0]!]
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
    for (const url of ['/currencies', '/users/me', `/items/${ITEM}`, '/missed_feeds', '/questions/search?limit=1'])
      for (const who of [seller, buyer]) await who.get(url)
  await control('GET /faults')
  await control('DELETE /faults/2')
  await control('GET /faults/2')
  await control('DELETE /faults')
  for (const fault of ['503', '429', '404', 'drop', 'delay=1', 'x', '200', ''])
    await call({ url: '/currencies', headers: { 'x-sandbox-fault': fault } })
  await control('GET /requests?limit=10&order=desc')
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
}

/** Users, listings, shipments, subscriptions, applications. */
export async function people(app: TestApp): Promise<void> {
  const { control, call } = app
  const [seller] = app.sellers as [TestApp['sellers'][0]]
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
}

/** Assumptions, snapshots, worlds. */
export async function worlds(app: TestApp): Promise<void> {
  const { control, call } = app
  const [seller, buyer] = [app.sellers[0]!, app.buyers[0]!]
  for (const [name, value] of [
    ['contacts.current_bucket', 'exclude'],
    ['contacts.day_offset', '+05:00'],
    ['contacts.auth', 'required'],
    ['auth.query_token', 'reject'],
    ['auth.query_token', 'x'],
    ['x', 'x'],
  ]) {
    await control(`PATCH /assumptions/${name}`, { value })
    await look(app)
    await call(`/users/me?access_token=${seller.token}`)
  }
  await control('POST /snapshots', { name: 'a' })
  await control('POST /snapshots', { name: 'a' })
  await control('POST /snapshots', { name: '..' })
  await buyer.post('/questions', { item_id: ITEM, text: 'after' })
  await control('POST /snapshots/a/restore')
  await look(app)
  await buyer.post('/questions', { item_id: ITEM, text: 'after' })
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
  await look(app)
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
