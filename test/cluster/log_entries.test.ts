import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { like, sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { CHUNK_BYTES, Image } from '../../cluster/storage/image.ts'
import {
  applyEntry,
  CommitEncoder,
  changedChunks,
  createPageCache,
  DamagedLog,
  type PageCache,
} from '../../cluster/storage/log_entry.ts'
import { WalReader } from '../../cluster/storage/wal_reader.ts'
import { $, type Engine, prepared } from '../../db/engine.ts'
import { migrate } from '../../db/migrate.ts'
import { type Checkpointer, openCheckpointer } from '../../db/sqlite/checkpointer.ts'
import { noLog } from '../../db/sqlite/commit_log.ts'
import { openSqlite } from '../../db/sqlite/engine.ts'
import { sequence } from '../../db/tables.ts'
import fc, { runs } from '../support/property.ts'

const folder = mkdtempSync(join(tmpdir(), 'mercadito-test-'))
t.teardown(() => rmSync(folder, { recursive: true }))
let files = 0
const newFile = () => join(folder, `${++files}.sqlite`)

const migrated = newFile()
migrate(migrated)
// Opening a file for the first time sets its journal mode, which is stored in the file and is no commit.
openSqlite(migrated, { openLog: noLog }).close()
const checkpointer = openCheckpointer()
t.teardown(() => checkpointer.close())

const insert = prepared(({ db }) => db.insert(sequence).values({ name: $('name'), n: $('n') }))
const increment = prepared(({ db }) =>
  db
    .update(sequence)
    .set({ n: sql`${sequence.n} + 1` })
    .where(like(sequence.name, $('prefix'))),
)
const remove = prepared(({ db }) => db.delete(sequence).where(like(sequence.name, $('prefix'))))

/** A database file that is open, and the entries of its commits. */
function open(file: string, cache: PageCache, checkpointer?: Checkpointer) {
  const entries: Buffer[] = []
  const reader = new WalReader(file)
  const encoder = new CommitEncoder(cache)
  const engine = openSqlite(file, {
    checkpointer,
    openLog: (file) => ({
      ...noLog(file),
      committed(frames) {
        const pages = reader.read(frames())
        if (pages) entries.push(encoder.encode(pages))
      },
      close: () => reader.close(),
    }),
  })
  return { engine, takeEntries: () => entries.splice(0) }
}

const readImage = (file: string): Image => Image.of(readFileSync(file))
const toBytes = (image: Image) => Buffer.concat([...image.chunks()])

interface Unit {
  action: 'insert' | 'increment' | 'remove' | 'nothing'
  rows: number
  bytes: number
  fails: boolean
}

let names = 0
async function run(engine: Engine, units: Unit[]): Promise<void> {
  const run = ({ action, rows, bytes, fails }: Unit) =>
    engine.tx(async (q) => {
      const prefix = `${rows % 7}%`
      if (action === 'increment') await increment(q).run({ prefix })
      if (action === 'remove') await remove(q).run({ prefix })
      for (let row = 0; action === 'insert' && row < rows; row++)
        await insert(q).run({ name: `${row % 7} ${++names} ${'x'.repeat(bytes)}`, n: row })
      if (fails) throw new Error('planned')
    })
  for (const [index, result] of (await Promise.allSettled(units.map(run))).entries())
    if (result.status === 'rejected' && !units[index]!.fails) throw result.reason
}

const unit = fc.record({
  action: fc.constantFrom(
    'insert' as const,
    'insert' as const,
    'increment' as const,
    'remove' as const,
    'nothing' as const,
  ),
  rows: fc.integer({ min: 1, max: 40 }),
  bytes: fc.constantFrom(0, 100, 3000),
  fails: fc.boolean(),
})
// The page cache of a connection has 2 MB: SQLite writes pages of larger units to the log before their commit.
const largeUnit = fc.record({
  action: fc.constant('insert' as const),
  rows: fc.integer({ min: 800, max: 1200 }),
  bytes: fc.constant(4000),
  fails: fc.boolean(),
})
const step = fc.oneof(
  { weight: 12, arbitrary: fc.array(unit, { minLength: 1, maxLength: 5 }) },
  { weight: 1, arbitrary: fc.array(largeUnit, { minLength: 1, maxLength: 2 }) },
  { weight: 3, arbitrary: fc.constant('copy' as const) },
  { weight: 2, arbitrary: fc.constant('reopen' as const) },
)

t.test('applied to an image, the entries of all commits give the database file byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 30 }),
      fc.record({ cacheBytes: fc.constantFrom(4096, 100_000, 10_000_000), hasCheckpointer: fc.boolean() }),
      async (steps, { cacheBytes, hasCheckpointer }) => {
        const file = newFile()
        copyFileSync(migrated, file)
        const image = readImage(file)
        const cache = createPageCache(cacheBytes)
        let world = open(file, cache, hasCheckpointer ? checkpointer : undefined)
        for (const next of [...steps, 'copy' as const]) {
          if (next === 'reopen') {
            world.engine.close()
            world = open(file, cache, hasCheckpointer ? checkpointer : undefined)
          } else if (next === 'copy') {
            const copy = newFile()
            await world.engine.copyTo(copy)
            const same = readFileSync(copy).equals(toBytes(image))
            rmSync(copy)
            if (!same) return false
          } else {
            await run(world.engine, next)
            // Entries of several commits can be stored as one, and applied again.
            const entry = Buffer.concat(world.takeEntries())
            applyEntry(entry, image)
            applyEntry(entry, image)
          }
        }
        world.engine.close()
        return readFileSync(file).equals(toBytes(image))
      },
    ),
    { numRuns: runs(60) },
  )
})

