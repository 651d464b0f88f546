import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mock } from 'node:test'
import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { errorBody, ITEM, NOON, start, type TestApp, valuesOf } from '../support/app.ts'

const STARTED_AT = Date.UTC(2026, 5, 1)

/** A server that takes snapshots before writes; its real time moves only with `tick`. */
async function open(t: Test, options: Parameters<typeof start>[1] = {}) {
  mock.timers.enable({ apis: ['Date'], now: STARTED_AT })
  t.teardown(() => mock.timers.reset())
  const app = await start(t, { scenario: 'quiet', now: Date.parse(NOON), autoSnapshots: 3, ...options })
  const { call, control, worlds, buyer, seller } = app
  return {
    ...app,
    ask: (text = '¿Hay stock?', item_id = ITEM) => buyer.post('/questions', { item_id, text }),
    answer: (question_id: number) => seller.post('/answers', { question_id, text: 'Sí' }),
    advance: (label: string) =>
      call({
        method: 'POST',
        url: '/_sandbox/clock/advance',
        headers: { 'x-sandbox-snapshot': label },
        payload: '{"by":1000}',
      }),
    total: async () => (await control('GET /questions')).body.paging.total as number,
    labels: (id = 1) => worlds.automaticSnapshots.list(id).map(({ label }) => label),
  }
}
const tick = (ms: number) => mock.timers.tick(ms)
const tempFiles = ({ worlds }: Pick<TestApp, 'worlds'>) =>
  readdirSync(worlds.folder).filter((name) => name.startsWith('passing-'))

t.test('takes a snapshot before the first write after a quiet second, and restores it', async (t) => {
  const { ask, answer, control, total, worlds } = await open(t)
  t.strictSame((await control('GET /snapshots')).body.results, [])
  const { body: question } = await ask()
  tick(999)
  t.equal((await answer(question.id)).status, 200)
  const { id, name, bytes } = worlds.automaticSnapshots.list(1)[0]!
  const first = { name, automatic: 'program', created_at: iso(0), bytes, now: NOON, label: 'POST /questions' }
  t.strictSame((await control('GET /snapshots')).body, {
    paging: { total: 1, limit: 50, offset: 0 },
    results: [first],
  })
  // The second counts from the last write, not from the snapshot.
  tick(999)
  t.equal((await ask()).status, 201)
  tick(1000)
  t.equal((await ask()).status, 201)
  const { results } = (await control('GET /snapshots')).body
  t.strictSame(results, [{ ...first, name: `auto.${id + 1}`, created_at: iso(2998), bytes: results[0].bytes }, first])

  const written = (n: number, path: string, at: number) => ({
    ...{ kind: 'request', id: n, method: 'POST', path, real_at: iso(at) },
  })
  const undone = {
    restored: first,
    removed: { requests: 4, changes: 4, control_calls: 0, snapshots: 1 },
    calls: [
      written(1, '/questions', 0),
      written(2, '/answers', 999),
      written(3, '/questions', 1998),
      written(4, '/questions', 2998),
    ],
  }
  t.strictSame((await control(`GET /undo?name=${name}`)).body, undone)
  t.strictSame((await control(`GET /undo?name=${name}&limit=2`)).body, { ...undone, calls: undone.calls.slice(0, 2) })
  t.equal(await total(), 3)
  t.strictSame((await control('POST /undo', { name, limit: 0 })).body, { ...undone, calls: [] })
  t.equal(await total(), 0)
  t.strictSame((await control('GET /snapshots')).body.results, [])
})

const iso = (ms: number) => new Date(STARTED_AT + ms).toISOString()

t.test('reads, and what does not change the world, neither take snapshots nor end the quiet second', async (t) => {
  const { ask, control, sellers, call, labels } = await open(t, { scenario: 'demo' })
  const { user_id, site_id, service_id } = (await control('GET /flex/subscriptions')).body.results[0]
  const seller = sellers.find(({ id }) => id === user_id)!
  const query = `{ configuration(user_id: ${user_id}, service_id: ${service_id}) { radius } }`
  t.equal((await seller.get('/users/me')).status, 200)
  t.equal((await call({ method: 'OPTIONS', url: '/questions' })).status, 200)
  t.equal((await control('POST /clock/advance', { by: 0 })).status, 200)
  t.equal((await seller.post(`/shipping/flex/sites/${site_id}/configuration/v3`, { query })).status, 200)
  t.strictSame(labels(), [])
  await ask()
  t.strictSame(labels(), ['POST /questions'])
})

