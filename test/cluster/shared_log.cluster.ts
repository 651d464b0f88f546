import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { Claim, Directory } from '../../cluster/storage/directory.ts'
import { createPageCache } from '../../cluster/storage/log_entry.ts'
import { openPostgres } from '../../cluster/storage/postgres.ts'
import { SharedLog, type SharedLogOptions } from '../../cluster/storage/shared_log.ts'
import { $, prepared } from '../../db/engine.ts'
import { migrate } from '../../db/migrate.ts'
import { noLog } from '../../db/sqlite/commit_log.ts'
import { openSqlite } from '../../db/sqlite/engine.ts'
import { sequence } from '../../db/tables.ts'
import { until } from '../support/until.ts'
import { startCuttingProxy } from './cutting_proxy.ts'
import { startPostgres } from './postgres.ts'

const postgres = await startPostgres()
t.teardown(() => postgres.stop())
const folder = mkdtempSync(join(tmpdir(), 'mercadito-test-'))
t.teardown(() => rmSync(folder, { recursive: true }))

const migrated = join(folder, 'migrated.sqlite')
migrate(migrated)
openSqlite(migrated, { openLog: noLog }).close()

const insert = prepared(({ db }) => db.insert(sequence).values({ name: $('name'), n: 1 }))

let files = 0
/** A world of its own, of which this node is the owner. */
async function openWorld(t: Test, options: { port?: number; leaseMs?: number } = {}) {
  const { port = postgres.port, leaseMs = 20_000 } = options
  const directory = await openPostgres({
    databaseUrl: `postgres://mercadito@127.0.0.1:${port}/postgres`,
    format: 1,
    url: null,
    leaseMs,
    onLost() {},
    onError: (error) => t.error(error),
  })
  t.teardown(() => directory.close())
  const world = await directory.nextWorld()
  const file = join(folder, `${++files}.sqlite`)
  copyFileSync(migrated, file)
  const claim = await directory.create(world, file, null)
  const errors: Error[] = []
  const cache = createPageCache(10_000_000)
  const log = new SharedLog(file, claim, { directory, cache, onError: (error) => errors.push(error) })
  const engine = openSqlite(file, { openLog: () => log })
  t.teardown(() => engine.close())
  return {
    directory,
    claim,
    file,
    log,
    errors,
    write: (name: string) => engine.tx((q) => insert(q).run({ name })),
    /** The bytes of the local file with all commits. */
    async bytes() {
      const copy = `${file}.copy`
      await engine.copyTo(copy)
      const bytes = readFileSync(copy)
      rmSync(copy)
      return bytes
    },
  }
}

/** The names in the state that the next owner would load. */
async function storedBytes(directory: Directory, claim: Claim): Promise<Buffer> {
  const image = await directory.load(claim)
  return Buffer.concat([...image.chunks()])
}

t.test('each answered commit is stored, also while the log is folded', async (t) => {
  const { directory, claim, log, errors, write, bytes } = await openWorld(t)
  t.equal(log.whenStored(), undefined)
  const one = write('first')
  // It may be in flight for less than a millisecond.
  for (let n = 0; log.whenStored() === undefined && n < 10_000; n++) await setTimeout(0)
  t.ok(log.whenStored(), 'a commit in flight')
  await one
  t.equal(claim.seq, 1)
  let written = 0
  const writer = async (name: string) => {
    for (let n = 0; n < 400; n++) {
      await write(`${name} ${n} ${'x'.repeat(n)}`)
      written++
    }
  }
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map(writer))
  for (let n = 0; n < 1100; n++) await write(`alone ${n}`)
  t.equal(written, 2000)
  t.ok(claim.seq < 3101, 'commits in flight share entries')
  const remaining = async () =>
    Number(await postgres.query(`SELECT count(*) FROM mercadito.log WHERE state = ${claim.state}`))
  await until('a folded log', async () => (await remaining()) <= 1000)
  t.ok((await remaining()) < claim.seq)
  t.strictSame(errors, [])
  t.ok((await storedBytes(directory, claim)).equals(await bytes()))
})

t.test('a commit whose answer was lost is stored once', async (t) => {
  const proxy = await startCuttingProxy(postgres.port)
  t.teardown(() => proxy.close())
  const { directory, claim, write, bytes } = await openWorld(t, { port: proxy.port })
  for (let n = 0; n < 5; n++) {
    proxy.cutAnswers(n)
    await write(`lost ${n}`)
    t.equal(claim.seq, n + 1)
  }
  t.ok((await storedBytes(directory, claim)).equals(await bytes()))
})

t.test('commits wait for a database that is away for less than the lease', async (t) => {
  const proxy = await startCuttingProxy(postgres.port)
  t.teardown(() => proxy.close())
  const { directory, claim, write, bytes } = await openWorld(t, { port: proxy.port })
  proxy.pause(true)
  const writes = Promise.all(['a', 'b', 'c'].map(write))
  t.equal(await Promise.race([writes, setTimeout(500, 'waiting')]), 'waiting')
  proxy.pause(false)
  await writes
  t.ok((await storedBytes(directory, claim)).equals(await bytes()))
})

t.test('a world is broken when the lease has ended, and in a later life of its node', async (t) => {
  const { directory, claim, file } = await openWorld(t)
  const brokenWith = (change: Partial<SharedLogOptions['directory']>) => {
    const { node } = directory
    const own = { node, until: () => Infinity, append: () => Promise.resolve(), fold: () => Promise.resolve() }
    const options = { cache: createPageCache(10_000), onError: (error: Error) => t.error(error) }
    return new SharedLog(file, claim, { ...options, directory: { ...own, ...change } }).broken
  }
  t.equal(brokenWith({}), undefined)
  const moved = { message: `world ${claim.world} is not owned by this server now` }
  t.match(brokenWith({ until: () => 0 }), moved)
  t.match(brokenWith({ node: 'a later life' }), moved)
})

t.test('after the end of the lease commits are rejected, and no other is accepted', async (t) => {
  const proxy = await startCuttingProxy(postgres.port)
  t.teardown(() => proxy.close())
  const { directory, claim, log, write } = await openWorld(t, { port: proxy.port, leaseMs: 2000 })
  await write('stored')
  proxy.pause(true)
  await t.rejects(write('away'))
  t.ok(log.broken)
  await t.rejects(write('later'), { message: log.broken!.message })
  proxy.pause(false)
  await until('another lease', () => directory.until() > 0)
  await t.rejects(write('later'), { message: log.broken!.message }, 'the world must be loaded again')
  const again = (await directory.claim(claim.world)) as Claim
  t.ok(again.epoch > claim.epoch)
  t.ok((await storedBytes(directory, again)).includes('stored'))
})