/** A database with pages of 512 bytes, and what its commits wrote. */
function small(t: Test) {
  const file = newFile()
  const database = new Sqlite(file)
  t.teardown(() => database.close())
  database.exec(
    'PRAGMA page_size = 512; PRAGMA journal_mode = WAL; CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT)',
  )
  const reader = new WalReader(file)
  t.teardown(() => reader.close())
  const encoder = new CommitEncoder(createPageCache(1_000_000))
  const frameCount = () => (database.pragma('wal_checkpoint(NOOP)') as [{ log: number }])[0].log
  /** The entry of the commits since the last call; undefined when there are none. */
  const read = () => {
    const pages = reader.read(frameCount())
    return pages && encoder.encode(pages)
  }
  const bytes = () => {
    database.pragma('wal_checkpoint(TRUNCATE)')
    return readFileSync(file)
  }
  return { database, read, bytes, image: readImage(file) }
}

t.test('an entry has only the words of a page that changed', async (t) => {
  const { database, read, bytes, image } = small(t)
  database.exec(`INSERT INTO row VALUES (1, '${'a'.repeat(300)}')`)
  applyEntry(read()!, image)
  t.equal(read(), undefined, 'there is no commit')
  database.exec('BEGIN IMMEDIATE; COMMIT')
  t.equal(read(), undefined, 'a commit without changes')
  database.exec(`UPDATE row SET text = 'b' || substr(text, 2)`)
  const entry = read()!
  // The commit, one page, one run, one word.
  t.equal(entry.length, 12 + 10 + 4 + 4)
  applyEntry(entry, image)
  t.ok(toBytes(image).equals(bytes()))
})

t.test('an image follows a file that becomes shorter and longer', async (t) => {
  const { database, read, bytes, image } = small(t)
  const fill = (rows: number) => {
    const insert = database.prepare('INSERT INTO row (text) VALUES (?)')
    database.transaction(() => {
      for (let row = 0; row < rows; row++) insert.run('x'.repeat(400))
    })()
  }
  const sizes = []
  for (const rows of [2000, 0, 300, 500, 1, 2000]) {
    database.exec('DELETE FROM row; VACUUM')
    fill(rows)
    applyEntry(read()!, image)
    t.ok(toBytes(image).equals(bytes()))
    sizes.push(image.chunkCount)
  }
  t.ok(sizes[0]! > 8 && sizes[1] === 1, 'chunks are added and dropped')
})

