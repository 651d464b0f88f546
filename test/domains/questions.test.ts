import type { InjectOptions } from 'fastify'
import t from 'tap'
import { outbox } from '../../db/tables.ts'
import { NOW, start } from '../support/app.ts'
import {
  badRequest,
  FOREIGN,
  INVALID_TOKEN,
  marketOf,
  NO_TOKEN,
  notFound,
  refused,
  type Status,
  says,
} from '../support/questions.ts'

const app = await start(t, { scenario: 'demo' })
const { world, call, faults, sellers, buyers } = app
const { person, stall, listing, move, banned, ask, answer, put, at } = marketOf(app)
t.beforeEach(() => at(NOW))

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const UNKNOWN = 13999999999

const badQuestion = refused(400, 'invalid_post_body', 'Invalid JSON. Valid attributes are: [item_id, text].')
const badAnswer = refused(400, 'invalid_post_body', 'Invalid JSON. Valid attributes are: [question_id, text].')
const invalidQuestion = refused(400, 'invalid_question', 'The question is invalid.')
const textIsNull = refused(400, 'text_is_null', 'The attribute text is empty')
const textTooLong = refused(400, 'text_too_long', 'text must have at most 2000 characters')
const ownItem = refused(400, 'invalid_item', 'You cannot ask on your own item')
const notActive = refused(400, 'not_active_item', 'The item must be active')
const isNotUnanswered = (id: number) => refused(400, 'not_unanswered_question', `Question ${id} is not unanswered`)
const mustBeUnanswered = (id: number) => refused(400, 'not_unanswered_question', `Question ${id} must be unanswered`)
const noQuestion = (id: unknown) => notFound(`Question with id ${id} not found`)
const noItem = (id: unknown) => notFound(`Item with id ${id} not found`)
const noUser = (id: unknown) => notFound(`User with id ${id} not found`)

const LONG = 'a'.repeat(2001)

/** How many questions the statistics of a listing count, of all times until now. */
const counted = async (item: string): Promise<number> => {
  const until = new Date(world.clock.now() + 1).toISOString()
  return (await call(`/items/${item}/contacts/questions?date_from=2020-01-01&date_to=${until}`)).body.total
}

/** The events written since the last look. */
const facts = () => world.tx(async (q) => q.db.delete(outbox).returning().all())

t.test('a buyer asks, the seller answers, everybody reads it', async (t) => {
  const { seller, buyer, item } = await stall()
  const asked = await buyer.post('/questions', { text: '¿Tiene garantía? 👍', item_id: item })
  const { id } = asked.body
  t.type(id, 'number')
  says(t, asked, 201, {
    id,
    answer: null,
    date_created: '2026-03-07T11:00:00.000-04:00',
    item_id: item,
    seller_id: seller.id,
    status: 'UNANSWERED',
    text: '¿Tiene garantía? 👍',
    from: { id: buyer.id },
  })
  t.equal(asked.headers['content-type'], 'application/json; charset=utf-8')

  const open = {
    id,
    answer: null,
    date_created: '2026-03-07T11:00:00.000-04:00',
    deleted_from_listing: false,
    hold: false,
    item_id: item,
    seller_id: seller.id,
    status: 'UNANSWERED',
    text: '¿Tiene garantía? 👍',
    from: { id: buyer.id, answered_questions: 0 },
  }
  says(t, await seller.get(`/questions/${id}`), 200, open, 'the seller')
  says(t, await buyer.get(`/questions/${id}?api_version=4`), 200, open, 'the buyer, in version 4')
  says(t, await sellers[0]!.get(`/questions/${id}/`), 200, open, 'anybody else')

  at(NOW + 90 * SECOND + 567)
  const answered = {
    ...open,
    answer: { text: 'Sí, doce meses.', status: 'ACTIVE', date_created: '2026-03-07T11:01:30.000-04:00' },
    status: 'ANSWERED',
    from: { id: buyer.id, answered_questions: 1 },
  }
  says(t, await seller.post('/answers', { question_id: id, text: 'Sí, doce meses.' }), 200, answered)
  says(t, await buyer.get(`/questions/${id}`), 200, answered)
  says(t, await seller.get(`/questions/${id}?api_version=4`), 200, answered)
  says(t, await buyer.get(`/questions/${id}?attributes=status,id,nothing`), 200, { id, status: 'ANSWERED' })
})

t.test('the number of answered questions is that of this buyer and this seller', async (t) => {
  const { seller, buyer, item } = await stall()
  const other = await stall()
  const first = await ask(buyer, item)
  const second = await ask(buyer, await listing(seller))
  const open = await ask(buyer, item)
  const elsewhere = await ask(buyer, other.item)
  const stranger = await ask(other.buyer, item)
  for (const id of [first, second, stranger]) await answer(seller, id)
  await answer(other.seller, elsewhere)
  const counts = async (id: number) => (await buyer.get(`/questions/${id}`)).body.from.answered_questions
  t.strictSame(await Promise.all([first, second, open].map(counts)), [2, 2, 2])
  t.equal(await counts(elsewhere), 1)
  t.equal(await counts(stranger), 1)
  await banned(second)
  t.equal(await counts(open), 1, 'a banned one does not count')
})

t.test('flags that moderation sets are told', async (t) => {
  const { seller, buyer, item } = await stall()
  const id = await put({ seller, buyer, item }, { hold: 1, suspected_spam: 1 })
  says(t, await buyer.get(`/questions/${id}`), 200, {
    id,
    answer: null,
    date_created: '2026-03-07T11:00:00.000-04:00',
    deleted_from_listing: false,
    hold: true,
    item_id: item,
    seller_id: seller.id,
    status: 'UNANSWERED',
    text: '¿Sigue disponible?',
    from: { id: buyer.id, answered_questions: 0 },
  })
})

