import t from 'tap'
import { createParcel } from '../../domains/shipments/driver_operations.ts'
import { NOW, start } from '../support/app.ts'
import { configurationQuery, errors, flexFixtures, HOME, paths } from '../support/flex.ts'
import { expectAnswer, FOREIGN } from '../support/questions.ts'

const app = await start(t)
const { world, control } = app
const fixtures = flexFixtures(app)
const { createSeller, createListing, createFlexSeller, setSubscription, takeEvents } = fixtures
t.beforeEach(() => world.clock.applySetting({ mode: 'frozen', ms: NOW }))

const badRequest = (message: string) => ({ message, error: 'bad_request', status: 400, cause: [] })
const QUILMES = { address: 'Av. Mitre 1200', city: 'Quilmes', state: 'Buenos Aires', zip_code: '1878' }
const CORDOBA = { ...QUILMES, city: 'Córdoba', state: 'Córdoba' }

/** A seller, and a function that reads or sets its newer settings. */
async function createSettings(mode: 'flex' | 'turbo' = 'flex') {
  const { seller, [mode]: row } = await createFlexSeller()
  const url = (path: string) => paths.newerSettings(path, 'MLA', seller.id, row.service_id)
  return {
    seller,
    row,
    url,
    read: async (path: string) => (await seller.get(url(path))).body,
    set: (path: string, body: unknown) => seller.put(url(path), body),
    query: async (selection: string) => {
      const query = configurationQuery(seller.id, row.service_id, selection)
      return (await seller.post(paths.configuration('MLA'), { query })).body.configuration
    },
  }
}

t.test('reads and sets zones with their cutoffs [spec: flex.newer.zones, flex.newer.zones.cutoff]', async (t) => {
  const { seller, row, url, read, set, query } = await createSettings()
  const zones = JSON.parse(row.zones).map((id: string) => ({ id }))
  expectAnswer(t, await seller.get(url('coverage/zones')), 200, { zones })
  for (const flag of ['false', 'False', '0'])
    expectAnswer(t, await seller.get(`${url('coverage/zones')}?show_availables=${flag}`), 200, { zones })
  for (const flag of ['true', 'True', '1']) {
    const { body } = await seller.get(`${url('coverage/zones')}?show_availables=${flag}`)
    t.strictSame(body.zones, zones)
    t.strictSame(body.availables.cutoffs, {
      global: { min: 12, max: 18 },
      per_scope: {
        LocalInterno: { minimum: 12, maximum: 18 },
        LocalAdyacente: { minimum: 12, maximum: 18 },
        LocalLejano: { minimum: 10, maximum: 15 },
      },
    })
    const { zones: ofQuery } = await query(
      '{ zones { id label neighborhoods price { cents currency_id decimal_separator fraction symbol } } }',
    )
    const ring = [
      [-58.46, -34.64],
      [-58.4, -34.64],
      [-58.4, -34.58],
      [-58.46, -34.58],
      [-58.46, -34.64],
    ]
    const polygon = { geometry: { coordinates: [ring], type: 'Polygon' }, properties: { name: null }, type: 'Feature' }
    t.strictSame(body.availables.zones[0], { ...ofQuery[0], polygon, scope: 'LocalInterno' })
    t.strictSame(
      body.availables.zones.map(({ id }: { id: string }) => id),
      ofQuery.map(({ id }: { id: string }) => id),
    )
    t.equal(body.availables.zones.at(-1).scope, 'LocalLejano')
  }
  expectAnswer(
    t,
    await seller.get(`${url('coverage/zones')}?show_availables=maybe`),
    400,
    badRequest('show_availables: must be one of true, false, True, False, 1, 0'),
  )

  const at = (hour: number) => ({ week: hour, saturday: hour, sunday: hour })
  const two = [
    { id: 'CABA', cutoff: at(13) },
    { id: 'CABA_Sur', cutoff: at(18) },
  ]
  expectAnswer(t, await set('coverage/zones', { zones: two }), 204, undefined)
  t.strictSame(await read('coverage/zones'), { zones: two })
  t.strictSame(await query('{ disabled_features zones { id selected } }'), {
    disabled_features: ['CAPACITY_BY_DAY'],
    zones: (await query('{ zones { id selected } }')).zones.map(({ id }: { id: string }) => ({
      id,
      selected: id === 'CABA' || id === 'CABA_Sur',
    })),
  })
  const [newer] = (await seller.get(paths.newer('MLA', seller.id))).body
  t.strictSame(newer.configuration.set.coverage.capabilities, { cutoff_by_zone: true })

  const withRest = [{ id: 'CABA', cutoff: at(13) }, { id: 'CABA_Oeste' }]
  expectAnswer(t, await set('coverage/zones', { zones: withRest }), 204, undefined, 'the rest has that of the ranges')
  t.strictSame(await read('coverage/zones'), { zones: withRest })
  const one = [{ id: 'CABA', cutoff: at(12) }]
  expectAnswer(t, await set('coverage/zones', { zones: one }), 204, undefined)
  t.strictSame(await read('coverage/zones'), { zones: one })
  const older = paths.update('zone', 'MLA', seller.id, row.service_id)
  expectAnswer(t, await seller.put(older, { zones: [{ id: 'GBA_Sur' }, { id: 'CABA' }] }), 200, {
    zones: [{ id: 'GBA_Sur' }, { id: 'CABA' }],
  })
  t.strictSame(await read('coverage/zones'), { zones: [{ id: 'GBA_Sur' }, ...one] }, 'the older path leaves cutoffs')
  const same = ['CABA', 'CABA_Sur'].map((id) => ({ id, cutoff: at(14) }))
  expectAnswer(t, await set('coverage/zones', { zones: same }), 204, undefined)
  t.strictSame(await read('coverage/zones'), { zones: [{ id: 'CABA' }, { id: 'CABA_Sur' }] }, 'the same for all: none')
  t.strictSame(await query('{ disabled_features }'), { disabled_features: ['CUTOFF_BY_ZONE', 'CAPACITY_BY_DAY'] })

  const refused: [zone: object, message: string][] = [
    [{ id: 'CABA', cutoff: 12 }, 'zones[0].cutoff: must be an object with week, saturday, sunday'],
    [{ id: 'CABA', cutoff: { week: 12, saturday: 12 } }, 'zones[0].cutoff.sunday: must be an integer from 12 to 18'],
    [{ id: 'CABA', cutoff: at(19) }, 'zones[0].cutoff.week: must be an integer from 12 to 18'],
    [{ id: 'nowhere' }, 'zones[0].id: is no zone of the coverage area'],
  ]
  for (const [zone, message] of refused)
    expectAnswer(t, await set('coverage/zones', { zones: [zone] }), 400, badRequest(message))
  expectAnswer(t, await set('coverage/zones', {}), 400, badRequest('zones: must be an array of objects with id'))
  t.strictSame(
    await read('coverage/zones'),
    { zones: [{ id: 'CABA' }, { id: 'CABA_Sur' }] },
    'an error changes nothing',
  )
})

