import t from 'tap'
import { changeSwitches } from '../../db/world.ts'
import { start } from '../support/app.ts'
import { configurationQuery, flexFixtures, paths } from '../support/flex.ts'
import { badRequest, expectAnswer, notFound } from '../support/questions.ts'

const app = await start(t, { scenario: 'quiet' })
const { control, call, world } = app
const { createFlexSeller, createListing, createSeller, setUser, setItem, takeEvents } = flexFixtures(app)

const at = (id: number | string, part: string) => `/flex/subscriptions/${id}/${part}`
const WEEK = [{ from: 14, to: 21, capacity: 50, cutoff: 13 }]
const FLEX_ALLOWED = {
  capacity: { from: 10, to: 500 },
  cutoffs: [12, 13, 14, 15, 16, 17, 18],
  ranges: [],
  radius: null,
}
const TURBO_RANGES = [10, 11, 12, 13, 14, 15, 16].map((from) => ({ from, to: from + 2 }))

t.test('reads and changes the settings of FLEX; the public query shows them', async (t) => {
  const { seller, flex } = await createFlexSeller()
  const path = at(flex.id, 'configuration')
  const settings = {
    subscription_id: flex.id,
    mode: 'FLEX',
    delivery_window: 'same_day',
    delivery_ranges: { week: WEEK, saturday: null, sunday: null },
    radius: null,
    daily_capacity: false,
    allowed: FLEX_ALLOWED,
  }
  expectAnswer(t, await control(`GET ${path}`), 200, settings)
  const nextDay = { ...settings, delivery_window: 'next_day' }
  expectAnswer(t, await control(`PUT ${path}`, { delivery_window: 'next_day' }), 200, nextDay)
  const delivery_ranges = { week: [{ from: 10, to: 20, capacity: 60, cutoff: 15 }], saturday: WEEK, sunday: [] }
  const changed = {
    ...nextDay,
    delivery_ranges: { ...delivery_ranges, sunday: null },
    daily_capacity: true,
  }
  expectAnswer(t, await control(`PUT ${path}`, { delivery_ranges, daily_capacity: true }), 200, changed)
  expectAnswer(t, await control(`GET ${path}`), 200, changed)
  const query = configurationQuery(
    seller.id,
    flex.service_id,
    '{ delivery_window delivery_ranges { week { from to capacity calculated_cutoff } sunday { from } } working_days disabled_features }',
  )
  expectAnswer(t, await seller.post(paths.configuration('MLA'), { query }), 200, {
    configuration: {
      delivery_window: 'next_day',
      delivery_ranges: { week: [{ from: 10, to: 20, capacity: 60, calculated_cutoff: 15 }], sunday: null },
      working_days: ['week', 'saturday'],
      disabled_features: ['CUTOFF_BY_ZONE'],
    },
  })
})

t.test('reads and changes the settings of TURBO', async (t) => {
  const { seller, turbo } = await createFlexSeller()
  const path = at(turbo.id, 'configuration')
  const ranges = (week: object[]) => ({ week, saturday: null, sunday: null })
  const settings = {
    subscription_id: turbo.id,
    mode: 'TURBO',
    delivery_window: 'same_day',
    delivery_ranges: ranges(TURBO_RANGES.map(({ from, to }) => ({ from, to, capacity: 10, cutoff: from }))),
    radius: 3000,
    daily_capacity: false,
    allowed: {
      capacity: { from: 10, to: 500 },
      cutoffs: [],
      ranges: TURBO_RANGES,
      radius: { from: 3000, to: 8000 },
    },
  }
  expectAnswer(t, await control(`GET ${path}`), 200, settings)
  expectAnswer(t, await control(`PUT ${path}`, { radius: 5000 }), 200, { ...settings, radius: 5000 })
  const week = [10, 12, 14].map((from) => ({ from, to: from + 2, capacity: 20 }))
  const changed = {
    ...settings,
    delivery_ranges: ranges(week.map((range) => ({ ...range, cutoff: range.from }))),
    radius: 5000,
  }
  expectAnswer(t, await control(`PUT ${path}`, { delivery_ranges: { week } }), 200, changed)
  expectAnswer(t, await control(`GET ${path}`), 200, changed)
  const query = configurationQuery(seller.id, turbo.service_id, '{ radius delivery_ranges { week { from } } }')
  expectAnswer(t, await seller.post(paths.configuration('MLA'), { query }), 200, {
    configuration: { radius: 5000, delivery_ranges: { week: [{ from: 10 }, { from: 12 }, { from: 14 }] } },
  })
})

