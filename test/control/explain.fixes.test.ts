import t from 'tap'
import { type Answer, bearer, start } from '../support/app.ts'
import { flexFixtures, paths } from '../support/flex.ts'
import { questionFixtures } from '../support/questions.ts'

// The mistakes of a new user: the sentence says the fact that decided, and a fix changes only what the check names.

const app = await start(t)
const { call, control, sellers, world, seller } = app
const fixtures = questionFixtures(app)

/** Sends a call, and returns the sentences and the fix of its explanation. */
async function explained(sent: Promise<Answer>, { base = '', query = '' } = {}) {
  const { status } = await sent
  const latest = await control('GET /requests?order=desc&limit=1&bodies=false', undefined, base)
  const { body } = await control(`GET /requests/${latest.body.results[0].id}/explain${query}`, undefined, base)
  t.equal(body.request.status, status)
  const { text, fix, no_fix } = body
  return { text, fix, no_fix }
}

const TRIED = 'It was tried on a copy of the world as it is now, and answered with'
const BEARER = (user: number) => ({ authorization: `Bearer {token of user ${user}}` })
const noFix = (text: string, reason = 'none_found', why = 'There is none that changes only what the check names.') => ({
  ...{ text, fix: null, no_fix: { reason, text: why } },
})

t.test('an unknown path has the nearest one and a stub, never another path', async (t) => {
  const stub = (method: string, path: string) =>
    `A stub can answer it (\`mercadito stub misses\` lists all such calls): mercadito stub add ${method} ${path} --body '{}'`
  const refused = (call: string) => `${call} is not emulated: mercadito has no such path (404).`
  const rows: [method: 'GET' | 'POST' | 'PUT', url: string, nearest: string, quoted?: string][] = [
    ['GET', '/question/search?limit=5', ' The nearest path is GET /questions/search.'],
    ['GET', '/user/5', ' The nearest path is GET /users/{user_id}.'],
    ['PUT', '/item/MLA1', ' The nearest path is GET, PUT /items/{item_id}.'],
    ['GET', '/seller-promotions/5', ' The real service has promotions there.'],
    ['GET', '/reviews/5', ' The real service has the reviews of products there.'],
    ['GET', '/advertising/5', ' The real service has advertising there.'],
    ['GET', '/categorize', ''],
    ['POST', "/o'r/x", '', `'/o'\\''r/x'`],
  ]
  for (const [method, url, nearest, quoted] of rows) {
    const [path = ''] = url.split('?')
    t.strictSame(
      await explained(call({ method, url, headers: bearer(seller.token) })),
      noFix(refused(`${method} ${path}`) + nearest, 'unknown_path', stub(method, quoted ?? `'${path}'`)),
      url,
    )
  }
})

t.test('a path that is not emulated is explained in each language', async (t) => {
  const texts = {
    es: 'GET /seller-promotions/5 no está emulada: mercadito no tiene esa ruta (404). El servicio real tiene ahí promociones.',
    pt: 'GET /seller-promotions/5 não é emulada: o mercadito não tem esse caminho (404). O serviço real tem ali promoções.',
  }
  for (const [lang, text] of Object.entries(texts))
    t.equal((await explained(seller.get('/seller-promotions/5'), { query: `?lang=${lang}` })).text, text)
})

t.test('a wrong method has those of the path, and a read never becomes a write', async (t) => {
  const { seller, flex } = await flexFixtures(app).createFlexSeller()
  const path = paths.update('custom', 'MLA', seller.id, flex.service_id)
  const refused = (call: string) => `${call} was refused with 405 by the check “The path has this method”.`
  t.strictSame(await explained(seller.get(path)), noFix(`${refused(`GET ${path}`)} The path has OPTIONS, PUT.`))
  t.strictSame(
    await explained(call({ method: 'DELETE', url: '/users/me' })),
    noFix(`${refused('DELETE /users/me')} The path has GET, HEAD, OPTIONS.`),
  )
  t.strictSame(
    await explained(seller.post('/questions/search', { text: '¿Hay stock?' })),
    noFix(
      'POST /questions/search was refused with 405 by the check “The path has this method”. The path has GET, HEAD, OPTIONS.',
    ),
    'and no question about another listing is asked',
  )
  const read = call({ method: 'HEAD', url: '/users/x', headers: bearer(seller.token) })
  t.match((await explained(read)).text, 'user_id in the path was x. Allowed: an integer from 0.')
  t.strictSame(
    await explained(seller.put('/items/MLA1', { price: 5 })),
    noFix('PUT /items/MLA1 was refused with 404 by the check “The listing exists”. item_id in the path was MLA1.'),
    'a write has no other target',
  )
})

