import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { mock } from 'node:test'
import t from 'tap'
import { badRequest, errorBody, ITEM, NOON, notFound, start, type TestApp, valuesOf } from '../support/app.ts'
import { keptServers } from '../support/kept.ts'

const app = await start(t)

const NO_SNAPSHOT = errorBody(
  409,
  'conflict',
  'There is no automatic snapshot: control calls with the header x-sandbox-snapshot leave one, and writes of programs unless --auto-snapshots is 0',
)

/** A world, with what its buyer and its operator do. */
async function createWorld(
  { createWorld, worlds }: TestApp = app,
  settings: object = { scenario: 'quiet', now: NOON },
) {
  const world = await createWorld(settings)
  const { id, control, buyer, seller } = world
  return {
    ...world,
    /** A control call with a snapshot before it. */
    change: (label: string, request: string, body?: unknown) => control(request, body, { 'x-sandbox-snapshot': label }),
    ask: () => buyer.post('/questions', { item_id: ITEM, text: '¿Hay stock?' }),
    /** What shows the data, the clock and the tokens. */
    async state() {
      const calls = ['GET /clock', 'GET /tokens?limit=1000', 'GET /faults'].map((call) => control(call))
      return valuesOf(await Promise.all([seller.get('/questions/search'), ...calls]), 'text')
    },
    labels: () => worlds.automaticSnapshots.list(id).map(({ label }) => label),
  }
}

interface UndoneCall {
  kind: string
  id: number
  method: string
  path: string
  real_at: string
}
/** An answer whose calls are short and in the order of their kinds and ids: some arrive in the same ms. */
const withSortedCalls = ({ calls, ...undone }: { calls: UndoneCall[] }) => ({
  ...undone,
  calls: calls
    .filter(({ real_at }) => new Date(real_at).toISOString() === real_at)
    .sort((a, b) => a.kind.localeCompare(b.kind) || a.id - b.id)
    .map(({ kind, id, method, path }) => [kind, id, method, path]),
})

/** The temp files of a server. */
const tempFiles = ({ worlds }: TestApp) => readdirSync(worlds.folder).filter((name) => name.startsWith('passing-'))

t.test('takes a snapshot before a call, lists it, and restores it', async (t) => {
  const { control, change, ask, state, id, seller } = await createWorld()
  t.strictSame((await control('POST /undo')).body, NO_SNAPSHOT)
  t.strictSame((await control('GET /undo')).body, NO_SNAPSHOT)
  const before = await state()

  const moved = await change('Mover%20el%20reloj%20%E2%8F%B1', 'POST /clock/advance', { by: 'PT1H' })
  t.equal(moved.status, 200)
  const name = moved.headers['x-sandbox-snapshot']
  const { bytes, createdAt } = app.worlds.automaticSnapshots.list(id)[0]!
  t.ok(bytes > 0)
  const label = 'Mover el reloj ⏱'
  const created_at = new Date(createdAt).toISOString()
  const restored = { name, automatic: 'control', created_at, bytes, now: NOON, label }
  const paging = { total: 1, limit: 50, offset: 0 }
  t.strictSame((await control('GET /snapshots')).body, { paging, results: [restored] })

  t.equal((await ask()).status, 201)
  t.equal((await ask()).status, 201)
  await control('POST /clock/advance', { by: 1000 })
  // None of these changes the state.
  await seller.get('/users/me')
  await seller.post('/questions', {})
  await control('GET /clock')
  await control('POST /clock/advance', { by: 'soon' })
  await control('POST /snapshots', { name: 'uno' })
  const undone = {
    restored,
    removed: { requests: 2, changes: 2, control_calls: 2, snapshots: 0 },
    calls: [
      ...[2, 3].map((call) => ['control', call, 'POST', '/clock/advance']),
      ...[2, 3].map((call) => ['request', call, 'POST', '/questions']),
    ],
  }
  t.strictSame(withSortedCalls((await control('GET /undo')).body), undone)
  t.strictSame(withSortedCalls((await control(`GET /undo?name=${name}`)).body), undone)
  const answer = await control('POST /undo')
  t.strictSame([answer.status, withSortedCalls(answer.body)], [200, undone])
  t.strictSame(await state(), before)
  t.match((await control('GET /snapshots')).body, { paging: { total: 1 }, results: [{ name: 'uno', automatic: null }] })
  t.strictSame((await control('POST /undo', {})).body, NO_SNAPSHOT)
})

