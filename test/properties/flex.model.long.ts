import { setImmediate } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import fc, { type Arbitrary } from 'fast-check'
import t from 'tap'
import { outbox } from '../../db/tables.ts'
import { assignDriver, closeRoute, createShipment } from '../../domains/flex/shipment_operations.ts'
import { moveSubscription, subscribe } from '../../domains/flex/subscription_operations.ts'
import { setItemStatus } from '../../domains/items/operations.ts'
import { item } from '../../domains/items/tables.ts'
import { issueAccessToken } from '../../domains/oauth/operations.ts'
import { user } from '../../domains/users/tables.ts'
import { NOW, start } from '../support/app.ts'
import { BROKEN, mostly, SELECTIONS, sent } from './flex_bodies.ts'
import {
  type Answer,
  FlexModel,
  type Item,
  type Kind,
  LEVELS,
  type Listing,
  NEXT,
  type Stranger,
} from './flex_model.ts'
import { ADDRESS_LINE, CITIES, type Full, type Mode, type Status, ZIP_CODE } from './flex_views.ts'

const SEED = 20_260_307
const SEQUENCES = 500
const STEPS = 30
const HOUR = 3_600_000

const { world, server, application, faults } = await start(t)

// Sellers

let sellers = 0
const FIRST_SELLER = 2_600_000_000

const addressIn = (city: string) =>
  JSON.stringify({ address: ADDRESS_LINE, city, state: 'Buenos Aires', zip_code: ZIP_CODE })

/** A seller who can have Flex, with an active and a paused listing on ME2 and one shipped otherwise. */
const newSeller = () =>
  world.tx(async (q) => {
    const id = FIRST_SELLER + ++sellers
    const common = { site_id: 'MLA', status: 'active', registration_date: NOW, user_type: 'normal' } as const
    const names = {
      nickname: `VENDE${id}`,
      first_name: 'Ana',
      last_name: 'Gómez',
      phone: '',
      email: `${id}@example.com`,
    }
    const sales = { level_id: '5_green', power_seller_status: null, sales_completed: 90, sales_canceled: 1 }
    const address = addressIn('Buenos Aires')
    q.db
      .insert(user)
      .values({ id, ...common, ...names, ...sales, password: 'x', address, tags: '["normal"]' })
      .run()
    const items: Item[] = (['active me2', 'paused me2', 'active custom'] as const).map((kind, n) => {
      const [status, shipping_mode] = kind.split(' ') as [Listing, Item['shipping_mode']]
      return {
        id: `MLA66${String(3 * sellers + n).padStart(8, '0')}`,
        seller_id: id,
        status,
        shipping_mode,
        in_flex: false,
      }
    })
    const dates = { date_created: NOW, last_updated: NOW }
    for (const row of items)
      q.db
        .insert(item)
        .values({ ...row, in_flex: 0, site_id: 'MLA', title: 'Silla', price: 1000, currency_id: 'ARS', ...dates })
        .run()
    const token = await issueAccessToken(q, world, { application_id: application.id, user_id: id }, NOW, null)
    return { id, items, token }
  })

/** One for all sequences, with both modes, a listing and a parcel on its way. */
async function newStranger(): Promise<Stranger> {
  const { id, items } = await newSeller()
  return world.tx(async (q) => {
    const subscriptions = [
      await subscribe(q, world, { user_id: id }),
      await subscribe(q, world, { user_id: id, mode: 'TURBO' }),
    ]
    const shipment = await createShipment(q, world, { site_id: 'MLA', seller_id: id })
    await assignDriver(q, world, shipment.id, 1)
    return {
      id,
      subscriptions,
      item: items[0]!,
      shipment: { id: shipment.id, seller_id: id, driver_id: 1, open: true },
    }
  })
}
const stranger = await newStranger()
const NOBODY = 99

// What a step does, and holds against the model

interface Play {
  model: FlexModel
  token: string
}

/** What has come of each step. */
const seen = new Map<string, Set<string>>()
let steps = 0

function agree(name: string, got: unknown, expected: unknown): void {
  const [is, should] = [got, expected].map((value) => JSON.stringify(value, null, 1) ?? 'nothing')
  if (is !== should) throw new Error(`${name}: is\n${is}\nand should be\n${should}`)
}

