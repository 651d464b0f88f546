import t from 'tap'
import { AREAS } from '../../domains/flex/areas.ts'
import { assignDriver, closeRoute, createParcel } from '../../domains/shipments/driver_operations.ts'
import { NOW, start } from '../support/app.ts'
import {
  BLANK_SITES,
  configurationQuery,
  errors,
  flexFixtures,
  INVALID_SITES,
  paths,
  type Request,
  type Seller,
  send,
  WITHOUT_FLEX,
} from '../support/flex.ts'
import { shippingOf } from '../support/items.ts'
import { expectAnswer, FOREIGN } from '../support/questions.ts'

const app = await start(t)
const { world, call } = app
const fixtures = flexFixtures(app)
const { createSeller, createListing, createFlexSeller, takeEvents } = fixtures
const sellers = app.sellers.map(fixtures.withPut)
const setClock = (ms: number) => {
  world.clock.applySetting({ mode: 'frozen', ms })
}
t.beforeEach(() => setClock(NOW))

const NOBODY = 4_000_000_000
const RANGES = { delivery_ranges: { week: [{ from: 14, to: 21, capacity: 30, cutoff: 13 }] } }
/** The status of the answer is that of its body. */
type Row = [name: string, request: Request, body: { status: number }]

// Two sellers with Flex and their listings, for the table of errors. test/properties/flex.model.long.ts has the states.
const ana = await createFlexSeller()
const plain = await createSeller()
const notInFlex = await createListing(ana.seller)
const inFlex = await createListing(ana.seller, { in_flex: 1 })
const noMe2 = await createListing(ana.seller, { shipping_mode: 'me1' })
const [noDriver, delivered] = await world.tx(async (q) => {
  const shipment = { site_id: 'MLA', seller_id: ana.seller.id }
  const one = await createParcel(q, world, shipment)
  const two = await createParcel(q, world, shipment)
  await assignDriver(q, world, two.id, 81234567)
  await closeRoute(q, two.id)
  return [one.id, two.id] as const
})
const query = (user: number | string, service: number | string) => ({ query: configurationQuery(user, service) })

