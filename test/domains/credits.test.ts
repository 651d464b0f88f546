import { eq } from 'drizzle-orm'
import type { InjectOptions } from 'fastify'
import t from 'tap'
import { changeLead } from '../../domains/credits/operations.ts'
import { stateOf } from '../../domains/users/sites.ts'
import { user } from '../../domains/users/tables.ts'
import { DAY, HOUR, NOW, SECOND, start } from '../support/app.ts'
import {
  ENTITIES,
  type ListedLead,
  leadFixtures,
  page,
  STATUSES,
  searchLeads,
  type searchUrl,
} from '../support/credits.ts'
import { plainItem, shippingOf } from '../support/items.ts'
import { takeOutbox } from '../support/outbox.ts'
import { badRequest, errorBody, expectAnswer, notFound, questionFixtures } from '../support/questions.ts'
import { reputationNumbers } from '../support/reputation.ts'

const app = await start(t)
const { world, call, sellers } = app
const { createUser, createParties, createListing, setClock } = questionFixtures(app)
const { addLead } = leadFixtures(app)
t.beforeEach(() => setClock(NOW))

const UNKNOWN = 'ffffffff-ffff-4fff-bfff-ffffffffffff'

const foreign = badRequest('seller_id must match the value obtained from the token')
const badFrom = badRequest('Invalid date_from format, must follow ISO format')
const badTo = badRequest('Invalid date_to format, must follow ISO format')
const badRange = badRequest('Invalid date range')
const tooLong = badRequest('Date range cannot exceed 3 months')
const badItem = badRequest('item_id must match the item pattern M[A-Z]{2}[0-9]+')
const badStatus = badRequest('Invalid status')
const badEntity = badRequest('Invalid financial entity')
const limitTooHigh = badRequest('limit must be at most 100')
const badLimit = badRequest('limit: must be an integer from 0 to 100')
const badOffset = badRequest('offset: must be an integer, 0 or more')
const badId = badRequest('id must match the UUID pattern')
const noDetail = notFound('Detail not found for credit')
const gone = errorBody(410, 'gone', 'Gone (resource expired)')

/** Reads one lead as its seller. */
const read = (seller: Awaited<ReturnType<typeof createUser>>, id: string, more?: InjectOptions) =>
  seller.get(`/vis/loans/${id}?seller_id=${seller.id}`, more)

const takeEvents = () => takeOutbox(world)

const ids = (leads: { id: string }[]) => leads.map(({ id }) => id)

t.test('lists a lead in the search and reads it with its buyer', async (t) => {
  const one = await createParties()
  const { seller, buyer, item } = one
  const name = {
    first_name: 'María José',
    last_name: 'Núñez',
    email: 'mj.nunez@example.com',
    phone: '+54 11 5555 0199',
  }
  await world.tx(async (q) => {
    q.db.update(user).set(name).where(eq(user.id, buyer.id)).run()
  })
  const { id } = await addLead(one, { proposal_id: 'MP-20481937', date_created: NOW - HOUR + 789 })
  t.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const found = await searchLeads(seller)
  const terms = {
    id,
    item_id: item,
    down_payment_amount: 45000,
    installments_number: 12,
    installments_amount: 11250.5,
    seller_id: seller.id,
  }
  const origin = {
    proposal_id: 'MP-20481937',
    date_created: '2026-03-07T14:00:00',
    financial_entity_id: 'MERCADO_PAGO',
  }
  expectAnswer(t, found, 200, {
    results: [{ ...terms, buyer_id: buyer.id, ...origin, expired: false }],
    paging: { total: 1, offset: 0, limit: 50 },
    date_from: '2025-12-07T15:00:00',
    date_to: '2026-03-07T15:00:00',
  })
  t.equal(found.headers['content-type'], 'application/json; charset=utf-8')
  const { first_name: _, last_name: __, ...contact } = name
  const details = { id: buyer.id, full_name: 'María José Núñez', ...contact }
  const detail = { ...terms, ...origin, status: 'approved', buyer: details }
  expectAnswer(t, await read(seller, id), 200, detail)
  expectAnswer(t, await read(seller, id.toUpperCase()), 200, detail, 'id in upper case')
  expectAnswer(t, await seller.get(`/vis/loans/${id}/?seller_id=${seller.id}`), 200, detail, 'trailing slash')
  expectAnswer(t, await read(seller, id, { headers: { 'x-sandbox': 'false' } }), 200, detail, 'x-sandbox: false')
  const { proposal_id } = await addLead(one)
  t.equal(proposal_id, null)
  t.strictSame(
    (await searchLeads(seller)).body.results.map((found: ListedLead) => found.proposal_id),
    [null, 'MP-20481937'],
  )
})

