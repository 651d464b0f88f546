import fs, { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { type AnyWorld, badRequest, ITEM, NOON, notFound, start, valuesOf } from '../support/app.ts'
import { keptServers } from '../support/kept.ts'

const app = await start(t)
const { control } = app

const ask = ({ buyer }: AnyWorld, text = '¿Hay stock?') => buyer.post('/questions', { item_id: ITEM, text })
const total = async ({ seller }: AnyWorld): Promise<number> =>
  (await seller.get('/questions/search?limit=0')).body.total
/** The reads that show the seller's state. */
async function readState({ seller, control }: AnyWorld) {
  const paths = [
    '/questions/search?limit=100',
    `/users/${seller.id}/contacts/questions/time_window?last=90&unit=day`,
    `/users/${seller.id}/questions/response_time`,
  ]
  const answers = await Promise.all([...paths.map((path) => seller.get(path)), control('GET /clock')])
  return valuesOf(answers, 'text')
}

t.test('reset reverts data, clock, ids and tokens to the start', async (t) => {
  const world = await app.createWorld()
  const before = await readState(world)
  const first = (await ask(world)).body
  await world.control('POST /clock/advance', { by: 'P3D' })
  await world.control('POST /clock/advance', { by: 'PT2H' })
  t.notSame(await readState(world), before)

  const { status, text } = await world.control('POST /reset')
  t.strictSame([status, text], [204, ''])
  t.strictSame(await readState(world), before)
  t.equal((await ask(world)).body.id, first.id, 'ids start again')
})

t.test('reset reverts a world on real time to its creation', async (t) => {
  const world = await app.createWorld({ scenario: 'demo' })
  const [questions] = await readState(world)
  await ask(world)
  await world.control('PUT /clock', { mode: 'frozen', now: '2030-01-01T00:00:00Z' })
  await world.control('POST /reset')
  t.equal((await readState(world))[0], questions)
  t.equal((await world.control('GET /clock')).body.mode, 'real')
})

t.test('resets the default world', async (t) => {
  const before = await readState(app)
  await ask(app)
  await control('POST /reset')
  t.strictSame(await readState(app), before)
})

t.test('restores data, clock and tokens from a snapshot', async (t) => {
  const world = await app.createWorld()
  await ask(world, 'Primera')
  await world.control('POST /clock/advance', { by: 'PT1H' })
  const saved = await readState(world)
  t.match((await world.control('POST /snapshots', { name: 'a' })).body, { name: 'a' })
  await ask(world, 'Segunda')
  await world.control('PUT /clock', { mode: 'real' })

  t.equal((await world.control('POST /snapshots/a/restore')).status, 204)
  t.strictSame(await readState(world), saved)
  const second = await ask(world, 'Segunda')
  t.equal(second.status, 201)
  t.equal((await world.control('POST /snapshots/a/restore')).status, 204)
  t.strictSame(await readState(world), saved, 'a snapshot can be restored repeatedly')

  await world.control('POST /reset')
  t.equal((await world.control('POST /snapshots/a/restore')).status, 204)
  t.strictSame(await readState(world), saved, 'a reset keeps snapshots')

  await ask(world, 'Tercera')
  const later = await readState(world)
  t.equal((await world.control('POST /snapshots', { name: 'a' })).status, 201)
  await world.control('POST /snapshots/a/restore')
  t.strictSame(await readState(world), later, 'a snapshot of the same name replaces the earlier one')
})

t.test('lists by name, reads and deletes snapshots', async (t) => {
  const { control } = await app.createWorld()
  const before = Date.now()
  const store = async (body: object) => (await control('POST /snapshots', body)).body
  const b = await store({ name: 'b', label: 'Antes de la compra' })
  const { created_at, bytes } = b
  t.ok(before <= Date.parse(created_at) && Date.parse(created_at) <= Date.now(), 'real time')
  t.ok(bytes > 1_000_000)
  t.strictSame(b, { name: 'b', automatic: null, created_at, bytes, now: NOON, label: 'Antes de la compra' })
  await control('POST /clock/advance', { by: 'PT1H' })
  const others = [await store({ name: '0_z' }), await store({ name: 'a-1' })]
  for (const other of others) t.match(other, { now: '2026-03-02T13:00:00.000Z', label: null })
  t.strictSame((await control('GET /snapshots')).body, {
    paging: { total: 3, limit: 50, offset: 0 },
    results: [...others, b],
  })
  t.strictSame((await control('GET /snapshots?limit=1&offset=2')).body.results, [b])
  t.strictSame((await control('GET /snapshots/b')).body, b)
  const replaced = await store({ name: 'b' })
  t.match(replaced, { name: 'b', now: '2026-03-02T13:00:00.000Z', label: null })
  t.strictSame((await control('GET /snapshots/b')).body, replaced)
  t.equal((await control('DELETE /snapshots/b')).status, 204)
  t.notOk(
    readdirSync(app.worlds.folder).some((name) => name.includes('.snapshot.b.')),
    'nor its description',
  )
  const missing = notFound('Snapshot b not found')
  t.strictSame((await control('GET /snapshots/b')).body, missing)
  t.strictSame((await control('DELETE /snapshots/b')).body, missing)
  t.strictSame((await control('POST /snapshots/b/restore')).body, missing)
  t.equal((await app.control('GET /snapshots')).body.paging.total, 0, 'another world has none of them')
})

t.test('automatic snapshots are in the same list, and are restored and deleted likewise', async (t) => {
  const world = await app.createWorld()
  const { control } = world
  const before = await readState(world)
  const { headers } = await control('POST /clock/advance', { by: 'PT1H' }, { 'x-sandbox-snapshot': 'later' })
  const path = `/snapshots/${headers['x-sandbox-snapshot']}`
  const named = (await control('POST /snapshots', { name: 'a' })).body
  const automatic = (await control(`GET ${path}`)).body
  t.match(automatic, { automatic: 'control', now: NOON, label: 'later' })
  t.strictSame((await control('GET /snapshots')).body.results, [automatic, named])
  t.equal((await app.control(`POST ${path}/restore`)).status, 404, 'another world has none of them')
  for (let n = 0; n < 2; n++) {
    await ask(world)
    t.equal((await control(`POST ${path}/restore`)).status, 204)
    t.strictSame(await readState(world), before)
  }
  t.equal((await control(`DELETE ${path}`)).status, 204)
  for (const request of [`GET ${path}`, `DELETE ${path}`, `POST ${path}/restore`])
    t.equal((await control(request)).status, 404)
})

const NAME = 'name: must be 1 to 64 lower case letters, digits, - and _, beginning with a letter or digit'
t.test('rejects invalid names, which never become paths', async (t) => {
  for (const name of ['', 'A', 'auto.1', '../a', 'a/b', '.', 'a.b', '-a', 'a'.repeat(65), 'ñ', 'a\u0000', 7])
    t.strictSame((await control('POST /snapshots', { name })).body, badRequest(NAME))
  t.strictSame(
    (await control('POST /snapshots', {})).body,
    badRequest(`name: is required, ${NAME.slice('name: '.length)}`),
  )
  for (const label of ['', 'a\nb', 'x'.repeat(101), null])
    t.strictSame(
      (await control('POST /snapshots', { name: 'a', label })).body,
      badRequest('label: must be a text of 1 to 100 characters'),
    )
  for (const name of ['..%2F..%2Fworld-1', '%00', 'A'])
    t.equal((await control(`POST /snapshots/${name}/restore`)).status, 404)
})

t.test('concurrent readers see one complete state during reset and restore', async (t) => {
  const world = await app.createWorld()
  const before = await total(world)
  await world.control('POST /snapshots', { name: 'start' })
  let [stop, questionCount] = [false, 0]
  const wrong: unknown[] = []
  const client = async () => {
    while (!stop) {
      const { status, body } = await ask(world)
      if (status !== 201) wrong.push(body)
      questionCount++
      // Page and total come from one state.
      const page = (await world.seller.get('/questions/search?limit=100&status=UNANSWERED')).body
      if (page.total < 100 && page.questions?.length !== page.total) wrong.push(page)
      await setImmediate()
    }
  }
  const clients = Array.from({ length: 16 }, client)
  for (let n = 0; n < 20; n++) {
    const { status } = await world.control(n % 2 ? 'POST /reset' : 'POST /snapshots/start/restore')
    if (status !== 204) wrong.push(status)
  }
  stop = true
  await Promise.all(clients)
  t.strictSame(wrong, [])
  t.ok(questionCount > 50, `${questionCount} questions`)
  await world.control('POST /reset')
  t.equal(await total(world), before)
})

t.test('keeps worlds, snapshots and starts across a restart', async (t) => {
  const { open } = keptServers(t, { secret: true })
  const first = await open()
  const one = await first.createWorld()
  await ask(one, 'Uno')
  const uno = (await one.control('POST /snapshots', { name: 'uno', label: 'Uno' })).body
  const saved = await readState(one)
  await ask(one, 'Dos')
  const two = await first.createWorld({ from: 2 })
  const forkStart = await readState(two)
  await ask(two, 'Tres')
  await one.control('POST /reset')
  const reset = await readState(one)
  const now = await readState(two)
  const { id: last } = await first.createWorld({ scenario: 'empty' })
  await first.control(`DELETE /worlds/${last}`)
  await first.server.close()

  const second = await open()
  t.strictSame(second.worlds.ids(), [1, 2, 3])
  const [oneLater, twoLater] = [second.worldOf(one), second.worldOf(two)]
  t.strictSame((await oneLater.control('GET /snapshots')).body.results, [uno])
  t.strictSame(await readState(oneLater), reset)
  t.strictSame(await readState(twoLater), now)
  await oneLater.control('POST /snapshots/uno/restore')
  t.strictSame(await readState(oneLater), saved)
  await twoLater.control('POST /reset')
  t.strictSame(await readState(twoLater), forkStart)
  await oneLater.control('POST /reset')
  t.strictSame(await readState(oneLater), reset)
  t.equal((await second.createWorld({ scenario: 'empty' })).id, last + 1, 'world numbers are not reused')
})

/** Makes a rename fail: the first one, or a later one. */
function failRename(t: Test, failing: number): void {
  const { renameSync } = fs
  let renames = 0
  const replace = (rename: typeof renameSync) => {
    fs.renameSync = rename
    syncBuiltinESMExports()
  }
  replace((from, to) => {
    if (++renames === failing) throw Object.assign(new Error('the disk has failed'), { code: 'EIO' })
    renameSync(from, to)
  })
  t.teardown(() => replace(renameSync))
}

t.test('a snapshot that fails leaves no details without a snapshot, or those of another state', async (t) => {
  const own = await start(t, { scenario: 'empty' })
  const store = (name: string, label: string) => own.control('POST /snapshots', { name, label })
  const labels = async () => valuesOf((await own.control('GET /snapshots')).body.results, 'name', 'label')
  const saved = () =>
    readdirSync(own.worlds.folder)
      .filter((file) => file.includes('snapshot'))
      .sort()
  await store('a', 'old')
  const files = ['world-1.snapshot.a.json', 'world-1.snapshot.a.sqlite']
  t.strictSame(saved(), files)

  await t.test('the snapshot cannot be renamed', async (t) => {
    failRename(t, 1)
    t.equal((await store('b', 'new')).status, 500)
    t.strictSame([await labels(), saved()], [[['a', 'old']], files])
  })
  await t.test('one that would replace another', async (t) => {
    failRename(t, 1)
    t.equal((await store('a', 'new')).status, 500)
    t.strictSame([await labels(), saved()], [[['a', null]], [files[1]]], 'the old one, without its details')
  })
  await t.test('the details cannot be renamed', async (t) => {
    failRename(t, 2)
    t.equal((await store('a', 'new')).status, 500)
    t.strictSame([await labels(), saved()], [[['a', null]], [files[1]]])
  })
  t.equal((await store('a', 'new')).status, 201)
  t.strictSame([await labels(), saved()], [[['a', 'new']], files])
  t.strictSame(valuesOf(own.faults.splice(0), 'message'), Array(3).fill('the disk has failed'))
})

t.test('details without their snapshot are not listed, and removed by the next start', async (t) => {
  const { open, path } = keptServers(t)
  const first = await open()
  await first.control('POST /snapshots', { name: 'a', label: 'A' })
  const details = (name: string) => join(path, `world-1.snapshot.${name}.json`)
  writeFileSync(details('b'), '{"label":"B"}')
  t.strictSame(valuesOf((await first.control('GET /snapshots')).body.results, 'name'), ['a'])
  await first.server.close()

  const second = await open()
  t.strictSame([existsSync(details('a')), existsSync(details('b'))], [true, false])
  t.match((await second.control('GET /snapshots')).body.results, [{ name: 'a', label: 'A' }])
})
