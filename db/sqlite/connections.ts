import Sqlite from 'better-sqlite3'
import type { Q, Statement } from '../engine.ts'
import { setImmediate } from '../timers.ts'
import { Changes } from './changes.ts'
import type { Synchronous } from './commit_log.ts'
import { createHandle, readOnly } from './statement.ts'

interface Reader {
  connection: Sqlite.Database
  readTransaction: ReadTransaction
  q: Q
}

/** Frames in the log file, and how many of those a checkpoint has already copied to the database file. */
interface LogStatus {
  log: number
  checkpointed: number
}

/**
 * The connections of one open world. The main one reads and writes: its page cache survives its own commits, while those
 * of another connection would empty it. Reads go to a second one, opened on first use, while units are uncommitted.
 */
export class Connections {
  readonly main: Sqlite.Database
  /** Reads committed data, whether units are being written or not. */
  readonly read: Q
  /** Whether the main connection has uncommitted changes. */
  isWriting = false
  readonly changes = new Changes()
  readonly #mainReader: Reader
  readonly #openSecondary: () => Reader
  #secondary: Reader | undefined
  #logStatus: Sqlite.Statement<[], LogStatus> | undefined

  constructor(file: string, synchronous: Synchronous) {
    this.#openSecondary = () => openReader(file, synchronous, this.changes)
    this.#mainReader = this.#openSecondary()
    this.main = this.#mainReader.connection
    this.read = createRoutedHandle(this.#mainReader.q, () => this.#currentReader().q)
  }

  #currentReader(): Reader {
    if (!this.isWriting) return this.#mainReader
    this.#secondary ??= this.#openSecondary()
    return this.#secondary
  }

  /** Lets the next reads see all commits so far, and checkpoints use the whole log. */
  endReadTransactions(): void {
    this.#mainReader.readTransaction.end()
    this.#secondary?.readTransaction.end()
  }

  /** Takes microseconds; NOOP copies nothing. */
  logStatus(): LogStatus {
    this.#logStatus ??= this.main.prepare('PRAGMA wal_checkpoint(NOOP)')
    return this.#logStatus.get()!
  }

  close(): void {
    for (const reader of [this.#mainReader, this.#secondary]) {
      reader?.readTransaction.end()
      reader?.connection.close()
    }
  }
}

function openReader(file: string, synchronous: Synchronous, changes: Changes): Reader {
  const connection = connect(file, synchronous)
  const readTransaction = createReadTransaction(connection)
  const options = { changes, onBeforeRun: readTransaction.begin }
  return { connection, readTransaction, q: createHandle(readOnly(connection), options) }
}

function connect(file: string, synchronous: Synchronous): Sqlite.Database {
  const connection = new Sqlite(file)
  try {
    // Before journal_mode, which writes to a new file.
    connection.pragma(`synchronous = ${synchronous}`)
    connection.pragma('journal_mode = WAL')
    connection.pragma('cache_size = -2000')
    connection.pragma('busy_timeout = 5000')
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/** Prepares each query on both connections as needed, and chooses the connection on each call. */
function createRoutedHandle(main: Q, current: () => Q): Q {
  return {
    ...main,
    prepare(query) {
      const statements = new Map<Q, Statement<unknown>>()
      const statementOf = (q: Q) => {
        let cached = statements.get(q)
        if (!cached) {
          cached = q.prepare(query)
          statements.set(q, cached)
        }
        return cached
      }
      return {
        one: async (values) => statementOf(current()).one(values),
        all: async (values) => statementOf(current()).all(values),
        run: async (values) => statementOf(current()).run(values),
        runAll: async (rows) => statementOf(current()).runAll(rows),
        isUnchangedSince: (version, before) => statementOf(main).isUnchangedSince(version, before),
      }
    },
  }
}

/** A read transaction that spans all reads of one turn of the event loop. */
interface ReadTransaction {
  /** Call it before each read: opens it unless it is open, or this is the first read. */
  begin(): void
  /** Ends it early, so that the next read sees later commits. */
  end(): void
}

/** One transaction for each read would cost more than a small read itself, also one for the only read of a turn. */
function createReadTransaction(connection: Sqlite.Database): ReadTransaction {
  const begin = connection.prepare('BEGIN')
  const commit = connection.prepare('COMMIT')
  /** In this turn; the second one opens the transaction. */
  let reads = 0
  const end = () => {
    if (reads > 1) commit.run()
    reads = 0
  }
  return {
    begin() {
      if (reads === 0) setImmediate(end)
      else if (reads === 1) begin.run()
      reads++
    },
    end,
  }
}