t.test('a disabled answer is shown as such', async (t) => {
  const one = await stall()
  const given = { answer_text: 'Llámeme.', answer_status: 'DISABLED' as const, answered_at: NOW - 1 }
  const id = await put(one, { status: 'DISABLED', date_created: NOW - HOUR, ...given })
  const { body } = await one.buyer.get(`/questions/${id}`)
  t.equal(body.status, 'DISABLED')
  t.strictSame(body.answer, { text: 'Llámeme.', status: 'DISABLED', date_created: '2026-03-07T10:59:59.000-04:00' })
})

t.test('every call needs a token, before anything else is looked at', async (t) => {
  const calls: InjectOptions[] = [
    { method: 'GET', url: '/questions/search' },
    { method: 'GET', url: '/questions/search?limit=nonsense' },
    { method: 'GET', url: '/my/received_questions/search' },
    { method: 'GET', url: '/questions/nonsense' },
    { method: 'POST', url: '/questions', payload: '{' },
    { method: 'POST', url: '/questions/nonsense', payload: '{' },
    { method: 'POST', url: '/answers', payload: '{' },
    { method: 'DELETE', url: '/questions/nonsense' },
    { method: 'GET', url: '/my/questions/hidden' },
    { method: 'POST', url: '/my/questions/hidden', payload: '{' },
    { method: 'GET', url: '/users/nonsense/questions_blacklist' },
    { method: 'POST', url: '/users/nonsense/questions_blacklist', payload: '{' },
    { method: 'DELETE', url: '/users/nonsense/questions_blacklist/nonsense' },
    { method: 'GET', url: '/users/nonsense/questions/response_time' },
  ]
  for (const asked of calls) {
    says(t, await call(asked), 401, NO_TOKEN, `${asked.method} ${asked.url}`)
    const sent = { ...asked, headers: { authorization: 'Bearer APP_USR-1-010100-0-1' } }
    says(t, await call(sent), 401, INVALID_TOKEN, `${asked.method} ${asked.url} with an unknown token`)
  }
})

t.test('what no question can be read as', async (t) => {
  const { buyer, item } = await stall()
  const id = await ask(buyer, item)
  const ids = [
    String(UNKNOWN),
    '0',
    '-1',
    '1.5',
    'nonsense',
    'null',
    '9007199254740991',
    '9007199254740992',
    '1'.repeat(101),
    '1'.repeat(400),
    // Numbers to a program, but not the form of an id.
    `0x${id.toString(16)}`,
    `${id}.0`,
    `${id}e0`,
    `+${id}`,
  ]
  for (const wrong of ids) {
    says(t, await buyer.get(`/questions/${wrong}`), 404, noQuestion(wrong), `GET ${wrong}`)
    says(t, await buyer.delete(`/questions/${wrong}`), 404, noQuestion(wrong), `DELETE ${wrong}`)
  }
  says(t, await buyer.get(`/questions/%20${id}`), 404, noQuestion(` ${id}`), 'a blank before it')
})

t.test('deleted and banned questions are there for their seller only', async (t) => {
  const { seller, buyer, item } = await stall()
  const deleted = await ask(buyer, item, 'Llame al 555')
  const forbidden = await ask(buyer, item, 'Insulto')
  says(t, await seller.delete(`/questions/${deleted}`), 200, ['Question deleted.'])
  await banned(forbidden)
  for (const id of [deleted, forbidden])
    for (const other of [buyer, buyers[0]!, sellers[0]!])
      says(t, await other.get(`/questions/${id}`), 404, noQuestion(id), `${id} for ${other.nickname}`)
  const whole = {
    id: deleted,
    answer: null,
    date_created: '2026-03-07T11:00:00.000-04:00',
    deleted_from_listing: true,
    hold: false,
    item_id: item,
    seller_id: seller.id,
    status: 'DELETED',
    text: 'Llame al 555',
    from: { id: buyer.id, answered_questions: 0 },
  }
  says(t, await seller.get(`/questions/${deleted}`), 200, whole)
  const gone = { ...whole, id: forbidden, deleted_from_listing: false, status: 'BANNED', text: '' }
  says(t, await seller.get(`/questions/${forbidden}`), 200, gone, 'a banned one has lost its text')
})

