import fs, { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createTemporaryFolder, openDataFolder } from '../../db/folders.ts'
import { badRequest, bearer, notFound, start, type TestApp } from '../support/app.ts'

const app = await start(t)
const { control, call } = app

interface TestWorld {
  base: string
  seller: { id: number; token: string }
  buyer: { id: number; token: string }
}
/** A new world for a test. */
async function createWorld(
  { control }: TestApp = app,
  body: object = { scenario: 'demo', now: '2026-03-02T12:00:00Z' },
) {
  const { body: created } = await control('POST /worlds', body)
  return { base: `/w/${created.world.id}`, seller: created.sellers[0], buyer: created.buyers[0] } as TestWorld
}
const ask = async ({ buyer }: TestWorld, text = '¿Hay stock?', { call }: TestApp = app) =>
  call({
    method: 'POST',
    url: '/questions',
    headers: bearer(buyer.token),
    payload: JSON.stringify({ item_id: 'MLA1400000001', text }),
  })
const total = async ({ seller }: TestWorld, { call }: TestApp = app): Promise<number> =>
  (await call({ url: '/questions/search?limit=0', headers: bearer(seller.token) })).body.total
/** The reads that show the seller's state. */
const readState = async ({ seller, base }: TestWorld, { call, control }: TestApp = app) => {
  const get = async (url: string) => (await call({ url, headers: bearer(seller.token) })).text
  return [
    await get('/questions/search?limit=100'),
    await get(`/users/${seller.id}/contacts/questions/time_window?last=90&unit=day`),
    await get(`/users/${seller.id}/questions/response_time`),
    (await control('GET /clock', undefined, base)).text,
  ]
}

t.test('reset reverts data, clock, ids and tokens to the start', async (t) => {
  const world = await createWorld()
  const before = await readState(world)
  const first = (await ask(world)).body
  await control('POST /clock/advance', { by: 'P3D' }, world.base)
  await control('POST /clock/advance', { by: 'PT2H' }, world.base)
  t.notSame(await readState(world), before)

  const { status, text } = await control('POST /reset', undefined, world.base)
  t.strictSame([status, text], [204, ''])
  t.strictSame(await readState(world), before)
  t.equal((await ask(world)).body.id, first.id, 'ids start again')
})

t.test('reset reverts a world on real time to its creation', async (t) => {
  const world = await createWorld(app, { scenario: 'demo' })
  const [questions] = await readState(world)
  await ask(world)
  await control('PUT /clock', { mode: 'frozen', now: '2030-01-01T00:00:00Z' }, world.base)
  await control('POST /reset', undefined, world.base)
  t.equal((await readState(world))[0], questions)
  t.equal((await control('GET /clock', undefined, world.base)).body.mode, 'real')
})

t.test('resets the default world', async (t) => {
  const { buyers, sellers } = app
  const defaultWorld: TestWorld = { base: '', seller: sellers[0]!, buyer: buyers[0]! }
  const before = await readState(defaultWorld)
  await ask(defaultWorld)
  await control('POST /reset')
  t.strictSame(await readState(defaultWorld), before)
})

t.test('restores data, clock and tokens from a snapshot', async (t) => {
  const world = await createWorld()
  await ask(world, 'Primera')
  await control('POST /clock/advance', { by: 'PT1H' }, world.base)
  const saved = await readState(world)
  t.match((await control('POST /snapshots', { name: 'a' }, world.base)).body, { name: 'a' })
  await ask(world, 'Segunda')
  await control('PUT /clock', { mode: 'real' }, world.base)

  t.equal((await control('POST /snapshots/a/restore', undefined, world.base)).status, 204)
  t.strictSame(await readState(world), saved)
  const second = await ask(world, 'Segunda')
  t.equal(second.status, 201)
  t.equal((await control('POST /snapshots/a/restore', undefined, world.base)).status, 204)
  t.strictSame(await readState(world), saved, 'a snapshot can be restored repeatedly')

  await control('POST /reset', undefined, world.base)
  t.equal((await control('POST /snapshots/a/restore', undefined, world.base)).status, 204)
  t.strictSame(await readState(world), saved, 'a reset keeps snapshots')

  await ask(world, 'Tercera')
  const later = await readState(world)
  t.equal((await control('POST /snapshots', { name: 'a' }, world.base)).status, 201)
  await control('POST /snapshots/a/restore', undefined, world.base)
  t.strictSame(await readState(world), later, 'a snapshot of the same name replaces the earlier one')
})

