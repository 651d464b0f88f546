import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import t, { type Test } from 'tap'
import { DatabaseUnavailable, openDatabase } from '../../cluster/storage/database.ts'
import type { Claim, Directory } from '../../cluster/storage/directory.ts'
import { CHUNK_BYTES, type Image } from '../../cluster/storage/image.ts'
import { CommitEncoder, createPageCache } from '../../cluster/storage/log_entry.ts'
import { openPostgres, type PostgresOptions } from '../../cluster/storage/postgres.ts'
import { migrateTables, TABLES_VERSION } from '../../cluster/storage/schema.ts'
import { until } from '../support/until.ts'
import { startCuttingProxy } from './cutting_proxy.ts'
import { startPostgres } from './postgres.ts'

/** Long enough for a busy machine; tests that wait for its end have a shorter one. */
const LEASE_MS = 20_000
const PAGE_BYTES = 4096

const postgres = await startPostgres()
t.teardown(() => postgres.stop())

async function openNode(
  t: Test,
  options: Partial<PostgresOptions> = {},
): Promise<Directory & { losses: () => number }> {
  let losses = 0
  const directory = await openPostgres({
    databaseUrl: postgres.url,
    format: 1,
    url: null,
    leaseMs: LEASE_MS,
    onLost: () => void losses++,
    onError: (error) => t.error(error),
    ...options,
  })
  t.teardown(() => directory.close())
  return Object.assign(directory, { losses: () => losses })
}

const folder = mkdtempSync(join(tmpdir(), 'mercadito-directory-'))
t.teardown(() => rmSync(folder, { recursive: true }))
let fileCount = 0

/** The bytes of a database, and the log entries of random commits to it. */
function createFile(pages: number) {
  const bytes = randomBytes(pages * PAGE_BYTES)
  const encoder = new CommitEncoder(createPageCache(1_000_000))
  return {
    bytes,
    /** Writes the present bytes to another file. Returns its path. */
    write(): string {
      const path = join(folder, `file-${++fileCount}`)
      writeFileSync(path, bytes)
      return path
    },
    commit(...numbers: number[]) {
      const changed = numbers.map((number): [number, Buffer] => {
        const page = bytes.subarray((number - 1) * PAGE_BYTES, number * PAGE_BYTES)
        randomBytes(8).copy(page, (number * 100) % (PAGE_BYTES - 8))
        return [number, page]
      })
      return encoder.encode({ pageCount: pages, pageSize: PAGE_BYTES, pages: new Map(changed) })
    },
  }
}
const toBytes = (image: Image) => Buffer.concat([...image.chunks()])

async function claim(directory: Directory, world: number): Promise<Claim> {
  const claim = await directory.claim(world)
  if (!claim || !('epoch' in claim)) throw new Error(`world ${world} is not free`)
  return claim
}

const MOVED = (world: number) => ({ message: `world ${world} belongs to another node` })

t.test('what a node has stored is what the next owner loads', async (t) => {
  const a = await openNode(t)
  const b = await openNode(t)
  const world = await a.nextWorld()
  const file = createFile(100)
  t.equal(await a.claim(world), undefined, 'there is no such world')
  const mine = await a.create(world, file.write(), null)
  t.ok(toBytes(await a.load(mine)).equals(file.bytes))
  for (let n = 0; n < 30; n++) await a.append(mine, file.commit(1, 2 + n, 100))
  t.equal(mine.seq, 30)
  t.strictSame(await b.claim(world), { world, node: { id: a.node, url: null } })
  await a.release(mine)
  const theirs = await claim(b, world)
  t.strictSame({ ...theirs, state: 0 }, { world, node: b.node, epoch: mine.epoch + 1, seq: 30, state: 0, record: null })
  t.ok(toBytes(await b.load(theirs)).equals(file.bytes))
  await t.rejects(a.append(mine, file.commit(1)), MOVED(world))
  await a.release(mine)
  t.strictSame(await a.claim(world), { world, node: { id: b.node, url: null } }, 'an earlier claim gives nothing up')
  await b.append(theirs, file.commit(2))
  t.equal(theirs.seq, mine.seq + 1)
  await t.rejects(a.append(mine, file.commit(3)), MOVED(world), 'the entry with this number is that of the next owner')
})

