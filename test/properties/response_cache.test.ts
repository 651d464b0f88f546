import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { bearer, start } from '../support/app.ts'
import fc from '../support/property.ts'
import { sizeOr } from '../support/torture.ts'

// Cached answers must equal computed ones after any sequence of writes. An unknown parameter is ignored by the API but
// gives another cache key.

const SEQUENCES = sizeOr(4)
const STEPS = 16

const app = await start(t)
const { control, call, sellers, buyers } = app
const [seller, buyer] = [sellers[0]!, buyers[0]!]
const LISTINGS = ['MLA1400000001', 'MLA1400000002']

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
async function expectFreshAnswers(): Promise<void> {
  for (const [url, token] of READS) {
    const headers = token ? bearer(token) : {}
    const cached = await call({ url, headers })
    const computed = await call({ url: `${url}${url.includes('?') ? '&' : '?'}unknown=${uncachedKeys++}`, headers })
    if (cached.status !== computed.status || cached.text !== computed.text)
      throw new Error(`${url}: answers ${cached.text} instead of ${computed.text}`)
    compared++
  }
}

const item = fc.constantFrom(...LISTINGS)
const STEP = fc.oneof(
  { weight: 6, arbitrary: fc.constant(['read'] as const) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('ask' as const), item) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('answer' as const), fc.nat(9)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('delete' as const), fc.nat(9)) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('contact' as const), item, fc.constantFrom('phone_views', 'whatsapp')) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('list' as const), item, fc.constantFrom('paused', 'active')) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('lead' as const), item) },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constant('advance' as const), fc.constantFrom('PT1S', 'PT20M', 'PT3H', '-PT3H')),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constant('assume' as const), fc.constantFrom('include', 'exclude')) },
  { weight: 1, arbitrary: fc.constant(['snapshot'] as const) },
  { weight: 1, arbitrary: fc.constant(['restore'] as const) },
  { weight: 1, arbitrary: fc.constant(['reset'] as const) },
)
type Step = typeof STEP extends fc.Arbitrary<infer One> ? One : never

/** Ids of the questions of this sequence that still exist. */
let questions: number[] = []
const nthQuestion = (n: number) => questions[n % Math.max(1, questions.length)] ?? 1
let written = 0

const actions: { [Name in Step[0]]: (...args: string[]) => Promise<unknown> } = {
  read: async () => {},
  async ask(item_id) {
    const { status, body } = await buyer.post('/questions', { item_id, text: `¿Hay stock? (${written++})` })
    if (status === 201) questions.push(body.id)
  },
  answer: (n) => seller.post('/answers', { question_id: nthQuestion(Number(n)), text: 'Sí, hay' }),
  delete: (n) => seller.delete(`/questions/${nthQuestion(Number(n))}`),
  contact: (item_id, kind) => control('POST /contacts', { kind, item_id }),
  list: (item_id, status) => control(`PATCH /items/${item_id}`, { status }),
  lead: (item_id) => control('POST /loans', { item_id, buyer_id: buyer.id }),
  advance: (by) => control('POST /clock/advance', { by }),
  assume: (value) => control('PATCH /assumptions/contacts.current_bucket', { value }),
  snapshot: () => control('POST /snapshots', { name: 'antes' }),
  restore: () => control('POST /snapshots/antes/restore'),
  async reset() {
    questions = []
    await control('POST /reset')
  },
}

t.test('never answers outdated content', async (t) => {
  const statuses = await Promise.all(READS.map(([url, token]) => call({ url, headers: token ? bearer(token) : {} })))
  t.strictSame(
    statuses.map(({ status }) => status),
    READS.map(() => 200),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: STEPS, maxLength: STEPS }), async (steps) => {
      await actions.reset()
      for (const [name, ...args] of steps) {
        await expectFreshAnswers()
        await expectFreshAnswers()
        await actions[name](...(args as string[]))
        await expectFreshAnswers()
      }
    }),
    { numRuns: SEQUENCES, endOnFailure: true },
  )
  t.equal(compared, SEQUENCES * STEPS * 3 * READS.length)
})

t.test('never answers outdated content during concurrent writes', async (t) => {
  const url = `/questions/search?item=${LISTINGS[0]}&limit=1`
  const total = async () => (await seller.get(url)).body.total
  let atLeast = await total()
  let isDone = false
  const write = async () => {
    for (let n = 0; n < 40; n++) {
      const { status } = await buyer.post('/questions', { item_id: LISTINGS[0], text: `¿Llega hoy? (${written++})` })
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