t.test('writes that fail leave none, and the next one that succeeds keeps the copy', async (t) => {
  const app = await open(t)
  const { ask, answer, labels, worlds, control, total } = app
  const ids = () => worlds.automaticSnapshots.list(1).map(({ id }) => id)
  t.equal((await answer(999)).status, 404)
  t.equal((await ask('')).status, 400)
  t.equal((await app.call({ method: 'POST', url: '/answers', payload: '{}' })).status, 401)
  t.equal((await app.call({ method: 'POST', url: '/w/77/answers', payload: '{}' })).status, 404)
  t.strictSame([labels(), tempFiles(app).length], [[], 1])
  t.equal((await ask()).status, 201)
  t.strictSame([labels(), ids()], [['POST /answers'], [1]])
  for (let n = 0; n < 3; n++) {
    tick(1000)
    await answer(999)
    t.strictSame([ids(), tempFiles(app).length], [[1], 2], 'the copy before takes no space')
  }
  await ask()
  t.strictSame(ids(), [1, 4])
  await control('POST /undo')
  t.equal(await total(), 1)
  await answer(999)
  await control('POST /reset')
  await ask()
  t.strictSame(ids(), [1], 'a reset is not taken back with a write')
})

t.test('writes that arrive together share one snapshot, of the state before all of them', async (t) => {
  const { ask, answer, control, total, labels } = await open(t)
  const statuses = async (calls: Promise<{ status: number }>[]) =>
    (await Promise.all(calls)).map(({ status }) => status)
  t.strictSame(await statuses([ask('1'), ask('2'), ask('3'), ask('4')]), [201, 201, 201, 201])
  t.strictSame(labels(), ['POST /questions'])
  t.match((await control('POST /undo')).body.removed, { requests: 4, changes: 4 })
  t.equal(await total(), 0)
  tick(1000)
  t.strictSame(await statuses([answer(999), ask(), answer(998)]), [404, 201, 404])
  t.strictSame(labels(), ['POST /answers'], 'the label is that of the first')
  await control('POST /undo')
  t.equal(await total(), 0)
  tick(1000)
  t.strictSame(await statuses([answer(999), answer(998)]), [404, 404])
  t.strictSame(labels(), [], 'all have failed')
})