t.test('lists by name, reads and deletes snapshots', async (t) => {
  const { base } = await createWorld()
  const before = Date.now()
  const store = async (body: object) => (await control('POST /snapshots', body, base)).body
  const b = await store({ name: 'b', label: 'Antes de la compra' })
  const { created_at, bytes } = b
  t.ok(before <= Date.parse(created_at) && Date.parse(created_at) <= Date.now(), 'real time')
  t.ok(bytes > 1_000_000)
  t.strictSame(b, {
    name: 'b',
    automatic: null,
    created_at,
    bytes,
    now: '2026-03-02T12:00:00.000Z',
    label: 'Antes de la compra',
  })
  await control('POST /clock/advance', { by: 'PT1H' }, base)
  const others = [await store({ name: '0_z' }), await store({ name: 'a-1' })]
  for (const other of others) t.match(other, { now: '2026-03-02T13:00:00.000Z', label: null })
  t.strictSame((await control('GET /snapshots', undefined, base)).body, {
    paging: { total: 3, limit: 50, offset: 0 },
    results: [...others, b],
  })
  t.strictSame((await control('GET /snapshots?limit=1&offset=2', undefined, base)).body.results, [b])
  t.strictSame((await control('GET /snapshots/b', undefined, base)).body, b)
  const replaced = await store({ name: 'b' })
  t.match(replaced, { name: 'b', now: '2026-03-02T13:00:00.000Z', label: null })
  t.strictSame((await control('GET /snapshots/b', undefined, base)).body, replaced)
  t.equal((await control('DELETE /snapshots/b', undefined, base)).status, 204)
  t.notOk(
    readdirSync(app.worlds.folder).some((name) => name.includes('.snapshot.b.')),
    'nor its description',
  )
  const missing = notFound('Snapshot b not found')
  t.strictSame((await control('GET /snapshots/b', undefined, base)).body, missing)
  t.strictSame((await control('DELETE /snapshots/b', undefined, base)).body, missing)
  t.strictSame((await control('POST /snapshots/b/restore', undefined, base)).body, missing)
  t.strictSame((await control('GET /snapshots')).body.paging.total, 0, 'another world has none of them')
})

t.test('automatic snapshots are in the same list, and are restored and deleted likewise', async (t) => {
  const world = await createWorld()
  const { base } = world
  const before = await readState(world)
  const change = { method: 'POST', payload: '{"by":"PT1H"}', headers: { 'x-sandbox-snapshot': 'later' } } as const
  const { headers } = await call({ url: `${base}/_sandbox/clock/advance`, ...change })
  const path = `/snapshots/${headers['x-sandbox-snapshot']}`
  const named = (await control('POST /snapshots', { name: 'a' }, base)).body
  const automatic = (await control(`GET ${path}`, undefined, base)).body
  t.match(automatic, { automatic: 'control', now: '2026-03-02T12:00:00.000Z', label: 'later' })
  t.strictSame((await control('GET /snapshots', undefined, base)).body.results, [automatic, named])
  t.equal((await control(`POST ${path}/restore`)).status, 404, 'another world has none of them')
  for (let n = 0; n < 2; n++) {
    await ask(world)
    t.equal((await control(`POST ${path}/restore`, undefined, base)).status, 204)
    t.strictSame(await readState(world), before)
  }
  t.equal((await control(`DELETE ${path}`, undefined, base)).status, 204)
  for (const request of [`GET ${path}`, `DELETE ${path}`, `POST ${path}/restore`])
    t.equal((await control(request, undefined, base)).status, 404)
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
  const world = await createWorld()
  const before = await total(world)
  await control('POST /snapshots', { name: 'start' }, world.base)
  let [stop, questionCount] = [false, 0]
  const wrong: unknown[] = []
  const client = async () => {
    while (!stop) {
      const { status, body } = await ask(world)
      if (status !== 201) wrong.push(body)
      questionCount++
      // Page and total come from one state.
      const { seller } = world
      const page = (await call({ url: '/questions/search?limit=100&status=UNANSWERED', headers: bearer(seller.token) }))
        .body
      if (page.total < 100 && page.questions?.length !== page.total) wrong.push(page)
      await setImmediate()
    }
  }
  const clients = Array.from({ length: 16 }, client)
  for (let n = 0; n < 20; n++) {
    const { status } = await control(n % 2 ? 'POST /reset' : 'POST /snapshots/start/restore', undefined, world.base)
    if (status !== 204) wrong.push(status)
  }
  stop = true
  await Promise.all(clients)
  t.strictSame(wrong, [])
  t.ok(questionCount > 50, `${questionCount} questions`)
  await control('POST /reset', undefined, world.base)
  t.equal(await total(world), before)
})