t.test('reads and sets ranges of FLEX [spec: flex.newer.ranges, flex.newer.ranges.cutoff]', async (t) => {
  const { seller, row, url, read, set, query } = await createSettings()
  const range = { capacity: 50, from: 14, to: 21, cutoff: 13 }
  const settings = { delivery_window: 'same_day', delivery_ranges: { week: [range] }, is_downgraded: false }
  expectAnswer(t, await seller.get(url('delivery-ranges')), 200, settings)
  expectAnswer(t, await seller.get(`${url('delivery-ranges')}?show_availables=true`), 200, {
    ...settings,
    availables: {
      capacity: { min: 10, max: 500 },
      delivery_ranges: {
        type: 'dynamic',
        ranges: { 1: [{ from: 10, to: 22 }] },
        min_hours: 10,
        max_hours: 22,
        min_range_quantity: 1,
        max_range_quantity: 24,
        min_hours_quantity_between_ranges: 0,
      },
      delivery_windows: ['same_day', 'next_day'],
      working_days: ['week', 'saturday', 'sunday'],
      cutoffs: { global: { min: 12, max: 18 } },
    },
  })
  await setSubscription(row.id, { is_moderated: 1 })
  t.equal((await read('delivery-ranges')).is_downgraded, true)

  const next = { capacity: 30, from: 13, to: 20, cutoff: 12 }
  expectAnswer(t, await set('delivery-ranges', { delivery_ranges: { week: [next], sunday: [next] } }), 204, undefined)
  t.strictSame((await read('delivery-ranges')).delivery_ranges, { week: [next], sunday: [next] })
  t.strictSame((await query('{ working_days }')).working_days, ['week', 'sunday'], 'one state with the older paths')
  const { cutoff: _, ...without } = next
  const withoutCutoff = { delivery_ranges: { week: [without] } }
  const message = 'delivery_ranges.week[0].cutoff: must be an integer from 12 to 18'
  expectAnswer(t, await set('delivery-ranges', withoutCutoff), 400, badRequest(message), 'same_day needs it')
  const nextDay = { delivery_window: 'next_day', delivery_ranges: { week: [{ ...without, cutoff: 23 }] } }
  expectAnswer(t, await set('delivery-ranges', nextDay), 204, undefined, 'next_day ignores it')
  expectAnswer(t, await set('delivery-ranges', withoutCutoff), 204, undefined, 'as long as it stays')
  t.match(await read('delivery-ranges'), { delivery_window: 'next_day', delivery_ranges: { week: [next] } })
  const early = { delivery_ranges: { week: [{ ...without, from: 8, to: 11 }] } }
  expectAnswer(
    t,
    await set('delivery-ranges', early),
    400,
    badRequest('delivery_ranges.week[0].cutoff: must not be later than to'),
  )

  await set('coverage/zones', { zones: [{ id: 'CABA', cutoff: { week: 13, saturday: 13, sunday: 13 } }] })
  t.strictSame((await read('delivery-ranges')).delivery_ranges, { week: [without] }, 'cutoffs by zone')
  const sent = { delivery_window: 'same_day', delivery_ranges: { week: [next] } }
  const absent = 'delivery_ranges.week[0].cutoff: must be absent, as zones have cutoffs'
  expectAnswer(t, await set('delivery-ranges', sent), 400, badRequest(absent))
  expectAnswer(t, await set('delivery-ranges', { ...sent, delivery_ranges: { week: [without] } }), 204, undefined)
  t.equal((await read('delivery-ranges')).delivery_window, 'same_day')

  expectAnswer(t, await set('delivery-ranges', { delivery_ranges: {} }), 204, undefined)
  const [newer] = (await seller.get(paths.newer('MLA', seller.id))).body
  t.equal(newer.configuration.set.delivery_ranges, 'disabled')
})

