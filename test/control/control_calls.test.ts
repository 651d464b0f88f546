import t from 'tap'
import { createClient } from '../../lib/cli/client.ts'
import { ITEM, NOON, notFound, start, valuesOf } from '../support/app.ts'
import { urlOf } from '../support/event_stream.ts'

const app = await start(t)

interface Call {
  id: number
  ms: number
  real_at: string
}
/** A call without its real times, which it must have. */
const timeless = ({ ms, real_at, ...call }: Call) => ({
  ...call,
  isTimed: Number.isInteger(ms) && ms >= 0 && new Date(real_at).toISOString() === real_at,
})

async function createWorld() {
  const world = await app.createWorld()
  return { ...world, list: async (query = '') => (await world.control(`GET /control-calls${query}`)).body }
}
const call = (id: number, method: string, path: string, status: number, at = NOON, changes: number[] = []) => ({
  ...{ id, method, path, by: null, status, at, changes },
  isTimed: true,
})
const page = (total: number, limit = 50) => ({ total, limit, offset: 0 })

t.test('lists and reads the control calls that may have changed the world', async (t) => {
  const { control, list, seller } = await createWorld()
  t.strictSame(await list(), { paging: page(0), results: [], dropped: 0 })
  await control('POST /questions', { item_id: ITEM, text: '¿Envían?' })
  await control('POST /clock/advance', { by: 'PT1H' })
  await control('PATCH /items/nothing', { status: 'paused' })
  await control(`DELETE /tokens/${seller.token}`)
  for (const request of ['GET /clock', 'POST /settle', 'POST /nothing']) await control(request)
  await control('POST /verify', { path: '/questions', at_least: 0 })

  const later = '2026-03-02T13:00:00.000Z'
  const { paging, results, dropped } = await list()
  t.strictSame({ paging, dropped }, { paging: page(4), dropped: 0 })
  t.strictSame(results.map(timeless), [
    call(1, 'POST', '/questions', 201, NOON, [1]),
    call(2, 'POST', '/clock/advance', 200, later),
    call(3, 'PATCH', '/items/nothing', 404, later),
    call(4, 'DELETE', '/tokens/***', 204, later),
  ])
  t.strictSame(Object.keys(results[0]), ['id', 'method', 'path', 'by', 'status', 'ms', 'at', 'real_at', 'changes'])
  t.strictSame((await control('GET /control-calls/1')).body, results[0])
  const missing = (id: unknown) =>
    notFound(`Control call with id ${id} not found: it was not recorded, or is no longer stored`)
  for (const id of [5, 0, 'x']) t.strictSame((await control(`GET /control-calls/${id}`)).body, missing(id))
})

t.test('filters, orders and pages', async (t) => {
  const { control, list } = await createWorld()
  for (let n = 0; n < 3; n++) {
    await control('POST /clock/advance', { by: 'PT1H' })
    await control('PUT /clock', { mode: 'backwards' })
    await control('PATCH /items/MLA1400000001', { status: n === 1 ? 'active' : 'paused' })
  }
  const ids = async (query: string) => valuesOf((await list(query)).results, 'id')
  for (const [query, expected] of [
    ['?method=POST', [1, 4, 7]],
    ['?method=PATCH', [3, 6, 9]],
    ['?path=/clock', [2, 5, 8]],
    ['?path=/clock/', [2, 5, 8]],
    ['?path=/clock*', [1, 2, 4, 5, 7, 8]],
    ['?path=/CLOCK', []],
    ['?status=200', [1, 3, 4, 6, 7, 9]],
    ['?status=4xx', [2, 5, 8]],
    ['?status=4xx&method=POST', []],
    ['?since=3&before=6', [4, 5]],
    ['?order=desc', [9, 8, 7, 6, 5, 4, 3, 2, 1]],
    ['?order=desc&limit=2', [9, 8]],
    ['?order=desc&limit=2&before=8', [7, 6]],
    ['?limit=2&offset=1', [2, 3]],
  ] as const)
    t.strictSame(await ids(query), expected, query)
  t.strictSame((await list('?before=6&limit=0')).paging, page(5, 0))

  t.match((await control('GET /control-calls?befor=3')).body, { status: 400, message: /^befor: .*before/ })
})

