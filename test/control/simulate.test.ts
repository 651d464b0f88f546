import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { shoppersOf } from '../../control/simulation/queries.ts'
import type { World } from '../../db/world.ts'
import { PROFILES } from '../../scenarios/profiles.ts'
import { badRequest, errorBody, iso, NOW, type Person, start, type TestWorld, valuesOf } from '../support/app.ts'
import { DAY, eventsOf, HOUR } from '../support/contacts.ts'
import { receiver } from '../support/receiver.ts'

const app = await start(t)
const { seller, worlds } = app

/** A world, forked from the default one unless the settings say otherwise, and its data. */
async function fork(t: Test, settings: object = { from: 1 }): Promise<TestWorld & { world: World }> {
  const created = await app.createWorld(settings)
  const world = (await worlds.acquire(created.id))!
  t.teardown(() => worlds.release(world))
  return { ...created, world }
}

const ITEM_COLUMNS = sql.raw(
  '(id, site_id, title, seller_id, price, currency_id, status, shipping_mode, in_flex, date_created, last_updated, available_quantity)',
)

interface Row {
  id: number
  seller_id: number
  item_id: string
  from_id: number
  text: string
  status: string
  date_created: number
  answer_text: string | null
  answered_at: number | null
  first_of_buyer: number
}
const questionsOf = (world: World) => world.read.db.all<Row>(sql`SELECT * FROM question ORDER BY id`)
const lastId = (world: World) => questionsOf(world).at(-1)!.id
const counts = (world: World) => {
  const events = eventsOf(world)
  const countKind = (kind: string) => events.filter((event) => event.kind === kind).length
  return { phone_views: countKind('phone_views'), whatsapp: countKind('whatsapp'), questions: countKind('questions') }
}

t.test('simulates buyers of all active listings and reports the counts', async (t) => {
  const { control, world } = await fork(t)
  const before = counts(world)
  const id = lastId(world)
  const { status, body } = await control('POST /simulate', { days: 14, seed: 7 })
  t.equal(status, 201)
  const { phone_views, whatsapp, questions, answered, ...rest } = body
  t.strictSame(rest, {
    days: 14,
    profile: 'normal',
    seed: 7,
    date_from: '2026-02-21T15:00:00.000Z',
    date_to: '2026-03-07T15:00:00.000Z',
    sellers: 8,
    items: 8 * 17,
  })
  const after = counts(world)
  for (const [kind, n] of Object.entries({ phone_views, whatsapp, questions }) as [keyof typeof after, number][]) {
    t.equal(after[kind] - before[kind], n, kind)
    const mean = PROFILES.normal[kind] * 14 * 8 * 17
    t.ok(n > 0.6 * mean && n < 1.7 * mean, `about ${mean} ${kind}`)
  }
  const created = questionsOf(world).filter((row) => row.id > id)
  t.equal(created.length, questions)
  t.equal(created.filter((row) => row.answered_at !== null).length, answered)
  t.ok(answered > 0.8 * questions && answered < questions, 'not all questions are answered')

  for (const row of created) {
    const { date_created: at, answered_at, answer_text, text } = row
    if (at < NOW - 14 * DAY || at > NOW) t.fail('the question is outside of the days')
    if (answered_at !== null && (answered_at <= at || answered_at > NOW || !answer_text))
      t.fail('the answer is outside of the days')
    if ((row.status === 'ANSWERED') !== (answered_at !== null)) t.fail('the status contradicts the answer')
    if (text.length < 5 || /[{}]|undefined|null/.test(text + (answer_text ?? ''))) t.fail(`not a sentence: ${text}`)
  }
  const waits = created.flatMap((row) => (row.answered_at === null ? [] : [row.answered_at - row.date_created]))
  const median = waits.toSorted((a, b) => a - b)[waits.length >> 1]!
  t.ok(median > 60_000 && median < 24 * HOUR)
  t.ok(new Set(created.map(({ text }) => text)).size > created.length / 2, 'the texts vary')
  const portuguese = created.filter(({ item_id }) => item_id.startsWith('MLB')).map(({ text }) => text)
  t.match(portuguese.join(' '), /você|vocês|não|frete/i)
  t.strictSame(
    eventsOf(world).filter(({ at }) => at > NOW),
    [],
  )
  const ownVisits = eventsOf(world).filter(({ buyer_id, user_id }) => buyer_id === user_id)
  t.strictSame(ownVisits, [], 'no seller is its own visitor')
})