t.test('undoes one call after the other, and counts what each undo takes back', async (t) => {
  const { control, change, ask, state } = await createWorld()
  const states = [await state()]
  for (const [n, label] of ['one', 'two', 'three'].entries()) {
    await change(label, 'POST /clock/advance', { by: 'PT1H' })
    for (let times = 0; times <= n; times++) await ask()
    states.push(await state())
  }
  const undo = async (body?: object) => (await control('POST /undo', body)).body
  t.match(await undo(), {
    restored: { label: 'three', now: '2026-03-02T14:00:00.000Z' },
    removed: { requests: 3, changes: 3, control_calls: 1, snapshots: 0 },
  })
  t.strictSame(await state(), states[2])
  await ask()
  t.match(await undo(), { restored: { label: 'two' }, removed: { requests: 3, changes: 3 } })
  t.strictSame(await state(), states[1])
  t.match(await undo(), { restored: { label: 'one' }, removed: { requests: 1, changes: 1 } })
  t.strictSame(await state(), states[0])
})

t.test('goes back several snapshots at once', async (t) => {
  const { control, change, ask, state, labels } = await createWorld()
  await change('one', 'POST /clock/advance', { by: 'PT1H' })
  await ask()
  const before = await state()
  const { headers } = await change('two', 'POST /clock/advance', { by: 'PT1H' })
  for (const label of ['three', 'four']) {
    await ask()
    await change(label, 'POST /clock/advance', { by: 'PT1H' })
  }
  t.strictSame(labels(), ['one', 'two', 'three', 'four'])
  const { results } = (await control('GET /snapshots?limit=2&offset=1')).body
  t.strictSame(valuesOf(results, 'label'), ['three', 'two'])
  const name = headers['x-sandbox-snapshot'] as string
  const { body: restored } = await control(`GET /snapshots/${name}`)
  t.match(restored, { name, automatic: 'control', label: 'two', now: '2026-03-02T13:00:00.000Z' })
  t.strictSame(withSortedCalls((await control('POST /undo', { name })).body), {
    restored,
    removed: { requests: 2, changes: 2, control_calls: 3, snapshots: 2 },
    calls: [
      ...[2, 3, 4].map((call) => ['control', call, 'POST', '/clock/advance']),
      ...[3, 4].map((call) => ['request', call, 'POST', '/questions']),
    ],
  })
  t.strictSame(await state(), before)
  t.strictSame(labels(), ['one'])
  const missing = notFound(`Automatic snapshot ${name} not found`)
  t.strictSame((await control('POST /undo', { name })).body, missing)
})

t.test('undoes reset, restore, load, and changes of faults and tokens', async (t) => {
  const { control, change, ask, state, seller } = await createWorld()
  await control('POST /snapshots', { name: 'uno' })
  await ask()
  const file = (await control('GET /world')).text
  const before = await state()
  for (const [request, body] of [
    ['POST /reset'],
    ['POST /snapshots/uno/restore'],
    ['PUT /world', file],
    ['POST /faults', { match: { path: '/*' }, action: { status: 503 } }],
    [`DELETE /tokens/${seller.token}`],
    ['POST /simulate', { days: 1 }],
  ] as const) {
    t.ok((await change('a change', request, body)).status < 300, request)
    t.notSame(await state(), before, request)
    t.match((await control('POST /undo')).body, { removed: { requests: 0, control_calls: 1 } }, request)
    t.strictSame(await state(), before, request)
  }
})

t.test('after a reset, counts only what happened since', async (t) => {
  const { control, change, ask, state } = await createWorld()
  await ask()
  const before = await state()
  await change('before the reset', 'POST /reset')
  await ask()
  await ask()
  t.match((await control('POST /undo')).body, { removed: { requests: 2, changes: 2 } })
  t.strictSame(await state(), before)
})

