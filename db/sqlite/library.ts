import { randomInt } from 'node:crypto'
import Sqlite from 'better-sqlite3'

// POSIX locks belong to the process: of two copies of SQLite in one process, each breaks the locks of the other when it
// closes a file. A thread loads a second copy if an installation has replaced the library's file since the start.

/** Bytes, more than any process uses. */
const MARK_BASE = 2 ** 50

/** Marks the copy of SQLite that the caller uses, unless it is marked. Returns the mark. */
export function markLibrary(options?: Sqlite.Options): number {
  return withConnection((connection) => {
    const mark = readMark(connection)
    if (mark >= MARK_BASE) return mark
    return connection.pragma(`soft_heap_limit = ${MARK_BASE + randomInt(2 ** 32)}`, { simple: true }) as number
  }, options)
}

/** Whether the caller uses the copy with this mark. */
export const isSameLibrary = (mark: number): boolean => withConnection(readMark) === mark

/** The version of the library, such as 3.54.1. Throws if it cannot be loaded. */
export const sqliteVersion = (): string =>
  withConnection((connection) => connection.prepare<[], string>('SELECT sqlite_version()').pluck().get()!)

/** A setting that each copy of SQLite has once per process. */
const readMark = (connection: Sqlite.Database) => connection.pragma('soft_heap_limit', { simple: true }) as number

function withConnection<T>(use: (connection: Sqlite.Database) => T, options?: Sqlite.Options): T {
  const connection = new Sqlite(':memory:', options)
  try {
    return use(connection)
  } finally {
    connection.close()
  }
}