t.test('rejects invalid settings without any effect', async (t) => {
  const { flex, turbo } = await createFlexSeller()
  const HOUR = 'must be an integer from 0 to 24'
  const FIRST = 'delivery_ranges.week[0]'
  const body = 'must be a JSON object with delivery_window, delivery_ranges, radius or daily_capacity'
  const week = (changed: object) => ({ delivery_ranges: { week: [{ ...WEEK[0], ...changed }] } })
  const rows: [id: number, body: unknown, message: string][] = [
    [flex.id, {}, `body: ${body}`],
    [flex.id, [], `body: ${body}`],
    [flex.id, week({ capacity: 9 }), `${FIRST}.capacity: must be an integer from 10 to 500`],
    [flex.id, week({ cutoff: 19 }), `${FIRST}.cutoff: must be an integer from 12 to 18`],
    [flex.id, week({ to: 14 }), `${FIRST}.to: must be later than from`],
    [flex.id, week({ to: 25 }), `${FIRST}.to: ${HOUR}`],
    [
      flex.id,
      { delivery_ranges: { week: WEEK, saturday: [{ ...WEEK[0], capacity: 20 }] } },
      'delivery_ranges.saturday[0].capacity: must be the same on all days, as CAPACITY_BY_DAY is disabled',
    ],
    [flex.id, { radius: 5000 }, 'radius: is no setting of FLEX'],
    [turbo.id, { delivery_window: 'next_day' }, 'delivery_window: is no setting of TURBO'],
    [turbo.id, { daily_capacity: true }, 'daily_capacity: is no setting of TURBO'],
    [turbo.id, { radius: 2999 }, 'radius: must be an integer from 3000 to 8000'],
    [turbo.id, { delivery_ranges: {} }, 'delivery_ranges.week: must have at least 3 ranges'],
    [
      turbo.id,
      { delivery_ranges: { week: WEEK } },
      `${FIRST}: must be one of 10-12, 11-13, 12-14, 13-15, 14-16, 15-17, 16-18`,
    ],
  ]
  const before = (await control('GET /world')).body.flex_subscriptions
  for (const [id, sent, message] of rows)
    expectAnswer(t, await control(`PUT ${at(id, 'configuration')}`, sent), 400, badRequest(message))
  t.strictSame((await control('GET /world')).body.flex_subscriptions, before)
})

t.test('keeps different capacities only while days may have them', async (t) => {
  const { flex } = await createFlexSeller()
  const path = at(flex.id, 'configuration')
  const delivery_ranges = { week: WEEK, saturday: [{ from: 10, to: 14, capacity: 20, cutoff: 12 }] }
  t.equal((await control(`PUT ${path}`, { delivery_ranges, daily_capacity: true })).status, 200)
  expectAnswer(
    t,
    await control(`PUT ${path}`, { daily_capacity: false }),
    400,
    badRequest('delivery_ranges.saturday[0].capacity: must be the same on all days, as CAPACITY_BY_DAY is disabled'),
  )
  t.match((await control(`GET ${path}`)).body, { daily_capacity: true, delivery_ranges })
})

