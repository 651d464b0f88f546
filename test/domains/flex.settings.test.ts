import t from 'tap'
import { NOW, start } from '../support/app.ts'
import { asking, at, type Courier, depotOf, KINDS, type Kind, type Seller, said } from '../support/flex.ts'
import { badRequest, FOREIGN, INVALID_TOKEN, NO_TOKEN, refused, says } from '../support/questions.ts'

const app = await start(t)
const { world, call, faults } = app
const depot = depotOf(app)
const { courier, facts, setSubscription } = depot
t.beforeEach(() => {
  world.clock.applySetting({ mode: 'frozen', ms: NOW })
})

const NOBODY = 4_000_000_000
const MODE = { custom: 'flex', zone: 'flex', accurate: 'turbo', radius: 'turbo' } as const

const put = ({ seller, ...one }: Courier, kind: Kind, body?: unknown, as: Seller = seller) =>
  as.put(at.update(kind, 'MLA', seller.id, one[MODE[kind]].service_id), body)

/** Everything that settings can change, of both modes, as the configuration query tells it. */
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
const told = async ({ seller, flex, turbo }: Courier) => {
  const both = await Promise.all(
    [flex, turbo].map(({ service_id }) =>
      seller.post(at.configuration('MLA'), { query: asking(seller.id, service_id, SETTINGS) }),
    ),
  )
  return { flex: both[0]!.body.configuration, turbo: both[1]!.body.configuration }
}

const range = (from: number, to: number, capacity: number, cutoff: number) => ({ from, to, capacity, cutoff })
const shown = ({ from, to, capacity, cutoff }: ReturnType<typeof range>) => ({
  from,
  to,
  capacity,
  calculated_cutoff: cutoff,
  et_hour: to,
  type: 'cpt',
  processing_time: 0,
})
const fast = (from: number, capacity = 20, to = from + 2) => ({ from, to, capacity })
const OFF = { week: null, saturday: null, sunday: null }

t.test('delivery ranges, working days and the window', async (t) => {
  const one = await courier()
  const before = await told(one)
  const week = [range(14, 18, 30, 13), range(18, 21, 500, 18)]
  const saturday = [range(9, 13, 10, 12)]
  await facts()
  says(
    t,
    await put(one, 'custom', { delivery_window: 'next_day', delivery_ranges: { week, saturday, sunday: null } }),
    200,
    {
      delivery_window: 'next_day',
      delivery_ranges: { week, saturday, sunday: null },
    },
  )
  const after = await told(one)
  t.strictSame(after.flex, {
    ...before.flex,
    delivery_window: 'next_day',
    working_days: ['week', 'saturday'],
    delivery_ranges: { week: week.map(shown), saturday: saturday.map(shown), sunday: null },
  })
  t.strictSame(after.turbo, before.turbo, 'the other mode is as it was')
  t.same(await facts(), [], 'settings are no event')
})

