import { eq } from 'drizzle-orm'
import t from 'tap'
import { outbox } from '../../db/tables.ts'
import { contact_event } from '../../domains/contacts/tables.ts'
import { item } from '../../domains/items/tables.ts'
import { NOW, start } from '../support/app.ts'
import { badRequest, FOREIGN, marketOf, notFound, refused, type Stall, says } from '../support/questions.ts'

const app = await start(t)
const { control, world, buyers } = app
const market = marketOf(app)
const { stall } = market

const MAX = Number.MAX_SAFE_INTEGER
const HOUR = 3_600_000
const iso = (ms: number) => new Date(ms).toISOString()
/** As questions and answers are dated. */
const shown = (ms: number) => `${iso(ms - 4 * HOUR).slice(0, 19)}.000-04:00`

/** What control calls answer of a new question of the stall's buyer; `more` says otherwise. */
const whole = ({ seller, buyer, item }: Stall, more: object) => ({
  id: 0,
  answer: null,
  date_created: shown(NOW),
  deleted_from_listing: false,
  hold: false,
  item_id: item,
  seller_id: seller.id,
  status: 'UNANSWERED',
  text: '¿Hay stock?',
  from: { id: buyer.id, answered_questions: 0 },
  suspected_spam: false,
  hidden: false,
  first_of_buyer: true,
  ...more,
})
const put = ({ buyer, item }: Stall, more: object = {}) =>
  control('POST /questions', { item_id: item, from: buyer.id, text: '¿Hay stock?', ...more })
const patch = (id: number, body: unknown) => control(`PATCH /questions/${id}`, body)
const asked = async ({ seller }: Stall, from: number, to: number) =>
  (await seller.get(`/users/${seller.id}/contacts/questions?date_from=${iso(from)}&date_to=${iso(to)}`)).body.total
const facts = () =>
  world.tx(async (q) =>
    q.db
      .delete(outbox)
      .returning()
      .all()
      .map(({ topic, resource, user_ids }) => [topic, resource, JSON.parse(user_ids)]),
  )

t.test('a question is put; seller and statistics see it, and applications are told', async (t) => {
  const s = await stall()
  await facts()
  const made = await put(s)
  const { id } = made.body
  says(t, made, 201, whole(s, { id }))
  says(t, await control(`GET /questions/${id}`), 200, made.body)
  const { suspected_spam, hidden, first_of_buyer, ...public_ } = made.body
  says(t, await s.seller.get(`/questions/${id}`), 200, public_)
  t.equal(await asked(s, NOW, NOW + 1), 1)
  t.strictSame(await facts(), [['questions', `/questions/${id}`, [s.seller.id, s.buyer.id]]])
})

t.test('with everything it can have', async (t) => {
  const s = await stall()
  const at = NOW - 30 * HOUR
  const made = await put(s, {
    id: 4242,
    date_created: iso(at),
    flags: { deleted_from_listing: true, hold: true, suspected_spam: true, hidden: true },
    answer: { text: 'Sí.', date_created: iso(at + HOUR), status: 'DISABLED' },
  })
  const all = whole(s, {
    id: 4242,
    answer: { text: 'Sí.', status: 'DISABLED', date_created: shown(at + HOUR) },
    date_created: shown(at),
    deleted_from_listing: true,
    hold: true,
    status: 'ANSWERED',
    from: { id: s.buyer.id, answered_questions: 1 },
    suspected_spam: true,
    hidden: true,
  })
  says(t, made, 201, all)
  t.strictSame([await asked(s, at, at + 1), await asked(s, NOW, NOW + 1)], [1, 0], 'counted at its date')
  t.strictSame((await s.seller.get('/my/questions/hidden')).body, { question_ids: [4242] })
  says(t, await put(s, { id: 4242 }), 409, refused(409, 'conflict', 'Question with id 4242 exists already'))
  t.equal(await asked(s, 0, NOW + 1), 1, 'the refused one does not count')
})

