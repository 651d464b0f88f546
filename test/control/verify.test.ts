import t from 'tap'
import { type Answer, badRequest, NOON, start } from '../support/app.ts'

const app = await start(t, { scenario: 'quiet', now: Date.parse(NOON) })
const { control, seller, buyer } = app

const verify = (expected: unknown) => control('POST /verify', expected)
const advance = (by: string) => control('POST /clock/advance', { by })
const ask = async (text: string): Promise<number> =>
  (await buyer.post('/questions', { item_id: 'MLA1400000001', text })).body.id
const read = (question: number) => seller.get(`/questions/${question}`)
const answer = (question: number) => seller.post('/answers', { question_id: question, text: 'Sí' })
const requests = async () => (await control('GET /requests')).body.results
/** What a failure says of a call. */
const short = ({ id, method, path, query, response: { status } }: Awaited<ReturnType<typeof requests>>[0]) => ({
  ...{ id, method, path, query, status },
})
const failure = ({ status, body }: Answer) => [status, body.message, body.groups]

t.beforeEach(() => control('POST /reset'))

t.test('counts only calls after another call', async (t) => {
  const question = await ask('uno')
  await answer(question)
  await read(question)
  const expected = { method: 'POST', path: '/answers', after: { method: 'GET', path: '/questions/*' } }
  const [asked, answered, wasRead] = await requests()
  const isFirst = { what: 'after', expected: 'GET /questions/*' }
  t.strictSame((await verify(expected)).body, {
    message: 'Expected at least 1 request of POST /answers after GET /questions/*; found 0 among 3',
    error: 'verification_failed',
    status: 409,
    cause: [
      { request: short(answered), differences: [isFirst] },
      {
        request: short(asked),
        differences: [{ what: 'path', expected: '/answers', actual: '/questions' }, isFirst],
      },
      {
        request: short(wasRead),
        differences: [
          { what: 'method', expected: 'POST', actual: 'GET' },
          { what: 'path', expected: '/answers', actual: `/questions/${question}` },
          isFirst,
        ],
      },
    ],
    matched: 0,
    dropped: 0,
  })
  await answer(question)
  const { status, body } = await verify({ ...expected, times: 1 })
  t.strictSame([status, body.matched, body.requests], [200, 1, [(await requests())[3]]])
  t.equal((await verify({ ...expected, status: '2xx' })).status, 409)
  t.equal((await verify({ ...expected, after: { ...expected.after, status: 404 } })).status, 409)
  t.equal((await verify({ path: '/questions', after: { path: '/answers' }, times: 0 })).status, 200)
})

t.test('counts only calls within a time of the world', async (t) => {
  const question = await ask('uno')
  await read(question)
  await advance('7s')
  await answer(question)
  const expected = { path: '/answers', after: { path: '/questions/*' } }
  const late = await verify({ ...expected, within: '5s' })
  t.strictSame(failure(late), [
    409,
    'Expected at least 1 request of any method /answers after any method /questions/* within 5000 ms; found 0 among 3',
    undefined,
  ])
  t.strictSame(late.body.cause[0].differences, [{ what: 'within', expected: 5000, actual: 7000 }])
  for (const within of ['7s', 'PT7S', 7000]) t.equal((await verify({ ...expected, within })).status, 200)
  t.equal((await verify({ ...expected, within: 6999 })).status, 409)
  await read(question)
  await answer(question)
  t.equal((await verify({ ...expected, within: 0, times: 1 })).status, 200, 'the latest call before counts')
})

t.test('counts the calls of each value', async (t) => {
  const [one, two] = [await ask('uno'), await ask('dos')]
  await answer(one)
  await answer(two)
  const expected = { method: 'POST', path: '/answers', per: 'body.question_id', at_most: 1 }
  t.strictSame((await verify(expected)).body.matched, 2)
  await answer(two)
  const all = await requests()
  t.strictSame((await verify(expected)).body, {
    message: `Expected at most 1 request of POST /answers per body.question_id; found 2 for ${two} among 5`,
    error: 'verification_failed',
    status: 409,
    cause: [
      { request: short(all[3]), differences: [] },
      { request: short(all[4]), differences: [] },
    ],
    matched: 3,
    dropped: 0,
    groups: [{ value: String(two), matched: 2 }],
  })
  t.equal((await verify({ ...expected, status: '2xx' })).status, 200, 'only one succeeded')
  t.strictSame(failure(await verify({ ...expected, at_most: undefined, times: 3 })), [
    409,
    `Expected exactly 3 requests of POST /answers per body.question_id; found 1 for ${one} among 5`,
    [
      { value: String(one), matched: 1 },
      { value: String(two), matched: 2 },
    ],
  ])
})

t.test('finds the value in path, query, body and token', async (t) => {
  const question = await ask('uno')
  await read(question)
  await read(question)
  await seller.get('/questions/search?item=MLA1400000001')
  await buyer.get('/questions/search?from=1')
  const groups = async (per: string, path = '/questions/*') =>
    (await verify({ method: 'GET', path, per, times: 9 })).body.groups
  t.strictSame(await groups('path'), [
    { value: `/questions/${question}`, matched: 2 },
    { value: '/questions/search', matched: 2 },
  ])
  t.strictSame(await groups('path.2'), [
    { value: String(question), matched: 2 },
    { value: 'search', matched: 2 },
  ])
  t.strictSame(await groups('query.item', '/questions/search'), [
    { value: 'MLA1400000001', matched: 1 },
    { value: null, matched: 1 },
  ])
  t.strictSame(await groups('user_id', '/questions/search'), [
    { value: String(seller.id), matched: 1 },
    { value: String(buyer.id), matched: 1 },
  ])
  t.strictSame(await groups('body.a.b', '/nothing'), [{ value: null, matched: 0 }])
})