t.test('a node knows whether others share the database', async (t) => {
  const a = await openNode(t)
  t.equal(await a.hasOthers(), false)
  t.ok(a.until() - performance.now() < 0.9 * LEASE_MS, 'it is silent before others may claim its worlds')
  const b = await openNode(t)
  t.strictSame([await a.hasOthers(), await b.hasOthers()], [true, true])
})

t.test('folding moves the log into the chunks', async (t) => {
  const a = await openNode(t)
  const world = await a.nextWorld()
  const file = createFile(100)
  const mine = await a.create(world, file.write(), null)
  await a.fold(mine)
  for (let n = 0; n < 10; n++) await a.append(mine, file.commit(1, 100))
  await a.fold(mine)
  t.equal(postgres.sql(`SELECT count(*) FROM mercadito.log WHERE state = ${mine.state}`), '0')
  t.ok(toBytes(await a.load(mine)).equals(file.bytes))
  await a.append(mine, file.commit(50))
  t.equal(mine.seq, 11)
  const [entry] = await Promise.all([a.append(mine, file.commit(51)), a.fold({ ...mine })])
  t.equal(entry, undefined)
  t.ok(toBytes(await a.load(mine)).equals(file.bytes))
})

t.test('an expired node loses its worlds, and can store nothing more', async (t) => {
  const a = await openNode(t, { leaseMs: 4000 })
  const b = await openNode(t)
  const world = await a.nextWorld()
  const file = createFile(20)
  const mine = await a.create(world, file.write(), null)
  await a.append(mine, file.commit(1))
  const before = a.node
  postgres.sql(`UPDATE mercadito.node SET seen = seen - interval '1 hour' WHERE id = '${a.node}'`)
  const theirs = await claim(b, world)
  t.equal(theirs.epoch, mine.epoch + 1)
  await t.rejects(a.append({ ...mine }, file.commit(1)), MOVED(world))
  await t.rejects(a.fold({ ...mine }), MOVED(world))
  await b.append(theirs, file.commit(2))
  await until('the loss of its worlds', () => a.losses() > 0)
  await until('another lease', () => a.until() > 0)
  t.not(a.node, before, 'it registers again as another node')
  t.strictSame(await a.claim(world), { world, node: { id: b.node, url: null } })
})

t.test('what a request needs of a database waits for it until the lease ends', async (t) => {
  const proxy = await startCuttingProxy(postgres.port)
  t.teardown(() => proxy.close())
  const databaseUrl = postgres.url.replace(String(postgres.port), String(proxy.port))
  const a = await openNode(t)
  const b = await openNode(t, { databaseUrl, leaseMs: 60_000 })
  const world = await a.nextWorld()
  const mine = await a.create(world, createFile(3).write(), null)
  const elsewhere = { world, node: { id: a.node, url: null } }
  proxy.cutAnswers(5)
  t.strictSame(await b.claim(world), elsewhere)
  proxy.cutAnswers(5)
  t.ok((await b.worlds()).some(({ id }) => id === world))
  await a.release(mine)
  // The answer that it owns the world is lost, too.
  proxy.cutAnswers(1)
  t.equal((await claim(b, world)).epoch, mine.epoch + 2)
  t.match(await a.claim(world), { node: { id: b.node } })
})

t.test('a renewal of the lease that fails is repeated soon', async (t) => {
  const proxy = await startCuttingProxy(postgres.port)
  t.teardown(() => proxy.close())
  const databaseUrl = postgres.url.replace(String(postgres.port), String(proxy.port))
  const node = await openNode(t, { databaseUrl, leaseMs: 4000 })
  const before = node.until()
  // More than there are renewals in a lease.
  proxy.cutAnswers(6)
  await until('a renewal', () => node.until() !== before)
  t.equal(node.losses(), 0)
})

t.test('a world that a node claims while it stops is free at once', async (t) => {
  const a = await openNode(t)
  const onError = (error: Error) => t.error(error)
  const options = { databaseUrl: postgres.url, format: 1, url: null, leaseMs: 60_000, onLost() {}, onError }
  const b = await openPostgres(options)
  const world = await a.nextWorld()
  await a.release(await a.create(world, createFile(3).write(), null))
  const client = new pg.Client(postgres.url)
  await client.connect()
  t.teardown(() => client.end())
  await client.query('BEGIN')
  await client.query('UPDATE mercadito.world SET holder = $2 WHERE id = $1', [world, b.node])
  const closed = b.close()
  const waiting = `SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'DELETE %'`
  await until('the statement that waits', () => postgres.sql(waiting) !== '0')
  await client.query('COMMIT')
  await closed
  t.ok(await claim(a, world))
})