t.test('given ids do not move those that the world gives', async (t) => {
  const s = await stall()
  const { id } = (await put(s)).body
  for (const given of [MAX, id + 2]) t.equal((await put(s, { id: given })).body.id, given)
  const next = [await market.ask(s.buyer, s.item), (await put(s)).body.id]
  t.strictSame(next, [id + 1, id + 3], 'by both ways, and without the one that is taken')
  t.equal((await control(`GET /questions/${MAX}`)).body.id, MAX)
  await s.seller.post('/answers', { question_id: MAX, text: 'Sí.' })
  t.equal((await control(`GET /questions/${MAX}`)).body.answer.text, 'Sí.')
})

t.test('who asks: a test buyer of the site, anybody, or a guest', async (t) => {
  const s = await stall()
  const { item } = s
  const put = (from?: number | null) => control('POST /questions', { item_id: item, text: '¿Envían?', from })
  t.equal((await put()).body.from.id, buyers[0]!.id, 'the first of the site')
  t.equal((await put()).body.first_of_buyer, false, 'the same again')
  const [one, other] = [(await put(null)).body, (await put(null)).body]
  t.not(one.from.id, other.from.id, 'each guest is somebody else')
  t.strictSame([one.first_of_buyer, other.first_of_buyer], [true, true])
  t.equal((await app.call(`/users/${one.from.id}`)).status, 404, 'and no user')
  t.equal(await asked(s, NOW, NOW + 1), 4, 'and counts')
  const recorded = await world.tx(async (q) =>
    q.db.select().from(contact_event).where(eq(contact_event.user_id, s.seller.id)).all(),
  )
  const buyer_ids = recorded.map(({ buyer_id }) => buyer_id)
  t.strictSame(buyer_ids, [buyers[0]!.id, buyers[0]!.id, null, null], 'a contact of nobody')
  const answered = await s.seller.post('/answers', { question_id: one.id, text: 'Sí.' })
  t.match(answered.body, { status: 'ANSWERED', from: { id: one.from.id, answered_questions: 1 } })
  says(t, await put(1), 404, notFound('User with id 1 not found'))
  says(t, await put(s.seller.id), 400, refused(400, 'invalid_item', 'You cannot ask on your own item'))
})

t.test('what binds buyers does not bind here', async (t) => {
  const s = await stall()
  await s.seller.post(`/users/${s.seller.id}/questions_blacklist`, { user_id: s.buyer.id })
  says(t, await s.buyer.post('/questions', { item_id: s.item, text: '¿Hay stock?' }), 403, FOREIGN)
  t.equal((await put(s)).status, 201)
  for (const [listing, status] of [
    ['paused', 'UNANSWERED'],
    ['under_review', 'UNDER_REVIEW'],
    ['closed', 'CLOSED_UNANSWERED'],
  ] as const) {
    await market.move(s.item, listing)
    t.equal((await put(s)).body.status, status, `on a listing that is ${listing}`)
    t.equal((await put(s, { status: 'UNANSWERED' })).body.status, 'UNANSWERED', 'unless it is said')
    t.equal((await put(s, { answer: { text: 'Sí.' } })).body.status, 'ANSWERED')
  }
})