t.test('a body that is no JSON has the place of the error, and the same members as the fix', async (t) => {
  const { buyer, seller, item } = await fixtures.createParties()
  const question_id = await fixtures.ask(buyer, item)
  const headers = bearer(seller.token)
  const answer = (payload: string) => explained(call({ method: 'POST', url: '/answers', headers, payload }))
  const refused =
    'POST /answers was refused with 400 by the check “The body is a JSON object with question_id and text, and no other member”.'
  const fixed = (body: string) => ({
    text: `This would have worked: send this JSON as body. ${TRIED} 200.`,
    change: { kind: 'body', in: null, name: null, from: null, to: null },
    request: { method: 'POST', path: '/answers', headers: BEARER(seller.id), body },
    status: 200,
  })
  const members = `{"question_id":${question_id},"text":"Sí"}`
  const rows: [payload: string, fact: string, fix: string | null][] = [
    [`{'question_id':${question_id},'text':'Sí'}`, `unexpected "'" in line 1, column 2`, members],
    [`{question_id: ${question_id}, text: "Sí"}`, 'unexpected "q" in line 1, column 2', members],
    [`{\n  "question_id": ${question_id},\n  "text": "Sí",\n}`, 'unexpected "}" in line 4, column 1', members],
    [
      `question_id=${question_id}&text=Hoy`,
      'unexpected "q" in line 1, column 1',
      `{"question_id":"${question_id}","text":"Hoy"}`,
    ],
    [
      `{"question_id":${question_id},"text":"a\nb"}`,
      `unexpected "\\n" in line 1, column ${`${question_id}`.length + 26}`,
      null,
    ],
    [`{"question_id":1,"text":"Sí`, 'unexpected end in line 1, column 28', null],
    [`{"question_id":truth}`, 'unexpected "t" in line 1, column 19', null],
    [`😀`, 'unexpected "😀" in line 1, column 1', null],
    [`{'question_id':1,'text':'Sí'}`, `unexpected "'" in line 1, column 2`, null],
  ]
  for (const [payload, fact, fix] of rows) {
    const text = `${refused} The body is not JSON: ${fact}.`
    t.strictSame(await answer(payload), fix === null ? noFix(text) : { text, fix: fixed(fix), no_fix: null }, payload)
  }
  t.strictSame(await answer(''), noFix(`${refused} The body was empty.`))
  t.strictSame(await answer('[1]'), noFix(refused))
  t.equal((await seller.get(`/questions/${question_id}`)).body.status, 'UNANSWERED')
})

t.test('a text that is too long has its length, and keeps its question', async (t) => {
  const { buyer, seller, item } = await fixtures.createParties()
  const question_id = await fixtures.ask(buyer, item)
  const answer = (length: number, query = '') =>
    explained(seller.post('/answers', { question_id, text: 'é'.repeat(length) }), { query })
  const { text, fix } = await answer(2001)
  t.equal(
    text,
    'POST /answers was refused with 400 by the check “text is a text of 1 to 2,000 characters”. text had 2,001 of 2,000 characters.',
  )
  t.strictSame(JSON.parse(fix.request.body), { question_id, text: 'é'.repeat(2000) })
  t.match((await answer(2001, '?lang=es')).text, ' text tenía 2.001 de 2.000 caracteres.')
  t.match((await answer(2001, '?lang=pt')).text, ' text tinha 2.001 de 2.000 caracteres.')
  t.strictSame(
    await answer(9000),
    noFix(
      'POST /answers was refused with 400 by the check “text is a text of 1 to 2,000 characters”. text is not known: the body was not recorded, or only its beginning.',
      'unknown_body',
      'The body was not recorded, or only its beginning, so that the call cannot be tried.',
    ),
  )
})

t.test('an unknown member has the one that it may mean, and is not left out', async (t) => {
  const { buyer, seller, item } = await fixtures.createParties()
  const question = await fixtures.ask(buyer, item)
  const refused =
    'POST /answers was refused with 400 by the check “The body is a JSON object with question_id and text, and no other member”.'
  t.strictSame(
    await explained(seller.post('/answers', { question, text: 'Sí' })),
    noFix(`${refused} The body has no member question; did you mean question_id?`),
  )
  t.strictSame(
    await explained(seller.post('/answers', { question_id: question, text: 'Sí', urgent: true })),
    noFix(`${refused} The body has no member urgent.`),
  )
  const { seller: other, flex } = await flexFixtures(app).createFlexSeller()
  const path = paths.update('custom', 'MLA', other.id, flex.service_id)
  const weeks = { weeks: [{ from: 14, to: 21, capacity: 30, cutoff: 13 }] }
  t.strictSame(
    await explained(other.put(path, { delivery_window: 'same_day', delivery_ranges: weeks })),
    noFix(
      `PUT ${path} was refused with 400 by the check “The settings are allowed”. The body has no member delivery_ranges.weeks; did you mean week?`,
    ),
    'the deliveries are not switched off',
  )
})

