import { randomInt } from 'node:crypto'
import Sqlite from 'better-sqlite3'

// Two copies of SQLite in one process know nothing of each other's locks, and whichever closes a file lets go of both's:
// a thread that loads the library anew must have got the same one. It would not where the library's file was replaced
// since the start, as an installation does.

/** Bytes; no process comes near. */
const MARK_BASE = 2 ** 50

/** Marks the copy that the caller uses, once; answers how it is known. */
export function markLibrary(options?: Sqlite.Options): number {
  return withConnection((connection) => {
    const mark = readMark(connection)
    if (mark >= MARK_BASE) return mark
    return connection.pragma(`soft_heap_limit = ${MARK_BASE + randomInt(2 ** 32)}`, { simple: true }) as number
  }, options)
}

/** Whether the caller uses the copy that is marked so. */
export const isSameLibrary = (mark: number): boolean => withConnection(readMark) === mark

/** A number that each copy of SQLite keeps for the whole process. */
const readMark = (connection: Sqlite.Database) => connection.pragma('soft_heap_limit', { simple: true }) as number

function withConnection(use: (connection: Sqlite.Database) => number, options?: Sqlite.Options): number {
  const connection = new Sqlite(':memory:', options)
  try {
    return use(connection)
  } finally {
    connection.close()
  }
}
