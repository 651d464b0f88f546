import { randomInt } from 'node:crypto'
import Sqlite from 'better-sqlite3'

// Two copies of SQLite in one process know nothing of each other's locks, and whichever closes a file lets go of both's:
// a thread that loads the library anew must have got the same one. It would not where the library's file was replaced
// since the start, as an installation does.

/** Bytes; no process comes near. */
const FAR = 2 ** 50

/** Marks the copy that the caller uses, once; answers how it is known. */
export function markSqlite(how?: Sqlite.Options): number {
  return limit((connection) => {
    const known = read(connection)
    if (known >= FAR) return known
    return connection.pragma(`soft_heap_limit = ${FAR + randomInt(2 ** 32)}`, { simple: true }) as number
  }, how)
}

/** Whether the caller uses the copy that is marked so. */
export const isSqlite = (mark: number): boolean => limit(read) === mark

/** A number that each copy of SQLite keeps for the whole process. */
const read = (connection: Sqlite.Database) => connection.pragma('soft_heap_limit', { simple: true }) as number

function limit(use: (connection: Sqlite.Database) => number, how?: Sqlite.Options): number {
  const connection = new Sqlite(':memory:', how)
  try {
    return use(connection)
  } finally {
    connection.close()
  }
}
