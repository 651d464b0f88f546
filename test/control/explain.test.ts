import { readdirSync } from 'node:fs'
import t from 'tap'
import { outbox } from '../../db/tables.ts'
import { stateOf } from '../../http/request_state.ts'
import { type Answer, type AnyWorld, badRequest, notFound, start, valuesOf } from '../support/app.ts'
import { questionFixtures } from '../support/questions.ts'
import { until } from '../support/until.ts'

let logged = 0
const app = await start(t, { onRequestEnd: () => void logged++ })
const { call, control, sellers, buyers, application, world, worlds, buyer } = app
const [seller, other] = sellers as [(typeof sellers)[0], (typeof sellers)[0]]
const fixtures = questionFixtures(app)

const lastId = async ({ control }: AnyWorld = app): Promise<number> =>
  (await control('GET /requests?order=desc&limit=1&bodies=false')).body.results[0].id
const numbers = async () => valuesOf((await control('GET /worlds')).body.results, 'id')
/** The explanation of the latest call. */
const explain = async (query = '', world: AnyWorld = app) =>
  (await world.control(`GET /requests/${await lastId(world)}/explain${query}`)).body
/** Sends a call and explains it. */
const explained = async (answer: Promise<Answer>, query = '') => {
  const { status } = await answer
  const explanation = await explain(query)
  t.equal(explanation.request.status, status)
  return explanation
}
const failedCheck = ({ checks }: Awaited<ReturnType<typeof explain>>) =>
  checks.find(({ state }: { state: string }) => state === 'failed')
const NONE = { reason: 'none_found', text: 'There is none that changes only what the check names.' }

t.test('explains a refused answer: checks, rule, field, and the fix', async (t) => {
  const parties = await fixtures.createParties()
  const answered = await fixtures.ask(parties.buyer, parties.item)
  await fixtures.answer(parties.seller, answered)
  const waiting = await fixtures.ask(parties.buyer, parties.item, '¿Y ahora?')
  await parties.seller.post('/answers', { question_id: answered, text: 'Otra vez.' })
  const id = await lastId()
  const check = (id: string, text: string, state: string, field: string | null = null) => ({ id, text, state, field })
  t.strictSame(await explain(), {
    request: {
      id,
      method: 'POST',
      path: '/answers',
      status: 400,
      error: 'not_unanswered_question',
      message: `Question ${answered} is not unanswered`,
    },
    refused: true,
    text: `POST /answers was refused with 400 by the check “The question has no answer yet”. question_id in the body was ${answered}.`,
    checks: [
      check('request', 'The request is a well-formed HTTP request', 'passed'),
      check('capacity', 'The server is not overloaded', 'passed'),
      check('world', 'The world exists', 'passed'),
      check('faults', 'No fault is injected', 'passed'),
      check('path', 'The path exists', 'passed'),
      check('method', 'The path has this method', 'passed'),
      check('token', 'A valid token is sent', 'passed', 'authorization'),
      check('body_size', 'The body arrives whole, and has at most 1 MiB', 'passed'),
      check('answer_body', 'The body is a JSON object with question_id and text, and no other member', 'passed'),
      check('question_id', 'question_id is an integer', 'passed', 'question_id'),
      check('text', 'text is a text of 1 to 2,000 characters', 'passed', 'text'),
      check('question_exists', 'The question exists, and the caller can see it', 'passed', 'question_id'),
      check('own_question', 'The question is about a listing of the caller', 'passed', 'question_id'),
      check('question_answerable', 'The question is not banned, deleted or under review', 'passed', 'question_id'),
      check('listing_of_question_active', 'The listing of the question is active', 'passed', 'question_id'),
      check('question_open', 'The question was not closed with its listing', 'passed', 'question_id'),
      check(
        'buyer_not_blocked',
        'The buyer who asked is not blocked, or blocked buyers’ questions can be answered',
        'passed',
        'question_id',
      ),
      check('question_unanswered', 'The question has no answer yet', 'failed', 'question_id'),
      check('server', 'The server can carry out the call', 'not_reached'),
    ],
    order: {
      id: 'questions.answer.order',
      text: 'Checks run in this order: token; body (`invalid_post_body`); `question_id` (`invalid_question`); text (`text_is_null`, `invalid_post_body`, `text_too_long`); question exists (404); own (403); status BANNED, DELETED or UNDER_REVIEW (`invalid_question`); listing not active (`not_active_item`); status CLOSED_UNANSWERED (`not_active_item`); a blocked buyer, with `questions.blocked_answer=refused` (`not_unanswered_question`); status not UNANSWERED (`not_unanswered_question`).',
      page: 'docs/spec/questions.md',
      sources: ['assumed'],
    },
    check: 'question_unanswered',
    rule: {
      id: 'questions.error.not_unanswered',
      text: '400 `not_unanswered_question`, `Question {id} is not unanswered`: answering a question that is not UNANSWERED.',
      page: 'docs/spec/questions.md',
      sources: ['observed'],
    },
    assumption: null,
    field: { name: 'question_id', in: 'body', received: String(answered), allowed: null, values: [String(waiting)] },
    fix: {
      text: `This would have worked: send ${waiting} as question_id. It was tried on a copy of the world as it is now, and answered with 200.`,
      change: { kind: 'replace', in: 'body', name: 'question_id', from: String(answered), to: String(waiting) },
      request: {
        method: 'POST',
        path: '/answers',
        headers: { authorization: `Bearer {token of user ${parties.seller.id}}` },
        body: `{"question_id":${waiting},"text":"Otra vez."}`,
      },
      status: 200,
    },
    no_fix: null,
  })
})

