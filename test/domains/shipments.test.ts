import { eq } from 'drizzle-orm'
import t from 'tap'
import { item as listing } from '../../domains/items/tables.ts'
import { shipment, shipment_step } from '../../domains/shipments/tables.ts'
import { DAY, HOUR, NOW, start } from '../support/app.ts'
import { takeOutbox } from '../support/outbox.ts'
import { errorBody, expectAnswer, questionFixtures } from '../support/questions.ts'

const app = await start(t)
const { world, control } = app
const { createParties, createUser, createListing, setClock } = questionFixtures(app)
t.beforeEach(() => setClock(NOW))

/** A Saturday: the next working day is Monday, 9 March. */
const AT = '2026-03-07T11:00:00.000-04:00'

type Row = typeof listing.$inferInsert
type State = [status: string, substatus: string | null, at?: number]
/** A sale with its shipment; `row`: of the listing. */
const sell = async (row: Partial<Row> = {}, more: object = {}) => {
  const parties = await createParties()
  await changeListing(parties.item, { available_quantity: 10, ...row })
  const { status, body } = await control('POST /orders', { item_id: parties.item, buyer: parties.buyer.id, ...more })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return { ...parties, order: body.order, payment: body.order.payments[0]?.id, id: body.shipment?.id as number }
}
const changeListing = (id: string, row: Partial<Row>) =>
  world.tx(async (q) => q.db.update(listing).set(row).where(eq(listing.id, id)).run())
const changeShipment = (id: number, row: Partial<typeof shipment.$inferInsert>) =>
  world.tx(async (q) => q.db.update(shipment).set(row).where(eq(shipment.id, id)).run())
/** Replaces the steps of a shipment. */
const setSteps = (id: number, ...steps: State[]) =>
  world.tx(async (q) => {
    q.db.delete(shipment_step).where(eq(shipment_step.shipment_id, id)).run()
    for (const [n, [status, substatus, at = NOW]] of steps.entries())
      q.db.insert(shipment_step).values({ shipment_id: id, n, status, substatus, at, is_published: 1 }).run()
  })
const moveTo = (person: string) => ({
  ...{ address: `${person} 12`, city: 'Mendoza', state: 'AR-M', zip_code: '5500' },
})
const newer = { headers: { 'x-format-new': 'TRUE' } }
const put = (body: object) => ({ method: 'PUT' as const, payload: JSON.stringify(body) })
/** The events of shipments since the last call. */
const takeEvents = async () =>
  (await takeOutbox(world)).filter(({ topic }) => topic === 'shipments').map(({ resource }) => resource)

const none = { id: null, name: null }
const hidden = { id: null, name: 'XXXXXXX' }
const coordinates = { latitude: -34.6037, longitude: -58.3816, geolocation_type: 'APPROXIMATE' }
const argentina = { id: 'AR', name: 'Argentina' }
const placeOf = (street: string, types: string[]) => ({
  address_line: `${street} 12`,
  street_name: street,
  street_number: '12',
  comment: null,
  zip_code: '5500',
  city: { id: 'TUxBQ01FTkRPWkE', name: 'Mendoza' },
  state: { id: 'AR-M', name: 'Mendoza' },
  country: argentina,
  neighborhood: none,
  municipality: none,
  agency: null,
  types,
  ...coordinates,
  geolocation_last_updated: '2026-03-07T15:00:00Z',
  geolocation_source: 'mercadito',
})
const selling = placeOf('Los Teros', ['default_selling_address', 'shipping'])
const buying = placeOf('Calle Sur', ['default_buying_address'])
const deliveryTime = {
  type: 'known_frame',
  date: '2026-03-11T00:00:00.000-04:00',
  unit: 'hour',
  offset: { date: '2026-03-13T00:00:00.000-04:00', shipping: 48 },
  time_frame: { from: null, to: null },
  pay_before: '2026-03-08T12:00:00.000-04:00',
  shipping: 48,
  handling: 24,
  schedule: null,
}
const [extended, limit, final] = ['2026-03-16', '2026-03-21', '2026-04-10'].map((day) => ({
  date: `${day}T00:00:00.000-04:00`,
}))
const leadTimeOf = (id: number) => ({
  option_id: id,
  shipping_method: { id: 73328, type: 'standard', name: 'Estándar a domicilio', deliver_to: 'address' },
  currency_id: 'ARS',
  cost: 0,
  list_cost: 9100,
  cost_type: 'free',
  service_id: 22,
  estimated_delivery_time: deliveryTime,
  estimated_delivery_extended: extended,
  estimated_delivery_limit: limit,
  estimated_delivery_final: final,
  estimated_schedule_limit: { date: null },
  buffering: { date: null },
  delivery_type: 'estimated',
  delivery_promise: 'estimated',
  priority_class: { id: null },
  delay: [],
})