t.test('keeps the recorded requests, with a mark, and counts the calls of each history', async (t) => {
  const { control, change, ask } = await createWorld()
  const journal = async () => {
    const { results, marks } = (await control('GET /requests?bodies=false')).body
    return {
      ids: valuesOf(results, 'id'),
      marks: marks.map(({ real_at, ...mark }: { real_at: string }) => ({
        ...mark,
        isTime: new Date(real_at).toISOString() === real_at,
      })),
    }
  }
  const mark = (change: string, after: number) => ({ after, change, name: null, by: null, isTime: true })
  const undo = async () => (await control('POST /undo')).body.removed
  await ask()
  await change('one', 'POST /clock/advance', { by: 'PT1H' })
  await ask()
  await change('reset', 'POST /reset', { keep_requests: true })
  await ask()
  await control('POST /clock/advance', { by: 'PT1H' })
  t.strictSame(await undo(), { requests: 1, changes: 1, control_calls: 2, snapshots: 0 })
  await ask()
  await ask()
  t.strictSame(await undo(), { requests: 3, changes: 3, control_calls: 1, snapshots: 0 })
  const marks = [mark('reset', 2), mark('undo', 3), mark('undo', 5)]
  t.strictSame(await journal(), { ids: [1, 2, 3, 4, 5], marks })
  await ask()
  t.strictSame(await journal(), { ids: [1, 2, 3, 4, 5, 6], marks })
  await control('DELETE /requests')
  t.strictSame(await journal(), { ids: [], marks: [] })
})

t.test(
  'lists the first calls that an undo takes back, in their order, without those that were undone before',
  async (t) => {
    mock.timers.enable({ apis: ['Date'], now: Date.now() })
    t.teardown(() => mock.timers.reset())
    const { control, change, ask } = await createWorld()
    const run = async (call: () => Promise<unknown>) => {
      await call()
      mock.timers.tick(1)
    }
    const advance = (label?: string) =>
      run(() =>
        label === undefined
          ? control('POST /clock/advance', { by: 1000 })
          : change(label, 'POST /clock/advance', { by: 1000 }),
      )
    const calls = async (request = 'GET /undo') =>
      (await control(request)).body.calls.map(({ kind, id }: { kind: string; id: number }) => `${kind} ${id}`)
    await run(ask)
    await advance('one')
    await run(ask)
    await advance('two')
    await run(ask)
    await advance()
    t.strictSame(await calls('POST /undo'), ['control 2', 'request 3', 'control 3'])
    await run(ask)
    t.strictSame(await calls(), ['control 1', 'request 2', 'request 4'], 'not what was undone')
    await run(() => change('reset', 'POST /reset', { keep_requests: true }))
    await run(ask)
    await run(ask)
    t.strictSame(await calls('POST /undo'), ['control 5', 'request 5', 'request 6'], 'of the new history')
    await run(ask)
    t.strictSame(await calls(), ['control 1', 'request 2', 'request 4', 'request 7'])
    for (let n = 0; n < 10; n++) await run(ask)
    t.strictSame([(await calls()).length, (await calls()).at(-1)], [10, 'request 13'], 'at most 10')
    await control('DELETE /requests')
    t.strictSame(await calls(), ['control 1'], 'only those that are recorded')
    t.match((await control('GET /undo')).body.removed, { requests: 13, control_calls: 1 })
  },
)

t.test('a label shows no token', async (t) => {
  const { control, change, seller } = await createWorld()
  await change(`Revoke ${seller.token}`, 'POST /clock/advance', { by: 'PT1H' })
  t.match((await control('GET /snapshots')).body.results, [{ label: 'Revoke ***' }])
  t.match((await control('POST /undo')).body, { restored: { label: 'Revoke ***' } })
})

t.test('undoes the new start of a loaded world, too', async (t) => {
  const loaded = await createWorld()
  const start = await loaded.state()
  await loaded.ask()
  const file = (await loaded.control('GET /world')).text
  await loaded.change('load', 'PUT /world', file)
  await loaded.control('POST /undo')
  await loaded.control('POST /reset')
  t.strictSame(await loaded.state(), start, 'of a world without a start file')

  await loaded.change('load again', 'PUT /world', file)
  await loaded.control('POST /snapshots', { name: 'loaded' })
  await loaded.control('POST /undo')
  await loaded.control('POST /snapshots/loaded/restore')
  t.equal((await loaded.control('POST /reset')).status, 204)
  t.strictSame(await loaded.state(), start, 'also if a snapshot of the loaded state was restored')

  const forked = await createWorld(app, { from: loaded.id })
  const forkStart = await forked.state()
  await forked.ask()
  await forked.change('load', 'PUT /world', file)
  await forked.change('load again', 'PUT /world', file)
  await forked.control('POST /undo')
  await forked.control('POST /undo')
  await forked.control('POST /reset')
  t.strictSame(await forked.state(), forkStart, 'of a world with one')
})

