import type { InjectOptions } from 'fastify'
import t from 'tap'
import { outbox } from '../../db/tables.ts'
import { NOW, type Person, start } from '../support/app.ts'
import { plainItem } from '../support/items.ts'
import {
  badRequest,
  errorBody,
  expectAnswer,
  FOREIGN,
  INVALID_TOKEN,
  NO_TOKEN,
  notFound,
  questionFixtures,
} from '../support/questions.ts'

// PUT /items/{item_id} [spec: items.change].

const app = await start(t)
const { world, call, control } = app
const { createUser, createListing, createParties, moveListing, ask, setClock } = questionFixtures(app)
t.beforeEach(() => setClock(NOW))

const MINUTE = 60_000

const put = ({ token }: Pick<Person, 'token'>, id: string, body: unknown, more: InjectOptions = {}) =>
  call({
    method: 'PUT',
    url: `/items/${id}`,
    payload: typeof body === 'string' ? body : JSON.stringify(body),
    ...more,
    headers: { authorization: `Bearer ${token}`, ...more.headers },
  })
const isFinal = errorBody(400, 'validation_error', 'item status is closed')
const isUnderReview = errorBody(400, 'validation_error', 'item status is under_review')

/** The resources of the events published since the last call. */
const takeEvents = async () =>
  (await world.tx(async (q) => q.db.delete(outbox).returning().all())).map(({ resource }) => resource)

t.test('ignores a member that is nested deeply', async (t) => {
  const seller = await createUser()
  const id = await createListing(seller)
  const nested = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
  const { status, body } = await put(seller, id, `{"other":${nested},"title":"Otro título"}`)
  t.match({ status, title: body.title }, { status: 200, title: 'Otro título' })
})

t.test('changes all members at once and answers the item', async (t) => {
  const seller = await createUser()
  const id = await createListing(seller)
  await takeEvents()
  setClock(NOW + MINUTE)
  const item = plainItem({
    id,
    title: 'Silla "alta"\ufffd',
    seller_id: seller.id,
    price: 1999.5,
    status: 'paused',
    date_created: '2026-03-07T15:00:00.000Z',
    last_updated: '2026-03-07T15:01:00.000Z',
    available_quantity: 12,
    initial_quantity: 12,
  })
  const body = {
    id: 'MLA1',
    seller_id: 1,
    currency_id: 'USD',
    video_id: null,
    title: 'Silla "alta"\ud800',
    price: 1999.5,
    status: 'paused',
    available_quantity: '12',
  }
  expectAnswer(t, await put(seller, id, body), 200, item, 'other members are ignored')
  expectAnswer(t, await call(`/items/${id}`), 200, item)
  t.strictSame((await call(`/items?ids=${id}`)).body, [{ code: 200, body: item }])
  t.strictSame(await takeEvents(), [`/items/${id}`])
  setClock(NOW + 2 * MINUTE)
  expectAnswer(t, await put(seller, id, body), 200, item, 'nothing changes the second time')
  expectAnswer(t, await put(seller, id, { warranty: 'no' }), 200, item, 'nor without a known member')
  t.strictSame(await takeEvents(), [])
})

t.test('publishes an event for each change of the status, and for no other', async (t) => {
  const seller = await createUser()
  const id = await createListing(seller)
  await takeEvents()
  for (const [change, events] of [
    [{ status: 'paused' }, [`/items/${id}`]],
    [{ status: 'active' }, [`/items/${id}`]],
    [{ price: 5, title: 'Mesa', available_quantity: 0 }, []],
    [{ status: 'closed' }, [`/items/${id}`]],
  ] as const) {
    t.match((await put(seller, id, change)).body, change)
    t.strictSame(await takeEvents(), events, JSON.stringify(change))
  }
})