t.test('marks the first question of each buyer on each listing, also after earlier runs', async (t) => {
  const { control, world } = await fork(t)
  await control('POST /simulate', { days: 30, seed: 1, profile: 'busy', user_id: seller.id })
  await control('POST /simulate', { days: 100, seed: 2, user_id: seller.id })
  const rows = questionsOf(world).sort((a, b) => a.date_created - b.date_created || a.id - b.id)
  const seen = new Set<string>()
  const wrong = rows.filter(({ from_id, item_id, first_of_buyer }) => {
    const pair = `${from_id} ${item_id}`
    const first = seen.has(pair) ? 0 : 1
    seen.add(pair)
    return first_of_buyer !== first
  })
  t.strictSame(wrong, [])
})

t.test('totals equal the sums of their series, for sellers and listings', async (t) => {
  const { control, seller } = await fork(t)
  await control('POST /simulate', { days: 20, seed: 3 })
  const read = async (path: string) => (await seller.get(path)).body
  const range = 'date_from=2026-02-14T04:00:00Z&date_to=2026-03-08T04:00:00Z'
  for (const kind of ['phone_views', 'whatsapp', 'questions'])
    for (const subject of [`/users/${seller.id}`, '/items/MLA1400000001', '/items/MLA1400000016']) {
      const path = `${subject}/contacts/${kind}`
      const { total } = await read(`${path}?${range}`)
      const days = await read(`${path}/time_window?last=22&unit=day`)
      const hours = await read(`${path}/time_window?last=528&unit=hour&ending=2026-03-08T03:30:00Z`)
      for (const series of [days, hours]) {
        t.equal(series.date_from, '2026-02-14T04:00:00Z')
        t.equal(series.total, total, `${path} ${series.unit}`)
        t.equal(
          series.results.reduce((sum: number, { total }: { total: number }) => sum + total, 0),
          total,
        )
      }
    }
  const { total } = await read(`/users/${seller.id}/contacts/questions?date_from=1970-01-01&date_to=2100-01-01`)
  t.equal((await read(`/questions/search?seller_id=${seller.id}&limit=0`)).total, total - (await countHidden(seller)))
})

/** Questions that count but that a search finds only by status, or that are hidden. */
async function countHidden(seller: Person): Promise<number> {
  const found = async (status: string) =>
    (await seller.get(`/questions/search?seller_id=${seller.id}&limit=0&status=${status}`)).body.total
  const { question_ids } = (await seller.get('/my/questions/hidden')).body
  return (await found('DELETED')) + (await found('BANNED')) + question_ids.length
}

t.test('draws the same buyers from the same seed in the same world; draws new ones without a seed', async (t) => {
  const [one, other] = [await fork(t), await fork(t)]
  const state = ({ world }: typeof one) => [eventsOf(world), questionsOf(world)]
  const answers = []
  for (const { control } of [one, other])
    answers.push([
      (await control('POST /simulate', { days: 3, seed: 11, profile: 'quiet' })).body,
      (await control('POST /simulate', { days: 3 })).body,
    ])
  t.strictSame(answers[0], answers[1])
  t.ok(isDeepStrictEqual(state(one), state(other)))
  const repeated = (await one.control('POST /simulate', { days: 3 })).body
  t.not(repeated.seed, answers[0]![1].seed)
  t.not(repeated.phone_views, answers[0]![1].phone_views)
})

t.test('simulates one seller without buyers on its site, with notifications off', async (t) => {
  const { control, world } = await fork(t)
  await world.tx(async (q) => {
    q.db.run(
      sql`UPDATE item SET title = ${'{"title"} {the} \u2028'}, shipping_mode = 'custom' WHERE seller_id = ${seller.id}`,
    )
    q.db.run(sql`UPDATE user SET nickname = ${'{shop} <b>'}, address = '{"city":""}' WHERE site_id = 'MLA'`)
    q.db.run(sql`UPDATE user SET site_id = 'MLV' WHERE id = ${seller.id}`)
    q.db.run(sql`DELETE FROM outbox`)
  })
  const before = { events: eventsOf(world).length, id: lastId(world) }
  const options = { days: 10, seed: 5, profile: 'busy', user_id: seller.id, notify: false }
  const { status, body } = await control('POST /simulate', options)
  t.equal(status, 201)
  t.strictSame([body.sellers, body.items], [1, 17])
  const added = eventsOf(world).length - before.events
  t.equal(added, body.phone_views + body.whatsapp + body.questions)
  const created = questionsOf(world).filter(({ id }) => id > before.id)
  t.strictSame([...new Set(created.map(({ seller_id }) => seller_id))], [seller.id])
  t.ok(
    created.every(({ from_id }) => from_id > 2_300_000_000 && from_id < 2_300_010_000),
    'without buyers on the site every question is from another guest',
  )
  t.equal(new Set(created.map(({ from_id }) => from_id)).size > 20, true)
  t.strictSame(world.read.db.all(sql`SELECT * FROM outbox`), [])
})