/** A printed parcel of two units that the seller has measured, whose parties have told their addresses. */
const measured = async () => {
  const sale = await sell({ details: JSON.stringify({ shipping: { dimensions: '5x12.5x30,1200' } }) }, { quantity: 2 })
  const { seller, buyer, id } = sale
  await control(`PATCH /users/${seller.id}`, { address: moveTo('Los Teros') })
  await control(`PATCH /users/${buyer.id}`, { address: moveTo('Calle Sur'), first_name: 'Ana', last_name: 'Paz' })
  await setSteps(
    id,
    ['ready_to_ship', 'ready_to_print'],
    ['ready_to_ship', 'printed', NOW + HOUR],
    ['shipped', null, NOW + DAY],
  )
  setClock(NOW + 2 * HOUR)
  return sale
}

t.test('the older form [spec: shipments.read, shipments.dates, shipments.dimensions, shipments.phone]', async (t) => {
  const { seller, buyer, item, order, id } = await measured()
  const read = await seller.get(`/shipments/${id}`)
  const { sender_address, receiver_address } = read.body
  const printed = '2026-03-07T12:00:00.000-04:00'
  const whole = {
    id,
    mode: 'me2',
    created_by: 'receiver',
    order_id: order.id,
    order_cost: 2000,
    base_cost: 9100,
    site_id: 'MLA',
    status: 'ready_to_ship',
    substatus: 'printed',
    status_history: {
      date_cancelled: null,
      date_delivered: null,
      date_first_visit: null,
      date_handling: AT,
      date_not_delivered: null,
      date_ready_to_ship: AT,
      date_shipped: null,
      date_returned: null,
    },
    substatus_history: [
      { date: AT, substatus: 'ready_to_print', status: 'ready_to_ship' },
      { date: printed, substatus: 'printed', status: 'ready_to_ship' },
    ],
    date_created: AT,
    last_updated: printed,
    tracking_number: `MEL${id}FMXDF01`,
    tracking_method: 'MEL Distribution',
    service_id: 22,
    carrier_info: null,
    sender_id: seller.id,
    sender_address: { id: sender_address.id, ...selling },
    receiver_id: buyer.id,
    receiver_address: {
      id: receiver_address.id,
      ...buying,
      delivery_preference: 'residential',
      receiver_name: 'Ana Paz',
      receiver_phone: 'XXXXXXX',
    },
    shipping_items: [
      {
        id: item,
        description: 'Silla',
        quantity: 2,
        dimensions: '5.0x12.5x30.0,1200.0',
        dimensions_source: { id: item, origin: 'seller' },
      },
    ],
    shipping_option: {
      id,
      shipping_method_id: 73328,
      name: 'Estándar a domicilio',
      currency_id: 'ARS',
      list_cost: 9100,
      cost: 0,
      delivery_type: 'estimated',
      estimated_schedule_limit: { date: null },
      estimated_delivery_time: deliveryTime,
      estimated_delivery_limit: limit,
      estimated_delivery_final: final,
      estimated_delivery_extended: extended,
      estimated_handling_limit: { date: '2026-03-09T00:00:00.000-04:00' },
    },
    comments: null,
    date_first_printed: printed,
    market_place: 'MELI',
    return_details: null,
    tags: ['test_shipment'],
    delay: [],
    type: 'forward',
    logistic_type: 'drop_off',
    application_id: null,
    return_tracking_number: null,
    cost_components: { special_discount: 0, loyal_discount: 0, compensation: 0, gap_discount: 0, ratio: 9100 },
  }
  expectAnswer(t, read, 200, whole)
  expectAnswer(t, await buyer.get(`/shipments/${id}`), 200, whole, 'its receiver')
  t.ok(sender_address.id > 1e9 && receiver_address.id > 1e9 && sender_address.id !== receiver_address.id)
})

