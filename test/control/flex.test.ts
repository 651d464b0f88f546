import t from 'tap'
import { NOW, start } from '../support/app.ts'
import { configurationQuery, errors, flexFixtures, HOME, paths } from '../support/flex.ts'
import { badRequest, errorBody, expectAnswer, notFound } from '../support/questions.ts'

const app = await start(t)
const { control, sellers } = app
const fixtures = flexFixtures(app)
const { createSeller, createListing, takeEvents } = fixtures

const MAX = Number.MAX_SAFE_INTEGER
const UTC = '2026-03-07T15:00:00Z'
const page = (results: object[], total = results.length, limit = 50, offset = 0) => ({
  paging: { total, limit, offset },
  results,
})

/** A seller who meets all conditions of Flex. */
async function createEligibleSeller() {
  const one = await createSeller()
  await createListing(one)
  return one
}
const subscribe = (body: object) => control('POST /flex/subscriptions', body)
const change = (id: number, body: unknown) => control(`PATCH /flex/subscriptions/${id}`, body)

t.test('creates subscriptions of Flex and Turbo; the public calls show them', async (t) => {
  const me = await createEligibleSeller()
  const created = await subscribe({ user_id: me.id, training_days: 7 })
  const { id, service_id } = created.body
  const flex = {
    id,
    site_id: 'MLA',
    user_id: me.id,
    mode: 'FLEX',
    configuration_type: { coverage: 'zone', delivery: 'custom' },
    service_id,
    status: { id: 'pending' },
    creation_date: UTC,
  }
  expectAnswer(t, created, 201, { ...flex, origin: null, training_days: 7, is_moderated: false })
  expectAnswer(t, await me.get(paths.subscriptions('MLA', me.id)), 200, [flex])
  const turbo = await subscribe({ user_id: me.id, mode: 'TURBO', status: 'in' })
  expectAnswer(t, turbo, 201, {
    ...flex,
    id: id + 1,
    mode: 'TURBO',
    configuration_type: { coverage: 'radius', delivery: 'accurate' },
    service_id: service_id + 1,
    status: { id: 'in' },
    origin: null,
    training_days: null,
    is_moderated: false,
  })
  expectAnswer(t, await control(`GET /flex/subscriptions/${id + 1}`), 200, turbo.body)
  expectAnswer(t, await control(`GET /flex/subscriptions?user_id=${me.id}`), 200, page([created.body, turbo.body]))
  const second = await control(`GET /flex/subscriptions?user_id=${me.id}&limit=1&offset=1`)
  expectAnswer(t, second, 200, page([turbo.body], 2, 1, 1))
  t.equal((await control('GET /flex/subscriptions?limit=0')).body.paging.total > 10, true)
  t.equal((await me.get(paths.subscriptions('MLA', me.id))).body.length, 2)
})

t.test(
  'moves a subscription from pending to in, out and pending; settings and query follow [spec: flex.status]',
  async (t) => {
    const me = await createEligibleSeller()
    const { id, service_id } = (await subscribe({ user_id: me.id })).body
    const query = async () =>
      (
        await me.post(paths.configuration('MLA'), {
          query: configurationQuery(me.id, service_id, '{ subscription { status { id } } is_moderated }'),
        })
      ).body
    const writeSettings = () => me.put(paths.update('zone', 'MLA', me.id, service_id), { zones: [{ id: 'CABA' }] })
    const nextStatus = { pending: 'in or activating', in: 'out', out: 'pending' } as const
    const onlyNext = (status: string, next: string) => badRequest(`status: is ${status}; only ${next} may follow`)
    for (const status of ['in', 'out', 'pending', 'in'] as const) {
      const moved = await change(id, { status })
      t.match(moved.body, { id, status: { id: status } })
      t.strictSame(await query(), {
        configuration: { subscription: { status: { id: status } }, is_moderated: false },
      })
      const response = await writeSettings()
      if (status === 'out') expectAnswer(t, response, 403, errors.isOut)
      else t.not(response.status, 403, `settings are writable while ${status}`)
      for (const other of ['in', 'out', 'pending', 'creating'] as const)
        if (!nextStatus[status].startsWith(other))
          expectAnswer(t, await change(id, { status: other }), 400, onlyNext(status, nextStatus[status]))
    }
    t.equal((await change(id, { is_moderated: true })).body.is_moderated, true)
    t.equal((await query()).configuration.is_moderated, true)
    const both = await change(id, { status: 'out', is_moderated: false })
    t.match(both.body, { status: { id: 'out' }, is_moderated: false })
    expectAnswer(t, await change(id, { status: 'in', is_moderated: true }), 400, onlyNext('out', 'pending'))
    expectAnswer(t, await control(`GET /flex/subscriptions/${id}`), 200, both.body, 'the rejected change had no effect')
  },
)