interface Notification {
  id: number
  resource: string
  user_id: number
  received: number
}
const outboxOf = (world: World) =>
  world.read.db.all<{ resource: string; user_ids: string; at: number }>(
    sql`SELECT resource, user_ids, at FROM outbox ORDER BY id`,
  )
const notificationsOf = (world: World) =>
  world.read.db.all<Notification>(sql`SELECT id, resource, user_id, received FROM notification ORDER BY id`)
const isSorted = (times: number[]) => times.every((at, n) => n === 0 || times[n - 1]! <= at)

t.test('publishes each question when it is asked and when it is answered, in order of time', async (t) => {
  const { url: callback_url, received: got } = await receiver(t)
  const { control, world } = await fork(t)
  const [{ id: application }] = world.read.db.all<{ id: number }>(sql`SELECT id FROM application`) as [{ id: number }]
  const buyerIds = new Set((await shoppersOf(world.read, seller.id, 'MLA')).map(({ id }) => id))
  await world.tx(async (q) => {
    for (const id of buyerIds)
      q.db.run(sql`INSERT OR IGNORE INTO application_grant VALUES (${application}, ${id}, 0, 0)`)
  })
  const set = await control(`PUT /applications/${application}/notifications`, { callback_url })
  t.equal(set.status, 200)
  await control('PATCH /items/MLA1400000001', { status: 'paused' })
  const id = lastId(world)

  const { body } = await control('POST /simulate', { days: 12, seed: 9, profile: 'quiet' })
  t.equal((await control('POST /settle')).status, 204)
  const created = questionsOf(world).filter((row) => row.id > id)
  const happened = created
    .flatMap(({ date_created, answered_at, ...row }) => [
      { ...row, at: date_created },
      ...(answered_at === null ? [] : [{ ...row, at: answered_at }]),
    ])
    .sort((a, b) => a.at - b.at)
  t.equal(happened.length, body.questions + body.answered)
  t.ok(isSorted(created.map(({ date_created }) => date_created)), 'ids of questions follow their time')

  // The application is authorized by the sellers, and here by the buyers of one country.
  const expected = happened.flatMap(({ id, seller_id, from_id, at }) =>
    [seller_id, ...(buyerIds.has(from_id) ? [from_id] : [])].map((user_id) => `${user_id} /questions/${id} ${at}`),
  )
  t.ok(expected.length > happened.length, 'both seller and buyer are notified')
  const [paused, ...notifications] = notificationsOf(world)
  t.match(paused, { resource: '/items/MLA1400000001', received: NOW })
  t.strictSame(
    notifications.map(({ resource, user_id, received }) => `${user_id} ${resource} ${received}`).sort(),
    expected.toSorted(),
  )
  t.ok(isSorted(notifications.map(({ received }) => received)))
  t.strictSame(
    got
      .slice(1)
      .map(({ resource, user_id, received }) => `${user_id} ${resource} ${Date.parse(received)}`)
      .sort(),
    expected.toSorted(),
    'every notification is delivered',
  )
  t.strictSame([...new Set(got.map(({ sent }) => sent))], ['2026-03-07T15:00:00.000Z'], 'sent at the present time')

  const stored = outboxOf(world)
  t.equal(stored[0]!.resource, '/items/MLA1400000001', 'earlier events are kept')
  t.strictSame(
    stored.slice(1),
    happened
      .filter(({ at }) => at >= NOW - 2 * DAY)
      .map(({ id, seller_id, from_id, at }) => ({
        resource: `/questions/${id}`,
        user_ids: JSON.stringify([seller_id, from_id]),
        at,
      })),
    'events of the last two days are kept, whether notified or not',
  )
})

t.test('produces the same data with and without notifications', async (t) => {
  const [one, other] = [await fork(t), await fork(t)]
  const options = { days: 20, seed: 4, user_id: seller.id }
  const before = outboxOf(one.world)
  const notified = await one.control('POST /simulate', options)
  const silent = await other.control('POST /simulate', { ...options, notify: false })
  t.strictSame(notified.body, silent.body)
  const state = ({ world }: typeof one) => [eventsOf(world), questionsOf(world)]
  t.ok(isDeepStrictEqual(state(one), state(other)))
  t.ok(outboxOf(one.world).length > before.length)
  t.strictSame(outboxOf(other.world), before)
})