/** One call, its status and whole body held against the model's. */
async function holds(
  { token }: Play,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  { status, body }: Answer,
  payload?: string,
): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  const got = await server.inject({ method, url, headers, ...(payload !== undefined && { payload }) })
  agree(
    `${method} ${url} ${payload ?? ''}`,
    { status: got.statusCode, body: got.payload && got.json() },
    { status, body: body ?? '' },
  )
  return `${method} ${status}`
}

const userIn = ({ model }: Play, who: string) =>
  ({ mine: `${model.id}`, stranger: `${stranger.id}`, nobody: `${NOBODY}` })[who] ?? who
/** A service of one's own that is not subscribed is one that nobody has. */
const serviceIn = ({ model }: Play, which: string) =>
  which === 'FLEX' || which === 'TURBO'
    ? `${model.of(which)?.service_id ?? NOBODY}`
    : which.startsWith('stranger')
      ? `${stranger.subscriptions.find(({ mode }) => which.endsWith(mode))!.service_id}`
      : which
const subscriptionsUrl = (site: string, user: string, newer: boolean) =>
  `${newer ? '/flex' : '/shipping/flex'}/sites/${site}/users/${user}/subscriptions/v1`

// Queries

interface Root {
  user: string
  service: string
  selection: number
}

const isFull = (found: Answer | Full): found is Full => 'address' in found

/** A query of one or two configurations, with the ids written into it or as variables. */
function asked(play: Play, site: string, roots: Root[], asVariables: boolean): [payload: string, expected: Answer] {
  const variables: Record<string, number> = {}
  const data: Record<string, unknown> = {}
  const fragments = new Set<string>()
  let refusal: Answer | undefined
  const fields = roots.map(({ user: who, service: which, selection }, n) => {
    const [user, service] = [userIn(play, who), serviceIn(play, which)]
    const { fields, fragments: more, of } = SELECTIONS[selection]!
    if (more) fragments.add(more)
    Object.assign(variables, { [`user${n}`]: Number(user), [`service${n}`]: Number(service) })
    const found = play.model.configuration(site, user, service)
    if (isFull(found)) data[n === 0 ? 'configuration' : 'other'] = of(found)
    else refusal ??= found
    const ids = asVariables ? [`$user${n}`, `$service${n}`] : [user, service]
    return `${n === 0 ? '' : 'other: '}configuration(user_id: ${ids[0]}, service_id: ${ids[1]}) { ${fields} }`
  })
  const head = asVariables ? `query Q(${Object.keys(variables).map((name) => `$${name}: Int!`)})` : ''
  const query = `${head} { ${fields.join(' ')} } ${[...fragments].join(' ')}`
  const payload = JSON.stringify({ query, ...(asVariables && { operationName: 'Q', variables }) })
  return [payload, refusal ?? { status: 200, body: data }]
}

// Steps

interface Step {
  name: string
  args: unknown
  run(play: Play): Promise<string>
}

/** `run` answers what came of it, to be counted. */
function step<A>(name: string, args: Arbitrary<A>, run: (play: Play, args: A) => Promise<string>): Arbitrary<Step> {
  return args.map((value) => ({
    name,
    args: value,
    run: (play) => run(play, value),
    [fc.toStringMethod]: () => `\n  ${name} ${JSON.stringify(value)}`,
  }))
}
const site = mostly('MLA', 'MLB', 'MLV', 'XXX', '%20')
const userOf = (...more: string[]) => mostly('mine', 'stranger', 'nobody', ...more)
const serviceOf = (mode: Mode, ...more: string[]) =>
  mostly<string>(mode, mode === 'FLEX' ? 'TURBO' : 'FLEX', 'stranger FLEX', 'stranger TURBO', '5', ...more)
const mode = fc.constantFrom<Mode[]>('FLEX', 'TURBO')

const KINDS: [Kind, Mode, path: string][] = [
  ['custom', 'FLEX', 'delivery/custom'],
  ['accurate', 'TURBO', 'delivery/accurate'],
  ['zone', 'FLEX', 'coverage/zone'],
  ['radius', 'TURBO', 'coverage/radius'],
]
const put = ([kind, mode, path]: (typeof KINDS)[number]) =>
  step(
    `put ${kind}`,
    fc.record({
      site,
      user: userOf('yo'),
      service: serviceOf(mode, 'uno'),
      sent: sent(kind),
      text: mostly('', '{', '[]', 'null'),
    }),
    (play, { site, user: who, service: which, sent: { body, complaint }, text }) => {
      const [user, service, payload] = [userIn(play, who), serviceIn(play, which), text || JSON.stringify(body)]
      const expected = play.model.update(kind, site, user, service, payload, complaint)
      const url = `/shipping/flex/sites/${site}/users/${user}/services/${service}/configuration/${path}/v3`
      return holds(play, 'PUT', url, expected, payload)
    },
  )