t.test('explains in Spanish and Portuguese', async (t) => {
  await seller.get('/questions/search?limit=500')
  const id = await lastId()
  const textOf = async (query: string, language = '') => {
    const headers = { 'accept-language': language }
    const { body } = await call({ url: `/_sandbox/requests/${id}/explain?fix=false${query}`, headers })
    return body.text
  }
  const EN =
    'GET /questions/search was refused with 400 by the check “The parameters of the query are allowed”. limit in the query was 500. Allowed: an integer from 0 to 100.'
  const ES =
    'GET /questions/search se rechazó con 400 en la comprobación «Los parámetros de la consulta están permitidos». limit en la consulta era 500. Permitido: un entero de 0 a 100.'
  const PT =
    'GET /questions/search foi recusada com 400 na verificação “Os parâmetros da consulta são permitidos”. limit na consulta era 500. Permitido: um inteiro de 0 a 100.'
  t.equal(await textOf(''), EN)
  t.equal(await textOf('&lang=es'), ES)
  t.equal(await textOf('&lang=pt', 'es'), PT)
  t.equal(await textOf('', 'es-AR,es;q=0.9,en;q=0.8'), ES)
  t.equal(await textOf('', 'fr, pt-BR;q=0.5, en;q=0.2'), PT)
  t.equal(await textOf('', 'fr, *'), EN)
  t.equal(await textOf('', 'es;q=0, pt; q=0.0, en'), EN)
})

t.test('an accepted call has no refusal; unknown requests and languages are errors', async (t) => {
  await seller.get('/users/me')
  const { refused, check, rule, field, fix, no_fix, text, checks } = await explain()
  t.strictSame([refused, check, rule, field, fix, no_fix], [false, null, null, null, null, null])
  t.equal(text, 'GET /users/me was answered with 200: nothing was refused.')
  t.ok(checks.every(({ state }: { state: string }) => state === 'passed'))
  const missing = (id: unknown) =>
    notFound(`Request with id ${id} not found: it was not recorded, or is no longer stored`)
  for (const id of [99_999, 0, 'x']) t.strictSame((await control(`GET /requests/${id}/explain`)).body, missing(id))
  t.strictSame(
    (await control(`GET /requests/${await lastId()}/explain?lang=fr`)).body,
    badRequest('lang: must be one of en, es, pt'),
  )
})

