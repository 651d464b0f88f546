import { eq } from 'drizzle-orm'
import t from 'tap'
import { item } from '../../domains/items/tables.ts'
import { billingInfoId } from '../../domains/orders/billing.ts'
import { DAY, NOW, start } from '../support/app.ts'
import { takeOutbox } from '../support/outbox.ts'
import { errorBody, expectAnswer, questionFixtures } from '../support/questions.ts'

const app = await start(t)
const { world, call, control } = app
const { createParties, createUser, createListing, setClock } = questionFixtures(app)
t.beforeEach(() => setClock(NOW))

type Parties = Awaited<ReturnType<typeof createParties>>
const buy = async ({ item, buyer }: Parties, more: object = {}) => {
  const { status, body } = await control('POST /orders', { item_id: item, buyer: buyer.id, ...more })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body
}
/** Units for sale and sold. */
const stockOf = (id: string) =>
  world.read.db
    .select({ available: item.available_quantity, sold: item.sold_quantity })
    .from(item)
    .where(eq(item.id, id))
    .get()
const setStock = (id: string, available_quantity: number, details: object = {}) =>
  world.tx(async (q) =>
    q.db
      .update(item)
      .set({ available_quantity, details: JSON.stringify(details) })
      .where(eq(item.id, id))
      .run(),
  )
/** The events of orders and payments since the last call. */
const takeEvents = async () =>
  (await takeOutbox(world))
    .filter(({ topic }) => topic !== 'items')
    .map(({ topic, resource, user_ids }) => [topic, resource, JSON.parse(user_ids)])

t.test('a purchase: the whole order, its pack, payment and events', async (t) => {
  const parties = await createParties()
  const { seller, buyer, item } = parties
  await setStock(item, 5, { listing_type_id: 'gold_pro', warranty: '6 meses', seller_custom_field: 'A1' })
  await takeEvents()
  const bought = await buy(parties, { quantity: 2, price: 19999.99, installments: 3 })
  const { order } = bought
  const { id, pack_id, shipping } = order
  const [{ id: payment }] = order.payments
  const { first_name, last_name } = (await buyer.get('/users/me')).body
  const at = '2026-03-07T11:00:00.000-04:00'
  const payments = [
    {
      id: payment,
      order_id: id,
      payer_id: buyer.id,
      collector: { id: seller.id },
      reason: 'Silla',
      site_id: 'MLA',
      payment_method_id: 'visa',
      currency_id: 'ARS',
      installments: 3,
      operation_type: 'regular_payment',
      payment_type: 'credit_card',
      available_actions: ['refund'],
      status: 'approved',
      status_code: null,
      status_detail: 'accredited',
      transaction_amount: 39999.98,
      transaction_amount_refunded: 0,
      taxes_amount: 0,
      shipping_cost: 0,
      coupon_amount: 0,
      overpaid_amount: 0,
      total_paid_amount: 39999.98,
      installment_amount: 13333.33,
      date_approved: at,
      date_created: at,
      date_last_modified: at,
      marketplace_fee: 14400,
      authorization_code: null,
    },
  ]
  const whole = {
    id,
    date_created: at,
    last_updated: at,
    date_closed: at,
    expiration_date: '2026-03-28T11:00:00.000-04:00',
    pack_id,
    fulfilled: null,
    buying_mode: 'buy_equals_pay',
    shipping_cost: 0,
    mediations: [],
    total_amount: 39999.98,
    paid_amount: 39999.98,
    coupon: { id: null, amount: 0 },
    order_items: [
      {
        item: {
          id: item,
          title: 'Silla',
          category_id: 'MLA3530',
          variation_id: null,
          seller_custom_field: 'A1',
          variation_attributes: [],
          warranty: '6 meses',
          condition: 'new',
          seller_sku: 'A1',
          global_price: null,
          net_weight: null,
          user_product_id: item.replace('MLA', 'MLAU'),
        },
        quantity: 2,
        requested_quantity: { measure: 'unit', value: 2 },
        picked_quantity: null,
        unit_price: 19999.99,
        full_unit_price: 19999.99,
        gross_price: 39999.98,
        currency_id: 'ARS',
        manufacturing_days: null,
        sale_fee: 7200,
        listing_type_id: 'gold_pro',
        base_exchange_rate: null,
        base_currency_id: null,
        element_id: 1,
      },
    ],
    currency_id: 'ARS',
    payments,
    shipping,
    status: 'paid',
    status_detail: null,
    tags: ['pack_order', 'paid', 'not_delivered', 'test_order'],
    comments: null,
    feedback: { buyer: null, seller: null },
    context: { channel: 'marketplace', site: 'MLA', flows: [] },
    seller: { id: seller.id, nickname: seller.nickname },
    buyer: { id: buyer.id, nickname: buyer.nickname, first_name, last_name, billing_info: { id: billingInfoId(id) } },
    taxes: { amount: null, currency_id: null, id: null },
    cancel_detail: null,
    manufacturing_ending_date: null,
    order_request: { change: null, return: null },
  }
  const pack = {
    shipment: shipping,
    orders: [{ id }],
    id: pack_id,
    status: 'released',
    status_detail: null,
    buyer: { id: buyer.id },
    date_created: '2026-03-07T11:00:00.000-0400',
    last_updated: '2026-03-07T11:00:00.000-0400',
  }
  t.strictSame(bought, { order: whole, pack, payments, shipment: shipping })
  t.match(shipping, { id: Number })
  expectAnswer(t, await seller.get(`/orders/${id}`), 200, whole)
  expectAnswer(t, await buyer.get(`/orders/${id}`), 200, whole, 'its buyer')
  expectAnswer(t, await seller.get(`/packs/${pack_id}`), 200, pack)
  expectAnswer(t, await control(`GET /orders/${id}`), 200, whole)
  t.strictSame(await stockOf(item), { available: 3, sold: 2 })
  t.strictSame(await takeEvents(), [
    ['orders_v2', `/orders/${id}`, [seller.id, buyer.id]],
    ['payments', `/collections/${payment}`, [seller.id, buyer.id]],
    ['shipments', `/shipments/${shipping.id}`, [seller.id, buyer.id]],
  ])
})

