import type { InjectOptions } from 'fastify'
import t from 'tap'
import { HOUR, MINUTE, NOW, SECOND, start } from '../support/app.ts'
import { takeOutbox } from '../support/outbox.ts'
import { errorBody, expectAnswer, FOREIGN, notFound, questionFixtures, type Status } from '../support/questions.ts'

const app = await start(t, { scenario: 'demo' })
const { world, call, control, sellers } = app
const { createUser, createParties, createListing, moveListing, banQuestion, ask, answer, insertQuestion, setClock } =
  questionFixtures(app)
t.beforeEach(() => setClock(NOW))

const UNKNOWN = 13999999999

const badQuestion = errorBody(400, 'invalid_post_body', 'Invalid JSON. Valid attributes are: [item_id, text].')
const badAnswer = errorBody(400, 'invalid_post_body', 'Invalid JSON. Valid attributes are: [question_id, text].')
const invalidQuestion = errorBody(400, 'invalid_question', 'The question is invalid.')
const textIsNull = errorBody(400, 'text_is_null', 'The Attribute text is empty')
const textTooLong = errorBody(400, 'text_too_long', 'text must have at most 2000 characters')
const ownItem = errorBody(400, 'invalid_item', 'You cannot ask on your own item')
const notActive = errorBody(400, 'not_active_item', 'The item must be active')
const wasClosed = errorBody(400, 'not_active_item', 'The question was closed with its listing')
const isNotUnanswered = (id: number) => errorBody(400, 'not_unanswered_question', `Question ${id} is not unanswered`)
const mustBeUnanswered = (id: number) => errorBody(400, 'not_unanswered_question', `Question ${id} must be unanswered`)
const noQuestion = (id: unknown) => notFound(`Question with id ${id} not found`)
const noItem = (id: unknown) => notFound(`Item with id ${id} not found`)

const LONG = 'a'.repeat(2001)

/** A new question as `GET /questions/:id` answers it, with other values. */
const opened = ({ seller, buyer, item }: Awaited<ReturnType<typeof createParties>>, id: number, more: object = {}) => ({
  id,
  answer: null,
  date_created: '2026-03-07T11:00:00.000-04:00',
  deleted_from_listing: false,
  hold: false,
  item_id: item,
  seller_id: seller.id,
  status: 'UNANSWERED',
  text: '¿Sigue disponible?',
  from: { id: buyer.id, answered_questions: 0 },
  ...more,
})

/** The number of questions of a listing in the statistics, of all times. */
const countQuestions = async (item: string): Promise<number> => {
  const until = new Date(world.clock.now() + 1).toISOString()
  return (await call(`/items/${item}/contacts/questions?date_from=2020-01-01&date_to=${until}`)).body.total
}

const takeEvents = () => takeOutbox(world)

t.test('a buyer asks, the seller answers, and every caller can read the question', async (t) => {
  const one = await createParties()
  const { seller, buyer, item } = one
  const created = await buyer.post('/questions', { text: '¿Tiene garantía? 👍', item_id: item })
  const { id } = created.body
  t.type(id, 'number')
  expectAnswer(t, created, 201, {
    id,
    answer: null,
    date_created: '2026-03-07T11:00:00.000-04:00',
    item_id: item,
    seller_id: seller.id,
    status: 'UNANSWERED',
    text: '¿Tiene garantía? 👍',
    from: { id: buyer.id },
  })
  t.equal(created.headers['content-type'], 'application/json; charset=utf-8')

  const open = opened(one, id, { text: '¿Tiene garantía? 👍' })
  expectAnswer(t, await seller.get(`/questions/${id}`), 200, open, 'the seller')
  expectAnswer(t, await buyer.get(`/questions/${id}?api_version=4`), 200, open, 'the buyer, with api_version=4')
  expectAnswer(t, await sellers[0]!.get(`/questions/${id}/`), 200, open, 'another user')

  setClock(NOW + 90 * SECOND + 567)
  const answered = {
    ...open,
    answer: { text: 'Sí, doce meses.', status: 'ACTIVE', date_created: '2026-03-07T11:01:30.000-04:00' },
    status: 'ANSWERED',
    from: { id: buyer.id, answered_questions: 1 },
  }
  expectAnswer(t, await seller.post('/answers', { question_id: id, text: 'Sí, doce meses.' }), 200, answered)
  expectAnswer(t, await buyer.get(`/questions/${id}`), 200, answered)
  expectAnswer(t, await seller.get(`/questions/${id}?api_version=4`), 200, answered)
  expectAnswer(t, await buyer.get(`/questions/${id}?attributes=status,id,nothing`), 200, { id, status: 'ANSWERED' })
})

