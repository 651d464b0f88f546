import Sqlite from 'better-sqlite3'
import { asset } from './assets.ts'

export interface Migration {
  /** As drizzle-kit numbers them. */
  tag: string
  statements: string[]
}

/** The file was written by a newer version of this program. */
export class NewerFile extends Error {}

/**
 * Brings a world's file to this version's tables: each migration in one transaction, foreign keys off (a table that is
 * rebuilt must not take its children along). Throws NewerFile for a file that knows more migrations than we do.
 */
export function migrate(file: string, migrations: Migration[] = shippedMigrations()): void {
  const db = new Sqlite(file)
  try {
    const version = db.pragma('user_version', { simple: true }) as number
    if (version > migrations.length) throw new NewerFile(`${file} was written by a newer version of mercadito`)
    db.pragma('foreign_keys = OFF')
    for (const [n, { statements }] of migrations.entries()) {
      if (n < version) continue
      db.transaction(() => {
        for (const statement of statements) db.exec(statement)
        db.pragma(`user_version = ${n + 1}`)
      }).immediate()
    }
  } finally {
    db.close()
  }
}

let shipped: Migration[] | undefined

function shippedMigrations(): Migration[] {
  shipped ??= JSON.parse(asset('migrations.json').toString()) as Migration[]
  return shipped
}
