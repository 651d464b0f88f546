import t from 'tap'
import { NOW, start } from '../support/app.ts'

const app = await start(t)
const { control, call, world, sellers, buyers } = app
const [seller, buyer, other] = [sellers[0]!, buyers[0]!, sellers[1]!]
const ITEM = 'MLA1400000001'
const HOUR = 3_600_000

/**
 * Answers of a call that is asked often, and of the same call asked for the first time: unknown parameters are ignored.
 */
let fresh = 0
async function both(url: string, headers: Record<string, string> = {}) {
  const often = () => call({ url, headers })
  await often()
  await often()
  const kept = await often()
  const once = await call({ url: `${url}${url.includes('?') ? '&' : '?'}unknown=${fresh++}`, headers })
  return { kept, once }
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

t.test('an answer that is given again is the same to the letter, headers and all', async (t) => {
  const urls: [url: string, headers: Record<string, string>][] = [
    [`/questions/search?seller_id=${seller.id}&limit=50`, bearer(seller.token)],
    [`/items/${ITEM}/contacts/questions/time_window?last=30&unit=day`, bearer(seller.token)],
    ['/users/me', bearer(seller.token)],
    ['/currencies', {}],
    [`/questions/search?seller_id=${seller.id}&attributes=total,limit`, bearer(seller.token)],
    [`/questions/search?seller_id=${seller.id}&limit=50&callback=hola`, bearer(seller.token)],
    [`/items/${ITEM}?access_token=${seller.token}`, {}],
    [
      `/vis/loans/search?seller_id=${seller.id}&date_from=2026-03-01T00:00:00&date_to=2026-03-07T00:00:00&status=all`,
      bearer(seller.token),
    ],
  ]
  for (const [url, headers] of urls) {
    const { kept, once } = await both(url, headers)
    t.equal(kept.status, 200, url)
    t.strictSame([kept.text, kept.status], [once.text, once.status])
    const { date: _1, ...sent } = kept.headers
    const { date: _2, ...asOnce } = once.headers
    t.strictSame(sent, asOnce)
  }
})

t.test('each gets their own', async (t) => {
  const own = async (token?: string) => {
    const answer = await call({ url: '/users/me', headers: token ? bearer(token) : {} })
    return answer.body.id ?? answer.status
  }
  for (let round = 0; round < 3; round++) {
    t.strictSame(
      [await own(seller.token), await own(other.token), await own(buyer.token), await own(), await own('APP_USR-no')],
      [seller.id, other.id, buyer.id, 401, 401],
    )
  }
  const { body: made } = await control('POST /worlds', { scenario: 'demo', now: '2026-03-02T12:00:00Z' })
  const total = async (base: string, token: string) =>
    (await call({ url: `${base}/questions/search?limit=1`, headers: bearer(token) })).body.total
  for (let round = 0; round < 3; round++) {
    const here = await total('', seller.token)
    const there = await total(`/w/${made.world.id}`, made.sellers[0].token)
    t.ok(here > there && there > 0, 'a world of another day')
  }
})

t.test('a header that an answer comes from makes another', async (t) => {
  const url = `/vis/loans/search?seller_id=${seller.id}&date_from=2026-03-01T00:00:00&date_to=2026-03-07T00:00:00&status=all`
  const plain = await both(url, bearer(seller.token))
  const sandbox = await both(url, { ...bearer(seller.token), 'x-sandbox': 'true' })
  t.not(plain.kept.text, sandbox.kept.text)
  t.equal(plain.kept.text, plain.once.text)
  t.equal(sandbox.kept.text, sandbox.once.text)
})

t.test('what is written shows at once', async (t) => {
  const url = `/questions/search?item=${ITEM}&limit=1`
  for (let n = 0; n < 5; n++) {
    const before = (await both(url, bearer(seller.token))).kept.body
    const { body: asked } = await buyer.post('/questions', { item_id: ITEM, text: `¿Hay stock? (${n})` })
    const after = (await seller.get(url)).body
    t.strictSame([after.total, after.questions[0].id], [before.total + 1, asked.id])
    await seller.post('/answers', { question_id: asked.id, text: 'Sí' })
    t.equal((await seller.get(url)).body.questions[0].status, 'ANSWERED')
  }
})

t.test('a token that is taken back, a fault, a switch', async (t) => {
  const url = '/users/me'
  const { body: made } = await control('POST /tokens', { user_id: seller.id })
  const token = made.access_token ?? made.token
  t.equal((await both(url, bearer(token))).kept.status, 200)
  await control(`DELETE /tokens/${token}`)
  t.equal((await call({ url, headers: bearer(token) })).status, 401)

  const series = `/items/${ITEM}/contacts/questions/time_window?last=2&unit=day`
  const { kept } = await both(series)
  await control('PATCH /assumptions/contacts.current_bucket', { value: 'exclude' })
  const excluded = await both(series)
  t.not(excluded.kept.text, kept.text)
  t.equal(excluded.kept.text, excluded.once.text)
  await control('PATCH /assumptions/contacts.current_bucket', { value: 'include' })
  t.equal((await call(series)).text, kept.text)

  const { body: rule } = await control('POST /faults', { match: { path: '/items/**' }, action: { status: 503 } })
  t.equal((await call(series)).status, 503)
  await control(`DELETE /faults/${rule.id}`)
  t.equal((await call(series)).text, kept.text)
})

t.test('a token that was valid a moment ago lasts as long as its life', async (t) => {
  const { body: made } = await control('POST /tokens', { user_id: seller.id, expires_in: 60 })
  const status = async (url: string) => (await call({ url, headers: bearer(made.token) })).status
  const all = async () => [await status('/users/me'), await status('/users/me'), await status('/currencies')]
  const at = (ms: number) => world.clock.applySetting({ mode: 'frozen', ms: NOW + ms })
  t.strictSame(await all(), [200, 200, 200])
  at(59_999)
  t.strictSame(await all(), [200, 200, 200])
  // Nothing is written meanwhile.
  at(60_000)
  t.strictSame(await all(), [401, 401, 401])
  at(0)
  t.strictSame(await all(), [200, 200, 200])
  await control(`PATCH /tokens/${made.token}`, { expires_in: 120 })
  at(60_000)
  t.strictSame(await all(), [200, 200, 200])
  at(0)
})

t.test('it lasts as long as the time that it was read from', async (t) => {
  const { clock } = world
  const series = `/items/${ITEM}/contacts/questions/time_window?last=1&unit=hour`
  const from = async () => (await both(series)).kept.body.date_from
  const at = (ms: number) => clock.applySetting({ mode: 'frozen', ms: NOW + ms })
  t.equal(await from(), '2026-03-07T15:00:00Z')
  at(HOUR - 1)
  t.equal(await from(), '2026-03-07T15:00:00Z')
  at(HOUR)
  t.equal(await from(), '2026-03-07T16:00:00Z')
  at(0)
  t.equal(await from(), '2026-03-07T15:00:00Z')

  const report = `/users/${seller.id}/questions/response_time`
  const texts = new Set<string>()
  for (const ms of [0, 1, 6 * HOUR, 7 * 24 * HOUR]) {
    at(ms)
    const { kept, once } = await both(report, bearer(seller.token))
    t.equal(kept.text, once.text)
    texts.add(kept.text)
  }
  t.ok(texts.size >= 3, 'what counts each minute comes anew')

  // Over the full hour on a running clock: one of the two that stand around it.
  clock.applySetting({ mode: 'shifted', ms: NOW + HOUR - 20 - Date.now() })
  while (clock.now() < NOW + HOUR + 5) {
    const once = () => call(`${series}&unknown=${fresh++}`)
    const [before, kept, after] = [(await once()).text, (await call(series)).text, (await once()).text]
    t.ok(kept === before || kept === after)
  }
  at(0)
})

interface Entry {
  id: number
  at: string
  response: { ms: number }
}

t.test('each call stands in the journal, with its answer', async (t) => {
  await control('DELETE /requests')
  const url = `/questions/search?seller_id=${seller.id}&limit=50`
  for (let n = 0; n < 3; n++) await seller.get(url)
  const { results } = (await control('GET /requests')).body
  t.equal(results.length, 3)
  const [first, ...more] = results.map(({ id, at, response: { ms, ...response }, ...entry }: Entry) => ({
    ...entry,
    response,
  }))
  t.match(first, { path: '/questions/search', response: { status: 200 } })
  t.strictSame(more, [first, first])
})

t.test('nothing went wrong unseen', async (t) => {
  t.strictSame(app.faults, [])
})
