import Sqlite from 'better-sqlite3'

/** Of the library that is inside, such as 3.54.1. Throws when it does not load. */
export function sqliteVersion(): string {
  const db = new Sqlite(':memory:')
  try {
    return db.prepare<[], string>('SELECT sqlite_version()').pluck().get()!
  } finally {
    db.close()
  }
}