t.test('a number out of range is replaced by the nearest one, and nothing else', async (t) => {
  const { seller, flex } = await flexFixtures(app).createFlexSeller()
  const path = paths.update('custom', 'MLA', seller.id, flex.service_id)
  const range = { from: 14, to: 21, capacity: 30, cutoff: 13 }
  const put = (changed: object) =>
    explained(seller.put(path, { delivery_window: 'same_day', delivery_ranges: { week: [{ ...range, ...changed }] } }))
  const { text, fix } = await put({ capacity: 99_999 })
  t.equal(
    text,
    `PUT ${path} was refused with 400 by the check “The settings are allowed”. delivery_ranges.week[0].capacity in the body was 99999. Allowed: an integer from 10 to 500.`,
  )
  t.strictSame(fix, {
    text: `This would have worked: send 500 as delivery_ranges.week[0].capacity. ${TRIED} 200.`,
    change: { kind: 'replace', in: 'body', name: 'delivery_ranges.week[0].capacity', from: '99999', to: '500' },
    request: {
      method: 'PUT',
      path,
      headers: BEARER(seller.id),
      body: JSON.stringify({
        delivery_window: 'same_day',
        delivery_ranges: { week: [{ ...range, capacity: 500 }] },
      }),
    },
    status: 200,
  })
  t.strictSame(
    (await put({ to: 27, capacity: 99_999 })).no_fix,
    { reason: 'none_found', text: 'There is none that changes only what the check names.' },
    'two faults have no fix',
  )
})

t.test('the sentence has the fault of the token', async (t) => {
  const other = (await control('POST /worlds', { scenario: 'empty' })).body
  const issue = async (body: object) => (await control('POST /tokens', body)).body.token as string
  const expired = await issue({ user_id: seller.id, expires_in: 60 })
  const expires_at = new Date(world.clock.now() + 60_000).toISOString()
  const revoked = await issue({ user_id: seller.id, expires_in: 600 })
  await control(`DELETE /tokens/${revoked}`)
  await control('POST /clock/advance', { by: 'PT2M' })
  const never = revoked.replace(/-([0-9a-f]{8})[0-9a-f]{24}-/, `-$1${'0'.repeat(24)}-`)
  const foreign = other.sellers[0].token as string
  const refused = 'was refused with 401 by the check “A valid token is sent”.'
  const fix = {
    text: `This would have worked: send the token of user ${seller.id}. ${TRIED} 200.`,
    change: { kind: 'token', in: null, name: null, from: null, to: String(seller.id) },
    request: { method: 'GET', path: '/users/me', headers: BEARER(seller.id), body: null },
    status: 200,
  }
  const malformed = 'The token is not shaped like one: Bearer APP_USR-<application>-<MMDDHH>-<32 hex digits>-<user>.'
  const rows: [authorization: string | undefined, fact: string][] = [
    [undefined, 'authorization is missing in the headers.'],
    [`Bearer ${expired}`, `The token expired at ${expires_at}.`],
    [`Bearer ${revoked}`, 'The token was revoked: by a control call, or because its user has changed the password.'],
    [`Bearer ${never}`, 'The token is unknown: this world has issued none with this text.'],
    ['Bearer TG-0000000159-5', malformed],
    [revoked, malformed],
  ]
  for (const [authorization, fact] of rows) {
    const headers = authorization === undefined ? {} : { authorization }
    t.strictSame(
      await explained(call({ url: '/users/me', headers })),
      { text: `GET /users/me ${refused} ${fact}`, fix, no_fix: null },
      fact,
    )
  }
  const atOther = await explained(call({ url: '/w/1/users/me', headers: bearer(foreign) }))
  t.equal(
    atOther.text,
    `GET /users/me ${refused} The token is of world ${other.world.id}, and the call went to world 1.`,
  )
  const facts = {
    es: 'El token fue revocado: por una llamada de control,',
    pt: 'O token foi revogado: por uma chamada de controle,',
  }
  for (const [lang, fact] of Object.entries(facts)) {
    const sent = call({ url: '/users/me', headers: bearer(revoked) })
    t.match((await explained(sent, { query: `?lang=${lang}` })).text, fact)
  }
  const write = call({
    method: 'POST',
    url: '/answers',
    headers: bearer(expired),
    payload: '{}',
  })
  t.strictSame(
    await explained(write),
    noFix(
      `POST /answers ${refused} The token expired at ${expires_at}.`,
      'unknown_body',
      'The body was not recorded, or only its beginning, so that the call cannot be tried.',
    ),
  )
  for (const url of [
    '/vis/loans/search',
    `/users/${seller.id}/contacts/questions?date_from=2026-01-01&date_to=2026-02-01`,
  ])
    t.match(
      (await explained(call({ url, headers: bearer(revoked) }))).text,
      'The token was revoked: by a control call, or because its user has changed the password.',
    )
})