t.test('an image knows which chunks have changed', async (t) => {
  const image = Image.of(Buffer.alloc(2 * CHUNK_BYTES + 4096, 'x'))
  t.strictSame([image.size, image.chunkCount, image.changed], [2 * CHUNK_BYTES + 4096, 3, []])
  image.resize(4096, 34)
  image.pageForWriting(3).fill(1)
  t.strictSame(image.changed, [0, 2], 'the last chunk is longer')
  t.equal(image.chunk(2).length, 8192)
  image.resize(4096, 15)
  t.strictSame([image.changed, image.chunk(0).length], [[0], 15 * 4096], 'it ends in the first chunk')
  t.throws(() => image.chunk(1), { name: 'RangeError', message: 'the image has no chunk 1' })
  image.resize(4096, 49)
  t.strictSame([image.changed, image.chunkCount], [[0, 1, 2, 3], 4])
  t.ok(image.pageForWriting(16).equals(Buffer.alloc(4096)), 'a page that was dropped comes back empty')
  t.ok(image.chunk(3).equals(Buffer.alloc(4096)))
  t.throws(() => image.pageForWriting(50), { name: 'RangeError', message: 'the file has no page 50' })
  t.throws(() => image.pageForWriting(0), RangeError)
})

t.test('an image needs only the chunks that change', async (t) => {
  const { database, read, bytes } = small(t)
  const insert = database.prepare('INSERT INTO row (text) VALUES (?)')
  database.transaction(() => {
    for (let row = 0; row < 1000; row++) insert.run('x'.repeat(400))
  })()
  read()
  const before = bytes()
  database.exec(`UPDATE row SET text = 'y' WHERE id = 500`)
  const entry = read()!
  const numbers = changedChunks(entry)
  t.equal(numbers.size, 1)
  const image = new Image(before.length)
  for (const number of numbers) image.set(number, before.subarray(number * CHUNK_BYTES, (number + 1) * CHUNK_BYTES))
  applyEntry(entry, image)
  const [number] = image.changed
  t.strictSame(image.changed, [...numbers])
  t.ok(image.chunk(number!).equals(bytes().subarray(number! * CHUNK_BYTES, (number! + 1) * CHUNK_BYTES)))
})

t.test('a damaged entry is not taken for a whole one', async (t) => {
  const { database, read, image } = small(t)
  database.exec(`INSERT INTO row VALUES (1, '${'a'.repeat(300)}')`)
  const first = read()!
  database.exec(`UPDATE row SET text = 'b' || substr(text, 2)`)
  const second = read()!
  const apply = (entry: Buffer) => {
    try {
      applyEntry(entry, image)
    } catch (error) {
      return error
    }
  }
  t.match(apply(second), { message: 'page 2 is not the one that its log entry was made from' }, 'an entry is missing')
  for (let length = 1; length < first.length; length += 13)
    t.ok(apply(first.subarray(0, length)) instanceof DamagedLog, `only ${length} bytes`)
  for (const position of [12, 18, 24, 26, 40, first.length - 1]) {
    const damaged = Buffer.from(first)
    damaged[position]! ^= 1
    t.ok(apply(damaged) instanceof DamagedLog, `byte ${position}`)
  }
})

t.test('a log that does not continue what was read is an error', async (t) => {
  const file = newFile()
  copyFileSync(migrated, file)
  const reader = new WalReader(file)
  const database = new Sqlite(file)
  t.teardown(() => database.close())
  database.exec(`INSERT INTO sequence VALUES ('a', 1)`)
  t.equal(reader.read(0), undefined, 'no frames')
  const frames = (database.pragma('wal_checkpoint(NOOP)') as [{ log: number }])[0].log
  t.ok(reader.read(frames))
  t.throws(() => reader.read(frames - 1), /-wal has lost 1 frames that were read$/)
  t.throws(() => reader.read(frames + 1), /ends 4120 bytes too early/)
  reader.close()
  reader.close()
})
