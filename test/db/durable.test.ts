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
import { localLog, type Sync, WalSyncError } from '../../db/sqlite/local_log.ts'
import { isSameLibrary, markLibrary } from '../../db/sqlite/same_library.ts'
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
const keep = (engine: Engine, name: string) =>
  engine.tx(async (q) => {
    await insert(q).run({ name })
    q.hasEvents = true
  })

/** A disk that is done when the test says so; what was told since is in `told`, in its order. */
function slowDisk() {
  const under: { descriptor: number; done: (error: Error | null) => void }[] = []
  const told: string[] = []
  return {
    under,
    told,
    sync: (descriptor: number, done: (error: Error | null) => void) => void under.push({ descriptor, done }),
    /** Keeps a name, each in a commit of its own; answers when it is committed. */
    async commit(engine: Engine, name: string) {
      const before = engine.version()
      keep(engine, name).then(
        () => told.push(name),
        (error) => told.push(`${name}: ${error.constructor.name}`),
      )
      while (engine.version() === before) await yieldToEventLoop()
    },
    async end(error: Error | null = null) {
      under.shift()!.done(error)
      await yieldToEventLoop()
      return told.splice(0)
    },
  }
}

t.test(
  'a unit is answered when its commit is on the disk; others commit meanwhile and share the next sync',
  async (t) => {
    const disk = slowDisk()
    const world = open(t, disk)
    world.onEvents(() => disk.told.push('facts'))
    await disk.commit(world, 'a')
    await disk.commit(world, 'b')
    await disk.commit(world, 'c')
    t.strictSame(await namesIn(world), ['a', 'b', 'c'], 'reads see what is committed')
    t.strictSame([disk.under.length, disk.told], [1, []], 'nobody has an answer yet')
    t.strictSame(await disk.end(), ['facts', 'a'], 'b and c were committed after it began')
    t.equal(disk.under.length, 1)
    await disk.commit(world, 'd')
    t.strictSame(await disk.end(), ['facts', 'facts', 'b', 'c'])
    t.strictSame(await disk.end(), ['facts', 'd'])
    t.equal(disk.under.length, 0, 'nothing is left to be done')
  },
)

t.test('when the log is lost nothing is acknowledged any more, until it is opened anew', async (t) => {
  const disk = slowDisk()
  const world = open(t, disk)
  world.onEvents(() => disk.told.push('facts'))
  await disk.commit(world, 'a')
  t.strictSame(await disk.end(), ['facts', 'a'])
  await disk.commit(world, 'b')
  await disk.commit(world, 'c')
  let goOn = () => {}
  const running = world.tx(async (q) => {
    await insert(q).run({ name: 'running' })
    await new Promise<void>((resolve) => {
      goOn = resolve
    })
  })
  await yieldToEventLoop()
  t.strictSame(await disk.end(new Error('EIO: i/o error, fdatasync')), ['b: WalSyncError', 'c: WalSyncError'])
  goOn()
  await t.rejects(running, /EIO.*start the server again/)
  const refusal = new WalSyncError(`${world.file}-wal`, new Error('EIO: i/o error, fdatasync'))
  t.equal(
    refusal.message,
    `${world.file}-wal did not reach the disk (EIO: i/o error, fdatasync): nothing more is written to this world; see to the disk, then start the server again`,
  )
  const later = await Promise.allSettled([keep(world, 'd'), keep(world, 'e'), world.copyTo(`${world.file}.copy`)])
  for (const result of later) t.match(result, { status: 'rejected', reason: { message: refusal.message } })
  t.strictSame(await namesIn(world), ['a', 'b', 'c'], 'reading goes on')
  t.equal(disk.under.length, 0)
  world.close()
  const again = openSqlite(world.file, { openLog: localLog })
  t.equal(statSync(`${world.file}-wal`).size, 0, 'nothing is written behind what was left')
  await keep(again, 'f')
  t.strictSame(await namesIn(again), ['a', 'b', 'c', 'f'])
  again.close()
})

t.test('a log that cannot be opened is lost too', async (t) => {
  const world = open(t, {
    sync: () => {
      throw new Error('EMFILE: too many open files')
    },
  })
  await t.rejects(keep(world, 'a'), /EMFILE.*start the server again/)
  await t.rejects(keep(world, 'b'), /EMFILE.*start the server again/)
})

t.test('what waits when a world closes is told, and its descriptor goes then', async (t) => {
  const disk = slowDisk()
  const world = open(t, disk)
  await disk.commit(world, 'a')
  await disk.commit(world, 'b')
  const { descriptor } = disk.under[0]!
  world.close()
  t.ok(fstatSync(descriptor).isFile(), 'it is in use')
  t.strictSame(await disk.end(), ['a'])
  t.strictSame(await disk.end(), ['b'])
  t.throws(() => fstatSync(descriptor), { code: 'EBADF' })
  const again = openSqlite(world.file, { openLog: localLog })
  t.strictSame(await namesIn(again), ['a', 'b'])
  again.close()
})

t.test('a world that nothing was written to since has no descriptor', async (t) => {
  const disk = slowDisk()
  const world = open(t, disk)
  await disk.commit(world, 'a')
  const { descriptor } = disk.under[0]!
  await disk.end()
  world.close()
  t.throws(() => fstatSync(descriptor), { code: 'EBADF' })
})