t.test('a call for a database that is away rejects when the lease has ended', async (t) => {
  const proxy = await startCuttingProxy(postgres.port)
  t.teardown(() => proxy.close())
  const databaseUrl = postgres.url.replace(String(postgres.port), String(proxy.port))
  const node = await openNode(t, { databaseUrl, leaseMs: 2000 })
  proxy.pause(true)
  const error = await node.claim(1).catch((error) => error)
  t.ok(error instanceof DatabaseUnavailable)
  proxy.pause(false)
})

t.test('of many nodes that want an ownerless world one gets it', async (t) => {
  const nodes = await Promise.all(Array.from({ length: 6 }, () => openNode(t)))
  const world = await nodes[0]!.nextWorld()
  await nodes[0]!.release(await nodes[0]!.create(world, createFile(3).write(), null))
  for (let round = 0; round < 10; round++) {
    const claims = await Promise.all(nodes.map((node) => node.claim(world)))
    const owner = claims.flatMap((claim, n) => (claim && 'epoch' in claim ? [{ node: nodes[n]!, claim }] : []))
    t.equal(owner.length, 1)
    t.equal(owner[0]!.claim.epoch, round + 2)
    await owner[0]!.node.release(owner[0]!.claim)
  }
})

t.test('a damaged log or chunk is not loaded', async (t) => {
  const a = await openNode(t)
  const world = await a.nextWorld()
  const file = createFile(40)
  const mine = await a.create(world, file.write(), null)
  for (let n = 1; n < 4; n++) await a.append(mine, file.commit(n, 40))
  const without = (condition: string) =>
    postgres.sql(
      `BEGIN; CREATE TABLE kept AS SELECT * FROM mercadito.log; DELETE FROM mercadito.log WHERE ${condition}; COMMIT`,
    )
  for (const seq of [1, 2, 3]) {
    without(`state = ${mine.state} AND seq = ${seq}`)
    await t.rejects(a.load(mine), { message: `entry ${seq} of the log is missing` })
    await t.rejects(a.fold(mine), { message: `entry ${seq} of the log is missing` })
    postgres.sql('DELETE FROM mercadito.log; INSERT INTO mercadito.log SELECT * FROM kept; DROP TABLE kept')
  }
  postgres.sql(
    `UPDATE mercadito.log SET bytes = overlay(bytes PLACING 'xx' FROM 200) WHERE state = ${mine.state} AND seq = 1`,
  )
  await t.rejects(a.load(mine), { message: 'page 1 is not the one that its log entry was made from' })
  const damage = (bytes: string) =>
    postgres.sql(
      `UPDATE mercadito.chunk SET bytes = ${bytes} WHERE n = 1
       AND state = (SELECT base FROM mercadito.state WHERE id = ${mine.state})`,
    )
  damage('substr(bytes, 1, 1000)')
  await t.rejects(a.load(mine), { message: 'a stored chunk cannot be read' })
  damage(`(SELECT bytes FROM mercadito.chunk other WHERE n = 0 AND other.state = chunk.state)`)
  await t.rejects(a.load(mine), { message: 'chunk 1 of a stored state has changed' })
})

