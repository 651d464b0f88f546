import { sql } from 'drizzle-orm'
import t from 'tap'
import type { Q } from '../../db/engine.ts'
import { oldestOrder } from '../../domains/orders/queries.ts'
import { type Criteria, findOrders, type Search } from '../../domains/orders/search_queries.ts'
import { cancelledUntil } from '../../domains/orders/states.ts'
import { sale_order } from '../../domains/orders/tables.ts'
import { setState } from '../../domains/shipments/operations.ts'
import { shipmentById } from '../../domains/shipments/queries.ts'
import { shipment_step } from '../../domains/shipments/tables.ts'
import { DAY, HOUR, iso, NOW, start } from '../support/app.ts'
import { TIMES } from '../support/property.ts'
import { badRequest, errorBody, expectAnswer, questionFixtures } from '../support/questions.ts'

const app = await start(t)
const { world, control } = app
const { createParties, createUser, createListing, setClock } = questionFixtures(app)
t.beforeEach(() => setClock(NOW))

/** Of each search; `npm run nightly` tries more. */
const INSTANTS = Math.ceil(60 * TIMES)

type Parties = Awaited<ReturnType<typeof createParties>>
type Person = Parties['seller']

/** Buys at an instant; returns the id of the order. */
async function buy({ item, buyer }: Parties, at: number, more: object = {}): Promise<number> {
  await control(`PATCH /items/${item}`, { available_quantity: 9 })
  const { status, body } = await control('POST /orders', {
    ...{ item_id: item, buyer: buyer.id, date_created: iso(at), ...more },
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.order.id
}
const search = (user: Person, query: object, variant = '') =>
  user.get(`/orders/search${variant}?${new URLSearchParams(query as Record<string, string>)}`)
const found = async (user: Person, query: object, variant = '') => {
  const { status, body } = await search(user, query, variant)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.results.map(({ id }: { id: number }) => id)
}
const choose = (name: string, value: string) => control(`PATCH /assumptions/${name}`, { value })

t.test('answers a page of sales with all members', async (t) => {
  const parties = await createParties()
  const { seller, buyer } = parties
  const first = await buy(parties, NOW - DAY)
  const second = await buy(parties, NOW - HOUR)
  const { feedback, ...order } = (await seller.get(`/orders/${second}`)).body
  const members = Object.entries(order)
  const at = members.findIndex(([name]) => name === 'context')
  const element = {
    ...Object.fromEntries(members.slice(0, at)),
    feedback: { sale: null, purchase: null },
    ...Object.fromEntries(members.slice(at)),
    date_last_updated: iso(NOW - HOUR),
  }
  const answer = {
    query: '',
    results: [element],
    sort: { id: 'date_desc', name: 'Date descending' },
    available_sorts: [{ id: 'date_asc', name: 'Date ascending' }],
    filters: [],
    paging: { total: 2, offset: 0, limit: 1 },
    display: 'complete',
    available_filters: [
      {
        ...{ id: 'order.status', name: 'Order status', type: 'list' },
        values: [{ id: 'paid', name: 'Paid', results: 2 }],
      },
      {
        ...{ id: 'shipping.status', name: 'Shipping status', type: 'list' },
        values: [{ id: 'ready_to_ship', name: 'Ready to ship', results: 2 }],
      },
      {
        ...{ id: 'tags', name: 'Tags', type: 'list' },
        values: [
          { id: 'paid', name: 'Paid', results: 2 },
          { id: 'not_delivered', name: 'Not delivered', results: 2 },
        ],
      },
    ],
  }
  expectAnswer(t, await search(seller, { seller: seller.id, sort: 'date_desc', limit: 1 }), 200, answer)
  t.strictSame(await found(seller, { seller: 'me' }), [first, second], 'the oldest first')
  t.strictSame(await found(buyer, { buyer: buyer.id }), [first, second])
  t.strictSame(await found(buyer, { seller: 'me' }), [])
})

t.test('searches only what the caller has sold or bought', async (t) => {
  const { seller, buyer } = await createParties()
  const foreign = errorBody(403, 'caller.id.invalid', 'caller.id does not match buyer nor seller')
  for (const query of [{ seller: buyer.id }, { buyer: buyer.id }, { seller: 'x' }, { seller: buyer.id, buyer: 1 }])
    expectAnswer(t, await search(seller, query), 403, foreign, JSON.stringify(query))
  expectAnswer(t, await search(seller, {}), 400, badRequest('at least one filter is required'))
  expectAnswer(t, await search(seller, { sort: 'date_asc' }), 400, badRequest('at least one filter is required'))
  t.equal((await search(seller, { seller: buyer.id, buyer: seller.id })).status, 200, 'what it bought from another')
  t.equal((await search(seller, { 'order.status': 'paid' })).status, 200, 'its sales')
})

t.test('filters', async (t) => {
  const parties = await createParties()
  const { seller, buyer, item } = parties
  const other = { ...parties, buyer: await createUser(), item: await createListing(seller) }
  await control(`PATCH /items/${other.item}`, { title: 'Mesa Ratona' })
  const one = await buy(parties, NOW - 2 * DAY)
  const two = await buy(other, NOW - DAY, { shipping: 'none' })
  const { pack_id } = (await seller.get(`/orders/${two}`)).body
  await control(`PATCH /orders/${two}`, { tags: ['delivered', 'no_shipping'] })
  const partial = await buy(parties, NOW - HOUR)
  await control(`POST /orders/${partial}/refund`, { amount: 1 })
  const all = [one, two, partial]
  const state = { status: 'shipped', substatus: null }
  const { id } = (await seller.get(`/orders/${partial}`)).body.shipping
  // The last one is still to come.
  await world.tx(async (q) => {
    await setState(q, world, (await shipmentById(q, id))!, state)
    const step = { shipment_id: id, n: 2, status: 'shipped', substatus: 'out_for_delivery', at: NOW + HOUR }
    q.db.insert(shipment_step).values(step).run()
  })
  for (const [query, expected] of [
    [{ 'order.status': 'paid' }, [one, two]],
    [{ 'order.status': 'paid,partially_refunded' }, all],
    [{ tags: 'delivered' }, [two]],
    [{ tags: 'paid,not_delivered' }, [one, partial]],
    [{ tags: 'not_paid' }, []],
    [{ tags: 'pack_order' }, all],
    [{ tags: 'no_shipping,test_order' }, []],
    [{ tags: 'mshops' }, []],
    [{ 'tags.not': 'delivered' }, [one, partial]],
    [{ 'tags.not': 'delivered,not_delivered' }, []],
    [{ item }, [one, partial]],
    [{ item: 'ratona' }, [two]],
    [{ q: String(one) }, [one]],
    [{ q: other.item }, [two]],
    [{ q: 'mesa' }, [two]],
    [{ q: buyer.nickname }, [one, partial]],
    [{ q: seller.nickname }, []],
    [{ pack_id }, [two]],
    [{ 'feedback.status': 'pending' }, all],
    [{ 'feedback.status': 'complete' }, []],
    [{ 'feedback.sale.rating': 'positive' }, []],
    [{ 'mediations.status': 'opened' }, []],
    [{ 'shipping.status': 'ready_to_ship' }, [one]],
    [{ 'shipping.status': 'handling,shipped' }, [partial]],
    [{ 'shipping.substatus': 'ready_to_print' }, [one]],
    [{ 'shipping.substatus': 'out_for_delivery' }, []],
    [{ item: '%' }, []],
  ] as const)
    t.strictSame(await found(seller, query), expected, JSON.stringify(query))
  await choose('orders.delivered_tag', 'automatic')
  t.strictSame(await found(seller, { tags: 'delivered' }), [two], 'none is fulfilled')
  await choose('orders.delivered_tag', 'manual')
})

t.test('dates are cut to the hour', async (t) => {
  const parties = await createParties()
  const { seller } = parties
  const at = NOW - 3 * HOUR
  const ids = [await buy(parties, at), await buy(parties, at + 20 * 60_000), await buy(parties, at + HOUR)]
  await control(`POST /orders/${ids[0]}/refund`, { amount: 1 })
  const between = (name: string, from: number, to: number) => ({
    [`order.${name}.from`]: iso(from),
    [`order.${name}.to`]: iso(to),
  })
  const half = 30 * 60_000
  for (const name of ['date_created', 'date_closed']) {
    t.strictSame(await found(seller, between(name, at + half, at + half)), [ids[0]], name)
    t.strictSame(await found(seller, between(name, at + half, at + HOUR + half)), ids)
  }
  t.strictSame(await found(seller, between('date_last_updated', NOW, NOW)), [ids[0]])
  t.strictSame(await found(seller, { 'order.date_created.from': iso(at + HOUR) }), [ids[2]])
  await choose('orders.search.precision', 'exact')
  t.strictSame(await found(seller, between('date_created', at + 1, at + HOUR)), [ids[1], ids[2]])
  await choose('orders.search.precision', 'hour')
  const message = 'must be an ISO 8601 date-time, for example 2026-03-01T00:00:00.000-04:00'
  const bad = badRequest(`order.date_closed.to: ${message}`)
  expectAnswer(t, await search(seller, { 'order.date_closed.to': 'yesterday' }), 400, bad)
})

t.test('sellers do not find cancelled orders, and those without payment', async (t) => {
  const parties = await createParties()
  const { seller, buyer } = parties
  const paid = await buy(parties, NOW)
  const cancelled = await buy(parties, NOW)
  await control(`POST /orders/${cancelled}/cancel`, {})
  const unpaid = await buy(parties, NOW, { status: 'payment_required' })
  const sales = { seller: 'me' }
  t.strictSame(await found(seller, sales), [paid])
  t.strictSame(await found(buyer, { buyer: 'me' }), [paid, cancelled, unpaid])
  t.strictSame(await found(seller, { 'order.status': 'cancelled' }), [cancelled])
  t.strictSame(await found(seller, { 'order.status': 'payment_required' }), [])
  t.strictSame(await found(seller, sales, '/pending'), [unpaid])
  await choose('orders.search.cancelled', 'listed')
  t.strictSame(await found(seller, sales), [paid, cancelled])
  await choose('orders.search.cancelled', 'hidden')
  await choose('orders.unpaid_visible', 'true')
  t.strictSame(await found(seller, sales), [unpaid, paid], 'without date_closed first')
  setClock(NOW + 3 * DAY)
  t.strictSame(await found(seller, sales), [paid], 'not paid in time')
  const time = { 'order.date_last_updated.from': iso(NOW + 3 * DAY) }
  t.strictSame(await found(buyer, { buyer: 'me', 'order.status': 'cancelled', ...time }), [unpaid])
  await choose('orders.unpaid_visible', 'false')
})

t.test('pages, sorts and the age of orders', async (t) => {
  const parties = await createParties()
  const { seller, buyer } = parties
  const old = await buy(parties, NOW - 360 * DAY)
  const ids = [old]
  for (const days of [40, 22, 20]) ids.push(await buy(parties, NOW - days * DAY))
  const page = async (query: object) => (await search(seller, { seller: 'me', ...query })).body.paging
  t.strictSame(await found(seller, { seller: 'me', offset: 1, limit: 2 }), ids.slice(1, 3))
  t.strictSame(await found(seller, { seller: 'me', sort: 'date_desc', limit: 2 }), ids.slice(-2).reverse())
  t.strictSame(await page({ limit: 200 }), { total: 4, offset: 0, limit: 50 })
  t.strictSame(await page({ limit: 0 }), { total: 4, offset: 0, limit: 0 })
  t.strictSame(await page({ offset: 10000 }), { total: 4, offset: 10000, limit: 50 })
  for (const [query, message] of [
    [{ offset: 10001 }, 'offset: must be an integer from 0 to 10000'],
    [{ limit: -1 }, 'limit: must be an integer, 0 or more'],
    [{ sort: 'x' }, 'sort: must be one of date_asc, date_desc'],
  ] as const)
    expectAnswer(t, await search(seller, { seller: 'me', ...query }), 400, badRequest(message))
  t.strictSame(await found(seller, {}, '/recent'), ids.slice(3), 'not expired')
  t.strictSame(await found(buyer, { buyer: 'me' }, '/archived'), ids.slice(0, 3))
  setClock(NOW + 6 * DAY)
  t.strictSame(await found(seller, { seller: 'me' }), ids.slice(1))
})

/** Searches whose orders change with time in several ways. */
const SEARCHES: Criteria[] = [
  {},
  { without: '["cancelled"]' },
  { 'order.status': '["cancelled"]' },
  { 'shipping.status': '["delivered"]' },
  { 'shipping.substatus': '["printed"]' },
  { tags: '["paid"]' },
  { 'tags.not': '["paid"]' },
  { 'order.date_last_updated.from': NOW - DAY },
]

t.test('remembered numbers of orders are those of the instant, whichever way the clock goes', async (t) => {
  const { read } = world
  const { db, prepare, subscribers } = read
  /** Remembers nothing. */
  const fresh = { db, prepare, subscribers }
  const seller = app.sellers[0]!.id
  const created = sql`FROM ${sale_order} WHERE seller_id = ${seller}`
  const instants = db.all<{ at: number }>(
    sql`SELECT at FROM ${shipment_step} WHERE shipment_id IN (SELECT shipment_id ${created})
        UNION SELECT date_created + 3 * ${DAY} ${created} UNION SELECT date_created + 365 * ${DAY} ${created} ORDER BY at`,
  )
  const step = Math.ceil(instants.length / INSTANTS)
  const textOf = async (q: Q, criteria: Criteria, now: number) => {
    const search: Search = {
      criteria: { seller, oldest: oldestOrder(now), ...criteria },
      ...{ sort: 'date_closed', direction: 'asc', overdue: cancelledUntil(now), automatic: 1, now },
    }
    return JSON.stringify((await findOrders(q, search, { limit: 1, offset: 0 })).groups)
  }
  for (const [place, criteria] of SEARCHES.entries()) {
    const some = instants.filter((_, n) => n % step === place % step).flatMap(({ at }) => [at - 1, at, at + 1])
    const seen = new Set<string>()
    for (const now of [...some, ...some.toReversed()]) {
      const truth = await textOf(fresh, criteria, now)
      if ((await textOf(read, criteria, now)) !== truth) t.fail(`${JSON.stringify(criteria)} ${iso(now)}`)
      seen.add(truth)
    }
    t.ok(seen.size > 1, `${JSON.stringify(criteria)}: ${seen.size} different answers`)
  }
})