t.test('answers the flags of moderation', async (t) => {
  const one = await createParties()
  const id = await insertQuestion(one, { hold: 1, suspected_spam: 1 })
  expectAnswer(t, await one.buyer.get(`/questions/${id}`), 200, opened(one, id, { hold: true }))
})

t.test('answers a disabled answer as disabled', async (t) => {
  const one = await createParties()
  const answerColumns = { answer_text: 'Llámeme.', answer_status: 'DISABLED' as const, answered_at: NOW - 1 }
  const id = await insertQuestion(one, { status: 'DISABLED', date_created: NOW - HOUR, ...answerColumns })
  const { body } = await one.buyer.get(`/questions/${id}`)
  t.equal(body.status, 'DISABLED')
  t.strictSame(body.answer, { text: 'Llámeme.', status: 'DISABLED', date_created: '2026-03-07T10:59:59.000-04:00' })
})

t.test('answers 404 for malformed question ids', async (t) => {
  const { buyer, item } = await createParties()
  const id = await ask(buyer, item)
  const ids = [
    String(UNKNOWN),
    '0',
    '-1',
    '1.5',
    'no-id',
    'null',
    '9007199254740991',
    '9007199254740992',
    '1'.repeat(101),
    '1'.repeat(400),
    // Numbers in JavaScript, but not in the form of an id.
    `0x${id.toString(16)}`,
    `${id}.0`,
    `${id}e0`,
    `+${id}`,
  ]
  for (const wrong of ids) {
    expectAnswer(t, await buyer.get(`/questions/${wrong}`), 404, noQuestion(wrong), `GET ${wrong}`)
    expectAnswer(t, await buyer.delete(`/questions/${wrong}`), 404, noQuestion(wrong), `DELETE ${wrong}`)
  }
  expectAnswer(t, await buyer.get(`/questions/%20${id}`), 404, noQuestion(` ${id}`), 'a leading blank')
})