const root = fc.record({
  user: userOf(),
  service: mode.chain((mode) => serviceOf(mode)),
  selection: fc.nat(SELECTIONS.length - 1),
})
const itemOf = fc.oneof(
  { weight: 6, arbitrary: fc.constant('0') },
  { weight: 4, arbitrary: fc.constantFrom('1', '2', 'stranger', 'MLA6500000000', 'silla') },
)
const itemIn = ({ model }: Play, which: string) =>
  model.items[which.length === 1 ? Number(which) : -1]?.id ?? (which === 'stranger' ? stranger.item.id : which)

/** The same text each time, so that an answer kept too long would show. */
async function wholeConfiguration(play: Play): Promise<string> {
  const modes = (['FLEX', 'TURBO'] as const).filter(play.model.of)
  const roots = modes.map((service) => ({ user: 'mine', service, selection: 0 }))
  if (roots.length === 0) return 'none'
  const [payload, expected] = asked(play, 'MLA', roots, false)
  return holds(play, 'POST', '/shipping/flex/sites/MLA/configuration/v3', expected, payload)
}

/** The last numbers of a subscription. */
const last = { id: 0, service_id: 0 }
async function subscribed({ model }: Play, { mode, days }: { mode: Mode; days: number | null }): Promise<string> {
  // A refusal is held against the model's message; numbers are the server's to choose, but never used before.
  const row = await world
    .tx((q) => subscribe(q, world, { user_id: model.id, mode, ...(days !== null && { training_days: days }) }))
    .catch((error: Error) => error)
  const { id, service_id } = row instanceof Error ? { id: 0, service_id: 0 } : row
  const complaint = model.subscribe(mode, days, () => ({ id, service_id }))
  agree('subscribe', row instanceof Error ? row.message : undefined, complaint)
  if (row instanceof Error) return complaint!
  if (id <= last.id || service_id <= last.service_id) throw new Error(`${id} and ${service_id} are not new`)
  Object.assign(last, { id, service_id })
  return 'done'
}

interface Parcel {
  what: 'create' | 'assign' | 'close'
  n: number
  driver_id: number
}
async function shipped({ model }: Play, { what, n, driver_id }: Parcel): Promise<string> {
  const one = model.shipments[n % 2]
  if (what === 'create') {
    const { id, seller_id } = await world.tx((q) => createShipment(q, world, { site_id: 'MLA', seller_id: model.id }))
    model.shipments.push({ id, seller_id, driver_id: null, open: false })
  } else if (what === 'assign') {
    const row = await world.tx((q) => assignDriver(q, world, one?.id ?? 0, driver_id))
    const assigned = one !== undefined && model.assign(one, driver_id)
    agree('assign', row?.driver_id, assigned ? driver_id : undefined)
    return assigned ? 'assigned' : 'not assigned'
  } else {
    const row = await world.tx((q) => closeRoute(q, one?.id ?? 0))
    if (one) one.open = false
    agree('close', row && [row.id, row.driver_id, row.route_open], one && [one.id, one.driver_id, 0])
  }
  return what
}