t.test('counts writes by JSONP, and their failures', async (t) => {
  const { buyers, labels, call } = await open(t)
  const jsonp = (body: object) =>
    call(
      `/questions?callback=f&_method=POST&_body=${encodeURIComponent(JSON.stringify(body))}&access_token=${buyers[0]!.token}`,
    )
  t.match(await jsonp({ item_id: 'MLA1', text: '¿?' }), { status: 200, text: /^f\(\[404,/ })
  t.strictSame(labels(), [])
  t.match(await jsonp({ item_id: ITEM, text: '¿?' }), { status: 200, text: /^f\(\[201,/ })
  t.strictSame(labels(), ['POST /questions'])
})

t.test('counts a write whose client has gone', async (t) => {
  const { ask, control, total } = await open(t, {
    beforePlugins: (server) =>
      server.addHook('preHandler', ({ raw, url }, _reply, done) => {
        if (url === '/questions') Object.assign(raw.socket, { destroyed: true })
        done()
      }),
  })
  await ask()
  t.match((await control('GET /requests')).body.results, [{ status: null }])
  t.match((await control('POST /undo')).body, { removed: { requests: 1 }, calls: [{ path: '/questions' }] })
  t.equal(await total(), 0)
})

t.test('a label has no values of the call', async (t) => {
  const { ask, sellers, call, labels } = await open(t)
  const { body: question } = await ask()
  tick(1000)
  const url = `/questions/${question.id}?access_token=${sellers[0]!.token}`
  t.equal((await call({ method: 'DELETE', url })).status, 200)
  t.strictSame(labels(), ['POST /questions', 'DELETE /questions/{question_id}'])
})

t.test('each kind has its own bound, and writes of programs never displace the snapshots of the console', async (t) => {
  const { ask, advance, control, labels } = await open(t)
  await advance('one')
  for (let n = 0; n < 5; n++) {
    await ask()
    tick(1000)
  }
  await advance('two')
  const program = 'POST /questions'
  t.strictSame(labels(), ['one', program, program, program, 'two'])
  await ask()
  t.strictSame(labels(), ['one', program, program, 'two', program])
  t.match((await control('GET /undo')).body.restored, { automatic: 'program', label: program })
  t.match((await control('GET /undo?automatic=control')).body, {
    restored: { automatic: 'control', label: 'two' },
    removed: { requests: 1, control_calls: 1, snapshots: 1 },
  })
  t.match((await control('POST /undo', { automatic: 'control' })).body.restored, { label: 'two' })
  t.strictSame(labels(), ['one', program, program])
  for (let n = 1; n <= 21; n++) await advance(String(n))
  t.equal(labels().length, 22)
  t.strictSame(labels().slice(0, 3), [program, program, '2'])
})

t.test('the bytes of all snapshots are left to those of the console', async (t) => {
  const measuring = await open(t)
  await measuring.advance('one')
  const { bytes } = measuring.worlds.automaticSnapshots.list(1)[0]!
  mock.timers.reset()
  const app = await open(t, { maxSnapshotBytes: Math.floor(2.5 * bytes) })
  const { ask, advance, labels } = app
  // The snapshot empties the log, so that the next one needs only the size of the file.
  await ask()
  await advance('one')
  t.strictSame(labels(), ['POST /questions', 'one'])
  await advance('two')
  t.strictSame(labels(), ['one', 'two'])
  tick(1000)
  t.equal((await ask()).status, 201)
  t.strictSame(labels(), ['one', 'two'])
  t.equal(tempFiles(app).length, 2)
  await advance('three')
  t.strictSame(labels(), ['two', 'three'])
})

t.test('takes none if their number is 0', async (t) => {
  const { ask, control } = await open(t, { autoSnapshots: 0 })
  await ask()
  const message =
    'There is no automatic snapshot: control calls with the header x-sandbox-snapshot leave one, and writes of programs unless --auto-snapshots is 0'
  t.strictSame((await control('POST /undo')).body, errorBody(409, 'conflict', message))
})

t.test('a large world is not copied before a write', async (t) => {
  const { ask, advance, world, labels } = await open(t)
  await world.tx(async (q) => void q.db.run(sql.raw('create table filler as select zeroblob(17000000) as bytes')))
  t.equal((await ask()).status, 201)
  t.strictSame(labels(), [])
  await advance('one')
  t.strictSame(labels(), ['one'], 'a control call waits for the copy')
})

t.test('a write does not wait for a change of the world', async (t) => {
  const { ask, worlds, labels, control } = await open(t)
  let reject = (_error: Error) => {}
  const change = worlds.replace(1, () => new Promise((_resolve, rejectIt) => (reject = rejectIt)))
  t.equal((await ask()).status, 201)
  t.strictSame(labels(), [])
  reject(new Error('not loaded'))
  await t.rejects(change, { message: 'not loaded' })
  tick(1000)
  await ask()
  t.strictSame(labels(), ['POST /questions'])
  await control('POST /reset')
  await ask()
  t.strictSame(labels(), ['POST /questions'], 'a reset does not end the second')
})

t.test('a write succeeds when its snapshot cannot be written', async (t) => {
  const { ask, worlds, labels, faults } = await open(t)
  writeFileSync(join(worlds.folder, 'passing-1'), '')
  t.equal((await ask()).status, 201)
  t.strictSame(labels(), [])
  t.match(faults.splice(0), [{ code: 'EEXIST' }])
  tick(1000)
  t.equal((await ask()).status, 201)
  t.strictSame(labels(), ['POST /questions'])
})

t.test('the tries of an explanation take none', async (t) => {
  const { ask, control, sellers, worlds } = await open(t)
  const { body: question } = await ask()
  tick(1000)
  await sellers[0]!.post('/answers', { question_id: question.id, text: '' })
  const explained = await control('GET /requests/2/explain')
  t.equal(explained.status, 200)
  await ask()
  t.strictSame(valuesOf(worlds.automaticSnapshots.list(1), 'id'), [1, 2])
})

t.test('snapshots leave the data as they would be without', async (t) => {
  const run = async (autoSnapshots: number) => {
    const { ask, answer, control } = await open(t, { autoSnapshots })
    for (let n = 0; n < 3; n++) {
      const { body: question } = await ask(`¿${n}?`)
      tick(1000)
      await answer(question.id)
      tick(1000)
    }
    const { text } = await control('GET /world')
    mock.timers.reset()
    return text
  }
  t.equal(await run(3), await run(0))
})
