import t from 'tap'
import { start, type TestWorld } from '../support/app.ts'

const app = await start(t, { scenario: 'quiet' })
const { control } = app

/** Makes a call with a misspelled parameter. */
const misspell = ({ seller }: TestWorld) => seller.get(`/questions/search?seler_id=${seller.id}`)
const refused = ({ call }: TestWorld) => call('/users/me')
const review = async ({ control }: TestWorld, query = '') => (await control(`GET /run${query}`)).body
const QUIET = { scenario: 'quiet' }

t.test('a run reviews its worlds, also those that were deleted or reset meanwhile', async (t) => {
  const root = await app.createWorld(QUIET)
  t.match(await root.control('PUT /run', {}), { status: 204, text: '' })
  const one = await root.createWorld({ ...QUIET, name: 'one' })
  const two = await one.createWorld(QUIET)
  const other = await app.createWorld(QUIET)
  for (const world of [one, one, two, other]) await misspell(world)
  await root.control(`DELETE /worlds/${one.id}`)
  await two.control('POST /reset', {})
  await misspell(root)
  await refused(root)

  const { audit, coverage, ...rest } = await review(root)
  const own = (await other.control('GET /audit')).body
  t.strictSame(rest, { refused: 1, explanations: [] })
  const [misspelled, ...more] = audit.findings
  t.strictSame(more, [])
  t.strictSame(misspelled, {
    ...own.findings[0],
    evidence: {
      count: 4,
      subjects: ['GET /questions/search: query seler_id (seller_id?)'],
      requests: [],
      deliveries: [],
      worlds: [
        { id: one.id, name: 'one', count: 2, requests: [1, 2], deliveries: [] },
        { id: two.id, name: null, count: 1, requests: [1], deliveries: [] },
        { id: root.id, name: null, count: 1, requests: [1], deliveries: [] },
      ],
    },
  })
  t.strictSame(audit.audited, { requests: 5, dropped: 0, deliveries: 0, worlds: 3 })
  t.strictSame(audit.unknown, [])
  t.strictSame(audit.checks, own.checks)
  t.strictSame(
    [coverage.calls, coverage.operations.filter((one: { calls: number }) => one.calls > 0)],
    [
      5,
      [
        { call: 'GET /questions/search', calls: 4, answers: [{ status: 200, rule: null, count: 4 }] },
        { call: 'GET /users/me', calls: 1, answers: [{ status: 401, rule: 'http.token.missing', count: 1 }] },
      ],
    ],
  )
  t.strictSame(await review(root), { audit, coverage, ...rest }, 'a review changes nothing')
  const { findings } = (await other.control('GET /audit?lang=es')).body
  t.equal((await review(root, '?lang=es')).audit.findings[0].title, findings[0].title)
})

t.test('the journal that continues after a reset is looked at once', async (t) => {
  const root = await app.createWorld(QUIET)
  await root.control('PUT /run', {})
  await misspell(root)
  await root.control('POST /reset', { keep_requests: true })
  const { audit } = await review(root)
  t.match([audit.audited.requests, audit.findings[0].evidence.count], [1, 1])
})

t.test('the latest refused calls of all worlds are explained', async (t) => {
  const root = await app.createWorld(QUIET)
  await root.control('PUT /run', { explain: 'es' })
  const worlds = [await root.createWorld({ ...QUIET, name: 'one' }), await root.createWorld(QUIET)]
  for (let n = 0; n < 6; n++) for (const world of worlds) await refused(world)
  await root.control(`DELETE /worlds/${worlds[0]!.id}`)
  const { refused: count, explanations } = await review(root)
  t.equal(count, 12)
  t.equal(explanations.length, 10)
  t.strictSame(
    new Set(explanations.map(({ world }: { world: object }) => JSON.stringify(world))),
    new Set([`{"id":${worlds[0]!.id},"name":"one"}`, `{"id":${worlds[1]!.id},"name":null}`]),
  )
  const last = (await worlds[1]!.control('GET /requests/6/explain?lang=es')).body
  t.strictSame(explanations.at(-1), { world: { id: worlds[1]!.id, name: null }, explanation: last })
})

t.test('worlds that were gone are counted', async (t) => {
  const root = await app.createWorld(QUIET)
  await root.control('PUT /run', {})
  const { id } = await root.createWorld(QUIET)
  await app.worlds.remove(id)
  const { audit } = await review(root)
  t.match(audit.unknown, [{ id: 'worlds_lost', count: 1 }])
})

t.test('a run is forgotten when another begins in its world, and ends with the world', async (t) => {
  const root = await app.createWorld(QUIET)
  const notFound = { status: 404, body: { message: 'No run was begun in this world' } }
  t.match(await root.control('GET /run'), notFound)
  await root.control('PUT /run', {})
  const child = await root.createWorld(QUIET)
  t.match(await child.control('GET /run'), notFound)
  await misspell(child)
  await root.control('PUT /run', {})
  await root.control(`DELETE /worlds/${child.id}`)
  t.match((await review(root)).audit.audited, { requests: 0, worlds: 1 })
  t.equal((await control(`DELETE /worlds/${root.id}`)).status, 204)
  t.match(await control('PUT /run', { explain: 'fr' }), {
    status: 400,
    body: { message: 'explain: must be one of en, es, pt' },
  })
})