t.test('POST /questions refuses, in this order', async (t) => {
  const { seller, buyer, item } = await stall()
  const blocked = await person()
  await seller.post(`/users/${seller.id}/questions_blacklist`, { user_id: blocked.id })
  const [paused, closed, reviewed, inactive] = await Promise.all(
    (['paused', 'closed', 'under_review', 'inactive'] as const).map((status) => listing(seller, status)),
  )
  const text = '¿Hay en azul?'
  const rows: [name: string, who: typeof buyer, sent: unknown, status: number, body: object][] = [
    ['nothing', buyer, '', 400, badQuestion],
    ['no JSON', buyer, '{"text":', 400, badQuestion],
    ['a form', buyer, `text=hola&item_id=${item}`, 400, badQuestion],
    ['null', buyer, 'null', 400, badQuestion],
    ['an array', buyer, [], 400, badQuestion],
    ['an array of one question', buyer, [{ text, item_id: item }], 400, badQuestion],
    ['a text', buyer, '"hola"', 400, badQuestion],
    ['a number', buyer, '1', 400, badQuestion],
    ['an empty object', buyer, {}, 400, badQuestion],
    ['another attribute', buyer, { text, item_id: item, from: 1 }, 400, badQuestion],
    ['an attribute in other letters', buyer, { text, Item_id: item }, 400, badQuestion],
    ['__proto__', buyer, `{"text":"hola","item_id":"${item}","__proto__":{}}`, 400, badQuestion],
    ['no item_id', buyer, { text }, 400, badQuestion],
    ['item_id null', buyer, { text, item_id: null }, 400, badQuestion],
    ['item_id a number', buyer, { text, item_id: 1400000001 }, 400, badQuestion],
    ['item_id a list', buyer, { text, item_id: [item] }, 400, badQuestion],
    ['text a number', buyer, { text: 5, item_id: item }, 400, badQuestion],
    ['text false', buyer, { text: false, item_id: item }, 400, badQuestion],
    ['text an object', buyer, { text: {}, item_id: item }, 400, badQuestion],
    ['text with U+0000', buyer, { text: 'a\u0000b', item_id: item }, 400, badQuestion],
    ['no text', buyer, { item_id: item }, 400, textIsNull],
    ['text null', buyer, { text: null, item_id: item }, 400, textIsNull],
    ['text empty', buyer, { text: '', item_id: item }, 400, textIsNull],
    ['text blank', buyer, { text: ' \t\r\n\u00a0', item_id: item }, 400, textIsNull],
    ['2001 blanks', buyer, { text: ' '.repeat(2001), item_id: item }, 400, textIsNull],
    ['text too long', buyer, { text: LONG, item_id: item }, 400, textTooLong],
    ['an unknown item', buyer, { text, item_id: 'MLA1' }, 404, noItem('MLA1')],
    ['small letters', buyer, { text, item_id: item.toLowerCase() }, 404, noItem(item.toLowerCase())],
    ['no item id', buyer, { text, item_id: 'nonsense' }, 404, noItem('nonsense')],
    ['an empty item id', buyer, { text, item_id: '' }, 404, noItem('')],
    ['the own item', seller, { text, item_id: item }, 400, ownItem],
    ['blocked', blocked, { text, item_id: item }, 403, FOREIGN],
    ['paused', buyer, { text, item_id: paused }, 400, notActive],
    ['closed', buyer, { text, item_id: closed }, 400, notActive],
    ['under review', buyer, { text, item_id: reviewed }, 400, notActive],
    ['inactive', buyer, { text, item_id: inactive }, 400, notActive],

    ['attribute before text', buyer, { item_id: item, from: 1 }, 400, badQuestion],
    ['item_id before text', buyer, { text: LONG }, 400, badQuestion],
    ['text null before item', buyer, { item_id: 'MLA1' }, 400, textIsNull],
    ['text too long before item', buyer, { text: LONG, item_id: 'MLA1' }, 400, textTooLong],
    ['text too long before own item', seller, { text: LONG, item_id: item }, 400, textTooLong],
    ['own item before its status', seller, { text, item_id: paused }, 400, ownItem],
    ['blocked before the status of the item', blocked, { text, item_id: paused }, 403, FOREIGN],
  ]
  await facts()
  for (const [name, who, sent, status, body] of rows) says(t, await who.post('/questions', sent), status, body, name)
  t.strictSame(await facts(), [], 'nothing was told')
  t.equal(await counted(item), 0, 'nothing was counted')
  t.equal((await seller.get('/questions/search')).body.total, 0, 'nothing was asked')
})

t.test('POST /questions/{item_id} asks on the listing of the path', async (t) => {
  const { seller, buyer, item } = await stall()
  const paused = await listing(seller, 'paused')
  const asked = await buyer.post(`/questions/${item}`, { text: '¿Hay en azul?' })
  says(t, asked, 201, {
    id: asked.body.id,
    answer: null,
    date_created: '2026-03-07T11:00:00.000-04:00',
    item_id: item,
    seller_id: seller.id,
    status: 'UNANSWERED',
    text: '¿Hay en azul?',
    from: { id: buyer.id },
  })
  const rows: [name: string, who: typeof buyer, path: string, sent: unknown, status: number, body: object][] = [
    ['no JSON', buyer, item, '', 400, badQuestion],
    ['another attribute', buyer, item, { text: 'a', question_id: 1 }, 400, badQuestion],
    ['no text', buyer, item, {}, 400, textIsNull],
    ['too long', buyer, item, { text: LONG }, 400, textTooLong],
    ['an unknown item', buyer, 'MLA1', { text: 'a' }, 404, noItem('MLA1')],
    ['no item id', buyer, '13', { text: 'a' }, 404, noItem('13')],
    ['the own item', seller, item, { text: 'a' }, 400, ownItem],
    ['paused', buyer, paused, { text: 'a' }, 400, notActive],
  ]
  for (const [name, who, path, sent, status, body] of rows)
    says(t, await who.post(`/questions/${path}`, sent), status, body, name)
})

