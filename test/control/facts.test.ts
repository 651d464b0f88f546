import t from 'tap'
import { bearer, start } from '../support/app.ts'

const NOON = '2026-03-02T12:00:00.000Z'
const LISTING = 'MLA1400000001'
const app = await start(t)

const error = (status: number, code: string, message: string) => ({ message, error: code, status, cause: [] })

async function createWorld() {
  const { body } = await app.control('POST /worlds', { scenario: 'demo', now: NOON })
  const base = `/w/${body.world.id}`
  const control = (request: string, payload?: unknown) => app.control(request, payload, base)
  return {
    control,
    seller: body.sellers[0] as { id: number; token: string },
    buyer: body.buyers[0] as { id: number; token: string },
    list: async (query = '') => (await control(`GET /facts${query}`)).body,
    ask: async (token: string) =>
      (
        await app.call({
          method: 'POST',
          url: `${base}/questions`,
          headers: bearer(token),
          payload: JSON.stringify({ item_id: LISTING, text: '¿Envían?' }),
        })
      ).body,
  }
}

t.test('lists the published changes with their causes, whether or not an application is notified', async (t) => {
  const { control, seller, buyer, list, ask } = await createWorld()
  const paging = { total: 0, limit: 50, offset: 0, next_before: null }
  t.strictSame(await list(), { paging, results: [] })
  const { id } = await ask(buyer.token)
  await control(`PATCH /items/${LISTING}`, { status: 'paused' })
  const question = {
    ...{ id: 1, topic: 'questions', resource: `/questions/${id}`, users: [seller.id, buyer.id] },
    ...{ at: NOON, cause: { kind: 'request', id: 1 } },
  }
  const item = {
    ...{ id: 2, topic: 'items', resource: `/items/${LISTING}`, users: [seller.id] },
    ...{ at: NOON, cause: { kind: 'control', id: 1 } },
  }
  t.strictSame(await list(), { paging: { ...paging, total: 2 }, results: [item, question] })
  t.strictSame(await list('?topic=items'), { paging: { ...paging, total: 1 }, results: [item] })
  t.strictSame((await list(`?resource=/questions/${id}`)).results, [question])
  t.strictSame((await list('?resource=/questions')).results, [])
})

t.test('pages, and forgets causes with the state that had them', async (t) => {
  const { control, buyer, list, ask } = await createWorld()
  for (let n = 0; n < 5; n++) await ask(buyer.token)
  const page = async (query: string) => {
    const { paging, results } = await list(query)
    return [results.map(({ id }: { id: number }) => id), paging.next_before]
  }
  t.strictSame(await page('?limit=2'), [[5, 4], 4])
  await ask(buyer.token)
  t.strictSame(await page('?limit=2&before=4'), [[3, 2], 2])
  t.strictSame(await page('?limit=2&before=2'), [[1], null])
  t.strictSame(await page('?limit=1&offset=1'), [[5], 5])
  await control('POST /snapshots', { name: 'uno' })
  await control('POST /snapshots/uno/restore', { keep_requests: true })
  t.strictSame(
    (await list('?limit=2')).results.map(({ cause }: { cause: unknown }) => cause),
    [null, null],
  )

  for (const [query, message] of [
    ['topic=x', /^topic: must be one of /],
    ['resource=', 'resource: must be a path of 1 to 1000 characters'],
    ['before=x', 'before: must be an id'],
    ['limit=1001', 'limit: must be an integer from 0 to 1000'],
  ] as const)
    t.match((await control(`GET /facts?${query}`)).body, error(400, 'bad_request', message as string), query)
})