t.test('the newer form [spec: shipments.read.newer, shipments.tags]', async (t) => {
  const { seller, buyer, id } = await measured()
  const read = await seller.get(`/shipments/${id}`, newer)
  const { origin, destination } = read.body
  const whole = {
    snapshot_packing: null,
    last_updated: '2026-03-07T12:00:00.000-04:00',
    items_types: ['new'],
    substatus: 'printed',
    date_created: AT,
    origin: {
      node: null,
      shipping_address: { address_id: origin.shipping_address.address_id, ...selling },
      type: 'selling_address',
      sender_id: seller.id,
      snapshot: null,
    },
    destination: {
      comments: null,
      receiver_id: buyer.id,
      receiver_name: 'Ana Paz',
      shipping_address: { address_id: destination.shipping_address.address_id, ...buying },
      type: 'buyer_address',
      receiver_phone: 'XXXXXXX',
      snapshot: null,
    },
    source: { site_id: 'MLA', market_place: 'MELI', customer_id: null, application_id: null },
    tags: ['test_shipment'],
    declared_value: 2000,
    logistic: { mode: 'me2', type: 'drop_off', direction: 'forward' },
    sibling: {
      reason: null,
      sibling_id: null,
      description: null,
      source: null,
      date_created: null,
      last_updated: null,
    },
    priority_class: { id: null },
    lead_time: leadTimeOf(id),
    external_reference: null,
    tracking_number: `MEL${id}FMXDF01`,
    id,
    tracking_method: 'MEL Distribution',
    quotation: null,
    status: 'ready_to_ship',
    dimensions: { height: 10, width: 12.5, length: 30, weight: 2400 },
  }
  expectAnswer(t, read, 200, whole)
  t.equal((await seller.get(`/shipments/${id}`, { headers: { 'x-format-new': 'false' } })).body.mode, 'me2')
  t.strictSame((await seller.get(`/shipments/${id}?attributes=id,status`, newer)).body, { status: 'ready_to_ship', id })
})

t.test('what is in a shipment, what it costs, who paid and when it arrives', async (t) => {
  const { seller, buyer, item, order, payment, id } = await measured()
  const read = async (part: string) => seller.get(`/shipments/${id}/${part}`)
  expectAnswer(t, await read('items'), 200, [
    {
      item_id: item,
      description: 'Silla',
      quantity: 2,
      variation_id: null,
      dimensions: { height: 5, width: 12.5, length: 30, weight: 1200 },
      order_id: order.id,
      sender_id: seller.id,
    },
  ])
  const free = { rate: 1, type: 'mandatory', promoted_amount: 9100 }
  const costs = {
    gross_amount: 9100,
    receiver: { user_id: buyer.id, cost: 0, compensation: 0, save: 0, discounts: [free] },
    senders: [{ user_id: seller.id, cost: 9100, compensation: 0, save: 0, discounts: [] as object[] }],
  }
  expectAnswer(t, await read('costs'), 200, costs, '[spec: shipments.costs, shipments.list_cost]')
  expectAnswer(t, await read('payments'), 200, [
    { payment_id: payment, user_id: buyer.id, amount: 0, status: 'approved' },
  ])
  expectAnswer(t, await read('lead_time'), 200, leadTimeOf(id))
  expectAnswer(t, await read('carrier'), 200, {
    name: 'MEL Distribution',
    url: `https://tracking.example.com/MEL${id}FMXDF01`,
  })
  expectAnswer(t, await read('history'), 200, [
    { status: 'ready_to_ship', substatus: 'printed', date: '2026-03-07T16:00:00.000Z' },
    { status: 'ready_to_ship', substatus: 'ready_to_print', date: '2026-03-07T15:00:00.000Z' },
  ])
  await changeShipment(id, { details: JSON.stringify({ cost: 2275 }) })
  const shared = (await read('costs')).body
  t.strictSame(shared.receiver.discounts, [{ rate: 0.75, type: 'mandatory', promoted_amount: 6825 }])
  t.strictSame([shared.senders[0].cost, shared.senders[0].discounts[0].rate], [6825, 0.25])
  t.match((await read('lead_time')).body, { cost: 2275, cost_type: 'partially_free' })
  await changeShipment(id, { details: JSON.stringify({ cost: 9100 }) })
  t.match((await read('lead_time')).body, { cost_type: 'charged' })
})