t.test('reads and sets ranges of TURBO, which has no zones and holidays', async (t) => {
  const { seller, url, read, set } = await createSettings('turbo')
  const ranges = [10, 11, 12].map((from) => ({ capacity: 20, from, to: from + 2 }))
  expectAnswer(
    t,
    await set('delivery-ranges', { delivery_window: 'same_day', delivery_ranges: { week: ranges } }),
    204,
    undefined,
  )
  const stored = ranges.map((range) => ({ ...range, cutoff: range.from }))
  expectAnswer(t, await seller.get(`${url('delivery-ranges')}?show_availables=true`), 200, {
    delivery_window: 'same_day',
    delivery_ranges: { week: stored },
    availables: {
      capacity: { min: 10, max: 500 },
      delivery_ranges: {
        type: 'fixed',
        ranges: { 7: [10, 11, 12, 13, 14, 15, 16].map((from) => ({ from, to: from + 2 })) },
        min_range_quantity: 3,
        max_range_quantity: 7,
      },
      delivery_windows: ['same_day'],
      working_days: ['week'],
    },
  })
  const few = await set('delivery-ranges', { delivery_ranges: { week: ranges.slice(1) } })
  expectAnswer(t, few, 400, badRequest('delivery_ranges.week: must have at least 3 ranges'))
  t.strictSame((await read('delivery-ranges')).delivery_ranges, { week: stored })
  for (const path of ['coverage/zones', 'holidays']) {
    expectAnswer(t, await seller.get(url(path)), 404, errors.noPair)
    expectAnswer(t, await set(path, { zones: [], holidays: [] }), 404, errors.nothingToUpdate)
  }
})