t.test('a power cut after any answer leaves what was answered', async (t) => {
  const cuts: { file: string; told: string[] }[] = []
  const world: Engine & { file: string } = open(t, {
    sync(_, done) {
      // What is on the disk by the end at least: the file and its log as they are when it begins.
      const cut = join(folder, `cut-${cuts.length}.sqlite`)
      for (const rest of ['', '-wal']) copyFileSync(world.file + rest, cut + rest)
      cuts.push({ file: cut, told: [] })
      setImmediate(done, null)
    },
  })
  const all: string[] = []
  const units: Promise<unknown>[] = []
  for (let n = 0; n < 12; n++) {
    // Some commits move the log into the file, and it begins anew.
    if (n % 2 === 0) await fill(world, 400)
    const name = `n${String(n).padStart(2, '0')}`
    units.push(
      keep(world, name).then(() => {
        all.push(name)
        cuts.at(-1)!.told = [...all]
      }),
    )
    await yieldToEventLoop()
  }
  await Promise.all(units)
  t.ok(cuts.length > 4)
  for (const { file, told } of cuts) {
    const left = openSqlite(file, { openLog: localLog })
    const there = new Set(await namesIn(left))
    t.strictSame(
      told.filter((name) => !there.has(name)),
      [],
    )
    left.close()
  }
})

/** Writes so many pages in a unit. */
const fill = (world: Engine, pages: number) =>
  world.tx(
    async (q) => void q.db.run(sql.raw(`INSERT INTO sequence VALUES (hex(randomblob(8)), zeroblob(${pages * 4000}))`)),
  )

t.test('a long log is moved while units go on; they wait only where it has become far too long', async (t) => {
  const moves: (() => void)[] = []
  const checkpointer: Checkpointer = {
    checkpoint: () => new Promise((ok) => moves.push(ok)),
    whenIdle: (_, then) => then(),
    close() {},
  }
  const world = open(t, { checkpointer })
  await fill(world, 10)
  t.equal(moves.length, 0)
  await fill(world, 5000)
  await keep(world, 'goes on')
  t.equal(moves.length, 1, 'once at a time')
  await fill(world, 16_000)
  let isKept = false
  const waits = keep(world, 'waits').then(() => {
    isKept = true
  })
  for (let n = 0; n < 20; n++) await yieldToEventLoop()
  t.notOk(isKept)
  t.strictSame(await namesIn(world).then((all) => all.includes('goes on')), true, 'reads go on')
  moves.shift()!()
  while (moves.length === 0) await yieldToEventLoop()
  t.notOk(isKept, 'what came to it meanwhile is moved as well')
  moves.shift()!()
  await waits
})

t.test('the thread moves a log into its file', async (t) => {
  const checkpointer = openCheckpointer()
  t.teardown(() => checkpointer.close())
  const world = open(t, { checkpointer })
  const before = statSync(world.file).size
  await fill(world, 1100)
  await keep(world, 'a')
  const order: string[] = []
  const moved = checkpointer.checkpoint(world.file).then(() => order.push('moved'))
  checkpointer.whenIdle(world.file, () => order.push('after'))
  checkpointer.whenIdle(`${world.file}.other`, () => order.push('another file'))
  await moved
  t.strictSame(order, ['another file', 'after', 'moved'])
  t.ok(statSync(world.file).size >= before + 1100 * 4000)
  await keep(world, 'b')
  t.ok(statSync(`${world.file}-wal`).size > 1100 * 4000, 'the log keeps its size, and begins anew')
  await t.rejects(checkpointer.checkpoint(join(folder, 'nothing.sqlite')), /unable to open database file/)
  await t.resolves(checkpointer.checkpoint(world.file), 'one that fails is no end')
  const last = checkpointer.checkpoint(world.file)
  checkpointer.close()
  await t.rejects(last, new WorkerUnavailable('the server has ended'))
})

t.test('a thread that got another copy of SQLite touches no file', async (t) => {
  const mark = markLibrary()
  t.strictSame([markLibrary(), isSameLibrary(mark)], [mark, true])
  // As an installation replaces it.
  const { sharedObjects } = process.report.getReport() as unknown as { sharedObjects: string[] }
  const replaced = join(folder, 'replaced.node')
  copyFileSync(sharedObjects.find((path) => path.includes('better-sqlite3') && path.endsWith('.node'))!, replaced)
  const other = markLibrary({ nativeBinding: replaced })
  t.strictSame([markLibrary(), isSameLibrary(other)], [mark, false])
  const [error] = await once(createWorker('checkpointer.cjs', { workerData: other }), 'error')
  t.match(error, { message: 'the library of the database was replaced since the server started' })
})

t.test('without a thread the commit moves it', async (t) => {
  const world = open(t, {
    checkpointer: {
      checkpoint: async () => Promise.reject(new WorkerUnavailable('no threads here')),
      whenIdle: (_, then) => then(),
      close() {},
    },
  })
  for (let n = 0; n < 6; n++) await fill(world, 1000)
  t.ok(statSync(`${world.file}-wal`).size < 4 * 1000 * 4200)
})