t.test('who may read an order and a pack', async (t) => {
  const parties = await createParties()
  const { seller, buyer } = parties
  const stranger = await createUser()
  const { order } = await buy(parties)
  const noOrder = errorBody(404, 'order_not_found', 'Order does not exist')
  const notOwned = errorBody(403, 'not_owned_order', 'The user has not access to the order')
  const noPack = errorBody(404, 'not_found', 'Order do not exists')
  expectAnswer(t, await seller.get('/orders/2000010999999999'), 404, noOrder)
  expectAnswer(t, await seller.get('/orders/x1'), 400, errorBody(400, 'invalid_order_id', 'Invalid order id: x1'))
  expectAnswer(t, await stranger.get(`/orders/${order.id}`), 403, notOwned)
  expectAnswer(t, await stranger.get(`/packs/${order.pack_id}`), 403, notOwned)
  expectAnswer(t, await seller.get('/packs/1'), 404, noPack)
  expectAnswer(t, await seller.get('/packs/x'), 404, noPack)
  expectAnswer(t, await seller.get(`/packs/${order.id}`), 404, noPack, 'the order has a pack')
  await control('PATCH /assumptions/orders.pack_of_single', { value: 'never' })
  const alone = (await buy({ ...parties, item: await createListing(seller) })).order
  t.equal(alone.pack_id, null)
  t.match((await buyer.get(`/packs/${alone.id}`)).body, { id: alone.id, orders: [{ id: alone.id }] }, 'a pack of one')
  await control('PATCH /assumptions/orders.pack_of_single', { value: 'always' })
  setClock(NOW + 370 * DAY)
  expectAnswer(t, await seller.get(`/orders/${order.id}`), 404, noOrder, 'older than a year')
})