t.test('the SLA and delays [spec: shipments.sla, shipments.delays, shipments.promises]', async (t) => {
  const { seller, id } = await sell()
  const sla = async () => (await seller.get(`/shipments/${id}/sla`)).body
  const expected = { service: null, expected_date: '2026-03-09T23:59:59-04:00', last_updated: '2026-03-07T15:00:00Z' }
  const noDelay = errorBody(404, 'not_found', 'Delays Not Found for shipment')
  expectAnswer(t, await seller.get(`/shipments/${id}/sla`), 200, { status: 'on_time', ...expected })
  expectAnswer(t, await seller.get(`/shipments/${id}/delays`), 404, noDelay)
  setClock(NOW + 3 * DAY)
  t.strictSame(await sla(), { status: 'delayed', ...expected })
  expectAnswer(t, await seller.get(`/shipments/${id}/delays`), 200, {
    shipment_id: id,
    delays: [{ type: 'sla_delayed', date: '2026-03-10T03:59:59Z', source: 'shipping-delays' }],
  })
  const printed: State = ['ready_to_ship', 'printed']
  for (const [days, status] of [
    [1, 'early'],
    [2, 'on_time'],
    [3, 'delayed'],
  ] as const) {
    await setSteps(id, printed, ['ready_to_ship', 'dropped_off', NOW + days * DAY], ['shipped', null, NOW + 4 * DAY])
    setClock(NOW + 9 * DAY)
    t.equal((await sla()).status, status, `dropped off after ${days} days`)
  }
  const noData = errorBody(404, 'not_found', 'failed to retrieve data')
  await setSteps(id, ['cancelled', null])
  expectAnswer(t, await seller.get(`/shipments/${id}/sla`), 404, noData, 'cancelled [spec: shipments.sla.none]')
  expectAnswer(t, await seller.get(`/shipments/${id}/delays`), 404, noDelay, 'cancelled')
  await setSteps(id, printed)
  await changeShipment(id, { logistic_type: 'fulfillment' })
  expectAnswer(t, await seller.get(`/shipments/${id}/sla`), 404, noData, 'fulfillment')
  for (const unknown of ['1', 'x']) expectAnswer(t, await seller.get(`/shipments/${unknown}/sla`), 404, noData, unknown)
})

t.test('days of the promises: Flex, sellers who send themselves, weekdays', async (t) => {
  const { seller, id } = await sell({ in_flex: 1 })
  const leadTime = async () => (await seller.get(`/shipments/${id}/lead_time`)).body
  const dateOf = async () => (await leadTime()).estimated_delivery_time.date
  t.equal(await dateOf(), '2026-03-09T00:00:00.000-04:00')
  await changeShipment(id, { mode: 'me1', logistic_type: 'default' })
  t.equal(await dateOf(), '2026-03-14T00:00:00.000-04:00')
  t.equal((await leadTime()).service_id, 154)
  await changeShipment(id, { mode: 'me2', logistic_type: 'drop_off', date_created: NOW - 4 * DAY })
  t.equal((await leadTime()).estimated_delivery_time.pay_before, '2026-03-03T12:00:00.000-04:00', 'a Tuesday')
  t.equal(await dateOf(), '2026-03-06T00:00:00.000-04:00')
})

