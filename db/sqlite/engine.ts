import { AsyncLocalStorage } from 'node:async_hooks'
import { constants } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import Sqlite from 'better-sqlite3'
import { is, Param, Placeholder } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import {
  type Engine,
  type EventSubscriber,
  type Preparable,
  type Q,
  type Statement,
  type Values,
  yieldToEventLoop,
} from '../engine.ts'
import { type Checkpointer, WorkerUnavailable } from './checkpointer.ts'
import { openWal, type Sync } from './wal.ts'

interface Job {
  unit: (q: Q) => Promise<unknown>
  /** It wants the file, not a transaction. */
  exclusive?: true
  resolve: (value: never) => void
  reject: (error: unknown) => void
  isOpen: boolean
}

/** Units written with one commit. More would make the first of them wait too long. */
const MAX_BATCH = 64

/** Pages of the log that are not in the file yet, from which on they are moved there. */
const CHECKPOINT_PAGES = 1000
/** Pages of the log from which on units wait for that: it begins anew only when all of it has been moved. */
const MAX_WAL_PAGES = 16_000

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
  /** Called in the unit of every event that is published. */
  subscribers?: readonly EventSubscriber[]
}

/**
 * A world's file behind a FIFO gate that commits the units of a turn together. One connection reads and writes: what it
 * has in memory stays true after its own commits, while another's would have to be read again. While units write, and
 * nothing of them is committed, reads go to a second one, opened when that first happens. Where a durable world's log
 * cannot be brought to the disk every later unit is refused with LostLog.
 */