t.test('a cart is one pack of several orders; each party sees its own', async (t) => {
  const one = await createParties()
  const other = await createParties()
  await setStock(one.item, 5)
  const items = [{ item_id: one.item, quantity: 2 }, { item_id: other.item }, { item_id: one.item }]
  const { status, body } = await control('POST /orders', { items, buyer: one.buyer.id })
  t.equal(status, 201)
  const ids = body.pack.orders.map(({ id }: { id: number }) => id)
  t.equal(ids.length, 3)
  t.strictSame([body.order.id, body.order.shipping_cost, body.payments.length], [ids[0], null, 3])
  const ordersOf = async (user: typeof one.seller) =>
    (await user.get(`/packs/${body.pack.id}`)).body.orders.map(({ id }: { id: number }) => id)
  t.strictSame(await ordersOf(one.buyer), ids)
  t.strictSame(await ordersOf(one.seller), [ids[0], ids[2]])
  t.strictSame(await ordersOf(other.seller), [ids[1]])
  t.strictSame(await stockOf(one.item), { available: 2, sold: 3 })
  await control(`POST /orders/${ids[0]}/cancel`, {})
  t.equal((await other.seller.get(`/packs/${body.pack.id}`)).body.status, 'released')
  await control(`POST /orders/${ids[1]}/cancel`, {})
  t.equal((await other.seller.get(`/packs/${body.pack.id}`)).body.status, 'cancelled')
})

t.test('a variation is bought with its price, its code and its stock', async (t) => {
  const parties = await createParties()
  const value = { id: 'COLOR', name: 'Color', value_id: '52049', value_name: 'Negro' }
  const variation = {
    ...{
      id: 7,
      price: 1500,
      available_quantity: 2,
      sold_quantity: 0,
      attribute_combinations: [value],
      picture_ids: [],
    },
    attributes: [{ id: 'SELLER_SKU', name: 'SKU', value_id: null, value_name: 'NEGRO-1' }],
  }
  await setStock(parties.item, 2, { variations: [variation] })
  const { order } = await buy(parties, { quantity: 2 })
  const [{ item: bought, unit_price }] = order.order_items
  t.strictSame(
    [bought.variation_id, bought.seller_sku, bought.variation_attributes, unit_price],
    [7, 'NEGRO-1', [value], 1500],
  )
  const again = { item_id: parties.item, buyer: parties.buyer.id, variation_id: 7 }
  expectAnswer(t, await control('POST /orders', again), 409, errorBody(409, 'conflict', 'only 0 available'))
  const unknown = errorBody(400, 'bad_request', 'variation_id: must be one of 7')
  expectAnswer(t, await control('POST /orders', { ...again, variation_id: 8 }), 400, unknown)
})

t.test('an order without payment is hidden until it is paid, and cancelled after three days', async (t) => {
  const parties = await createParties()
  const { seller, buyer, item } = parties
  await setStock(item, 2)
  await takeEvents()
  for (const status of ['payment_required', 'payment_in_process', 'confirmed']) {
    const { order, payments } = await buy(parties, { status })
    t.equal(order.status, status)
    t.strictSame(
      payments.map((one: { status: string }) => one.status),
      { payment_required: ['pending'], payment_in_process: ['in_process'], confirmed: [] }[status],
    )
    t.equal((await seller.get(`/orders/${order.id}`)).status, 200)
    setClock(NOW + 3 * DAY)
    const { body } = await buyer.get(`/orders/${order.id}`)
    t.strictSame(
      [body.status, body.cancel_detail, body.payments.map((one: { status: string }) => one.status)],
      [
        'cancelled',
        {
          ...{ group: 'buyer', code: 'payment_expired', description: 'The order was not paid in time' },
          ...{ requested_by: 'marketplace', date: '2026-03-10T11:00:00.000-04:00' },
        },
        payments.map(() => 'cancelled'),
      ],
    )
    const refused = errorBody(409, 'conflict', 'order is cancelled')
    expectAnswer(t, await control(`POST /orders/${order.id}/pay`), 409, refused)
    setClock(NOW + 3 * DAY - 1)
    t.equal((await buyer.get(`/orders/${order.id}`)).body.status, status, 'the clock went back')
    setClock(NOW)
  }
  t.strictSame(await takeEvents(), [])
  t.strictSame(await stockOf(item), { available: 2, sold: 0 })
})