t.test('the data of another user has the token of its owner, a question that is gone another question', async (t) => {
  const { buyer, seller, item } = await fixtures.createParties()
  const [gone, waiting] = [await fixtures.ask(buyer, item), await fixtures.ask(buyer, item, '¿Y ahora?')]
  const foreign = sellers[1]!
  const body = { question_id: waiting, text: 'Sí' }
  const fixOf = (fix: string, change: object, question_id = waiting) => ({
    text: `This would have worked: ${fix}. ${TRIED} 200.`,
    change,
    request: {
      method: 'POST',
      path: '/answers',
      headers: BEARER(seller.id),
      body: JSON.stringify({ question_id, text: 'Sí' }),
    },
    status: 200,
  })
  t.strictSame(await explained(foreign.post('/answers', body)), {
    text: `POST /answers was refused with 403 by the check “The question is about a listing of the caller”. question_id in the body was ${waiting}.`,
    fix: fixOf(`send the token of user ${seller.id}`, {
      ...{ kind: 'token', in: null, name: null, from: String(foreign.id), to: String(seller.id) },
    }),
    no_fix: null,
  })
  await seller.delete(`/questions/${gone}`)
  t.strictSame(await explained(seller.post('/answers', { question_id: gone, text: 'Sí' })), {
    text: `POST /answers was refused with 400 by the check “The question is not banned, deleted or under review”. question_id in the body was ${gone}.`,
    fix: fixOf(`send ${waiting} as question_id`, {
      ...{ kind: 'replace', in: 'body', name: 'question_id', from: String(gone), to: String(waiting) },
    }),
    no_fix: null,
  })
})

t.test('a parameter has the nearest allowed value, or is left out', async (t) => {
  const query = (params: string) => `/questions/search?${params}`
  const limits = 'an integer from 0 to 100'
  const statuses = 'one of ANSWERED, BANNED, CLOSED_UNANSWERED, DELETED, DISABLED, UNANSWERED, UNDER_REVIEW'
  const rows: [sent: string, was: string, allowed: string, fix: string, path: string][] = [
    ['limit=500', 'limit in the query was 500', limits, 'send 100 as limit', query('limit=100')],
    ['limit=5x', 'limit in the query was 5x', limits, 'leave out limit', '/questions/search'],
    [
      ...(['status=unanswerd&limit=2', 'status in the query was unanswerd', statuses] as const),
      ...(['send UNANSWERED as status', query('status=UNANSWERED&limit=2')] as const),
    ],
  ]
  for (const [sent, was, allowed, fix, path] of rows)
    t.match(await explained(seller.get(query(sent))), {
      text: `GET /questions/search was refused with 400 by the check “The parameters of the query are allowed”. ${was}. Allowed: ${allowed}.`,
      fix: { text: `This would have worked: ${fix}. ${TRIED} 200.`, request: { method: 'GET', path, body: null } },
      no_fix: null,
    })
  const site = await explained(seller.get('/sites/MLAA'))
  t.match(site.fix, { text: /^This would have worked: send MLA as id\./, request: { path: '/sites/MLA' } })
  const callback = await explained(seller.get('/sites/MLA?callback=a-b'))
  t.match(callback.fix, { text: /^This would have worked: leave out callback\./, request: { path: '/sites/MLA' } })
})

t.test('a write by JSONP stays one', async (t) => {
  const { buyer, seller, item } = await fixtures.createParties()
  const waiting = await fixtures.ask(buyer, item)
  const sent = encodeURIComponent('{"question_id":"x","text":"a"}')
  const { fix } = await explained(
    seller.get(`/answers?callback=f&_method=POST&_body=${sent}`).then((answer) => ({ ...answer, status: 400 })),
  )
  t.equal(fix.request.method, 'GET')
  t.equal(
    decodeURIComponent(fix.request.path),
    `/answers?callback=f&_method=POST&_body={"question_id":${waiting},"text":"a"}`,
  )
})
