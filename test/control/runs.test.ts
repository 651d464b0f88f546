import t from 'tap'
import { type Answer, bearer, start } from '../support/app.ts'

const app = await start(t, { scenario: 'quiet' })
const { control, call } = app

interface Created {
  base: string
  id: number
  sellers: { id: number; token: string }[]
}
/** A world that is created at an address, `''` or `/w/2`. */
async function createWorld(at = '', name?: string): Promise<Created> {
  const { status, body } = await control('POST /worlds', { scenario: 'quiet', name }, at)
  if (status !== 201) throw new Error(`${status}`)
  return { base: `/w/${body.world.id}`, id: body.world.id, sellers: body.sellers }
}
/** Makes a call with a misspelled parameter. */
const misspell = ({ base, sellers: [seller] }: Created) =>
  call({ url: `${base}/questions/search?seler_id=${seller!.id}`, headers: bearer(seller!.token) })
const refused = ({ base }: Created): Promise<Answer> => call({ url: `${base}/users/me` })
const review = async (base: string, query = '') => (await control(`GET /run${query}`, undefined, base)).body

t.test('a run reviews its worlds, also those that were deleted or reset meanwhile', async (t) => {
  const root = await createWorld()
  t.match(await control('PUT /run', {}, root.base), { status: 204, text: '' })
  const one = await createWorld(root.base, 'one')
  const two = await createWorld(one.base)
  const other = await createWorld()
  for (const world of [one, one, two, other]) await misspell(world)
  await control(`DELETE /worlds/${one.id}`, undefined, root.base)
  await control('POST /reset', {}, two.base)
  await misspell(root)
  await refused(root)

  const { audit, coverage, ...rest } = await review(root.base)
  const own = (await control('GET /audit', undefined, other.base)).body
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
  t.strictSame(await review(root.base), { audit, coverage, ...rest }, 'a review changes nothing')
  const { findings } = (await control('GET /audit?lang=es', undefined, other.base)).body
  t.equal((await review(root.base, '?lang=es')).audit.findings[0].title, findings[0].title)
})

t.test('the journal that continues after a reset is looked at once', async (t) => {
  const root = await createWorld()
  await control('PUT /run', {}, root.base)
  await misspell(root)
  await control('POST /reset', { keep_requests: true }, root.base)
  const { audit } = await review(root.base)
  t.match([audit.audited.requests, audit.findings[0].evidence.count], [1, 1])
})

t.test('the latest refused calls of all worlds are explained', async (t) => {
  const root = await createWorld()
  await control('PUT /run', { explain: 'es' }, root.base)
  const worlds = [await createWorld(root.base, 'one'), await createWorld(root.base)]
  for (let n = 0; n < 6; n++) for (const world of worlds) await refused(world)
  await control(`DELETE /worlds/${worlds[0]!.id}`, undefined, root.base)
  const { refused: count, explanations } = await review(root.base)
  t.equal(count, 12)
  t.equal(explanations.length, 10)
  t.strictSame(
    new Set(explanations.map(({ world }: { world: object }) => JSON.stringify(world))),
    new Set([`{"id":${worlds[0]!.id},"name":"one"}`, `{"id":${worlds[1]!.id},"name":null}`]),
  )
  const last = (await control('GET /requests/6/explain?lang=es', undefined, worlds[1]!.base)).body
  t.strictSame(explanations.at(-1), { world: { id: worlds[1]!.id, name: null }, explanation: last })
})

t.test('worlds that were gone are counted', async (t) => {
  const root = await createWorld()
  await control('PUT /run', {}, root.base)
  const { id } = await createWorld(root.base)
  await app.worlds.remove(id)
  const { audit } = await review(root.base)
  t.match(audit.unknown, [{ id: 'worlds_lost', count: 1 }])
})

t.test('a run is forgotten when another begins in its world, and ends with the world', async (t) => {
  const root = await createWorld()
  const notFound = { status: 404, body: { message: 'No run was begun in this world' } }
  t.match(await control('GET /run', undefined, root.base), notFound)
  await control('PUT /run', {}, root.base)
  const child = await createWorld(root.base)
  t.match(await control('GET /run', undefined, child.base), notFound)
  await misspell(child)
  await control('PUT /run', {}, root.base)
  await control(`DELETE /worlds/${child.id}`, undefined, root.base)
  t.match((await review(root.base)).audit.audited, { requests: 0, worlds: 1 })
  t.equal((await control(`DELETE /worlds/${root.id}`)).status, 204)
  t.match(await control('PUT /run', { explain: 'fr' }), {
    status: 400,
    body: { message: 'explain: must be one of en, es, pt' },
  })
})