t.test('reads and sets holidays [spec: flex.newer.holidays]', async (t) => {
  const { row, seller, url, read, set } = await createSettings()
  world.clock.applySetting({ mode: 'frozen', ms: Date.parse('2026-12-26T03:59:59.999Z') })
  const LIST = [
    ['2026-12-25', 'Navidad'],
    ['2027-01-01', 'Año Nuevo'],
    ['2027-05-01', 'Día del Trabajador'],
    ['2027-05-25', 'Revolución de Mayo'],
    ['2027-07-09', 'Independencia'],
    ['2027-12-08', 'Inmaculada Concepción'],
  ] as const
  const holidays = (...selected: string[]) => ({
    holidays: LIST.map(([date, description]) => ({ date, description, selected: selected.includes(date) })),
  })
  expectAnswer(t, await seller.get(url('holidays')), 200, holidays())
  const christmas = { date: '2026-12-25', description: 'Christmas', selected: true }
  expectAnswer(
    t,
    await set('holidays', { holidays: [christmas, { date: '2027-07-09', selected: true }] }),
    204,
    undefined,
  )
  t.strictSame(await read('holidays'), holidays('2026-12-25', '2027-07-09'))
  expectAnswer(t, await set('holidays', { holidays: [{ ...christmas, selected: false }] }), 204, undefined)
  t.strictSame(await read('holidays'), holidays('2027-07-09'), 'what is not sent stays')

  const saturday = { date: '2027-05-01', selected: true }
  const refused: [holidays: unknown, message: string][] = [
    [undefined, 'holidays: must be an array of objects with date and selected'],
    [['2027-01-01'], 'holidays[0].date: is no holiday of the site in the next twelve months'],
    [[{ date: '2026-12-24', selected: true }], 'holidays[0].date: is no holiday of the site in the next twelve months'],
    [[{ date: '2027-12-25', selected: true }], 'holidays[0].date: is no holiday of the site in the next twelve months'],
    [[christmas, { date: '2027-01-01' }], 'holidays[1].selected: must be true or false'],
    [[christmas, saturday], 'holidays[1].selected: must be false: there are no deliveries on that day'],
  ]
  for (const [list, message] of refused)
    expectAnswer(t, await set('holidays', { holidays: list }), 400, badRequest(message))
  expectAnswer(t, await set('holidays', { holidays: [{ ...saturday, selected: false }] }), 204, undefined)
  const range = { from: 14, to: 21, capacity: 30, cutoff: 13 }
  const withSaturday = { delivery_ranges: { week: [range], saturday: [range] } }
  await seller.put(paths.update('custom', 'MLA', seller.id, row.service_id), withSaturday)
  expectAnswer(t, await set('holidays', { holidays: [saturday] }), 204, undefined)
  t.strictSame(await read('holidays'), holidays('2027-05-01', '2027-07-09'))
  world.clock.applySetting({ mode: 'frozen', ms: Date.parse('2026-12-26T04:00:00Z') })
  const dates = (await read('holidays')).holidays.map(({ date }: { date: string }) => date)
  t.strictSame([dates[0], dates.at(-1)], ['2027-01-01', '2027-12-25'], 'the day begins at −04:00')
})

t.test('keeps settings from others, and reads those that are out [spec: flex.newer.not_found]', async (t) => {
  const { seller, row, url, set } = await createSettings()
  const other = await createFlexSeller()
  for (const path of ['coverage/zones', 'delivery-ranges', 'holidays']) {
    const foreign = paths.newerSettings(path, 'MLA', other.seller.id, other.flex.service_id)
    expectAnswer(t, await seller.get(foreign), 403, FOREIGN)
    expectAnswer(t, await seller.put(foreign, {}), 403, FOREIGN)
    expectAnswer(t, await seller.get(paths.newerSettings(path, 'MLB', seller.id, row.service_id)), 404, errors.noPair)
    expectAnswer(t, await seller.get(paths.newerSettings(path, 'MLA', seller.id, 1)), 404, errors.noPair)
    expectAnswer(t, await seller.get(paths.newerSettings(path, 'MLA', 'x', 'x')), 400, errors.invalidUser)
    expectAnswer(t, await seller.get(paths.newerSettings(path, 'MLA', seller.id, 'x')), 400, errors.invalidService)
    expectAnswer(t, await seller.put(url(path), '['), 400, errors.invalidJson)
  }
  await setSubscription(row.id, { status: 'out' })
  expectAnswer(t, await set('holidays', { holidays: [] }), 403, errors.isOut)
  t.equal((await seller.get(url('holidays'))).status, 200)
})