t.test('orders events by time for each of more sellers than run concurrently', async (t) => {
  const { control, world } = await fork(t)
  await world.tx(async (q) => {
    for (let n = 0; n < 20; n++) {
      const id = 2_600_000_001 + n
      q.db.run(sql`INSERT INTO user SELECT ${id}, site_id, 'TIENDA' || ${n}, password, email, first_name, last_name, phone, address,
        user_type, tags, level_id, power_seller_status, sales_completed, sales_canceled, status, registration_date, operator
        FROM user WHERE id = ${seller.id}`)
      const listing = `MLA77${n + 10}`
      q.db.run(
        sql`INSERT INTO item ${ITEM_COLUMNS} VALUES (${listing}, 'MLA', 'Algo', ${id}, 10, 'ARS', 'active', 'me2', 0, ${NOW}, ${NOW}, 1)`,
      )
    }
    q.db.run(sql`DELETE FROM outbox`)
  })
  const id = lastId(world)
  const { body } = await control('POST /simulate', { days: 2, seed: 3, profile: 'busy' })
  t.equal(body.sellers, 28)
  const published = outboxOf(world)
  t.equal(published.length, body.questions + body.answered)
  const created = new Map(questionsOf(world).map((row) => [`/questions/${row.id}`, row]))
  const bySeller = Map.groupBy(published, ({ resource }) => created.get(resource)!.seller_id)
  t.ok(bySeller.size > 16)
  t.ok([...bySeller.values()].every((own) => isSorted(own.map(({ at }) => at))))
  t.ok(published.every(({ resource }) => created.get(resource)!.id > id))
})

t.test('simulates test buyers and guests in a world without other buyers', async (t) => {
  const { control, seller, buyers, world } = await fork(t, { scenario: 'empty', now: iso(NOW) })
  const withoutListings = await control('POST /simulate', { days: 1 })
  t.strictSame(withoutListings.body, badRequest('world: has no active listing'))
  const listing = sql`INSERT INTO item ${ITEM_COLUMNS} VALUES ('MLA71', 'MLA', 'Algo', ${seller.id}, 10, 'ARS', 'active', 'me2', 0, ${NOW}, ${NOW}, 1)`
  await world.tx(async (q) => void q.db.run(listing))
  t.equal((await control('POST /simulate', { days: 60, profile: 'busy' })).status, 201)
  const buyerIds = valuesOf(buyers, 'id')
  const [fromBuyers, guests] = [true, false].map((isBuyer) =>
    questionsOf(world).filter(({ from_id }) => buyerIds.includes(from_id) === isBuyer),
  )
  t.ok(fromBuyers!.length > 0 && guests!.length > fromBuyers!.length, 'few of them, many guests')
  const anonymous = eventsOf(world).filter(({ kind, buyer_id }) => kind === 'questions' && buyer_id === null)
  t.equal(anonymous.length, guests!.length, 'contacts of guests have no buyer')
})

t.test('rejects invalid simulations', async (t) => {
  const { control, world } = await fork(t)
  const rows: [body: object, status: number, code: string, message: string][] = [
    [{ days: 1, user_id: 5 }, 404, 'not_found', 'User with id 5 not found'],
    [{ days: 1, user_id: app.buyers[0]!.id }, 400, 'bad_request', 'user_id: has no active listing'],
  ]
  for (const [body, status, code, message] of rows)
    t.strictSame((await control('POST /simulate', body)).body, errorBody(status, code, message), message)
  const many = sql`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 5000)
    INSERT INTO item ${ITEM_COLUMNS} SELECT 'MLA7' || n, 'MLA', 'x', ${seller.id}, 1, 'ARS', 'active', 'me2', 0, 0, 0, 1 FROM n`
  await world.tx(async (q) => void q.db.run(many))
  t.match((await control('POST /simulate', { days: 365, profile: 'busy' })).body, {
    message: /^days: would generate about \d{7} contacts; at most 1000000 at a time$/,
    status: 400,
  })
  await control('PUT /clock', { mode: 'frozen', now: '1970-01-05T00:00:00Z' })
  t.strictSame(
    (await control('POST /simulate', { days: 5, profile: 'quiet' })).body,
    badRequest('days: must not begin before 1970'),
  )
})