t.test('paying takes the units from the stock; without any the order is cancelled', async (t) => {
  const parties = await createParties()
  const { seller, buyer, item } = parties
  const users = [seller.id, buyer.id]
  const first = (await buy(parties, { status: 'payment_required' })).order
  const second = (await buy(parties, { status: 'confirmed' })).order
  await takeEvents()
  setClock(NOW + DAY)
  const paid = await control(`POST /orders/${first.id}/pay`)
  t.match(paid, {
    status: 200,
    body: { status: 'paid', date_closed: '2026-03-08T11:00:00.000-04:00', paid_amount: 1000 },
  })
  // The clock also moves the parcels of other sellers.
  const ofSeller = (await takeEvents()).filter(([, , [seller_id]]) => seller_id === seller.id)
  t.strictSame(ofSeller, [
    ['orders_v2', `/orders/${first.id}`, users],
    ['payments', `/collections/${first.payments[0].id}`, users],
    ['shipments', `/shipments/${paid.body.shipping.id}`, users],
  ])
  t.strictSame(await stockOf(item), { available: 0, sold: 1 })
  const { body } = await control(`POST /orders/${second.id}/pay`)
  t.match(body, { status: 'cancelled', paid_amount: 0, cancel_detail: { group: 'mediations', code: 'out_of_stock' } })
  t.match(body.payments, [{ status: 'refunded', transaction_amount_refunded: 1000 }])
  t.strictSame(await stockOf(item), { available: 0, sold: 1 })
  expectAnswer(t, await control(`POST /orders/${first.id}/pay`), 409, errorBody(409, 'conflict', 'order is paid'))
})

t.test('refunds a part, and cancels with or without restocking', async (t) => {
  const parties = await createParties()
  const { item } = parties
  await setStock(item, 9)
  const { order } = await buy(parties, { quantity: 2, price: 0.35 })
  const refund = (amount?: number) => control(`POST /orders/${order.id}/refund`, { amount })
  const part = (await refund(0.1)).body
  t.match(part, { status: 'partially_refunded', paid_amount: 0.6, tags: ['pack_order', 'paid', 'not_delivered'] })
  t.match(part.payments, [
    { status: 'approved', status_detail: 'partially_refunded', transaction_amount_refunded: 0.1 },
  ])
  const tooMuch = errorBody(400, 'bad_request', 'amount: must be above 0, at most 0.6')
  expectAnswer(t, await refund(0.61), 400, tooMuch)
  expectAnswer(t, await refund(0.001), 400, tooMuch)
  const all = (await refund()).body
  t.match(all, { status: 'cancelled', paid_amount: 0, cancel_detail: { group: 'mediations', description: 'refunded' } })
  t.match(all.payments, [{ status: 'refunded', transaction_amount_refunded: 0.7 }])
  t.strictSame(await stockOf(item), { available: 7, sold: 0 })
  expectAnswer(t, await refund(), 409, errorBody(409, 'conflict', 'order is cancelled'))
  const { order: other } = await buy(parties, { quantity: 3 })
  const cancelled = await control(`POST /orders/${other.id}/cancel`, { by: 'seller', reason: 'roto', restock: true })
  t.strictSame(cancelled.body.cancel_detail, {
    ...{ group: 'seller', code: 'seller_cancelled', description: 'roto', requested_by: 'seller' },
    date: '2026-03-07T11:00:00.000-04:00',
  })
  t.strictSame(await stockOf(item), { available: 7, sold: 0 })
})