t.test('POST /answers refuses, in this order', async (t) => {
  const one = await stall()
  const { seller, buyer, item } = one
  const inState = (status: Status) => put(one, { status })
  const open = await ask(buyer, item)
  const foreign = await ask(buyer, (await stall()).item)
  const [forbidden, deleted, reviewed, disabled] = [
    await inState('BANNED'),
    await inState('DELETED'),
    await inState('UNDER_REVIEW'),
    await inState('DISABLED'),
  ]
  const closed = await inState('CLOSED_UNANSWERED')
  const answered = await ask(buyer, item)
  await answer(seller, answered)
  // The same, on a listing that is not active.
  const off = { ...one, item: await listing(seller, 'paused') }
  const [openOff, answeredOff, forbiddenOff] = [
    await put(off, {}),
    await put(off, { status: 'ANSWERED', answer_text: 'Sí', answer_status: 'ACTIVE', answered_at: NOW }),
    await put(off, { status: 'BANNED', text: '' }),
  ]
  const text = 'Sí.'
  const rows: [name: string, who: typeof buyer, sent: unknown, status: number, body: object][] = [
    ['nothing', seller, '', 400, badAnswer],
    ['no JSON', seller, '{question_id:1}', 400, badAnswer],
    ['a form', seller, `question_id=${open}&text=hola`, 400, badAnswer],
    ['null', seller, 'null', 400, badAnswer],
    ['an array', seller, [{ question_id: open, text }], 400, badAnswer],
    ['a text', seller, '"hola"', 400, badAnswer],
    ['another attribute', seller, { question_id: open, text, status: 'ACTIVE' }, 400, badAnswer],
    ['an attribute without a name', seller, { question_id: open, text, '': 1 }, 400, badAnswer],
    ['an empty object', seller, {}, 400, invalidQuestion],
    ['no question_id', seller, { text }, 400, invalidQuestion],
    ['question_id null', seller, { question_id: null, text }, 400, invalidQuestion],
    ['question_id true', seller, { question_id: true, text }, 400, invalidQuestion],
    ['question_id an empty text', seller, { question_id: '', text }, 400, invalidQuestion],
    ['question_id a word', seller, { question_id: 'nonsense', text }, 400, invalidQuestion],
    ['question_id in hex', seller, { question_id: `0x${open.toString(16)}`, text }, 400, invalidQuestion],
    ['question_id with a blank', seller, { question_id: ` ${open}`, text }, 400, invalidQuestion],
    ['question_id a fraction', seller, { question_id: 1.5, text }, 400, invalidQuestion],
    ['question_id a list', seller, { question_id: [open], text }, 400, invalidQuestion],
    ['question_id negative', seller, { question_id: -1, text }, 400, invalidQuestion],
    ['question_id 2^53', seller, '{"question_id":9007199254740992,"text":"a"}', 400, invalidQuestion],
    ['question_id 2^53 as text', seller, { question_id: '9007199254740992', text }, 400, invalidQuestion],
    ['question_id without end', seller, '{"question_id":1e400,"text":"a"}', 400, invalidQuestion],
    ['text a number', seller, { question_id: open, text: 5 }, 400, badAnswer],
    ['text a list', seller, { question_id: open, text: ['a'] }, 400, badAnswer],
    ['text with U+0000', seller, { question_id: open, text: '\u0000' }, 400, badAnswer],
    ['no text', seller, { question_id: open }, 400, textIsNull],
    ['text null', seller, { question_id: open, text: null }, 400, textIsNull],
    ['text empty', seller, { question_id: open, text: '' }, 400, textIsNull],
    ['text blank', seller, { question_id: open, text: ' \n\u3000' }, 400, textIsNull],
    ['text too long', seller, { question_id: open, text: LONG }, 400, textTooLong],
    ['an unknown question', seller, { question_id: UNKNOWN, text }, 404, noQuestion(UNKNOWN)],
    ['an unknown question as text', seller, { question_id: '0012', text }, 404, noQuestion(12)],
    ['2^53 − 1', seller, { question_id: 2 ** 53 - 1, text }, 404, noQuestion('9007199254740991')],
    ['somebody else’s', seller, { question_id: foreign, text }, 403, FOREIGN],
    ['one’s own question', buyer, { question_id: open, text }, 403, FOREIGN],
    ['banned', seller, { question_id: forbidden, text }, 400, invalidQuestion],
    ['deleted', seller, { question_id: deleted, text }, 400, invalidQuestion],
    ['under review', seller, { question_id: reviewed, text }, 400, invalidQuestion],
    ['on a paused listing', seller, { question_id: openOff, text }, 400, notActive],
    ['closed, though the listing is active again', seller, { question_id: closed, text }, 400, notActive],
    ['answered', seller, { question_id: answered, text }, 400, isNotUnanswered(answered)],
    ['disabled', seller, { question_id: disabled, text }, 400, isNotUnanswered(disabled)],

    ['attribute before question_id', seller, { text: LONG, more: 1 }, 400, badAnswer],
    ['question_id before text', seller, { question_id: 'x', text: 5 }, 400, invalidQuestion],
    ['text null before 404', seller, { question_id: UNKNOWN }, 400, textIsNull],
    ['text too long before 404', seller, { question_id: UNKNOWN, text: LONG }, 400, textTooLong],
    ['text too long before 403', seller, { question_id: foreign, text: LONG }, 400, textTooLong],
    ['text null before 403', seller, { question_id: foreign, text: ' ' }, 400, textIsNull],
    ['U+0000 before 403', seller, { question_id: foreign, text: '\u0000' }, 400, badAnswer],
    ['text too long before the state', seller, { question_id: answered, text: LONG }, 400, textTooLong],
    ['403 before banned', buyer, { question_id: forbidden, text }, 403, FOREIGN],
    ['403 before deleted', buyer, { question_id: deleted, text }, 403, FOREIGN],
    ['403 before answered', buyer, { question_id: answered, text }, 403, FOREIGN],
    ['403 before the listing', buyer, { question_id: openOff, text }, 403, FOREIGN],
    ['banned before the listing', seller, { question_id: forbiddenOff, text }, 400, invalidQuestion],
    ['the listing before answered', seller, { question_id: answeredOff, text }, 400, notActive],
  ]
  await facts()
  for (const [name, who, sent, status, body] of rows) says(t, await who.post('/answers', sent), status, body, name)
  t.strictSame(await facts(), [], 'nothing was told')
  t.equal((await seller.get(`/questions/${open}`)).body.status, 'UNANSWERED', 'nothing was answered')
})

t.test('DELETE refuses, in this order, and takes all that is not answered', async (t) => {
  const one = await stall()
  const { seller, buyer, item } = one
  const open = await ask(buyer, item)
  const answered = await ask(buyer, item)
  await answer(seller, answered)
  const forbidden = await ask(buyer, item)
  await banned(forbidden)
  await facts()
  says(t, await seller.delete(`/questions/${UNKNOWN}`), 404, noQuestion(UNKNOWN))
  says(t, await buyer.delete(`/questions/${open}`), 403, FOREIGN, 'who asked cannot take it back')
  says(t, await sellers[0]!.delete(`/questions/${open}`), 403, FOREIGN, 'another seller')
  says(t, await buyer.delete(`/questions/${answered}`), 403, FOREIGN, '403 before answered')
  says(t, await seller.delete(`/questions/${answered}`), 400, mustBeUnanswered(answered))
  t.strictSame(await facts(), [])

  for (const id of [
    open,
    forbidden,
    await put(one, { status: 'CLOSED_UNANSWERED' }),
    await put(one, { status: 'UNDER_REVIEW' }),
    await put(one, { status: 'DISABLED' }),
  ]) {
    const { status } = (await seller.get(`/questions/${id}`)).body
    says(t, await seller.delete(`/questions/${id}`), 200, ['Question deleted.'], `${status} is deleted`)
    const { body } = await seller.get(`/questions/${id}`)
    t.strictSame([body.status, body.deleted_from_listing], ['DELETED', true])
    says(t, await seller.delete(`/questions/${id}`), 404, noQuestion(id), 'but once')
    says(t, await buyer.delete(`/questions/${id}`), 404, noQuestion(id), 'deleted before 403')
  }
})

