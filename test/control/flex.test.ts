import t from 'tap'
import { NOW, start } from '../support/app.ts'
import { asking, at, depotOf, HOME, said } from '../support/flex.ts'
import { badRequest, notFound, refused, says } from '../support/questions.ts'

const app = await start(t)
const { control, sellers } = app
const depot = depotOf(app)
const { seller, listing, facts } = depot

const MAX = Number.MAX_SAFE_INTEGER
const UTC = '2026-03-07T15:00:00Z'
const page = (results: object[], total = results.length, limit = 50, offset = 0) => ({
  paging: { total, limit, offset },
  results,
})

/** A seller who has all that Flex needs. */
async function able() {
  const one = await seller()
  await listing(one)
  return one
}
const subscribe = (body: object) => control('POST /flex/subscriptions', body)
const change = (id: number, body: unknown) => control(`PATCH /flex/subscriptions/${id}`, body)

t.test('Flex and Turbo; the public calls follow', async (t) => {
  const me = await able()
  const made = await subscribe({ user_id: me.id, training_days: 7 })
  const { id, service_id } = made.body
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
  says(t, made, 201, { ...flex, training_days: 7, is_moderated: false })
  says(t, await me.get(at.subscriptions('MLA', me.id)), 200, [flex])
  const turbo = await subscribe({ user_id: me.id, mode: 'TURBO', status: 'in' })
  says(t, turbo, 201, {
    ...flex,
    id: id + 1,
    mode: 'TURBO',
    configuration_type: { coverage: 'radius', delivery: 'accurate' },
    service_id: service_id + 1,
    status: { id: 'in' },
    training_days: null,
    is_moderated: false,
  })
  says(t, await control(`GET /flex/subscriptions/${id + 1}`), 200, turbo.body)
  says(t, await control(`GET /flex/subscriptions?user_id=${me.id}`), 200, page([made.body, turbo.body]))
  says(t, await control(`GET /flex/subscriptions?user_id=${me.id}&limit=1&offset=1`), 200, page([turbo.body], 2, 1, 1))
  t.equal((await control('GET /flex/subscriptions?limit=0')).body.paging.total > 10, true)
  t.equal((await me.get(at.subscriptions('MLA', me.id))).body.length, 2)
})

t.test('moved as the contract has it; settings and query follow', async (t) => {
  const me = await able()
  const { id, service_id } = (await subscribe({ user_id: me.id })).body
  const query = async () =>
    (
      await me.post(at.configuration('MLA'), {
        query: asking(me.id, service_id, '{ subscription { status { id } } is_moderated }'),
      })
    ).body
  const put = () => me.put(at.update('zone', 'MLA', me.id, service_id), { zones: [{ id: 'CABA' }] })
  const only = { pending: 'in', in: 'out', out: 'pending' } as const
  for (const status of ['in', 'out', 'pending', 'in'] as const) {
    const moved = await change(id, { status })
    t.match(moved.body, { id, status: { id: status } })
    t.strictSame(await query(), {
      configuration: { subscription: { status: { id: status } }, is_moderated: false },
    })
    const written = await put()
    if (status === 'out') says(t, written, 403, said.isOut)
    else t.not(written.status, 403, `settings are open while ${status}`)
    for (const other of ['in', 'out', 'pending'] as const)
      if (other !== only[status])
        says(
          t,
          await change(id, { status: other }),
          400,
          badRequest(`status: is ${status}; only ${only[status]} may follow`),
        )
  }
  t.equal((await change(id, { is_moderated: true })).body.is_moderated, true)
  t.equal((await query()).configuration.is_moderated, true)
  const both = await change(id, { status: 'out', is_moderated: false })
  t.match(both.body, { status: { id: 'out' }, is_moderated: false })
  says(
    t,
    await change(id, { status: 'in', is_moderated: true }),
    400,
    badRequest('status: is out; only pending may follow'),
  )
  says(t, await control(`GET /flex/subscriptions/${id}`), 200, both.body, 'a refusal changes nothing')
})