t.test('a fix is tried on a copy: nothing of it is left', async (t) => {
  const parties = await fixtures.createParties()
  const question = await fixtures.ask(parties.buyer, parties.item)
  await other.post('/answers', { question_id: question, text: 'No es mía.' })
  const id = await lastId()
  const state = async () => ({
    worlds: await numbers(),
    requests: (await control('GET /requests?limit=0')).body.paging.total,
    events: await world.read.db.$count(outbox),
    commits: world.version(),
    files: readdirSync(worlds.folder).sort(),
    numbers: worlds.ids(),
  })
  const before = await state()
  const calls = logged
  const { body } = await control(`GET /requests/${id}/explain`)
  t.equal(
    body.fix.text,
    `This would have worked: send the token of user ${parties.seller.id}. It was tried on a copy of the world as it is now, and answered with 200.`,
  )
  t.equal(logged - calls, 1, 'only the explanation is logged')
  t.strictSame(await state(), before)
  t.equal((await parties.seller.get(`/questions/${question}`)).body.status, 'UNANSWERED')
  t.equal(worlds.acquire(-1), undefined)
})

t.test('explains the errors of body, path, method, token and callback', async (t) => {
  const bearer = { authorization: `Bearer ${seller.token}` }
  const items = await control(`GET /items?seller_id=${seller.id}&limit=1`)
  const item = items.body.results[0].id
  const ofUser = `send the token of user ${seller.id}`
  const [range, itemUrl] = ['date_from=2026-01-01&date_to=2026-02-01', `/items/${item}`]
  const write = `/answers?callback=f&_method=POST&_body=${encodeURIComponent('{"question_id":"x","text":"a"}')}`
  type Request = Exclude<Parameters<typeof call>[0], string>
  const put = (payload: string): Request => ({ method: 'PUT', url: itemUrl, headers: bearer, payload })
  const rows: [request: Request, check: string, rule: string, fix?: string][] = [
    [{ url: '/users/me' }, 'token', 'http.token.missing', ofUser],
    [{ url: '/users/me', headers: { authorization: 'Bearer x' } }, 'token', 'http.token.invalid', ofUser],
    [{ url: '/vis/loans/search' }, 'token', 'credits.unauthorized'],
    [{ url: `${itemUrl}/contacts/whatsapp?${range}` }, 'token', 'contacts.token_errors', ofUser],
    [{ url: '/question/search', headers: bearer }, 'path', 'http.errors.unknown_path'],
    [{ method: 'PATCH', url: itemUrl, headers: bearer, payload: '{}' }, 'method', 'http.errors.wrong_method'],
    [{ url: '/sites/MLA?callback=a-b' }, 'callback', 'http.jsonp.name', 'leave out callback'],
    [put("{'warranty':'1'}"), 'json', 'http.body.json', 'send this JSON as body'],
    [put('x'.repeat(2 ** 20 + 1)), 'body_size', 'http.body.limit'],
    [{ url: '/users/me', headers: { 'x-sandbox-fault': '429' } }, 'faults', 'http.errors.too_many_requests'],
    [{ url: '/users/me', headers: { 'x-sandbox-fault': 'x' } }, 'faults', 'http.faults.header'],
    [{ url: write, headers: bearer }, 'question_id', 'questions.error.invalid_question', 'send \\d+ as question_id'],
  ]
  for (const [request, check, rule, fix] of rows) {
    await call(request)
    const explanation = await explain()
    t.strictSame([explanation.check, failedCheck(explanation).id, explanation.rule.id], [check, check, rule], rule)
    t.equal(explanation.refused, true, rule)
    if (fix === undefined) t.equal(explanation.fix, null, rule)
    else t.match(explanation.fix.text, new RegExp(`worked: ${fix}\\. `), rule)
  }
})

