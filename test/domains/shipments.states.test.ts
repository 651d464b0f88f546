import { eq } from 'drizzle-orm'
import t from 'tap'
import { item } from '../../domains/items/tables.ts'
import { shipment_step } from '../../domains/shipments/tables.ts'
import { HOUR, NOW, start } from '../support/app.ts'
import { takeOutbox } from '../support/outbox.ts'
import { badRequest, errorBody, expectAnswer, questionFixtures } from '../support/questions.ts'
import { receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const app = await start(t)
const { world, application, control } = app
const { createParties, createListing, createUser, setClock } = questionFixtures(app)
// The stored clock, too: moves begin there.
t.beforeEach(async () => {
  await control('PUT /clock', { mode: 'frozen', now: new Date(NOW).toISOString() })
})

type Parties = Awaited<ReturnType<typeof createParties>>
type Row = Partial<typeof item.$inferSelect>

const setItem = (id: string, row: Row) => world.tx(async (q) => q.db.update(item).set(row).where(eq(item.id, id)).run())
/** Answers the ids of a purchase. */
async function buy({ item: item_id, buyer }: Parties, more: object = {}) {
  const { status, body } = await control('POST /orders', { item_id, buyer: buyer.id, ...more })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return { order: body.order.id as number, shipment: (body.shipment?.id ?? null) as number }
}
const read = async (id: number) => (await control(`GET /shipments/${id}`)).body
const stateOf = async (id: number) => {
  const { status, substatus } = await read(id)
  return substatus === null ? status : `${status} ${substatus}`
}
const orderOf = async (id: number) => (await control(`GET /orders/${id}`)).body
const patch = (id: number, body: object) => control(`PATCH /shipments/${id}`, body)
const advance = (id: number, to?: string) => control(`POST /shipments/${id}/advance`, { to })
const moveBy = (by: string) => control('POST /clock/advance', { by })
/** `topic of its id, hours after NOW`, of the events about a seller since the last call. */
const takeEvents = async ({ seller }: Parties) =>
  (await takeOutbox(world))
    .filter(({ topic, user_ids }) => topic !== 'items' && JSON.parse(user_ids)[0] === seller.id)
    .map(({ topic, at }) => `${topic} ${(at - NOW) / HOUR}`)
/** The ids that a list answers. */
const listed = async (path: string) => (await control(`GET ${path}`)).body.results.map(({ id }: { id: number }) => id)
const assume = (name: string, value: string) => control(`PATCH /assumptions/${name}`, { value })

t.test('control calls find shipments by their ids, and orders by the state of their shipment', async (t) => {
  const parties = await createParties()
  const { seller } = parties
  const first = await buy(parties)
  const other = await buy({ ...parties, item: await createListing(seller) })
  const without = await buy({ ...parties, item: await createListing(seller) }, { shipping: 'none' })
  await advance(first.shipment, 'printed')
  const both = [first.shipment, other.shipment]
  t.strictSame(await listed(`/shipments?ids=${both.toReversed().join(',%20')},1,x`), both)
  t.strictSame(await listed('/shipments?ids='), [])
  const ordersIn = (status: string) => listed(`/orders?seller_id=${seller.id}&shipping_status=${status}`)
  t.strictSame(await ordersIn('ready_to_ship'), [other.order, first.order])
  await moveBy('12h')
  t.strictSame(await ordersIn('ready_to_ship'), [other.order])
  t.strictSame(await ordersIn('shipped'), [first.order])
  t.strictSame(await listed(`/orders?seller_id=${seller.id}`), [without.order, other.order, first.order])
  t.equal((await control('GET /orders?shipping_status=sent')).status, 400)
})

t.test('a paid order has its shipment at once [spec: shipments.created, shipments.first_state]', async (t) => {
  const parties = await createParties()
  const { seller, buyer } = parties
  await takeEvents(parties)
  const { order, shipment: id } = await buy(parties)
  const state = { status: 'ready_to_ship', substatus: 'ready_to_print' }
  expectAnswer(t, await control(`GET /shipments/${id}`), 200, {
    ...{ id, site_id: 'MLA', seller_id: seller.id, buyer_id: buyer.id, order_id: order, type: 'forward', mode: 'me2' },
    ...{ logistic_type: 'drop_off', ...state, tracking_number: `MEL${id}FMXDF01`, driver_id: null, route_open: false },
    date_created: '2026-03-07T15:00:00Z',
    steps: [{ ...state, at: '2026-03-07T15:00:00.000Z', is_published: true }],
  })
  t.strictSame(await takeEvents(parties), ['orders_v2 0', 'payments 0', 'shipments 0'])
  t.match(await orderOf(order), { shipping: { id } })
  t.equal((await buy({ ...parties, item: await createListing(seller) }, { shipping: 'none' })).shipment, null)

  const unpaid = await buy({ ...parties, item: await createListing(seller) }, { status: 'payment_required' })
  t.equal(unpaid.shipment, null)
  const said = await control(`PATCH /orders/${unpaid.order}`, { status: 'paid' })
  t.equal(said.body.shipping.id, null, 'it is only said to be paid')
  await control(`PATCH /orders/${unpaid.order}`, { status: 'payment_required' })
  const paid = (await control(`POST /orders/${unpaid.order}/pay`)).body
  t.equal(await stateOf(paid.shipping.id), 'ready_to_ship ready_to_print')
})

t.test('how a listing is sent [spec: shipments.logistic_type, shipments.tracking_number]', async (t) => {
  const details = (logistic_type: string) => JSON.stringify({ shipping: { logistic_type } })
  const rows: [Row, object, state: string][] = [
    [{ in_flex: 1 }, { mode: 'me2', logistic_type: 'self_service' }, 'ready_to_ship ready_to_print'],
    [
      { details: details('cross_docking') },
      { mode: 'me2', logistic_type: 'cross_docking' },
      'ready_to_ship ready_to_print',
    ],
    [{ details: details('fulfillment') }, { mode: 'me2', logistic_type: 'fulfillment' }, 'ready_to_ship in_warehouse'],
    [{ shipping_mode: 'me1' }, { mode: 'me1', logistic_type: 'default', tracking_number: null }, 'ready_to_ship'],
    [{ shipping_mode: 'custom' }, { mode: 'custom', logistic_type: 'custom', tracking_number: null }, 'ready_to_ship'],
  ]
  for (const [row, expected, state] of rows) {
    const parties = await createParties()
    await setItem(parties.item, row)
    const { shipment } = await buy(parties)
    t.match(await read(shipment), expected, JSON.stringify(row))
    t.equal(await stateOf(shipment), state)
  }
  const agreed = await createParties()
  await setItem(agreed.item, { shipping_mode: 'not_specified' })
  t.equal((await buy(agreed)).shipment, null)
})

t.test('a pack has one shipment of each seller, cancelled with its last order [spec: shipments.created]', async (t) => {
  const one = await createParties()
  const other = await createParties()
  const items = [one.item, await createListing(one.seller), other.item].map((item_id) => ({ item_id }))
  const { body } = await control('POST /orders', { items, buyer: one.buyer.id })
  const ids: number[] = body.pack.orders.map(({ id }: { id: number }) => id)
  const shipments = (await Promise.all(ids.map(orderOf))).map(({ shipping }) => shipping.id)
  t.equal(shipments[0], shipments[1])
  t.not(shipments[0], shipments[2])
  await control(`POST /orders/${ids[0]}/cancel`, {})
  t.equal(await stateOf(shipments[0]), 'ready_to_ship ready_to_print', 'the other order is to be sent')
  await control(`POST /orders/${ids[1]}/refund`, {})
  t.equal(await stateOf(shipments[0]), 'cancelled')
  await advance(shipments[2], 'shipped')
  await control(`POST /orders/${ids[2]}/cancel`, {})
  t.equal(await stateOf(shipments[2]), 'shipped', 'the parcel is on its way')
})

t.test('the clock moves a printed parcel [spec: shipments.clock, shipments.events, shipments.delivered]', async (t) => {
  const parties = await createParties()
  const { order, shipment } = await buy(parties)
  await moveBy('48h')
  t.equal(await stateOf(shipment), 'ready_to_ship ready_to_print', 'nothing moves before')
  await moveBy('-48h')
  await takeEvents(parties)
  await advance(shipment)
  t.equal(await stateOf(shipment), 'ready_to_ship printed')
  const due = (await control('GET /clock/due?kind=shipment&until=2026-03-09T15:00:00Z')).body.results
  t.strictSame(
    due
      .filter(({ id }: { id: number }) => id === shipment)
      .map(({ at, effect }: { [name: string]: string }) => [at, effect]),
    [
      ['2026-03-07T19:00:00.000Z', 'handed_over'],
      ['2026-03-08T03:00:00.000Z', 'shipped'],
      ['2026-03-09T03:00:00.000Z', 'out_for_delivery'],
      ['2026-03-09T07:00:00.000Z', 'delivered'],
    ],
  )
  await moveBy('13h')
  t.equal(await stateOf(shipment), 'shipped')
  await moveBy('100h')
  t.equal(await stateOf(shipment), 'delivered')
  t.strictSame(await takeEvents(parties), [
    ...['shipments 0', 'shipments 4', 'shipments 12', 'shipments 36', 'shipments 40', 'orders_v2 40'],
  ])
  t.match(await orderOf(order), { fulfilled: true, last_updated: '2026-03-09T03:00:00.000-04:00' })

  await moveBy('-112h')
  t.equal(await stateOf(shipment), 'ready_to_ship printed', 'the clock has gone back')
  await moveBy('38h')
  t.equal(await stateOf(shipment), 'shipped out_for_delivery')
  t.strictSame(await takeEvents(parties), [], 'what was published is not published again')
})

t.test('kinds have their own ways [spec: shipments.clock]', async (t) => {
  const ways: [Row, string[]][] = [
    [{ in_flex: 1 }, ['ready_to_print 0', 'printed 0', 'out_for_delivery 2', 'delivered 6']],
    [
      { details: JSON.stringify({ shipping: { logistic_type: 'cross_docking' } }) },
      [...['ready_to_print 0', 'printed 0', 'picked_up 4', 'shipped 12', 'out_for_delivery 36', 'delivered 40']],
    ],
    [
      { details: JSON.stringify({ shipping: { logistic_type: 'fulfillment' } }) },
      ['in_warehouse 0', 'shipped 12', 'out_for_delivery 36', 'delivered 40'],
    ],
    [{ shipping_mode: 'custom' }, ['ready_to_ship 0']],
  ]
  for (const [row, expected] of ways) {
    const parties = await createParties()
    await setItem(parties.item, row)
    const { shipment } = await buy(parties)
    if (expected[1]?.startsWith('printed')) await advance(shipment)
    const { steps } = await read(shipment)
    t.strictSame(
      steps.map(({ status, substatus, at }: { [name: string]: string }) => {
        return `${substatus ?? status} ${(Date.parse(at!) - NOW) / HOUR}`
      }),
      expected,
    )
  }
})

t.test('notifications of states are sent at their instants, in a clock move [spec: shipments.events]', async (t) => {
  const { url, received } = await receiver(t)
  await control(`PUT /applications/${application.id}/notifications`, { callback_url: url, topics: ['shipments'] })
  t.teardown(() => control(`DELETE /applications/${application.id}/notifications`))
  // With Flex.
  const { shipment } = await buy({ ...(await createParties()), item: 'MLA1400000001' })
  await advance(shipment)
  await control('POST /settle')
  received.length = 0
  await moveBy('48h')
  const own = received.filter(({ resource }) => resource === `/shipments/${shipment}`)
  t.strictSame([...new Set(own.map(({ sent }) => sent))], ['2026-03-07T17:00:00.000Z', '2026-03-07T21:00:00.000Z'])
})

const isPublished = (id: number, step: number) =>
  world.read.db
    .select()
    .from(shipment_step)
    .where(eq(shipment_step.shipment_id, id))
    .all()
    .some(({ n, is_published }) => n === step && is_published === 1)

t.test('a running clock moves parcels by itself [spec: shipments.clock]', async (t) => {
  const parties = await createParties()
  const { shipment } = await buy(parties)
  await advance(shipment)
  await control('PUT /clock', { mode: 'shifted', now: new Date(NOW + 4 * HOUR - 60).toISOString() })
  await until('the timer of the next state', () => isPublished(shipment, 2))
  t.equal(await stateOf(shipment), 'ready_to_ship dropped_off')
})

t.test('a state that becomes due while due states are looked for is not missed [spec: shipments.clock]', async (t) => {
  const { now } = world.clock
  t.teardown(() => Object.assign(world.clock, { now }))
  for (let earlier = 1; earlier <= 12; earlier++) {
    await control('PUT /clock', { mode: 'frozen', now: new Date(NOW).toISOString() })
    const { shipment } = await buy(await createParties())
    await advance(shipment)
    // Each look at the clock is 5 ms later than the one before.
    let time = NOW + 4 * HOUR - 5 * earlier
    world.clock.now = () => (time += 5)
    await control('PUT /clock', { mode: 'shifted', now: new Date(NOW).toISOString() })
    await until(`the state that is due after ${earlier} looks at the clock`, () => isPublished(shipment, 2))
    world.clock.now = now
  }
})

t.test(
  'labels may take a while, invoices may be needed [spec: shipments.label_delay, shipments.invoice_needed]',
  async (t) => {
    t.teardown(async () => {
      for (const [name, value] of [
        ['shipments.label_delay', '0'],
        ['shipments.invoice_needed', 'off'],
        ['shipments.progress', 'clock'],
      ] as const)
        await assume(name, value)
    })
    await assume('shipments.label_delay', '4')
    const parties = await createParties()
    const { shipment } = await buy(parties)
    t.equal(await stateOf(shipment), 'handling waiting_for_label_generation')
    await takeEvents(parties)
    await moveBy('4h')
    t.equal(await stateOf(shipment), 'ready_to_ship ready_to_print')
    t.strictSame(await takeEvents(parties), ['shipments 4'])

    await assume('shipments.invoice_needed', 'on')
    const brazilian = { ...parties, item: await createListing({ ...parties.seller, site_id: 'MLB' }) }
    const waiting = (await buy(brazilian)).shipment
    t.equal(await stateOf(waiting), 'handling invoice_pending')
    await moveBy('100h')
    t.equal(await stateOf(waiting), 'handling invoice_pending')
    await advance(waiting)
    t.equal(await stateOf(waiting), 'ready_to_ship ready_to_print')
  },
)

t.test('nothing moves by itself where states are manual [spec: shipments.progress]', async (t) => {
  t.teardown(() => assume('shipments.progress', 'clock'))
  await assume('shipments.progress', 'manual')
  const { shipment } = await buy(await createParties())
  await advance(shipment)
  await moveBy('100h')
  t.equal(await stateOf(shipment), 'ready_to_ship printed')
  for (const state of ['ready_to_ship dropped_off', 'shipped', 'shipped out_for_delivery', 'delivered']) {
    t.equal((await advance(shipment)).status, 200)
    t.equal(await stateOf(shipment), state)
  }
  const end = errorBody(409, 'conflict', `Shipment ${shipment} is delivered: it has no next state`)
  expectAnswer(t, await advance(shipment), 409, end)
})

t.test('control calls set any state, and move a parcel on', async (t) => {
  const parties = await createParties()
  const { order, shipment } = await buy(parties)
  await takeEvents(parties)
  t.match((await patch(shipment, { status: 'shipped', substatus: 'receiver_absent' })).body, {
    ...{ status: 'shipped', substatus: 'receiver_absent' },
    steps: [{ substatus: 'ready_to_print' }, { substatus: 'receiver_absent', is_published: true }],
  })
  t.match((await patch(shipment, { status: 'ready_to_ship', substatus: 'printed' })).body.steps.length, 3, 'back again')
  t.match((await patch(shipment, { tracking_number: 'AB1' })).body, { substatus: 'printed', tracking_number: 'AB1' })
  t.strictSame(await takeEvents(parties), ['shipments 0', 'shipments 0', 'shipments 0'])
  await patch(shipment, { tracking_number: 'AB1', substatus: 'printed' })
  t.strictSame(await takeEvents(parties), [], 'nothing has changed')
  setClock(NOW + HOUR)
  const at = new Date(NOW + HOUR / 2).toISOString()
  t.match((await patch(shipment, { status: 'delivered', at })).body.steps.at(-1), { status: 'delivered', at })
  t.match(await orderOf(order), { fulfilled: true })

  for (const [body, message] of [
    [{}, 'body: must be a JSON object with status, substatus, tracking_number, driver_id or route_open'],
    [{ status: 'lost' }, /^status: must be one of to_be_agreed, pending/],
    [{ status: 'shipped', substatus: 'printed' }, 'substatus: is none of the status shipped'],
    [{ substatus: 'printed' }, 'substatus: is none of the status delivered'],
    [{ at }, 'at: needs status or substatus'],
    [{ status: 'closed', at: '2027-01-01' }, 'at: must be between 1970 and the world’s present time'],
    [{ status: 'closed', at: '2026-03-07' }, `at: must not be before ${at}, the present state`],
    [{ tracking_number: 5 }, /^tracking_number: must be a string of at most 100 characters/],
  ] as const)
    t.match(await patch(shipment, body), { status: 400, body: { message } }, JSON.stringify(body))
})

t.test('moves a parcel on to a state', async (t) => {
  const { shipment } = await buy(await createParties())
  for (const [to, state] of [
    ['printed', 'ready_to_ship printed'],
    ['shipped', 'shipped'],
    ['out_for_delivery', 'shipped out_for_delivery'],
    ['not_delivered', 'not_delivered returning_to_sender'],
  ] as const) {
    const { status, body } = await advance(shipment, to)
    t.equal(status, 200, to)
    t.equal([body.status, body.substatus].filter(Boolean).join(' '), state)
  }
  const end = errorBody(409, 'conflict', `Shipment ${shipment} is returning_to_sender: it has no next state`)
  expectAnswer(t, await advance(shipment, 'delivered'), 409, end)
  const { shipment: other } = await buy(await createParties())
  await advance(other, 'shipped')
  const back = errorBody(409, 'conflict', `Shipment ${other} is shipped: printed does not follow`)
  expectAnswer(t, await advance(other, 'printed'), 409, back)
  expectAnswer(
    t,
    await control('POST /shipments/1/advance', {}),
    404,
    errorBody(404, 'not_found', 'Shipment with id 1 not found'),
  )
  expectAnswer(
    t,
    await advance(other, 'far'),
    400,
    badRequest('to: must be one of printed, shipped, out_for_delivery, delivered, not_delivered'),
  )
})

t.test('lists shipments by their sale, their state and their time', async (t) => {
  const parties = await createParties()
  const { order, shipment } = await buy(parties)
  setClock(NOW + HOUR)
  const later = (await buy({ ...parties, item: await createListing(parties.seller), buyer: await createUser() }))
    .shipment
  await advance(later, 'printed')
  const list = async (query: string) =>
    (await control(`GET /shipments?seller_id=${parties.seller.id}&${query}`)).body.results.map(
      ({ id }: { id: number }) => id,
    )
  t.strictSame(await list(''), [shipment, later])
  t.strictSame(await list(`buyer_id=${parties.buyer.id}`), [shipment])
  t.strictSame(await list(`order_id=${order}`), [shipment])
  t.strictSame(await list('status=ready_to_ship'), [shipment, later])
  t.strictSame(await list('substatus=printed'), [later])
  t.strictSame(await list('status=shipped'), [])
  t.strictSame(await list('logistic_type=self_service'), [])
  t.strictSame(await list('driver_status=unassigned&limit=1'), [shipment])
  t.strictSame(await list('since=2026-03-07T15:30:00Z'), [later])
  t.strictSame(await list('until=2026-03-07T15:30:00Z'), [shipment])
  setClock(NOW + 60 * HOUR)
  t.strictSame(await list('status=delivered'), [later])
})

t.test('a parcel that no sale is known of is ready to be carried', async (t) => {
  const { seller } = await createParties()
  const { id } = (await control('POST /shipments', { seller_id: seller.id })).body
  t.equal(await stateOf(id), 'ready_to_ship printed')
  await advance(id)
  t.equal(await stateOf(id), 'shipped out_for_delivery')
  t.equal((await read(id)).steps.length, 3, 'with the state before, and what the clock brings')
})

t.test('a world file has shipments with their states', async (t) => {
  const file = (shipments: object[]) => ({
    version: 1,
    clock: { mode: 'frozen', now: '2026-03-07T15:00:00.000Z' },
    users: [
      { id: 1, site_id: 'MLA', nickname: 'TIENDA' },
      { id: 2, site_id: 'MLA', nickname: 'CLIENTE' },
    ],
    items: [{ id: 'MLA1', seller_id: 1, title: 'Silla', price: 100 }],
    orders: [{ id: 3, item_id: 'MLA1', buyer_id: 2 }],
    shipments,
  })
  const base = `/w/${(await control('POST /worlds', { scenario: 'empty' })).body.world.id}`
  const load = (shipments: object[]) => control('PUT /world', file(shipments), base)
  const steps = [
    { status: 'ready_to_ship', substatus: 'printed', at: '2026-03-07T14:00:00.000Z' },
    { status: 'delivered', at: '2026-03-07T16:00:00.000Z' },
  ]
  t.equal((await load([{ id: 5, seller_id: 'TIENDA', order_id: 3, steps }, { seller_id: 1 }])).status, 200)
  t.match((await control('GET /orders/3', undefined, base)).body, { shipping: { id: 5 }, fulfilled: null })
  await control('POST /clock/advance', { by: '1h' }, base)
  t.match((await control('GET /shipments/5', undefined, base)).body, { status: 'delivered', buyer_id: 2 })
  t.match((await control('GET /orders/3', undefined, base)).body, { fulfilled: true })
  t.match((await control('GET /shipments', undefined, base)).body.results[1], { substatus: 'printed', order_id: null })
  for (const [shipment, message] of [
    [{ order_id: 4 }, 'shipments[0].order_id: must be the id of an order of the seller'],
    [{ steps: [{ ...steps[0], substatus: 'lost' }] }, 'shipments[0].steps[0].substatus: is none of ready_to_ship'],
    [{ steps: steps.toReversed() }, 'shipments[0].steps[1].at: must not be before that of the step before'],
  ] as const)
    t.match(await load([{ seller_id: 1, ...shipment }]), { status: 400, body: { message } }, message)
})