t.test('who reads a shipment [spec: shipments.order, shipments.not_found, shipments.rights]', async (t) => {
  const { id } = await sell()
  const stranger = await createUser()
  const foreign = errorBody(403, 'forbidden', 'At least one policy returned UNAUTHORIZED')
  const missing = (id: string) => errorBody(404, 'not_found', `Not found shipment with id ${id}`)
  for (const part of ['', '/items', '/costs', '/payments', '/lead_time', '/delays', '/history', '/carrier']) {
    expectAnswer(t, await stranger.get(`/shipments/${id}${part}`), 403, foreign, part)
    for (const unknown of ['43999999999', 'x1'])
      expectAnswer(t, await stranger.get(`/shipments/${unknown}${part}`), 404, missing(unknown), part)
  }
  expectAnswer(t, await stranger.get(`/shipments/${id}/sla`), 403, foreign)
  const absent = errorBody(404, 'not_found', 'Not found')
  for (const part of ['invoice_data', 'tracking', 'labels'])
    expectAnswer(t, await stranger.get(`/shipments/${id}/${part}`), 404, absent, `${part} [spec: shipments.none]`)
})

t.test('a buyer is hidden until an order is paid [spec: shipments.hidden, shipments.addresses]', async (t) => {
  const { seller, buyer, order, id } = await sell()
  const told = (await seller.get(`/shipments/${id}`)).body.receiver_address
  t.match(told, { city: { name: 'Buenos Aires' }, state: { id: 'AR-C' }, zip_code: '1414', receiver_name: 'Test Test' })
  t.equal(told.address_line, `Av. de los Jacarandás ${told.street_number}`)
  await control(`PATCH /orders/${order.id}`, { status: 'payment_required' })
  const { receiver_id, receiver_address, sender_address } = (await seller.get(`/shipments/${id}`)).body
  t.strictSame([receiver_id, sender_address.city.name], [buyer.id, 'Buenos Aires'])
  t.strictSame(receiver_address, {
    id: null,
    ...{ address_line: 'XXXXXXX', street_name: 'XXXXXXX', street_number: 'XXXXXXX', comment: 'XXXXXXX' },
    ...{ zip_code: 'XXXXXXX', city: hidden, state: hidden, country: hidden, neighborhood: hidden, municipality: none },
    ...{ agency: null, types: ['default_buying_address'], latitude: null, longitude: null },
    ...{ geolocation_type: 'APPROXIMATE', geolocation_last_updated: null, geolocation_source: 'mercadito' },
    ...{ delivery_preference: 'residential', receiver_name: 'XXXXXXX', receiver_phone: 'XXXXXXX' },
  })
  await control(`PATCH /orders/${order.id}`, { status: 'paid' })
  await control(`PATCH /users/${buyer.id}`, { phone: '11 5555-0123' })
  await changeShipment(id, { mode: 'custom' })
  const read = async () => (await seller.get(`/shipments/${id}`)).body
  t.equal((await read()).receiver_address.receiver_phone, '11 5555-0123')
  await changeShipment(id, { type: 'return' })
  t.match(await read(), { type: 'return', sender_id: buyer.id, receiver_id: seller.id })
  await changeShipment(id, { order_id: null, buyer_id: null, type: 'forward' })
  t.match(await read(), { order_id: null, order_cost: 0, receiver_id: null, shipping_items: [], tags: [] })
})

t.test('the dates of the states that a shipment has been in', async (t) => {
  const { seller, id } = await sell()
  const hours = (n: number) => NOW + n * HOUR
  await setSteps(
    id,
    ...([
      ['handling', null],
      ['ready_to_ship', 'printed', hours(1)],
      ['shipped', 'receiver_absent', hours(2)],
      ['not_delivered', 'returned', hours(3)],
      ['cancelled', null, hours(4)],
      ['delivered', null, hours(5)],
    ] satisfies State[]),
  )
  const at = (hour: number) => `2026-03-07T${11 + hour}:00:00.000-04:00`
  const read = async () => (await seller.get(`/shipments/${id}`)).body
  setClock(hours(4))
  t.match(await read(), { status: 'cancelled', status_history: { date_cancelled: at(4), date_delivered: null } })
  setClock(hours(5))
  t.strictSame((await read()).status_history, {
    date_cancelled: at(4),
    date_delivered: at(5),
    date_first_visit: at(2),
    date_handling: AT,
    date_not_delivered: at(3),
    date_ready_to_ship: at(1),
    date_shipped: at(2),
    date_returned: at(3),
  })
})