t.test('lists subscriptions of several origins; the older list has its own [spec: flex.origins]', async (t) => {
  const me = await createSeller()
  await createListing(me)
  const subscribe = (body: object) => control('POST /flex/subscriptions', { user_id: me.id, ...body })
  const refused = await subscribe({ origin: QUILMES })
  t.match(refused, { status: 400, body: { message: 'Flex is not activated for the seller' } })
  const home = (await subscribe({ status: 'in' })).body
  const created = await subscribe({ origin: QUILMES, status: 'creating' })
  t.match(created, { status: 201, body: { origin: QUILMES, status: { id: 'creating' } } })
  const { id, service_id } = created.body
  t.match(await subscribe({ origin: QUILMES }), {
    status: 400,
    body: { message: 'the seller already has FLEX from this origin' },
  })
  t.match(await subscribe({ origin: { city: 'Ushuaia' } }), {
    body: { message: 'the address of the seller lies in no coverage area' },
  })
  const far = (await subscribe({ origin: CORDOBA, status: 'out' })).body

  const newer = async () => (await me.get(paths.newer('MLA', me.id))).body
  const list = await newer()
  t.strictSame(
    list.map((one: { service_id: number; status: string; origin: { city: { name: string } } }) => [
      ...[one.service_id, one.status, one.origin.city.name],
    ]),
    [
      [home.service_id, 'in', HOME.city],
      [far.service_id, 'out', 'Córdoba'],
      [service_id, 'creating', 'Quilmes'],
    ],
  )
  const { address: address_line, zip_code } = QUILMES
  const { id: address, city, ...street } = list[2].origin
  t.strictSame({ ...street, name: city.name }, { address_line, zip_code, name: 'Quilmes' })
  t.equal(new Set([address, list[0].origin.id, list[1].origin.id]).size, 3, 'an address id for each origin')
  t.strictSame(
    (await me.get(paths.subscriptions('MLA', me.id))).body.map((one: { id: number }) => one.id),
    [home.id],
  )

  // The older calls take its service, show `pending` and let settings be changed until it is `in`.
  const query = configurationQuery(me.id, service_id, '{ address { city { name } } subscription { status { id } } }')
  const shown = async () => (await me.post(paths.configuration('MLA'), { query })).body.configuration
  for (const [status, older] of [
    ['creating', 'pending'],
    ['pending', 'pending'],
    ['activating', 'pending'],
    ['in', 'in'],
  ]) {
    if (status !== 'creating')
      t.match((await control(`PATCH /flex/subscriptions/${id}`, { status })).body.status, { id: status })
    t.strictSame(await shown(), { address: { city: { name: 'Quilmes' } }, subscription: { status: { id: older } } })
    t.equal((await newer())[2].status, status)
    const zones = { zones: [{ id: 'GBA_Sur' }] }
    expectAnswer(t, await me.put(paths.update('zone', 'MLA', me.id, service_id), zones), 200, zones)
  }
  t.strictSame(await me.get(paths.newerSettings('coverage/zones', 'MLA', me.id, service_id)).then(({ body }) => body), {
    zones: [{ id: 'GBA_Sur' }],
  })
  const zoneOf = (service: number, zone: string) =>
    me.put(paths.newerSettings('coverage/zones', 'MLA', me.id, service), { zones: [{ id: zone }] })
  expectAnswer(
    t,
    await zoneOf(service_id, 'Cordoba_Centro'),
    400,
    badRequest('zones[0].id: is no zone of the coverage area'),
  )
  await control(`PATCH /flex/subscriptions/${far.id}`, { status: 'pending' })
  const [{ id: central }] = (await control(`GET /flex/subscriptions/${far.id}/zones`)).body.zones
  expectAnswer(t, await zoneOf(far.service_id, central), 204, undefined, 'each origin has its area')
})

t.test('a courier registers a shipment; its seller reads the driver [spec: flex.courier]', async (t) => {
  const { seller } = await createFlexSeller()
  const courier = await createSeller()
  const add = () => world.tx((q) => createParcel(q, world, { site_id: 'MLA', seller_id: seller.id }))
  const { id } = await add()
  const url = paths.courier('MLA', courier.id)
  await takeEvents()
  expectAnswer(t, await courier.post(paths.courier('MLA', seller.id), { shipment_id: id }), 403, FOREIGN)
  expectAnswer(t, await courier.post(paths.courier('MLA', 999), { shipment_id: id }), 404, errors.noUser)
  expectAnswer(t, await courier.post(paths.courier('MLB', courier.id), { shipment_id: id }), 404, errors.noShipment)
  expectAnswer(t, await courier.post(url, { shipment_id: 5 }), 404, errors.noShipment)
  expectAnswer(t, await courier.post(url, { shipment_id: 'x' }), 400, badRequest('shipment_id: must be an integer'))
  expectAnswer(t, await seller.get(paths.driver('MLA', id)), 404, errors.noShipment)
  t.strictSame(await takeEvents(), [])

  const both = await Promise.all([courier.post(url, { shipment_id: id }), courier.post(url, { shipment_id: id })])
  expectAnswer(t, both[0]!, 204, undefined)
  expectAnswer(t, both[1]!, 409, errors.courierConflict)
  for (const version of ['v1', 'v2'])
    expectAnswer(t, await seller.get(paths.driver('MLA', id, version)), 200, { driver_id: courier.id })
  t.match(await takeEvents(), [
    { topic: 'flex-handshakes', resource: `/flex/sites/MLA/shipments/${id}/assignment/v1`, user_ids: `[${seller.id}]` },
  ])
  await control(`PATCH /shipments/${id}`, { route_open: false })
  expectAnswer(t, await courier.post(url, { shipment_id: id }), 409, errors.courierConflict, 'delivered')
  await control(`PATCH /shipments/${id}`, { driver_id: null })
  expectAnswer(t, await courier.post(url, { shipment_id: `${id}` }), 204, undefined, 'as digits')
})
