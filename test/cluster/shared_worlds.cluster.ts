import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { zstdDecompressSync } from 'node:zlib'
import t from 'tap'
import { shareWorlds } from '../../cluster/index.ts'
import { openPostgres } from '../../cluster/storage/postgres.ts'
import { migrationCount } from '../../db/migrate.ts'
import { until } from '../support/until.ts'
import { type Answer, LEASE_MS, type SharingApp, startApp } from './apps.ts'
import { startCuttingProxy } from './cutting_proxy.ts'
import { freePort, startPostgres } from './postgres.ts'

const UNAVAILABLE = { message: 'Service Unavailable', error: 'service_unavailable', status: 503, cause: [] }

const postgres = await startPostgres()
t.teardown(() => postgres.stop())
// Each test has a database of its own.
let databases = 0
function createDatabase(port = postgres.port): string {
  const name = `test_${++databases}`
  postgres.sql(`CREATE DATABASE ${name}`)
  return `postgres://mercadito@127.0.0.1:${port}/${name}`
}

const ask = ({ call, buyers: [buyer] }: SharingApp, text: string, base = '', token = buyer!.token) =>
  call({
    method: 'POST',
    url: `${base}/questions`,
    headers: { authorization: `Bearer ${token}` },
    payload: { item_id: 'MLA1400000001', text },
  })

const read = ({ call, sellers: [seller] }: SharingApp, id: number) =>
  call({ method: 'GET', url: `/questions/${id}`, headers: { authorization: `Bearer ${seller!.token}` } })

/** Repeats a call until it is not answered with 503. */
const untilServed = (call: () => Promise<Answer>): Promise<Answer> =>
  until('an answer other than 503', async () => {
    const answer = await call()
    return answer.status === 503 ? undefined : answer
  })

/** A server that others can reach. */
async function listen(url: string) {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const app = await startApp(url, { sharing: shareWorlds({ url, leaseMs: LEASE_MS, advertise: address }) })
  await app.listenOn({ host: '127.0.0.1', port })
  return { ...app, address }
}

t.test('a server that stops gives its worlds up with all that belongs to them', async (t) => {
  const url = createDatabase()
  const a = await startApp(url)
  t.equal(a.worlds.mode, 'shared')
  const { body: asked } = await ask(a, 'before the snapshot')
  const { body: created } = await a.control('POST /worlds', {
    scenario: 'demo',
    now: '2026-03-02T12:00:00Z',
    name: 'two',
    created_by: 'a test',
  })
  t.same((await a.control('POST /snapshots', { name: 'one', label: 'a label' })).status, 201)
  const { body: later } = await ask(a, 'after the snapshot')
  await a.control('PATCH /clock', { freeze_at: '2026-04-01T00:00:00Z' })
  const listed = await a.control('GET /worlds')
  t.same(
    listed.body.results.map(({ id, name, created_by }: Record<string, unknown>) => ({ id, name, created_by })),
    [
      { id: 1, name: null, created_by: null },
      { id: created.world.id, name: 'two', created_by: 'a test' },
    ],
  )
  const snapshots = await a.control('GET /snapshots')
  const clock = await a.control('GET /clock')

  const b = await startApp(url)
  t.strictSame(b.sellers, a.sellers, 'the credentials of the default world are known at every server')
  const elsewhere = await read(b, asked.id)
  t.strictSame([elsewhere.status, elsewhere.body, elsewhere.headers['retry-after']], [503, UNAVAILABLE, '1'])
  t.strictSame((await b.call({ method: 'GET', url: '/readyz' })).body.error, 'world_elsewhere')

  await a.close()
  t.strictSame((await read(b, asked.id)).body.text, 'before the snapshot')
  t.strictSame((await read(b, later.id)).body.text, 'after the snapshot')
  t.strictSame((await b.control('GET /snapshots')).body, snapshots.body)
  t.strictSame((await b.control('GET /clock')).body, clock.body)
  const present = ({ body }: Answer) =>
    body.results.map(({ used_at: _usedAt, bytes: _bytes, ...world }: Record<string, unknown>) => world)
  t.strictSame(present(await b.control('GET /worlds')), present(listed))
  const token = created.buyers[0].token
  t.equal((await ask(b, 'in the other world', '', token)).status, 201, 'a token finds its world')
  t.equal((await ask(b, 'in no world', `/w/${created.world.id + 1}`, token)).status, 404)

  t.equal((await b.control('POST /snapshots/one/restore', {})).status, 204)
  t.equal((await read(b, asked.id)).status, 200)
  t.equal((await read(b, later.id)).status, 404)
  t.equal((await b.control('POST /reset', {})).status, 204)
  t.equal((await read(b, asked.id)).status, 404)
  t.equal((await b.control(`DELETE /worlds/${created.world.id}`)).status, 204)
  await b.close()
  const c = await startApp(url)
  t.strictSame((await c.control('GET /worlds')).body.paging.total, 1)
  t.equal((await read(c, asked.id)).status, 404)
  await c.close()
  t.strictSame([...a.faults, ...b.faults, ...c.faults], [])
})