t.test('rejects an invalid search', async (t) => {
  const one = await createParties()
  const { seller } = one
  await addLead(one)
  const rows: [name: string, parameters: Parameters<typeof searchUrl>[1], body: object][] = [
    ['no seller', { seller_id: undefined }, foreign],
    ['another seller', { seller_id: sellers[0]!.id }, foreign],
    ['no date_from', { date_from: undefined }, badFrom],
    ['a day', { date_from: '2026-03-01' }, badFrom],
    ['a date with Z', { date_from: '2026-03-01T00:00:00Z' }, badFrom],
    ['a date with an offset', { date_from: '2026-03-01T00:00:00-04:00' }, badFrom],
    ['a date with milliseconds', { date_from: '2026-03-01T00:00:00.000' }, badFrom],
    ['a date without seconds', { date_from: '2026-03-01T00:00' }, badFrom],
    ['a trailing newline', { date_from: '2026-03-01T00:00:00\n' }, badFrom],
    ['30 February', { date_from: '2026-02-30T00:00:00' }, badFrom],
    ['no date_to', { date_to: undefined }, badTo],
    ['date_to before date_from', { date_from: '2026-03-01T00:00:01', date_to: '2026-03-01T00:00:00' }, badRange],
    ['three months and a second', { date_to: '2026-03-07T15:00:01' }, tooLong],
    ['an item of another form', { item_id: '1400000001' }, badItem],
    ['an unknown status', { status: 'expired' }, badStatus],
    ['an unknown entity', { financial_entity_id: 'BANCO' }, badEntity],
    ['101', { limit: 101 }, limitTooHigh],
    ['a negative limit', { limit: -1 }, badLimit],
    ['a negative offset', { offset: -1 }, badOffset],
  ]
  for (const headers of [{}, { 'x-sandbox': 'true' }])
    for (const [name, parameters, body] of rows)
      expectAnswer(t, await searchLeads(seller, parameters, { headers }), 400, body, name)
})

t.test('rejects an invalid detail', async (t) => {
  const one = await createParties()
  const { seller } = one
  const { id } = await addLead(one)
  const expired = (await addLead(one)).id
  await world.tx((q) => changeLead(q, world, expired, { expired: true }))
  const old = (await addLead(one, { date_created: Date.UTC(2025, 11, 7, 14, 59, 59, 999) })).id
  const future = (await addLead(one, { date_created: NOW + 1 })).id
  const foreignLead = (await addLead(await createParties())).id
  const own = `seller_id=${seller.id}`
  const rows: [name: string, path: string, status: number, body: object][] = [
    ['no seller', id, 400, foreign],
    ['another seller', `${id}?seller_id=${sellers[0]!.id}`, 400, foreign],
    ['a number', `1?${own}`, 400, badId],
    ['no hyphens', `${id.replaceAll('-', '')}?${own}`, 400, badId],
    ['a trailing blank', `${id}%20?${own}`, 400, badId],
    ['unknown', `${UNKNOWN}?${own}`, 404, noDetail],
    ['another seller’s lead', `${foreignLead}?${own}`, 404, noDetail],
    ['older than three months', `${old}?${own}`, 410, gone],
    ['of the future', `${future}?${own}`, 404, noDetail],
    ['expired', `${expired}?${own}`, 410, gone],
  ]
  for (const [name, path, status, body] of rows)
    expectAnswer(t, await seller.get(`/vis/loans/${path}`), status, body, name)
})