t.test('closing moves the questions of the listing, and is final', async (t) => {
  const { seller, buyer, item } = await createParties()
  const question = await ask(buyer, item)
  const statusOf = async () => (await buyer.get(`/questions/${question}`)).body.status
  await takeEvents()
  t.equal((await put(seller, item, { status: 'closed' })).body.status, 'closed')
  t.equal(await statusOf(), 'CLOSED_UNANSWERED')
  t.strictSame((await takeEvents()).sort(), [`/items/${item}`, `/questions/${question}`])
  const before = (await call(`/items/${item}`)).body
  for (const body of [
    { status: 'active' },
    { status: 'closed' },
    { title: 'x' },
    { price: 1 },
    { available_quantity: 1 },
  ])
    expectAnswer(t, await put(seller, item, body), 400, isFinal, JSON.stringify(body))
  t.strictSame((await call(`/items/${item}`)).body, before)
  t.strictSame(await takeEvents(), [])

  t.equal((await control(`PATCH /items/${item}`, { status: 'active' })).status, 200, 'a control call reopens it')
  t.equal(await statusOf(), 'CLOSED_UNANSWERED', 'its closed questions stay')
  t.equal((await put(seller, item, { title: 'x' })).body.title, 'x')
})

t.test('a seller cannot leave under_review', async (t) => {
  const seller = await createUser()
  const id = await createListing(seller)
  await moveListing(id, 'under_review')
  for (const status of ['active', 'paused', 'closed'])
    expectAnswer(t, await put(seller, id, { status, title: 'x' }), 400, isUnderReview, status)
  t.equal((await call(`/items/${id}`)).body.title, 'Silla', 'all or nothing')
  t.match((await put(seller, id, { title: 'x', price: 7 })).body, { status: 'under_review', title: 'x', price: 7 })
})

t.test('rejects invalid bodies and changes nothing', async (t) => {
  const seller = await createUser()
  const id = await createListing(seller)
  const before = (await call(`/items/${id}`)).body
  const title = 'title: must be a string of at most 255 characters, not blank, without U+0000'
  const price = 'price: must be a number above 0, at most 1000000000000'
  const status = 'status: must be one of active, paused, closed'
  const quantity = 'available_quantity: must be an integer from 0 to 999999999'
  const rows: [body: unknown, message: string][] = [
    ['', 'body: must be JSON'],
    ['{', 'body: must be JSON'],
    ['null', 'body: must be a JSON object'],
    ['[]', 'body: must be a JSON object'],
    ['7', 'body: must be a JSON object'],
    ...['under_review', 'inactive', 'ACTIVE', '', null, 1].map(
      (value) => [{ status: value }, status] as [unknown, string],
    ),
    ...['', ' ', 'a\u0000', 'ñ'.repeat(256), 7, null].map((value) => [{ title: value }, title] as [unknown, string]),
    ...[0, -1, 1e12 + 1, '12', null].map((value) => [{ price: value }, price] as [unknown, string]),
    ...[-1, 1.5, 1e9, 'x', null].map((value) => [{ available_quantity: value }, quantity] as [unknown, string]),
    [{ title: 'x', price: 0 }, price],
  ]
  for (const [body, message] of rows)
    expectAnswer(t, await put(seller, id, body), 400, badRequest(message), JSON.stringify(body))
  t.strictSame((await call(`/items/${id}`)).body, before)
})

t.test('checks token, body, existence, owner and state in this order [spec: items.change.order]', async (t) => {
  const [seller, other] = [await createUser(), await createUser()]
  const id = await createListing(seller, 'closed')
  const bad = badRequest('status: must be one of active, paused, closed')
  const url = `/items/${id}`
  expectAnswer(t, await call({ method: 'PUT', url, payload: '{"status":"x"}' }), 401, NO_TOKEN)
  expectAnswer(t, await put({ token: 'x' }, id, { status: 'x' }), 401, INVALID_TOKEN)
  expectAnswer(t, await put(other, 'MLA5', { status: 'x' }), 400, bad)
  expectAnswer(t, await put(other, id, { status: 'x' }), 400, bad)
  for (const missing of ['MLA5', 'no-id', `MLA${'1'.repeat(21)}`])
    expectAnswer(t, await put(other, missing, { status: 'paused' }), 404, notFound(`Item with id ${missing} not found`))
  expectAnswer(t, await put(other, id, { status: 'paused' }), 403, FOREIGN)
  expectAnswer(t, await put(seller, id, { status: 'paused' }), 400, isFinal)
})
