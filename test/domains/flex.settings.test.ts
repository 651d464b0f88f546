import t from 'tap'
import { AREAS } from '../../domains/flex/areas.ts'
import { NOW, start } from '../support/app.ts'
import {
  configurationQuery,
  errors,
  type FlexSeller,
  flexFixtures,
  HOME,
  KINDS,
  type Kind,
  paths,
  type Seller,
} from '../support/flex.ts'
import { badRequest, errorBody, expectAnswer, FOREIGN, INVALID_TOKEN, NO_TOKEN } from '../support/questions.ts'

const app = await start(t)
const { world, call } = app
const fixtures = flexFixtures(app)
const { createFlexSeller, takeEvents, setSubscription } = fixtures
t.beforeEach(() => {
  world.clock.applySetting({ mode: 'frozen', ms: NOW })
})

const NOBODY = 4_000_000_000
const MODE = { custom: 'flex', zone: 'flex', accurate: 'turbo', radius: 'turbo' } as const

const update = ({ seller, ...one }: FlexSeller, kind: Kind, body?: unknown, as: Seller = seller) =>
  as.put(paths.update(kind, 'MLA', seller.id, one[MODE[kind]].service_id), body)

/** Everything that settings can change, for both modes, as the configuration query answers it. */
const SETTINGS = `{
  delivery_window working_days radius
  delivery_ranges {
    week { from to capacity calculated_cutoff et_hour type processing_time }
    saturday { from to capacity calculated_cutoff et_hour type processing_time }
    sunday { from to capacity calculated_cutoff et_hour type processing_time }
  }
  zones { id selected }
  subscription { status { id } }
}`
const readSettings = async ({ seller, flex, turbo }: FlexSeller) => {
  const both = await Promise.all(
    [flex, turbo].map(({ service_id }) =>
      seller.post(paths.configuration('MLA'), { query: configurationQuery(seller.id, service_id, SETTINGS) }),
    ),
  )
  return { flex: both[0]!.body.configuration, turbo: both[1]!.body.configuration }
}

const range = (from: number, to: number, capacity: number, cutoff: number) => ({ from, to, capacity, cutoff })
const storedRange = ({ from, to, capacity, cutoff }: ReturnType<typeof range>) => ({
  from,
  to,
  capacity,
  calculated_cutoff: cutoff,
  et_hour: to,
  type: 'cpt',
  processing_time: 0,
})
const turboRange = (from: number, capacity = 20, to = from + 2) => ({ from, to, capacity })
const OFF = { week: null, saturday: null, sunday: null }

t.test('sets delivery ranges, working days and the window', async (t) => {
  const one = await createFlexSeller()
  await setSubscription(one.flex.id, { daily_capacity: 1 })
  const before = await readSettings(one)
  const week = [range(14, 18, 30, 13), range(18, 21, 500, 18)]
  const saturday = [range(9, 13, 10, 12)]
  await takeEvents()
  expectAnswer(
    t,
    await update(one, 'custom', { delivery_window: 'next_day', delivery_ranges: { week, saturday, sunday: null } }),
    200,
    {
      delivery_window: 'next_day',
      delivery_ranges: { week, saturday, sunday: null },
    },
  )
  const after = await readSettings(one)
  t.strictSame(after.flex, {
    ...before.flex,
    delivery_window: 'next_day',
    working_days: ['week', 'saturday'],
    delivery_ranges: { week: week.map(storedRange), saturday: saturday.map(storedRange), sunday: null },
  })
  t.strictSame(after.turbo, before.turbo, 'the other mode is unchanged')
  t.same(await takeEvents(), [], 'settings publish no event')
})