t.test('POST /questions checks its conditions in a fixed order [spec: questions.ask.order]', async (t) => {
  const { seller, buyer, item } = await createParties()
  const blocked = await createUser()
  await seller.post(`/users/${seller.id}/questions_blacklist`, { user_id: blocked.id })
  const [paused, closed, reviewed, inactive] = await Promise.all(
    (['paused', 'closed', 'under_review', 'inactive'] as const).map((status) => createListing(seller, status)),
  )
  const text = '¿Hay en azul?'
  const rows: [name: string, caller: typeof buyer, sent: unknown, status: number, body: object][] = [
    ['another attribute', buyer, { text, item_id: item, from: 1 }, 400, badQuestion],
    ['an attribute in another case', buyer, { text, Item_id: item }, 400, badQuestion],
    ['__proto__', buyer, `{"text":"hola","item_id":"${item}","__proto__":{}}`, 400, badQuestion],
    ['no item_id', buyer, { text }, 400, badQuestion],
    ['item_id a number', buyer, { text, item_id: 1400000001 }, 400, badQuestion],
    ['text a number', buyer, { text: 5, item_id: item }, 400, badQuestion],
    ['text with U+0000', buyer, { text: 'a\u0000b', item_id: item }, 400, badQuestion],
    ['no text', buyer, { item_id: item }, 400, textIsNull],
    ['text empty', buyer, { text: '', item_id: item }, 400, textIsNull],
    ['text blank', buyer, { text: ' \t\r\n\u00a0', item_id: item }, 400, textIsNull],
    ['2001 blanks', buyer, { text: ' '.repeat(2001), item_id: item }, 400, textIsNull],
    ['text too long', buyer, { text: LONG, item_id: item }, 400, textTooLong],
    ['an unknown item', buyer, { text, item_id: 'MLA1' }, 404, noItem('MLA1')],
    ['lower case', buyer, { text, item_id: item.toLowerCase() }, 404, noItem(item.toLowerCase())],
    ['no item id', buyer, { text, item_id: 'nonsense' }, 404, noItem('nonsense')],
    ['an empty item id', buyer, { text, item_id: '' }, 404, noItem('')],
    ['the own item', seller, { text, item_id: item }, 400, ownItem],
    ['blocked', blocked, { text, item_id: item }, 403, FOREIGN],
    ['paused', buyer, { text, item_id: paused }, 400, notActive],
    ['closed', buyer, { text, item_id: closed }, 400, notActive],
    ['under review', buyer, { text, item_id: reviewed }, 400, notActive],
    ['inactive', buyer, { text, item_id: inactive }, 400, notActive],
  ]
  await takeEvents()
  for (const [name, caller, sent, status, body] of rows)
    expectAnswer(t, await caller.post('/questions', sent), status, body, name)
  t.strictSame(await takeEvents(), [], 'no event was published')
  t.equal(await countQuestions(item), 0, 'nothing was counted')
  t.equal((await seller.get('/questions/search')).body.total, 0, 'no question was created')
})

t.test('POST /answers checks its conditions in a fixed order [spec: questions.answer.order]', async (t) => {
  const one = await createParties()
  const { seller, buyer, item } = one
  const insertWithStatus = (status: Status) => insertQuestion(one, { status })
  const open = await ask(buyer, item)
  const foreign = await ask(buyer, (await createParties()).item)
  const [forbidden, deleted, reviewed, disabled] = [
    await insertWithStatus('BANNED'),
    await insertWithStatus('DELETED'),
    await insertWithStatus('UNDER_REVIEW'),
    await insertWithStatus('DISABLED'),
  ]
  const closed = await insertWithStatus('CLOSED_UNANSWERED')
  const answered = await ask(buyer, item)
  await answer(seller, answered)
  // The same on a listing that is not active.
  const paused = { ...one, item: await createListing(seller, 'paused') }
  const [openOff, closedOff, _answeredOff, _forbiddenOff] = [
    await insertQuestion(paused, {}),
    await insertQuestion(paused, { status: 'CLOSED_UNANSWERED' }),
    await insertQuestion(paused, { status: 'ANSWERED', answer_text: 'Sí', answer_status: 'ACTIVE', answered_at: NOW }),
    await insertQuestion(paused, { status: 'BANNED', text: '' }),
  ]
  const text = 'Sí.'
  const rows: [name: string, caller: typeof buyer, sent: unknown, status: number, body: object][] = [
    ['another attribute', seller, { question_id: open, text, status: 'ACTIVE' }, 400, badAnswer],
    ['an attribute without a name', seller, { question_id: open, text, '': 1 }, 400, badAnswer],
    ['no question_id', seller, { text }, 400, invalidQuestion],
    ['question_id a word', seller, { question_id: 'nonsense', text }, 400, invalidQuestion],
    ['question_id negative', seller, { question_id: -1, text }, 400, invalidQuestion],
    ['question_id a fraction', seller, { question_id: 1.5, text }, 400, invalidQuestion],
    ['question_id 2^53', seller, '{"question_id":9007199254740992,"text":"a"}', 400, invalidQuestion],
    ['text a number', seller, { question_id: open, text: 5 }, 400, badAnswer],
    ['text with U+0000', seller, { question_id: open, text: '\u0000' }, 400, badAnswer],
    ['no text', seller, { question_id: open }, 400, textIsNull],
    ['text empty', seller, { question_id: open, text: '' }, 400, textIsNull],
    ['text blank', seller, { question_id: open, text: ' \n\u3000' }, 400, textIsNull],
    ['text too long', seller, { question_id: open, text: LONG }, 400, textTooLong],
    ['an unknown question', seller, { question_id: UNKNOWN, text }, 404, noQuestion(UNKNOWN)],
    ['2^53 − 1', seller, { question_id: 2 ** 53 - 1, text }, 404, noQuestion('9007199254740991')],
    ['another seller’s', seller, { question_id: foreign, text }, 403, FOREIGN],
    ['by the buyer', buyer, { question_id: open, text }, 403, FOREIGN],
    ['banned', seller, { question_id: forbidden, text }, 400, invalidQuestion],
    ['deleted', seller, { question_id: deleted, text }, 400, invalidQuestion],
    ['under review', seller, { question_id: reviewed, text }, 400, invalidQuestion],
    ['on a paused listing', seller, { question_id: openOff, text }, 400, notActive],
    ['closed, though the listing is active again', seller, { question_id: closed, text }, 400, wasClosed],
    ['closed, and so is the listing', seller, { question_id: closedOff, text }, 400, notActive],
    ['answered', seller, { question_id: answered, text }, 400, isNotUnanswered(answered)],
    ['disabled', seller, { question_id: disabled, text }, 400, isNotUnanswered(disabled)],
  ]
  await takeEvents()
  for (const [name, caller, sent, status, body] of rows)
    expectAnswer(t, await caller.post('/answers', sent), status, body, name)
  t.strictSame(await takeEvents(), [], 'no event was published')
  t.equal((await seller.get(`/questions/${open}`)).body.status, 'UNANSWERED', 'the question is unanswered')
})