t.test('DELETE takes any body', async (t) => {
  const { seller, buyer, item } = await stall()
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
    says(t, deleted, 200, ['Question deleted.'], JSON.stringify(options))
  }
})

t.test('a text has at most 2000 code points, and comes back as it was', async (t) => {
  const { seller, buyer, item } = await stall()
  const rows: [name: string, sent: string, kept?: string][] = [
    ['2000 letters', 'ñ'.repeat(2000)],
    ['2000 characters outside the basic plane', '😀'.repeat(2000)],
    ['2000 in all', `${'😀'.repeat(1000)}${'a'.repeat(1000)}`],
    ['one', '?'],
    ['blanks around it', '  hola \n'],
    ['quotes, lines, separators', '"\\\r\n\t\u2028\u2029\u0001\u007f</script>'],
    ['half a surrogate pair', 'a\ud800b', 'a\ufffdb'],
    ['the other half, at the end', 'a\udc00', 'a\ufffd'],
    ['2000 halves', '\ud800'.repeat(2000), '\ufffd'.repeat(2000)],
  ]
  for (const [name, sent, kept = sent] of rows) {
    const asked = await buyer.post('/questions', { text: sent, item_id: item })
    t.equal(asked.status, 201, name)
    t.equal(asked.body.text, kept)
    const { id } = asked.body
    const answered = await seller.post('/answers', { question_id: id, text: sent })
    t.equal(answered.status, 200, name)
    t.equal(answered.body.answer.text, kept)
    const read = (await buyer.get(`/questions/${id}`)).body
    t.strictSame([read.text, read.answer.text], [kept, kept])
  }
  const id = await ask(buyer, item)
  for (const text of [
    'a'.repeat(2001),
    '😀'.repeat(2001),
    `${'😀'.repeat(2000)}a`,
    ` ${'a'.repeat(2000)}`,
    '\ud800'.repeat(2001),
  ]) {
    says(t, await buyer.post('/questions', { text, item_id: item }), 400, textTooLong)
    says(t, await seller.post('/answers', { question_id: id, text }), 400, textTooLong)
  }
})

t.test('a body is JSON under any content type', async (t) => {
  const { seller, buyer, item } = await stall()
  const types = [
    'application/json',
    'application/json; charset=utf-8',
    'application/x-www-form-urlencoded',
    'text/plain',
    'multipart/form-data',
    'application/octet-stream',
    undefined,
  ]
  for (const type of types) {
    const headers = (token: string) => ({
      authorization: `Bearer ${token}`,
      ...(type && { 'content-type': type }),
    })
    const asked = await call({
      method: 'POST',
      url: '/questions/',
      headers: headers(buyer.token),
      payload: JSON.stringify({ item_id: item, text: '¿?' }),
    })
    t.equal(asked.status, 201, `question as ${type}`)
    const answered = await call({
      method: 'POST',
      url: '/answers/',
      headers: headers(seller.token),
      payload: JSON.stringify({ text: 'Sí', question_id: String(asked.body.id) }),
    })
    t.strictSame([answered.status, answered.body.id], [200, asked.body.id], `answer as ${type}, its id as text`)
    const empty = { method: 'POST' as const, url: '/questions', headers: headers(buyer.token) }
    says(t, await call({ ...empty, payload: '' }), 400, badQuestion, `nothing as ${type}`)
    says(t, await call({ ...empty, payload: 'null' }), 400, badQuestion, `null as ${type}`)
    says(t, await call(empty), 400, badQuestion, `no body as ${type}`)
  }
})

t.test('an old browser writes by JSONP, once', async (t) => {
  const { seller, buyer, item } = await stall()
  const sent = (url: string, parameters: Record<string, string>) => `${url}?${new URLSearchParams(parameters)}`
  /** `cb([status,headers,body])` as its three values. */
  const received = ({ text }: { text: string }) => {
    t.match(text, /^cb\(\[.*\]\)$/)
    return JSON.parse(text.slice(3, -1))
  }
  const question = JSON.stringify({ item_id: item, text: '¿Envían?' })
  const asked = await buyer.get(sent('/questions', { callback: 'cb', _method: 'POST', _body: question }))
  t.equal(asked.status, 200)
  t.equal(asked.headers['content-type'], 'text/javascript;charset=UTF-8')
  const [status, , body] = received(asked)
  t.equal(status, 201)
  t.strictSame([body.item_id, body.text, body.from], [item, '¿Envían?', { id: buyer.id }])
  t.equal((await seller.get('/questions/search')).body.total, 1, 'it was asked once')

  const given = JSON.stringify({ question_id: body.id, text: 'Sí' })
  const answered = received(
    await call(sent('/answers', { callback: 'cb', _method: 'post', _body: given, access_token: seller.token })),
  )
  t.strictSame([answered[0], answered[2].status], [200, 'ANSWERED'])
  const again = received(await seller.get(sent('/answers', { callback: 'cb', _method: 'POST', _body: given })))
  t.strictSame([again[0], again[2]], [400, isNotUnanswered(body.id)], 'refusals too')
  const bare = received(await seller.get(sent('/answers', { callback: 'cb', _method: 'POST' })))
  t.strictSame([bare[0], bare[2]], [400, badAnswer], 'no body')
  const stranger = received(await call(sent('/questions', { callback: 'cb', _method: 'POST', _body: question })))
  t.strictSame([stranger[0], stranger[2]], [401, NO_TOKEN], 'nobody')

  const second = await ask(buyer, item)
  const path = `/questions/${second}`
  const read = received(await buyer.get(sent(path, { callback: 'cb', attributes: 'status' })))
  t.strictSame([read[0], read[2]], [200, { status: 'UNANSWERED' }])
  await seller.get(sent(path, { _method: 'DELETE' }))
  t.equal((await seller.get(path)).body.status, 'UNANSWERED', 'without callback it is a plain GET')
  await seller.get(sent(path, { callback: '1;', _method: 'DELETE' }))
  t.equal((await seller.get(path)).body.status, 'UNANSWERED', 'with a bad one, nothing is done')
  const removed = received(await seller.get(sent(path, { callback: 'cb', _method: 'DELETE' })))
  t.strictSame([removed[0], removed[2]], [200, ['Question deleted.']])
})