t.test('a call that was broken off, and errors that only an operator can end, have no fix', async (t) => {
  const rule = (await control('POST /faults', { match: { path: '/users/me' }, action: { status: 503 } })).body
  const fault = await explained(seller.get('/users/me'))
  t.strictSame(
    [fault.check, fault.rule.id, fault.fix, fault.no_fix],
    [
      'faults',
      'http.faults',
      null,
      {
        reason: 'fault',
        text: 'The error was injected by a fault rule or by x-sandbox-fault: the request need not change.',
      },
    ],
  )
  await control(`DELETE /faults/${rule.id}`)
  await t.rejects(seller.get('/users/me', { headers: { 'x-sandbox-fault': 'drop' } }))
  const dropped = await explain()
  t.equal(dropped.text, 'GET /users/me got no answer: the connection was closed.')
  t.equal(dropped.request.status, null)
  t.equal(dropped.no_fix.reason, 'fault')
  const none = await explained(
    call({ method: 'POST', url: '/oauth/token', payload: 'grant_type=client_credentials' }),
    '?fix=false',
  )
  t.strictSame([none.fix, none.no_fix.reason], [null, 'not_requested'])
})

t.test('has no fix if no value is known with which the call works', async (t) => {
  const world = await app.createWorld({ scenario: 'empty' })
  await world.seller.get('/questions/5')
  const { fix, no_fix } = await explain('', world)
  t.strictSame([fix, no_fix], [null, NONE])
})

t.test('names the assumption with its value in the world', async (t) => {
  const world = await app.createWorld({ scenario: 'demo', assume: { 'contacts.owner_only': 'true' } })
  const { seller } = world
  await world.sellers[1]!.get(`/users/${seller.id}/contacts/questions?date_from=2026-01-01&date_to=2026-02-01`)
  const { assumption, fix } = await explain('', world)
  t.strictSame(assumption, { name: 'contacts.owner_only', value: 'true', values: ['false', 'true'] })
  t.match(fix.text, `send the token of user ${seller.id}`)
})

t.test('no secret is shown', async (t) => {
  const { id, secret, redirect_uri } = application
  const form = {
    grant_type: 'authorization_code',
    client_id: String(id),
    client_secret: secret,
    code: 'TG-abcabcabc123-5',
    redirect_uri,
  }
  await call({ method: 'POST', url: '/oauth/token', payload: new URLSearchParams(form).toString() })
  const { text } = await control(`GET /requests/${await lastId()}/explain`)
  for (const hidden of [secret, form.code]) t.notMatch(text, hidden)
  const { field, no_fix } = JSON.parse(text)
  t.strictSame([field.received, field.values, no_fix], ['***', [], NONE], 'no secret is proposed')
  await call({
    method: 'POST',
    url: '/oauth/token',
    payload: new URLSearchParams({ ...form, client_id: '5' }).toString(),
  })
  t.notMatch((await control(`GET /requests/${await lastId()}/explain`)).text, secret)
  await call(`/questions/${seller.token}?access_token=${buyer.token}`)
  const answer = await control(`GET /requests/${await lastId()}/explain`)
  for (const { token } of [...sellers, ...buyers]) t.notMatch(answer.text, token)
  t.match(answer.body.fix.request.path, 'access_token={token of user')
})

t.test('a tried call reaches no other world and no control call', async (t) => {
  const other = await app.createWorld({ scenario: 'demo' })
  const before = await numbers()
  const count = async () => (await other.control('GET /requests?limit=0')).body.paging.total
  for (const url of [`/w/1${other.base}/sites/MLAA`, '/w/1/w/1/_sandbox/reset', '/w/1/w/2/_sandbox/worlds']) {
    await call({ method: 'POST', url, headers: { authorization: `Bearer ${seller.token}` }, payload: '{}' })
    const { request, fix } = await explain()
    t.equal(request.status, 404, url)
    t.notMatch(fix?.request.path ?? '', /^\/w\/|_sandbox/)
  }
  t.equal(await count(), 0)
  t.strictSame(await numbers(), before)
})