t.test('a server that is cut off from the database answers nothing, and serves again afterwards', async (t) => {
  const proxy = await startCuttingProxy(postgres.port)
  t.teardown(() => proxy.close())
  const url = createDatabase()
  const a = await startApp(url, {
    sharing: shareWorlds({
      url: url.replace(String(postgres.port), String(proxy.port)),
      leaseMs: 2000,
      advertise: null,
    }),
  })
  const b = await startApp(url)
  t.teardown(() => Promise.all([a.close(), b.close()]))
  const { body: first } = await ask(a, 'first')
  proxy.pause(true)
  const pending = ask(a, 'while it is cut off')
  const moved = await untilServed(() => ask(b, 'by another server'))
  t.equal(moved.status, 201)
  t.strictSame((await read(a, first.id)).body, UNAVAILABLE, 'reads are stale by now')
  t.strictSame((await a.control('GET /clock')).body, UNAVAILABLE)
  t.strictSame((await a.call({ method: 'GET', url: '/readyz' })).body.error, 'database_unavailable')
  t.strictSame((await a.call({ method: 'GET', url: '/livez' })).status, 200)
  t.strictSame((await pending).body, UNAVAILABLE)
  proxy.pause(false)
  t.strictSame((await read(b, first.id)).body.text, 'first')
  await b.close()
  const again = await untilServed(() => read(a, moved.body.id))
  t.strictSame(again.body.text, 'by another server')
})

t.test('worlds that no server has expire, and their notifications are sent', async (t) => {
  const url = createDatabase()
  const a = await startApp(url)
  const receiver = createServer().listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  t.teardown(() => receiver.close())
  const { port } = receiver.address() as AddressInfo
  const { body: created } = await a.control('POST /worlds', { scenario: 'demo' })
  const { body: expiring } = await a.control('POST /worlds', { scenario: 'empty', expires_in: 1 })
  const base = `/w/${created.world.id}`
  await a.control(
    `PUT /applications/${created.application.id}/notifications`,
    { callback_url: `http://127.0.0.1:${port}/`, topics: ['questions'] },
    base,
  )
  // It is stored, but its attempt does not end before the server does.
  const attempted = once(receiver, 'request')
  t.equal((await ask(a, 'to be told', base, created.buyers[0].token)).status, 201)
  const [unanswered] = (await attempted) as [IncomingMessage]
  const repeated = once(receiver, 'request')
  const closed = a.close()
  await once(unanswered.socket, 'close')
  await closed
  const b = await startApp(url)
  t.teardown(() => b.close())
  const [request, response] = await repeated
  t.equal(request.method, 'POST')
  response.end()
  await until('the end of the world', async () => {
    const { body } = await b.control('GET /worlds')
    return !body.results.some(({ id }: { id: number }) => id === expiring.world.id)
  })
  t.strictSame([...a.faults, ...b.faults], [])
})