t.test('filters a search by status, listing and entity', async (t) => {
  const one = await createParties()
  const { seller, buyer } = one
  const second = { seller, buyer, item: await createListing(seller) }
  const leads: (ListedLead & { status: string })[] = []
  for (const [n, status] of STATUSES.entries())
    for (const [m, financial_entity_id] of ENTITIES.entries()) {
      const created = await addLead(m % 2 ? second : one, {
        status,
        financial_entity_id,
        date_created: NOW - (n * 10 + m) * HOUR,
      })
      leads.push({ ...created, status })
    }
  await addLead(await createParties())
  type Terms = Partial<(typeof leads)[0]>
  const isOf = (lead: (typeof leads)[0], terms: Terms) =>
    Object.entries(terms).every(([name, value]) => lead[name as keyof typeof lead] === value)
  const expectFound = async (parameters: Parameters<typeof searchUrl>[1], terms: Terms, name?: string) => {
    const found = leads.filter((lead) => isOf(lead, terms)).map(({ status, ...listed }) => listed)
    expectAnswer(t, await searchLeads(seller, parameters), 200, page(found), name ?? JSON.stringify(parameters))
  }
  await expectFound({}, { status: 'approved' })
  await expectFound({ status: 'all' }, {})
  for (const status of STATUSES) await expectFound({ status }, { status })
  const empty = { item_id: '', status: '', financial_entity_id: '', limit: '', offset: '' }
  await expectFound(empty, { status: 'approved' }, 'empty parameters are ignored')
  for (const financial_entity_id of ENTITIES)
    await expectFound({ status: 'all', financial_entity_id }, { financial_entity_id })
  await expectFound({ status: 'all', financial_entity_id: 'MERCADO_CREDITO' }, { financial_entity_id: 'MERCADO_PAGO' })
  for (const item_id of [one.item, second.item]) await expectFound({ status: 'all', item_id }, { item_id })
  const all = { item_id: second.item, financial_entity_id: 'SCOTIA', status: 'rejected' } as const
  await expectFound(all, all, 'all three filters')
  await expectFound({ item_id: 'MLA1' }, { id: '' }, 'an unknown listing')
  await expectFound({ item_id: `MLA${'1'.repeat(30)}` }, { id: '' }, 'an item id of any length')
  await expectFound({ item_id: second.item, financial_entity_id: 'SANTANDER' }, { id: '' }, 'no match')
  await expectFound({ unknown: 'x' }, { status: 'approved' })
  expectAnswer(t, await searchLeads(await createUser()), 200, page([]), 'a seller without leads')
})

t.test('includes both dates, to the second, and echoes them', async (t) => {
  const one = await createParties()
  const { seller } = one
  const base = Date.UTC(2026, 1, 10, 12)
  const before = await addLead(one, { date_created: base - 1 })
  const first = await addLead(one, { date_created: base })
  const last = await addLead(one, { date_created: base + 10 * SECOND + 999 })
  const after = await addLead(one, { date_created: base + 11 * SECOND })
  const expectBetween = async (date_from: string, date_to: string, expected: ListedLead[]) => {
    const dates = { date_from: `2026-02-10T${date_from}`, date_to: `2026-02-10T${date_to}` }
    expectAnswer(t, await searchLeads(seller, dates), 200, page(expected, {}, dates), `${date_from} to ${date_to}`)
  }
  await expectBetween('12:00:00', '12:00:10', [last, first])
  await expectBetween('11:59:59', '12:00:11', [after, last, first, before])
  await expectBetween('12:00:00', '12:00:00', [first])
  await expectBetween('12:00:01', '12:00:09', [])
  await expectBetween('12:00:10', '12:00:10', [last])
})