t.test('questions follow their listing', async (t) => {
  const one = await stall()
  const { seller, buyer, item } = one
  const open = await ask(buyer, item)
  const answered = await ask(buyer, item)
  await answer(seller, answered)
  const deleted = await ask(buyer, item)
  await seller.delete(`/questions/${deleted}`)
  const forbidden = await ask(buyer, item)
  await banned(forbidden)
  const disabled = await put(one, { status: 'DISABLED' })
  const elsewhere = await ask(buyer, await listing(seller))
  const states = async () =>
    Promise.all(
      [open, answered, deleted, forbidden, disabled, elsewhere].map(
        async (id) => (await seller.get(`/questions/${id}`)).body.status,
      ),
    )
  const others = ['ANSWERED', 'DELETED', 'BANNED', 'DISABLED', 'UNANSWERED']
  const told = async () => (await facts()).filter(({ topic }) => topic === 'questions').map(({ resource }) => resource)
  await facts()

  await move(item, 'paused')
  t.strictSame(await states(), ['UNANSWERED', ...others], 'a paused one leaves them')
  says(t, await seller.post('/answers', { question_id: open, text: 'Sí' }), 400, notActive)
  await move(item, 'active')
  t.strictSame(await states(), ['UNANSWERED', ...others])
  t.strictSame(await told(), [])

  await move(item, 'under_review')
  t.strictSame(await states(), ['UNDER_REVIEW', ...others])
  t.strictSame(await told(), [`/questions/${open}`])
  says(t, await seller.post('/answers', { question_id: open, text: 'Sí' }), 400, invalidQuestion)
  await move(item, 'active')
  t.strictSame(await states(), ['UNANSWERED', ...others])
  t.strictSame(await told(), [`/questions/${open}`])

  await move(item, 'closed')
  t.strictSame(await states(), ['CLOSED_UNANSWERED', ...others])
  t.strictSame(await told(), [`/questions/${open}`])
  says(t, await seller.post('/answers', { question_id: open, text: 'Sí' }), 400, notActive)
  await move(item, 'active')
  t.strictSame(await states(), ['CLOSED_UNANSWERED', ...others], 'closed is for ever')
  says(t, await seller.post('/answers', { question_id: open, text: 'Sí' }), 400, notActive)
  const { body } = await buyer.get(`/questions/${open}`)
  t.strictSame([body.status, body.answer], ['CLOSED_UNANSWERED', null], 'anybody sees it')
})

t.test('an answered question that is banned loses its text', async (t) => {
  const { seller, buyer, item } = await stall()
  const id = await ask(buyer, item)
  await answer(seller, id)
  await banned(id)
  const { body } = await seller.get(`/questions/${id}`)
  t.strictSame([body.status, body.text], ['BANNED', ''])
  says(t, await seller.post('/answers', { question_id: id, text: 'a' }), 400, invalidQuestion)
  says(t, await buyer.get(`/questions/${id}`), 404, noQuestion(id))
})

t.test('of two answers at once one is taken, of two deletions too', async (t) => {
  const { seller, buyer, item } = await stall()
  const id = await ask(buyer, item)
  const answers = await Promise.all(
    ['uno', 'dos', 'tres'].map((text) => seller.post('/answers', { question_id: id, text })),
  )
  t.strictSame(answers.map(({ status }) => status).sort(), [200, 400, 400])
  const taken = answers.find(({ status }) => status === 200)!.body
  t.strictSame((await seller.get(`/questions/${id}`)).body, taken)
  for (const refusal of answers.filter(({ status }) => status === 400)) says(t, refusal, 400, isNotUnanswered(id))

  const other = await ask(buyer, item)
  const path = `/questions/${other}`
  const deletions = await Promise.all([seller.delete(path), seller.delete(path)])
  t.strictSame(deletions.map(({ status }) => status).sort(), [200, 404])
})

t.test('every write is told once, to seller and buyer, in its moment', async (t) => {
  const { seller, buyer, item } = await stall()
  const users = JSON.stringify([seller.id, buyer.id])
  const told = async () => (await facts()).map(({ id: _, ...fact }) => fact)
  await told()
  const id = await ask(buyer, item)
  const fact = { topic: 'questions', resource: `/questions/${id}`, user_ids: users, at: NOW }
  t.strictSame(await told(), [fact])
  at(NOW + MINUTE)
  await answer(seller, id)
  t.strictSame(await told(), [{ ...fact, at: NOW + MINUTE }])
  at(NOW + HOUR)
  await banned(id)
  t.strictSame(await told(), [{ ...fact, at: NOW + HOUR }])
  await seller.delete(`/questions/${id}`)
  t.strictSame(await told(), [{ ...fact, at: NOW + HOUR }])
  await seller.post('/my/questions/hidden', { question_ids: [id] })
  await seller.post(`/users/${seller.id}/questions_blacklist`, { user_id: buyer.id })
  t.strictSame(await told(), [], 'hiding and blocking are nobody’s business')
})

