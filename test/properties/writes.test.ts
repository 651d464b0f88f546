import { setImmediate } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { DEFAULT_WORLD } from '../../db/worlds.ts'
import { bearer, DAY, HOUR, iso, start } from '../support/app.ts'
import fc from '../support/property.ts'
import { sizeOr } from '../support/torture.ts'

// After random writes, the totals of searches and the report are compared with the questions, series with the contacts, and
// cached answers with computed ones. An unknown parameter is ignored by the API but gives another cache key.

const SEQUENCES = sizeOr(4)
const STEPS = 16

const app = await start(t)
const { worlds, control, call, sellers, buyers } = app
const [seller, buyer] = [sellers[0]!, buyers[0]!]
const LISTINGS = ['MLA1400000001', 'MLA1400000002']
const STATUSES = ['ANSWERED', 'BANNED', 'CLOSED_UNANSWERED', 'DELETED', 'DISABLED', 'UNANSWERED', 'UNDER_REVIEW']

async function rows<Row>(text: string): Promise<Row[]> {
  const world = (await worlds.acquire(DEFAULT_WORLD))!
  try {
    return world.read.db.all<Row>(sql.raw(text))
  } finally {
    worlds.release(world)
  }
}
const now = async () => Date.parse((await control('GET /clock')).body.now)

/** The newest questions, which the random steps have written. */
async function nthQuestion(n: number): Promise<number> {
  const ids = await rows<{ id: number }>(
    `SELECT id FROM question WHERE seller_id = ${seller.id} ORDER BY id DESC LIMIT 12`,
  )
  return ids[n % Math.max(1, ids.length)]?.id ?? 1
}

let searches = 0
async function expectSearches(from: number, to: number): Promise<void> {
  const until = (await now()) + 2 * DAY - from
  const since = until - to
  for (const [query, condition] of [
    ['', `status NOT IN ('DELETED', 'BANNED')`],
    ['&status=DELETED', `status = 'DELETED'`],
    [`&date_created.from=${iso(since)}`, `status NOT IN ('DELETED', 'BANNED') AND date_created >= ${since}`],
    [`&date_created.to=${iso(until)}&status=ANSWERED`, `status = 'ANSWERED' AND date_created < ${until}`],
    [
      `&date_created.from=${iso(since)}&date_created.to=${iso(until)}`,
      `status NOT IN ('DELETED', 'BANNED') AND date_created >= ${since} AND date_created < ${until}`,
    ],
  ]) {
    for (const [asker, ofAsker] of [
      ['', ''],
      [`&from=${buyer.id}`, `AND from_id = ${buyer.id}`],
    ]) {
      const { body } = await seller.get(`/questions/search?seller_id=${seller.id}&limit=1${asker}${query}`)
      const [{ n }] = (await rows<{ n: number }>(
        `SELECT count(*) AS n FROM question WHERE seller_id = ${seller.id} AND hidden = 0 AND ${condition} ${ofAsker}`,
      )) as [{ n: number }]
      if (body.total !== n) throw new Error(`${asker}${query}: ${body.total}, not ${n}`)
      searches++
    }
  }
  await expectReport()
}

/** Computed question by question [spec: response_time.minutes, response_time.periods]. */
async function expectReport(): Promise<void> {
  const at = await now()
  const counted = await rows<{ date_created: number; answered_at: number | null }>(
    `SELECT date_created, answered_at FROM question WHERE seller_id = ${seller.id} AND first_of_buyer = 1
     AND status NOT IN ('DELETED', 'BANNED') AND date_created BETWEEN ${at - 14 * DAY} AND ${at}`,
  )
  const waited = counted.map(({ date_created, answered_at }) =>
    Math.min(Math.min(answered_at ?? at, at) - date_created, 7 * DAY),
  )
  const { status, body } = await seller.get(`/users/${seller.id}/questions/response_time`)
  const sum = waited.reduce((sum, ms) => sum + ms, 0)
  const expected = waited.length === 0 ? undefined : Math.floor(sum / waited.length / 60_000 + 0.5)
  const answered = status === 404 ? undefined : body.total.response_time
  if (answered !== expected) throw new Error(`the report says ${answered}, not ${expected}`)
}

/** Counted contact by contact. */
async function expectSeries(): Promise<void> {
  const [{ origin }] = (await rows<{ origin: number }>('SELECT origin FROM world')) as [{ origin: number }]
  for (const [url, bucket, condition] of [
    [`/users/${seller.id}/contacts/phone_views/time_window?last=5&unit=day`, DAY, `kind = 'phone_views'`],
    [`/users/${seller.id}/contacts/questions/time_window?last=5&unit=day`, DAY, `kind = 'questions'`],
    [
      `/items/${LISTINGS[0]}/contacts/phone_views/time_window?last=40&unit=hour`,
      HOUR,
      `kind = 'phone_views' AND item_id = '${LISTINGS[0]}'`,
    ],
  ] as const) {
    const { results } = (await seller.get(url)).body as { results: { date: string; total: number }[] }
    for (const { date, total } of results) {
      const from = Date.parse(date) - origin
      const [{ n }] = (await rows<{ n: number }>(
        `SELECT count(*) AS n FROM contact_event
         WHERE user_id = ${seller.id} AND ${condition} AND at >= ${from} AND at < ${from + bucket}`,
      )) as [{ n: number }]
      if (total !== n) throw new Error(`${url}: ${total} at ${date}, not ${n}`)
    }
  }
}