t.test('explains by its code what no journal has', async (t) => {
  const { body } = await control('GET /explain?code=431&lang=es')
  t.strictSame(
    { ...body, checks: body.checks.map(({ id, state }: { id: string; state: string }) => `${id} ${state}`) },
    {
      request: {
        id: null,
        method: null,
        path: null,
        status: 431,
        error: 'request_header_fields_too_large',
        message: null,
      },
      refused: true,
      text: 'La dirección y los encabezados tenían más de 32.768 bytes. Envía los textos largos en el cuerpo, y menos cookies.',
      checks: ['request failed', 'capacity not_reached', 'world not_reached'],
      order: null,
      check: 'request',
      rule: {
        id: 'http.head_limit',
        text: 'Address and headers have at most 32,768 bytes together. A JSONP write of 2,000 characters of any script fits.',
        page: 'docs/spec/http.md',
        sources: ['assumed'],
      },
      assumption: null,
      field: null,
      fix: null,
      no_fix: { reason: 'not_sent', text: 'Solo se pueden probar de nuevo las llamadas registradas.' },
    },
  )
  const statusOf = async (code: string) => (await control(`GET /explain?code=${code}`)).body.request?.status
  for (const [code, status] of [
    ['HPE_HEADER_OVERFLOW', 431],
    ['408', 408],
    ['HPE_INVALID_METHOD', 400],
    ['FST_ERR_BAD_URL', 400],
    ['CONNECT', 405],
    ['HOST', 400],
    ['417', 417],
    ['503', 503],
    ['WORLD', 404],
  ] as const)
    t.equal(await statusOf(code), status, code)
  for (const code of ['', 'x', '__proto__', '200'])
    t.match((await control(`GET /explain?code=${code}`)).body, { status: 400, message: /^code: must be HPE_HEADER/ })
})

t.test('several explanations of a world wait for each other, not for those of other worlds', async (t) => {
  let running = 0
  let most = 0
  const held: (() => void)[] = []
  let isHolding = true
  const own = await start(t, {
    mode: 'temporary',
    beforePlugins: (server) =>
      void server.addHook('onRequest', ({ raw }, _reply, done) => {
        if (!stateOf(raw).isInternal || !raw.url!.includes('held')) return done()
        running++
        most = Math.max(most, running)
        const go = () => {
          running--
          done()
        }
        if (isHolding) held.push(go)
        else go()
      }),
  })
  const [first, ...others] = await Promise.all(Array.from({ length: 6 }, () => own.createWorld({ scenario: 'quiet' })))
  for (const { call } of [first!, ...others]) t.equal((await call('/users/me?held')).status, 401)
  const explainFirst = ({ control }: AnyWorld) => control('GET /requests/1/explain')
  const waiting = [first!, first!].map(explainFirst)
  await until('the first explanation', () => held.length > 0)
  await own.call('/users/me')
  t.match(await explainFirst(own), { status: 200, body: { fix: { status: 200 } } }, 'another world')
  t.equal(held.length, 1, 'the second explanation of the world waits')
  waiting.push(...others.map(explainFirst))
  await until('four explanations', () => held.length >= 4)
  isHolding = false
  for (const go of held) go()
  for (const { status, body } of await Promise.all(waiting)) t.match([status, body.fix], [200, { status: 200 }])
  t.equal(most, 4, 'copies at a time')
})

t.test('several explanations at a time are alike', async (t) => {
  await seller.get('/questions/search?limit=500')
  const id = await lastId()
  const all = await Promise.all(Array.from({ length: 5 }, () => control(`GET /requests/${id}/explain`)))
  for (const { body } of all) t.strictSame(body, all[0]!.body)
})