t.test('accepts given ids and skips ids in use', async (t) => {
  const [one, two, three, four] = [
    await createEligibleSeller(),
    await createEligibleSeller(),
    await createEligibleSeller(),
    await createEligibleSeller(),
  ]
  const first = (await subscribe({ user_id: one.id })).body
  const given = await subscribe({ user_id: two.id, id: MAX, service_id: MAX, status: 'out' })
  t.match(given.body, { id: MAX, service_id: MAX, status: { id: 'out' } })
  const pair = paths.update('custom', 'MLA', two.id, MAX)
  expectAnswer(t, await two.put(pair, { delivery_ranges: {} }), 403, errors.isOut)
  await subscribe({ user_id: three.id, id: first.id + 1, service_id: first.service_id + 1 })
  const next = (await subscribe({ user_id: four.id })).body
  t.strictSame([next.id, next.service_id], [first.id + 2, first.service_id + 2], 'skips ids in use')
  const turbo = { user_id: four.id, mode: 'TURBO' }
  const conflict = (what: string) => errorBody(409, 'conflict', `${what} with id ${MAX} exists already`)
  expectAnswer(t, await subscribe({ ...turbo, id: MAX }), 409, conflict('Subscription'))
  expectAnswer(t, await subscribe({ ...turbo, service_id: MAX }), 409, conflict('Service'))
  t.equal((await four.get(paths.subscriptions('MLA', four.id))).body.length, 1)
})

t.test('rejects a seller who does not meet the conditions, and invalid bodies', async (t) => {
  const me = await createSeller({ level_id: '1_red', address: JSON.stringify({ ...HOME, city: 'Ushuaia' }) })
  const expectError = async (message: string, mode = 'FLEX') =>
    expectAnswer(t, await subscribe({ user_id: me.id, mode }), 400, badRequest(message))
  const noListing = 'the seller has no active listing with shipping mode me2'
  await expectError(noListing)
  const item = await createListing(me, { status: 'paused' })
  await expectError(noListing)
  await fixtures.setItem(item, { status: 'active', shipping_mode: 'me1' })
  await expectError(noListing)
  await fixtures.setItem(item, { shipping_mode: 'me2' })
  await expectError('the reputation of the seller is neither yellow nor green')
  await fixtures.setUser(me.id, { level_id: '3_yellow' })
  await expectError('the address of the seller lies in no coverage area')
  await fixtures.setUser(me.id, { address: JSON.stringify(HOME) })
  await expectError('Flex is not activated for the seller', 'TURBO')
  expectAnswer(t, await me.get(paths.subscriptions('MLA', me.id)), 200, [], 'no subscription was created')
  t.equal((await subscribe({ user_id: me.id })).status, 201)
  await expectError('the seller already has FLEX')
  t.equal((await subscribe({ user_id: me.id, mode: 'TURBO' })).status, 201)
  await expectError('the seller already has TURBO', 'TURBO')
  expectAnswer(t, await subscribe({ user_id: 1 }), 404, errors.noUser)
  for (const id of [1, 'x', MAX + 1]) {
    const unknown = notFound(`Subscription with id ${id} not found`)
    expectAnswer(t, await control(`GET /flex/subscriptions/${id}`), 404, unknown)
    expectAnswer(t, await control(`PATCH /flex/subscriptions/${id}`, { status: 'in' }), 404, unknown)
  }
})

