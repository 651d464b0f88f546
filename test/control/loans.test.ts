import { eq } from 'drizzle-orm'
import t from 'tap'
import { sequence } from '../../db/tables.ts'
import { item } from '../../domains/items/tables.ts'
import { DAY, iso, NOW, start, valuesOf } from '../support/app.ts'
import { searchLeads } from '../support/credits.ts'
import { takeOutbox } from '../support/outbox.ts'
import { badRequest, errorBody, expectAnswer, notFound, type Parties, questionFixtures } from '../support/questions.ts'

const app = await start(t)
const { control, world, buyers } = app
const { createParties } = questionFixtures(app)

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const UNKNOWN = '00000000-0000-4000-8000-000000000000'
const dated = (ms: number) => iso(ms).slice(0, 19)
const setClock = async (ms: number) => {
  await control('PUT /clock', { mode: 'frozen', now: iso(ms) })
}

const createLead = ({ item }: Parties, more: object = {}) => control('POST /loans', { item_id: item, ...more })
const patch = (id: string, body: unknown) => control(`PATCH /loans/${id}`, body)
const detail = ({ seller }: Parties, id: string) => seller.get(`/vis/loans/${id}?seller_id=${seller.id}`)
const foundIds = async ({ seller }: Parties, status = 'all') =>
  valuesOf((await searchLeads(seller, { status })).body.results, 'id')
/** The events published since the last call: topic, resource, users and time. */
const takeEvents = async () =>
  (await takeOutbox(world)).map(({ topic, resource, user_ids, at }) => [topic, resource, JSON.parse(user_ids), at])
const GONE = errorBody(410, 'gone', 'Gone (resource expired)')
const noLead = notFound('Detail not found for credit')

t.test('creates a lead from a listing alone; its seller finds it, and an event is published', async (t) => {
  const parties = await createParties()
  await takeEvents()
  const created = await createLead(parties)
  const { id } = created.body
  t.match(id, UUID)
  // The listing's price is 1000: a fifth as down payment, the rest in twelve months at 1.2 % a month.
  expectAnswer(t, created, 201, {
    id,
    item_id: parties.item,
    down_payment_amount: 200,
    installments_number: 12,
    installments_amount: 76.27,
    seller_id: parties.seller.id,
    buyer_id: buyers[0]!.id,
    proposal_id: null,
    date_created: dated(NOW),
    financial_entity_id: 'MERCADO_PAGO',
    expired: false,
    status: 'in_analysis',
  })
  t.strictSame(await takeEvents(), [['leads-credits', `/vis/loan/${id}`, [parties.seller.id], NOW]])
  expectAnswer(t, await control(`GET /loans/${id.toUpperCase()}`), 200, created.body)
  const { status, ...element } = created.body
  const search = await searchLeads(parties.seller, { status: 'in_analysis' })
  t.strictSame(search.body.results, [element])
  const { buyer_id, expired, ...more } = element
  t.match((await detail(parties, id)).body, { ...more, status, buyer: { id: buyer_id } })
})

t.test('creates a lead with all members', async (t) => {
  const parties = await createParties()
  const id = 'ABCDEF00-0000-1000-8000-000000000001'
  const given = {
    buyer_id: parties.buyer.id,
    down_payment_amount: 0,
    installments_number: 600,
    installments_amount: 12.34,
    financial_entity_id: 'SCOTIA',
    proposal_id: '20481937',
    status: 'approved',
  }
  const at = NOW - 10 * DAY
  const all = {
    ...given,
    item_id: parties.item,
    seller_id: parties.seller.id,
    id: id.toLowerCase(),
    date_created: dated(at),
  }
  const created = await createLead(parties, { ...given, id, date_created: iso(at), expired: true })
  t.strictSame([created.status, created.body], [201, { ...all, expired: true }])
  t.strictSame(await foundIds(parties, 'approved'), [id.toLowerCase()])
  expectAnswer(t, await detail(parties, id), 410, GONE)
  const conflict = errorBody(409, 'conflict', `Lead with id ${id.toLowerCase()} exists already`)
  expectAnswer(t, await createLead(parties, { id: id.toLowerCase() }), 409, conflict)
  t.equal((await foundIds(parties)).length, 1)
})

t.test('derives missing terms from the given ones', async (t) => {
  const parties = await createParties()
  for (const [given, terms] of [
    [{ installments_number: 24 }, [200, 24, 42.93]],
    [{ down_payment_amount: 500 }, [500, 12, 47.67]],
    [{ down_payment_amount: 2000 }, [2000, 12, 0]],
    [{ installments_amount: 5 }, [200, 12, 5]],
  ] as const) {
    const { body } = await createLead(parties, given)
    const { down_payment_amount, installments_number, installments_amount } = body
    t.strictSame([down_payment_amount, installments_number, installments_amount], terms, JSON.stringify(given))
  }
})

