import t from 'tap'
import { badRequest, bearer, errorBody, NOON, start, valuesOf } from '../support/app.ts'
import { receiver } from '../support/receiver.ts'

const app = await start(t)

const NOTHING = { total: 0, groups: [], results: [] }
const nothingDue = errorBody(409, 'conflict', 'to: nothing is due in this world')

/** A new world without anything that is due, and its calls. */
async function createWorld(now = NOON) {
  const world = await app.createWorld({ scenario: 'empty', now })
  const run = async (path: string, body?: object) => (await world.control(path, body)).body
  await run('POST /items', { seller_id: world.seller.id, id: 'MLA1' })
  return {
    ...world,
    run,
    due: (query = '') => run(`GET /clock/due${query}`),
    next: (body: object = {}) => world.control('POST /clock/advance', { to: 'next', ...body }),
  }
}

t.test('nothing is due in a new world', async (t) => {
  const { due, next, run } = await createWorld()
  t.strictSame(await due(), NOTHING)
  const { status, body } = await next()
  t.equal(status, 409)
  t.strictSame(body, nothingDue)
  t.strictSame(await run('GET /clock'), { mode: 'frozen', now: NOON }, 'the clock has not moved')
})

t.test('lists what is due in order, and moves from one to the next', async (t) => {
  const { seller, buyer, application, run, due, next, call } = await createWorld()
  const { get } = seller
  const { url, received } = await receiver(t, (response) => response.writeHead(received.length < 3 ? 500 : 200).end())
  await run(`PUT /applications/${application.id}/notifications`, { callback_url: url, topics: ['items'] })
  const token = await run('POST /tokens', { user_id: buyer.id, expires_in: 3600, refresh: true })
  const lead = await run('POST /loans', { item_id: 'MLA1', buyer_id: buyer.id, status: 'approved' })
  const expired = await run('POST /loans', { item_id: 'MLA1', buyer_id: buyer.id, expired: true })
  const question = await run('POST /questions', { item_id: 'MLA1', from: buyer.id, text: '¿Hay?' })
  await run('POST /questions', { item_id: 'MLA1', from: buyer.id, text: '¿Hay?', answer: { text: 'Sí' } })
  const parameters = `response_type=code&client_id=${application.id}&redirect_uri=${encodeURIComponent(application.redirect_uri)}`
  await call({ method: 'POST', url: '/authorization', payload: `${parameters}&user_id=${buyer.id}` })
  await run('PATCH /items/MLA1', { status: 'paused' })
  await run('POST /settle')

  const attempt = {
    kind: 'attempt',
    effect: 'sent',
    id: 1,
    resource: '/items/MLA1',
    user_id: seller.id,
    application_id: application.id,
  }
  const secret = { effect: 'expires', id: null, resource: null, user_id: buyer.id, application_id: application.id }
  const ofLead = ({ id }: { id: string }, effect: string) => ({
    ...{ kind: 'lead', effect, id, resource: `/vis/loans/${id}`, user_id: seller.id, application_id: null, n: null },
  })
  const expected = [
    { at: '2026-03-02T12:00:15.000Z', ...attempt, n: 2 },
    { at: '2026-03-02T12:10:00.000Z', kind: 'code', ...secret, n: null },
    { at: '2026-03-02T13:00:00.000Z', kind: 'token', ...secret, n: null },
    { at: '2026-04-01T12:00:00.000Z', ...ofLead(lead, 'expires') },
    { at: '2026-06-02T12:00:00.001Z', ...ofLead(lead, 'unlisted') },
    { at: '2026-06-02T12:00:00.001Z', ...ofLead(expired, 'unlisted') },
    { at: '2026-09-02T12:00:00.000Z', kind: 'refresh_token', ...secret, n: null },
    {
      ...{ at: '2026-10-02T12:00:00.001Z', kind: 'question', effect: 'gone', id: question.id },
      ...{ resource: `/questions/${question.id}`, user_id: seller.id, application_id: null, n: null },
    },
  ]
  const byId = (a: { at: string; id: unknown }, b: { at: string; id: unknown }) =>
    a.at.localeCompare(b.at) || String(a.id).localeCompare(String(b.id))
  const list = await due()
  const groups = [
    { kind: 'attempt', effect: 'sent', count: 1 },
    { kind: 'code', effect: 'expires', count: 1 },
    { kind: 'lead', effect: 'expires', count: 1 },
    { kind: 'lead', effect: 'unlisted', count: 2 },
    { kind: 'question', effect: 'gone', count: 1 },
    { kind: 'refresh_token', effect: 'expires', count: 1 },
    { kind: 'token', effect: 'expires', count: 1 },
  ]
  const byEffect = (a: object, b: object) => JSON.stringify(a).localeCompare(JSON.stringify(b))
  const sorted = { groups: list.groups.sort(byEffect), results: list.results.sort(byId) }
  t.strictSame({ ...list, ...sorted }, { total: 8, groups, results: [...expected].sort(byId) })
  t.match(await due('?limit=2'), { total: 8, results: expected.slice(0, 2) })
  t.match(await due('?limit=0'), { total: 8, results: [] })
  const soon = await due('?until=2026-03-02T13:00:00Z')
  t.match(soon, { total: 3, results: expected.slice(0, 3) }, 'inclusive')
  t.strictSame(soon.groups.sort(byEffect), [groups[0], groups[1], groups[6]])
  const leads = await due('?kind=lead&limit=1')
  t.strictSame([leads.total, leads.results], [3, [expected[3]]])
  t.equal(leads.groups.length, groups.length, 'those of all kinds')
  t.strictSame(await due('?until=2026-03-02T12:00:00Z'), NOTHING)

  const advance = async () => {
    const { status, body } = await next()
    t.equal(status, 200, JSON.stringify(body))
    return body
  }
  const statusOfToken = async () => (await call({ url: '/users/me', headers: bearer(token.token) })).status
  const frozen = { mode: 'frozen' }
  t.strictSame(await advance(), { ...frozen, now: expected[0]!.at, due: [expected[0]] })
  t.equal(received.length, 2, 'the attempt was made')
  // It failed, so that the next one is due 45 s later.
  const third = { at: '2026-03-02T12:01:00.000Z', ...attempt, n: 3 }
  t.strictSame((await due()).results[0], third)
  t.strictSame(await advance(), { ...frozen, now: third.at, due: [third] })
  t.strictSame(await advance(), { ...frozen, now: expected[1]!.at, due: [expected[1]] }, 'it was delivered')
  t.equal(await statusOfToken(), 200)
  t.strictSame(await advance(), { ...frozen, now: expected[2]!.at, due: [expected[2]] })
  t.equal(await statusOfToken(), 401)
  t.equal((await get(`/vis/loans/${lead.id}?seller_id=${seller.id}`)).status, 200)
  t.strictSame(await advance(), { ...frozen, now: expected[3]!.at, due: [expected[3]] })
  t.equal((await get(`/vis/loans/${lead.id}?seller_id=${seller.id}`)).status, 410)
  const dates = 'date_from=2026-03-02T00:00:00&date_to=2026-06-02T00:00:00'
  const found = async () =>
    (await get(`/vis/loans/search?seller_id=${seller.id}&${dates}&status=all`)).body.paging.total
  t.equal(await found(), 2)
  const { due: both, ...clock } = await advance()
  t.strictSame(clock, { ...frozen, now: expected[4]!.at })
  t.strictSame(both.sort(byId), expected.slice(4, 6).sort(byId), 'all that is due at that instant')
  t.equal(await found(), 0)
  await advance()
  t.equal((await get(`/questions/${question.id}`)).status, 200)
  t.strictSame(await advance(), { ...frozen, now: expected[7]!.at, due: [expected[7]] })
  t.equal((await get(`/questions/${question.id}`)).status, 404)
  t.strictSame((await next()).body, nothingDue)
  t.strictSame(await due(), NOTHING)

  await run('PUT /clock', { mode: 'frozen', now: '2026-03-02T11:00:00Z' })
  const listed = (await due()).results.filter(({ effect }: { effect: string }) => effect === 'listed')
  t.strictSame(valuesOf(listed, 'at'), [NOON, NOON], 'leads that are dated later')
})