t.test('states of a world', async (t) => {
  const a = await openNode(t)
  const b = await openNode(t)
  const world = await a.nextWorld()
  const [file, start, snapshot, other] = [createFile(60), createFile(40), createFile(30), createFile(20)]
  await a.save(world, { name: 'start', details: null }, start.write())
  t.equal(await b.claim(world), undefined, 'it has no present state yet')
  const mine = await a.create(world, file.write(), '{"name":"a"}')
  t.strictSame((await b.worlds()).at(-1), {
    id: world,
    record: '{"name":"a"}',
    bytes: (60 + 40) * PAGE_BYTES,
    isFree: false,
  })
  await a.append(mine, file.commit(3))
  await a.save(world, { name: 'snapshot:b', details: '{"label":"x"}' }, snapshot.write(), mine)
  await a.save(world, { name: 'snapshot:b', details: '{"label":"y"}' }, other.write(), mine)
  await a.setRecord(mine, null)
  t.strictSame((await b.worlds()).at(-1), {
    id: world,
    record: null,
    bytes: (60 + 40 + 20) * PAGE_BYTES,
    isFree: false,
  })
  t.strictSame(await b.saved(world), [
    { name: 'snapshot:b', details: '{"label":"y"}', bytes: 20 * PAGE_BYTES },
    { name: 'start', details: null, bytes: 40 * PAGE_BYTES },
  ])
  t.ok(toBytes((await b.loadSaved(world, 'start'))!).equals(start.bytes))
  t.ok(toBytes((await b.loadSaved(world, 'snapshot:b'))!).equals(other.bytes))
  t.equal(await b.loadSaved(world, 'snapshot:c'), undefined)

  const next = await a.replace(mine, other.write())
  t.strictSame(
    { ...next, state: 0 },
    { world, node: a.node, state: 0, epoch: mine.epoch + 1, seq: 0, record: '{"name":"a"}' },
  )
  await t.rejects(a.append(mine, file.commit(4)), MOVED(world), 'commits to the state before')
  await a.append(next, other.commit(1))
  t.ok(toBytes(await a.load(next)).equals(other.bytes))
  t.equal(await a.deleteSaved(next, 'snapshot:b'), true)
  t.equal(await a.deleteSaved(next, 'snapshot:b'), false)
  await t.rejects(a.remove(mine), MOVED(world))
  await a.remove(next)
  t.equal(await a.claim(world), undefined)
  t.strictSame(await a.saved(world), [])
  t.equal(postgres.sql(`SELECT count(*) FROM mercadito.state WHERE world = ${world}`), '0')
})

t.test('what a server left that ended while it created a world is removed later', async (t) => {
  const a = await openNode(t)
  const [unfinished, unfinishedNow, world] = [await a.nextWorld(), await a.nextWorld(), await a.nextWorld()]
  const file = createFile(3)
  for (const id of [unfinished, unfinishedNow, world]) await a.save(id, { name: 'start', details: null }, file.write())
  await a.create(world, file.write(), null)
  postgres.sql(`UPDATE mercadito.state SET created = created - interval '2 hours' WHERE world <> ${unfinishedNow}`)
  await openNode(t)
  const states = `SELECT world, name FROM mercadito.state WHERE world >= ${unfinished} ORDER BY world, name`
  t.equal(postgres.sql(states), `${unfinishedNow}|start\n${world}|start\n${world}|`)
})

t.test('worlds that differ in a few pages share the chunks of a template', async (t) => {
  const a = await openNode(t)
  const b = await openNode(t)
  const file = createFile(200)
  const world = await a.nextWorld()
  await a.create(world, file.write(), null)
  file.commit(1, 150)
  const claims = await Promise.all([a, b].map(async (node) => node.create(await node.nextWorld(), file.write(), null)))
  for (const { state } of claims)
    t.equal(
      postgres.sql(`SELECT string_agg(n::text, ',' ORDER BY n) FROM mercadito.chunk WHERE state = ${state}`),
      '0,9',
    )
  for (const [n, node] of [a, b].entries()) t.ok(toBytes(await node.load(claims[n]!)).equals(file.bytes))
})

t.test('a world that a newer version has opened is not claimed', async (t) => {
  const a = await openNode(t)
  const b = await openNode(t, { format: 2 })
  const world = await a.nextWorld()
  await a.release(await a.create(world, createFile(1).write(), null))
  await b.release(await claim(b, world))
  await t.rejects(a.claim(world), {
    message: `world ${world} was opened by a newer version of mercadito; start that version`,
  })
})

t.test('nodes that start at the same time create the tables once', async (t) => {
  postgres.sql('CREATE DATABASE tables')
  const options = { url: postgres.url.replace(/[^/]*$/, 'tables'), timeoutMs: LEASE_MS, maxConnections: 1 }
  const databases = await Promise.all(Array.from({ length: 4 }, () => openDatabase(options)))
  t.teardown(() => Promise.all(databases.map((database) => database.close())))
  for (let n = 0; n < 20; n++) {
    await databases[0]!.query('DROP SCHEMA IF EXISTS mercadito CASCADE')
    await Promise.all(databases.map(({ withConnection }) => withConnection(migrateTables)))
    t.strictSame(await databases[0]!.query('SELECT version FROM mercadito.version'), [
      { version: TABLES_VERSION.version },
    ])
  }
})

t.test('all nodes have one key', async (t) => {
  const [one, other] = await Promise.all([openNode(t), openNode(t)])
  const key = await one.key()
  t.equal(key.length, 32)
  t.ok(key.equals(await other.key()))
})

t.equal(CHUNK_BYTES % PAGE_BYTES, 0)