t.test('the shipment of an order [spec: shipments.of_order, shipments.of_order.order]', async (t) => {
  const { seller, buyer, order, id, item } = await sell()
  const whole = (await seller.get(`/shipments/${id}`)).body
  const path = `/orders/${order.id}/shipments`
  expectAnswer(t, await buyer.get(path), 200, whole)
  expectAnswer(t, await seller.get(`${path}?list=true`), 200, [whole])
  expectAnswer(t, await seller.get(`${path}?list_all=true&views=origin`), 200, [whole])
  const { body } = await control('POST /orders', { item_id: item, buyer: buyer.id, shipping: 'none' })
  const alone = body.order.id
  const stranger = await createUser()
  expectAnswer(
    t,
    await seller.get('/orders/x/shipments'),
    400,
    errorBody(400, 'invalid_order_id', 'Invalid order id: x'),
  )
  expectAnswer(
    t,
    await seller.get('/orders/1/shipments'),
    404,
    errorBody(404, 'order_not_found', 'Order does not exist'),
  )
  const notOwned = errorBody(403, 'not_owned_order', 'The user has not access to the order')
  expectAnswer(t, await stranger.get(path), 403, notOwned)
  const missing = errorBody(404, 'not_found', `Not found shipment of order ${alone}`)
  expectAnswer(t, await seller.get(`/orders/${alone}/shipments`), 404, missing, '[spec: shipments.of_order.none]')
})

t.test('a cart is one parcel; without a pack there are no payments [spec: shipments.payments.none]', async (t) => {
  const { seller, buyer, item } = await createParties()
  const other = await createListing(seller)
  const items = [{ item_id: item }, { item_id: other }]
  const { body } = await control('POST /orders', { items, buyer: buyer.id })
  const { id } = body.shipment
  const parts = (await seller.get(`/shipments/${id}/items`)).body
  t.strictSame(
    parts.map(({ item_id }: { item_id: string }) => item_id),
    [item, other],
  )
  t.equal((await seller.get(`/shipments/${id}/payments`)).body.length, 2)
  t.match((await seller.get(`/shipments/${id}`, newer)).body, { declared_value: 2000, dimensions: { height: 20 } })
  await control('PATCH /assumptions/orders.pack_of_single', { value: 'never' })
  const alone = await sell()
  await control('PATCH /assumptions/orders.pack_of_single', { value: 'always' })
  const none = errorBody(404, 'not_found', `Payments Not Found for shipment ${alone.id}`)
  expectAnswer(t, await alone.seller.get(`/shipments/${alone.id}/payments`), 404, none)
})

t.test('all states [spec: shipments.statuses]', async (t) => {
  const { body } = await app.sellers[0]!.get('/shipment_statuses')
  t.equal(body.length, 15)
  t.strictSame(body[0], { id: 'to_be_agreed', name: 'To be agreed', substatuses: [] })
  t.strictSame(body[3].substatuses[2], { id: 'printed', name: 'Printed' })
})

t.test('a shipment in handling can be made ready [spec: shipments.ready, shipments.seller.order]', async (t) => {
  const { seller, buyer, id } = await sell()
  const path = `/shipments/${id}/process/ready_to_ship`
  const isReady = errorBody(400, 'invalid_shipment_status', `Shipment ${id} status is ready_to_ship`)
  expectAnswer(t, await seller.post(path), 400, isReady, '[spec: shipments.ready.status]')
  await setSteps(id, ['handling', 'waiting_for_label_generation'], ['ready_to_ship', 'ready_to_print', NOW + HOUR])
  const foreign = errorBody(403, 'forbidden', 'At least one policy returned UNAUTHORIZED')
  expectAnswer(t, await buyer.post(path), 403, foreign, 'the receiver')
  const missing = errorBody(404, 'not_found', 'Not found shipment with id 1')
  expectAnswer(t, await seller.post('/shipments/1/process/ready_to_ship'), 404, missing)
  await takeEvents()
  expectAnswer(t, await seller.post(path), 200, { status: 200 })
  t.strictSame(await takeEvents(), [`/shipments/${id}`])
  t.match((await seller.get(`/shipments/${id}`)).body, { status: 'ready_to_ship', substatus: 'ready_to_print' })
})