t.test('every status; the public calls show it as ever', async (t) => {
  const s = await stall()
  const answer = { text: 'Sí.' }
  const rows: [status: string, more: object, text: string, isSeen: boolean][] = [
    ['ANSWERED', { answer }, '¿Hay stock?', true],
    ['BANNED', {}, '', false],
    ['BANNED', { answer }, '', false],
    ['CLOSED_UNANSWERED', {}, '¿Hay stock?', true],
    ['DELETED', {}, '¿Hay stock?', false],
    ['DELETED', { answer }, '¿Hay stock?', false],
    ['DISABLED', {}, '¿Hay stock?', true],
    ['DISABLED', { answer }, '¿Hay stock?', true],
    ['UNANSWERED', {}, '¿Hay stock?', true],
    ['UNDER_REVIEW', {}, '¿Hay stock?', true],
  ]
  for (const [status, more, text, isSeen] of rows) {
    const { body } = await put(s, { status, ...more })
    const name = `${status} ${JSON.stringify(more)}`
    t.match(body, { status, text, deleted_from_listing: status === 'DELETED' }, name)
    t.equal(body.answer?.text ?? null, 'answer' in more ? 'Sí.' : null, name)
    t.equal((await s.buyer.get(`/questions/${body.id}`)).status, isSeen ? 200 : 404, `${name} to its buyer`)
    const found = await s.seller.get(`/questions/search?seller_id=${s.seller.id}&status=${status}`)
    t.ok(
      found.body.questions.some(({ id }: { id: number }) => id === body.id),
      `${name} in a search`,
    )
  }
  t.equal(await asked(s, NOW, NOW + 1), rows.length, 'all count')
})

t.test('what cannot be put', async (t) => {
  const s = await stall()
  const long = 'ñ'.repeat(2001)
  const past = (name: string) => badRequest(`${name}: must lie between 1970 and the world’s present time`)
  const aDate = 'must be an ISO 8601 date-time, for example 2026-03-01T00:00:00.000-04:00'
  const contradicts = badRequest('status: must be ANSWERED, BANNED, DELETED or DISABLED where there is an answer')
  const statuses = 'ANSWERED, BANNED, CLOSED_UNANSWERED, DELETED, DISABLED, UNANSWERED, UNDER_REVIEW'
  const rows: [more: object, body: object][] = [
    [{ foo: 1 }, badRequest('foo: is not known here')],
    [{ item_id: undefined }, badRequest('item_id: is required, must be the id of a listing')],
    [{ item_id: 7 }, badRequest('item_id: must be the id of a listing')],
    [{ from: '7' }, badRequest('from: must be the id of a user, or null for a guest')],
    [{ from: 1.5 }, badRequest('from: must be the id of a user, or null for a guest')],
    [{ text: undefined }, badRequest('text: is required, must be a string')],
    [{ text: null }, badRequest('text: must be a string')],
    [{ text: ' \n' }, refused(400, 'text_is_null', 'The attribute text is empty')],
    [{ text: long }, refused(400, 'text_too_long', 'text must have at most 2000 characters')],
    [{ text: 'a\u0000' }, badRequest('text: must not contain U+0000')],
    [{ id: 0 }, badRequest(`id: must be an integer from 1 to ${MAX}`)],
    [{ id: MAX + 1 }, badRequest(`id: must be an integer from 1 to ${MAX}`)],
    [{ date_created: 'ayer' }, badRequest(`date_created: ${aDate}`)],
    [{ date_created: '2026-02-30T00:00:00Z' }, badRequest(`date_created: ${aDate}`)],
    [{ date_created: iso(NOW + 1) }, past('date_created')],
    [{ date_created: '1969-12-31T23:59:59Z' }, past('date_created')],
    [{ status: 'answered' }, badRequest(`status: must be one of ${statuses}`)],
    [{ status: 'ANSWERED' }, badRequest('answer: is required where status is ANSWERED')],
    [{ status: 'UNANSWERED', answer: { text: 'Sí.' } }, contradicts],
    [{ status: 'CLOSED_UNANSWERED', answer: { text: 'Sí.' } }, contradicts],
    [{ status: 'UNDER_REVIEW', answer: { text: 'Sí.' } }, contradicts],
    [{ answer: null }, badRequest('answer: must be an object of text, date_created, status')],
    [{ answer: {} }, badRequest('answer.text: is required where there is no answer yet')],
    [{ answer: { text: 1 } }, badRequest('answer.text: must be a string')],
    [{ answer: { text: '' } }, refused(400, 'text_is_null', 'The attribute text is empty')],
    [{ answer: { text: long } }, refused(400, 'text_too_long', 'text must have at most 2000 characters')],
    [{ answer: { text: '\u0000' } }, badRequest('answer.text: must not contain U+0000')],
    [{ answer: { text: 'a', date: 'b' } }, badRequest('answer.date: is not known here')],
    [{ answer: { text: 'a', status: 'X' } }, badRequest('answer.status: must be one of ACTIVE, DISABLED, BANNED')],
    [{ answer: { text: 'a', date_created: iso(NOW + 1) } }, past('answer.date_created')],
    [
      { answer: { text: 'a', date_created: iso(NOW - 1) } },
      badRequest('answer.date_created: must not be earlier than that of the question'),
    ],
    [{ flags: { hold: 1 } }, badRequest('flags.hold: must be true or false')],
    [{ flags: { spam: true } }, badRequest('flags.spam: is not known here')],
    [{ flags: [] }, badRequest('flags: must be an object of deleted_from_listing, hold, suspected_spam, hidden')],
    [
      { status: 'DELETED', flags: { deleted_from_listing: false } },
      badRequest('flags.deleted_from_listing: must be true where status is DELETED'),
    ],
  ]
  await facts()
  for (const [more, body] of rows) says(t, await put(s, more), 400, body, JSON.stringify(more).slice(0, 60))
  says(t, await put(s, { item_id: 'MLA1' }), 404, notFound('Item with id MLA1 not found'))
  says(t, await control('POST /questions', []), 400, badRequest('body: must be object'))
  says(t, await control('POST /questions', '{'), 400, badRequest('body: must be JSON'))
  t.equal((await control(`GET /questions?seller_id=${s.seller.id}`)).body.paging.total, 0)
  t.strictSame(await facts(), [])
})