t.test('given ids', async (t) => {
  const [one, two, three, four] = [await able(), await able(), await able(), await able()]
  const first = (await subscribe({ user_id: one.id })).body
  const given = await subscribe({ user_id: two.id, id: MAX, service_id: MAX, status: 'out' })
  t.match(given.body, { id: MAX, service_id: MAX, status: { id: 'out' } })
  const pair = at.update('custom', 'MLA', two.id, MAX)
  says(t, await two.put(pair, { delivery_ranges: {} }), 403, said.isOut)
  await subscribe({ user_id: three.id, id: first.id + 1, service_id: first.service_id + 1 })
  const next = (await subscribe({ user_id: four.id })).body
  t.strictSame([next.id, next.service_id], [first.id + 2, first.service_id + 2], 'what is taken is left out')
  const again = { user_id: four.id, mode: 'TURBO' }
  const taken = (what: string) => refused(409, 'conflict', `${what} with id ${MAX} exists already`)
  says(t, await subscribe({ ...again, id: MAX }), 409, taken('Subscription'))
  says(t, await subscribe({ ...again, service_id: MAX }), 409, taken('Service'))
  t.equal((await four.get(at.subscriptions('MLA', four.id))).body.length, 1)
})

t.test('who cannot have it is told why', async (t) => {
  const me = await seller({ level_id: '1_red', address: JSON.stringify({ ...HOME, city: 'Ushuaia' }) })
  const refusedBy = async (message: string, mode = 'FLEX') =>
    says(t, await subscribe({ user_id: me.id, mode }), 400, badRequest(message))
  await refusedBy('the seller has no active listing with shipping mode me2')
  await listing(me)
  await refusedBy('the reputation of the seller is neither yellow nor green')
  await depot.setUser(me.id, { level_id: '3_yellow' })
  await refusedBy('the address of the seller lies in no coverage area')
  await depot.setUser(me.id, { address: JSON.stringify(HOME) })
  await refusedBy('Flex is not activated for the seller', 'TURBO')
  t.equal((await subscribe({ user_id: me.id })).status, 201)
  await refusedBy('the seller has FLEX already')
  says(t, await subscribe({ user_id: 1 }), 404, said.noUser)
  const days = 'training_days: must be an integer from 1 to 365'
  const positive = (name: string) => `${name}: must be an integer from 1 to ${MAX}`
  for (const [more, message] of [
    [{ user_id: undefined }, 'user_id: is required, must be an integer'],
    [{ user_id: null }, 'user_id: must be an integer'],
    [{ mode: 'flex' }, 'mode: must be one of FLEX, TURBO'],
    [{ status: 'on' }, 'status: must be one of in, out, pending'],
    [{ training_days: 0 }, days],
    [{ training_days: 366 }, days],
    [{ id: 0 }, positive('id')],
    [{ service_id: MAX + 1 }, positive('service_id')],
    [{ force: true }, 'force: is not known here'],
  ] as const)
    says(t, await subscribe({ user_id: me.id, ...more }), 400, badRequest(message), message)
  const none = 'body: must be a JSON object with status, is_moderated or both'
  for (const [body, message] of [
    [{}, none],
    [null, none],
    [{ status: 'on' }, 'status: must be one of in, out, pending'],
    [{ is_moderated: 1 }, 'is_moderated: must be true or false'],
    [{ mode: 'TURBO' }, 'mode: is not known here'],
  ] as const)
    says(t, await change(111181, body), 400, badRequest(message), message)
  for (const id of [1, 'x', MAX + 1]) {
    const unknown = notFound(`Subscription with id ${id} not found`)
    says(t, await control(`GET /flex/subscriptions/${id}`), 404, unknown)
    says(t, await control(`PATCH /flex/subscriptions/${id}`, { status: 'in' }), 404, unknown)
  }
})