t.test('a question is gone in the month that has no such day', async (t) => {
  for (const [asked, at] of [
    ['2026-07-31T12:00:00Z', '2027-03-01T00:00:00.000Z'],
    ['2026-07-28T12:00:00Z', '2027-02-28T12:00:00.001Z'],
    ['2026-07-29T12:00:00Z', '2027-03-01T00:00:00.000Z'],
    ['2026-01-31T12:00:00Z', '2026-08-31T12:00:00.001Z'],
  ] as const) {
    const { run, seller, buyer, due, next } = await createWorld(asked)
    const { id } = await run('POST /questions', { item_id: 'MLA1', from: buyer.id, text: '¿Hay?' })
    const before = new Date(Date.parse(at) - 1).toISOString()
    await run('PUT /clock', { mode: 'frozen', now: before })
    t.equal((await seller.get(`/questions/${id}`)).status, 200, asked)
    t.match(await due(), { total: 1, results: [{ at, id }] })
    t.match((await next()).body, { now: at })
    t.equal((await seller.get(`/questions/${id}`)).status, 404, asked)
  }
  // From 29 September on, seven months earlier is 28 February again.
  const { run, seller, buyer, due } = await createWorld('2026-02-28T12:00:00Z')
  const { id } = await run('POST /questions', { item_id: 'MLA1', from: buyer.id, text: '¿Hay?' })
  await run('PUT /clock', { mode: 'frozen', now: '2026-09-29T01:00:00Z' })
  t.equal((await seller.get(`/questions/${id}`)).status, 200)
  t.match(await due(), { total: 1, results: [{ at: '2026-09-29T12:00:00.001Z' }] })
  await run('PATCH /assumptions/questions.unanswered_life', { value: 'forever' })
  t.strictSame(await due(), NOTHING, 'as the switch says')
})