t.test('each question counts in the contacts of listing and seller, deleted or not', async (t) => {
  const { seller, buyer, item } = await stall()
  const total = async (subject: string) => {
    const range = 'date_from=2026-03-07T15:00:00Z&date_to=2026-03-07T16:00:00Z'
    return (await call(`/${subject}/contacts/questions?${range}`)).body
  }
  const range = { date_from: '2026-03-07T15:00:00Z', date_to: '2026-03-07T16:00:00Z' }
  const ids: number[] = []
  for (const n of [0, 1, 2, 3]) {
    t.strictSame(await total(`items/${item}`), { ...range, item_id: item, total: n })
    t.strictSame(await total(`users/${seller.id}`), { ...range, user_id: String(seller.id), total: n })
    at(NOW + n * MINUTE)
    ids.push(await ask(buyer, item))
  }
  await seller.delete(`/questions/${ids[0]}`)
  await banned(ids[1]!)
  await answer(seller, ids[2]!)
  await seller.post('/my/questions/hidden', { question_ids: [ids[3]] })
  t.equal((await total(`items/${item}`)).total, 4, 'they stay')
  t.equal((await total(`users/${seller.id}`)).total, 4)
  await ask(buyer, await listing(seller))
  t.equal((await total(`items/${item}`)).total, 4)
  t.equal((await total(`users/${seller.id}`)).total, 5, 'another listing of the seller')
  const window = await call(`/items/${item}/contacts/questions/time_window?last=1&unit=hour`)
  t.equal(window.body.total, 4, 'at once')
})

t.test('a seller hides questions', async (t) => {
  const { seller, buyer, item } = await stall()
  const [first, second, third] = [await ask(buyer, item), await ask(buyer, item), await ask(buyer, item)]
  const path = '/my/questions/hidden'
  says(t, await seller.get(path), 200, { question_ids: [] })
  says(t, await seller.post(path, { question_ids: [second] }), 200, { question_ids: [second] })
  says(t, await seller.post(path, { questions_ids: [String(first)] }), 200, { question_ids: [first] }, 'the other name')
  says(t, await seller.post(path, { question_ids: [second] }), 200, { question_ids: [second] }, 'again')
  says(t, await seller.post(path, { question_ids: [] }), 200, { question_ids: [] }, 'none')
  says(t, await seller.get(path), 200, { question_ids: [first, second] })
  says(t, await buyer.get(path), 200, { question_ids: [] }, 'of the caller')

  const foreign = await ask(buyer, (await stall()).item)
  for (const [who, ids] of [
    [seller, [third, foreign]],
    [seller, [third, UNKNOWN]],
    [buyer, [third]],
  ] as const)
    says(t, await who.post(path, { question_ids: ids }), 403, FOREIGN, 'not the caller’s: none is hidden')
  says(t, await seller.get(path), 200, { question_ids: [first, second] })
  t.equal((await buyer.get(`/questions/${first}`)).status, 200, 'it can be read')
  t.equal((await seller.post('/answers', { question_id: first, text: 'Sí' })).status, 200, 'and answered')
})

t.test('what POST /my/questions/hidden does not take', async (t) => {
  const { seller, buyer, item } = await stall()
  const id = await ask(buyer, item)
  const notJson = badRequest('body: must be JSON')
  const notObject = badRequest('body: must be a JSON object with question_ids')
  const missing = badRequest('question_ids: is required, must be an array of at most 1000 question ids')
  const notIds = badRequest('question_ids: must be an array of at most 1000 question ids')
  const notId = badRequest('question_ids: must be an integer')
  const rows: [sent: unknown, body: object][] = [
    ['', notJson],
    ['{', notJson],
    [`question_ids=${id}`, notJson],
    ['null', notObject],
    [[id], notObject],
    ['"text"', notObject],
    [{}, missing],
    [{ ids: [id] }, missing],
    [{ question_ids: {} }, notIds],
    [{ question_ids: null }, notIds],
    [{ question_ids: Array(1001).fill(id) }, notIds],
    [{ question_ids: ['nonsense'] }, notId],
    [{ question_ids: [id, 1.5] }, notId],
    [{ question_ids: [-1] }, notId],
    [{ question_ids: [2 ** 53] }, notId],
    [{ question_ids: [null] }, notId],
    [{ question_ids: [true] }, notId],
    [{ question_ids: [[id]] }, notId],
    [{ questions_ids: ['nonsense'] }, badRequest('questions_ids: must be an integer')],
  ]
  for (const [sent, body] of rows)
    says(t, await seller.post('/my/questions/hidden', sent), 400, body, JSON.stringify(sent).slice(0, 60))
  says(t, await seller.get('/my/questions/hidden'), 200, { question_ids: [] }, 'nothing is hidden')
  const many = { question_ids: Array(1000).fill(id) }
  says(t, await seller.post('/my/questions/hidden', many), 200, many, 'a thousand are taken')
})