t.test('a shipment and its driver; the public call follows, and applications are told', async (t) => {
  const me = await seller()
  await facts()
  const made = await control('POST /shipments', { seller_id: me.id })
  const { id } = made.body
  const row = (driver_id: number | null, route_open: boolean) => ({
    id,
    site_id: 'MLA',
    seller_id: me.id,
    driver_id,
    route_open,
    date_created: UTC,
  })
  says(t, made, 201, row(null, false))
  const driver = () => me.get(at.driver('MLA', id))
  const isTold = [['flex-handshakes', at.driver('MLA', id), [me.id]]]
  says(t, await driver(), 404, said.noShipment)
  const nobody = badRequest('route_open: must be false without a driver')
  says(t, await control(`PATCH /shipments/${id}`, { route_open: true }), 400, nobody)

  // What is asked, the driver and route after it, whether somebody is told.
  const steps: [body: object, driver: number | null, route: boolean, told: boolean][] = [
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
  await facts()
  for (const [body, driver_id, route_open, told] of steps) {
    const name = JSON.stringify(body)
    says(t, await control(`PATCH /shipments/${id}`, body), 200, row(driver_id, route_open), name)
    if (route_open) says(t, await driver(), 200, { driver_id }, name)
    else says(t, await driver(), 404, said.noShipment, name)
    const were = (await facts()).map(({ topic, resource, user_ids }) => [topic, resource, JSON.parse(user_ids)])
    t.strictSame(were, told ? isTold : [], name)
  }
  says(t, await control(`GET /shipments/${id}`), 200, row(null, false))
})

t.test('shipments with all they can have, and lists of them', async (t) => {
  const me = await seller()
  const make = (more: object) => control('POST /shipments', { seller_id: me.id, ...more })
  const plain = (await make({ driver_id: 5, route_open: false })).body
  const far = (await make({ id: MAX, driver_id: 5 })).body
  t.strictSame(
    [plain, far].map(({ id, driver_id, route_open }) => [id, driver_id, route_open]),
    [
      [plain.id, 5, false],
      [MAX, 5, true],
    ],
  )
  says(t, await me.get(at.driver('MLA', MAX)), 200, { driver_id: 5 })
  await make({ id: plain.id + 1 })
  const next = (await make({})).body
  t.equal(next.id, plain.id + 2, 'what is taken is left out')
  says(t, await make({ id: MAX }), 409, refused(409, 'conflict', `Shipment with id ${MAX} exists already`))
  const mine = `GET /shipments?seller_id=${me.id}`
  says(t, await control(`${mine}&offset=2`), 200, page([next, far], 4, 50, 2))
  says(t, await control(`${mine}&limit=1`), 200, page([plain], 4, 1))
  t.equal((await control('GET /shipments?limit=0')).body.paging.total, 12 * 8 + 5, 'with those of all')
  t.equal((await control(`GET /shipments?seller_id=${sellers[0]!.id}`)).body.paging.total, 12)
})

t.test('what cannot be shipped', async (t) => {
  const me = await seller()
  const abroad = await seller({ site_id: 'MLV' })
  const driver = `driver_id: must be an integer from 1 to ${MAX}, or null`
  for (const [more, message] of [
    [{ seller_id: undefined }, 'seller_id: is required, must be an integer'],
    [{ seller_id: 'x' }, 'seller_id: must be an integer'],
    [{ seller_id: abroad.id }, 'seller_id: there is no Flex on MLV'],
    [{ id: -1 }, `id: must be an integer from 1 to ${MAX}`],
    [{ driver_id: 0 }, driver],
    [{ driver_id: '5' }, driver],
    [{ driver_id: MAX + 1 }, driver],
    [{ route_open: 1 }, 'route_open: must be true or false'],
    [{ route_open: true }, 'route_open: must be false without a driver'],
    [{ site_id: 'MLA' }, 'site_id: is not known here'],
  ] as const)
    says(t, await control('POST /shipments', { seller_id: me.id, ...more }), 400, badRequest(message), message)
  says(t, await control('POST /shipments', { seller_id: 1 }), 404, notFound('User with id 1 not found'))
  t.equal((await control(`GET /shipments?seller_id=${me.id}`)).body.paging.total, 0, 'nothing is left of them')
  const { id } = (await control('POST /shipments', { seller_id: me.id })).body
  const none = 'body: must be a JSON object with driver_id, route_open or both'
  for (const [body, message] of [
    [{}, none],
    [[], none],
    [{ driver_id: 1.5 }, driver],
    [{ route_open: null }, 'route_open: must be true or false'],
    [{ seller_id: 1 }, 'seller_id: is not known here'],
  ] as const)
    says(t, await control(`PATCH /shipments/${id}`, body), 400, badRequest(message), message)
  for (const unknown of [1, 'x', MAX - 5]) {
    says(t, await control(`GET /shipments/${unknown}`), 404, said.noShipment)
    says(t, await control(`PATCH /shipments/${unknown}`, { driver_id: 5 }), 404, said.noShipment)
  }
})

t.test('a list goes by the filters that it has, whatever else is asked', async (t) => {
  for (const path of ['/flex/subscriptions', '/shipments', '/questions', '/loans']) {
    const { body } = await control(`GET ${path}`)
    for (const query of ['a[b]=1', 'constructor=x', 'id=1', '__proto__=1', 'site_id=MLB&site_id=MLA', '=1'])
      says(t, await control(`GET ${path}?${query}`), 200, body, `${path}?${query}`)
  }
})

t.test('nothing went wrong unseen', async (t) => {
  t.equal(app.world.clock.now(), NOW)
  t.strictSame(app.faults, [])
})