t.test('lists', async (t) => {
  const [s, other] = [await stall(), await stall()]
  const banned = (await put(s, { status: 'BANNED' })).body
  const plain = (await put(s)).body
  await put(other)
  const page = (results: object[], total = results.length, limit = 50, offset = 0) => ({
    paging: { total, limit, offset },
    results,
  })
  const mine = `GET /questions?seller_id=${s.seller.id}`
  says(t, await control(mine), 200, page([plain, banned]))
  says(t, await control(`${mine}&limit=1&offset=1`), 200, page([banned], 2, 1, 1))
  says(t, await control(`${mine}&limit=0`), 200, page([], 2, 0))
  says(t, await control(`GET /questions?item_id=${s.item}&status=BANNED`), 200, page([banned]))
  t.ok((await control('GET /questions?limit=1')).body.paging.total > 2000, 'those of all')
  says(t, await control('GET /questions?limit=1001'), 400, badRequest('limit: must be an integer from 0 to 1000'))
  for (const id of [1, 'x', MAX + 1])
    says(t, await control(`GET /questions/${id}`), 404, notFound(`Question with id ${id} not found`))
})

t.test('moderation', async (t) => {
  const s = await stall()
  const { id } = (await put(s)).body
  const row = (more: object) => whole(s, { id, ...more })
  await facts()
  says(
    t,
    await patch(id, { flags: { hold: true, suspected_spam: true } }),
    200,
    row({ hold: true, suspected_spam: true }),
  )
  says(t, await patch(id, { flags: { hold: false } }), 200, row({ suspected_spam: true }))
  t.equal((await facts()).length, 2)
  says(t, await patch(id, { flags: { suspected_spam: false } }), 200, row({}))
  await facts()
  says(t, await patch(id, { flags: { hidden: true } }), 200, row({ hidden: true }))
  t.strictSame((await s.seller.get('/my/questions/hidden')).body, { question_ids: [id] })
  says(t, await patch(id, { flags: { hidden: false }, status: 'UNANSWERED' }), 200, row({}))
  t.strictSame(await facts(), [], 'hiding tells nobody, nor does what stays')

  says(t, await patch(id, { status: 'UNDER_REVIEW' }), 200, row({ status: 'UNDER_REVIEW' }))
  says(
    t,
    await s.seller.post('/answers', { question_id: id, text: 'Sí.' }),
    400,
    refused(400, 'invalid_question', 'The question is invalid.'),
  )
  says(
    t,
    await patch(id, { status: 'DISABLED', text: '¿Y ahora?' }),
    200,
    row({ status: 'DISABLED', text: '¿Y ahora?' }),
  )
  await facts()
  says(
    t,
    await patch(id, { status: 'BANNED', flags: { hold: true } }),
    200,
    row({ status: 'BANNED', text: '', hold: true }),
  )
  t.strictSame(await facts(), [['questions', `/questions/${id}`, [s.seller.id, s.buyer.id]]], 'told once')
  t.equal((await s.buyer.get(`/questions/${id}`)).status, 404)
  says(t, await patch(id, { text: 'a' }), 400, badRequest('text: a BANNED question has none'))
  says(t, await patch(id, { status: 'UNANSWERED' }), 400, badRequest('text: is required, the ban has erased it'))
  says(t, await patch(id, { status: 'UNANSWERED', text: 'a', flags: { hold: false } }), 200, row({ text: 'a' }))
  const deleted = { status: 'DELETED', text: 'a', deleted_from_listing: true }
  says(t, await patch(id, { status: 'DELETED' }), 200, row(deleted))
  says(t, await s.seller.delete(`/questions/${id}`), 404, notFound(`Question with id ${id} not found`))
  says(t, await patch(id, { status: 'UNANSWERED' }), 200, row({ text: 'a' }))
  says(t, await s.seller.delete(`/questions/${id}`), 200, ['Question deleted.'])
  t.equal(await asked(s, NOW, NOW + 1), 1)
})

