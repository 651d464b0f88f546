import { once } from 'node:events'
import { copyFileSync, fstatSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { createWorker } from '../../db/assets.ts'
import { $, type Engine, prepared, yieldToEventLoop } from '../../db/engine.ts'
import { migrate } from '../../db/migrate.ts'
import { type Checkpointer, openCheckpointer, WorkerUnavailable } from '../../db/sqlite/checkpointer.ts'
import { openSqlite } from '../../db/sqlite/engine.ts'
import { isSameLibrary, markLibrary } from '../../db/sqlite/library.ts'
import { localLog, type Sync, WalSyncError } from '../../db/sqlite/local_log.ts'
import { sequence } from '../../db/tables.ts'

const folder = mkdtempSync(join(tmpdir(), 'mercadito-test-'))
t.teardown(() => rmSync(folder, { recursive: true }))

let files = 0
function open(
  t: Test,
  { sync, checkpointer }: { sync?: Sync; checkpointer?: Checkpointer },
): Engine & { file: string } {
  const file = join(folder, `${++files}.sqlite`)
  migrate(file)
  const engine = openSqlite(file, { openLog: (file) => localLog(file, sync), checkpointer })
  t.teardown(() => engine.close())
  return { ...engine, file }
}

const names = prepared(({ db }) => db.select({ name: sequence.name }).from(sequence).orderBy(sequence.name))
const insert = prepared(({ db }) => db.insert(sequence).values({ name: $('name'), n: 1 }))
const namesIn = async (engine: Engine) => (await names(engine.read).all()).map(({ name }) => name)
const insertName = (engine: Engine, name: string) =>
  engine.tx(async (q) => {
    await insert(q).run({ name })
    q.effects!.events = { first: 1, last: 1 }
  })

/** A disk whose syncs end when the test says so. `settled` lists units, and `events`, in the order of their callbacks. */
function slowDisk() {
  const inFlight: { descriptor: number; done: (error: Error | null) => void }[] = []
  const settled: string[] = []
  return {
    inFlight,
    settled,
    sync: (descriptor: number, done: (error: Error | null) => void) => void inFlight.push({ descriptor, done }),
    /** Inserts a name in a commit of its own; resolves when it is committed. */
    async commit(engine: Engine, name: string) {
      const before = engine.version()
      insertName(engine, name).then(
        () => settled.push(name),
        (error) => settled.push(`${name}: ${error.constructor.name}`),
      )
      while (engine.version() === before) await yieldToEventLoop()
    },
    async end(error: Error | null = null) {
      inFlight.shift()!.done(error)
      await yieldToEventLoop()
      return settled.splice(0)
    },
  }
}

t.test('a unit resolves when its commit is synced; units that commit during a sync share the next one', async (t) => {
  const disk = slowDisk()
  const world = open(t, disk)
  world.onEvents(() => disk.settled.push('events'))
  await disk.commit(world, 'a')
  await disk.commit(world, 'b')
  await disk.commit(world, 'c')
  t.strictSame(await namesIn(world), ['a', 'b', 'c'], 'reads see commits at once')
  t.strictSame([disk.inFlight.length, disk.settled], [1, []], 'none has resolved yet')
  t.strictSame(await disk.end(), ['events', 'a'], 'b and c were committed after the sync started')
  t.equal(disk.inFlight.length, 1)
  await disk.commit(world, 'd')
  t.strictSame(await disk.end(), ['events', 'events', 'b', 'c'])
  t.strictSame(await disk.end(), ['events', 'd'])
  t.equal(disk.inFlight.length, 0, 'no sync remains')
})

t.test('after a failed sync all units are rejected until the world is reopened', async (t) => {
  const disk = slowDisk()
  const world = open(t, disk)
  world.onEvents(() => disk.settled.push('events'))
  await disk.commit(world, 'a')
  t.strictSame(await disk.end(), ['events', 'a'])
  await disk.commit(world, 'b')
  await disk.commit(world, 'c')
  let resume = () => {}
  const running = world.tx(async (q) => {
    await insert(q).run({ name: 'running' })
    await new Promise<void>((resolve) => {
      resume = resolve
    })
  })
  await yieldToEventLoop()
  t.strictSame(await disk.end(new Error('EIO: i/o error, fdatasync')), ['b: WalSyncError', 'c: WalSyncError'])
  resume()
  await t.rejects(running, /EIO.*start the server again/)
  const expected = new WalSyncError(`${world.file}-wal`, new Error('EIO: i/o error, fdatasync'))
  t.equal(
    expected.message,
    `${world.file}-wal could not be synced (EIO: i/o error, fdatasync): this world rejects all writes; check the disk, then start the server again`,
  )
  const later = await Promise.allSettled([
    insertName(world, 'd'),
    insertName(world, 'e'),
    world.copyTo(`${world.file}.copy`),
  ])
  for (const result of later) t.match(result, { status: 'rejected', reason: { message: expected.message } })
  t.strictSame(await namesIn(world), ['a', 'b', 'c'], 'reads continue')
  t.equal(disk.inFlight.length, 0)
  world.close()
  const reopened = openSqlite(world.file, { openLog: localLog })
  t.equal(statSync(`${world.file}-wal`).size, 0, 'new frames are not appended to the old ones')
  await insertName(reopened, 'f')
  t.strictSame(await namesIn(reopened), ['a', 'b', 'c', 'f'])
  reopened.close()
})

t.test('a log that cannot be synced at all is broken', async (t) => {
  const world = open(t, {
    sync: () => {
      throw new Error('EMFILE: too many open files')
    },
  })
  await t.rejects(insertName(world, 'a'), /EMFILE.*start the server again/)
  await t.rejects(insertName(world, 'b'), /EMFILE.*start the server again/)
})

t.test('pending units of a closed world resolve, and then the descriptor is closed', async (t) => {
  const disk = slowDisk()
  const world = open(t, disk)
  await disk.commit(world, 'a')
  await disk.commit(world, 'b')
  const { descriptor } = disk.inFlight[0]!
  world.close()
  t.ok(fstatSync(descriptor).isFile(), 'in use')
  t.strictSame(await disk.end(), ['a'])
  t.strictSame(await disk.end(), ['b'])
  t.throws(() => fstatSync(descriptor), { code: 'EBADF' })
  const reopened = openSqlite(world.file, { openLog: localLog })
  t.strictSame(await namesIn(reopened), ['a', 'b'])
  reopened.close()
})

t.test('closing a world without pending units closes the descriptor', async (t) => {
  const disk = slowDisk()
  const world = open(t, disk)
  await disk.commit(world, 'a')
  const { descriptor } = disk.inFlight[0]!
  await disk.end()
  world.close()
  t.throws(() => fstatSync(descriptor), { code: 'EBADF' })
})

t.test('a power cut loses no unit that has resolved', async (t) => {
  const cuts: { file: string; resolved: string[] }[] = []
  const world: Engine & { file: string } = open(t, {
    sync(_, done) {
      // When this sync ends, the disk has at least the file and its log as they are now.
      const cut = join(folder, `cut-${cuts.length}.sqlite`)
      for (const rest of ['', '-wal']) copyFileSync(world.file + rest, cut + rest)
      cuts.push({ file: cut, resolved: [] })
      setImmediate(done, null)
    },
  })
  const all: string[] = []
  const units: Promise<unknown>[] = []
  for (let n = 0; n < 12; n++) {
    // Some commits make a checkpoint, after which the log restarts.
    if (n % 2 === 0) await fill(world, 400)
    const name = `n${String(n).padStart(2, '0')}`
    units.push(
      insertName(world, name).then(() => {
        all.push(name)
        cuts.at(-1)!.resolved = [...all]
      }),
    )
    await yieldToEventLoop()
  }
  await Promise.all(units)
  t.ok(cuts.length > 4)
  for (const { file, resolved } of cuts) {
    const world = openSqlite(file, { openLog: localLog })
    const names = new Set(await namesIn(world))
    t.strictSame(
      resolved.filter((name) => !names.has(name)),
      [],
    )
    world.close()
  }
})

/** Writes a number of pages in one unit. */
const fill = (world: Engine, pages: number) =>
  world.tx(
    async (q) => void q.db.run(sql.raw(`INSERT INTO sequence VALUES (hex(randomblob(8)), zeroblob(${pages * 4000}))`)),
  )

t.test('checkpoints a long log while units run; units wait only if it grows far too long', async (t) => {
  const inFlight: (() => void)[] = []
  const checkpointer: Checkpointer = {
    checkpoint: () => new Promise((resolve) => inFlight.push(resolve)),
    whenIdle: (_, callback) => callback(),
    close() {},
  }
  const world = open(t, { checkpointer })
  await fill(world, 10)
  t.equal(inFlight.length, 0)
  await fill(world, 5000)
  await insertName(world, 'during a checkpoint')
  t.equal(inFlight.length, 1, 'one at a time')
  await fill(world, 16_000)
  let isWaiting = true
  const waits = insertName(world, 'waits').then(() => {
    isWaiting = false
  })
  for (let n = 0; n < 20; n++) await yieldToEventLoop()
  t.ok(isWaiting)
  t.strictSame(await namesIn(world).then((all) => all.includes('during a checkpoint')), true, 'reads continue')
  inFlight.shift()!()
  while (inFlight.length === 0) await yieldToEventLoop()
  t.ok(isWaiting, 'frames written meanwhile need a second checkpoint')
  inFlight.shift()!()
  await waits
})

t.test('the thread makes checkpoints', async (t) => {
  const checkpointer = openCheckpointer()
  t.teardown(() => checkpointer.close())
  const world = open(t, { checkpointer })
  await fill(world, 1100)
  await insertName(world, 'a')
  t.ok(statSync(world.file).size < 1100 * 4000)
  const order: string[] = []
  const checkpoint = checkpointer.checkpoint(world.file).then(() => order.push('resolved'))
  checkpointer.whenIdle(world.file, () => order.push('idle'))
  checkpointer.whenIdle(`${world.file}.other`, () => order.push('another file'))
  await checkpoint
  t.strictSame(order, ['another file', 'idle', 'resolved'])
  t.ok(statSync(world.file).size > 1100 * 4000)
  await insertName(world, 'b')
  t.ok(statSync(`${world.file}-wal`).size > 1100 * 4000, 'the log file keeps its size and restarts')
  await t.rejects(checkpointer.checkpoint(join(folder, 'nothing.sqlite')), /unable to open database file/)
  await t.resolves(checkpointer.checkpoint(world.file), 'later checkpoints work')
  const last = checkpointer.checkpoint(world.file)
  checkpointer.close()
  await t.rejects(last, new WorkerUnavailable('the server has been closed'))
})

t.test('a copy is made although something was just read', async (t) => {
  const checkpointer = openCheckpointer()
  t.teardown(() => checkpointer.close())
  const world = open(t, { checkpointer })
  await insertName(world, 'one')
  let read: Promise<string[]> | undefined
  setImmediate(() => {
    read = namesIn(world)
  })
  await world.copyTo(`${world.file}.copy`)
  t.strictSame(await read, ['one'])
})

t.test('a copy waits for a checkpoint of the file, also if a closed engine has started it', async (t) => {
  const waiting: (() => void)[] = []
  const checkpointer: Checkpointer = {
    checkpoint: async () => {},
    whenIdle: (_, callback) => void waiting.push(callback),
    close() {},
  }
  const world = open(t, { checkpointer })
  let isCopied = false
  const copied = world.copyTo(`${world.file}.copy`).then(() => {
    isCopied = true
  })
  while (waiting.length === 0) await yieldToEventLoop()
  for (let n = 0; n < 20; n++) await yieldToEventLoop()
  t.notOk(isCopied)
  waiting.shift()!()
  await copied
})

t.test('a thread that loads another copy of SQLite ends', async (t) => {
  const mark = markLibrary()
  t.strictSame([markLibrary(), isSameLibrary(mark)], [mark, true])
  // An installation replaces the library's file like this.
  const { sharedObjects } = process.report.getReport() as unknown as { sharedObjects: string[] }
  const replaced = join(folder, 'replaced.node')
  copyFileSync(sharedObjects.find((path) => path.includes('better-sqlite3') && path.endsWith('.node'))!, replaced)
  const other = markLibrary({ nativeBinding: replaced })
  t.strictSame([markLibrary(), isSameLibrary(other)], [mark, false])
  const [error] = await once(createWorker('checkpointer.cjs', { workerData: other }), 'error')
  t.match(error, { message: 'the library of the database was replaced since the server started' })
})

t.test('checkpoints on the event loop when there is no thread', async (t) => {
  const world = open(t, {
    checkpointer: {
      checkpoint: async () => Promise.reject(new WorkerUnavailable('no threads here')),
      whenIdle: (_, callback) => callback(),
      close() {},
    },
  })
  for (let n = 0; n < 6; n++) await fill(world, 1000)
  t.ok(statSync(`${world.file}-wal`).size < 4 * 1000 * 4200)
})
