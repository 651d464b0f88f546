import { AsyncLocalStorage } from 'node:async_hooks'
import { constants } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import Sqlite from 'better-sqlite3'
import { is, Param, Placeholder } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { type Checkpointer, NoThread } from './checkpointer.ts'
import { type Engine, type Preparable, type Q, type Statement, turn, type Values } from './engine.ts'
import * as t from './schema/index.ts'
import { openWal, type Sync } from './wal.ts'

interface Job {
  unit: (q: Q) => Promise<unknown>
  /** It wants the file, not a transaction. */
  alone?: true
  ok: (value: never) => void
  no: (error: unknown) => void
  open: boolean
}

/** Units written with one commit. More would make the first of them wait too long. */
const BATCH = 64

/** Pages of the log that are not in the file yet, from which on they are moved there. */
const LONG = 1000
/** Pages of the log from which on units wait for that: it begins anew only when all of it has been moved. */
const LONGEST = 16_000

export interface Durability {
  /**
   * Units are answered when their commit is on the disk; otherwise a power cut, but never the end of the process, may
   * lose the last ones. Reads see what is committed, on the disk or not: they answer for nothing.
   */
  durable: boolean
  /** Who moves a log that is long; without one the commit does that makes it so. */
  checkpointer?: Checkpointer | undefined
  /** Default: fdatasync. */
  sync?: Sync
}

/**
 * A world's file behind a FIFO gate that commits the units of a turn together. One connection reads and writes: what it
 * has in memory stays true after its own commits, while another's would have to be read again. While units write, and
 * nothing of them is committed, reads go to a second one, opened when that first happens. Where a durable world's log
 * cannot be brought to the disk every later unit is refused with LostLog.
 */