t.test('answers each error of the Flex error table [spec: flex.errors]', async (t) => {
  const { seller: me, flex } = ana
  const ownQuery = query(me.id, flex.service_id)
  const put = paths.update('custom', 'MLA', me.id, flex.service_id)
  const updateZones = paths.update('zone', 'MLA', me.id, flex.service_id)
  const rows: Row[] = [
    ['subscriptions: empty site', [me, 'GET', paths.subscriptions('', me.id)], errors.emptySite],
    ['subscriptions: invalid site', [me, 'GET', paths.subscriptions('MXX', me.id)], errors.invalidSite],
    ['subscriptions: site without Flex', [me, 'GET', paths.subscriptions('MLV', me.id)], errors.noFlexSite],
    ['subscriptions: no such user', [me, 'GET', paths.subscriptions('MLA', NOBODY)], errors.noUser],
    ['configuration: empty site', [me, 'POST', paths.configuration(''), ownQuery], errors.emptySite],
    ['configuration: invalid site', [me, 'POST', paths.configuration('MXX'), ownQuery], errors.invalidSite],
    ['configuration: site without Flex', [me, 'POST', paths.configuration('MLV'), ownQuery], errors.noFlexSite],
    ['configuration: no such user', [me, 'POST', paths.configuration('MLA'), query(NOBODY, 1)], errors.noUser],
    ['configuration: no JSON', [me, 'POST', paths.configuration('MLA'), '{"query":'], errors.invalidJson],
    [
      'configuration: not of the schema',
      [me, 'POST', paths.configuration('MLA'), { query: configurationQuery(me.id, flex.service_id, '{ color }') }],
      errors.notOfSchema,
    ],
    [
      'configuration: no query',
      [me, 'POST', paths.configuration('MLA'), { query: '{ configuration(' }],
      errors.invalidQuery,
    ],
    ['configuration: no such pair', [me, 'POST', paths.configuration('MLA'), query(me.id, 1)], errors.noPair],
    ['delivery: user', [me, 'PUT', paths.update('custom', 'MLA', 'me', flex.service_id), RANGES], errors.invalidUser],
    ['delivery: service', [me, 'PUT', paths.update('custom', 'MLA', me.id, 'x'), RANGES], errors.invalidService],
    ['delivery: no JSON', [me, 'PUT', put, 'delivery'], errors.invalidJson],
    ['delivery: no pair', [me, 'PUT', paths.update('custom', 'MLA', me.id, 1), RANGES], errors.nothingToUpdate],
    ['coverage: user', [me, 'PUT', paths.update('zone', 'MLA', 'me', flex.service_id), {}], errors.invalidUser],
    ['coverage: service', [me, 'PUT', paths.update('zone', 'MLA', me.id, 'x'), {}], errors.invalidService],
    ['coverage: no JSON', [me, 'PUT', updateZones, 'zones'], errors.invalidJson],
    ['coverage: no pair', [me, 'PUT', paths.update('zone', 'MLA', me.id, 1), {}], errors.nothingToUpdate],
    ['check: not in Flex', [me, 'GET', paths.item('MLA', notInFlex)], errors.itemDown],
    ['check: country without Flex', [me, 'GET', paths.item('MLV', inFlex)], errors.noItem],
    ['activate: in Flex already', [me, 'POST', paths.item('MLA', inFlex)], errors.alreadyInFlex],
    ['activate: not on ME2', [me, 'POST', paths.item('MLA', noMe2)], errors.itemDown],
    ['activate: no item', [me, 'POST', paths.item('MLA', 'MLA1')], errors.noItem],
    ['deactivate: not in Flex any more', [me, 'DELETE', paths.item('MLA', notInFlex)], errors.alreadyInFlex],
    ['deactivate: not on ME2', [me, 'DELETE', paths.item('MLA', noMe2)], errors.itemDown],
    ['deactivate: no item', [me, 'DELETE', paths.item('MLA', 'MLA1')], errors.noItem],
    ['driver: none assigned', [me, 'GET', paths.driver('MLA', noDriver)], errors.noShipment],
    ['driver: no open route', [me, 'GET', paths.driver('MLA', delivered)], errors.noShipment],
    ['driver: no shipment', [me, 'GET', paths.driver('MLA', 1)], errors.noShipment],
  ]
  await takeEvents()
  for (const [name, request, body] of rows) expectAnswer(t, await send(request), body.status, body, name)
  t.same(await takeEvents(), [], 'an error publishes no event')
})

t.test('rejects empty, unknown and unsupported site ids', async (t) => {
  const rejected = [
    ...WITHOUT_FLEX.map((site) => [site, errors.noFlexSite] as const),
    ...INVALID_SITES.map((site) => [site, errors.invalidSite] as const),
    ...BLANK_SITES.map((site) => [site, errors.emptySite] as const),
  ]
  const { seller: me } = ana
  for (const [site, body] of rejected) {
    expectAnswer(t, await me.get(paths.subscriptions(site, me.id)), 400, body, site)
    expectAnswer(t, await me.get(paths.newerItem(site, inFlex)), 404, errors.noItem, site)
  }
  for (const one of sellers) {
    const [flex] = (await one.get(paths.subscriptions(one.site_id, one.id))).body
    t.match(flex, { site_id: one.site_id, user_id: one.id, mode: 'FLEX' })
    expectAnswer(t, await one.post(paths.configuration(one.site_id), query(one.id, flex.service_id)), 200, {
      configuration: { delivery_window: 'same_day' },
    })
    t.equal((await one.put(paths.update('custom', one.site_id, one.id, flex.service_id), RANGES)).status, 200)
    const item = await createListing(one)
    t.equal((await one.post(paths.item(one.site_id, item))).status, 204)
  }
  t.equal((await me.get(paths.subscriptions('%4dLA', me.id))).body.length, 2, 'escaped characters are decoded')
})

const shipping = async (item: string) => (await call(`/items/${item}`)).body.shipping
const IN = shippingOf('me2', { inFlex: true })

