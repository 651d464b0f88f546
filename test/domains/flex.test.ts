import t from 'tap'
import { type Candidate, type Condition, missingCondition } from '../../domains/flex/capability.ts'
import { assignDriver, closeRoute, createShipment } from '../../domains/flex/shipment_operations.ts'
import { moveSubscription, subscribe } from '../../domains/flex/subscription_operations.ts'
import type { FlexStatus } from '../../domains/flex/tables.ts'
import { NOW, type Person, start } from '../support/app.ts'
import {
  asking,
  at,
  BLANK_SITES,
  depotOf,
  HOME,
  KINDS,
  NO_SITES,
  type Request,
  type Seller,
  said,
  send,
  WITHOUT_FLEX,
} from '../support/flex.ts'
import { FOREIGN, INVALID_TOKEN, NO_TOKEN, says } from '../support/questions.ts'

const app = await start(t)
const { world, call, faults } = app
const depot = depotOf(app)
const { seller, listing, courier, subscribed, setUser, setItem, facts } = depot
const sellers = app.sellers.map(depot.withPut)
const now = (ms: number) => {
  world.clock.applySetting({ mode: 'frozen', ms })
}
t.beforeEach(() => now(NOW))

const NOBODY = 4_000_000_000
const BIG = '9007199254740992'
const RANGES = { delivery_ranges: { week: [{ from: 14, to: 21, capacity: 30, cutoff: 13 }] } }
/** The same calls with another token, or with none. */
const nobody = (known: Seller, token?: string): Seller => {
  const as = (method: 'GET' | 'POST' | 'PUT' | 'DELETE') => (url: string, body?: unknown) =>
    call({
      method,
      url,
      ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  return { ...known, get: as('GET'), delete: as('DELETE'), post: as('POST'), put: as('PUT') }
}

type Row = [name: string, request: Request, status: number, body: object]

// Two couriers and their listings, for the tables of refusals.
const ana = await courier()
const bea = await courier('out')
const plain = await seller()
const off = await listing(ana.seller)
const on = await listing(ana.seller, { in_flex: 1 })
const noMe2 = await listing(ana.seller, { shipping_mode: 'me1' })
const [noDriver, delivered] = await world.tx(async (q) => {
  const made = { site_id: 'MLA', seller_id: ana.seller.id }
  const one = await createShipment(q, world, made)
  const two = await createShipment(q, world, made)
  await assignDriver(q, world, two.id, 81234567)
  await closeRoute(q, two.id)
  return [one.id, two.id] as const
})
const query = (user: number | string, service: number | string) => ({ query: asking(user, service) })

t.test('the error table of the contract', async (t) => {
  const { seller: me, flex } = ana
  const mine = query(me.id, flex.service_id)
  const put = at.update('custom', 'MLA', me.id, flex.service_id)
  const cover = at.update('zone', 'MLA', me.id, flex.service_id)
  const rows: Row[] = [
    ['subscriptions: empty site', [me, 'GET', at.subscriptions('', me.id)], 400, said.emptySite],
    ['subscriptions: invalid site', [me, 'GET', at.subscriptions('MXX', me.id)], 400, said.invalidSite],
    ['subscriptions: site without Flex', [me, 'GET', at.subscriptions('MLV', me.id)], 400, said.noFlexSite],
    ['subscriptions: no such user', [me, 'GET', at.subscriptions('MLA', NOBODY)], 404, said.noUser],
    ['configuration: empty site', [me, 'POST', at.configuration(''), mine], 400, said.emptySite],
    ['configuration: invalid site', [me, 'POST', at.configuration('MXX'), mine], 400, said.invalidSite],
    ['configuration: site without Flex', [me, 'POST', at.configuration('MLV'), mine], 400, said.noFlexSite],
    ['configuration: no such user', [me, 'POST', at.configuration('MLA'), query(NOBODY, 1)], 404, said.noUser],
    ['configuration: no JSON', [me, 'POST', at.configuration('MLA'), '{"query":'], 400, said.invalidJson],
    [
      'configuration: not of the schema',
      [me, 'POST', at.configuration('MLA'), { query: asking(me.id, flex.service_id, '{ color }') }],
      400,
      said.notOfSchema,
    ],
    [
      'configuration: no query',
      [me, 'POST', at.configuration('MLA'), { query: '{ configuration(' }],
      400,
      said.invalidQuery,
    ],
    ['configuration: no such pair', [me, 'POST', at.configuration('MLA'), query(me.id, 1)], 404, said.noPair],
    ['delivery: user', [me, 'PUT', at.update('custom', 'MLA', 'me', flex.service_id), RANGES], 400, said.invalidUser],
    ['delivery: service', [me, 'PUT', at.update('custom', 'MLA', me.id, 'x'), RANGES], 400, said.invalidService],
    ['delivery: no JSON', [me, 'PUT', put, 'delivery'], 400, said.invalidJson],
    ['delivery: no pair', [me, 'PUT', at.update('custom', 'MLA', me.id, 1), RANGES], 404, said.nothingToUpdate],
    ['coverage: user', [me, 'PUT', at.update('zone', 'MLA', 'me', flex.service_id), {}], 400, said.invalidUser],
    ['coverage: service', [me, 'PUT', at.update('zone', 'MLA', me.id, 'x'), {}], 400, said.invalidService],
    ['coverage: no JSON', [me, 'PUT', cover, 'zones'], 400, said.invalidJson],
    ['coverage: no pair', [me, 'PUT', at.update('zone', 'MLA', me.id, 1), {}], 404, said.nothingToUpdate],
    ['check: not in Flex', [me, 'GET', at.item('MLA', off)], 403, said.itemDown],
    ['check: country without Flex', [me, 'GET', at.item('MLV', on)], 404, said.noItem],
    ['activate: in Flex already', [me, 'POST', at.item('MLA', on)], 400, said.alreadyInFlex],
    ['activate: not on ME2', [me, 'POST', at.item('MLA', noMe2)], 403, said.itemDown],
    ['activate: no item', [me, 'POST', at.item('MLA', 'MLA1')], 404, said.noItem],
    ['deactivate: not in Flex any more', [me, 'DELETE', at.item('MLA', off)], 400, said.alreadyInFlex],
    ['deactivate: not on ME2', [me, 'DELETE', at.item('MLA', noMe2)], 403, said.itemDown],
    ['deactivate: no item', [me, 'DELETE', at.item('MLA', 'MLA1')], 404, said.noItem],
    ['driver: none assigned', [me, 'GET', at.driver('MLA', noDriver)], 404, said.noShipment],
    ['driver: no open route', [me, 'GET', at.driver('MLA', delivered)], 404, said.noShipment],
    ['driver: no shipment', [me, 'GET', at.driver('MLA', 1)], 404, said.noShipment],
  ]
  await facts()
  for (const [name, request, status, body] of rows) says(t, await send(request), status, body, name)
  t.same(await facts(), [], 'a refusal is no event')
})

t.test('the refusals beyond that table', async (t) => {
  const { seller: me, flex, turbo } = ana
  const update = (kind: (typeof KINDS)[number], user: unknown, service: unknown) =>
    at.update(kind, 'MLA', user, service)
  const rows: Row[] = [
    ['the newer subscriptions', [me, 'GET', at.newer('MLA', NOBODY)], 404, said.noUser],
    ...['me', '1.5', '-1', '%20', BIG, `${me.id}x`, '9'.repeat(200)].flatMap((id): Row[] => [
      [`subscriptions of ${id}`, [me, 'GET', at.subscriptions('MLA', id)], 404, said.noUser],
      [`newer subscriptions of ${id}`, [me, 'GET', at.newer('MLA', id)], 404, said.noUser],
      [`update of user ${id}`, [me, 'PUT', update('custom', id, flex.service_id), RANGES], 400, said.invalidUser],
      [`update of service ${id}`, [me, 'PUT', update('custom', me.id, id), RANGES], 400, said.invalidService],
    ]),
    ['update of user nothing', [me, 'PUT', update('zone', '', flex.service_id), {}], 400, said.invalidUser],
    ['update of service nothing', [me, 'PUT', update('zone', me.id, ''), {}], 400, said.invalidService],
    ["another's subscriptions", [me, 'GET', at.subscriptions('MLA', bea.seller.id)], 403, FOREIGN],
    ["another's newer subscriptions", [me, 'GET', at.newer('MLA', bea.seller.id)], 403, FOREIGN],
    [
      "another's configuration",
      [me, 'POST', at.configuration('MLA'), query(bea.seller.id, bea.flex.service_id)],
      403,
      FOREIGN,
    ],
    ['a pair on another site', [me, 'POST', at.configuration('MLB'), query(me.id, flex.service_id)], 404, said.noPair],
    [
      'settings on another site',
      [me, 'PUT', at.update('custom', 'MLB', me.id, flex.service_id), RANGES],
      404,
      said.nothingToUpdate,
    ],
    ...KINDS.flatMap((kind): Row[] => {
      const isFlex = kind === 'custom' || kind === 'zone'
      const other = isFlex ? turbo : flex
      const out = isFlex ? bea.flex : bea.turbo
      return [
        [`${kind}: of nobody`, [me, 'PUT', update(kind, NOBODY, flex.service_id), {}], 404, said.nothingToUpdate],
        [`${kind}: the other mode`, [me, 'PUT', update(kind, me.id, other.service_id), {}], 404, said.nothingToUpdate],
        [`${kind}: another's`, [me, 'PUT', update(kind, bea.seller.id, out.service_id), {}], 403, FOREIGN],
        [`${kind}: out`, [bea.seller, 'PUT', update(kind, bea.seller.id, out.service_id), {}], 403, said.isOut],
        ...['', 'null', '[]', '"x"', '7', 'true', '{', "{'a':1}", 'zones=1'].map((text): Row => {
          const service = isFlex ? flex : turbo
          return [`${kind}: ${text}`, [me, 'PUT', update(kind, me.id, service.service_id), text], 400, said.invalidJson]
        }),
      ]
    }),
    ...(['GET', 'POST', 'DELETE'] as const).flatMap((method): Row[] => [
      [`${method} no item`, [me, method, at.item('MLA', 'MLA1')], 404, said.noItem],
      [`${method} no item id`, [me, method, at.item('MLA', 'x')], 404, said.noItem],
      [`${method} a long item id`, [me, method, at.item('MLA', `MLA${'1'.repeat(200)}`)], 404, said.noItem],
      [`${method} item on another site`, [me, method, at.item('MLB', off)], 404, said.noItem],
      [`${method} another's item`, [bea.seller, method, at.item('MLA', off)], 403, FOREIGN],
      [`${method} item on me1`, [me, method, at.item('MLA', noMe2)], 403, said.itemDown],
      [`${method} v2 no item`, [me, method, at.newerItem('MLA', 'MLA1')], 404, said.noItem],
      [`${method} v2 item on another site`, [me, method, at.newerItem('MLB', off)], 404, said.noItem],
      [`${method} v2 another's item`, [bea.seller, method, at.newerItem('MLA', off)], 403, FOREIGN],
      [`${method} v2 item on me1`, [me, method, at.newerItem('MLA', noMe2)], 403, said.itemDown],
    ]),
    ['v2 POST in Flex already', [me, 'POST', at.newerItem('MLA', on)], 400, said.alreadyInFlex],
    ['v2 DELETE not in Flex', [me, 'DELETE', at.newerItem('MLA', off)], 400, said.alreadyInFlex],
  ]
  await facts()
  for (const [name, request, status, body] of rows) says(t, await send(request), status, body, name)
  t.same(await facts(), [], 'a refusal is no event')
})

t.test('of two broken rules the earlier one is told', async (t) => {
  const { seller: me, flex } = ana
  const { seller: her } = bea
  const without = nobody(me)
  const wrong = nobody(me, 'APP_USR-1-010104-0-1')
  const update = (site: string, user: unknown, service: unknown) => at.update('custom', site, user, service)
  const post = (site: string, body: unknown): Request => [me, 'POST', at.configuration(site), body]
  const state = await listing(me, { in_flex: 1, status: 'paused' })
  const hers = await listing(her, { shipping_mode: 'me1', in_flex: 1 })
  const lost = await listing(me, { shipping_mode: 'me1', in_flex: 1 })
  const rows: Row[] = [
    ['subscriptions: token, site', [without, 'GET', at.subscriptions('MXX', 'x')], 401, NO_TOKEN],
    ['subscriptions: invalid token, site', [wrong, 'GET', at.subscriptions('', 'x')], 401, INVALID_TOKEN],
    ['subscriptions: site, user', [me, 'GET', at.subscriptions('MLV', 'x')], 400, said.noFlexSite],
    ['subscriptions: empty site, user', [me, 'GET', at.subscriptions('', 'x')], 400, said.emptySite],
    ['subscriptions: site, own', [me, 'GET', at.subscriptions('MXX', her.id)], 400, said.invalidSite],
    ['newer: token, site', [without, 'GET', at.newer('MXX', 'x')], 401, NO_TOKEN],
    ['newer: site, user', [me, 'GET', at.newer('MXX', NOBODY)], 400, said.invalidSite],

    ['configuration: token, site', [without, 'POST', at.configuration('MXX'), '{'], 401, NO_TOKEN],
    ['configuration: token, JSON', [wrong, 'POST', at.configuration('MLA'), '{'], 401, INVALID_TOKEN],
    ['configuration: site, JSON', post('MLV', '{'), 400, said.noFlexSite],
    ['configuration: empty site, query', post('', { query: '{' }), 400, said.emptySite],
    ['configuration: JSON, query', post('MLA', { query: 7 }), 400, said.invalidJson],
    ['configuration: query, user', post('MLA', { query: `${asking(NOBODY, 1)} }` }), 400, said.invalidQuery],
    ['configuration: schema, user', post('MLA', { query: asking(NOBODY, 1, '{ color }') }), 400, said.notOfSchema],
    ['configuration: limit, schema', post('MLA', { query: `{${' color'.repeat(1000)}}` }), 400, said.invalidQuery],
    ['configuration: user, pair', post('MLA', query(NOBODY, 1)), 404, said.noUser],
    ['configuration: own, pair', post('MLA', query(her.id, 1)), 403, FOREIGN],
    ['configuration: own, site of the pair', post('MLB', query(her.id, bea.flex.service_id)), 403, FOREIGN],

    ['updates: token, site', [without, 'PUT', update('MXX', 'x', 'x'), '{'], 401, NO_TOKEN],
    ['updates: invalid token, site', [wrong, 'PUT', update('MXX', 'x', 'x'), '{'], 401, INVALID_TOKEN],
    ['updates: site, user', [me, 'PUT', update('MXX', 'x', 'x'), '{'], 400, said.invalidSite],
    ['updates: empty site, user', [me, 'PUT', update('', 'x', 'x'), '{'], 400, said.emptySite],
    ['updates: user, service', [me, 'PUT', update('MLA', 'x', 'x'), '{'], 400, said.invalidUser],
    ['updates: service, JSON', [me, 'PUT', update('MLA', me.id, 'x'), '{'], 400, said.invalidService],
    ['updates: JSON, pair', [me, 'PUT', update('MLA', me.id, 1), '{'], 400, said.invalidJson],
    ['updates: JSON, own', [me, 'PUT', update('MLA', her.id, bea.flex.service_id), '{'], 400, said.invalidJson],
    ['updates: pair, own', [me, 'PUT', update('MLA', her.id, 1), {}], 404, said.nothingToUpdate],
    ['updates: mode, own', [me, 'PUT', update('MLA', her.id, bea.turbo.service_id), {}], 404, said.nothingToUpdate],
    ['updates: mode, out', [her, 'PUT', update('MLA', her.id, bea.turbo.service_id), {}], 404, said.nothingToUpdate],
    ['updates: own, out', [me, 'PUT', update('MLA', her.id, bea.flex.service_id), {}], 403, FOREIGN],
    ['updates: out, members', [her, 'PUT', update('MLA', her.id, bea.flex.service_id), {}], 403, said.isOut],
    ['updates: pair, members', [me, 'PUT', update('MLA', me.id, 1), {}], 404, said.nothingToUpdate],

    ...(['GET', 'POST', 'DELETE'] as const).flatMap((method): Row[] =>
      [at.item, at.newerItem].flatMap((url): Row[] => [
        [`${method}: token, site`, [without, method, url('MLV', off)], 401, NO_TOKEN],
        [`${method}: invalid token, site`, [wrong, method, url('MXX', 'x')], 401, INVALID_TOKEN],
        [`${method}: site, own`, [her, method, url('MLV', off)], 404, said.noItem],
        [`${method}: site of the item, own`, [her, method, url('MLB', off)], 404, said.noItem],
        [`${method}: own, ME2`, [me, method, url('MLA', hers)], 403, FOREIGN],
        [`${method}: ME2, state`, [me, method, url('MLA', method === 'DELETE' ? noMe2 : lost)], 403, said.itemDown],
      ]),
    ),
    ['POST: state, status', [me, 'POST', at.item('MLA', state)], 400, said.alreadyInFlex],
    [
      'POST: state, subscription',
      [plain, 'POST', at.item('MLA', await listing(plain, { in_flex: 1 }))],
      400,
      said.alreadyInFlex,
    ],
    ['POST: own, subscription', [plain, 'POST', at.item('MLA', off)], 403, FOREIGN],

    ['driver: token, site', [without, 'GET', at.driver('MXX', 'x')], 401, NO_TOKEN],
    ['driver: invalid token, shipment', [wrong, 'GET', at.driver('MLA', 'x')], 401, INVALID_TOKEN],
    ['driver: site, shipment', [me, 'GET', at.driver('MLV', 'x')], 400, said.noFlexSite],
  ]
  for (const [name, request, status, body] of rows) says(t, await send(request), status, body, name)
  t.equal(flex.status, 'in')
})

t.test('site ids', async (t) => {
  const { seller: me, flex } = ana
  const SITES = ['MLA', 'MLB', 'MLM', 'MLC', 'MCO', 'MLU', 'MPE', 'MEC']
  t.same(
    sellers.map(({ site_id }) => site_id),
    SITES,
  )
  const bySite = (site: string, seller: Seller, service: number): Request[] => [
    [seller, 'GET', at.subscriptions(site, seller.id)],
    [seller, 'GET', at.newer(site, seller.id)],
    [seller, 'POST', at.configuration(site), query(seller.id, service)],
    ...KINDS.map((kind): Request => [seller, 'PUT', at.update(kind, site, seller.id, service), RANGES]),
    [seller, 'GET', at.driver(site, noDriver)],
    [seller, 'GET', at.driver(site, noDriver, 'v2')],
  ]
  const itemBySite = (site: string): Request[] =>
    (['GET', 'POST', 'DELETE'] as const).flatMap((method): Request[] => [
      [me, method, at.item(site, on)],
      [me, method, at.newerItem(site, on)],
    ])
  const refusedSites = [
    ...WITHOUT_FLEX.map((site) => [site, said.noFlexSite] as const),
    ...NO_SITES.map((site) => [site, said.invalidSite] as const),
    ...BLANK_SITES.map((site) => [site, said.emptySite] as const),
  ]
  for (const [site, body] of refusedSites) {
    for (const request of bySite(site, me, flex.service_id))
      says(t, await send(request), 400, body, `${request[1]} ${request[2]}`)
    for (const request of itemBySite(site))
      says(t, await send(request), 404, said.noItem, `${request[1]} ${request[2]}`)
  }
  for (const one of sellers) {
    const [flex] = (await one.get(at.subscriptions(one.site_id, one.id))).body
    t.match(flex, { site_id: one.site_id, user_id: one.id, mode: 'FLEX' })
    const [first] = (await one.get(at.newer(one.site_id, one.id))).body
    t.match(first, { site_id: one.site_id, user_id: one.id, mode: 'FLEX' })
    says(t, await one.post(at.configuration(one.site_id), query(one.id, flex.service_id)), 200, {
      configuration: { delivery_window: 'same_day' },
    })
    t.equal((await one.put(at.update('custom', one.site_id, one.id, flex.service_id), RANGES)).status, 200)
    const shipment = 43_000_000_001 + 12 * SITES.indexOf(one.site_id)
    t.equal((await one.get(at.driver(one.site_id, shipment))).status, 200)
    const item = await listing(one)
    t.equal((await one.post(at.item(one.site_id, item))).status, 204)
    t.equal((await one.get(at.item(one.site_id, item))).status, 204)
    const elsewhere = SITES[(SITES.indexOf(one.site_id) + 1) % 8]!
    says(t, await one.get(at.subscriptions(elsewhere, one.id)), 200, [], 'nothing on another site')
    says(t, await one.get(at.driver(elsewhere, shipment)), 404, said.noShipment)
  }
  t.equal((await me.get(at.subscriptions('%4dLA', me.id))).body.length, 2, 'escaped letters are letters')
})

t.test('subscriptions: whole bodies', async (t) => {
  now(NOW + 789)
  const me = await seller()
  await listing(me)
  says(t, await me.get(at.subscriptions('MLA', me.id)), 200, [], 'none without Flex')
  says(t, await me.get(at.newer('MLA', me.id)), 200, [])
  const flex = await subscribed(me, 'FLEX')
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
  says(t, await me.get(at.subscriptions('MLA', me.id)), 200, [first])
  now(NOW + 61_999)
  const turbo = await subscribed(me, 'TURBO', 'pending')
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
  says(t, await me.get(at.subscriptions('MLA', me.id)), 200, [first, second])
  says(t, await me.get(`${at.subscriptions('MLA', me.id)}/`), 200, [first, second], 'with a slash behind')
  t.notOk(flex.id === turbo.id || flex.service_id === turbo.service_id, 'each has numbers of its own')
  const origin = {
    address_line: 'Av. Corrientes 1234',
    city: { id: 'TUxBQ0JVRU5PU0FJ', name: 'Buenos Aires' },
    id: String(1_300_000_000 + (me.id % 100_000_000)),
    zip_code: '1043',
  }
  const capabilities = { cutoff_by_zone: false }
  says(t, await me.get(at.newer('MLA', me.id)), 200, [
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
          holidays: false,
          transit_times: false,
        },
        available: { coverage: { type: ['zone'], capabilities } },
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
  says(t, await me.get(`${at.subscriptions('MLA', me.id)}?attributes=status,mode`), 200, [
    { mode: 'FLEX', status: { id: 'in' } },
    { mode: 'TURBO', status: { id: 'pending' } },
  ])
  const script = await me.get(`${at.subscriptions('MXX', me.id)}?callback=f`)
  t.equal(script.status, 200)
  t.match(
    script.text,
    /^f\(\[400,\{.*\},\{"message":"invalid site_id","error":"bad_request","status":400,"cause":\[\]\}\]\)$/,
  )
  says(t, await plain.get(at.subscriptions('MLA', me.id)), 403, FOREIGN, "another's")
})

t.test('the subscriptions of the demo sellers', async (t) => {
  const TURBO: Record<string, string> = { MLA: 'in', MLB: 'pending', MLM: 'out' }
  for (const one of sellers) {
    const { body } = await one.get(at.subscriptions(one.site_id, one.id))
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

t.test('how a subscription moves', async (t) => {
  const STATUSES: FlexStatus[] = ['pending', 'in', 'out']
  const MAY = ['pending in', 'in out', 'out pending']
  const me = await seller()
  await listing(me)
  const { id } = await subscribed(me, 'FLEX', 'pending')
  const told = async () => (await me.get(at.subscriptions('MLA', me.id))).body[0].status
  for (const from of STATUSES)
    for (const to of STATUSES) {
      await depot.setSubscription(id, { status: from })
      const moved = await world.tx((q) => moveSubscription(q, id, to))
      const may = MAY.includes(`${from} ${to}`)
      t.equal(moved?.status, may ? to : undefined, `${from} to ${to}`)
      t.strictSame(await told(), { id: may ? to : from })
    }
  t.equal(await world.tx((q) => moveSubscription(q, 1, 'in')), undefined, 'no subscription')
})

t.test('who is able to deliver with Flex', async (t) => {
  const able: Candidate = { site_id: 'MLA', level_id: '5_green', city: 'Buenos Aires', me2_listings: 1, status: 'in' }
  const rows: [name: string, more: Partial<Candidate>, lacks: Condition | undefined][] = [
    ['all is met', {}, undefined],
    ['light green', { level_id: '4_light_green' }, undefined],
    ['yellow', { level_id: '3_yellow' }, undefined],
    ['no accents, other letters', { city: ' cORDOBA' }, undefined],
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
  for (const [name, more, lacks] of rows) t.equal(missingCondition({ ...able, ...more }), lacks, name)
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
  for (const [site_id, covered] of cities)
    for (const city of covered) t.equal(missingCondition({ ...able, site_id, city }), undefined, city)
})

t.test('subscribing is refused with the condition that is not met', async (t) => {
  const at = (user_id: number, mode: 'FLEX' | 'TURBO' = 'FLEX') =>
    world.tx((q) => subscribe(q, world, { user_id, mode }))
  const refuses = async (unit: Promise<unknown>, statusCode: number, error: string, message: string) =>
    t.rejects(unit, { statusCode, error, message }, message)
  const NO_LISTING = 'the seller has no active listing with shipping mode me2'
  const NO_REPUTATION = 'the reputation of the seller is neither yellow nor green'
  const NO_AREA = 'the address of the seller lies in no coverage area'
  await refuses(at(NOBODY), 404, 'not_found', 'user not found')
  const me = await seller({ level_id: '2_orange', address: JSON.stringify({ ...HOME, city: 'Ushuaia' }) })
  await refuses(at(me.id), 400, 'bad_request', NO_LISTING)
  const item = await listing(me, { status: 'paused' })
  await refuses(at(me.id), 400, 'bad_request', NO_LISTING)
  await setItem(item, { status: 'active', shipping_mode: 'me1' })
  await refuses(at(me.id), 400, 'bad_request', NO_LISTING)
  await setItem(item, { shipping_mode: 'me2' })
  await refuses(at(me.id), 400, 'bad_request', NO_REPUTATION)
  await setUser(me.id, { level_id: '3_yellow' })
  await refuses(at(me.id), 400, 'bad_request', NO_AREA)
  await setUser(me.id, { address: JSON.stringify(HOME) })
  await refuses(at(me.id, 'TURBO'), 400, 'bad_request', 'Flex is not activated for the seller')
  says(t, await me.get(`/shipping/flex/sites/MLA/users/${me.id}/subscriptions/v1`), 200, [], 'nothing was made')
  const flex = await at(me.id)
  t.match(flex, { mode: 'FLEX', status: 'pending', site_id: 'MLA', user_id: me.id })
  await refuses(at(me.id), 400, 'bad_request', 'the seller has FLEX already')
  const turbo = await at(me.id, 'TURBO')
  t.match(turbo, { mode: 'TURBO', status: 'pending', service_id: flex.service_id + 1 })
  await refuses(at(me.id, 'TURBO'), 400, 'bad_request', 'the seller has TURBO already')
  await refuses(at(me.id), 400, 'bad_request', 'the seller has FLEX already')
})

const shipping = async (item: string) => (await call(`/items/${item}`)).body.shipping
const IN = { mode: 'me2', tags: ['self_service_in'], logistic_type: 'self_service' }
const OUT = { mode: 'me2', tags: ['self_service_out'], logistic_type: 'drop_off' }

for (const [name, url, whether] of [
  ['the switch on a listing', at.item, [204, 403]],
  ['the newer switch', at.newerItem, [200, 200]],
] as const)
  t.test(name, async (t) => {
    const { seller: me, flex } = await courier()
    const item = await listing(me)
    const path = url('MLA', item)
    const told = async (is: boolean) => {
      const { status, text } = await me.get(path)
      t.equal(status, is ? whether[0] : whether[1], 'GET')
      if (status !== 403) t.equal(text, status === 204 ? '' : JSON.stringify({ has_flex: is }))
      t.strictSame(await shipping(item), is ? IN : OUT)
    }
    const changed = (at: number) => [
      { topic: 'items', resource: `/items/${item}`, user_ids: JSON.stringify([me.id]), at },
    ]
    const newFacts = async () => (await facts()).map(({ id: _, ...fact }) => fact)
    await facts()
    await told(false)
    const put = await me.put(`/items?ids=${item}&attributes=status`)
    says(t, put, 200, [{ code: 200, body: { status: 'active' }, status: 'active' }])
    says(t, await me.get(`/items?ids=${item}&attributes=status`), 200, put.body)
    t.strictSame(await newFacts(), [], 'reading is no event')

    now(NOW + 1000)
    says(t, await me.post(path), 204, undefined)
    t.strictSame(await newFacts(), changed(NOW + 1000), 'one event')
    await told(true)
    t.equal((await call(`/items/${item}`)).body.last_updated, '2026-03-07T15:00:01.000Z')
    says(t, await me.post(path), 400, said.alreadyInFlex)
    await setItem(item, { status: 'paused' })
    await told(true)
    t.strictSame(await newFacts(), [], 'a refusal is none')

    now(NOW + 2000)
    says(t, await me.delete(path), 204, undefined, 'of a paused one')
    t.strictSame(await newFacts(), changed(NOW + 2000))
    await told(false)
    says(t, await me.delete(path), 400, said.alreadyInFlex)
    for (const status of ['paused', 'closed', 'under_review', 'inactive'] as const) {
      await setItem(item, { status })
      says(t, await me.post(path), 403, said.itemDown, status)
    }
    await setItem(item, { status: 'active' })

    await depot.setSubscription(flex.id, { status: 'out' })
    says(t, await me.post(path), 403, said.itemDown, 'a subscription that is out')
    await depot.setSubscription(flex.id, { status: 'pending' })
    t.strictSame(await newFacts(), [])
    says(t, await me.post(path, null), 204, undefined, 'while it waits for activation; a body is ignored')
    await depot.setSubscription(flex.id, { status: 'out' })
    await told(true)
    says(t, await me.delete(path), 204, undefined, 'leaving needs no subscription')
    t.equal((await newFacts()).length, 2)

    const alone = await seller()
    const lonely = await listing(alone)
    says(t, await alone.post(url('MLA', lonely)), 403, said.itemDown, 'no subscription')
    t.strictSame(await shipping(lonely), OUT)
    t.strictSame(await newFacts(), [])
  })

t.test('two switch a listing at once', async (t) => {
  const { seller: me } = await courier()
  const item = await listing(me)
  await facts()
  const both = await Promise.all([me.post(at.item('MLA', item)), me.post(at.newerItem('MLA', item))])
  t.strictSame(both.map(({ status }) => status).sort(), [204, 400])
  t.equal((await facts()).length, 1, 'one change, one event')
  t.strictSame(await shipping(item), IN)
})

t.test('the switch by script', async (t) => {
  const { seller: me } = await courier()
  const item = await listing(me)
  const path = at.item('MLA', item)
  const HEADERS =
    '{"Access-Control-Allow-Origin":["*"],"Content-Type":["text/javascript;charset=UTF-8"],"X-Content-Type-Options":["nosniff"]}'
  const script = async (query: string) => {
    const { status, text, headers } = await me.get(`${path}?${query}`)
    t.equal(status, 200)
    t.equal(headers['content-type'], 'text/javascript;charset=UTF-8')
    return text
  }
  await facts()
  const down = await script('callback=f')
  t.ok(down.startsWith('f([403,{'), down)
  t.ok(down.endsWith(',{"message":"item down","error":"forbidden","status":403,"cause":[]}])'), down)
  t.equal((await me.get(`${path}?_method=POST`)).status, 403, 'without callback a GET is a GET')
  t.equal(await script('callback=f&_method=POST'), `f([204,${HEADERS},null])`)
  t.strictSame(await shipping(item), IN)
  t.equal(await script('callback=f'), `f([204,${HEADERS},null])`)
  t.equal(await script('callback=a.b&_method=DELETE'), `a.b([204,${HEADERS},null])`)
  t.strictSame(await shipping(item), OUT)
  t.equal((await facts()).length, 2)
  const other = await seller()
  const foreign = await other.get(`${path}?callback=f&_method=POST`)
  t.match(foreign.text, /^f\(\[403,.*"error":"access_denied"/)
  t.strictSame(await shipping(item), OUT, 'rights apply as ever')
})

t.test('a world where the switch needs no subscription', async (t) => {
  const app = await start(t, { switches: { 'flex.activation_needs_subscription': 'false' } })
  const depot = depotOf(app)
  const me = await depot.seller()
  const item = await depot.listing(me)
  says(t, await me.post(at.item('MLA', item)), 204, undefined)
  says(t, await me.get(at.item('MLA', item)), 204, undefined)
  says(t, await me.post(at.item('MLA', item)), 400, said.alreadyInFlex)
  says(t, await me.post(at.item('MLA', await depot.listing(me, { status: 'paused' }))), 403, said.itemDown)
  says(t, await me.post(at.item('MLA', await depot.listing(me, { shipping_mode: 'me1' }))), 403, said.itemDown)
  const { seller: left } = await depot.courier('out')
  says(t, await left.post(at.item('MLA', await depot.listing(left))), 204, undefined)
  t.same(app.faults, [])
})

t.test('who carries a shipment', async (t) => {
  const { seller: me } = await courier()
  const other = await seller()
  const { id } = await world.tx((q) => createShipment(q, world, { site_id: 'MLA', seller_id: me.id }))
  const assign = (driver: number) => world.tx((q) => assignDriver(q, world, id, driver))
  const told = async (driver: number | undefined, name?: string) => {
    for (const version of ['v1', 'v2']) {
      const answer = await me.get(at.driver('MLA', id, version))
      if (driver === undefined) says(t, answer, 404, said.noShipment, name)
      else says(t, answer, 200, { driver_id: driver }, name)
    }
  }
  const announced = async (count: number, name: string) => {
    const fact = {
      topic: 'flex-handshakes',
      resource: `/flex/sites/MLA/shipments/${id}/assignment/v1`,
      user_ids: JSON.stringify([me.id]),
      at: world.clock.now(),
    }
    t.strictSame(
      (await facts()).map(({ id: _, ...fact }) => fact),
      Array.from({ length: count }, () => fact),
      name,
    )
  }
  await facts()
  await told(undefined, 'no driver')
  await announced(0, 'a new shipment tells nothing')
  t.match(await assign(81234567), { id, driver_id: 81234567, route_open: 1 })
  await announced(1, 'a driver')
  await told(81234567)
  t.equal(await assign(81234567), undefined)
  await announced(0, 'the same driver')
  now(NOW + 1000)
  await assign(999_999_999_999)
  await announced(1, 'another driver')
  await told(999_999_999_999)

  const refusedRows: Row[] = ['v1', 'v2'].flatMap((version): Row[] => [
    ['unknown', [me, 'GET', at.driver('MLA', 999, version)], 404, said.noShipment],
    ["another's", [other, 'GET', at.driver('MLA', id, version)], 404, said.noShipment],
    ['on another site', [me, 'GET', at.driver('MLB', id, version)], 404, said.noShipment],
    ...['x', '1.5', '-1', '', '%20', BIG, `${id}x`, '9'.repeat(200)].map(
      (sent): Row => [`shipment ${sent}`, [me, 'GET', at.driver('MLA', sent, version)], 404, said.noShipment],
    ),
  ])
  for (const [name, request, status, body] of refusedRows) says(t, await send(request), status, body, name)

  t.match(await world.tx((q) => closeRoute(q, id)), { id, driver_id: 999_999_999_999, route_open: 0 })
  await announced(0, 'the end of a route')
  await told(undefined, 'the route has ended')
  await assign(999_999_999_999)
  await announced(1, 'out again')
  await told(999_999_999_999)
  t.equal(await world.tx((q) => assignDriver(q, world, 999, 1)), undefined, 'no shipment')
  t.equal(await world.tx((q) => closeRoute(q, 999)), undefined)
  await announced(0, 'of no shipment')
})

t.test('the shipments of a demo seller', async (t) => {
  const [mla, mlb] = sellers as [Seller, Seller]
  const statuses = async (person: Person, first: number) => {
    const told: number[] = []
    for (let n = 0; n < 12; n++) told.push((await person.get(at.driver(person.site_id, first + n))).status)
    return told
  }
  const carried = [200, 200, 200, 200, 200, 200, 404, 404, 404, 404, 404, 404]
  t.strictSame(await statuses(mla, 43_000_000_001), carried)
  t.strictSame(await statuses(mlb, 43_000_000_013), carried)
  const { body } = await mla.get(at.driver('MLA', 43_000_000_001))
  t.strictSame(Object.keys(body), ['driver_id'])
  t.type(body.driver_id, 'number')
})

t.test('no fault', async (t) => {
  t.same(faults, [])
})