t.test('a seller blocks buyers', async (t) => {
  const { seller, buyer, item } = await stall()
  const other = await person()
  const path = `/users/${seller.id}/questions_blacklist`
  says(t, await seller.get(path), 200, { paging: { total: 0, offset: 0, limit: 50 }, users: [] })
  says(t, await seller.post(path, { user_id: other.id }), 200, { user_id: other.id })
  says(t, await seller.post(path, { user_id: String(buyer.id) }), 200, { user_id: buyer.id }, 'the id as text')
  says(t, await seller.post(path, { user_id: buyer.id, reason: 'spam' }), 200, { user_id: buyer.id }, 'again')
  const both = [{ id: buyer.id }, { id: other.id }].sort((a, b) => a.id - b.id)
  says(t, await seller.get(path), 200, { paging: { total: 2, offset: 0, limit: 50 }, users: both })
  says(t, await seller.get(`${path}?limit=1`), 200, { paging: { total: 2, offset: 0, limit: 1 }, users: [both[0]] })
  says(t, await seller.get(`${path}?limit=1&offset=1`), 200, {
    paging: { total: 2, offset: 1, limit: 1 },
    users: [both[1]],
  })
  says(t, await seller.get(`${path}?limit=0`), 200, { paging: { total: 2, offset: 0, limit: 0 }, users: [] })
  says(t, await seller.get(`${path}?limit=100&offset=2`), 200, {
    paging: { total: 2, offset: 2, limit: 100 },
    users: [],
  })

  const asked = { text: '¿Y?', item_id: item }
  says(t, await buyer.post('/questions', asked), 403, FOREIGN)
  says(t, await buyer.post(`/questions/${item}`, { text: '¿Y?' }), 403, FOREIGN)
  t.equal((await buyer.post('/questions', { ...asked, item_id: (await stall()).item })).status, 201, 'others take them')
  says(t, await seller.delete(`${path}/${buyer.id}`), 200, { user_id: buyer.id })
  says(t, await seller.delete(`${path}/${buyer.id}`), 200, { user_id: buyer.id }, 'again')
  t.equal((await buyer.post('/questions', asked)).status, 201)
  says(t, await seller.get(path), 200, { paging: { total: 1, offset: 0, limit: 50 }, users: [{ id: other.id }] })
})

t.test('what the block list refuses', async (t) => {
  const { seller, buyer } = await stall()
  const own = `/users/${seller.id}/questions_blacklist`
  const foreign = `/users/${sellers[0]!.id}/questions_blacklist`
  const nobody = 2599999999
  const limits = badRequest('limit: must be an integer from 0 to 100')
  const offsets = badRequest('offset: must be an integer, 0 or more')
  const notJson = badRequest('body: must be JSON')
  const notObject = badRequest('body: must be a JSON object with user_id')
  const missing = badRequest('user_id: is required, must be an integer')
  const notId = badRequest('user_id: must be an integer')
  const rows: [method: 'GET' | 'POST' | 'DELETE', url: string, sent: unknown, status: number, body: object][] = [
    ['GET', `${own}?limit=101`, undefined, 400, limits],
    ['GET', `${own}?limit=-1`, undefined, 400, limits],
    ['GET', `${own}?limit=many`, undefined, 400, limits],
    ['GET', `${own}?offset=-1`, undefined, 400, offsets],
    ['GET', foreign, undefined, 403, FOREIGN],
    ['GET', `/users/${nobody}/questions_blacklist`, undefined, 404, noUser(nobody)],
    ['GET', '/users/me/questions_blacklist', undefined, 404, noUser('me')],
    ['POST', own, '', 400, notJson],
    ['POST', own, '{', 400, notJson],
    ['POST', own, 'null', 400, notObject],
    ['POST', own, [{ user_id: buyer.id }], 400, notObject],
    ['POST', own, {}, 400, missing],
    ['POST', own, { user_id: 'nonsense' }, 400, notId],
    ['POST', own, { user_id: '' }, 400, notId],
    ['POST', own, { user_id: 1.5 }, 400, notId],
    ['POST', own, { user_id: -1 }, 400, notId],
    ['POST', own, { user_id: 2 ** 53 }, 400, notId],
    ['POST', own, { user_id: null }, 400, notId],
    ['POST', own, { user_id: true }, 400, notId],
    ['POST', own, { user_id: nobody }, 404, noUser(nobody)],
    ['POST', foreign, { user_id: buyer.id }, 403, FOREIGN],
    ['POST', foreign, {}, 400, missing],
    ['POST', foreign, { user_id: nobody }, 404, noUser(nobody)],
    ['POST', `/users/${nobody}/questions_blacklist`, { user_id: buyer.id }, 404, noUser(nobody)],
    ['DELETE', `${own}/${nobody}`, undefined, 404, noUser(nobody)],
    ['DELETE', `${own}/nonsense`, undefined, 404, noUser('nonsense')],
    ['DELETE', `${own}/9007199254740992`, undefined, 404, noUser('9007199254740992')],
    ['DELETE', `${foreign}/${nobody}`, undefined, 404, noUser(nobody)],
    ['DELETE', `${foreign}/${buyer.id}`, undefined, 403, FOREIGN],
  ]
  for (const [method, url, sent, status, body] of rows) {
    const name = `${method} ${url} ${JSON.stringify(sent)}`
    const answered =
      method === 'GET' ? seller.get(url) : method === 'DELETE' ? seller.delete(url) : seller.post(url, sent)
    says(t, await answered, status, body, name)
  }
  says(t, await seller.get(own), 200, { paging: { total: 0, offset: 0, limit: 50 }, users: [] }, 'nobody is blocked')
})

t.test('other methods are refused by name', async (t) => {
  const { seller } = await stall()
  const as = (method: 'GET' | 'PUT' | 'PATCH', url: string) =>
    call({ method, url, headers: { authorization: `Bearer ${seller.token}` } })
  const rows: [method: 'GET' | 'PUT' | 'PATCH', url: string, allow: string][] = [
    ['GET', '/answers', 'OPTIONS, POST'],
    ['GET', '/questions', 'OPTIONS, POST'],
    ['PUT', '/questions/13000000001', 'DELETE, GET, HEAD, OPTIONS, POST'],
    ['PATCH', '/my/questions/hidden', 'GET, HEAD, OPTIONS, POST'],
  ]
  for (const [method, url, allow] of rows) {
    const answered = await as(method, url)
    says(
      t,
      answered,
      405,
      refused(405, 'method_not_allowed', `Method not allowed. Allowed: ${allow}`),
      `${method} ${url}`,
    )
    t.equal(answered.headers.allow, allow)
  }
})

t.test('no fault came to light', async (t) => t.strictSame(faults, []))