t.test('buyers buy in the last days, the same for the same seed', async (t) => {
  const sell = async () => {
    const { control } = await fork(t)
    const answer = await control('POST /simulate/sales', { sales: 60, days: 6, seed: 5 })
    const { results } = (await control('GET /orders?limit=1000')).body
    return { answer, results: results.slice(0, answer.body.sales) as { id: number; date_created: string }[] }
  }
  const { answer, results } = await sell()
  const { sales, paid, paid_later, rejected, cancelled, claimed, sold_out } = answer.body
  t.match(answer, { status: 201, body: { days: 6, seed: 5 } })
  t.strictSame([sales + sold_out, paid + paid_later + rejected + cancelled + claimed], [60, sales])
  t.ok(paid > 40 && paid_later > 0 && rejected + cancelled > 0, JSON.stringify(answer.body))
  const times = results.map(({ date_created }) => Date.parse(date_created))
  t.ok(Math.min(...times) > NOW - 7 * DAY && Math.max(...times) <= NOW)
  t.strictSame(
    times,
    times.toSorted((a, b) => b - a),
    'ids follow the time',
  )
  t.strictSame((await sell()).answer.body, answer.body)
})

t.test('buyers write, are answered and complain about what has arrived, the same for the same seed', async (t) => {
  const { control } = await fork(t)
  const count = async (path: string) => (await control(`GET ${path}?limit=1`)).body.paging.total
  const [claimsBefore, messagesBefore] = [await count('/claims'), await count('/messages')]
  const { body } = await control('POST /simulate/sales', { sales: 200, days: 30, seed: 7 })
  const { sales, paid, rejected, claimed, messages, answered } = body
  t.equal((await count('/messages')) - messagesBefore, messages + answered)
  // Who answers has read: only the last message of a conversation is unread.
  const unread = (await control('GET /messages?unread=true&limit=1000')).body.results
  t.equal(new Set(valuesOf(unread, 'pack_id')).size, unread.length)
  t.ok(messages > paid * 0.4 && messages < paid * 0.9, JSON.stringify(body))
  t.ok(answered < messages && messages > answered * 1.1, JSON.stringify(body))
  t.equal((await count('/claims')) - claimsBefore, claimed)
  t.ok(claimed > 0 && rejected > 0, JSON.stringify(body))
  const { results } = (await control(`GET /orders?limit=${sales}`)).body
  const statuses = results.flatMap(({ payments }: { payments: { status: string }[] }) =>
    payments.map((payment) => payment.status),
  )
  t.equal(statuses.filter((status: string) => status === 'rejected').length, rejected)
  const claims = (await control(`GET /claims?limit=${claimed}`)).body.results
  for (const claim of claims) {
    const order = results.find(({ id }: { id: number }) => id === claim.resource_id)
    t.match(claim, { status: 'opened', fulfilled: true })
    if (order.shipping.id === null) continue
    t.match((await control(`GET /shipments/${order.shipping.id}`)).body, { status: 'delivered' })
  }
  const again = await fork(t)
  t.strictSame((await again.control('POST /simulate/sales', { sales: 200, days: 30, seed: 7 })).body, body)
})

t.test('buyers pay a day later, in time also for what they bought weeks ago', async (t) => {
  const { control } = await fork(t)
  const answer = await control('POST /simulate/sales', { sales: 60, days: 30, seed: 5 })
  t.equal(answer.status, 201)
  const { results } = (await control(`GET /orders?limit=${answer.body.sales}`)).body
  const delays = (results as { date_created: string; status: string; payments: { date_approved: string }[] }[])
    .filter(({ status }) => status === 'paid')
    .map(({ date_created, payments: [payment] }) => Date.parse(payment!.date_approved) - Date.parse(date_created))
    .filter((delay) => delay > 0)
  t.equal(delays.length, answer.body.paid_later)
  t.ok(delays.length > 0 && Math.max(...delays) === DAY, `${delays}`)
})

t.test('as many sales each day, of one seller; refused without listings, and beyond the limit', async (t) => {
  const { control } = await fork(t)
  const body = { sales: 2, per_day: true, days: 5, user_id: app.sellers[0]!.id }
  const { body: made } = await control('POST /simulate/sales', body)
  t.equal(made.sales + made.sold_out, 10)
  const { results } = (await control(`GET /orders?limit=${made.sales}`)).body
  t.strictSame(new Set(results.map(({ seller }: { seller: { id: number } }) => seller.id)), new Set([body.user_id]))
  for (const [wrong, status, message] of [
    [{ sales: 200, per_day: true, days: 100 }, 400, 'sales: would make 20000 sales; at most 10000 at a time'],
    [{ user_id: app.buyers[0]!.id }, 400, 'user_id: nothing is for sale, or nobody buys'],
    [{ user_id: 999 }, 404, 'User with id 999 not found'],
  ] as const)
    t.match(await control('POST /simulate/sales', wrong), { status, body: { message } })
})