t.test('sellers say where a shipment is that they send themselves [spec: shipments.seller]', async (t) => {
  const { seller, buyer, order, id } = await sell({ shipping_mode: 'me1' })
  const notify = (body: object) => seller.post(`/shipments/${id}/seller_notifications`, body)
  const change = (body: object) => seller.get(`/shipments/${id}`, put(body))
  const tracked = { tracking_number: 'OP1', tracking_url: 'https://example.com/OP1', payload: { service_id: 7 } }
  t.match((await seller.get(`/shipments/${id}`)).body, {
    ...{ mode: 'me1', logistic_type: 'default', tracking_number: null, service_id: 154, status: 'ready_to_ship' },
  })
  t.strictSame((await seller.get(`/shipments/${id}/carrier`)).body, { name: null, url: null })
  await takeEvents()
  const shipped = await notify({ status: 'shipped', substatus: 'null', ...tracked })
  expectAnswer(t, shipped, 200, (await seller.get(`/shipments/${id}`)).body)
  t.match(shipped.body, { status: 'shipped', substatus: null, tracking_number: 'OP1', service_id: 7 })
  t.strictSame((await seller.get(`/shipments/${id}/carrier`)).body, { name: null, url: 'https://example.com/OP1' })
  t.strictSame(await takeEvents(), [`/shipments/${id}`])
  t.match((await change({ tracking_number: 'OP2' })).body, { status: 'shipped', tracking_number: 'OP2', service_id: 7 })
  t.strictSame(await takeEvents(), [`/shipments/${id}`], 'only the tracking number')
  for (const substatus of [
    'out_for_delivery',
    'receiver_absent',
    'dangerous_area',
    'bad_address',
    'unauthorized_receiver',
  ])
    t.equal((await notify({ status: 'shipped', substatus })).body.substatus, substatus)
  const wrong = errorBody(400, 'bad_request', 'substatus: delivered has no out_for_delivery')
  expectAnswer(t, await notify({ status: 'delivered', substatus: 'out_for_delivery' }), 400, wrong)
  t.equal((await change({ status: 'delivered', service_id: 9 })).body.service_id, 9)
  t.equal((await buyer.get(`/orders/${order.id}`)).body.fulfilled, true)
  const final = errorBody(400, 'invalid_shipment_status', `Shipment ${id} status is delivered`)
  expectAnswer(t, await notify({ status: 'shipped' }), 400, final, '[spec: shipments.seller.final]')
  const lost = await sell({ shipping_mode: 'custom' })
  const answer = await lost.seller.get(`/shipments/${lost.id}`, put({ status: 'not_delivered' }))
  t.equal(answer.body.substatus, 'returning_to_sender', '[spec: shipments.seller.states]')
})

t.test('what sellers cannot say [spec: shipments.seller.order, shipments.seller.mode]', async (t) => {
  const { seller, buyer, id } = await sell()
  const body = { status: 'shipped' }
  const path = `/shipments/${id}/seller_notifications`
  const missing = errorBody(404, 'not_found', 'Not found shipment with id 1')
  expectAnswer(t, await seller.post('/shipments/1/seller_notifications', body), 404, missing)
  const foreign = errorBody(403, 'forbidden', 'At least one policy returned UNAUTHORIZED')
  expectAnswer(t, await buyer.post(path, body), 403, foreign)
  const ofMarketplace = errorBody(400, 'invalid_shipment_mode', `Shipment ${id} is not me1 or custom`)
  expectAnswer(t, await seller.post(path, body), 400, ofMarketplace)
  expectAnswer(t, await seller.get(`/shipments/${id}`, put(body)), 400, ofMarketplace)
  const status = 'status: must be one of shipped, delivered, not_delivered'
  expectAnswer(t, await seller.post(path, { status: 'lost' }), 400, errorBody(400, 'bad_request', status))
  t.equal((await seller.post(path, {})).status, 400)
  t.equal((await seller.post(path, { status: 'shipped', payload: 'x' })).status, 400)
})