export function openSqlite(file: string, { durable, checkpointer, sync, subscribers }: Durability): Engine {
  const main = openReader(file, durable)
  const wal = durable ? openWal(`${file}-wal`, sync) : undefined
  // Nothing is written behind what a crash left in the log, of which nobody knows how much is on the disk.
  if (durable) main.connection.pragma('wal_checkpoint(PASSIVE)')
  if (checkpointer) main.connection.pragma('wal_autocheckpoint = 0')
  let secondary: Reader | undefined
  let isWriting = false
  const reader = (): Reader => {
    if (!isWriting) return main
    secondary ??= openReader(file, durable)
    return secondary
  }
  let cachedWriter: Writer | undefined
  /** Many worlds are only read: the statements come with the first unit. */
  const writer = () => {
    cachedWriter ??= createWriter(main.connection, subscribers)
    return cachedWriter
  }
  /** Nobody reads from a state before this moment any more. */
  const endReadTransactions = () => {
    main.readTransaction.end()
    secondary?.readTransaction.end()
  }
  const queue: Job[] = []
  const eventListeners: (() => void)[] = []
  let isDraining = false
  let commits = 0

  async function drain() {
    isDraining = true
    while (queue.length > 0) {
      // Collects the writes of this turn, and lets timers and sockets live: the driver itself never yields.
      await yieldToEventLoop()
      if (wal?.broken) {
        for (const { reject } of queue.splice(0)) reject(wal.broken)
        break
      }
      if (queue[0]?.exclusive) {
        await runExclusive(queue.shift()!)
        continue
      }
      const firstExclusive = queue.findIndex(({ exclusive }) => exclusive)
      const jobs = queue.splice(0, firstExclusive < 0 ? MAX_BATCH : Math.min(firstExclusive, MAX_BATCH))
      const callbacks: (() => void)[] = []
      try {
        const { begin, commit, q } = writer()
        endReadTransactions()
        begin.run()
        isWriting = true
        for (const job of jobs) callbacks.push(jobs.length === 1 ? await runUnit(job) : await runInSavepoint(job))
        // Before the commit, which may move the log into the file: that needs a moment without readers.
        endReadTransactions()
        if (wal?.broken) throw wal.broken
        commit.run()
        isWriting = false
        commits++
        const hasEvents = q.hasEvents
        q.hasEvents = false
        const acknowledge = () => {
          for (const callback of callbacks) callback()
          if (hasEvents) for (const listener of eventListeners) listener()
        }
        if (!wal) acknowledge()
        else
          wal.synced(acknowledge, (error) => {
            for (const job of jobs) job.reject(error)
          })
      } catch (error) {
        if (main.connection.inTransaction) cachedWriter?.rollback.run()
        for (const job of jobs) job.reject(error)
      } finally {
        isWriting = false
      }
      // What could not be moved is as safe where it is: the next commit tries again.
      if (checkpointer) await limitWalSize(checkpointer).catch(() => {})
    }
    isDraining = false
  }

  /** Has a long log moved beside what goes on; waits for that only where it grows faster than it is moved. */
  async function limitWalSize(checkpointer: Checkpointer): Promise<void> {
    if (!main.connection.open) return
    const { log, checkpointed } = writer().walStatus.get()!
    if (log - checkpointed < CHECKPOINT_PAGES) return
    if (hasNoWorker) {
      // As a commit would do by itself.
      endReadTransactions()
      main.connection.pragma('wal_checkpoint(PASSIVE)')
    } else if (log < MAX_WAL_PAGES) void checkpoint(checkpointer)
    else {
      await checkpointing
      await checkpoint(checkpointer)
    }
  }
  const checkpoint = (checkpointer: Checkpointer): Promise<void> => {
    checkpointing ??= checkpointer
      .checkpoint(file)
      .catch((error) => {
        hasNoWorker ||= error instanceof WorkerUnavailable
      })
      .finally(() => {
        checkpointing = undefined
      })
    return checkpointing
  }
  let hasNoWorker = false
  let checkpointing: Promise<void> | undefined

  /** Runs a job with no unit beside it and all that is committed in the file itself. */
  async function runExclusive({ unit, resolve, reject }: Job): Promise<void> {
    try {
      if (checkpointer) await limitWalSize(checkpointer)
      await checkpointing
      endReadTransactions()
      const { q } = writer()
      const [{ busy }] = main.connection.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }]
      if (busy) throw new Error(`${file} is read by another program`)
      resolve((await unit(q)) as never)
    } catch (error) {
      reject(error)
    }
  }

  /** Runs one unit inside its savepoint; answers what to tell its caller once all is committed. */
  async function runInSavepoint(job: Job): Promise<() => void> {
    const { savepoint, release, rollbackTo } = writer()
    savepoint.run()
    try {
      const callback = await runUnit(job)
      release.run()
      return callback
    } catch (error) {
      // A full disk ends the whole transaction, savepoints and all: then there is nothing to go back to.
      if (!main.connection.inTransaction) throw error
      rollbackTo.run()
      release.run()
      return () => job.reject(error)
    }
  }

  /** A unit that has the transaction to itself needs no savepoint in it. */
  async function runUnit(job: Job): Promise<() => void> {
    try {
      const value = await currentJob.run(job, job.unit, writer().q)
      return () => job.resolve(value as never)
    } finally {
      job.isOpen = false
    }
  }

  // Holds the running unit, so that work started inside one but run after it may write again.
  const currentJob = new AsyncLocalStorage<Job>()

  const enqueue = <T>(unit: (q: Q) => Promise<T>, options?: { exclusive: true }) =>
    currentJob.getStore()?.isOpen
      ? Promise.reject(new Error('a unit inside a unit would wait for itself'))
      : new Promise<T>((resolve, reject) => {
          queue.push({ unit, resolve, reject, isOpen: true, ...options })
          if (!isDraining) drain()
        })

  return {
    read: createRoutedHandle(main.q, reader),
    tx: (unit) => enqueue(unit),
    version: () => commits,
    onEvents(listener) {
      eventListeners.push(listener)
    },
    copyTo: (to) =>
      enqueue(() => copyFile(file, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE), { exclusive: true }),
    close() {
      wal?.close()
      for (const reader of [main, secondary]) {
        reader?.readTransaction.end()
        reader?.connection.close()
      }
    },
  }
}

interface Reader {
  connection: Sqlite.Database
  readTransaction: ReturnType<typeof createReadTransaction>
  q: Q
}