t.test('limits a range to three calendar months, to the end of the month', async (t) => {
  const { seller } = await createParties()
  const rows: [from: string, last: string, tooLate: string][] = [
    ['2025-12-07T15:00:00', '2026-03-07T15:00:00', '2026-03-07T15:00:01'],
    ['2025-11-30T00:00:00', '2026-02-28T00:00:00', '2026-02-28T00:00:01'],
    ['2025-11-29T12:00:00', '2026-02-28T12:00:00', '2026-02-28T12:00:01'],
    ['2025-11-28T23:59:59', '2026-02-28T23:59:59', '2026-03-01T00:00:00'],
    ['2023-11-30T06:30:00', '2024-02-29T06:30:00', '2024-02-29T06:30:01'],
    ['2026-01-31T08:00:00', '2026-04-30T08:00:00', '2026-04-30T08:00:01'],
    ['2026-03-31T08:00:00', '2026-06-30T08:00:00', '2026-07-01T00:00:00'],
    ['2026-05-31T08:00:00', '2026-08-31T08:00:00', '2026-08-31T08:00:01'],
    ['2025-10-01T00:00:00', '2026-01-01T00:00:00', '2026-01-01T00:00:01'],
    ['1000-01-01T00:00:00', '1000-04-01T00:00:00', '1000-04-01T00:00:01'],
    ['9999-09-30T00:00:00', '9999-12-30T00:00:00', '9999-12-30T00:00:01'],
  ]
  for (const [date_from, last, tooLate] of rows) {
    const dates = { date_from, date_to: last }
    expectAnswer(t, await searchLeads(seller, dates), 200, page([], {}, dates), `${date_from} to ${last}`)
    const beyond = await searchLeads(seller, { date_from, date_to: tooLate })
    expectAnswer(t, beyond, 400, tooLong, `${date_from} to ${tooLate}`)
  }
  const dates = { date_from: '9999-11-30T00:00:00', date_to: '9999-12-31T23:59:59' }
  expectAnswer(t, await searchLeads(seller, dates), 200, page([], {}, dates), 'to the end of the year 9999')
})

t.test('sorts newest first, equal dates by id', async (t) => {
  const one = await createParties()
  const created: ListedLead[] = []
  for (const hours of [3, 1, 2, 1, 3, 1]) created.push(await addLead(one, { date_created: NOW - hours * HOUR }))
  const expected = created.toSorted((a, b) =>
    a.date_created === b.date_created ? (a.id < b.id ? -1 : 1) : a.date_created < b.date_created ? 1 : -1,
  )
  expectAnswer(t, await searchLeads(one.seller), 200, page(expected))
  const paged = []
  for (let offset = 0; offset < 6; offset += 2)
    paged.push(...(await searchLeads(one.seller, { limit: 2, offset })).body.results)
  t.strictSame(ids(paged), ids(expected), 'page by page')
})

t.test('a lead expires after 30 days of the world’s clock and is valid again when the clock moves back', async (t) => {
  const one = await createParties()
  const { seller } = one
  const listed = await addLead(one)
  const range = { date_from: '2026-03-07T15:00:00', date_to: '2026-06-07T15:00:00' }
  const expectLead = async (ms: number, expired: boolean, name: string) => {
    setClock(ms)
    expectAnswer(t, await searchLeads(seller, range), 200, page([{ ...listed, expired }], {}, range), name)
    const answer = await read(seller, listed.id)
    if (expired) expectAnswer(t, answer, 410, gone, name)
    else t.equal(answer.status, 200, name)
  }
  await takeEvents()
  await expectLead(NOW + 30 * DAY - 1, false, 'just before')
  await expectLead(NOW + 30 * DAY, true, 'after 30 days')
  await expectLead(NOW, false, 'valid after moving back')
  await expectLead(Date.UTC(2026, 5, 7, 15), true, 'after three months')

  setClock(Date.UTC(2026, 5, 7, 15) + 1)
  expectAnswer(t, await searchLeads(seller, range), 200, page([], {}, range), 'too old for the search')
  expectAnswer(t, await read(seller, listed.id), 410, gone, 'the detail has no limit of age')
  setClock(NOW - 1)
  expectAnswer(t, await searchLeads(seller, range), 200, page([], {}, range), 'not created yet')
  expectAnswer(t, await read(seller, listed.id), 404, noDetail)
  await expectLead(NOW, false, 'valid again')
  t.strictSame(await takeEvents(), [], 'no event is published')
})