export function openSqlite(file: string, { durable, checkpointer, sync }: Durability): Engine {
  const own = openReader(file, durable)
  const wal = durable ? openWal(`${file}-wal`, sync) : undefined
  // Nothing is written behind what a crash left in the log, of which nobody knows how much is on the disk.
  if (durable) own.connection.pragma('wal_checkpoint(PASSIVE)')
  if (checkpointer) own.connection.pragma('wal_autocheckpoint = 0')
  let aside: Reader | undefined
  let isWriting = false
  const reader = (): Reader => {
    if (!isWriting) return own
    aside ??= openReader(file, durable)
    return aside
  }
  let made: Writer | undefined
  /** Many worlds are only read: the statements come with the first unit. */
  const writer = () => {
    made ??= writerOf(own.connection)
    return made
  }
  /** Nobody reads from a state before this moment any more. */
  const endReads = () => {
    own.snapshot.end()
    aside?.snapshot.end()
  }
  const queue: Job[] = []
  const factsTold: (() => void)[] = []
  let draining = false
  let commits = 0

  async function drain() {
    draining = true
    while (queue.length > 0) {
      // Collects the writes of this turn, and lets timers and sockets live: the driver itself never yields.
      await turn()
      if (wal?.broken) {
        for (const { no } of queue.splice(0)) no(wal.broken)
        break
      }
      if (queue[0]?.alone) {
        await withFile(queue.shift()!)
        continue
      }
      const next = queue.findIndex(({ alone }) => alone)
      const jobs = queue.splice(0, next < 0 ? BATCH : Math.min(next, BATCH))
      const answers: (() => void)[] = []
      try {
        const { begin, commit, q } = writer()
        endReads()
        begin.run()
        isWriting = true
        for (const job of jobs) answers.push(jobs.length === 1 ? await alone(job) : await atomic(job))
        // Before the commit, which may move the log into the file: that needs a moment without readers.
        endReads()
        if (wal?.broken) throw wal.broken
        commit.run()
        isWriting = false
        commits++
        const hasFacts = q.facts
        q.facts = false
        const told = () => {
          for (const answer of answers) answer()
          if (hasFacts) for (const tell of factsTold) tell()
        }
        if (!wal) told()
        else
          wal.synced(told, (error) => {
            for (const job of jobs) job.no(error)
          })
      } catch (error) {
        if (own.connection.inTransaction) made?.rollback.run()
        for (const job of jobs) job.no(error)
      } finally {
        isWriting = false
      }
      // What could not be moved is as safe where it is: the next commit tries again.
      if (checkpointer) await keepShort(checkpointer).catch(() => {})
    }
    draining = false
  }

  /** Has a long log moved beside what goes on; waits for that only where it grows faster than it is moved. */
  async function keepShort(checkpointer: Checkpointer): Promise<void> {
    if (!own.connection.open) return
    const { log, checkpointed } = writer().logged.get()!
    if (log - checkpointed < LONG) return
    if (isUnaided) {
      // As a commit would do by itself.
      endReads()
      own.connection.pragma('wal_checkpoint(PASSIVE)')
    } else if (log < LONGEST) void move(checkpointer)
    else {
      await moving
      await move(checkpointer)
    }
  }
  const move = (checkpointer: Checkpointer): Promise<void> => {
    moving ??= checkpointer
      .move(file)
      .catch((error) => {
        isUnaided ||= error instanceof NoThread
      })
      .finally(() => {
        moving = undefined
      })
    return moving
  }
  let isUnaided = false
  let moving: Promise<void> | undefined

  /** Runs a job with no unit beside it and all that is committed in the file itself. */
  async function withFile({ unit, ok, no }: Job): Promise<void> {
    try {
      if (checkpointer) await keepShort(checkpointer)
      await moving
      endReads()
      const { q } = writer()
      const [{ busy }] = own.connection.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }]
      if (busy) throw new Error(`${file} is read by another program`)
      ok((await unit(q)) as never)
    } catch (error) {
      no(error)
    }
  }

  /** Runs one unit inside its savepoint; answers what to tell its caller once all is committed. */
  async function atomic(job: Job): Promise<() => void> {
    const { savepoint, release, rollbackTo } = writer()
    savepoint.run()
    try {
      const answer = await alone(job)
      release.run()
      return answer
    } catch (error) {
      // A full disk ends the whole transaction, savepoints and all: then there is nothing to go back to.
      if (!own.connection.inTransaction) throw error
      rollbackTo.run()
      release.run()
      return () => job.no(error)
    }
  }

  /** A unit that has the transaction to itself needs no savepoint in it. */
  async function alone(job: Job): Promise<() => void> {
    try {
      const value = await inside.run(job, job.unit, writer().q)
      return () => job.ok(value as never)
    } finally {
      job.open = false
    }
  }

  // Holds the running unit, so that work started inside one but run after it may write again.
  const inside = new AsyncLocalStorage<Job>()

  const enqueue = <T>(unit: (q: Q) => Promise<T>, how?: { alone: true }) =>
    inside.getStore()?.open
      ? Promise.reject(new Error('a unit inside a unit would wait for itself'))
      : new Promise<T>((ok, no) => {
          queue.push({ unit, ok, no, open: true, ...how })
          if (!draining) drain()
        })

  return {
    read: either(own.q, reader),
    tx: (unit) => enqueue(unit),
    version: () => commits,
    onFacts(listener) {
      factsTold.push(listener)
    },
    copyTo: (to) =>
      enqueue(() => copyFile(file, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE), { alone: true }),
    close() {
      wal?.close()
      for (const one of [own, aside]) {
        one?.snapshot.end()
        one?.connection.close()
      }
    },
  }
}

interface Reader {
  connection: Sqlite.Database
  snapshot: ReturnType<typeof snapshots>
  q: Q
}

function openReader(file: string, durable: boolean): Reader {
  const connection = connect(file, durable)
  const snapshot = snapshots(connection)
  return { connection, snapshot, q: handle(readOnly(connection), snapshot.begin) }
}

/** Reads from whichever connection it is to be at that moment. */
function either(first: Q, reader: () => Reader): Q {
  return {
    ...first,
    prepare(query) {
      const statements = new Map<Q, Statement<unknown>>()
      const now = () => {
        const { q } = reader()
        let known = statements.get(q)
        if (!known) {
          known = q.prepare(query)
          statements.set(q, known)
        }
        return known
      }
      return {
        one: async (values) => now().one(values),
        all: async (values) => now().all(values),
        run: async (values) => now().run(values),
        runAll: async (rows) => now().runAll(rows),
      }
    },
  }
}

type Writer = ReturnType<typeof writerOf>

