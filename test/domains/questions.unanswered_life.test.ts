import t, { type Test } from 'tap'
import { latestUnanswered } from '../../domains/questions/queries.ts'
import { unansweredSince } from '../../domains/questions/unanswered_queries.ts'
import { type Answer, DAY, NOW, type Person, start } from '../support/app.ts'
import { expectAnswer, notFound, questionFixtures, type Status } from '../support/questions.ts'

// Questions without an answer are gone after seven calendar months [spec: questions.unanswered_life].

/** Seven months before NOW, Saturday 7 March 2026, 15:00Z. */
const LIMIT = Date.UTC(2025, 7, 7, 15)

async function createScene(t: Test, switches: Record<string, string> = {}) {
  const app = await start(t, { switches })
  const fixtures = questionFixtures(app)
  const parties = await fixtures.createParties()
  const insert = (date_created: number, status: Status = 'UNANSWERED', more = {}) =>
    fixtures.insertQuestion(parties, { status, date_created, first_of_buyer: 0, ...more })
  return { ...app, ...fixtures, ...parties, insert }
}

const idsOf = ({ body }: Answer): [number, number[]] => [body.total, body.questions.map(({ id }: { id: number }) => id)]
const questionNotFound = (id: number) => notFound(`Question with id ${id} not found`)

t.test('a question that got no answer for seven months cannot be read, answered or deleted', async (t) => {
  const { seller, buyer, insert } = await createScene(t)
  const [old, recent] = [await insert(LIMIT - 1), await insert(LIMIT)]
  for (const person of [seller, buyer])
    expectAnswer(t, await person.get(`/questions/${old}`), 404, questionNotFound(old))
  expectAnswer(t, await seller.post('/answers', { question_id: old, text: 'Sí' }), 404, questionNotFound(old))
  expectAnswer(t, await seller.delete(`/questions/${old}`), 404, questionNotFound(old))
  t.equal((await buyer.get(`/questions/${recent}`)).body.status, 'UNANSWERED')
  t.equal((await seller.post('/answers', { question_id: recent, text: 'Sí' })).status, 200)
})

t.test('only UNANSWERED questions are gone', async (t) => {
  const { seller, insert } = await createScene(t)
  for (const status of ['CLOSED_UNANSWERED', 'UNDER_REVIEW', 'DISABLED', 'DELETED', 'BANNED'] as const)
    t.equal((await seller.get(`/questions/${await insert(LIMIT - DAY, status)}`)).body.status, status)
  const answer = { answer_text: 'Sí', answer_status: 'ACTIVE', answered_at: LIMIT } as const
  const answered = await insert(LIMIT - DAY, 'ANSWERED', answer)
  t.equal((await seller.get(`/questions/${answered}`)).body.status, 'ANSWERED')
})

t.test('searches leave them out, with any filter', async (t) => {
  const { seller, buyer, item, insert } = await createScene(t)
  await insert(LIMIT - 300 * DAY)
  await insert(LIMIT - 1)
  const closed = await insert(LIMIT - DAY, 'CLOSED_UNANSWERED')
  const border = await insert(LIMIT)
  const recent = await insert(NOW - DAY)
  const all = [recent, border, closed]
  const until = 'date_created.to=2025-08-07T14:59:59.999Z'
  const rows: [person: Person, query: string, ids: number[]][] = [
    [seller, '', all],
    [seller, `seller_id=${seller.id}`, all],
    [seller, `seller_id=${seller.id}&from=${buyer.id}`, all],
    [seller, `item=${item}`, all],
    [seller, `from=${buyer.id}`, all],
    [buyer, `from=${buyer.id}&item=${item}`, all],
    [seller, 'status=unanswered', [recent, border]],
    [buyer, `item=${item}&status=unanswered`, [recent, border]],
    [seller, 'status=closed_unanswered', [closed]],
    [seller, until, [closed]],
    [seller, `status=unanswered&${until}`, []],
    [buyer, `item=${item}&${until}`, [closed]],
    [seller, 'date_created.from=2025-08-07T15:00:00Z', [recent, border]],
    [seller, 'date_created.from=2024-01-01&date_created.to=2025-08-07T15:00:00.001Z', [border, closed]],
  ]
  for (const [person, query, ids] of rows)
    t.strictSame(idsOf(await person.get(`/questions/search?${query}`)), [ids.length, ids], query || 'received')
  const sorted = await seller.get('/questions/search?sort_fields=date_created&sort_types=ASC&limit=1')
  t.strictSame(idsOf(sorted), [3, [closed]])
})