t.test('keeps worlds, snapshots and starts across a restart', async (t) => {
  const parent = createTemporaryFolder(tmpdir())
  t.teardown(() => parent.release())
  const path = join(parent.path, 'kept')
  const first = await start(t, { folder: openDataFolder(path), mode: 'kept', secret: true })
  const one = await createWorld(first)
  await ask(one, 'Uno', first)
  const uno = (await first.control('POST /snapshots', { name: 'uno', label: 'Uno' }, one.base)).body
  const saved = await readState(one, first)
  await ask(one, 'Dos', first)
  const forked = (await first.control('POST /worlds', { from: 2 })).body
  const two: TestWorld = { base: `/w/${forked.world.id}`, seller: forked.sellers[0], buyer: forked.buyers[0] }
  const forkStart = await readState(two, first)
  await ask(two, 'Tres', first)
  await first.control('POST /reset', undefined, one.base)
  const reset = await readState(one, first)
  const now = await readState(two, first)
  const last = (await first.control('POST /worlds', { scenario: 'empty' })).body.world.id
  await first.control(`DELETE /worlds/${last}`)
  await first.server.close()

  const second = await start(t, { folder: openDataFolder(path), mode: 'kept', secret: true })
  t.strictSame(second.worlds.ids(), [1, 2, 3])
  t.strictSame((await second.control('GET /snapshots', undefined, one.base)).body.results, [uno])
  t.strictSame(await readState(one, second), reset)
  t.strictSame(await readState(two, second), now)
  await second.control('POST /snapshots/uno/restore', undefined, one.base)
  t.strictSame(await readState(one, second), saved)
  await second.control('POST /reset', undefined, two.base)
  t.strictSame(await readState(two, second), forkStart)
  await second.control('POST /reset', undefined, one.base)
  t.strictSame(await readState(one, second), reset)
  t.equal(
    (await second.control('POST /worlds', { scenario: 'empty' })).body.world.id,
    last + 1,
    'world numbers are not reused',
  )
  t.strictSame([...first.faults, ...second.faults], [])
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
  const labels = async () =>
    (await own.control('GET /snapshots')).body.results.map((one: { name: string; label: string | null }) => [
      one.name,
      one.label,
    ])
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
  t.strictSame(
    own.faults.splice(0).map(({ message }) => message),
    Array.from({ length: 3 }, () => 'the disk has failed'),
  )
})

t.test('details without their snapshot are not listed, and removed by the next start', async (t) => {
  const parent = createTemporaryFolder(tmpdir())
  t.teardown(() => parent.release())
  const path = join(parent.path, 'kept')
  const open = () => start(t, { folder: openDataFolder(path), mode: 'kept', scenario: 'empty' })
  const first = await open()
  await first.control('POST /snapshots', { name: 'a', label: 'A' })
  const details = (name: string) => join(path, `world-1.snapshot.${name}.json`)
  writeFileSync(details('b'), '{"label":"B"}')
  const names = async ({ control }: TestApp) =>
    (await control('GET /snapshots')).body.results.map(({ name }: { name: string }) => name)
  t.strictSame(await names(first), ['a'])
  await first.server.close()

  const second = await open()
  t.strictSame([existsSync(details('a')), existsSync(details('b'))], [true, false])
  t.match((await second.control('GET /snapshots')).body.results, [{ name: 'a', label: 'A' }])
  t.strictSame([...first.faults, ...second.faults], [])
})

t.test('reports no unexpected error', async (t) => {
  t.strictSame(app.faults, [])
})