const READS: [url: string, token?: string][] = [
  [`/questions/search?seller_id=${seller.id}&limit=5`, seller.token],
  [`/questions/search?item=${LISTINGS[0]}&limit=3`, seller.token],
  ['/my/received_questions/search?limit=3', seller.token],
  [`/items/${LISTINGS[0]}/contacts/questions/time_window?last=3&unit=hour`],
  [`/users/${seller.id}/contacts/phone_views/time_window?last=2&unit=day`, seller.token],
  [`/items/${LISTINGS[0]}/contacts/phone_views?date_from=2026-03-01&date_to=2026-03-20`],
  [`/items/contacts/whatsapp/time_window?ids=${LISTINGS}&last=4&unit=day`, seller.token],
  [`/users/${seller.id}/questions/response_time`, seller.token],
  [`/items/${LISTINGS[1]}`, seller.token],
  ['/users/me', buyer.token],
  [`/vis/loans/search?seller_id=${seller.id}&date_from=2026-01-01T00:00:00&date_to=2026-03-20T00:00:00`, seller.token],
]

let uncachedKeys = 0
let compared = 0
/** Of three equal requests the second one stores its answer, which the third one gets. */
async function expectFreshAnswers(): Promise<void> {
  for (const [url, token] of READS) {
    const headers = token ? bearer(token) : {}
    const computed = await call({ url: `${url}${url.includes('?') ? '&' : '?'}unknown=${uncachedKeys++}`, headers })
    for (let n = 0; n < 3; n++) {
      const { status, text } = await call({ url, headers })
      if (status !== computed.status || text !== computed.text)
        throw new Error(`${url}: answers ${text} instead of ${computed.text}`)
    }
    compared++
  }
}

const item = fc.constantFrom(...LISTINGS)
const STEP = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constant('ask' as const), item) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('answer' as const), fc.nat(11)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('delete' as const), fc.nat(11)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('hide' as const), fc.nat(11)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('place' as const), item, fc.nat(20 * 24), fc.nat(20 * 24)) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('revise' as const), fc.nat(11), fc.constantFrom(...STATUSES)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('unhide' as const), fc.nat(11)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('date' as const), fc.nat(11), fc.nat(12 * 24)) },
  {
    weight: 2,
    arbitrary: fc.tuple(
      fc.constant('list' as const),
      item,
      fc.constantFrom('closed', 'active', 'under_review', 'paused'),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constant('advance' as const), fc.constantFrom('PT1S', 'PT20M', 'PT3H', 'PT90H', '-PT50H')),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(
      fc.constant('contact' as const),
      item,
      fc.constantFrom('phone_view', 'whatsapp'),
      fc.constantFrom(0, 0, 1, 30, 100),
    ),
  },
  { weight: 2, arbitrary: fc.tuple(fc.constant('series' as const), item, fc.nat(40), fc.nat(3)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('lead' as const), item) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('assume' as const), fc.constantFrom('include', 'exclude')) },
  { weight: 1, arbitrary: fc.constant(['snapshot'] as const) },
  { weight: 1, arbitrary: fc.constant(['restore'] as const) },
  { weight: 1, arbitrary: fc.constant(['reset'] as const) },
)
type Step = typeof STEP extends fc.Arbitrary<infer One> ? One : never