t.test('limits the age to three months, to the end of the month', async (t) => {
  const one = await createParties()
  const { seller } = one
  const listed = { ...(await addLead(one, { date_created: Date.UTC(2026, 1, 28, 10) })), expired: true }
  const range = { date_from: '2026-02-28T00:00:00', date_to: '2026-05-28T00:00:00' }
  setClock(Date.UTC(2026, 4, 31, 10))
  const reachesBack = '31 May reaches back to 28 February'
  expectAnswer(t, await searchLeads(seller, range), 200, page([listed], {}, range), reachesBack)
  setClock(Date.UTC(2026, 4, 31, 10) + 1)
  expectAnswer(t, await searchLeads(seller, range), 200, page([], {}, range), 'to the same time of day')
  setClock(Date.UTC(2026, 4, 28, 10))
  expectAnswer(t, await searchLeads(seller, range), 200, page([listed], {}, range), '28 May')
})

t.test('answers test leads with x-sandbox: true', async (t) => {
  const { seller, buyer, item } = await createParties()
  const stored = await addLead({ seller, buyer, item })
  const headers = { 'x-sandbox': 'true' }
  const range = { date_from: '2026-02-05T15:00:00', date_to: '2026-03-07T15:00:00' }
  const testLeads = async (person: typeof seller, parameters: Parameters<typeof searchUrl>[1] = {}) => {
    const { status, body } = await searchLeads(person, { status: 'all', ...range, ...parameters }, { headers })
    t.equal(status, 200, JSON.stringify(body))
    return body as { results: ListedLead[]; paging: object }
  }
  const { results } = await testLeads(seller)
  t.same(
    await testLeads(seller),
    { results, paging: { total: 12, offset: 0, limit: 50 }, ...range },
    'equal in every call',
  )
  t.equal(new Set(ids(results)).size, 12)
  const dates = results.map(({ date_created }) => date_created)
  t.strictSame(dates, dates.toSorted().toReversed(), 'newest first')
  const members = Object.keys(stored)
  for (const listed of results) {
    t.match(listed.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    t.match(listed.item_id, new RegExp(`^ML[BC]7[0-3]${seller.id}$`))
    t.match(String(listed.buyer_id), new RegExp(`^7[0-5]${seller.id}$`))
    t.strictSame(Object.keys(listed), members)
    t.equal(listed.seller_id, seller.id)
    t.match(listed.date_created, /^2026-0[23]-\d\dT\d\d:\d\d:00$/)
  }
  t.notOk(ids(results).includes(stored.id), 'without stored leads')
  t.ok(
    results.some(({ proposal_id }) => proposal_id === null) && results.some(({ proposal_id }) => proposal_id !== null),
  )

  t.test('reads the listing and the buyer of each test lead [spec: credits.test_leads.subjects]', async (t) => {
    const sites = new Set<string>()
    for (const { id, item_id, buyer_id, expired } of results) {
      const item = await call(`/items/${item_id}`)
      const { site_id, title, price } = item.body
      sites.add(site_id)
      const date = '2026-03-07T15:00:00.000Z'
      const shipping = shippingOf('not_specified')
      const { address } = (await call(`/users/${seller.id}`)).body
      const place: [string, string, string] = [address.city, address.state, stateOf(address.state).name]
      const itself = { id: item_id, title, seller_id: seller.id, price, shipping, date_created: date, place }
      expectAnswer(t, item, 200, plainItem(itself))
      t.strictSame((await call(`/items?ids=${item_id}`)).body, [{ code: 200, body: item.body }])
      const buyer = await call(`/users/${buyer_id}`)
      expectAnswer(t, buyer, 200, {
        id: buyer_id,
        nickname: `TEST${buyer_id}`,
        registration_date: '2026-03-07T11:00:00.000-04:00',
        site_id,
        country_id: site_id === 'MLB' ? 'BR' : 'CL',
        address: { city: site_id === 'MLB' ? 'São Paulo' : 'Santiago', state: '' },
        user_type: 'normal',
        tags: ['normal', 'test_user'],
        ...{ logo: null, points: 0 },
        permalink: `https://perfil.example.com/TEST${buyer_id}`,
        seller_reputation: {
          level_id: null,
          power_seller_status: null,
          ...reputationNumbers(),
        },
        status: { site_status: 'active' },
      })
      if (!expired) t.equal((await read(seller, id, { headers })).body.buyer.id, buyer_id)
    }
    t.strictSame([...sites].sort(), ['MLB', 'MLC'])
  })

  t.test('the listings and buyers of test leads are in no list, and of existing sellers only', async (t) => {
    const { item_id, buyer_id } = results[0]!
    const listings = (await seller.get(`/users/${seller.id}/items/search`)).body
    t.strictSame(listings.results, [item])
    t.equal((await app.control(`GET /items/${item_id}`)).status, 404)
    t.equal((await app.control(`GET /users/${buyer_id}`)).status, 404)
    t.equal((await app.control(`GET /items?seller_id=${seller.id}`)).body.paging.total, 1)
    t.equal((await buyer.post('/questions', { item_id, text: '¿Hola?' })).status, 404)
    const unknown = [
      `MLB70${seller.id + 1000}`,
      `MLB74${seller.id}`,
      `MLC70${seller.id}`,
      `MLA70${seller.id}`,
      `MLB700${seller.id}`,
      `MLB60${seller.id}`,
    ]
    for (const id of unknown) expectAnswer(t, await call(`/items/${id}`), 404, notFound(`Item with id ${id} not found`))
    for (const id of [`70${seller.id + 1000}`, `76${seller.id}`, `60${seller.id}`, `700${seller.id}`])
      expectAnswer(t, await call(`/users/${id}`), 404, notFound(`User with id ${id} not found`))
    const stored = await app.control('POST /items', {
      seller_id: sellers[1]!.id,
      id: `MLB71${seller.id}`,
      title: 'Sofá',
    })
    t.equal((await call(`/items/${stored.body.id}`)).body.title, 'Sofá', 'a stored listing comes first')
  })

  t.test('reads the header case-insensitively', async (t) => {
    for (const value of ['TRUE', 'True'])
      t.strictSame((await searchLeads(seller, range, { headers: { 'x-sandbox': value } })).body.paging.total, 5, value)
    for (const value of ['', 'false', '1', 'yes', 'true, true']) {
      const found = await searchLeads(seller, {}, { headers: { 'x-sandbox': value } })
      expectAnswer(t, found, 200, page([stored]), `“${value}”`)
    }
    expectAnswer(t, await searchLeads(seller, { 'x-sandbox': 'true' }), 200, page([stored]), 'not read from the query')
  })

  t.test('generates test leads per seller, equal in every world, and moves them with the day', async (t) => {
    const undated = results.map(({ date_created, ...listed }) => listed)
    const foreignLead = (await testLeads(sellers[0]!)).results
    t.notOk(
      ids(foreignLead).some((id) => ids(results).includes(id)),
      'another seller has other leads',
    )
    const otherApp = await start(t, { scenario: 'demo', seed: 1, secret: true })
    const found = await searchLeads(otherApp.sellers[0]!, { status: 'all', ...range }, { headers })
    t.strictSame(found.body.results, foreignLead, 'equal in a world with another key')

    setClock(Date.UTC(2026, 2, 7))
    t.strictSame((await testLeads(seller)).results, results, 'at the start of the day')
    setClock(Date.UTC(2026, 2, 8) - 1)
    t.strictSame((await testLeads(seller)).results, results, 'at the end of the day')
    const month = Date.UTC(2026, 3, 7, 3)
    setClock(month)
    const later = await testLeads(seller, { date_from: '2026-03-08T03:00:00', date_to: '2026-04-07T03:00:00' })
    t.strictSame(
      later.results.map(({ date_created, ...listed }) => listed),
      undated,
      'a month later',
    )
    for (const [n, { date_created }] of later.results.entries())
      t.equal(Date.parse(`${date_created}Z`) - Date.parse(`${results[n]!.date_created}Z`), 31 * DAY)
  })
})