const ANY_STEP: [weight: number, Arbitrary<Step>][] = [
  [5, step('subscribe', fc.record({ mode, days: fc.constantFrom(null, null, 1, 2, 14) }), subscribed)],
  [
    5,
    step(
      'move',
      fc.record({ mode, asked: mostly<Status | 'next'>('next', 'in', 'out', 'pending') }),
      async ({ model }, { mode, asked }) => {
        const to = asked === 'next' ? NEXT[model.of(mode)?.status ?? 'pending'] : asked
        const row = await world.tx((q) => moveSubscription(q, model.of(mode)?.id ?? 0, to))
        const moves = model.move(mode, to)
        agree('move', row?.status, moves ? to : undefined)
        return moves ? to : 'not moved'
      },
    ),
  ],
  [
    3,
    step(
      'subscriptions',
      fc.record({ site, user: userOf('yo'), newer: fc.boolean() }),
      (play, { site, user: who, newer }) => {
        const user = userIn(play, who)
        return holds(play, 'GET', subscriptionsUrl(site, user, newer), play.model.list(site, user, newer))
      },
    ),
  ],
  [
    6,
    step(
      'query',
      fc.record({
        site,
        roots: fc.array(root, { minLength: 1, maxLength: 2 }),
        asVariables: fc.boolean(),
        broken: mostly(undefined, ...BROKEN),
      }),
      (play, { site, roots, asVariables, broken }) => {
        const url = `/shipping/flex/sites/${site}/configuration/v3`
        if (broken) return holds(play, 'POST', url, play.model.query(site, broken[1]), broken[0])
        const [payload, expected] = asked(play, site, roots, asVariables)
        return holds(play, 'POST', url, expected, payload)
      },
    ),
  ],
  [3, step('whole configuration', fc.constant(''), wholeConfiguration)],
  ...KINDS.map((kind): [number, Arbitrary<Step>] => [3, put(kind)]),
  [
    6,
    step(
      'switch',
      fc.record({ method: fc.constantFrom('GET', 'POST', 'POST', 'DELETE'), newer: fc.boolean(), site, item: itemOf }),
      (play, { method, newer, site, item: which }) => {
        const item = itemIn(play, which)
        const url = newer ? `/flex/sites/${site}/items/${item}/v2` : `/sites/${site}/shipping/selfservice/items/${item}`
        return holds(play, method, url, play.model.switch(method, newer, site, item))
      },
    ),
  ],
  [
    3,
    step(
      'relist',
      fc.record({
        n: fc.constantFrom(0, 0, 0, 1, 2),
        status: fc.constantFrom<Listing[]>('active', 'active', 'active', 'paused', 'closed', 'under_review'),
      }),
      async ({ model }, { n, status }) => {
        const item = model.items[n]!
        const row = await world.tx((q) => setItemStatus(q, world, item.id, status))
        const moved = model.relist(item, status)
        agree('relist', row?.status, moved ? status : undefined)
        return moved ? status : 'not moved'
      },
    ),
  ],
  [
    2,
    step('items', fc.array(itemOf, { minLength: 1, maxLength: 3 }), (play, which) => {
      const ids = which.map((one) => itemIn(play, one))
      return holds(play, 'GET', `/items?ids=${ids}&attributes=status,shipping`, play.model.listings(ids))
    }),
  ],
  [
    2,
    step(
      'change seller',
      fc.oneof(
        fc.record({ level_id: fc.constantFrom(...LEVELS, '5_green') }),
        fc.record({ city: fc.constantFrom(...Object.keys(CITIES), 'Buenos Aires') }),
      ),
      async ({ model }, change) => {
        await world.tx(async (q) => {
          const values = 'city' in change ? { address: addressIn(change.city) } : change
          q.db.update(user).set(values).where(eq(user.id, model.id)).run()
        })
        Object.assign(model, change)
        return Object.keys(change)[0]!
      },
    ),
  ],
  [
    2,
    // Within two days, after which the outbox may forget.
    step('clock', fc.integer({ min: -23, max: 23 }), async ({ model }, hours) => {
      model.now = NOW + hours * HOUR
      world.clock.applySetting({ mode: 'frozen', ms: model.now })
      return 'moved'
    }),
  ],
  [
    3,
    step(
      'shipment',
      fc.record({
        what: fc.constantFrom<Parcel['what'][]>('create', 'assign', 'assign', 'close'),
        n: fc.nat(2),
        driver_id: fc.integer({ min: 81, max: 83 }),
      }),
      shipped,
    ),
  ],
  [
    3,
    step(
      'driver',
      fc.record({
        site,
        which: fc.oneof(fc.constantFrom('0', '1'), mostly('0', '2', 'stranger', 'nadie')),
        version: fc.constantFrom('v1', 'v2'),
      }),
      (play, { site, which, version }) => {
        const id = which === 'stranger' ? stranger.shipment.id : (play.model.shipments[Number(which)]?.id ?? which)
        return holds(
          play,
          'GET',
          `/flex/sites/${site}/shipments/${id}/assignment/${version}`,
          play.model.driver(site, `${id}`),
        )
      },
    ),
  ],
]

// Sequences