t.test('worlds are listed while others are removed', async (t) => {
  const app = await startApp(createDatabase())
  t.teardown(() => app.close())
  const ids: number[] = []
  for (let n = 0; n < 8; n++) ids.push((await app.control('POST /worlds', { scenario: 'empty' })).body.world.id)
  const statuses = new Set<number>()
  let isDone = false
  const listing = async () => {
    while (!isDone) statuses.add((await app.control('GET /worlds')).status)
  }
  const listings = Promise.all([listing(), listing(), listing()])
  for (const id of ids) t.equal((await app.control(`DELETE /worlds/${id}`)).status, 204)
  isDone = true
  await listings
  t.strictSame([[...statuses], app.faults], [[200], []])
})

t.test('a world that a newer version has opened is not opened by an older one', async (t) => {
  const url = createDatabase()
  const ofNewer = { sharing: shareWorlds({ url, leaseMs: LEASE_MS, advertise: null, format: migrationCount() + 1 }) }
  const first = await startApp(url)
  const newer = await startApp(url, ofNewer)
  const { body: asked } = await ask(first, 'before the upgrade')
  await first.close()
  t.strictSame((await read(newer, asked.id)).status, 200)
  const older = await startApp(url)
  t.strictSame((await read(older, asked.id)).status, 503, 'the newer one has it')
  await newer.close()
  // Meanwhile it looks for worlds that no server has.
  await setTimeout(2000)
  t.strictSame((await read(older, asked.id)).status, 503, 'no server has it')
  await older.close()
  await t.rejects(startApp(url), {
    message: /^world 1 was opened by a newer version of mercadito; start that version$/,
  })
  const newest = await startApp(url, ofNewer)
  t.teardown(() => newest.close())
  t.strictSame((await read(newest, asked.id)).body.text, 'before the upgrade')
})

t.test('a new world belongs to the server that it is used on first', async (t) => {
  const url = createDatabase()
  const [a, b] = [await startApp(url), await startApp(url)]
  const { body } = await a.control('POST /worlds', { scenario: 'empty' })
  // Without an address servers send nothing on to each other.
  t.equal((await b.control('GET /clock', undefined, `/w/${body.world.id}`)).status, 200)
  t.equal((await a.control('GET /clock', undefined, `/w/${body.world.id}`)).status, 503)
  await a.close()
  await b.close()
})

t.test('a world of an older version is migrated where all servers find it', async (t) => {
  const url = createDatabase()
  const a = await startApp(url)
  const old = { databaseUrl: url, format: 1, url: null, leaseMs: LEASE_MS }
  const directory = await openPostgres({ ...old, onLost() {}, onError: (error) => t.error(error) })
  const world = await directory.nextWorld()
  const file = join(mkdtempSync(join(tmpdir(), 'mercadito-older-')), 'world.sqlite')
  t.teardown(() => rmSync(dirname(file), { recursive: true }))
  writeFileSync(
    file,
    zstdDecompressSync(readFileSync(new URL('../fixtures/data-0.1.0/world-2.sqlite.zst', import.meta.url))),
  )
  await directory.release(await directory.create(world, file, null))
  await directory.close()
  const base = `/w/${world}`
  // A table that the older version did not have.
  const stub = { match: { method: 'GET', path: '/shipments' }, answer: { body: 'x' } }
  t.equal((await a.control('POST /stubs', stub, base)).status, 201)
  await a.close()
  const b = await startApp(url)
  t.equal((await b.control('GET /stubs', undefined, base)).body.paging.total, 1)
  await b.close()
})

t.test('a server that had a world before shows no snapshot that another one has deleted since', async (t) => {
  const url = createDatabase()
  const [a, b] = [await startApp(url), await startApp(url)]
  t.teardown(() => a.close())
  const total = async () => (await untilServed(() => a.control('GET /snapshots'))).body.paging.total
  t.equal((await a.control('POST /snapshots', { name: 'one' })).status, 201)
  t.equal(await total(), 1)
  postgres.sql(
    `UPDATE mercadito.node SET seen = seen - interval '1 hour' WHERE id = (SELECT holder FROM mercadito.world WHERE id = 1)`,
    new URL(url).pathname.slice(1),
  )
  t.equal((await untilServed(() => b.control('DELETE /snapshots/one'))).status, 204)
  await b.close()
  // A write shows the server that it has lost the world meanwhile.
  t.equal((await untilServed(() => ask(a, 'whose world?'))).status, 201)
  t.equal(await total(), 0)
})

