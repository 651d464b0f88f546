import t from 'tap'
import { badRequest, errorBody, notFound, start, valuesOf } from '../support/app.ts'
import { plainItem, shippingOf } from '../support/items.ts'
import { takeOutbox } from '../support/outbox.ts'

const app = await start(t)
const { control, call, sellers, world, buyer } = app
const [seller, brazilian] = sellers as [(typeof sellers)[0], (typeof sellers)[0]]

/** The events published since the last call: topic, resource and users. */
const takeEvents = async () =>
  (await takeOutbox(world)).map(({ topic, resource, user_ids }) => [topic, resource, JSON.parse(user_ids)])
const eventOf = (id: string, filter = seller) => ['items', `/items/${id}`, [filter.id]]

t.test('creates a listing with all given members', async (t) => {
  await takeEvents()
  const { status, body } = await control('POST /items', {
    seller_id: seller.id,
    id: 'MLA900000001',
    title: 'Mate "de\ud800 calabaza"',
    price: 129.5,
    available_quantity: 7,
    currency_id: 'USD',
    status: 'paused',
    shipping_mode: 'custom',
    in_flex: false,
  })
  t.equal(status, 201)
  const item = plainItem({
    id: 'MLA900000001',
    title: 'Mate "de\ufffd calabaza"',
    seller_id: seller.id,
    price: 129.5,
    currency_id: 'USD',
    status: 'paused',
    shipping: shippingOf('custom'),
    seller_address: (await call('/items/MLA1400000001')).body.seller_address,
    date_created: '2026-03-07T15:00:00.000Z',
    available_quantity: 7,
  })
  const own = { in_flex: false, seller_sku: null, price_automation: false, promotion_until: null, description: null }
  t.strictSame(body, { ...item, ...own })
  t.strictSame((await call('/items/MLA900000001')).body, item, 'the public API shows the same')
  t.strictSame((await control('GET /items/MLA900000001')).body, body)
  t.strictSame(await takeEvents(), [eventOf('MLA900000001')])
})

t.test('fills in missing members and continues the ids of the site', async (t) => {
  const created = async (seller_id: number) => (await control('POST /items', { seller_id })).body
  const first = await created(brazilian.id)
  t.strictSame(
    [first.id, first.title, first.price, first.currency_id, first.status, first.shipping.mode, first.in_flex],
    ['MLB1400000026', 'Produto de teste', 1000, 'BRL', 'active', 'me2', false],
  )
  t.strictSame([(await created(seller.id)).id, (await created(seller.id)).id], ['MLA1400000026', 'MLA1400000027'])
  const { id: venezuelan } = (await control('POST /users', { site_id: 'MLV' })).body
  const others = await created(venezuelan)
  t.strictSame([others.id, others.currency_id, others.title], ['MLV1400000001', 'VEF', 'Producto de prueba'])
  for (const id of ['MLV9999999999', 'MLV9999999998', 'MLV99999999999999999999', 'MLV01', 'MLV1400000003'])
    t.equal((await control('POST /items', { seller_id: venezuelan, id })).body.id, id)
  t.strictSame(
    [(await created(venezuelan)).id, (await created(venezuelan)).id],
    ['MLV1400000004', 'MLV1400000005'],
    'skips the last ids of ten digits, which leave no room above them',
  )
  t.equal((await call(`/items?ids=MLV01,MLV99999999999999999999`)).body.length, 2)
})

t.test('rejects invalid listings', async (t) => {
  const before = (await control('GET /items?limit=0')).body
  await takeEvents()
  const id = 'id: must be a site followed by 1 to 20 digits'
  const invalid: [member: object, message: string][] = [
    [{ category_id: 'x' }, 'category_id: must be a site followed by digits, or null'],
    [
      { promotion: { price: 1, until: 'x' } },
      'promotion.until: must be an ISO 8601 date-time, for example 2026-03-01T00:00:00.000-04:00',
    ],
  ]
  for (const [member, message] of invalid) {
    const rejected = badRequest(message)
    t.strictSame((await control('POST /items', { seller_id: seller.id, ...member })).body, rejected)
    t.strictSame((await control('PATCH /items/MLA1400000001', member)).body, rejected)
  }
  const rows: [member: object, status: number, code: string, message: string][] = [
    [{ seller_id: 5 }, 404, 'not_found', 'User with id 5 not found'],
    [{ id: 'MLA' }, 400, 'bad_request', id],
    [{ id: 1400000001 }, 400, 'bad_request', id],
    [{ id: `MLA${'1'.repeat(21)}` }, 400, 'bad_request', id],
    [{ id: 'MLB77' }, 400, 'bad_request', 'id: must begin with the site of the seller, MLA'],
    [{ id: 'MLA1400000001' }, 409, 'conflict', 'id: listing MLA1400000001 exists already'],
    [{ in_flex: true, shipping_mode: 'me1' }, 403, 'forbidden', 'item down'],
    [{ in_flex: true, status: 'paused' }, 403, 'forbidden', 'item down'],
  ]
  for (const [member, status, code, message] of rows) {
    const rejected = await control('POST /items', { seller_id: seller.id, ...member })
    t.strictSame([rejected.status, rejected.body], [status, errorBody(status, code, message)])
  }
  t.match(
    (await control('POST /items', { seller_id: seller.id, currency_id: 'XXX' })).body.message,
    /^currency_id: must be one of ARS, BRL, /,
  )
  for (const id of ['MLA5', 'x', `MLA${'1'.repeat(21)}`]) {
    const missing = notFound(`Item with id ${id} not found`)
    t.strictSame((await control(`GET /items/${id}`)).body, missing)
    t.strictSame((await control(`PATCH /items/${id}`, { price: 5 })).body, missing)
  }
  t.strictSame((await control('GET /items?limit=0')).body, before, 'no listing was created')
  t.strictSame(await takeEvents(), [], 'no event was published')
})

