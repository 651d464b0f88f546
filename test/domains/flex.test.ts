import t from 'tap'
import { type Candidate, type Condition, missingCondition } from '../../domains/flex/capability.ts'
import { assignDriver, closeRoute, createParcel } from '../../domains/shipments/driver_operations.ts'
import { NOW, type Person, start } from '../support/app.ts'
import {
  BLANK_SITES,
  configurationQuery,
  errors,
  flexFixtures,
  INVALID_SITES,
  KINDS,
  paths,
  type Request,
  type Seller,
  send,
  WITHOUT_FLEX,
} from '../support/flex.ts'
import { shippingOf } from '../support/items.ts'
import { expectAnswer, FOREIGN, INVALID_TOKEN, NO_TOKEN } from '../support/questions.ts'

const app = await start(t)
const { world, call } = app
const fixtures = flexFixtures(app)
const { createSeller, createListing, createFlexSeller, createSubscription, setItem, takeEvents } = fixtures
const sellers = app.sellers.map(fixtures.withPut)
const setClock = (ms: number) => {
  world.clock.applySetting({ mode: 'frozen', ms })
}
t.beforeEach(() => setClock(NOW))

const NOBODY = 4_000_000_000
const BIG = '9007199254740992'
const RANGES = { delivery_ranges: { week: [{ from: 14, to: 21, capacity: 30, cutoff: 13 }] } }
/** The same calls with another token, or with none. */
const withToken = (seller: Seller, token?: string): Seller => {
  const as = (method: 'GET' | 'POST' | 'PUT' | 'DELETE') => (url: string, body?: unknown) =>
    call({
      method,
      url,
      ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  return { ...seller, get: as('GET'), delete: as('DELETE'), post: as('POST'), put: as('PUT') }
}

/** The status of the answer is that of its body. */
type Row = [name: string, request: Request, body: { status: number }]

// Two sellers with Flex and their listings, for the tables of errors.
const ana = await createFlexSeller()
const bea = await createFlexSeller('out')
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

t.test('answers further errors of each path', async (t) => {
  const { seller: me, flex, turbo } = ana
  const update = (kind: (typeof KINDS)[number], user: unknown, service: unknown) =>
    paths.update(kind, 'MLA', user, service)
  const rows: Row[] = [
    ['the newer subscriptions', [me, 'GET', paths.newer('MLA', NOBODY)], errors.noUser],
    ...['me', '1.5', '-1', '%20', BIG, `${me.id}x`, '9'.repeat(200)].flatMap((id): Row[] => [
      [`subscriptions of ${id}`, [me, 'GET', paths.subscriptions('MLA', id)], errors.noUser],
      [`newer subscriptions of ${id}`, [me, 'GET', paths.newer('MLA', id)], errors.noUser],
      [`update of user ${id}`, [me, 'PUT', update('custom', id, flex.service_id), RANGES], errors.invalidUser],
      [`update of service ${id}`, [me, 'PUT', update('custom', me.id, id), RANGES], errors.invalidService],
    ]),
    ['update of user nothing', [me, 'PUT', update('zone', '', flex.service_id), {}], errors.invalidUser],
    ['update of service nothing', [me, 'PUT', update('zone', me.id, ''), {}], errors.invalidService],
    ["another seller's subscriptions", [me, 'GET', paths.subscriptions('MLA', bea.seller.id)], FOREIGN],
    ["another seller's newer subscriptions", [me, 'GET', paths.newer('MLA', bea.seller.id)], FOREIGN],
    [
      "another seller's configuration",
      [me, 'POST', paths.configuration('MLA'), query(bea.seller.id, bea.flex.service_id)],
      FOREIGN,
    ],
    ['a pair on another site', [me, 'POST', paths.configuration('MLB'), query(me.id, flex.service_id)], errors.noPair],
    [
      'settings on another site',
      [me, 'PUT', paths.update('custom', 'MLB', me.id, flex.service_id), RANGES],
      errors.nothingToUpdate,
    ],
    ...KINDS.flatMap((kind): Row[] => {
      const isFlex = kind === 'custom' || kind === 'zone'
      const other = isFlex ? turbo : flex
      const out = isFlex ? bea.flex : bea.turbo
      return [
        [`${kind}: of an unknown user`, [me, 'PUT', update(kind, NOBODY, flex.service_id), {}], errors.nothingToUpdate],
        [`${kind}: the other mode`, [me, 'PUT', update(kind, me.id, other.service_id), {}], errors.nothingToUpdate],
        [`${kind}: another's`, [me, 'PUT', update(kind, bea.seller.id, out.service_id), {}], FOREIGN],
        [`${kind}: out`, [bea.seller, 'PUT', update(kind, bea.seller.id, out.service_id), {}], errors.isOut],
        ...['', 'null', '[]', '"x"', '7', 'true', '{', "{'a':1}", 'zones=1'].map((text): Row => {
          const service = isFlex ? flex : turbo
          return [`${kind}: ${text}`, [me, 'PUT', update(kind, me.id, service.service_id), text], errors.invalidJson]
        }),
      ]
    }),
    ...(['GET', 'POST', 'DELETE'] as const).flatMap((method): Row[] => [
      [`${method} no item`, [me, method, paths.item('MLA', 'MLA1')], errors.noItem],
      [`${method} no item id`, [me, method, paths.item('MLA', 'x')], errors.noItem],
      [`${method} a long item id`, [me, method, paths.item('MLA', `MLA${'1'.repeat(200)}`)], errors.noItem],
      [`${method} item on another site`, [me, method, paths.item('MLB', notInFlex)], errors.noItem],
      [`${method} another's item`, [bea.seller, method, paths.item('MLA', notInFlex)], FOREIGN],
      [`${method} item on me1`, [me, method, paths.item('MLA', noMe2)], errors.itemDown],
      [`${method} v2 no item`, [me, method, paths.newerItem('MLA', 'MLA1')], errors.noItem],
      [`${method} v2 item on another site`, [me, method, paths.newerItem('MLB', notInFlex)], errors.noItem],
      [`${method} v2 another's item`, [bea.seller, method, paths.newerItem('MLA', notInFlex)], FOREIGN],
      [`${method} v2 item on me1`, [me, method, paths.newerItem('MLA', noMe2)], errors.itemDown],
    ]),
    ['v2 POST in Flex already', [me, 'POST', paths.newerItem('MLA', inFlex)], errors.alreadyInFlex],
    ['v2 DELETE not in Flex', [me, 'DELETE', paths.newerItem('MLA', notInFlex)], errors.alreadyInFlex],
  ]
  await takeEvents()
  for (const [name, request, body] of rows) expectAnswer(t, await send(request), body.status, body, name)
  t.same(await takeEvents(), [], 'an error publishes no event')
})

t.test('answers the first error when two conditions fail [spec: flex.order]', async (t) => {
  const { seller: me, flex } = ana
  const { seller: otherSeller } = bea
  const noToken = withToken(me)
  const badToken = withToken(me, 'APP_USR-1-010104-0-1')
  const update = (site: string, user: unknown, service: unknown) => paths.update('custom', site, user, service)
  const post = (site: string, body: unknown): Request => [me, 'POST', paths.configuration(site), body]
  const paused = await createListing(me, { in_flex: 1, status: 'paused' })
  const otherItem = await createListing(otherSeller, { shipping_mode: 'me1', in_flex: 1 })
  const leftMe2 = await createListing(me, { shipping_mode: 'me1', in_flex: 1 })
  const rows: Row[] = [
    ['subscriptions: token, site', [noToken, 'GET', paths.subscriptions('MXX', 'x')], NO_TOKEN],
    ['subscriptions: invalid token, site', [badToken, 'GET', paths.subscriptions('', 'x')], INVALID_TOKEN],
    ['subscriptions: site, user', [me, 'GET', paths.subscriptions('MLV', 'x')], errors.noFlexSite],
    ['subscriptions: empty site, user', [me, 'GET', paths.subscriptions('', 'x')], errors.emptySite],
    ['subscriptions: site, own', [me, 'GET', paths.subscriptions('MXX', otherSeller.id)], errors.invalidSite],
    ['newer: token, site', [noToken, 'GET', paths.newer('MXX', 'x')], NO_TOKEN],
    ['newer: site, user', [me, 'GET', paths.newer('MXX', NOBODY)], errors.invalidSite],

    ['configuration: token, site', [noToken, 'POST', paths.configuration('MXX'), '{'], NO_TOKEN],
    ['configuration: token, JSON', [badToken, 'POST', paths.configuration('MLA'), '{'], INVALID_TOKEN],
    ['configuration: site, JSON', post('MLV', '{'), errors.noFlexSite],
    ['configuration: empty site, query', post('', { query: '{' }), errors.emptySite],
    ['configuration: JSON, query', post('MLA', { query: 7 }), errors.invalidJson],
    ['configuration: query, user', post('MLA', { query: `${configurationQuery(NOBODY, 1)} }` }), errors.invalidQuery],
    [
      'configuration: schema, user',
      post('MLA', { query: configurationQuery(NOBODY, 1, '{ color }') }),
      errors.notOfSchema,
    ],
    ['configuration: limit, schema', post('MLA', { query: `{${' color'.repeat(1000)}}` }), errors.invalidQuery],
    ['configuration: user, pair', post('MLA', query(NOBODY, 1)), errors.noUser],
    ['configuration: own, pair', post('MLA', query(otherSeller.id, 1)), FOREIGN],
    ['configuration: own, site of the pair', post('MLB', query(otherSeller.id, bea.flex.service_id)), FOREIGN],

    ['updates: token, site', [noToken, 'PUT', update('MXX', 'x', 'x'), '{'], NO_TOKEN],
    ['updates: invalid token, site', [badToken, 'PUT', update('MXX', 'x', 'x'), '{'], INVALID_TOKEN],
    ['updates: site, user', [me, 'PUT', update('MXX', 'x', 'x'), '{'], errors.invalidSite],
    ['updates: empty site, user', [me, 'PUT', update('', 'x', 'x'), '{'], errors.emptySite],
    ['updates: user, service', [me, 'PUT', update('MLA', 'x', 'x'), '{'], errors.invalidUser],
    ['updates: service, JSON', [me, 'PUT', update('MLA', me.id, 'x'), '{'], errors.invalidService],
    ['updates: JSON, pair', [me, 'PUT', update('MLA', me.id, 1), '{'], errors.invalidJson],
    ['updates: JSON, own', [me, 'PUT', update('MLA', otherSeller.id, bea.flex.service_id), '{'], errors.invalidJson],
    ['updates: pair, own', [me, 'PUT', update('MLA', otherSeller.id, 1), {}], errors.nothingToUpdate],
    [
      'updates: mode, own',
      [me, 'PUT', update('MLA', otherSeller.id, bea.turbo.service_id), {}],
      errors.nothingToUpdate,
    ],
    [
      'updates: mode, out',
      [otherSeller, 'PUT', update('MLA', otherSeller.id, bea.turbo.service_id), {}],
      errors.nothingToUpdate,
    ],
    ['updates: own, out', [me, 'PUT', update('MLA', otherSeller.id, bea.flex.service_id), {}], FOREIGN],
    [
      'updates: out, members',
      [otherSeller, 'PUT', update('MLA', otherSeller.id, bea.flex.service_id), {}],
      errors.isOut,
    ],
    ['updates: pair, members', [me, 'PUT', update('MLA', me.id, 1), {}], errors.nothingToUpdate],

    ...(['GET', 'POST', 'DELETE'] as const).flatMap((method): Row[] =>
      [paths.item, paths.newerItem].flatMap((url): Row[] => [
        [`${method}: token, site`, [noToken, method, url('MLV', notInFlex)], NO_TOKEN],
        [`${method}: invalid token, site`, [badToken, method, url('MXX', 'x')], INVALID_TOKEN],
        [`${method}: site, own`, [otherSeller, method, url('MLV', notInFlex)], errors.noItem],
        [`${method}: site of the item, own`, [otherSeller, method, url('MLB', notInFlex)], errors.noItem],
        [`${method}: own, ME2`, [me, method, url('MLA', otherItem)], FOREIGN],
        [`${method}: ME2, state`, [me, method, url('MLA', method === 'DELETE' ? noMe2 : leftMe2)], errors.itemDown],
      ]),
    ),
    ['POST: state, status', [me, 'POST', paths.item('MLA', paused)], errors.alreadyInFlex],
    [
      'POST: state, subscription',
      [plain, 'POST', paths.item('MLA', await createListing(plain, { in_flex: 1 }))],
      errors.alreadyInFlex,
    ],
    ['POST: own, subscription', [plain, 'POST', paths.item('MLA', notInFlex)], FOREIGN],

    ['driver: token, site', [noToken, 'GET', paths.driver('MXX', 'x')], NO_TOKEN],
    ['driver: invalid token, shipment', [badToken, 'GET', paths.driver('MLA', 'x')], INVALID_TOKEN],
    ['driver: site, shipment', [me, 'GET', paths.driver('MLV', 'x')], errors.noFlexSite],
  ]
  for (const [name, request, body] of rows) expectAnswer(t, await send(request), body.status, body, name)
  t.equal(flex.status, 'in')
})

t.test('rejects empty, unknown and unsupported site ids', async (t) => {
  const { seller: me, flex } = ana
  const SITES = ['MLA', 'MLB', 'MLM', 'MLC', 'MCO', 'MLU', 'MPE', 'MEC']
  t.same(
    sellers.map(({ site_id }) => site_id),
    SITES,
  )
  const bySite = (site: string, seller: Seller, service: number): Request[] => [
    [seller, 'GET', paths.subscriptions(site, seller.id)],
    [seller, 'GET', paths.newer(site, seller.id)],
    [seller, 'POST', paths.configuration(site), query(seller.id, service)],
    ...KINDS.map((kind): Request => [seller, 'PUT', paths.update(kind, site, seller.id, service), RANGES]),
    [seller, 'GET', paths.driver(site, noDriver)],
    [seller, 'GET', paths.driver(site, noDriver, 'v2')],
  ]
  const itemBySite = (site: string): Request[] =>
    (['GET', 'POST', 'DELETE'] as const).flatMap((method): Request[] => [
      [me, method, paths.item(site, inFlex)],
      [me, method, paths.newerItem(site, inFlex)],
    ])
  const rejectedSites = [
    ...WITHOUT_FLEX.map((site) => [site, errors.noFlexSite] as const),
    ...INVALID_SITES.map((site) => [site, errors.invalidSite] as const),
    ...BLANK_SITES.map((site) => [site, errors.emptySite] as const),
  ]
  for (const [site, body] of rejectedSites) {
    for (const request of bySite(site, me, flex.service_id))
      expectAnswer(t, await send(request), 400, body, `${request[1]} ${request[2]}`)
    for (const request of itemBySite(site))
      expectAnswer(t, await send(request), 404, errors.noItem, `${request[1]} ${request[2]}`)
  }
  for (const one of sellers) {
    const [flex] = (await one.get(paths.subscriptions(one.site_id, one.id))).body
    t.match(flex, { site_id: one.site_id, user_id: one.id, mode: 'FLEX' })
    const [first] = (await one.get(paths.newer(one.site_id, one.id))).body
    t.match(first, { site_id: one.site_id, user_id: one.id, mode: 'FLEX' })
    expectAnswer(t, await one.post(paths.configuration(one.site_id), query(one.id, flex.service_id)), 200, {
      configuration: { delivery_window: 'same_day' },
    })
    t.equal((await one.put(paths.update('custom', one.site_id, one.id, flex.service_id), RANGES)).status, 200)
    const shipment = 43_000_000_001 + 12 * SITES.indexOf(one.site_id)
    t.equal((await one.get(paths.driver(one.site_id, shipment))).status, 200)
    const item = await createListing(one)
    t.equal((await one.post(paths.item(one.site_id, item))).status, 204)
    t.equal((await one.get(paths.item(one.site_id, item))).status, 204)
    const otherSite = SITES[(SITES.indexOf(one.site_id) + 1) % 8]!
    expectAnswer(t, await one.get(paths.subscriptions(otherSite, one.id)), 200, [], 'nothing on another site')
    expectAnswer(t, await one.get(paths.driver(otherSite, shipment)), 404, errors.noShipment)
  }
  t.equal((await me.get(paths.subscriptions('%4dLA', me.id))).body.length, 2, 'escaped characters are decoded')
})

t.test('answers complete subscriptions in both versions', async (t) => {
  setClock(NOW + 789)
  const me = await createSeller()
  await createListing(me)
  expectAnswer(t, await me.get(paths.subscriptions('MLA', me.id)), 200, [], 'none without Flex')
  expectAnswer(t, await me.get(paths.newer('MLA', me.id)), 200, [])
  const flex = await createSubscription(me, 'FLEX')
  const first = {
    id: flex.id,
    site_id: 'MLA',
    user_id: me.id,
    mode: 'FLEX',
    configuration_type: { coverage: 'zone', delivery: 'custom' },
    service_id: flex.service_id,
    status: { id: 'in' },
    creation_date: '2026-03-07T15:00:00Z',
  }
  expectAnswer(t, await me.get(paths.subscriptions('MLA', me.id)), 200, [first])
  setClock(NOW + 61_999)
  const turbo = await createSubscription(me, 'TURBO', 'pending')
  const second = {
    id: turbo.id,
    site_id: 'MLA',
    user_id: me.id,
    mode: 'TURBO',
    configuration_type: { coverage: 'radius', delivery: 'accurate' },
    service_id: turbo.service_id,
    status: { id: 'pending' },
    creation_date: '2026-03-07T15:01:01Z',
  }
  expectAnswer(t, await me.get(paths.subscriptions('MLA', me.id)), 200, [first, second])
  expectAnswer(t, await me.get(`${paths.subscriptions('MLA', me.id)}/`), 200, [first, second], 'trailing slash')
  t.notOk(flex.id === turbo.id || flex.service_id === turbo.service_id, 'ids and service ids are unique')
  const origin = {
    address_line: 'Av. Corrientes 1234',
    city: { id: 'TUxBQ0JVRU5PU0FJ', name: 'Buenos Aires' },
    id: String(1_300_000_000 + (me.id % 100_000_000)),
    zip_code: '1043',
  }
  const capabilities = { cutoff_by_zone: false }
  const possible = { cutoff_by_zone: true }
  expectAnswer(t, await me.get(paths.newer('MLA', me.id)), 200, [
    {
      site_id: 'MLA',
      user_id: me.id,
      service_id: flex.service_id,
      mode: 'FLEX',
      origin,
      status: 'in',
      configuration: {
        set: {
          coverage: { type: 'zone', capabilities },
          delivery_ranges: 'dinamic',
          holidays: true,
          transit_times: false,
        },
        available: { coverage: { type: ['zone'], capabilities: possible } },
      },
    },
    {
      site_id: 'MLA',
      user_id: me.id,
      service_id: turbo.service_id,
      mode: 'TURBO',
      origin,
      status: 'pending',
      configuration: {
        set: {
          coverage: { type: 'radius', capabilities },
          delivery_ranges: 'fixed',
          holidays: false,
          transit_times: false,
        },
        available: { coverage: { type: ['radius'], capabilities } },
      },
    },
  ])
  expectAnswer(t, await me.get(`${paths.subscriptions('MLA', me.id)}?attributes=status,mode`), 200, [
    { mode: 'FLEX', status: { id: 'in' } },
    { mode: 'TURBO', status: { id: 'pending' } },
  ])
  const script = await me.get(`${paths.subscriptions('MXX', me.id)}?callback=f`)
  t.equal(script.status, 200)
  t.match(
    script.text,
    /^f\(\[400,\{.*\},\{"message":"invalid site_id","error":"bad_request","status":400,"cause":\[\]\}\]\)$/,
  )
  expectAnswer(t, await plain.get(paths.subscriptions('MLA', me.id)), 403, FOREIGN, "another seller's")
})

t.test('answers the subscriptions of the demo sellers', async (t) => {
  const TURBO: Record<string, string> = { MLA: 'in', MLB: 'pending', MLM: 'out' }
  for (const one of sellers) {
    const { body } = await one.get(paths.subscriptions(one.site_id, one.id))
    t.strictSame(
      body.map(({ mode, status }: { mode: string; status: { id: string } }) => [mode, status.id]),
      [
        ['FLEX', one.site_id === 'MPE' ? 'pending' : 'in'],
        ...(TURBO[one.site_id] ? [['TURBO', TURBO[one.site_id]]] : []),
      ],
      one.site_id,
    )
    for (const { creation_date } of body) t.match(creation_date, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  }
})

t.test('determines which sellers can use Flex [spec: flex.capable]', async (t) => {
  const eligible: Candidate = {
    site_id: 'MLA',
    level_id: '5_green',
    city: 'Buenos Aires',
    me2_listings: 1,
    status: 'in',
  }
  const rows: [name: string, more: Partial<Candidate>, lacks: Condition | undefined][] = [
    ['all is met', {}, undefined],
    ['light green', { level_id: '4_light_green' }, undefined],
    ['yellow', { level_id: '3_yellow' }, undefined],
    ['no accents, another case', { city: ' cORDOBA' }, undefined],
    ['no listing', { me2_listings: 0 }, 'listings'],
    ['orange', { level_id: '2_orange' }, 'reputation'],
    ['red', { level_id: '1_red' }, 'reputation'],
    ['no reputation', { level_id: null }, 'reputation'],
    ['outside', { city: 'Ushuaia' }, 'address'],
    ['no address', { city: '' }, 'address'],
    ['a city of another country', { city: 'São Paulo' }, 'address'],
    ['a country without Flex', { site_id: 'MLV', city: 'Caracas' }, 'address'],
    ['never activated', { status: undefined }, 'activation'],
    ['waits for activation', { status: 'pending' }, 'activation'],
    ['out', { status: 'out' }, 'activation'],
    ['listing before reputation', { me2_listings: 0, level_id: null, city: '', status: undefined }, 'listings'],
    ['reputation before address', { level_id: null, city: '', status: undefined }, 'reputation'],
    ['address before activation', { city: '', status: undefined }, 'address'],
  ]
  for (const [name, more, lacks] of rows) t.equal(missingCondition({ ...eligible, ...more }), lacks, name)
  const cities: [site: string, cities: string[]][] = [
    ['MLA', ['Buenos Aires', 'Córdoba']],
    ['MLB', ['São Paulo', 'Rio de Janeiro', 'Brasília', 'Belo Horizonte', 'Porto Alegre', 'Salvador', 'Curitiba']],
    ['MLM', ['Ciudad de México', 'Mérida']],
    ['MLC', ['Santiago', 'Valparaíso']],
    ['MCO', ['Bogotá', 'Medellín', 'Cali']],
    ['MLU', ['Montevideo', 'Canelones']],
    ['MPE', ['Lima']],
    ['MEC', ['Quito']],
  ]
  for (const [site_id, cityNames] of cities)
    for (const city of cityNames) t.equal(missingCondition({ ...eligible, site_id, city }), undefined, city)
})

const shipping = async (item: string) => (await call(`/items/${item}`)).body.shipping
const IN = shippingOf('me2', { inFlex: true })
const OUT = shippingOf('me2')

for (const [name, url, statuses] of [
  ['switches a listing to Flex and back', paths.item, [204, 403]],
  ['switches a listing by the newer path', paths.newerItem, [200, 200]],
] as const)
  t.test(name, async (t) => {
    const { seller: me, flex } = await createFlexSeller()
    const item = await createListing(me)
    const path = url('MLA', item)
    const expectDriver = async (isInFlex: boolean) => {
      const { status, text } = await me.get(path)
      t.equal(status, isInFlex ? statuses[0] : statuses[1], 'GET')
      if (status !== 403) t.equal(text, status === 204 ? '' : JSON.stringify({ has_flex: isInFlex }))
      t.strictSame(await shipping(item), isInFlex ? IN : OUT)
    }
    const changed = (at: number) => [
      { topic: 'items', resource: `/items/${item}`, actions: null, user_ids: JSON.stringify([me.id]), at },
    ]
    const newEvents = async () => (await takeEvents()).map(({ id: _, real_at: __, cause: ___, ...event }) => event)
    await takeEvents()
    await expectDriver(false)
    const put = await me.put(`/items?ids=${item}&attributes=status`)
    expectAnswer(t, put, 200, [{ code: 200, body: { status: 'active' }, status: 'active' }])
    expectAnswer(t, await me.get(`/items?ids=${item}&attributes=status`), 200, put.body)
    t.strictSame(await newEvents(), [], 'reading publishes no event')

    setClock(NOW + 1000)
    expectAnswer(t, await me.post(path), 204, undefined)
    t.strictSame(await newEvents(), changed(NOW + 1000), 'one event')
    await expectDriver(true)
    t.equal((await call(`/items/${item}`)).body.last_updated, '2026-03-07T15:00:01.000Z')
    expectAnswer(t, await me.post(path), 400, errors.alreadyInFlex)
    await setItem(item, { status: 'paused' })
    await expectDriver(true)
    t.strictSame(await newEvents(), [], 'an error publishes no event')

    setClock(NOW + 2000)
    expectAnswer(t, await me.delete(path), 204, undefined, 'a paused listing')
    t.strictSame(await newEvents(), changed(NOW + 2000))
    await expectDriver(false)
    expectAnswer(t, await me.delete(path), 400, errors.alreadyInFlex)
    for (const status of ['paused', 'closed', 'under_review', 'inactive'] as const) {
      await setItem(item, { status })
      expectAnswer(t, await me.post(path), 403, errors.itemDown, status)
    }
    await setItem(item, { status: 'active' })

    await fixtures.setSubscription(flex.id, { status: 'out' })
    expectAnswer(t, await me.post(path), 403, errors.itemDown, 'the subscription is out')
    await fixtures.setSubscription(flex.id, { status: 'pending' })
    t.strictSame(await newEvents(), [])
    expectAnswer(t, await me.post(path, null), 204, undefined, 'pending activation; the body is ignored')
    await fixtures.setSubscription(flex.id, { status: 'out' })
    await expectDriver(true)
    expectAnswer(t, await me.delete(path), 204, undefined, 'leaving needs no subscription')
    t.equal((await newEvents()).length, 2)

    const newcomer = await createSeller()
    const newcomerItem = await createListing(newcomer)
    expectAnswer(t, await newcomer.post(url('MLA', newcomerItem)), 403, errors.itemDown, 'no subscription')
    t.strictSame(await shipping(newcomerItem), OUT)
    t.strictSame(await newEvents(), [])
  })

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

t.test('answers the driver of a shipment to its seller only, in both versions', async (t) => {
  const { seller: me } = await createFlexSeller()
  const other = await createSeller()
  const { id } = await world.tx((q) => createParcel(q, world, { site_id: 'MLA', seller_id: me.id }))
  await world.tx((q) => assignDriver(q, world, id, 999_999_999_999))
  const rows: Row[] = ['v1', 'v2'].flatMap((version): Row[] => [
    ['unknown', [me, 'GET', paths.driver('MLA', 999, version)], errors.noShipment],
    ["another's", [other, 'GET', paths.driver('MLA', id, version)], errors.noShipment],
    ['on another site', [me, 'GET', paths.driver('MLB', id, version)], errors.noShipment],
    ...['x', '1.5', '-1', '', '%20', BIG, `${id}x`, '9'.repeat(200)].map(
      (sent): Row => [`shipment ${sent}`, [me, 'GET', paths.driver('MLA', sent, version)], errors.noShipment],
    ),
  ])
  for (const [name, request, body] of rows) expectAnswer(t, await send(request), body.status, body, name)
  const answers = async () =>
    Promise.all(['v1', 'v2'].map(async (version) => (await me.get(paths.driver('MLA', id, version))).body))
  t.strictSame(await answers(), Array(2).fill({ driver_id: 999_999_999_999 }))
  await world.tx((q) => closeRoute(q, id))
  t.strictSame(await answers(), Array(2).fill(errors.noShipment), 'the route has ended')
})

t.test('answers the shipments of a demo seller', async (t) => {
  const [mla, mlb] = sellers as [Seller, Seller]
  const statuses = async (person: Person, first: number) => {
    const expectDriver: number[] = []
    for (let n = 0; n < 12; n++) expectDriver.push((await person.get(paths.driver(person.site_id, first + n))).status)
    return expectDriver
  }
  const expected = [200, 200, 200, 200, 200, 200, 404, 404, 404, 404, 404, 404]
  t.strictSame(await statuses(mla, 43_000_000_001), expected)
  t.strictSame(await statuses(mlb, 43_000_000_013), expected)
  const { body } = await mla.get(paths.driver('MLA', 43_000_000_001))
  t.strictSame(Object.keys(body), ['driver_id'])
  t.type(body.driver_id, 'number')
})