t.test('two servers that start at the same time share one default world', async (t) => {
  const url = createDatabase()
  const apps = await Promise.all([startApp(url), startApp(url)])
  t.teardown(() => Promise.all(apps.map((app) => app.close())))
  const answers = await Promise.all(apps.map((app) => ask(app, 'to whom it concerns')))
  t.strictSame(answers.map(({ status }) => status).sort(), [201, 503])
})

t.test('a change of state during a write in flight loses no acknowledged answer', async (t) => {
  const app = await startApp(createDatabase())
  t.teardown(() => app.close())
  const { body: kept } = await ask(app, 'kept')
  await app.control('POST /snapshots', { name: 'with it' })
  const [, ...asked] = await Promise.all([
    app.control('POST /snapshots/with%20it/restore', {}),
    ...Array.from({ length: 20 }, (_, n) => ask(app, `question ${n}`)),
  ])
  t.ok(asked.every(({ status }) => status === 201 || status === 503))
  t.equal((await read(app, kept.id)).status, 200)
  const { body: last } = await ask(app, 'after it')
  t.equal((await read(app, last.id)).status, 200)
})

t.test('calls for the worlds of a server that stops wait until another one has them', async (t) => {
  const url = createDatabase()
  const [first, second] = [await listen(url), await listen(url)]
  t.teardown(() => second.close())
  const statuses: number[] = []
  const ids = new Set<number>()
  let isStopped = false
  const client = async () => {
    while (!isStopped || statuses.length < 20) {
      const answer = await fetch(`${second.address}/questions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${second.buyers[0]!.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ item_id: 'MLA1400000001', text: '¿Hay stock?' }),
      })
      const body = (await answer.json()) as { id: number }
      // Sent over a connection that the stopping server closed at that moment: whether it arrived is not known.
      if (answer.status === 502) continue
      statuses.push(answer.status)
      ids.add(body.id)
    }
  }
  const clients = Promise.all([client(), client(), client()])
  await until('20 answers', () => statuses.length >= 20)
  await first.close()
  isStopped = true
  await clients
  t.strictSame([...new Set(statuses)], [201])
  t.equal(ids.size, statuses.length)
  for (const id of ids) t.equal((await read(second, id)).status, 200)
})

t.test('each server answers at once that a world was removed', async (t) => {
  const url = createDatabase()
  // The first one has the default world.
  const [first, second] = [await listen(url), await listen(url)]
  t.teardown(() => Promise.all([first.close(), second.close()]))
  const send = async ({ address }: typeof first, path: string, options: RequestInit = {}) => {
    const answer = await fetch(`${address}${path}`, options)
    return [answer.status, answer.status === 204 ? undefined : await answer.json()]
  }
  const { body } = await first.control('POST /worlds', { scenario: 'empty' })
  const base = `/w/${body.world.id}`
  for (const server of [second, first])
    t.match(await send(server, `${base}/currencies`), [200], 'the second one has it')
  t.strictSame(await send(first, `/_sandbox/worlds/${body.world.id}`, { method: 'DELETE' }), [204, undefined])
  const error = (status: number, error: string, message: string) => [status, { message, error, status, cause: [] }]
  const headers = { authorization: `Bearer ${body.sellers[0].token}` }
  for (const server of [first, second]) {
    const notFound = error(404, 'not_found', `World ${body.world.id} not found`)
    t.strictSame(await send(server, `/_sandbox/worlds/${body.world.id}`), notFound)
    t.strictSame(await send(server, `${base}/currencies`), error(404, 'resource not found', 'Resource not found.'))
    t.strictSame(await send(server, '/users/me', { headers }), error(401, 'not_found', 'invalid_token'))
  }
})