t.test('every call or event of `after` needs calls of its own, with `per`', async (t) => {
  const [one, two] = [await ask('uno'), await ask('dos')]
  const answered = {
    method: 'POST',
    path: '/answers',
    per: 'body.question_id',
    after: { topic: 'questions', per: 'path.2' },
    within: '1m',
    times: 1,
  }
  await answer(one)
  const missing = await verify(answered)
  t.strictSame(failure(missing), [
    409,
    `Expected exactly 1 request of POST /answers per body.question_id after an event of questions within 60000 ms; found 0 for ${two} among 3`,
    [{ value: String(two), matched: 0 }],
  ])
  t.strictSame(missing.body.cause[0].differences, [
    { what: 'body.question_id', expected: String(two), actual: String(one) },
  ])
  await advance('61s')
  await answer(two)
  t.strictSame((await verify(answered)).body.cause[0].differences, [
    { what: 'within', expected: 60_000, actual: 61_000 },
  ])
  t.equal((await verify({ ...answered, within: '2m' })).status, 200)

  const afterReading = { ...answered, within: undefined, after: { method: 'GET', path: '/questions/*', per: 'path.2' } }
  await read(one)
  t.strictSame(failure(await verify(afterReading)), [
    409,
    `Expected exactly 1 request of POST /answers per body.question_id after GET /questions/*; found 0 for ${one} among 5`,
    [{ value: String(one), matched: 0 }],
  ])
  await answer(one)
  t.equal((await verify(afterReading)).status, 200)
})

t.test('a call does not come after the event that it causes', async (t) => {
  const question = await ask('uno')
  const expected = { method: 'POST', path: '/questions', after: { topic: 'questions' } }
  t.equal((await verify(expected)).status, 409)
  t.equal((await verify({ path: '/answers', after: { topic: 'questions' }, times: 0 })).status, 200)
  await answer(question)
  t.equal((await verify({ path: '/answers', after: { topic: 'questions' } })).status, 200)
  t.equal((await verify({ path: '/answers', after: { topic: 'items' } })).status, 409)
})

t.test('an event of a control call comes before a call at the same time of a frozen world', async (t) => {
  const { body } = await control('POST /questions', { item_id: 'MLA1400000001', text: 'uno' })
  await answer(body.id)
  t.equal((await verify({ path: '/answers', after: { topic: 'questions' }, within: 0 })).status, 200)
})

t.test('a path that neither the API nor a stub has is refused with the nearest ones, if that is wanted', async (t) => {
  const known = (path: string) => verify({ path, at_most: 9999, check_path: true })
  const rows: [path: string, message: string][] = [
    ['/answr', 'path: neither the API nor a stub has /answr; the nearest path is /answers'],
    [
      '/question/*',
      'path: neither the API nor a stub has /question/*; the nearest paths are /questions/search, /questions/{question_id}',
    ],
    ['/carts/search', 'path: neither the API nor a stub has /carts/search'],
    ['/_sandbox/clock', 'path: neither the API nor a stub has /_sandbox/clock'],
    ['/items/likes', 'path: neither the API nor a stub has /items/likes; the nearest path is /items/{item_id}'],
    ['/questions/:id', 'path: /questions/:id must have values for its parameters, or * for any: /questions/*'],
  ]
  for (const [path, message] of rows) {
    t.strictSame((await known(path)).body, badRequest(message), path)
    t.equal((await verify({ path, at_most: 9999 })).status, 200, `${path} without the check`)
  }
  t.equal(
    (await verify({ path: '/answers', after: { path: '/answr' }, check_path: true })).body.message,
    rows[0]![1].replace('path', 'after.path'),
  )
  await control('POST /stubs', { match: { path: '/carts/{id}' }, answer: {} })
  await control('POST /stubs', { match: { path: '/advertising/*' }, answer: {} })
  const found = [
    '/carts/search',
    '/carts/*',
    '/advert*',
    '/advertising/1/2',
    '/answers/',
    '*',
    '/*/contacts/*',
    '/u*/me',
  ]
  for (const path of [...found, '/users/1/questions/response_time', '/items/MLA1', '/oauth/token'])
    t.equal((await known(path)).status, 200, path)
  for (const path of ['/carts', '/carts/*/x', '/advertisings/*', '/answers*x'])
    t.equal((await known(path)).status, 400, path)
})

t.test('rejects members that do not belong together', async (t) => {
  const duration = 'must be a duration, such as 2h30m, 90s, 1d, PT2H30M, or whole ms'
  const rows: [expected: object, message: string][] = [
    [{ after: {} }, 'after: must have path or topic'],
    [{ after: { path: '/y', topic: 'questions' } }, 'after: must have path or topic'],
    [{ after: { topic: 'questions', status: 200 } }, 'after.status: cannot be combined with topic'],
    [{ after: { topic: 'questions', per: 'body.id' }, per: 'path' }, 'after.per: of an event must be path or path.N'],
    [{ after: { path: '/y', per: 'path' } }, 'after.per: needs per'],
    [{ within: '5s' }, 'within: needs after'],
    [{ after: { path: '/y' }, within: 'soon' }, `within: ${duration}`],
    [{ after: { path: '/y' }, within: -1 }, `within: ${duration}`],
  ]
  for (const [expected, message] of rows)
    t.strictSame((await verify({ path: '/x', ...expected })).body, badRequest(message), message)
  const deep = `{"path":"/x","after":{"path":"/y","body":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`
  t.strictSame((await verify(deep)).body, badRequest('after.body: must have at most 200 levels'))
})