function openReader(file: string, durable: boolean): Reader {
  const connection = connect(file, durable)
  const readTransaction = createReadTransaction(connection)
  return { connection, readTransaction, q: createHandle(readOnly(connection), readTransaction.begin) }
}

/** Reads from whichever connection it is to be at that moment. */
function createRoutedHandle(initial: Q, reader: () => Reader): Q {
  return {
    ...initial,
    prepare(query) {
      const statements = new Map<Q, Statement<unknown>>()
      const current = () => {
        const { q } = reader()
        let cached = statements.get(q)
        if (!cached) {
          cached = q.prepare(query)
          statements.set(q, cached)
        }
        return cached
      }
      return {
        one: async (values) => current().one(values),
        all: async (values) => current().all(values),
        run: async (values) => current().run(values),
        runAll: async (rows) => current().runAll(rows),
      }
    },
  }
}

type Writer = ReturnType<typeof createWriter>

function createWriter(connection: Sqlite.Database, subscribers: readonly EventSubscriber[] = []) {
  return {
    q: { ...createHandle(connection), subscribers },
    begin: connection.prepare('BEGIN IMMEDIATE'),
    commit: connection.prepare('COMMIT'),
    rollback: connection.prepare('ROLLBACK'),
    savepoint: connection.prepare('SAVEPOINT unit'),
    release: connection.prepare('RELEASE unit'),
    rollbackTo: connection.prepare('ROLLBACK TO unit'),
    /** Pages of the log, and those of them that are in the file too; moves nothing. */
    walStatus: connection.prepare<[], { log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)'),
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
    q: createHandle(connection),
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
function createReadTransaction(connection: Sqlite.Database): { begin(): void; end(): void } {
  const begin = connection.prepare('BEGIN')
  const commit = connection.prepare('COMMIT')
  let isOpen = false
  const end = () => {
    if (!isOpen) return
    isOpen = false
    commit.run()
  }
  return {
    begin() {
      if (isOpen) return
      begin.run()
      isOpen = true
      setImmediate(end)
    },
    end,
  }
}

/** What a handle needs of a connection. */
interface StatementSource {
  prepare(sql: string): Sqlite.Statement<unknown[], unknown>
}

/** A connection that also writes, for those who only read. */
const readOnly = (connection: Sqlite.Database): StatementSource => ({
  prepare(sql) {
    const statement = connection.prepare<unknown[]>(sql)
    if (!statement.readonly)
      throw new Sqlite.SqliteError('attempt to write where only reading is allowed', 'SQLITE_READONLY')
    return statement
  },
})

/** `before` runs before every statement. */
function createHandle(connection: StatementSource, onBeforeRun = () => {}): Q {
  return {
    db: drizzle({ client: connection as Sqlite.Database }),
    prepare: (query) => createStatement(connection, query, onBeforeRun),
    subscribers: [],
  }
}

/**
 * A parameter that stands alone. Where rows have an order, or an index holds some rows only, SQLite plans with the values
 * of those, and prepares the statement anew with each, which takes longer than most queries; a sign keeps it from that
 * and changes nothing else. Not of the status: for some there is an index of their own.
 */
const BARE_PARAMETER = /(?<!"status") = \?/g

/** Drizzle writes the text; the driver runs it, and its rows are used as they come: no mapping per row. */
function createStatement(connection: StatementSource, query: Preparable, onBeforeRun: () => void): Statement<unknown> {
  const { sql, params } = query.toSQL()
  const prepared = connection.prepare(sql.replace(BARE_PARAMETER, ' = +?'))
  const parameters = params.map((param) => {
    const value = is(param, Param) ? param.value : param
    return is(value, Placeholder) ? { name: value.name as string } : { value }
  })
  const bind = (values: Values) => {
    onBeforeRun()
    const bound: unknown[] = []
    for (const parameter of parameters)
      bound.push(parameter.name === undefined ? parameter.value : requireValue(values, parameter.name))
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

function requireValue(values: Values, name: string): unknown {
  const value = values[name]
  if (value === undefined) throw new Error(`no value given for ${name}`)
  return value
}
