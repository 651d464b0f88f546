import t from 'tap'
import { readDuration } from '../../domains/shared/durations.ts'
import { badRequest, bearer, MINUTE, start } from '../support/app.ts'

const app = await start(t)
const { control, application, seller } = app
const START = '2026-03-07T15:00:00.000Z'
t.beforeEach(() => control('PUT /clock', { mode: 'frozen', now: START }))

const put = async (body: unknown) => (await control('PUT /clock', body)).body
const advance = async (by: string) => (await control('POST /clock/advance', { by })).body
/** Ms from `from` to `to`, the instant of an answer. */
const elapsed = (from: string | number, to: string) => Date.parse(to) - new Date(from).getTime()

t.test('reads, sets, freezes and resumes the clock', async (t) => {
  t.strictSame((await control('GET /clock')).body, { mode: 'frozen', now: START })
  t.strictSame(await put({ mode: 'frozen', now: '2026-05-01T00:00:00-04:00' }), {
    mode: 'frozen',
    now: '2026-05-01T04:00:00.000Z',
  })
  const resumed = await put({ mode: 'shifted' })
  t.equal(resumed.mode, 'shifted')
  t.ok(elapsed('2026-05-01T04:00:00Z', resumed.now) < MINUTE, 'continues from the frozen instant')
  const moved = await put({ mode: 'shifted', now: '2026-06-01T00:00:00Z' })
  t.ok(elapsed('2026-06-01T00:00:00Z', moved.now) < MINUTE)
  const stopped = await put({ mode: 'frozen' })
  t.ok(elapsed('2026-06-01T00:00:00Z', stopped.now) < MINUTE, 'stops at the current instant')
  t.strictSame((await control('GET /clock')).body, stopped)
  const real = await put({ mode: 'real' })
  t.equal(real.mode, 'real')
  t.ok(Math.abs(elapsed(Date.now(), real.now)) < MINUTE)
})

t.test('advances by a duration, forwards and back', async (t) => {
  t.strictSame(await advance('P1DT2H'), { mode: 'frozen', now: '2026-03-08T17:00:00.000Z' })
  t.strictSame(await advance('-P1W'), { mode: 'frozen', now: '2026-03-01T17:00:00.000Z' })
  await put({ mode: 'real' })
  const advanced = await advance('PT1H')
  t.equal(advanced.mode, 'shifted')
  t.ok(Math.abs(elapsed(Date.now() + 60 * MINUTE, advanced.now)) < MINUTE)
})

t.test('stops at the last instant of the year 9999, and such dates can still be read', async (t) => {
  const end = '9999-12-31T23:59:59.999Z'
  t.strictSame(await put({ mode: 'shifted', now: end }), { mode: 'shifted', now: end })
  t.strictSame((await control('GET /clock')).body, { mode: 'shifted', now: end })
  const { body } = await control('POST /tokens', { user_id: seller.id, expires_in: 3600 })
  t.match(body, { expires_at: end, valid: true })
  t.match(await advance('-PT36H'), { mode: 'shifted', now: /^9999-12-30T/ })
})

t.test('applies every one of several concurrent moves', async (t) => {
  await Promise.all(Array.from({ length: 20 }, () => advance('PT1M')))
  t.strictSame((await control('GET /clock')).body, { mode: 'frozen', now: '2026-03-07T15:20:00.000Z' })
})

t.test('expires tokens and dates questions by the world’s clock', async (t) => {
  const me = async () => (await app.call({ url: '/users/me', headers: bearer(token) })).status
  const authorize = new URLSearchParams({
    response_type: 'code',
    client_id: String(application.id),
    redirect_uri: application.redirect_uri,
    user_id: String(seller.id),
  })
  const page = await app.call({ method: 'POST', url: '/authorization', payload: authorize.toString() })
  const code = new URL(String(page.headers.location)).searchParams.get('code')
  const answer = await app.call({
    method: 'POST',
    url: '/oauth/token',
    payload: JSON.stringify({
      grant_type: 'authorization_code',
      client_id: application.id,
      client_secret: application.secret,
      code,
      redirect_uri: application.redirect_uri,
    }),
  })
  const token = answer.body.access_token
  t.equal(await me(), 200)
  await advance('PT6H')
  t.equal(await me(), 401, 'expired after six hours')
  await advance('-PT1S')
  t.equal(await me(), 200, 'valid again a second earlier')
  await put({ mode: 'frozen', now: '2026-04-01T12:00:00Z' })
  const question = await app.buyers[0]!.post('/questions', { item_id: 'MLA1400000001', text: 'Hoy' })
  t.equal(question.body.date_created, '2026-04-01T08:00:00.000-04:00')
})

const DURATION = 'by: must be a duration, such as 2h30m, 90s, 1d, PT2H30M, or whole ms'
const INVALID: [call: string, body: unknown, message: string][] = [
  ['PUT /clock', { mode: 'real', now: START }, 'now: real time cannot be set; use shifted or frozen'],
  [
    'PUT /clock',
    { mode: 'frozen', now: '2026-02-30' },
    'now: must be an ISO 8601 date-time, for example 2026-03-01T00:00:00.000-04:00',
  ],
  [
    'PUT /clock',
    { mode: 'frozen', now: '1969-12-31T23:59:59Z' },
    'now: the world’s time must stay between the years 1970 and 9999',
  ],
  ['POST /clock/advance', { by: 'P1M' }, DURATION],
  ['POST /clock/advance', { by: `P${'9'.repeat(30)}D` }, DURATION],
  ['POST /clock/advance', { by: 'P4000000D' }, 'by: the world’s time must stay between the years 1970 and 9999'],
  ['POST /clock/advance', { by: '-P4000000D' }, 'by: the world’s time must stay between the years 1970 and 9999'],
]
for (const [call, body, message] of INVALID)
  t.test(`${call} ${JSON.stringify(body)} is rejected: ${message}`, async (t) => {
    const { status, body: answer } = await control(call, body)
    t.strictSame([status, answer], [400, badRequest(message)])
    t.strictSame((await control('GET /clock')).body, { mode: 'frozen', now: START })
  })

t.test('moves by a duration in each form', async (t) => {
  for (const by of ['PT2H', '2h', 7_200_000, '7200000ms']) {
    await control('PUT /clock', { mode: 'frozen', now: START })
    t.match((await control('POST /clock/advance', { by })).body, { mode: 'frozen', now: '2026-03-07T17:00:00.000Z' })
  }
})

t.test('reads durations', async (t) => {
  const hour = 3_600_000
  const cases: [text: string, ms: number | undefined][] = [
    ['PT2H', 2 * hour],
    ['pt2h', 2 * hour],
    ['P1DT30M', 24.5 * hour],
    ['P2W', 14 * 24 * hour],
    ['PT0.5S', 500],
    ['PT1,25S', 1250],
    ['-PT1S', -1000],
    ['+PT1S', 1000],
    ['PT0S', 0],
    ['P', undefined],
    ['PT', undefined],
    ['P1DT', undefined],
    ['1D', 24 * hour],
    ['2h30m', 2.5 * hour],
    ['1w1d1s', 192 * hour + 1000],
    ['1.5s', 1500],
    ['-2h', -2 * hour],
    ['500ms', 500],
    ['500', 500],
    ['-500', -500],
    ['2h1d', undefined],
    ['1.5h', undefined],
    ['9'.repeat(17), undefined],
    ['-', undefined],
    ['P1Y', undefined],
    ['P1M', undefined],
    ['PT1M1H', undefined],
    ['PT1.5H', undefined],
    ['', undefined],
  ]
  for (const [text, ms] of cases) t.equal(readDuration(text), ms, text)
})