t.test('lists and sets the zones of FLEX', async (t) => {
  const { seller, flex, turbo } = await createFlexSeller()
  const path = at(flex.id, 'zones')
  const { status, body } = await control(`GET ${path}`)
  t.equal(status, 200)
  t.strictSame(Object.keys(body), ['city', 'area', 'zones'])
  t.strictSame([body.city, body.area], ['Buenos Aires', 'Área Metropolitana de Buenos Aires'])
  t.strictSame(body.zones[1], {
    id: 'CABA_Sur',
    label: 'CABA Sur',
    is_mandatory: false,
    selected: true,
    neighborhoods: [
      ...['San Telmo', 'La Boca', 'Barracas', 'Constitución', 'Parque Patricios', 'Boedo', 'Nueva Pompeya'],
      ...['Villa Lugano', 'Mataderos'],
    ],
    price: { cents: '00', currency_id: 'ARS', decimal_separator: ',', fraction: '4490', symbol: '$' },
  })
  const selected = {
    ...body,
    zones: body.zones.map((zone: { id: string }) => ({ ...zone, selected: zone.id === 'GBA_Sur' })),
  }
  expectAnswer(t, await control(`PUT ${path}`, { zones: [{ id: 'GBA_Sur' }] }), 200, selected)
  expectAnswer(t, await control(`GET ${path}`), 200, selected)
  const query = configurationQuery(seller.id, flex.service_id, '{ zones { id selected } }')
  const { zones } = (await seller.post(paths.configuration('MLA'), { query })).body.configuration
  t.strictSame(
    zones.filter((zone: { selected: boolean }) => zone.selected),
    [{ id: 'GBA_Sur', selected: true }],
  )
  expectAnswer(t, await control(`GET ${at(turbo.id, 'zones')}`), 200, { ...selected, zones: [] })
  await setUser(seller.id, { address: JSON.stringify({ address: '', city: 'Ushuaia', state: '', zip_code: '' }) })
  expectAnswer(t, await control(`GET ${path}`), 200, { city: 'Ushuaia', area: null, zones: [] })
})

t.test('rejects invalid zones without any effect', async (t) => {
  const { flex, turbo } = await createFlexSeller()
  const before = (await control(`GET ${at(flex.id, 'zones')}`)).body
  const rows: [id: number, body: unknown, message: string][] = [
    [flex.id, { zones: [{ id: 'CABA' }, { id: 'Luna' }] }, 'zones[1].id: is no zone of the coverage area'],
    [flex.id, { zones: [{ id: 'CABA' }, { id: 'CABA' }] }, 'zones[1].id: stands twice'],
    [turbo.id, { zones: [{ id: 'CABA' }] }, 'zones: is no setting of TURBO'],
  ]
  for (const [id, body, message] of rows)
    expectAnswer(t, await control(`PUT ${at(id, 'zones')}`, body), 400, badRequest(message))
  t.strictSame((await control(`GET ${at(flex.id, 'zones')}`)).body, before)
  // A zone of Montevideo is mandatory.
  const other = await createSeller({
    site_id: 'MLU',
    address: JSON.stringify({ address: '', city: 'Montevideo', state: '', zip_code: '' }),
  })
  await createListing(other)
  const { id } = (await control('POST /flex/subscriptions', { user_id: other.id })).body
  expectAnswer(
    t,
    await control(`PUT ${at(id, 'zones')}`, { zones: [] }),
    400,
    badRequest('zones: must hold Montevideo_Centro, which is mandatory'),
  )
})

t.test('settings of a subscription that is out can be read, but not changed', async (t) => {
  const { flex, turbo } = await createFlexSeller('out')
  const OUT = badRequest('status: is out; settings can be changed while it is pending or in')
  expectAnswer(t, await control(`PUT ${at(flex.id, 'configuration')}`, { delivery_window: 'next_day' }), 400, OUT)
  expectAnswer(t, await control(`PUT ${at(turbo.id, 'configuration')}`, { radius: 5000 }), 400, OUT)
  expectAnswer(t, await control(`PUT ${at(flex.id, 'zones')}`, { zones: [] }), 400, OUT)
  t.equal((await control(`GET ${at(flex.id, 'configuration')}`)).body.delivery_window, 'same_day')
  t.equal((await control(`GET ${at(flex.id, 'zones')}`)).status, 200)
})