t.test('answers are given, changed, dated back and taken away', async (t) => {
  const s = await stall()
  const { id } = (await put(s, { date_created: iso(NOW - HOUR) })).body
  const from = (answered_questions: number) => ({ id: s.buyer.id, answered_questions })
  const row = (more: object) => whole(s, { id, date_created: shown(NOW - HOUR), ...more })
  const answered = (answer: object, more: object = {}) =>
    row({
      answer: { text: 'Sí.', status: 'ACTIVE', date_created: shown(NOW), ...answer },
      status: 'ANSWERED',
      from: from(1),
      ...more,
    })

  const missing = badRequest('answer.text: is required where there is no answer yet')
  says(t, await patch(id, { answer: { date_created: iso(NOW) } }), 400, missing)
  says(t, await patch(id, { status: 'ANSWERED' }), 400, badRequest('answer: is required where status is ANSWERED'))
  says(t, await patch(id, { answer: { text: 'Sí.' } }), 200, answered({}))
  const half = NOW - HOUR / 2
  says(t, await patch(id, { answer: { date_created: iso(half) } }), 200, answered({ date_created: shown(half) }))
  const last = { text: 'No.', status: 'DISABLED', date_created: shown(half) }
  says(t, await patch(id, { answer: { text: 'No.', status: 'DISABLED' } }), 200, answered(last))
  const contradicts = badRequest('status: must be ANSWERED, BANNED, DELETED or DISABLED where there is an answer')
  says(t, await patch(id, { status: 'UNANSWERED' }), 400, contradicts)
  const early = badRequest('answer.date_created: must not be earlier than that of the question')
  says(t, await patch(id, { answer: { date_created: iso(NOW - HOUR - 1) } }), 400, early)
  says(t, await control(`GET /questions/${id}`), 200, answered(last), 'as before')
  says(t, await patch(id, { status: 'DISABLED' }), 200, answered(last, { status: 'DISABLED', from: from(0) }))
  says(
    t,
    await patch(id, { status: 'ANSWERED', answer: null }),
    400,
    badRequest('answer: is required where status is ANSWERED'),
  )
  says(t, await patch(id, { status: 'ANSWERED' }), 200, answered(last))
  await market.move(s.item, 'closed')
  says(t, await patch(id, { answer: null }), 200, row({ status: 'CLOSED_UNANSWERED' }), 'as the listing has it')
  says(t, await patch(id, { answer: { text: 'Sí.' } }), 200, answered({}), 'on a closed listing')
})