t.test('creates a shipment and changes its driver; the public call follows, and events are published', async (t) => {
  const me = await createSeller()
  await takeEvents()
  const created = await control('POST /shipments', { seller_id: me.id })
  const { id } = created.body
  const state = { status: 'ready_to_ship', substatus: 'printed' }
  const shipment = (driver_id: number | null, route_open: boolean) => ({
    ...{ id, site_id: 'MLA', seller_id: me.id, buyer_id: null, order_id: null, type: 'forward', mode: 'me2' },
    ...{ logistic_type: 'self_service', ...state, tracking_number: null, driver_id, route_open, date_created: UTC },
    steps: [{ ...state, at: '2026-03-07T15:00:00.000Z', is_published: true }],
  })
  expectAnswer(t, created, 201, shipment(null, false))
  const driver = () => me.get(paths.driver('MLA', id))
  const expectedEvents = [['flex-handshakes', paths.driver('MLA', id), [me.id]]]
  expectAnswer(t, await driver(), 404, errors.noShipment)
  const noDriver = badRequest('route_open: must be false without a driver')
  expectAnswer(t, await control(`PATCH /shipments/${id}`, { route_open: true }), 400, noDriver)

  // The body, then driver and route after it, and whether an event is published.
  const steps: [body: object, driver: number | null, route: boolean, isPublished: boolean][] = [
    [{ route_open: false }, null, false, false],
    [{ driver_id: 81 }, 81, true, true],
    [{ driver_id: 81 }, 81, true, false],
    [{ driver_id: MAX, route_open: true }, MAX, true, true],
    [{ route_open: false }, MAX, false, false],
    [{ driver_id: MAX }, MAX, false, false],
    [{ route_open: true }, MAX, true, true],
    [{ driver_id: 82, route_open: false }, 82, false, true],
    [{ driver_id: null }, null, false, false],
    [{ driver_id: 83 }, 83, true, true],
    [{ driver_id: null, route_open: false }, null, false, false],
  ]
  await takeEvents()
  for (const [body, driver_id, route_open, isPublished] of steps) {
    const name = JSON.stringify(body)
    expectAnswer(t, await control(`PATCH /shipments/${id}`, body), 200, shipment(driver_id, route_open), name)
    if (route_open) expectAnswer(t, await driver(), 200, { driver_id }, name)
    else expectAnswer(t, await driver(), 404, errors.noShipment, name)
    const events = (await takeEvents()).map(({ topic, resource, user_ids }) => [topic, resource, JSON.parse(user_ids)])
    t.strictSame(events, isPublished ? expectedEvents : [], name)
  }
  expectAnswer(t, await control(`GET /shipments/${id}`), 200, shipment(null, false))
})

t.test('creates shipments with all members and lists them', async (t) => {
  const me = await createSeller()
  const createShipment = (more: object) => control('POST /shipments', { seller_id: me.id, ...more })
  const plain = (await createShipment({ driver_id: 5, route_open: false })).body
  const largest = (await createShipment({ id: MAX, driver_id: 5 })).body
  t.strictSame(
    [plain, largest].map(({ id, driver_id, route_open }) => [id, driver_id, route_open]),
    [
      [plain.id, 5, false],
      [MAX, 5, true],
    ],
  )
  expectAnswer(t, await me.get(paths.driver('MLA', MAX)), 200, { driver_id: 5 })
  await createShipment({ id: plain.id + 1 })
  const next = (await createShipment({})).body
  t.equal(next.id, plain.id + 2, 'skips ids in use')
  const conflict = errorBody(409, 'conflict', `Shipment with id ${MAX} exists already`)
  expectAnswer(t, await createShipment({ id: MAX }), 409, conflict)
  const list = `GET /shipments?seller_id=${me.id}`
  const listed = ({ steps: _, ...members }: { steps: unknown }) => members
  expectAnswer(t, await control(`${list}&offset=2`), 200, page([listed(next), listed(largest)], 4, 50, 2))
  expectAnswer(t, await control(`${list}&limit=1`), 200, page([listed(plain)], 4, 1))
  const { total } = (await control('GET /shipments?limit=0')).body.paging
  t.ok(total > 12 * 8 + 5, 'counts the shipments of all sellers')
  const ofFirst = `GET /shipments?seller_id=${sellers[0]!.id}`
  t.equal((await control(`${ofFirst}&logistic_type=self_service&driver_status=assigned`)).body.paging.total, 2)
})

t.test('rejects invalid shipments', async (t) => {
  const me = await createSeller()
  for (const [more, message] of [[{ route_open: true }, 'route_open: must be false without a driver']] as const)
    expectAnswer(t, await control('POST /shipments', { seller_id: me.id, ...more }), 400, badRequest(message), message)
  expectAnswer(t, await control('POST /shipments', { seller_id: 1 }), 404, notFound('User with id 1 not found'))
  t.equal((await control(`GET /shipments?seller_id=${me.id}`)).body.paging.total, 0, 'no shipment was created')
  for (const unknown of [1, 'x', MAX - 5]) {
    const noShipment = notFound(`Shipment with id ${unknown} not found`)
    expectAnswer(t, await control(`GET /shipments/${unknown}`), 404, noShipment)
    expectAnswer(t, await control(`PATCH /shipments/${unknown}`, { driver_id: 5 }), 404, noShipment)
  }
})

t.test('no call has moved the clock', async (t) => t.equal(app.world.clock.now(), NOW))