t.test('counts questions and contacts of listings on demand', async (t) => {
  const listed = async (query = '') => (await control(`GET /items?limit=1000${query}`)).body.results
  const counts = (await listed('&counts=true')) as {
    id: string
    questions: number
    unanswered: number
    contacts: number
  }[]
  t.strictSame(
    counts.map(({ questions: _, unanswered: __, contacts: ___, ...listing }) => listing),
    await listed(),
  )
  const total = async (query: string) => (await control(`GET /questions?limit=0&${query}`)).body.paging.total
  for (const { id, questions, unanswered } of counts.slice(0, 5))
    t.strictSame(
      [questions, unanswered],
      [await total(`item_id=${id}`), await total(`item_id=${id}&status=UNANSWERED`)],
    )
  const { id, contacts } = counts.find((one) => one.contacts > 0 && one.unanswered > 0 && one.id.startsWith('MLA'))!
  await control('POST /contacts', { kind: 'phone_view', item_id: id })
  t.equal((await listed('&counts=true')).find((one: { id: string }) => one.id === id).contacts, contacts + 1)
})

t.test('lists by id, filtered and paged', async (t) => {
  const combined = (await control('GET /items?limit=1000')).body
  t.equal(combined.paging.total, combined.results.length)
  const ids = valuesOf(combined.results, 'id')
  t.strictSame(ids, [...ids].sort())
  for (const filter of ['', `seller_id=${brazilian.id}`])
    for (const status of ['', 'closed']) {
      const matching = combined.results.filter(
        (item: { seller_id: number; status: string }) =>
          (filter === '' || item.seller_id === brazilian.id) && (status === '' || item.status === status),
      )
      t.ok(matching.length > 2)
      t.strictSame((await control(`GET /items?${filter}${status && `&status=${status}`}&limit=2&offset=1`)).body, {
        paging: { total: matching.length, limit: 2, offset: 1 },
        results: matching.slice(1, 3),
      })
    }
  t.equal((await control('GET /items?seller_id=x')).body.message, 'seller_id: must be an integer')
  t.equal(
    (await control('GET /items?status=sold')).body.message,
    'status: must be one of active, paused, closed, under_review, inactive',
  )
})

t.test('changes only the given members and publishes an event for each change', async (t) => {
  const { id } = (await control('POST /items', { seller_id: seller.id })).body
  await control('POST /clock/advance', { by: 'PT1H' })
  // That of the new listing, and those of parcels of the demo, which move with the clock.
  await takeEvents()
  const before = (await control(`GET /items/${id}`)).body
  const same = { title: before.title, price: before.price, status: 'active', shipping_mode: 'me2', in_flex: false }
  for (const change of [{}, same]) t.strictSame((await control(`PATCH /items/${id}`, change)).body, before)
  const now = '2026-03-07T16:00:00.000Z'
  const renamed = await control(`PATCH /items/${id}`, { title: 'Otro', price: 0.5 })
  t.strictSame(renamed.body, { ...before, title: 'Otro', price: 0.5, base_price: 0.5, last_updated: now })
  t.strictSame(await takeEvents(), [eventOf(id), ['items_prices', ...eventOf(id).slice(1)]])

  const offered = await control(`PATCH /items/${id}`, { in_flex: true })
  const inFlex = shippingOf('me2', { inFlex: true })
  t.strictSame(offered.body, { ...renamed.body, shipping: inFlex, in_flex: true })
  t.equal((await seller.get(`/sites/MLA/shipping/selfservice/items/${id}`)).status, 204)
  t.strictSame(await takeEvents(), [eventOf(id)])
  t.strictSame((await control(`PATCH /items/${id}`, { in_flex: true })).body, offered.body)
  t.strictSame(await takeEvents(), [])

  const withoutFlex = await control(`PATCH /items/${id}`, { shipping_mode: 'me1' })
  t.strictSame(withoutFlex.body.shipping, shippingOf('me1'))
  t.strictSame(await takeEvents(), [eventOf(id)], 'the listing left Flex')
  const rejected = await control(`PATCH /items/${id}`, { title: 'No', status: 'paused', in_flex: true })
  t.strictSame(rejected.body, errorBody(403, 'forbidden', 'item down'))
  t.strictSame((await control(`GET /items/${id}`)).body, withoutFlex.body, 'nothing was written')
  t.strictSame(await takeEvents(), [])

  const combined = await control(`PATCH /items/${id}`, { shipping_mode: 'me2', status: 'active', in_flex: true })
  t.strictSame(combined.body, offered.body)
  await takeEvents()
  t.strictSame((await control(`PATCH /items/${id}`, { in_flex: false, status: 'closed' })).body, {
    ...renamed.body,
    status: 'closed',
  })
  t.strictSame(await takeEvents(), [eventOf(id), eventOf(id)])
  const created = (await control('POST /items', { seller_id: seller.id, in_flex: true })).body
  t.strictSame(created.shipping, inFlex)
  t.strictSame(
    await takeEvents(),
    [eventOf(created.id), eventOf(created.id)],
    'one event for the listing, one for Flex',
  )
})