t.test('accepts omitted members and alternative notations', async (t) => {
  const one = await createFlexSeller()
  await setSubscription(one.flex.id, { daily_capacity: 1 })
  const A = [range(14, 21, 30, 13)]
  const B = [range(10, 12, 10, 12)]
  const adjacent = [range(14, 18, 30, 13), range(18, 21, 30, 13)]
  const [lowest, highest, last] = [range(0, 12, 10, 12), range(23, 24, 500, 18), range(12, 15, 30, 15)]
  const digits = { from: '14', to: '21', capacity: '30', cutoff: '13' }
  const unknown = { ...A[0], et_hour: 'x', calculated_cutoff: 99 }
  /** The days that are sent, and those that are stored; the window is the stored one unless it is sent. */
  const rows: [
    name: string,
    days: object,
    stored: object,
    more?: { delivery_window?: string; radius?: number; zones?: number },
  ][] = [
    ['a window', { week: A }, { week: A }, { delivery_window: 'next_day' }],
    ['no window', { week: B }, { week: B }],
    ['the other window', { week: B }, { week: B }, { delivery_window: 'same_day' }],
    ['days off if omitted', { sunday: A }, { sunday: A }],
    ['days off by null', { week: null, saturday: A, sunday: null }, { saturday: A }],
    ['days off by an empty list', { week: A, saturday: [], sunday: [] }, { week: A }],
    ['everything off by {}', {}, {}],
    ['every day', { sunday: A, week: B, saturday: A }, { week: B, saturday: A, sunday: A }],
    ['everything off by []', [], {}],
    ['unknown members', { week: [unknown] }, { week: A }, { radius: 1, zones: 7 }],
    ['integers as digits', { week: [digits] }, { week: A }],
    ['adjacent ranges', { week: adjacent }, { week: adjacent }],
    ['the lowest of all', { week: [lowest] }, { week: [lowest] }],
    ['the highest of all', { week: [highest] }, { week: [highest] }],
    ['a cutoff with the end of the range', { week: [last] }, { week: [last] }],
    ['as before', { week: A }, { week: A }],
  ]
  let delivery_window = 'same_day'
  for (const [name, days, stored, more = {}] of rows) {
    delivery_window = more.delivery_window ?? delivery_window
    const delivery_ranges: Record<string, ReturnType<typeof range>[] | null> = { ...OFF, ...stored }
    const answer = await update(one, 'custom', { ...more, delivery_ranges: days })
    expectAnswer(t, answer, 200, { delivery_window, delivery_ranges }, name)
    const { flex } = await readSettings(one)
    t.equal(flex.delivery_window, delivery_window)
    t.strictSame(
      flex.working_days,
      ['week', 'saturday', 'sunday'].filter((day) => delivery_ranges[day]),
    )
    for (const [day, ranges] of Object.entries(delivery_ranges))
      t.strictSame(flex.delivery_ranges[day], ranges?.map(storedRange) ?? null, day)
  }
  const body = JSON.stringify({ delivery_ranges: { week: B } })
  const url = paths.update('custom', 'MLA', one.seller.id, one.flex.service_id)
  for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'x'])
    t.equal((await one.seller.put(url, body, { headers: { 'content-type': type } })).status, 200, type)
  t.equal((await one.seller.put(`${url}/`, `\ufeff${body}`)).status, 200, 'a byte order mark and a trailing slash')
  const script = await one.seller.get(`${url}?callback=f&_method=PUT&_body=${encodeURIComponent(body)}`)
  t.match(script.text, /^f\(\[200,\{.*\},\{"delivery_window":"same_day","delivery_ranges":\{"week":\[\{"from":10,/)
})

t.test('rejects different capacities by day where that is disabled [spec: flex.delivery.capacity]', async (t) => {
  const one = await createFlexSeller()
  const disabled = async () => {
    const query = configurationQuery(one.seller.id, one.flex.service_id, '{ disabled_features }')
    return (await one.seller.post(paths.configuration('MLA'), { query })).body.configuration.disabled_features
  }
  const [A, B] = [range(14, 18, 30, 13), range(18, 21, 40, 13)]
  const message = (place: string) =>
    badRequest(`delivery_ranges.${place}.capacity: must be the same on all days, as CAPACITY_BY_DAY is disabled`)
  const rejected: [days: object, place: string][] = [
    [{ week: [A], saturday: [B] }, 'saturday[0]'],
    [{ week: [A], sunday: [A, B] }, 'sunday[1]'],
    [{ week: [A, B], saturday: [A] }, 'week[1]'],
    [{ saturday: [B], sunday: [A] }, 'sunday[0]'],
  ]
  t.strictSame(await disabled(), ['CUTOFF_BY_ZONE', 'CAPACITY_BY_DAY'])
  const before = await readSettings(one)
  for (const [delivery_ranges, place] of rejected) {
    expectAnswer(t, await update(one, 'custom', { delivery_ranges }), 400, message(place))
    t.strictSame(await readSettings(one), before)
  }
  const unknownWindow = { delivery_window: 'nunca', delivery_ranges: { week: [A], saturday: [{ ...B, capacity: 9 }] } }
  const badCapacity = badRequest('delivery_ranges.saturday[0].capacity: must be an integer from 10 to 500')
  expectAnswer(t, await update(one, 'custom', unknownWindow), 400, badCapacity, 'each range first')
  for (const delivery_ranges of [
    { week: [A], saturday: [{ ...B, capacity: '30' }], sunday: [A] },
    { week: [A, B] },
    { sunday: [A, B] },
  ])
    t.equal((await update(one, 'custom', { delivery_ranges })).status, 200, 'one capacity, or one day')

  await setSubscription(one.flex.id, { daily_capacity: 1 })
  t.strictSame(await disabled(), ['CUTOFF_BY_ZONE'])
  for (const [delivery_ranges] of rejected)
    t.equal((await update(one, 'custom', { delivery_ranges })).status, 200, 'where it is not disabled')
})

const OPTIONAL = [
  'CABA_Oeste',
  'GBA_Norte',
  'GBA_Oeste',
  'GBA_Sur',
  'GBA_Norte_2',
  'GBA_Oeste_2',
  'GBA_Sur_2',
  'Pilar_y_Escobar',
  'La_Plata',
]
const ALL = ['CABA', 'CABA_Sur', ...OPTIONAL]
const zones = (...ids: unknown[]) => ({ zones: ids.map((id) => ({ id })) })

t.test('sets zones', async (t) => {
  const one = await createFlexSeller()
  const before = await readSettings(one)
  const rows: [name: string, body: object, ids: string[]][] = [
    ['one more zone', zones('CABA', 'CABA_Sur', 'La_Plata'), ['CABA', 'CABA_Sur', 'La_Plata']],
    ['another zone instead', zones('CABA', 'CABA_Sur', 'GBA_Norte'), ['CABA', 'CABA_Sur', 'GBA_Norte']],
    ['all', zones(...ALL), ALL],
    ['the documented example', zones('CABA'), ['CABA']],
    ['none', zones(), []],
    ['in another order', zones('La_Plata', 'CABA_Sur', 'GBA_Sur', 'CABA'), ['La_Plata', 'CABA_Sur', 'GBA_Sur', 'CABA']],
    [
      'unknown members',
      {
        delivery_ranges: 7,
        zones: [
          { id: 'CABA', selected: false },
          { id: 'CABA_Sur', price: null },
        ],
      },
      ['CABA', 'CABA_Sur'],
    ],
  ]
  for (const [name, body, ids] of rows) {
    expectAnswer(t, await update(one, 'zone', body), 200, zones(...ids), name)
    const after = await readSettings(one)
    t.strictSame(
      after.flex,
      { ...before.flex, zones: ALL.map((id) => ({ id, selected: ids.includes(id) })) },
      'in the order of the area',
    )
    t.strictSame(after.turbo, before.turbo)
  }
})

t.test('a mandatory zone must be among the zones [spec: flex.coverage.mandatory]', async (t) => {
  const one = await createFlexSeller()
  await fixtures.setUser(one.seller.id, { address: JSON.stringify({ ...HOME, city: 'Córdoba' }) })
  const { body } = await one.seller.post(paths.configuration('MLA'), {
    query: configurationQuery(one.seller.id, one.flex.service_id, '{ zones { id is_mandatory } }'),
  })
  const found = body.configuration.zones as { id: string; is_mandatory: boolean }[]
  t.strictSame(
    found.filter(({ is_mandatory }) => is_mandatory).map(({ id }) => id),
    ['Cordoba_Centro'],
  )
  const others = found.slice(1).map(({ id }) => id)
  for (const ids of [[], others])
    expectAnswer(
      t,
      await update(one, 'zone', zones(...ids)),
      400,
      badRequest('zones: must hold Cordoba_Centro, which is mandatory'),
    )
  expectAnswer(t, await update(one, 'zone', zones('Cordoba_Centro')), 200, zones('Cordoba_Centro'))
})

t.test('the documented example succeeds for the first seller of the demo', async (t) => {
  const seller = fixtures.withPut(app.sellers[0]!)
  const subscriptions = (await seller.get(paths.subscriptions('MLA', seller.id))).body
  const url = paths.update('zone', 'MLA', seller.id, subscriptions[0].service_id)
  expectAnswer(t, await seller.put(url, { zones: [{ id: 'CABA' }] }), 200, { zones: [{ id: 'CABA' }] })
})

t.test('at most one zone of each area is mandatory', async (t) => {
  for (const { name, zones } of Object.values(AREAS).flat())
    t.ok(zones.filter(({ mandatory }) => mandatory).length <= 1, name)
})

t.test('sets accurate ranges', async (t) => {
  const one = await createFlexSeller()
  const before = await readSettings(one)
  const weeks: [name: string, value: object[], stored: object[]][] = [
    [
      'three',
      [turboRange(10), turboRange(12), turboRange(16, 500)],
      [turboRange(10), turboRange(12), turboRange(16, 500)],
    ],
    [
      'all, overlapping',
      [10, 11, 12, 13, 14, 15, 16].map((from) => turboRange(from)),
      [10, 11, 12, 13, 14, 15, 16].map((from) => turboRange(from)),
    ],
    [
      'as digits, with more members',
      [{ from: '10', to: '12', capacity: '10', cutoff: 99 }, turboRange(11), turboRange(12)],
      [turboRange(10, 10), turboRange(11), turboRange(12)],
    ],
  ]
  for (const [name, value, stored] of weeks) {
    const week = stored.map((range) => ({ ...range, cutoff: (range as { from: number }).from }))
    for (const weekend of [{}, { saturday: null, sunday: [] }])
      expectAnswer(
        t,
        await update(one, 'accurate', { delivery_window: 'next_day', delivery_ranges: { week: value, ...weekend } }),
        200,
        { delivery_window: 'same_day', delivery_ranges: { week, saturday: null, sunday: null } },
        name,
      )
    const after = await readSettings(one)
    t.strictSame(after.turbo, {
      ...before.turbo,
      delivery_ranges: {
        week: week.map((range) => ({
          ...storedRange(range as ReturnType<typeof turboRange> & { cutoff: number }),
          et_hour: null,
          type: 'etd',
        })),
        saturday: null,
        sunday: null,
      },
    })
    t.strictSame(after.flex, before.flex)
  }
})

t.test('sets the radius', async (t) => {
  const one = await createFlexSeller()
  const before = await readSettings(one)
  for (const [value, radius] of [
    [8000, 8000],
    [3000, 3000],
    ['4500', 4500],
    [5001, 5001],
  ] as const) {
    expectAnswer(t, await update(one, 'radius', { radius: value, zones: 7 }), 200, { radius }, String(value))
    t.strictSame(await readSettings(one), { flex: before.flex, turbo: { ...before.turbo, radius } })
  }
})

const OBJECT = 'must be an object with week, saturday, sunday, each an array of ranges or null'
const hourMessage = (name: string) => `${name}: must be an integer from 0 to 24`
const capacityMessage = (name: string) => `${name}: must be an integer from 10 to 500`
const cutoffMessage = (name: string) => `${name}: must be an integer from 12 to 18`
const PAIRS = 'must be one of 10-12, 11-13, 12-14, 13-15, 14-16, 15-17, 16-18'
const FIRST = 'delivery_ranges.week[0]'
const valid = range(14, 21, 30, 13)
const custom = (...week: unknown[]) => ({ delivery_ranges: { week } })
const NOT_INTEGERS = [
  undefined,
  null,
  '',
  ' 12',
  '12.0',
  '1e1',
  '-1',
  '0x10',
  'doce',
  12.5,
  -1,
  true,
  [12],
  { n: 12 },
  1e300,
]

const INVALID: [kind: Kind, body: unknown, message: string][] = []
const reject = (kind: Kind, message: string, ...bodies: unknown[]) =>
  INVALID.push(...bodies.map((body): [Kind, unknown, string] => [kind, body, message]))
const days = (delivery_ranges: unknown, more: object = {}) => ({ ...more, delivery_ranges })

reject('custom', `delivery_ranges: ${OBJECT}`, {}, { delivery_window: 'same_day' })
reject('custom', `delivery_ranges: ${OBJECT}`, ...[null, [valid], '{}', 7].map((value) => days(value)))
for (const name of ['monday', 'weeks', 'Week', '', '0', 'toString', '__proto__']) {
  const [key, week] = [JSON.stringify(name), '[{"from":14,"to":21,"capacity":30,"cutoff":13}]']
  const message = `delivery_ranges.${name}: must be one of week, saturday, sunday`
  reject('custom', message, `{"delivery_ranges":{${key}:${week}}}`)
  reject('custom', message, `{"delivery_ranges":{"week":${week},${key}:null},"delivery_window":7}`)
  reject('accurate', message, `{"delivery_ranges":{"week":[],${key}:[]}}`)
}
const longName = `delivery_ranges.${'x'.repeat(100)}: must be one of week, saturday, sunday`
reject('custom', longName, days({ ['x'.repeat(9000)]: [] }))
for (const delivery_window of ['nunca', 'SAME_DAY', '', 7, true, ['same_day'], {}])
  reject('custom', 'delivery_window: must be one of same_day, next_day', days({ week: [valid] }, { delivery_window }))
for (const day of ['week', 'saturday', 'sunday']) {
  const name = `delivery_ranges.${day}`
  for (const value of ['', 'off', 7, 0, true, false, {}, { 0: valid }])
    reject('custom', `${name}: must be an array of ranges, or null`, days({ [day]: value }))
  for (const value of [null, 7, '14-21', [], [14, 21, 30, 13]])
    reject('custom', `${name}[1]: must be an object`, days({ [day]: [valid, value] }))
  reject('custom', hourMessage(`${name}[0].from`), days({ [day]: [{ ...valid, from: 25 }] }))
  reject('custom', `${name}: must have at most 24 ranges`, days({ [day]: Array(25).fill(valid) }))
}
for (const value of [...NOT_INTEGERS, 25, '25', 24.5]) {
  reject('custom', hourMessage(`${FIRST}.from`), custom({ ...valid, from: value }))
  reject('custom', hourMessage(`${FIRST}.to`), custom({ ...valid, to: value }))
}
for (const capacity of [...NOT_INTEGERS, 9, '9', 501, 0])
  reject('custom', capacityMessage(`${FIRST}.capacity`), custom({ ...valid, capacity }))
for (const cutoff of [...NOT_INTEGERS, 11, '11', 19, 21])
  reject('custom', cutoffMessage(`${FIRST}.cutoff`), custom({ ...valid, cutoff }))
reject('custom', `${FIRST}.to: must be later than from`, custom(range(14, 14, 30, 13)), custom(range(21, 14, 30, 13)))
reject(
  'custom',
  `${FIRST}.cutoff: must not be later than to`,
  custom(range(10, 12, 30, 13)),
  custom(range(0, 11, 30, 12)),
)
const overlap = (place: string) => `delivery_ranges.${place}: must not overlap another range of the day`
for (const [from, to] of [
  [14, 21],
  [20, 22],
  [12, 15],
  [15, 16],
  [0, 24],
] as const)
  reject('custom', overlap('week[1]'), custom(valid, range(from, to, 30, 13)))
const early = range(10, 12, 30, 12)
reject('custom', overlap('week[2]'), custom(early, range(18, 20, 30, 12), range(11, 13, 30, 12)))
const nextDay = { delivery_window: 'next_day' }
reject('custom', overlap('sunday[1]'), days({ week: [early], saturday: [valid], sunday: [valid, valid] }, nextDay))

for (const body of [{}, { zones: null }, { zones: 'CABA' }, { zones: {} }, { zones: { id: 'CABA' } }, { zones: 7 }])
  reject('zone', 'zones: must be an array of objects with id', body)
for (const value of [null, 'CABA', 7, [], ['CABA'], {}, { ID: 'CABA' }, { id: null }, { id: 7 }, { id: ['CABA'] }])
  reject('zone', 'zones[1].id: must be the id of a zone', { zones: [{ id: 'CABA' }, value, { id: 'CABA_Sur' }] })
for (const id of ['', 'caba', 'Luna', 'CABA ', 'Cordoba_Centro', 'Quito_Norte', 'toString'])
  reject('zone', 'zones[2].id: is no zone of the coverage area', zones('CABA', 'CABA_Sur', id))
reject('zone', 'zones[2].id: stands twice', zones('CABA', 'CABA_Sur', 'CABA'))
reject('zone', 'zones[3].id: stands twice', zones('CABA', 'CABA_Sur', 'La_Plata', 'La_Plata'))

const [ten, eleven, twelve] = [turboRange(10), turboRange(11), turboRange(12)]
reject('accurate', `delivery_ranges: ${OBJECT}`, {}, days(null), days('x'))
for (const value of [{}, [], { week: null }, { week: [] }, { week: [ten, eleven] }])
  reject('accurate', 'delivery_ranges.week: must have at least 3 ranges', days(value))
reject('accurate', 'delivery_ranges.week: must be an array of ranges, or null', days({ week: 'x' }))
reject('accurate', 'delivery_ranges.week[1]: must be an object', custom(ten, 7, twelve))
for (const value of NOT_INTEGERS) {
  reject('accurate', hourMessage(`${FIRST}.from`), custom({ ...ten, from: value }, eleven, twelve))
  reject('accurate', hourMessage(`${FIRST}.to`), custom({ ...ten, to: value }, eleven, twelve))
}
for (const capacity of [...NOT_INTEGERS, 9, 501])
  reject('accurate', capacityMessage(`${FIRST}.capacity`), custom({ ...ten, capacity }, eleven, twelve))
for (const [from, to] of [
  [9, 11],
  [17, 19],
  [10, 11],
  [10, 13],
  [12, 10],
] as const)
  reject(
    'accurate',
    `delivery_ranges.week[3]: ${PAIRS}`,
    custom(turboRange(13), turboRange(14), turboRange(15), turboRange(from, 20, to)),
  )
reject('accurate', 'delivery_ranges.week[3]: stands twice', custom(ten, eleven, twelve, turboRange(11, 30)))
reject('accurate', 'delivery_ranges.week[1]: stands twice', custom(ten, ten, ten))
for (const day of ['saturday', 'sunday'])
  for (const ranges of [[ten, eleven, twelve], [ten]])
    reject('accurate', `delivery_ranges.${day}: must be off`, days({ week: [ten, eleven, twelve], [day]: ranges }))

for (const radius of [...NOT_INTEGERS, 2999, 8001, '2999', '8001', 0, 5, 4000.5])
  reject('radius', 'radius: must be an integer from 3000 to 8000', { radius })
reject('radius', 'radius: must be an integer from 3000 to 8000', { Radius: 4000 })

t.test('rejects invalid settings, names the field and changes nothing', async (t) => {
  const one = await createFlexSeller()
  const changes: [Kind, object][] = [
    ['custom', { delivery_window: 'next_day', delivery_ranges: { week: [valid], sunday: [range(10, 12, 30, 12)] } }],
    ['zone', zones('CABA', 'CABA_Sur', 'GBA_Sur')],
    ['accurate', custom(turboRange(13), turboRange(14), turboRange(15))],
    ['radius', { radius: 6500 }],
  ]
  for (const [kind, body] of changes) t.equal((await update(one, kind, body)).status, 200)
  const before = await readSettings(one)
  await takeEvents()
  for (const [kind, body, message] of INVALID) {
    expectAnswer(t, await update(one, kind, body), 400, badRequest(message), `${kind} ${JSON.stringify(body)}`)
    t.strictSame(await readSettings(one), before, 'the settings are unchanged')
  }
  t.same(await takeEvents(), [])
})

t.test('rejects foreign callers, unknown pairs and subscriptions that are out', async (t) => {
  const one = await createFlexSeller()
  const other = await createFlexSeller()
  const withoutFlex = await fixtures.createSeller()
  const VALID_BODIES: Record<Kind, object> = {
    custom: custom(valid),
    zone: zones(...ALL),
    accurate: custom(turboRange(10), turboRange(12), turboRange(14)),
    radius: { radius: 7000 },
  }
  const before = await readSettings(one)
  const url = (kind: Kind, service: unknown, user: unknown = one.seller.id, site = 'MLA') =>
    paths.update(kind, site, user, service)
  const tooLarge = errorBody(413, 'payload_too_large', 'The body must have at most 1048576 bytes.')
  for (const kind of KINDS) {
    const body = VALID_BODIES[kind]
    const service = one[MODE[kind]].service_id
    const otherService = one[MODE[kind] === 'flex' ? 'turbo' : 'flex'].service_id
    const { seller } = one
    const rows: [name: string, answer: Awaited<ReturnType<typeof update>>, status: number, body: object][] = [
      [
        'no token',
        await call({ method: 'PUT', url: url(kind, service), payload: JSON.stringify(body) }),
        401,
        NO_TOKEN,
      ],
      [
        'an invalid token',
        await seller.put(url(kind, service), body, { headers: { authorization: 'Bearer x' } }),
        401,
        INVALID_TOKEN,
      ],
      ["the other mode's service", await seller.put(url(kind, otherService), body), 404, errors.nothingToUpdate],
      ['no such service', await seller.put(url(kind, 1), body), 404, errors.nothingToUpdate],
      ['no such user', await seller.put(url(kind, service, NOBODY), body), 404, errors.nothingToUpdate],
      [
        "the caller's id with another seller's service",
        await other.seller.put(url(kind, service, other.seller.id), body),
        404,
        errors.nothingToUpdate,
      ],
      [
        'a user without Flex',
        await withoutFlex.put(url(kind, service, withoutFlex.id), body),
        404,
        errors.nothingToUpdate,
      ],
      ['another site', await seller.put(url(kind, service, one.seller.id, 'MLB'), body), 404, errors.nothingToUpdate],
      ["another seller's", await update(one, kind, body, other.seller), 403, FOREIGN],
      ["another seller's, by a seller without Flex", await update(one, kind, body, withoutFlex), 403, FOREIGN],
      ['too large', await update(one, kind, { ...body, more: 'x'.repeat(1024 * 1024) }), 413, tooLarge],
    ]
    for (const [name, answer, status, body] of rows) expectAnswer(t, answer, status, body, `${kind}: ${name}`)
    t.strictSame(await readSettings(one), before, 'the settings are unchanged')
  }
  for (const { id } of [one.flex, one.turbo]) await setSubscription(id, { status: 'out' })
  const out = await readSettings(one)
  for (const kind of KINDS)
    expectAnswer(t, await update(one, kind, VALID_BODIES[kind]), 403, errors.isOut, `${kind}: out`)
  t.strictSame(await readSettings(one), out)
  for (const { id } of [one.flex, one.turbo]) await setSubscription(id, { status: 'pending' })
  for (const kind of KINDS) t.equal((await update(one, kind, VALID_BODIES[kind])).status, 200, `${kind}: pending`)
  await setSubscription(one.turbo.id, { status: 'out' })
  t.equal((await update(one, 'custom', VALID_BODIES.custom)).status, 200, 'each subscription has its own status')
  expectAnswer(t, await update(one, 'radius', VALID_BODIES.radius), 403, errors.isOut)
})

t.test('applies one of two concurrent updates as a whole', async (t) => {
  const one = await createFlexSeller()
  const states = [
    {
      delivery_window: 'same_day',
      delivery_ranges: { week: [valid], saturday: null, sunday: [range(10, 12, 30, 12)] },
    },
    {
      delivery_window: 'next_day',
      delivery_ranges: { week: null, saturday: [range(12, 14, 50, 12), range(14, 16, 60, 12)], sunday: null },
    },
  ]
  for (let n = 0; n < 5; n++) {
    const answers = await Promise.all(states.map((state) => update(one, 'custom', state)))
    for (const [i, answer] of answers.entries()) expectAnswer(t, answer, 200, states[i])
    const { flex } = await readSettings(one)
    const applied = states.find(({ delivery_window }) => delivery_window === flex.delivery_window)!
    for (const [day, ranges] of Object.entries(applied.delivery_ranges))
      t.strictSame(flex.delivery_ranges[day], ranges?.map(storedRange) ?? null, `${day} belongs to the same update`)
  }
  const both = await Promise.all([
    update(one, 'custom', states[0]),
    update(one, 'zone', zones('CABA', 'CABA_Sur', 'La_Plata')),
    update(one, 'radius', { radius: 7777 }),
    update(one, 'accurate', custom(turboRange(10), turboRange(12), turboRange(14))),
  ])
  t.strictSame(
    both.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  const { flex, turbo } = await readSettings(one)
  t.match(flex, { delivery_window: 'same_day', working_days: ['week', 'sunday'] })
  t.strictSame(
    flex.zones.filter(({ selected }: { selected: boolean }) => selected).map(({ id }: { id: string }) => id),
    ['CABA', 'CABA_Sur', 'La_Plata'],
  )
  t.match(turbo, { radius: 7777, delivery_ranges: { week: { length: 3 } } })
})