const succeeded = new Map<string, number>()
const actions: { [Name in Step[0]]: (...args: never[]) => Promise<{ status: number; text: string }> } = {
  ask: (item_id: string) => buyer.post('/questions', { item_id, text: '¿Hay stock?' }),
  answer: async (n: number) => seller.post('/answers', { question_id: await nthQuestion(n), text: 'Sí, hay' }),
  delete: async (n: number) => seller.delete(`/questions/${await nthQuestion(n)}`),
  hide: async (n: number) => seller.post('/my/questions/hidden', { question_ids: [await nthQuestion(n)] }),
  async place(item_id: string, askedHoursAgo: number, answeredHoursLater: number) {
    const at = (await now()) - askedHoursAgo * HOUR
    const answer =
      answeredHoursLater < askedHoursAgo ? { text: 'Sí', date_created: iso(at + answeredHoursLater * HOUR) } : undefined
    return control('POST /questions', {
      item_id,
      text: '¿Y en rojo?',
      date_created: iso(at),
      ...(answer && { answer }),
    })
  },
  async revise(n: number, status: string) {
    const answer = status === 'ANSWERED' ? { text: 'Sí' } : status.includes('UN') ? null : undefined
    return control(`PATCH /questions/${await nthQuestion(n)}`, {
      status,
      text: status === 'BANNED' ? undefined : '¿Hay?',
      ...(answer !== undefined && { answer }),
    })
  },
  unhide: async (n: number) => control(`PATCH /questions/${await nthQuestion(n)}`, { flags: { hidden: false } }),
  async date(n: number, ago: number) {
    return control(`PATCH /questions/${await nthQuestion(n)}`, {
      answer: { text: 'Sí', date_created: iso((await now()) - ago * HOUR) },
    })
  },
  list: (item_id: string, status: string) => control(`PATCH /items/${item_id}`, { status }),
  advance: (by: string) => control('POST /clock/advance', { by }),
  contact: async (item_id: string, kind: string, hoursAgo: number) =>
    control('POST /contacts', { kind, item_id, at: iso((await now()) - hoursAgo * HOUR) }),
  async series(item_id: string, hoursAgo: number, total: number) {
    const at = new Date(Math.floor((await now()) / HOUR - hoursAgo) * HOUR).toISOString()
    return control('PUT /contacts/series', { kind: 'phone_view', item_id, points: [{ at, total }] })
  },
  lead: (item_id: string) => control('POST /loans', { item_id, buyer_id: buyer.id }),
  assume: (value: string) => control('PATCH /assumptions/contacts.current_bucket', { value }),
  reset: () => control('POST /reset'),
  snapshot: () => control('POST /snapshots', { name: 'antes' }),
  restore: () => control('POST /snapshots/antes/restore'),
}

/** The first sequence: every step once, in an order in which each can succeed. */
const EVERY_STEP: Step[] = [
  ['snapshot'],
  ['ask', LISTINGS[0]!],
  ['answer', 0],
  ['hide', 0],
  ['unhide', 0],
  ['ask', LISTINGS[1]!],
  ['list', LISTINGS[1]!, 'closed'],
  ['delete', 0],
  ['place', LISTINGS[0]!, 100, 30],
  ['revise', 0, 'BANNED'],
  ['date', 2, 0],
  ['advance', '-PT50H'],
  ['advance', 'PT90H'],
  ['lead', LISTINGS[0]!],
  ['assume', 'exclude'],
  ['contact', LISTINGS[0]!, 'phone_view', 30],
  ['contact', LISTINGS[0]!, 'whatsapp', 0],
  ['series', LISTINGS[0]!, 30, 0],
  ['restore'],
  ['reset'],
]

t.test('totals, the report and cached answers follow any sequence of writes', async (t) => {
  const answers = await Promise.all(READS.map(([url, token]) => call({ url, headers: token ? bearer(token) : {} })))
  t.ok(answers.every(({ status }) => status === 200))
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(STEP, fc.nat(5 * DAY), fc.nat(30 * DAY)), { minLength: STEPS, maxLength: STEPS }),
      async (steps) => {
        await control('POST /reset')
        await expectFreshAnswers()
        await expectSeries()
        for (const [[name, ...args], from, to] of steps) {
          const { status, text } = await actions[name](...(args as never[]))
          if (status >= 500) throw new Error(`${name}: ${text}`)
          if (status < 300) succeeded.set(name, (succeeded.get(name) ?? 0) + 1)
          await expectFreshAnswers()
          await expectSearches(from, to)
          await expectSeries()
        }
      },
    ),
    {
      examples: [[EVERY_STEP.map((step, n) => [step, n * HOUR, n * DAY])]],
      numRuns: SEQUENCES,
      endOnFailure: true,
    },
  )
  await control('POST /simulate', { days: 3, user_id: seller.id })
  await expectSearches(0, DAY)
  const extra = EVERY_STEP.length - STEPS
  t.equal(searches, (SEQUENCES * STEPS + extra + 1) * 10)
  t.equal(compared, (SEQUENCES * (1 + STEPS) + extra) * READS.length)
  t.strictSame(
    Object.keys(actions).filter((name) => !succeeded.has(name)),
    [],
    'every step has succeeded',
  )
})

t.test('never answers outdated content during concurrent writes', async (t) => {
  const url = `/questions/search?item=${LISTINGS[0]}&limit=1`
  const total = async () => (await seller.get(url)).body.total
  let atLeast = await total()
  let isDone = false
  const write = async () => {
    for (let n = 0; n < 40; n++) {
      const { status } = await buyer.post('/questions', { item_id: LISTINGS[0], text: `¿Llega hoy? (${n})` })
      if (status === 201) atLeast++
    }
  }
  const read = async () => {
    while (!isDone) {
      const expected = atLeast
      const actual = await total()
      if (actual < expected) t.fail(`${actual} of ${expected}`)
      // Injected calls resolve as microtasks only; without this, writes would wait for the last of them.
      await setImmediate()
    }
  }
  const readers = Array.from({ length: 4 }, read)
  await Promise.all(Array.from({ length: 4 }, write))
  isDone = true
  await Promise.all(readers)
  t.equal(await total(), atLeast)
})