t.test('DELETE checks its conditions in a fixed order and deletes any unanswered question', async (t) => {
  const one = await createParties()
  const { seller, buyer, item } = one
  const open = await ask(buyer, item)
  const answered = await ask(buyer, item)
  await answer(seller, answered)
  const forbidden = await ask(buyer, item)
  await banQuestion(forbidden)
  await takeEvents()
  expectAnswer(t, await seller.delete(`/questions/${UNKNOWN}`), 404, noQuestion(UNKNOWN))
  expectAnswer(t, await buyer.delete(`/questions/${open}`), 403, FOREIGN, 'the buyer cannot delete it')
  expectAnswer(t, await sellers[0]!.delete(`/questions/${open}`), 403, FOREIGN, 'another seller')
  expectAnswer(t, await buyer.delete(`/questions/${answered}`), 403, FOREIGN, '403 before answered')
  expectAnswer(t, await seller.delete(`/questions/${answered}`), 400, mustBeUnanswered(answered))
  t.strictSame(await takeEvents(), [])

  for (const id of [
    open,
    forbidden,
    await insertQuestion(one, { status: 'CLOSED_UNANSWERED' }),
    await insertQuestion(one, { status: 'UNDER_REVIEW' }),
    await insertQuestion(one, { status: 'DISABLED' }),
  ]) {
    const { status } = (await seller.get(`/questions/${id}`)).body
    expectAnswer(
      t,
      await seller.delete(`/questions/${id}`),
      200,
      ['Question deleted.'],
      `deletes a question that is ${status}`,
    )
    const { body } = await seller.get(`/questions/${id}`)
    t.strictSame([body.status, body.deleted_from_listing], ['DELETED', true])
    expectAnswer(t, await seller.delete(`/questions/${id}`), 404, noQuestion(id), 'only once')
    expectAnswer(t, await buyer.delete(`/questions/${id}`), 404, noQuestion(id), 'deleted before 403')
  }
})