t.test('switches a listing once under two concurrent calls', async (t) => {
  const { seller: me } = await createFlexSeller()
  const item = await createListing(me)
  await takeEvents()
  const both = await Promise.all([me.post(paths.item('MLA', item)), me.post(paths.newerItem('MLA', item))])
  expectAnswer(t, both[0]!, 204, undefined)
  expectAnswer(t, both[1]!, 409, errors.cannotActivate, 'the newer path does not wait [spec: flex.items.conflict]')
  t.equal((await takeEvents()).length, 1, 'one change, one event')
  t.strictSame(await shipping(item), IN)
  const newer = await Promise.all([me.delete(paths.newerItem('MLA', item)), me.post(paths.newerItem('MLA', item))])
  t.strictSame(
    newer.map(({ status }) => status),
    [204, 409],
  )
  const waiting = [me.post(paths.newerItem('MLA', item)), me.post(paths.item('MLA', item))]
  t.strictSame(
    (await Promise.all(waiting)).map(({ status }) => status),
    [204, 400],
    'the older path waits',
  )
  const ofOther = [me.delete(paths.newerItem('MLA', item)), plain.delete(paths.newerItem('MLA', item))]
  const [, foreign] = await Promise.all(ofOther)
  expectAnswer(t, foreign!, 403, FOREIGN)
  expectAnswer(t, await me.post(paths.newerItem('MLA', item)), 204, undefined, 'nothing stays in flight')
})

t.test('flex.activation_needs_subscription=false: switches without a subscription', async (t) => {
  const app = await start(t, { switches: { 'flex.activation_needs_subscription': 'false' } })
  const fixtures = flexFixtures(app)
  const me = await fixtures.createSeller()
  const item = await fixtures.createListing(me)
  expectAnswer(t, await me.post(paths.item('MLA', item)), 204, undefined)
  expectAnswer(t, await me.get(paths.item('MLA', item)), 204, undefined)
  expectAnswer(t, await me.post(paths.item('MLA', item)), 400, errors.alreadyInFlex)
  expectAnswer(
    t,
    await me.post(paths.item('MLA', await fixtures.createListing(me, { status: 'paused' }))),
    403,
    errors.itemDown,
  )
  expectAnswer(
    t,
    await me.post(paths.item('MLA', await fixtures.createListing(me, { shipping_mode: 'me1' }))),
    403,
    errors.itemDown,
  )
  const { seller: left } = await fixtures.createFlexSeller('out')
  expectAnswer(t, await left.post(paths.item('MLA', await fixtures.createListing(left))), 204, undefined)
})

t.test('the documented example succeeds for the first seller of the demo', async (t) => {
  const [seller] = sellers as [Seller]
  const [{ service_id }] = (await seller.get(paths.subscriptions('MLA', seller.id))).body
  const url = paths.update('zone', 'MLA', seller.id, service_id)
  expectAnswer(t, await seller.put(url, { zones: [{ id: 'CABA' }] }), 200, { zones: [{ id: 'CABA' }] })
})

t.test('at most one zone of each area is mandatory', async (t) => {
  for (const { name, zones } of Object.values(AREAS).flat())
    t.ok(zones.filter(({ mandatory }) => mandatory).length <= 1, name)
})

t.test('applies one of two concurrent updates as a whole', async (t) => {
  const { seller, flex } = await createFlexSeller()
  const range = { from: 14, to: 21, capacity: 30, cutoff: 13 }
  const states = [
    { delivery_window: 'same_day', delivery_ranges: { week: [range], saturday: null, sunday: [range] } },
    { delivery_window: 'next_day', delivery_ranges: { week: null, saturday: [range], sunday: null } },
  ]
  const url = paths.update('custom', 'MLA', seller.id, flex.service_id)
  const fields = '{ delivery_window delivery_ranges { week { from } saturday { from } sunday { from } } }'
  for (let n = 0; n < 5; n++) {
    const answers = await Promise.all(states.map((state) => seller.put(url, state)))
    for (const [i, answer] of answers.entries()) expectAnswer(t, answer, 200, states[i])
    const { body } = await seller.post(paths.configuration('MLA'), {
      query: configurationQuery(seller.id, flex.service_id, fields),
    })
    const { delivery_window, delivery_ranges } = body.configuration
    const applied = states.find((state) => state.delivery_window === delivery_window)!
    for (const [day, ranges] of Object.entries(applied.delivery_ranges))
      t.strictSame(delivery_ranges[day], ranges && [{ from: 14 }], `${day} belongs to the same update`)
  }
})
