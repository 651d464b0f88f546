import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { bearer, start } from '../support/app.ts'
import fc, { runs } from '../support/property.ts'

const app = await start(t)
const { control, call } = app
/** The last hour of a week: little is removed from the history of each demo world. */
const NOW = '2026-03-09T03:00:00Z'

interface TestWorld {
  id: number
  base: string
  seller: { id: number; token: string }
  buyer: { id: number; token: string }
}
async function createWorld(body: object = { scenario: 'demo', now: NOW }): Promise<TestWorld> {
  const { status, body: created } = await control('POST /worlds', body)
  if (status !== 201) throw new Error(JSON.stringify(created))
  return { id: created.world.id, base: `/w/${created.world.id}`, seller: created.sellers[0], buyer: created.buyers[0] }
}
const post = ({ token }: { token: string }, url: string, body: object) =>
  call({ method: 'POST', url, headers: bearer(token), payload: JSON.stringify(body) })

t.test('64 clients write while a world is reset and restored 100 times', async (t) => {
  const world = await createWorld()
  await control('POST /snapshots', { name: 'start' }, world.base)
  const search = () =>
    call({ url: '/questions/search?limit=100&status=UNANSWERED', headers: bearer(world.seller.token) })
  const first = (await search()).text
  let [stop, written] = [false, 0]
  const wrong: unknown[] = []
  const client = async (n: number) => {
    for (let round = 0; !stop; round++) {
      const { status, body } = await post(world.buyer, '/questions', {
        item_id: 'MLA1400000001',
        text: `${n} ${round}`,
      })
      if (status !== 201 || body.text !== `${n} ${round}`) wrong.push(body)
      written++
      if (round % 8 === 0) {
        const { status, body: page } = await search()
        // Page and total come from one state.
        if (status !== 200 || page.questions.length !== Math.min(page.total, 100)) wrong.push(page)
      }
      await setImmediate()
    }
  }
  const clients = Array.from({ length: 64 }, (_, n) => client(n))
  for (let n = 0; n < 100; n++) {
    const { status } = await control(n % 2 ? 'POST /reset' : 'POST /snapshots/start/restore', undefined, world.base)
    if (status !== 204) wrong.push(status)
  }
  stop = true
  await Promise.all(clients)
  t.strictSame(wrong, [])
  t.ok(written > 1000, `${written} questions written`)
  await control('POST /reset', undefined, world.base)
  t.equal((await search()).text, first)
})

t.test('200 clients work concurrently, each in its own world', async (t) => {
  const client = async (n: number) => {
    const world = await createWorld({ scenario: n % 4 ? 'empty' : 'demo', now: NOW })
    const by = `PT${n + 1}M`
    const { body } = await control('POST /clock/advance', { by }, world.base)
    const expected = new Date(Date.parse(NOW) + (n + 1) * 60_000).toISOString()
    if (body.now !== expected) return `${n}: moved to ${body.now}`
    for (let round = 0; round < 3; round++) {
      const me = await call({ url: '/users/me', headers: bearer(world.seller.token) })
      if (me.body.id !== world.seller.id) return `${n}: is ${me.text}`
      if (n % 4 === 0) {
        const text = `mundo ${n} pregunta ${round}`
        const question = await post(world.buyer, '/questions', { item_id: 'MLA1400000001', text })
        const read = await call({ url: `/questions/${question.body.id}`, headers: bearer(world.seller.token) })
        if (read.body.text !== text) return `${n}: reads ${read.text}`
      }
      const clock = await control('GET /clock', undefined, world.base)
      if (clock.body.now !== expected) return `${n}: it is ${clock.text}`
    }
    const search = await call({
      url: '/questions/search?limit=100&sort_fields=date_created&sort_types=DESC',
      headers: bearer(world.seller.token),
    })
    const foreign = search.body.questions.filter(
      ({ text }: { text: string }) => /^mundo/.test(text) && !text.startsWith(`mundo ${n} `),
    )
    return foreign.length > 0 ? `${n}: sees ${JSON.stringify(foreign)}` : undefined
  }
  const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => client(n)))
  t.strictSame(answers.filter(Boolean), [])
})