t.test('a running clock runs on from there; moves at the same time reach one instant after the other', async (t) => {
  const { run, buyer, next } = await createWorld()
  await run('PUT /clock', { mode: 'real' })
  for (const hours of [1, 2, 3]) await run('POST /tokens', { user_id: buyer.id, expires_in: hours * 3600 })
  const answers = await Promise.all([next(), next(), next({ wait: 5 }), next()])
  t.strictSame(answers.map(({ status }) => status).sort(), [200, 200, 200, 409])
  const moved = answers.filter(({ status }) => status === 200)
  t.equal(new Set(moved.map(({ body }) => body.due[0].at)).size, 3)
  for (const { body } of moved) {
    t.equal(body.mode, 'shifted')
    t.equal(body.due.length, 1)
    t.ok(Date.parse(body.now) >= Date.parse(body.due[0].at))
  }
})

t.test('answers at most 100 entries of one instant', async (t) => {
  const { run, buyer, due, next } = await createWorld()
  for (let n = 0; n < 102; n++) await run('POST /tokens', { user_id: buyer.id, expires_in: 60 })
  t.equal((await due('?limit=1')).total, 102)
  t.equal((await due('?limit=1000')).results.length, 102)
  t.equal((await next()).body.due.length, 100)
  t.equal((await due()).total, 0)
})

t.test('a move that waits answers 202', async (t) => {
  const { run, application, next, due } = await createWorld()
  const arrived = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const { url } = await receiver(t, async (response, _, n) => {
    if (n === 2) {
      arrived.resolve()
      await release.promise
    }
    response.writeHead(n === 2 ? 200 : 500).end()
  })
  await run(`PUT /applications/${application.id}/notifications`, { callback_url: url, topics: ['items'] })
  await run('PATCH /items/MLA1', { status: 'paused' })
  await run('POST /settle')
  const [entry] = (await due()).results
  const moving = next({ wait: 0 })
  await arrived.promise
  const { status, body } = await moving
  t.equal(status, 202)
  t.strictSame(body, { mode: 'frozen', now: body.now, pending: 1, due: body.due })
  release.resolve()
  await run('POST /settle')
  t.strictSame(await run('GET /clock'), { mode: 'frozen', now: entry.at })
})

t.test('rejects invalid calls', async (t) => {
  const { run } = await createWorld()
  const instant = 'must be an ISO 8601 date-time, for example 2026-03-01T00:00:00.000-04:00'
  for (const [path, body, message] of [
    ['GET /clock/due?until=soon', undefined, `until: ${instant}`],
    ['POST /clock/advance', { to: 'next', by: '1h' }, 'to: cannot be combined with by'],
  ] as const)
    t.strictSame(await run(path, body), badRequest(message))
  t.equal((await app.control('GET /clock/due', undefined, '/w/99')).status, 404)
})

t.test('agrees with the rows of a demo world', async (t) => {
  const { control } = app
  const { total, results } = (await control('GET /clock/due?limit=1000')).body
  t.equal(results.length, Math.min(total, 1000))
  const times = valuesOf(results, 'at')
  t.strictSame(times, times.toSorted())
  const countOf = (kind: string, effect: string) =>
    results.filter((entry: { kind: string; effect: string }) => entry.kind === kind && entry.effect === effect).length
  const totalOf = async (path: string) => (await control(`GET ${path}&limit=0`)).body.paging.total
  t.equal(countOf('lead', 'expires'), await totalOf('/loans?expired=false'))
  t.equal(countOf('question', 'gone'), await totalOf('/questions?status=UNANSWERED'))
  t.ok(countOf('lead', 'unlisted') > 50)
})