t.test('the place of a scan and the clock decide which are found', async (t) => {
  const { seller, insert, setClock } = await createScene(t)
  const [old, recent] = [await insert(LIMIT), await insert(NOW)]
  const first = (await seller.get('/questions/search?search_type=scan&limit=1')).body
  t.strictSame([first.total, first.questions[0].id], [2, recent])
  const rest = () => seller.get(`/questions/search?scroll_id=${first.scroll_id}`)
  setClock(NOW + 1)
  t.strictSame(idsOf(await rest()), [1, []], 'a later page leaves it out')
  setClock(NOW)
  t.strictSame(idsOf(await rest()), [2, [old]], 'it is back when the clock moves back')
})

t.test('the day is clamped to the end of the month', async (t) => {
  const { seller, insert, setClock } = await createScene(t)
  const asked = Date.UTC(2026, 1, 28, 12)
  const id = await insert(asked)
  for (const [now, status] of [
    [Date.UTC(2026, 8, 28, 12), 200],
    [Date.UTC(2026, 8, 28, 12) + 1, 404],
    [Date.UTC(2026, 8, 30, 12), 200],
    [Date.UTC(2026, 8, 30, 12) + 1, 404],
  ] as const) {
    setClock(now)
    t.equal((await seller.get(`/questions/${id}`)).status, status, new Date(now).toISOString())
  }
})

t.test('contact statistics and the control plane keep them', async (t) => {
  const { seller, buyer, item, control, ask, setClock, call } = await createScene(t)
  setClock(LIMIT - 1)
  const id = await ask(buyer, item)
  setClock(NOW)
  t.equal((await seller.get(`/questions/${id}`)).status, 404)
  const range = 'date_from=2025-08-01&date_to=2025-09-01'
  t.equal((await call(`/items/${item}/contacts/questions?${range}`)).body.total, 1)
  t.equal((await call(`/users/${seller.id}/contacts/questions?${range}`)).body.total, 1)
  t.equal((await control(`GET /questions/${id}`)).body.status, 'UNANSWERED')
})

t.test('they do not follow the status of their listing', async (t) => {
  const { seller, item, insert, moveListing, setClock } = await createScene(t)
  const [old, recent] = [await insert(LIMIT - 1), await insert(LIMIT)]
  await moveListing(item, 'closed')
  t.equal((await seller.get(`/questions/${old}`)).status, 404)
  t.equal((await seller.get(`/questions/${recent}`)).body.status, 'CLOSED_UNANSWERED')
  setClock(NOW - 1)
  t.equal((await seller.get(`/questions/${old}`)).body.status, 'UNANSWERED', 'it was gone when the listing closed')
})

t.test('the question that a seller should answer next is not one of them', async (t) => {
  const { world, seller, insert } = await createScene(t)
  await insert(LIMIT - 1)
  const next = async () =>
    (await latestUnanswered(world.read, seller.id, (await unansweredSince(world.read, world)) ?? 0))?.id
  t.equal(await next(), undefined)
  const recent = await insert(LIMIT)
  t.equal(await next(), recent)
})

t.test('questions.unanswered_life=forever keeps them', async (t) => {
  const { seller, buyer, item, insert, control } = await createScene(t, { 'questions.unanswered_life': 'forever' })
  const id = await insert(LIMIT - 300 * DAY)
  t.strictSame(idsOf(await seller.get('/questions/search')), [1, [id]])
  t.equal((await seller.get(`/questions/${id}`)).status, 200)
  await control('PATCH /assumptions/questions.unanswered_life', { value: '7 months' })
  t.strictSame(idsOf(await buyer.get(`/questions/search?item=${item}`)), [0, []])
  expectAnswer(t, await seller.get(`/questions/${id}`), 404, questionNotFound(id))
  await control('PATCH /assumptions/questions.unanswered_life', { value: 'forever' })
  t.equal((await seller.post('/answers', { question_id: id, text: 'Sí' })).status, 200)
})