t.test('a call that fails leaves no snapshot', async (t) => {
  const { control, change, labels } = await createWorld()
  await control('POST /applications', { redirect_uri: 'http://localhost/', id: 777 })
  for (const [request, body, status, header] of [
    ['POST /clock/advance', { by: 'soon' }, 400, 'none'],
    ['POST /clock/advance', { by: 'PT1H', more: 1 }, 400, undefined],
    ['POST /snapshots/never/restore', undefined, 404, 'none'],
    ['POST /applications', { redirect_uri: 'http://localhost/', id: 777 }, 409, 'none'],
    ['PUT /world', '{"world": 1}', 400, 'none'],
    ['POST /nothing', undefined, 404, undefined],
    ['PUT /reset', undefined, 405, undefined],
  ] as const) {
    const answer = await change('a change', request, body)
    t.strictSame([answer.status, answer.headers['x-sandbox-snapshot']], [status, header], request)
  }
  t.strictSame(labels(), [])
  t.strictSame((await control('POST /undo')).body, NO_SNAPSHOT)
  t.equal((await change('a', 'GET /clock')).status, 200)
  t.strictSame(labels(), [], 'a read takes none')
})

t.test('rejects wrong names and labels', async (t) => {
  const { control, change } = await createWorld()
  const label = 'x-sandbox-snapshot: must be 1 to 100 characters, percent-encoded unless they are visible ASCII'
  for (const wrong of ['', 'a'.repeat(101), '%', '%ff', '%00', '%0a', 'ñ', encodeURIComponent('ñ'.repeat(101))])
    t.strictSame((await change(wrong, 'POST /reset')).body, badRequest(label), wrong)
  t.equal((await change(encodeURIComponent('ñ'.repeat(100)), 'POST /reset')).status, 204)
  for (const [request, body, message] of [
    ['POST /undo', { number: 1 }, 'number: is an unknown member'],
    ['POST /undo', 'x', 'body: must be JSON'],
    ['POST /undo', '[]', 'body: must be object'],
    ['GET /undo?automatic=both', undefined, 'automatic: must be one of control, program'],
  ] as const)
    t.strictSame((await control(request, body)).body, badRequest(message), request)
  await control('POST /snapshots', { name: 'uno' })
  for (const name of ['auto.999999', 'uno']) {
    const missing = notFound(`Automatic snapshot ${name} not found`)
    t.strictSame((await control('POST /undo', { name })).body, missing)
    t.strictSame((await control(`GET /undo?name=${name}`)).body, missing)
  }
})

t.test('calls that leave the state of their world alone take no snapshot', async (t) => {
  const routes: string[] = []
  const { openApi, openControlPlane } = await start(t, {
    scenario: 'empty',
    beforePlugins: (server) =>
      server.addHook('onRoute', ({ method, url, config }) => {
        if (config?.keepsState) routes.push(`${method} ${url}`)
      }),
  })
  await openControlPlane()
  await openApi()
  t.strictSame(routes.sort(), [
    'DELETE /_sandbox/inbox',
    'DELETE /_sandbox/requests',
    'DELETE /_sandbox/snapshots/:name',
    'DELETE /_sandbox/worlds/:id',
    'PATCH /_sandbox/worlds/:id',
    'POST /_sandbox/backup',
    'POST /_sandbox/settle',
    'POST /_sandbox/snapshots',
    'POST /_sandbox/undo',
    'POST /_sandbox/verify',
    'POST /_sandbox/worlds',
    'POST /shipping/flex/sites/:site_id/configuration/v3',
    'PUT /_sandbox/inbox',
    'PUT /_sandbox/run',
  ])
  const { change, labels } = await createWorld()
  for (const [request, body] of [
    ['POST /settle'],
    ['POST /snapshots', { name: 'uno' }],
    ['DELETE /snapshots/uno'],
    ['DELETE /requests'],
  ] as const) {
    const answer = await change('a change', request, body)
    t.ok(answer.status < 300, request)
    t.equal(answer.headers['x-sandbox-snapshot'], undefined, request)
  }
  t.strictSame(labels(), [])
})

t.test('keeps the latest 20 of a world', async (t) => {
  const own = await start(t, { scenario: 'empty' })
  const { change, labels, id } = await createWorld(own, { scenario: 'empty' })
  for (let n = 1; n <= 22; n++) await change(String(n), 'POST /clock/advance', { by: 1000 })
  t.strictSame(
    labels(),
    Array.from({ length: 20 }, (_, n) => String(n + 3)),
  )
  t.equal(tempFiles(own).length, 20)
  t.equal((await change('fails', 'POST /clock/advance', { by: 'soon' })).status, 400)
  t.equal(labels().length, 20, 'a call that fails removes none')
  await own.control(`DELETE /worlds/${id}`)
  t.strictSame(tempFiles(own), [], 'a deleted world has none')
})