function writerOf(connection: Sqlite.Database) {
  return {
    q: handle(connection),
    begin: connection.prepare('BEGIN IMMEDIATE'),
    commit: connection.prepare('COMMIT'),
    rollback: connection.prepare('ROLLBACK'),
    savepoint: connection.prepare('SAVEPOINT unit'),
    release: connection.prepare('RELEASE unit'),
    rollbackTo: connection.prepare('ROLLBACK TO unit'),
    /** Pages of the log, and those of them that are in the file too; moves nothing. */
    logged: connection.prepare<[], { log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)'),
  }
}

/** A file that nobody else has open yet, and that is thrown away when writing it fails. */
export interface Draft {
  q: Q
  /** Runs a statement of our own. */
  run(sql: string, values?: Values): void
  /** All is in the file then. */
  close(): void
}

/** Opens a draft in one transaction, without a log to go back by: several times faster than a world that is in use. */
export function openDraft(file: string): Draft {
  const connection = new Sqlite(file)
  connection.pragma('synchronous = OFF')
  connection.pragma('journal_mode = OFF')
  connection.exec('BEGIN')
  return {
    q: handle(connection),
    run: (sql, values = {}) => void connection.prepare(sql).run(values),
    close() {
      connection.exec('COMMIT')
      connection.close()
    },
  }
}

function connect(file: string, durable: boolean): Sqlite.Database {
  const connection = new Sqlite(file)
  // First: turning a new file to WAL writes it.
  connection.pragma(`synchronous = ${durable ? 'NORMAL' : 'OFF'}`)
  connection.pragma('journal_mode = WAL')
  connection.pragma('cache_size = -2000')
  connection.pragma('busy_timeout = 5000')
  return connection
}

/** One snapshot for all reads of a turn: taking one for each costs more than a small read itself. */
function snapshots(reader: Sqlite.Database): { begin(): void; end(): void } {
  const begin = reader.prepare('BEGIN')
  const commit = reader.prepare('COMMIT')
  let held = false
  const end = () => {
    if (!held) return
    held = false
    commit.run()
  }
  return {
    begin() {
      if (held) return
      begin.run()
      held = true
      setImmediate(end)
    },
    end,
  }
}

/** What a handle needs of a connection. */
interface Preparing {
  prepare(sql: string): Sqlite.Statement<unknown[], unknown>
}

/** A connection that also writes, for those who only read. */
const readOnly = (connection: Sqlite.Database): Preparing => ({
  prepare(sql) {
    const statement = connection.prepare<unknown[]>(sql)
    if (!statement.readonly)
      throw new Sqlite.SqliteError('attempt to write where only reading is allowed', 'SQLITE_READONLY')
    return statement
  },
})

/** `before` runs before every statement. */
function handle(connection: Preparing, before = () => {}): Q {
  return {
    db: drizzle({ client: connection as Sqlite.Database }),
    t,
    prepare: (query) => statement(connection, query, before),
  }
}

/**
 * A parameter that stands alone. Where rows have an order, or an index holds some rows only, SQLite plans with the values
 * of those, and prepares the statement anew with each, which takes longer than most queries; a sign keeps it from that
 * and changes nothing else. Not of the status: for some there is an index of their own.
 */
const ALONE = /(?<!"status") = \?/g

/** Drizzle writes the text; the driver runs it, and its rows are used as they come: no mapping per row. */
function statement(connection: Preparing, query: Preparable, before: () => void): Statement<unknown> {
  const { sql, params } = query.toSQL()
  const prepared = connection.prepare(sql.replace(ALONE, ' = +?'))
  const places = params.map((param) => {
    const value = is(param, Param) ? param.value : param
    return is(value, Placeholder) ? { name: value.name as string } : { value }
  })
  const bind = (values: Values) => {
    before()
    const bound: unknown[] = []
    for (const place of places) bound.push(place.name === undefined ? place.value : given(values, place.name))
    return bound
  }
  return {
    one: async (values = {}) => prepared.get(...bind(values)),
    all: async (values = {}) => prepared.all(...bind(values)),
    run: async (values = {}) => prepared.run(...bind(values)).changes,
    runAll: async (rows) => {
      for (const values of rows) prepared.run(...bind(values))
    },
  }
}

function given(values: Values, name: string): unknown {
  const value = values[name]
  if (value === undefined) throw new Error(`no value given for ${name}`)
  return value
}