t.test('what cannot be revised', async (t) => {
  const { id } = (await put(await stall())).body
  const none = 'body: must be a JSON object with one of status, flags, text, answer'
  for (const [body, message] of [
    [{}, none],
    [null, none],
    [{ from: null }, 'from: is not known here'],
    [{ status: 'GONE' }, undefined],
    [{ text: 5 }, 'text: must be a string'],
    [{ flags: { hold: 'true' } }, 'flags.hold: must be true or false'],
    [{ answer: 'Sí.' }, 'answer: must be an object of text, date_created, status'],
    [{ answer: { text: 1 } }, 'answer.text: must be a string'],
  ] as const) {
    const answer = await patch(id, body)
    if (message) says(t, answer, 400, badRequest(message), message)
    else t.match(answer.body, { status: 400, message: /^status: must be one of ANSWERED, / })
  }
  for (const id of [1, 'x', MAX + 1])
    says(
      t,
      await control(`PATCH /questions/${id}`, { status: 'BANNED' }),
      404,
      notFound(`Question with id ${id} not found`),
    )
})

t.test('the response time follows', async (t) => {
  const s = await stall()
  const report = async () =>
    (await s.seller.get(`/users/${s.seller.id}/questions/response_time`)).body.total?.response_time
  t.equal(await report(), undefined)
  const first = (await put(s, { date_created: iso(NOW - 4 * HOUR) })).body
  t.equal(await report(), 240, 'the time so far')
  await patch(first.id, { answer: { text: 'Sí.', date_created: iso(NOW - 3 * HOUR) } })
  t.equal(await report(), 60, 'the answer, dated back')
  await put(s, { date_created: iso(NOW - 2 * HOUR) })
  t.equal(await report(), 60, 'the second of the same buyer does not count')
  const early = (
    await put(s, {
      date_created: iso(NOW - 10 * HOUR),
      answer: { text: 'Sí.', date_created: iso(NOW - 10 * HOUR + 600_000) },
    })
  ).body
  t.equal(await report(), 10, 'one that is dated before takes the mark')
  t.strictSame([early.first_of_buyer, (await control(`GET /questions/${first.id}`)).body.first_of_buyer], [true, false])
  const guest = (await put(s, { from: null, date_created: iso(NOW - HOUR / 3) })).body
  t.equal(await report(), 15, 'each guest counts')
  await patch(guest.id, { status: 'BANNED' })
  t.equal(await report(), 10, 'banned ones do not')
  await patch(early.id, { answer: null })
  t.equal(await report(), 600, 'an answer that is taken away')
})

t.test('of two in one moment the lower id is the first', async (t) => {
  const s = await stall()
  const { id } = (await put(s)).body
  t.equal((await put(s, { id: 77 })).body.first_of_buyer, true)
  t.equal((await control(`GET /questions/${id}`)).body.first_of_buyer, false)
  t.equal((await put(s, { id: 78 })).body.first_of_buyer, false)
})

t.test('each world has its own', async (t) => {
  const made = await control('POST /worlds', { scenario: 'demo', now: iso(NOW) })
  const base = new URL(made.body.url).pathname
  const item_id = 'MLA1400000001'
  const there = await control('POST /questions', { item_id, text: '¿Hay stock?', id: 5151 }, base)
  t.equal(there.status, 201)
  t.equal((await control('GET /questions/5151')).status, 404)
  t.equal((await control('GET /questions/5151', undefined, base)).status, 200)
})

t.test('on an empty site a guest asks', async (t) => {
  const s = await stall()
  await world.tx(async (q) => void q.db.update(item).set({ site_id: 'MLV' }).where(eq(item.id, s.item)).run())
  const { body } = await control('POST /questions', { item_id: s.item, text: '¿Hay stock?' })
  t.equal((await app.call(`/users/${body.from.id}`)).status, 404)
})

t.test('nothing went wrong unseen', async (t) => {
  t.strictSame(app.faults, [])
})