t.test('DELETE accepts any body', async (t) => {
  const { seller, buyer, item } = await createParties()
  const sent: InjectOptions[] = [
    { headers: { 'content-type': 'application/json' } },
    { headers: { 'content-type': 'application/json', 'content-length': '0' } },
    { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: 'a=b' },
    { headers: { 'content-type': 'application/json' }, payload: 'null' },
    { headers: { 'content-type': 'application/json' }, payload: '{' },
  ]
  for (const options of sent) {
    const deleted = await seller.delete(`/questions/${await ask(buyer, item)}`, {
      ...options,
      headers: { authorization: `Bearer ${seller.token}`, ...options.headers },
    })
    expectAnswer(t, deleted, 200, ['Question deleted.'], JSON.stringify(options))
  }
})

t.test('limits a text to 2000 code points and returns it unchanged', async (t) => {
  const { seller, buyer, item } = await createParties()
  const rows: [name: string, sent: string, stored?: string][] = [
    ['2000 characters', 'ñ'.repeat(2000)],
    ['2000 characters outside the basic plane', '😀'.repeat(2000)],
    ['2000 in all', `${'😀'.repeat(1000)}${'a'.repeat(1000)}`],
    ['one', '?'],
    ['blanks around it', '  hola \n'],
    ['quotes, lines, separators', '"\\\r\n\t\u2028\u2029\u0001\u007f</script>'],
    ['a lone high surrogate', 'a\ud800b', 'a\ufffdb'],
    ['a lone low surrogate at the end', 'a\udc00', 'a\ufffd'],
    ['2000 lone surrogates', '\ud800'.repeat(2000), '\ufffd'.repeat(2000)],
  ]
  for (const [name, sent, stored = sent] of rows) {
    const created = await buyer.post('/questions', { text: sent, item_id: item })
    t.equal(created.status, 201, name)
    t.equal(created.body.text, stored)
    const { id } = created.body
    const answered = await seller.post('/answers', { question_id: id, text: sent })
    t.equal(answered.status, 200, name)
    t.equal(answered.body.answer.text, stored)
    const read = (await buyer.get(`/questions/${id}`)).body
    t.strictSame([read.text, read.answer.text], [stored, stored])
  }
  const id = await ask(buyer, item)
  for (const text of [
    'a'.repeat(2001),
    '😀'.repeat(2001),
    `${'😀'.repeat(2000)}a`,
    ` ${'a'.repeat(2000)}`,
    '\ud800'.repeat(2001),
  ]) {
    expectAnswer(t, await buyer.post('/questions', { text, item_id: item }), 400, textTooLong)
    expectAnswer(t, await seller.post('/answers', { question_id: id, text }), 400, textTooLong)
  }
})

t.test('closing a listing closes its questions under review [spec: questions.transitions]', async (t) => {
  const { seller, buyer, item } = await createParties()
  const id = await ask(buyer, item)
  await moveListing(item, 'under_review')
  await takeEvents()
  await moveListing(item, 'closed')
  t.equal((await buyer.get(`/questions/${id}`)).body.status, 'CLOSED_UNANSWERED')
  const resources = (await takeEvents()).map(({ resource }) => resource)
  t.strictSame(resources.sort(), [`/items/${item}`, `/questions/${id}`])
  await moveListing(item, 'active')
  expectAnswer(t, await seller.post('/answers', { question_id: id, text: 'Sí' }), 400, wasClosed)
})

t.test('erases the text of an answered question that is banned', async (t) => {
  const { seller, buyer, item } = await createParties()
  const id = await ask(buyer, item)
  await answer(seller, id)
  await banQuestion(id)
  const { body } = await seller.get(`/questions/${id}`)
  t.strictSame([body.status, body.text], ['BANNED', ''])
  expectAnswer(t, await seller.post('/answers', { question_id: id, text: 'a' }), 400, invalidQuestion)
  expectAnswer(t, await buyer.get(`/questions/${id}`), 404, noQuestion(id))
})