t.test('removes the oldest snapshots of all worlds when they have too many bytes', async (t) => {
  const measuring = await start(t, { scenario: 'empty' })
  const measured = await createWorld(measuring, { scenario: 'empty' })
  await measured.change('one', 'POST /clock/advance', { by: 1000 })
  const { bytes } = measuring.worlds.automaticSnapshots.list(measured.id)[0]!

  const own = await start(t, { scenario: 'empty', maxSnapshotBytes: Math.floor(2.5 * bytes) })
  const [first, second] = [await createWorld(own, { scenario: 'empty' }), await createWorld(own, { scenario: 'empty' })]
  const advance = ({ change }: typeof first, label: string) => change(label, 'POST /clock/advance', { by: 1000 })
  // The snapshot empties the log, so that the next one of the world needs only the size of its file.
  await advance(first, 'one')
  await advance(second, 'two')
  t.strictSame([first.labels(), second.labels()], [['one'], ['two']])
  await advance(second, 'three')
  t.strictSame([first.labels(), second.labels()], [[], ['two', 'three']])
  t.equal(tempFiles(own).length, 2)
  t.match((await second.control('POST /undo')).body, { restored: { label: 'three' } })

  const small = await start(t, { scenario: 'empty', maxSnapshotBytes: bytes - 1 })
  const world = await createWorld(small, { scenario: 'empty' })
  const answer = await advance(world, 'too large')
  t.strictSame([answer.status, answer.headers['x-sandbox-snapshot']], [200, 'none'])
  t.strictSame(world.labels(), [])
  t.strictSame(tempFiles(small), [])
})

t.test('without the header nothing is copied', async (t) => {
  const own = await start(t, { scenario: 'empty' })
  const { control } = await createWorld(own, { scenario: 'empty' })
  const answer = await control('POST /clock/advance', { by: 1000 })
  t.strictSame([answer.status, answer.headers['x-sandbox-snapshot']], [200, undefined])
  t.strictSame(tempFiles(own), [])
})

t.test('automatic snapshots of kept worlds end with the server, and what was undone stays undone', async (t) => {
  const { open, path } = keptServers(t, { secret: true })
  const first = await open()
  const world = await createWorld(first)
  await world.ask()
  const state = await world.state()
  await world.change('one', 'POST /clock/advance', { by: 'PT1H' })
  await world.control('POST /undo')
  await world.change('two', 'POST /faults', { match: { path: '/nothing' }, action: { status: 503 } })
  t.equal(tempFiles(first).length, 1)
  await world.control('POST /undo')
  await world.change('three', 'POST /faults', { match: { path: '/nothing' }, action: { status: 503 } })
  await world.control('POST /undo')
  await world.change('four', 'PATCH /assumptions/contacts.current_bucket', { value: 'exclude' })
  t.strictSame(await world.state(), state)
  t.ok(existsSync(join(path, 'passing-4')))
  await first.server.close()
  t.strictSame(tempFiles(first), [])

  const second = await open()
  t.strictSame((await second.control('GET /tokens?limit=1000', undefined, world.base)).text, state[2])
  t.strictSame((await second.control('POST /undo', undefined, world.base)).body, NO_SNAPSHOT)
})

t.test('clients see one complete state during an undo', async (t) => {
  const world = await createWorld()
  const before = await world.state()
  let isOver = false
  const wrong: unknown[] = []
  const client = async () => {
    while (!isOver) {
      const { status, text } = await world.ask()
      if (status !== 201) wrong.push(text)
    }
  }
  const clients = Array.from({ length: 8 }, client)
  const first = await world.change('first', 'POST /clock/advance', { by: 1000 })
  const name = first.headers['x-sandbox-snapshot']
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      n % 2 ? world.control('POST /undo') : world.change(`change ${n}`, 'POST /clock/advance', { by: 1000 }),
    ),
  )
  wrong.push(...answers.filter(({ status }) => ![200, 404, 409].includes(status)).map(({ text }) => text))
  isOver = true
  await Promise.all(clients)
  t.strictSame(wrong, [])
  if (world.labels().includes('first')) t.equal((await world.control('POST /undo', { name })).status, 200)
  await world.control('POST /reset')
  t.strictSame(await world.state(), before)
})
