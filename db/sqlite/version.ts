import Sqlite from 'better-sqlite3'

/** The version of the SQLite library, such as 3.54.1. Throws if it cannot be loaded. */
export function sqliteVersion(): string {
  const db = new Sqlite(':memory:')
  try {
    return db.prepare<[], string>('SELECT sqlite_version()').pluck().get()!
  } finally {
    db.close()
  }
}