t.test('accepts one of two concurrent answers or deletions', async (t) => {
  const { seller, buyer, item } = await createParties()
  const id = await ask(buyer, item)
  const answers = await Promise.all(
    ['uno', 'dos', 'tres'].map((text) => seller.post('/answers', { question_id: id, text })),
  )
  t.strictSame(answers.map(({ status }) => status).sort(), [200, 400, 400])
  const accepted = answers.find(({ status }) => status === 200)!.body
  t.strictSame((await seller.get(`/questions/${id}`)).body, accepted)
  for (const rejected of answers.filter(({ status }) => status === 400))
    expectAnswer(t, rejected, 400, isNotUnanswered(id))

  const other = await ask(buyer, item)
  const path = `/questions/${other}`
  const deletions = await Promise.all([seller.delete(path), seller.delete(path)])
  t.strictSame(deletions.map(({ status }) => status).sort(), [200, 404])
})

t.test('counts each question in the contacts of listing and seller, deleted or not', async (t) => {
  const { seller, buyer, item } = await createParties()
  const total = async (subject: string) => {
    const range = 'date_from=2026-03-07T15:00:00Z&date_to=2026-03-07T16:00:00Z'
    return (await call(`/${subject}/contacts/questions?${range}`)).body
  }
  const range = { date_from: '2026-03-07T15:00:00Z', date_to: '2026-03-07T16:00:00Z' }
  const ids: number[] = []
  for (const n of [0, 1, 2, 3]) {
    t.strictSame(await total(`items/${item}`), { ...range, item_id: item, total: n })
    t.strictSame(await total(`users/${seller.id}`), { ...range, user_id: String(seller.id), total: n })
    setClock(NOW + n * MINUTE)
    ids.push(await ask(buyer, item))
  }
  await seller.delete(`/questions/${ids[0]}`)
  await banQuestion(ids[1]!)
  await answer(seller, ids[2]!)
  await seller.post('/my/questions/hidden', { question_ids: [ids[3]] })
  t.equal((await total(`items/${item}`)).total, 4, 'deleted questions stay counted')
  t.equal((await total(`users/${seller.id}`)).total, 4)
  await ask(buyer, await createListing(seller))
  t.equal((await total(`items/${item}`)).total, 4)
  t.equal((await total(`users/${seller.id}`)).total, 5, 'another listing of the seller')
  const window = await call(`/items/${item}/contacts/questions/time_window?last=1&unit=hour`)
  t.equal(window.body.total, 4, 'counted at once')
})

t.test('an open question of a blocked buyer, where a world refuses it [spec: questions.blocked_answer]', async (t) => {
  const { seller, buyer, item } = await createParties()
  const [first, second, third] = [await ask(buyer, item), await ask(buyer, item), await ask(buyer, item)]
  await answer(seller, third)
  await seller.post(`/users/${seller.id}/questions_blacklist`, { user_id: buyer.id })
  const refused = (id: number) => errorBody(400, 'not_unanswered_question', `Question ${id} is already answered.`)
  await control('PATCH /assumptions/questions.blocked_answer', { value: 'refused' })
  const reply = (question_id: number) => seller.post('/answers', { question_id, text: 'Sí.' })
  t.strictSame((await reply(first)).body, refused(first))
  t.strictSame((await seller.delete(`/questions/${first}`)).body, refused(first))
  t.strictSame(
    (await reply(third)).body,
    errorBody(400, 'not_unanswered_question', `Question ${third} is not unanswered`),
  )
  await control('PATCH /assumptions/questions.blocked_answer', { value: 'allowed' })
  t.equal((await reply(first)).body.status, 'ANSWERED')
  await control('PATCH /assumptions/questions.blocked_answer', { value: 'refused' })
  await seller.delete(`/users/${seller.id}/questions_blacklist/${buyer.id}`)
  t.equal((await reply(second)).body.status, 'ANSWERED', 'the buyer is not blocked any more')
  await control('PATCH /assumptions/questions.blocked_answer', { value: 'allowed' })
})