// Operations of one world; `n` selects among the existing entities.
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('ask' as const), n: fc.nat(5) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('answer', 'delete', 'read'), n: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('advance' as const), n: fc.integer({ min: -50, max: 50 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('snapshot', 'restore'), n: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reset' as const), n: fc.constant(0) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('search', 'statistics'), n: fc.nat(2) }) },
)
type Step = { do: string; n: number }

/** Runs one step; returns the answer as text, without real time. */
async function runStep({ base, seller, buyer }: TestWorld, { do: what, n }: Step): Promise<string> {
  const as = (person: { token: string }, method: 'GET' | 'POST' | 'DELETE', url: string, body?: object) =>
    call({ method, url, headers: bearer(person.token), ...(body && { payload: JSON.stringify(body) }) })
  const question = async () => {
    const page = await as(seller, 'GET', '/questions/search?limit=30&sort_fields=date_created&sort_types=DESC')
    return page.body.questions[n % page.body.questions.length].id
  }
  const answers = {
    ask: async () => as(buyer, 'POST', '/questions', { item_id: `MLA140000000${(n % 5) + 1}`, text: `¿Sirve ${n}?` }),
    answer: async () => as(seller, 'POST', '/answers', { question_id: await question(), text: 'Sí' }),
    delete: async () => as(seller, 'DELETE', `/questions/${await question()}`),
    read: async () => as(buyer, 'GET', `/questions/${await question()}`),
    advance: async () => control('POST /clock/advance', { by: `${n < 0 ? '-' : ''}PT${Math.abs(n)}M` }, base),
    snapshot: async () => control('POST /snapshots', { name: `s${n}` }, base),
    restore: async () => control(`POST /snapshots/s${n}/restore`, undefined, base),
    reset: async () => control('POST /reset', undefined, base),
    search: async () => as(seller, 'GET', `/questions/search?limit=${n * 10}`),
    statistics: async () =>
      as(seller, 'GET', `/users/${seller.id}/contacts/questions/time_window?last=${n + 1}&unit=day`),
  }
  const { status, text } = await answers[what as keyof typeof answers]()
  return `${what} ${n} ${status} ${text.replace(/"created_at":"[^"]*"/, '"created_at":"now"')}`
}

t.test('operations of one world do not affect the others', async (t) => {
  const WORLDS = 4
  const SHORTEST_PLAN = 20
  let steps = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(WORLDS - 1), step), { minLength: SHORTEST_PLAN, maxLength: 60 }),
      async (plan: [number, Step][]) => {
        const createWorlds = async () => Promise.all(Array.from({ length: WORLDS }, () => createWorld()))
        const [shared, separate] = [await createWorlds(), await createWorlds()]
        // Interleaved, several at a time; each world runs its own steps in order.
        const answers = shared.map(() => [] as string[])
        const queues = shared.map(() => Promise.resolve())
        for (const [n, one] of plan) {
          queues[n] = queues[n]!.then(async () => void answers[n]!.push(await runStep(shared[n]!, one)))
          if (one.n % 3 === 0) await queues[n]
        }
        await Promise.all(queues)
        for (const [n, world] of separate.entries()) {
          const expected: string[] = []
          for (const [m, one] of plan) if (m === n) expected.push(await runStep(world, one))
          const differs = expected.findIndex((text, k) => text !== answers[n]![k])
          if (differs >= 0) throw new Error(`world ${n}: ${answers[n]![differs]} instead of ${expected[differs]}`)
          steps += expected.length
        }
        for (const { id } of [...shared, ...separate]) await control(`DELETE /worlds/${id}`)
      },
    ),
    { numRuns: runs(40) },
  )
  t.ok(steps >= SHORTEST_PLAN * runs(40), `${steps} steps`)
})