t.test('unknown subscriptions are not found', async (t) => {
  for (const id of ['9', 'x'])
    for (const [request, body] of [
      [`GET ${at(id, 'configuration')}`],
      [`PUT ${at(id, 'configuration')}`, { delivery_window: 'next_day' }],
      [`GET ${at(id, 'zones')}`],
      [`PUT ${at(id, 'zones')}`, { zones: [] }],
    ] as const)
      expectAnswer(t, await control(request, body), 404, notFound(`Subscription with id ${id} not found`))
})

t.test('reads and switches Flex of a listing; only a change publishes an event', async (t) => {
  const { seller, item } = await createFlexSeller()
  const path = `/flex/items/${item}`
  const off = { item_id: item, seller_id: seller.id, has_flex: false, flex_lacks: null }
  const on = { ...off, has_flex: true }
  expectAnswer(t, await control(`GET ${path}`), 200, off)
  await takeEvents()
  for (const [has_flex, answer, events] of [
    [true, on, 1],
    [true, on, 0],
    [false, off, 1],
    [false, off, 0],
  ] as const) {
    expectAnswer(t, await control(`PUT ${path}`, { has_flex }), 200, answer)
    t.strictSame(
      (await takeEvents()).map(({ topic, resource }) => [topic, resource]),
      Array(events).fill(['items', `/items/${item}`]),
    )
    expectAnswer(t, await control(`GET ${path}`), 200, answer)
    expectAnswer(t, await seller.get(paths.newerItem('MLA', item)), 200, { has_flex })
  }
})

t.test('a listing without Flex says what it lacks', async (t) => {
  const { item, flex } = await createFlexSeller()
  const path = `/flex/items/${item}`
  const expectLack = async (flex_lacks: string, message: string) => {
    t.match((await control(`GET ${path}`)).body, { has_flex: false, flex_lacks })
    expectAnswer(t, await control(`PUT ${path}`, { has_flex: true }), 400, badRequest(`has_flex: ${message}`))
    expectAnswer(t, await control(`PUT ${path}`, { has_flex: false }), 200, (await control(`GET ${path}`)).body)
  }
  await control(`PATCH /flex/subscriptions/${flex.id}`, { status: 'out' })
  await expectLack('subscription', 'the seller has no FLEX subscription that is in or pending')
  await changeSwitches(world, () => ({ 'flex.activation_needs_subscription': 'false' }))
  t.equal((await control(`GET ${path}`)).body.flex_lacks, null)
  await changeSwitches(world, () => ({}))
  await setItem(item, { status: 'paused' })
  await expectLack('active', 'the listing is not active')
  await setItem(item, { shipping_mode: 'not_specified' })
  await expectLack('shipping', 'the listing is not shipped by ME2')

  const FLAG = 'must be true or false'
  expectAnswer(t, await control(`PUT ${path}`, {}), 400, badRequest(`has_flex: is required, ${FLAG}`))
  expectAnswer(t, await control(`PUT ${path}`, { has_flex: 1 }), 400, badRequest(`has_flex: ${FLAG}`))
  expectAnswer(t, await control(`PUT ${path}`, { has_flex: true, x: 1 }), 400, badRequest('x: is an unknown member'))
  for (const id of ['MLA9', 'x']) {
    const missing = notFound(`Item with id ${id} not found`)
    expectAnswer(t, await control(`GET /flex/items/${id}`), 404, missing)
    expectAnswer(t, await control(`PUT /flex/items/${id}`, { has_flex: true }), 404, missing)
  }
  t.equal((await call('/_sandbox/flex/items')).status, 404)
})