t.test('the seller says whether it was delivered; control calls set any state', async (t) => {
  const parties = await createParties()
  const { seller, buyer } = parties
  const { order } = await buy(parties, { shipping: 'none' })
  const put = (user: typeof seller, body: unknown, id = order.id) =>
    call({
      ...{ method: 'PUT', url: `/orders/${id}`, payload: JSON.stringify(body) },
      headers: { authorization: `Bearer ${user.token}` },
    })
  await takeEvents()
  const tagged = await put(seller, { tags: ['delivered', 'paid', 'x'] })
  const tags = ['pack_order', 'paid', 'delivered', 'test_order', 'no_shipping']
  expectAnswer(t, tagged, 200, { ...order, tags })
  await put(seller, { tags: ['delivered'] })
  t.equal((await takeEvents()).length, 1, 'an event for a change only')
  t.equal((await put(seller, { tags: ['not_delivered'] })).body.tags[2], 'not_delivered')
  const notOwned = errorBody(403, 'not_owned_order', 'The user has not access to the order')
  expectAnswer(t, await put(buyer, { tags: ['delivered'] }), 403, notOwned)
  expectAnswer(
    t,
    await put(seller, {}),
    400,
    errorBody(400, 'bad_request', 'tags: is required, must be an array of strings'),
  )
  const patch = (body: unknown) => control(`PATCH /orders/${order.id}`, body)
  t.match(await patch({ status: 'invalid' }), { status: 200, body: { status: 'invalid' } })
  const fraud = await patch({ status: 'paid', tags: ['fraud_risk_detected', 'delivered'] })
  t.strictSame(fraud.body.tags, ['pack_order', 'paid', 'delivered', 'fraud_risk_detected'])
  t.match(await patch({ tags: ['paid'] }), { status: 400 })
})

t.test('refuses a purchase', async (t) => {
  const parties = await createParties()
  const { seller, buyer, item } = parties
  const paused = await createListing(seller, 'paused')
  const conflict = (message: string) => errorBody(409, 'conflict', message)
  const bad = (message: string) => errorBody(400, 'bad_request', message)
  const both = bad('item_id: either it or items is required, not both')
  for (const [name, body, answer] of [
    ['neither', { buyer: buyer.id }, both],
    ['both', { item_id: item, items: [{ item_id: item }] }, both],
    ['no listing', { item_id: 'MLA1' }, errorBody(404, 'not_found', 'Item with id MLA1 not found')],
    ['no variation', { item_id: item, variation_id: 1 }, bad(`variation_id: listing ${item} has no variations`)],
    ['no buyer', { item_id: item, buyer: 5 }, errorBody(404, 'not_found', 'User with id 5 not found')],
    ['own listing', { item_id: item, buyer: seller.id }, bad('buyer: must not be the seller of the listing')],
    ['too many', { item_id: item, buyer: buyer.id, quantity: 2 }, conflict('only 1 available')],
    ['not active', { item_id: paused, buyer: buyer.id }, conflict(`listing ${paused} is paused`)],
    ['a cart', { items: [{ item_id: item }, { item_id: item }], buyer: buyer.id }, conflict('only 0 available')],
  ] as const)
    expectAnswer(t, await control('POST /orders', body), answer.status, answer, name)
  t.strictSame(await stockOf(item), { available: 1, sold: 0 }, 'nothing was bought')
  const noOrder = errorBody(404, 'order_not_found', 'Order does not exist')
  for (const path of ['pay', 'cancel', 'refund'])
    expectAnswer(t, await control(`POST /orders/1/${path}`, {}), 404, noOrder)
  expectAnswer(t, await control('GET /orders/1'), 404, noOrder)
  expectAnswer(t, await control('PATCH /orders/1', { status: 'paid' }), 404, noOrder)
})