t.test('what may be left out, and how it may be written', async (t) => {
  const one = await courier()
  const A = [range(14, 21, 30, 13)]
  const B = [range(10, 12, 10, 12)]
  const rows: [name: string, body: unknown, delivery_window: string, delivery_ranges: object][] = [
    ['a window', { delivery_window: 'next_day', delivery_ranges: { week: A } }, 'next_day', { ...OFF, week: A }],
    ['no window', { delivery_ranges: { week: B } }, 'next_day', { ...OFF, week: B }],
    [
      'the other window',
      { delivery_window: 'same_day', delivery_ranges: { week: B } },
      'same_day',
      { ...OFF, week: B },
    ],
    ['days off by their absence', { delivery_ranges: { sunday: A } }, 'same_day', { ...OFF, sunday: A }],
    [
      'days off by null',
      { delivery_ranges: { week: null, saturday: A, sunday: null } },
      'same_day',
      { ...OFF, saturday: A },
    ],
    [
      'days off by an empty list',
      { delivery_ranges: { week: A, saturday: [], sunday: [] } },
      'same_day',
      { ...OFF, week: A },
    ],
    ['everything off by {}', { delivery_ranges: {} }, 'same_day', OFF],
    [
      'every day',
      { delivery_ranges: { sunday: A, week: B, saturday: A } },
      'same_day',
      { week: B, saturday: A, sunday: A },
    ],
    ['everything off by []', { delivery_ranges: [] }, 'same_day', OFF],
    [
      'unknown members',
      {
        radius: 1,
        zones: 7,
        delivery_ranges: { monday: 'x', week: [{ ...A[0], et_hour: 'x', calculated_cutoff: 99 }] },
      },
      'same_day',
      { ...OFF, week: A },
    ],
    [
      'integers as digits',
      { delivery_ranges: { week: [{ from: '14', to: '21', capacity: '30', cutoff: '13' }] } },
      'same_day',
      { ...OFF, week: A },
    ],
    [
      'ranges that touch',
      { delivery_ranges: { week: [range(14, 18, 30, 13), range(18, 21, 30, 13)] } },
      'same_day',
      { ...OFF, week: [range(14, 18, 30, 13), range(18, 21, 30, 13)] },
    ],
    [
      'the lowest of all',
      { delivery_ranges: { week: [range(0, 12, 10, 12)] } },
      'same_day',
      { ...OFF, week: [range(0, 12, 10, 12)] },
    ],
    [
      'the highest of all',
      { delivery_ranges: { week: [range(23, 24, 500, 18)] } },
      'same_day',
      { ...OFF, week: [range(23, 24, 500, 18)] },
    ],
    [
      'a cutoff with the end of the range',
      { delivery_ranges: { week: [range(12, 15, 30, 15)] } },
      'same_day',
      { ...OFF, week: [range(12, 15, 30, 15)] },
    ],
    ['as it was', { delivery_ranges: { week: A } }, 'same_day', { ...OFF, week: A }],
  ]
  for (const [name, body, delivery_window, delivery_ranges] of rows) {
    says(t, await put(one, 'custom', body), 200, { delivery_window, delivery_ranges }, name)
    const { flex } = await told(one)
    t.equal(flex.delivery_window, delivery_window)
    t.strictSame(
      flex.working_days,
      ['week', 'saturday', 'sunday'].filter((day) => delivery_ranges[day as keyof typeof delivery_ranges]),
    )
    for (const [day, ranges] of Object.entries(delivery_ranges))
      t.strictSame(flex.delivery_ranges[day], ranges?.map(shown) ?? null, day)
  }
  const body = JSON.stringify({ delivery_ranges: { week: B } })
  const url = at.update('custom', 'MLA', one.seller.id, one.flex.service_id)
  for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'x'])
    t.equal((await one.seller.put(url, body, { headers: { 'content-type': type } })).status, 200, type)
  t.equal((await one.seller.put(`${url}/`, `\ufeff${body}`)).status, 200, 'a byte order mark, a slash behind')
  const script = await one.seller.get(`${url}?callback=f&_method=PUT&_body=${encodeURIComponent(body)}`)
  t.match(script.text, /^f\(\[200,\{.*\},\{"delivery_window":"same_day","delivery_ranges":\{"week":\[\{"from":10,/)
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

t.test('zones', async (t) => {
  const one = await courier()
  const before = await told(one)
  const rows: [name: string, body: object, ids: string[]][] = [
    ['one more', zones('CABA', 'CABA_Sur', 'La_Plata'), ['CABA', 'CABA_Sur', 'La_Plata']],
    ['another instead', zones('CABA', 'CABA_Sur', 'GBA_Norte'), ['CABA', 'CABA_Sur', 'GBA_Norte']],
    ['all', zones(...ALL), ALL],
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
    says(t, await put(one, 'zone', body), 200, zones(...ids), name)
    const after = await told(one)
    t.strictSame(
      after.flex,
      { ...before.flex, zones: ALL.map((id) => ({ id, selected: ids.includes(id) })) },
      'in the order of the area',
    )
    t.strictSame(after.turbo, before.turbo)
  }
})

t.test('accurate ranges', async (t) => {
  const one = await courier()
  const before = await told(one)
  const weeks: [name: string, sent: object[], stored: object[]][] = [
    ['three', [fast(10), fast(12), fast(16, 500)], [fast(10), fast(12), fast(16, 500)]],
    [
      'all, overlapping as they are',
      [10, 11, 12, 13, 14, 15, 16].map((from) => fast(from)),
      [10, 11, 12, 13, 14, 15, 16].map((from) => fast(from)),
    ],
    [
      'as digits, with more members',
      [{ from: '10', to: '12', capacity: '10', cutoff: 99 }, fast(11), fast(12)],
      [fast(10, 10), fast(11), fast(12)],
    ],
  ]
  for (const [name, sent, stored] of weeks) {
    const week = stored.map((range) => ({ ...range, cutoff: (range as { from: number }).from }))
    for (const weekend of [{}, { saturday: null, sunday: [] }])
      says(
        t,
        await put(one, 'accurate', { delivery_window: 'next_day', delivery_ranges: { week: sent, ...weekend } }),
        200,
        { delivery_window: 'same_day', delivery_ranges: { week, saturday: null, sunday: null } },
        name,
      )
    const after = await told(one)
    t.strictSame(after.turbo, {
      ...before.turbo,
      delivery_ranges: {
        week: week.map((range) => ({
          ...shown(range as ReturnType<typeof fast> & { cutoff: number }),
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

t.test('a radius', async (t) => {
  const one = await courier()
  const before = await told(one)
  for (const [sent, radius] of [
    [8000, 8000],
    [3000, 3000],
    ['4500', 4500],
    [5001, 5001],
  ] as const) {
    says(t, await put(one, 'radius', { radius: sent, zones: 7 }), 200, { radius }, String(sent))
    t.strictSame(await told(one), { flex: before.flex, turbo: { ...before.turbo, radius } })
  }
})

const OBJECT = 'must be an object with week, saturday, sunday, each an array of ranges or null'
const hours = (name: string) => `${name}: must be an integer from 0 to 24`
const capacities = (name: string) => `${name}: must be an integer from 10 to 500`
const cutoffs = (name: string) => `${name}: must be an integer from 12 to 18`
const PAIRS = 'must be one of 10-12, 11-13, 12-14, 13-15, 14-16, 15-17, 16-18'
const FIRST = 'delivery_ranges.week[0]'
const fine = range(14, 21, 30, 13)
const custom = (...week: unknown[]) => ({ delivery_ranges: { week } })
const NO_INTEGERS = [
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

const REFUSED: [kind: Kind, body: unknown, message: string][] = [
  ['custom', {}, `delivery_ranges: ${OBJECT}`],
  ['custom', { delivery_window: 'same_day' }, `delivery_ranges: ${OBJECT}`],
  ['custom', { delivery_ranges: null }, `delivery_ranges: ${OBJECT}`],
  ['custom', { delivery_ranges: [fine] }, `delivery_ranges: ${OBJECT}`],
  ['custom', { delivery_ranges: '{}' }, `delivery_ranges: ${OBJECT}`],
  ['custom', { delivery_ranges: 7 }, `delivery_ranges: ${OBJECT}`],
  ...['nunca', 'SAME_DAY', '', 7, true, ['same_day'], {}].map((delivery_window): [Kind, unknown, string] => [
    'custom',
    { delivery_window, delivery_ranges: { week: [fine] } },
    'delivery_window: must be one of same_day, next_day',
  ]),
  ...['week', 'saturday', 'sunday'].flatMap((day): [Kind, unknown, string][] => [
    ...['', 'off', 7, 0, true, false, {}, { 0: fine }].map((sent): [Kind, unknown, string] => [
      'custom',
      { delivery_ranges: { [day]: sent } },
      `delivery_ranges.${day}: must be an array of ranges, or null`,
    ]),
    ...[null, 7, '14-21', [], [14, 21, 30, 13]].map((sent): [Kind, unknown, string] => [
      'custom',
      { delivery_ranges: { [day]: [fine, sent] } },
      `delivery_ranges.${day}[1]: must be an object`,
    ]),
    ['custom', { delivery_ranges: { [day]: [{ ...fine, from: 25 }] } }, hours(`delivery_ranges.${day}[0].from`)],
    [
      'custom',
      { delivery_ranges: { [day]: Array.from({ length: 25 }, () => fine) } },
      `delivery_ranges.${day}: must have at most 24 ranges`,
    ],
  ]),
  ...[...NO_INTEGERS, 25, '25', 24.5].flatMap((sent): [Kind, unknown, string][] => [
    ['custom', custom({ ...fine, from: sent }), hours(`${FIRST}.from`)],
    ['custom', custom({ ...fine, to: sent }), hours(`${FIRST}.to`)],
  ]),
  ...[...NO_INTEGERS, 9, '9', 501, 0].map((sent): [Kind, unknown, string] => [
    'custom',
    custom({ ...fine, capacity: sent }),
    capacities(`${FIRST}.capacity`),
  ]),
  ...[...NO_INTEGERS, 11, '11', 19, 21].map((sent): [Kind, unknown, string] => [
    'custom',
    custom({ ...fine, cutoff: sent }),
    cutoffs(`${FIRST}.cutoff`),
  ]),
  ['custom', custom(range(14, 14, 30, 13)), `${FIRST}.to: must be later than from`],
  ['custom', custom(range(21, 14, 30, 13)), `${FIRST}.to: must be later than from`],
  ['custom', custom(range(10, 12, 30, 13)), `${FIRST}.cutoff: must not be later than to`],
  ['custom', custom(range(0, 11, 30, 12)), `${FIRST}.cutoff: must not be later than to`],
  ...[
    range(14, 21, 30, 13),
    range(20, 22, 30, 13),
    range(12, 15, 30, 13),
    range(15, 16, 30, 13),
    range(0, 24, 30, 13),
  ].map((other): [Kind, unknown, string] => [
    'custom',
    custom(fine, other),
    'delivery_ranges.week[1]: must not overlap another range of the day',
  ]),
  [
    'custom',
    custom(range(10, 12, 30, 12), range(18, 20, 30, 12), range(11, 13, 30, 12)),
    'delivery_ranges.week[2]: must not overlap another range of the day',
  ],
  [
    'custom',
    {
      delivery_window: 'next_day',
      delivery_ranges: { week: [range(10, 12, 30, 12)], saturday: [fine], sunday: [fine, fine] },
    },
    'delivery_ranges.sunday[1]: must not overlap another range of the day',
  ],

  ...[{}, { zones: null }, { zones: 'CABA' }, { zones: {} }, { zones: { id: 'CABA' } }, { zones: 7 }].map(
    (body): [Kind, unknown, string] => ['zone', body, 'zones: must be an array of objects with id'],
  ),
  ...[null, 'CABA', 7, [], ['CABA'], {}, { ID: 'CABA' }, { id: null }, { id: 7 }, { id: ['CABA'] }].map(
    (sent): [Kind, unknown, string] => [
      'zone',
      { zones: [{ id: 'CABA' }, sent, { id: 'CABA_Sur' }] },
      'zones[1].id: must be the id of a zone',
    ],
  ),
  ...['', 'caba', 'Luna', 'CABA ', 'Cordoba_Centro', 'Quito_Norte', 'toString'].map((id): [Kind, unknown, string] => [
    'zone',
    zones('CABA', 'CABA_Sur', id),
    'zones[2].id: is no zone of the coverage area',
  ]),
  ['zone', zones('CABA', 'CABA_Sur', 'CABA'), 'zones[2].id: stands twice'],
  ['zone', zones('CABA', 'CABA_Sur', 'La_Plata', 'La_Plata'), 'zones[3].id: stands twice'],
  ['zone', zones(), 'zones: must hold CABA, which is mandatory'],
  ['zone', zones(...OPTIONAL), 'zones: must hold CABA, which is mandatory'],
  ['zone', zones('CABA_Sur'), 'zones: must hold CABA, which is mandatory'],
  ['zone', zones('CABA', ...OPTIONAL), 'zones: must hold CABA_Sur, which is mandatory'],

  ['accurate', {}, `delivery_ranges: ${OBJECT}`],
  ['accurate', { delivery_ranges: null }, `delivery_ranges: ${OBJECT}`],
  ['accurate', { delivery_ranges: 'x' }, `delivery_ranges: ${OBJECT}`],
  ...[{}, [], { week: null }, { week: [] }, { week: [fast(10), fast(11)] }].map((sent): [Kind, unknown, string] => [
    'accurate',
    { delivery_ranges: sent },
    'delivery_ranges.week: must have at least 3 ranges',
  ]),
  ['accurate', { delivery_ranges: { week: 'x' } }, 'delivery_ranges.week: must be an array of ranges, or null'],
  ['accurate', custom(fast(10), 7, fast(12)), 'delivery_ranges.week[1]: must be an object'],
  ...NO_INTEGERS.flatMap((sent): [Kind, unknown, string][] => [
    ['accurate', custom({ ...fast(10), from: sent }, fast(11), fast(12)), hours(`${FIRST}.from`)],
    ['accurate', custom({ ...fast(10), to: sent }, fast(11), fast(12)), hours(`${FIRST}.to`)],
    ['accurate', custom({ ...fast(10), capacity: sent }, fast(11), fast(12)), capacities(`${FIRST}.capacity`)],
  ]),
  ['accurate', custom(fast(10, 9), fast(11), fast(12)), capacities(`${FIRST}.capacity`)],
  ['accurate', custom(fast(10, 501), fast(11), fast(12)), capacities(`${FIRST}.capacity`)],
  ...[fast(9), fast(17), fast(10, 20, 11), fast(10, 20, 13), fast(12, 20, 10)].map((other): [Kind, unknown, string] => [
    'accurate',
    custom(fast(13), fast(14), fast(15), other),
    `delivery_ranges.week[3]: ${PAIRS}`,
  ]),
  ['accurate', custom(fast(10), fast(11), fast(12), fast(11, 30)), 'delivery_ranges.week[3]: stands twice'],
  ['accurate', custom(fast(10), fast(10), fast(10)), 'delivery_ranges.week[1]: stands twice'],
  ...['saturday', 'sunday'].flatMap((day): [Kind, unknown, string][] => [
    [
      'accurate',
      { delivery_ranges: { week: [fast(10), fast(11), fast(12)], [day]: [fast(10), fast(11), fast(12)] } },
      `delivery_ranges.${day}: must be off`,
    ],
    [
      'accurate',
      { delivery_ranges: { week: [fast(10), fast(11), fast(12)], [day]: [fast(10)] } },
      `delivery_ranges.${day}: must be off`,
    ],
  ]),

  ...[...NO_INTEGERS, 2999, 8001, '2999', '8001', 0, 5, 4000.5].map((radius): [Kind, unknown, string] => [
    'radius',
    { radius },
    'radius: must be an integer from 3000 to 8000',
  ]),
  ['radius', { Radius: 4000 }, 'radius: must be an integer from 3000 to 8000'],
]

t.test('what is refused names its field, and changes nothing', async (t) => {
  const one = await courier()
  const set: [Kind, object][] = [
    ['custom', { delivery_window: 'next_day', delivery_ranges: { week: [fine], sunday: [range(10, 12, 40, 12)] } }],
    ['zone', zones('CABA', 'CABA_Sur', 'GBA_Sur')],
    ['accurate', custom(fast(13), fast(14), fast(15))],
    ['radius', { radius: 6500 }],
  ]
  for (const [kind, body] of set) t.equal((await put(one, kind, body)).status, 200)
  const before = await told(one)
  await facts()
  for (const [kind, body, message] of REFUSED) {
    says(t, await put(one, kind, body), 400, badRequest(message), `${kind} ${JSON.stringify(body)}`)
    t.strictSame(await told(one), before, 'nothing has changed')
  }
  t.same(await facts(), [])
})

t.test('who may not, and where there is nothing to set', async (t) => {
  const one = await courier()
  const other = await courier()
  const nobody = await depot.seller()
  const BODIES: Record<Kind, object> = {
    custom: custom(fine),
    zone: zones(...ALL),
    accurate: custom(fast(10), fast(12), fast(14)),
    radius: { radius: 7000 },
  }
  const before = await told(one)
  const url = (kind: Kind, service: unknown, user: unknown = one.seller.id, site = 'MLA') =>
    at.update(kind, site, user, service)
  const tooMuch = refused(413, 'payload_too_large', 'The body must have at most 1048576 bytes.')
  for (const kind of KINDS) {
    const body = BODIES[kind]
    const own = one[MODE[kind]].service_id
    const others = one[MODE[kind] === 'flex' ? 'turbo' : 'flex'].service_id
    const { seller } = one
    const rows: [name: string, answer: Awaited<ReturnType<typeof put>>, status: number, body: object][] = [
      ['no token', await call({ method: 'PUT', url: url(kind, own), payload: JSON.stringify(body) }), 401, NO_TOKEN],
      [
        'no good token',
        await seller.put(url(kind, own), body, { headers: { authorization: 'Bearer x' } }),
        401,
        INVALID_TOKEN,
      ],
      ["the other mode's service", await seller.put(url(kind, others), body), 404, said.nothingToUpdate],
      ['no such service', await seller.put(url(kind, 1), body), 404, said.nothingToUpdate],
      ['no such user', await seller.put(url(kind, own, NOBODY), body), 404, said.nothingToUpdate],
      [
        "one's own id with another's service",
        await other.seller.put(url(kind, own, other.seller.id), body),
        404,
        said.nothingToUpdate,
      ],
      ['a user without Flex', await nobody.put(url(kind, own, nobody.id), body), 404, said.nothingToUpdate],
      ['another site', await seller.put(url(kind, own, one.seller.id, 'MLB'), body), 404, said.nothingToUpdate],
      ["another's", await put(one, kind, body, other.seller), 403, FOREIGN],
      ["another's, by somebody without Flex", await put(one, kind, body, nobody), 403, FOREIGN],
      ['too much', await put(one, kind, { ...body, more: 'x'.repeat(1024 * 1024) }), 413, tooMuch],
    ]
    for (const [name, answer, status, body] of rows) says(t, answer, status, body, `${kind}: ${name}`)
    t.strictSame(await told(one), before, 'nothing has changed')
  }
  for (const { id } of [one.flex, one.turbo]) await setSubscription(id, { status: 'out' })
  const out = await told(one)
  for (const kind of KINDS) says(t, await put(one, kind, BODIES[kind]), 403, said.isOut, `${kind}: out`)
  t.strictSame(await told(one), out)
  for (const { id } of [one.flex, one.turbo]) await setSubscription(id, { status: 'pending' })
  for (const kind of KINDS) t.equal((await put(one, kind, BODIES[kind])).status, 200, `${kind}: pending`)
  await setSubscription(one.turbo.id, { status: 'out' })
  t.equal((await put(one, 'custom', BODIES.custom)).status, 200, 'each subscription has a status of its own')
  says(t, await put(one, 'radius', BODIES.radius), 403, said.isOut)
})

t.test('two at once leave the state of one of them', async (t) => {
  const one = await courier()
  const states = [
    {
      delivery_window: 'same_day',
      delivery_ranges: { week: [fine], saturday: null, sunday: [range(10, 12, 10, 12)] },
    },
    {
      delivery_window: 'next_day',
      delivery_ranges: { week: null, saturday: [range(12, 14, 50, 12), range(14, 16, 60, 12)], sunday: null },
    },
  ]
  for (let n = 0; n < 5; n++) {
    const answers = await Promise.all(states.map((state) => put(one, 'custom', state)))
    for (const [i, answer] of answers.entries()) says(t, answer, 200, states[i])
    const { flex } = await told(one)
    const left = states.find(({ delivery_window }) => delivery_window === flex.delivery_window)!
    for (const [day, ranges] of Object.entries(left.delivery_ranges))
      t.strictSame(flex.delivery_ranges[day], ranges?.map(shown) ?? null, `${day} is of the same`)
  }
  const both = await Promise.all([
    put(one, 'custom', states[0]),
    put(one, 'zone', zones('CABA', 'CABA_Sur', 'La_Plata')),
    put(one, 'radius', { radius: 7777 }),
    put(one, 'accurate', custom(fast(10), fast(12), fast(14))),
  ])
  t.strictSame(
    both.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  const { flex, turbo } = await told(one)
  t.match(flex, { delivery_window: 'same_day', working_days: ['week', 'sunday'] })
  t.strictSame(
    flex.zones.filter(({ selected }: { selected: boolean }) => selected).map(({ id }: { id: string }) => id),
    ['CABA', 'CABA_Sur', 'La_Plata'],
  )
  t.match(turbo, { radius: 7777, delivery_ranges: { week: { length: 3 } } })
})

t.test('no fault', async (t) => {
  t.same(faults, [])
})