const PUTS = ['PUT 200', 'PUT 400', 'PUT 403', 'PUT 404']
const OUTCOMES: Record<string, string[]> = {
  subscribe: [
    'Flex is not activated for the seller',
    'done',
    'the address of the seller lies in no coverage area',
    'the reputation of the seller is neither yellow nor green',
    'the seller has FLEX already',
    'the seller has TURBO already',
    'the seller has no active listing with shipping mode me2',
  ],
  move: ['in', 'not moved', 'out', 'pending'],
  subscriptions: ['GET 200', 'GET 400', 'GET 403', 'GET 404'],
  query: ['POST 200', 'POST 400', 'POST 403', 'POST 404'],
  'whole configuration': ['POST 200', 'none'],
  'put custom': PUTS,
  'put accurate': PUTS,
  'put zone': PUTS,
  'put radius': PUTS,
  switch: ['GET', 'POST', 'DELETE']
    .flatMap((method) => [204, 400, 403, 404].map((status) => `${method} ${status}`))
    .map((outcome) => (outcome === 'GET 400' ? 'GET 200' : outcome))
    .sort(),
  relist: ['active', 'closed', 'not moved', 'paused', 'under_review'],
  items: ['GET 200'],
  'change seller': ['city', 'level_id'],
  clock: ['moved'],
  shipment: ['assigned', 'close', 'create', 'not assigned'],
  driver: ['GET 200', 'GET 400', 'GET 404'],
}

/** What a seller has subscribed the day before. */
const begun = fc.record({
  modes: fc.constantFrom<Mode[][]>([], ['FLEX'], ['FLEX', 'TURBO'], ['FLEX', 'TURBO']),
  days: fc.constantFrom(null, 1),
})
const anyStep = fc.oneof(...ANY_STEP.map(([weight, arbitrary]) => ({ weight, arbitrary })))

/** Of full length, but a failing one is shown as short as it can be. */
class Sequence extends fc.Arbitrary<Step[]> {
  private readonly full = fc.array(anyStep, { minLength: STEPS, maxLength: STEPS })
  private readonly any = fc.array(anyStep, { maxLength: STEPS })
  generate(...given: Parameters<Arbitrary<Step[]>['generate']>) {
    return this.full.generate(...given)
  }
  canShrinkWithoutContext(value: unknown): value is Step[] {
    return this.any.canShrinkWithoutContext(value)
  }
  shrink(value: Step[], context: unknown) {
    return this.any.shrink(value, context)
  }
}

/** All that a seller can read, and what its applications are to be told. */
async function allHolds(play: Play): Promise<void> {
  const { model } = play
  const user = `${model.id}`
  for (const newer of [false, true])
    await holds(play, 'GET', subscriptionsUrl('MLA', user, newer), model.list('MLA', user, newer))
  await wholeConfiguration(play)
  const ids = model.items.map(({ id }) => id)
  await holds(play, 'GET', `/items?ids=${ids}&attributes=status,shipping`, model.listings(ids))
  const rows = await world.read.db
    .select({ topic: outbox.topic })
    .from(outbox)
    .where(eq(outbox.user_ids, `[${model.id}]`))
  const told: Record<string, number> = { items: 0, 'flex-handshakes': 0 }
  for (const { topic } of rows) told[topic] = (told[topic] ?? 0) + 1
  agree('outbox', told, model.told)
}

t.test('Flex answers as a model of it does', async (t) => {
  await fc.assert(
    fc.asyncProperty(begun, new Sequence(), async ({ modes, days }, sequence) => {
      const { id, items, token } = await newSeller()
      const play = { model: new FlexModel(id, items, stranger, NOW - 23 * HOUR), token }
      world.clock.applySetting({ mode: 'frozen', ms: play.model.now })
      for (const mode of modes) await subscribed(play, { mode, days })
      if (modes.length > 0) await shipped(play, { what: 'create', n: 0, driver_id: 0 })
      play.model.now = NOW
      world.clock.applySetting({ mode: 'frozen', ms: NOW })
      for (const { name, run } of sequence) {
        const came = await run(play)
        seen.set(name, (seen.get(name) ?? new Set()).add(came))
        steps++
      }
      await allHolds(play)
      const [fault] = faults.splice(0)
      if (fault) throw new Error('a fault that the client was not told of', { cause: fault })
      // Injected calls never leave the queue of promises: timers would wait for the last of them.
      await setImmediate()
    }),
    { seed: SEED, numRuns: SEQUENCES, includeErrorInReport: true },
  )
  t.equal(steps, SEQUENCES * STEPS)
  const came = Object.fromEntries([...seen].map(([name, outcomes]) => [name, [...outcomes].sort()]))
  t.same(came, OUTCOMES, 'every step has come to everything that it can')
})