t.test('lists the orders of all sellers', async (t) => {
  const parties = await createParties()
  const { seller, buyer, item } = parties
  await setStock(item, 3)
  const ids = []
  for (const status of ['paid', 'payment_required', 'paid']) ids.unshift((await buy(parties, { status })).order.id)
  const list = async (query: string) => {
    const { body } = await control(`GET /orders?${query}`)
    return [body.results.map(({ id }: { id: number }) => id), body.paging.total]
  }
  t.strictSame(await list(`seller_id=${seller.id}`), [ids, 3])
  t.strictSame(await list(`buyer_id=${buyer.id}&limit=1&before=${ids[0]}`), [[ids[1]], 3])
  t.strictSame(await list(`item_id=${item}&status=payment_required`), [[ids[1]], 1])
  t.strictSame(await list(`q=${buyer.nickname}&status=paid`), [[ids[0], ids[2]], 2])
  t.strictSame(await list(`seller_id=${seller.id}&until=2026-03-07`), [[], 0])
  setClock(NOW + 4 * DAY)
  t.strictSame(await list(`seller_id=${seller.id}&status=cancelled`), [[ids[1]], 1], 'not paid in time')
})

t.test('a world file has orders with their payments; what is missing follows from the listing', async (t) => {
  const { body: created } = await control('POST /worlds', { scenario: 'empty' })
  const base = `/w/${created.world.id}`
  const file = {
    version: 1,
    clock: { mode: 'frozen', now: '2026-03-07T15:00:00.000Z' },
    users: [
      { id: 1, site_id: 'MLA', nickname: 'TIENDA', level_id: '5_green' },
      { id: 2, site_id: 'MLA', nickname: 'CLIENTE' },
    ],
    items: [{ id: 'MLA1', seller_id: 'TIENDA', title: 'Mate', price: 20000, available_quantity: 4 }],
    orders: [
      { item_id: 'MLA1', buyer_id: 'CLIENTE', quantity: 2 },
      { item_id: 'MLA1', buyer_id: 2, status: 'payment_required', payments: [] },
    ],
  }
  const { status, body } = await control('PUT /world', file, base)
  t.equal(status, 200, JSON.stringify(body))
  const [unpaid, paid] = (await control('GET /orders', undefined, base)).body.results
  t.match(paid, { status: 'paid', total_amount: 40000, paid_amount: 40000, pack_id: null })
  t.match(paid.order_items, [{ sale_fee: 2600, item: { title: 'Mate' } }])
  t.match(paid.payments, [{ status: 'approved', transaction_amount: 40000 }])
  t.match(unpaid, { status: 'payment_required', payments: [], date_closed: null })
  const exported = (await control('GET /world', undefined, base)).body
  t.equal((await control('PUT /world', exported, base)).status, 200)
  t.strictSame((await control('GET /world', undefined, base)).body, exported)
  for (const [order, message] of [
    [{ item_id: 'MLA2', buyer_id: 2 }, 'orders[0].item_id: the file has no listing MLA2'],
    [{ item_id: 'MLA1', buyer_id: 1 }, 'orders[0].buyer_id: the seller cannot buy from themselves'],
  ] as const) {
    const refused = await control('PUT /world', { ...file, orders: [order] }, base)
    expectAnswer(t, refused, 400, errorBody(400, 'bad_request', message))
  }
})

t.test('the fixed fee of a cheap unit is at most half of its price [spec: orders.sale_fee]', async (t) => {
  const { seller, buyer } = await createParties()
  const fees: unknown[] = []
  for (const price of [14_999, 2001, 1999, 100.01, 1]) {
    const { body: item } = await control('POST /items', { seller_id: seller.id, title: 'Mate', price })
    const { body } = await control('POST /orders', { item_id: item.id, buyer: buyer.id })
    const order = await seller.get(`/orders/${body.order.id}`)
    fees.push(order.body.order_items[0].sale_fee)
  }
  t.strictSame(fees, [2949.87, 1260.13, 1259.37, 63, 0.63])
})