t.test('skips an id that was given before', async (t) => {
  const one = await createParties()
  const next = (await createLead(one)).body.id
  const decrementSequence = () =>
    world.tx(async (q) => {
      const { n } = q.db.select().from(sequence).where(eq(sequence.name, 'credit_lead')).get()!
      q.db
        .update(sequence)
        .set({ n: n - 1 })
        .where(eq(sequence.name, 'credit_lead'))
        .run()
    })
  await decrementSequence()
  const { status, body } = await createLead(one)
  t.equal(status, 201)
  t.not(body.id, next, 'the existing id is not generated again')
  t.match(body.id, UUID)
})

t.test('decides a lead once', async (t) => {
  const parties = await createParties()
  const once = (status: string) => `status: is ${status}; only a lead in_analysis can be decided`
  for (const status of ['approved', 'rejected']) {
    const { id } = (await createLead(parties, { date_created: iso(NOW - DAY) })).body
    await takeEvents()
    const decided = await patch(id, { status })
    t.match(decided.body, { id, status, expired: false })
    t.equal((await detail(parties, id)).body.status, status)
    t.ok((await foundIds(parties, status)).includes(id))
    t.strictSame(await takeEvents(), [['leads-credits', `/vis/loan/${id}`, [parties.seller.id], NOW]])
    for (const nextStatus of ['approved', 'rejected'])
      expectAnswer(t, await patch(id, { status: nextStatus }), 400, badRequest(once(status)), nextStatus)
    expectAnswer(t, await control(`GET /loans/${id}`), 200, decided.body)
    t.strictSame(await takeEvents(), [])
  }
})

t.test('expires a lead and reverts that', async (t) => {
  const parties = await createParties()
  const old = await createLead(await createParties(), { date_created: iso(NOW - 200 * DAY) })
  t.equal(old.body.expired, true, 'expired by age')
  const { id } = (await createLead(parties, { date_created: iso(NOW - 20 * DAY) })).body
  await takeEvents()
  for (const _ of ['first', 'again']) t.equal((await patch(id, { expired: true })).body.expired, true)
  expectAnswer(t, await detail(parties, id), 410, GONE)
  t.equal((await searchLeads(parties.seller, { status: 'all' })).body.results[0].expired, true)
  t.equal((await patch(id, { expired: false })).body.expired, false)
  t.equal((await detail(parties, id)).status, 200)
  t.strictSame(await takeEvents(), [], 'publishes no event')
  t.match((await patch(id, { expired: true, status: 'approved' })).body, { expired: true, status: 'approved' })

  t.teardown(() => setClock(NOW))
  await setClock(NOW + 10 * DAY)
  const passed = badRequest('expired: must be true, because the lead has passed its lifetime')
  expectAnswer(t, await patch(id, { expired: false }), 400, passed)
  await setClock(NOW)
  expectAnswer(t, await detail(parties, id), 410, GONE, 'the rejected change had no effect')
  t.equal((await patch(id, { expired: false })).status, 200)
})

t.test('rejects invalid leads', async (t) => {
  const parties = await createParties()
  const past = badRequest('date_created: must be between 1970 and the world’s present time')
  const rows: [more: object | string, body: object][] = [
    [{ buyer_id: parties.seller.id }, badRequest('buyer_id: must not be the seller of the listing')],
    [{ date_created: iso(NOW + 1) }, past],
    [{ date_created: '1969-01-01' }, past],
    [
      { date_created: '2026-13-01' },
      badRequest('date_created: must be an ISO 8601 date-time, for example 2026-03-01T00:00:00.000-04:00'),
    ],
  ]
  await takeEvents()
  for (const [more, body] of rows)
    expectAnswer(t, await createLead(parties, more as object), 400, body, JSON.stringify(more))
  expectAnswer(t, await createLead(parties, { item_id: 'MLA1' }), 404, notFound('Item with id MLA1 not found'))
  expectAnswer(t, await createLead(parties, { buyer_id: 1 }), 404, notFound('User with id 1 not found'))
  await world.tx(async (q) => void q.db.update(item).set({ site_id: 'MLV' }).where(eq(item.id, parties.item)).run())
  const noBuyer = badRequest('buyer_id: is required, because the site of the listing has no test buyer')
  expectAnswer(t, await createLead(parties), 400, noBuyer)
  t.equal((await control(`GET /loans?seller_id=${parties.seller.id}`)).body.paging.total, 0)
  t.strictSame(await takeEvents(), [])
})

t.test('an unknown lead can be neither read nor changed', async (t) => {
  for (const unknown of [UNKNOWN, 'x']) {
    expectAnswer(t, await patch(unknown, { status: 'approved' }), 404, noLead)
    expectAnswer(t, await control(`GET /loans/${unknown}`), 404, noLead)
  }
})