t.test('questions follow the status of their listing', async (t) => {
  const { id } = (await control('POST /items', { seller_id: seller.id })).body
  const question = (await buyer.post('/questions', { item_id: id, text: '¿Hay stock?' })).body.id
  const event = ['questions', `/questions/${question}`, [seller.id, buyer.id]]
  await takeEvents()
  for (const [status, followed, events] of [
    ['inactive', 'UNANSWERED', [eventOf(id)]],
    ['under_review', 'UNDER_REVIEW', [event, eventOf(id)]],
    ['under_review', 'UNDER_REVIEW', []],
    ['closed', 'CLOSED_UNANSWERED', [event, eventOf(id)]],
    ['active', 'CLOSED_UNANSWERED', [eventOf(id)]],
  ] as const) {
    t.equal((await control(`PATCH /items/${id}`, { status })).body.status, status)
    t.equal((await buyer.get(`/questions/${question}`)).body.status, followed)
    t.strictSame(await takeEvents(), events, status)
  }
})

t.test('sets what only a control call can, and a promotion', async (t) => {
  const { id } = (await control('POST /items', { seller_id: seller.id, price: 1000, available_quantity: 3 })).body
  await takeEvents()
  const patch = async (body: object) => (await control(`PATCH /items/${id}`, body)).body
  const state = {
    sold_quantity: 4,
    sub_status: ['held'],
    tags: ['loyalty_discount_eligible'],
    condition: 'used',
    category_id: 'MLA7015',
    catalog_product_id: 'MLA12345678',
    price_automation: true,
    description: 'De madera.',
  }
  const changed = await patch(state)
  const tags = [...state.tags, 'test_item']
  t.match(changed, { ...state, tags, initial_quantity: 7, available_quantity: 3, domain_id: 'MLA-FURNITURE' })
  t.strictSame(await takeEvents(), [eventOf(id)])
  t.strictSame((await control(`GET /items/${id}`)).body, changed)
  t.match((await call(`/items/${id}`)).body, { sold_quantity: 4, condition: 'used', tags })
  t.equal((await call(`/items/${id}/description`)).body.plain_text, 'De madera.')
  const until = '2026-04-09T12:00:00.000Z'
  t.match(await patch({ promotion: { price: 800, until } }), {
    price: 800,
    base_price: 1000,
    original_price: 1000,
    promotion_until: until,
  })
  t.strictSame(await takeEvents(), [eventOf(id), ['items_prices', ...eventOf(id).slice(1)]])
  t.match(await patch({ promotion: { price: 700 } }), { price: 700, original_price: 1000, promotion_until: null })
  t.match(await patch({ promotion: null }), { price: 1000, base_price: 1000, original_price: null })
  await patch({ promotion: { price: 700 } })
  t.match(await patch({ price: 900 }), { price: 900, original_price: null }, 'a price ends the promotion')
  const high = badRequest('promotion.price: must be below the price of the listing, 900')
  t.strictSame((await control(`PATCH /items/${id}`, { title: 'No', promotion: { price: 900 } })).body, high)
  t.not((await call(`/items/${id}`)).body.title, 'No', 'nothing was written')
  const usual = { sub_status: [], tags: null, category_id: null, catalog_product_id: null, price_automation: false }
  t.match(await patch({ ...usual, condition: 'new', description: null }), {
    sub_status: [],
    tags: ['good_quality_picture', 'immediate_payment', 'cart_eligible', 'test_item'],
    category_id: 'MLA3530',
    catalog_product_id: null,
    price_automation: false,
    description: null,
  })
  t.equal((await call(`/items/${id}/description`)).status, 404)

  const created = await control('POST /items', { seller_id: seller.id, price: 10, promotion: { price: 5 }, ...state })
  t.match([created.status, created.body], [201, { ...state, tags, price: 5, original_price: 10 }])
})
