import t from 'tap'
import { SITUATIONS } from '../../control/audit/situations.ts'
import { LANGUAGES } from '../../http/errors/checks.ts'
import document from '../../openapi.json' with { type: 'json' }
import { ITEM, start, valuesOf } from '../support/app.ts'
import { createProgramWorld, type ProgramWorld, stopTime } from '../support/audit.ts'
import { receiver } from '../support/receiver.ts'

const app = await start(t)
stopTime(t)
const coverage = async ({ control }: ProgramWorld, query = '') => (await control(`GET /coverage${query}`)).body
const used = ({ operations }: { operations: { calls: number }[] }) => operations.filter(({ calls }) => calls > 0)
const counts = ({ situations }: { situations: { id: string; count: number }[] }) =>
  Object.fromEntries(situations.map(({ id, count }) => [id, count]))

t.test('without calls nothing is covered, and no situation concerns the program', async (t) => {
  const covered = await coverage(await createProgramWorld(t, app))
  const { operations: listed, ...rest } = covered
  t.strictSame(rest, { calls: 0, dropped: 0, other: 0, situations: [], assumptions: [] })
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { tags: string[] }>)
      .filter(([, { tags }]) => tags[0] !== 'Answers without state')
      .map(([name]) => name)
      .filter((name) => /^(get|post|put|delete)$/.test(name) && path !== '/openapi.json')
      .map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  )
  t.strictSame(valuesOf(listed, 'call').sort(), documented.sort())
  t.strictSame(used(covered), [])
})

t.test('answers are counted by operation, status and rule', async (t) => {
  const w = await createProgramWorld(t, app)
  const [id] = await w.ask()
  for (const text of ['Sí', 'No']) await w.call('POST', '/answers', { question_id: id, text })
  for (const path of [`/questions/${id}`, '/questions/1', '/nothing/1']) await w.get(path)
  await w.get('/users/me', { as: null })
  const covered = await coverage(w)
  t.strictSame([covered.calls, covered.other], [6, 1])
  t.strictSame(used(covered), [
    {
      call: 'POST /answers',
      calls: 2,
      answers: [
        { status: 200, rule: null, count: 1 },
        { status: 400, rule: 'questions.error.not_unanswered', count: 1 },
      ],
    },
    {
      call: 'GET /questions/:question_id',
      calls: 2,
      answers: [
        { status: 200, rule: null, count: 1 },
        { status: 404, rule: 'questions.not_found', count: 1 },
      ],
    },
    { call: 'GET /users/me', calls: 1, answers: [{ status: 401, rule: 'http.token.missing', count: 1 }] },
  ])
})

t.test('calls rest on assumptions, by operation', async (t) => {
  const w = await createProgramWorld(t, app)
  for (const limit of [0, 0, 1]) await w.get(`/questions/search?limit=${limit}`)
  await w.get('/questions/search?limit=0&api_version=')
  t.strictSame((await coverage(w)).assumptions, [
    { name: 'calls.empty_parameter', call: 'GET /questions/search', count: 1 },
    { name: 'calls.limit_zero', call: 'GET /questions/search', count: 3 },
  ])
})

t.test('each situation is met by what brings it about', async (t) => {
  const w = await createProgramWorld(t, app)
  const { url } = await receiver(t, (response) => response.end())
  await w.subscribe(url)
  const [first, second, third] = await w.ask(3)
  const read = () => w.get(`/questions/search?seller_id=${w.seller.id}`)
  const answer = (question_id?: number) => w.call('POST', '/answers', { question_id, text: 'Sí' })
  await read()
  await answer(first)
  const none = Object.fromEntries(SITUATIONS.map(({ id }) => [id, 0]))
  t.strictSame(counts(await coverage(w)), none)

  const fault = (action: object) => w.control('POST /faults', { action, times: 1 })
  const steps: Record<string, () => Promise<unknown>> = {
    token_refused: () => w.get('/users/me', { as: null }),
    rate_limited: () => fault({ status: 429 }).then(read),
    server_error: () => fault({ status: 503 }).then(read),
    no_answer: () =>
      fault({ drop: true })
        .then(read)
        .catch(() => {}),
    later_page: () => w.get(`/questions/search?seller_id=${w.seller.id}&offset=1`),
    async notification_repeated() {
      const { results } = (await w.control('GET /deliveries?limit=1')).body
      await w.control(`POST /deliveries/${results[0].id}/resend`)
      await w.control('POST /settle')
    },
    notifications_missed: () => w.get(`/missed_feeds?app_id=${w.application.id}`),
    question_answered: () => answer(first),
    question_gone: () => w.control(`PATCH /questions/${second}`, { status: 'BANNED' }).then(() => answer(second)),
    async listing_closed() {
      await w.call('PUT', `/items/${ITEM}`, { status: 'closed' })
      await answer(third)
    },
  }
  t.strictSame(Object.keys(steps), Object.keys(none))
  for (const [id, step] of Object.entries(steps)) {
    const before = counts(await coverage(w))
    await step()
    t.strictSame(counts(await coverage(w)), { ...before, [id]: 1 }, id)
  }
  for (const lang of LANGUAGES)
    t.strictSame(
      (await coverage(w, `?lang=${lang}`)).situations,
      SITUATIONS.map(({ id, text }) => ({ id, ...text[lang], count: 1 })).map(({ id, title, how, count }) => ({
        ...{ id, title, count, how },
      })),
    )
})