t.test('has the cause of a delivery, and the number of calls that are no longer stored', async (t) => {
  const { control, list } = await createWorld()
  const { id } = (await control('GET /applications')).body.results[0]
  await control(`PUT /applications/${id}/notifications`, { callback_url: 'inbox:' })
  await control('POST /questions', { item_id: ITEM, text: '¿Hay stock?' })
  await control('POST /settle')
  const [delivery] = (await control('GET /deliveries')).body.results
  t.strictSame(delivery.cause, { kind: 'control', id: 2 })
  t.strictSame((await control(`GET /control-calls/${delivery.cause.id}`)).body.changes, [delivery.fact_id])
  for (let n = 0; n < 1000; n++) await control('PUT /inbox', { status: 200 })
  const { paging, dropped, results } = await list('?limit=1')
  t.strictSame([paging.total, dropped, results[0].id], [1000, 2, 3])
  t.equal((await control(`GET /control-calls/${delivery.cause.id}`)).status, 404)
})

t.test('reset and restore keep the list on request; clearing the requests does not clear it', async (t) => {
  const { control, list } = await createWorld()
  const paths = async () => valuesOf((await list()).results, 'path')
  await control('POST /snapshots', { name: 'uno' })
  t.strictSame(await paths(), ['/snapshots'])
  await control('POST /reset', { keep_requests: true })
  await control('POST /snapshots/uno/restore', { keep_requests: true })
  t.strictSame(await paths(), ['/snapshots', '/reset', '/snapshots/uno/restore'])
  await control('DELETE /requests')
  t.equal((await paths()).length, 4)
  await control('POST /reset')
  t.strictSame(await paths(), ['/reset'], 'clears it, and is the first call of the new state')
})

t.test('a call that replaces the state is the first of the new journal, with who made it', async (t) => {
  await app.server.listen({ port: 0, host: '127.0.0.1' })
  const { base, call, control, list } = await createWorld()
  const calls = async (...names: string[]) =>
    valuesOf((await list()).results, ...names).map((values: string[]) => values.join(' '))
  const marks = async () =>
    (await control('GET /requests')).body.marks.map(({ real_at, ...mark }: { real_at: string }) => {
      t.equal(new Date(real_at).toISOString(), real_at)
      return Object.values(mark)
    })
  const as = (userAgent: string) => createClient(`${urlOf(app.server)}${base}`, { userAgent })
  await call('/currencies')
  await control('POST /clock/advance', { by: '1h' })
  await control('POST /snapshots', { name: 'uno' })

  await as('mercadito reset').call('POST /reset')
  const all = ['id', 'method', 'path', 'by', 'at']
  t.strictSame(await calls(...all), [`1 POST /reset mercadito reset ${NOON}`], 'at the time of the new state')
  t.strictSame(await marks(), [[0, 'reset', null, 'mercadito reset']])
  await call('/currencies')
  await as('mercadito snapshot restore').call('POST /snapshots/uno/restore', { keep_requests: true })
  const later = '2026-03-02T13:00:00.000Z'
  t.strictSame((await calls(...all))[1], `2 POST /snapshots/uno/restore mercadito snapshot restore ${later}`)
  await as('mercadito-mcp').call('POST /clock/advance', { by: '1h' })
  await as('somebody').call('POST /clock/advance', { by: '-1h' })
  const headers = { 'x-sandbox-by': 'console', 'x-sandbox-snapshot': 'reset' }
  await control('POST /reset', { keep_requests: true }, headers)
  await as('mercadito undo').call('POST /undo')
  const made = ['/clock/advance mercadito-mcp', '/clock/advance ', '/reset console', '/undo mercadito undo']
  t.strictSame((await calls('path', 'by')).slice(2), made)
  t.strictSame(await marks(), [
    [0, 'reset', null, 'mercadito reset'],
    [1, 'restore', 'uno', 'mercadito snapshot restore'],
    [1, 'reset', null, 'console'],
    [1, 'undo', null, 'mercadito undo'],
  ])
  await as('mercadito world load').call('PUT /world', (await control('GET /world')).body)
  t.strictSame(await calls('id', 'method', 'path', 'by'), ['1 PUT /world mercadito world load'])
  t.strictSame(await marks(), [[0, 'load', null, 'mercadito world load']])
})
