import Sqlite from 'better-sqlite3'
import { readAsset } from './assets.ts'

export interface Migration {
  /** As drizzle-kit numbers them. */
  tag: string
  statements: string[]
}

/** The file was written by a newer version of this program. */
export class NewerFile extends Error {}

/** The file is no database, or one that has lost something. */
export class BrokenFile extends Error {}

/** What SQLite says of such files. */
const CORRUPTION_CODE = /^SQLITE_(NOTADB|CORRUPT)/

/** The same error, or one that names the file where it is damaged. */
export function toBrokenFile(error: unknown, file: string): unknown {
  const { code = '' } = error as { code?: string }
  return CORRUPTION_CODE.test(code) ? new BrokenFile(`${file} is damaged (${code})`) : error
}

/**
 * Brings a world's file to this version's tables: each migration in one transaction, foreign keys off (a table that is
 * rebuilt must not take its children along). Throws NewerFile for a file that knows more migrations than we do,
 * BrokenFile for one that is damaged.
 */
export function migrate(file: string, migrations: Migration[] = bundledMigrations()): void {
  const db = new Sqlite(file)
  try {
    const version = db.pragma('user_version', { simple: true }) as number
    if (version > migrations.length) throw new NewerFile(`${file} was written by a newer version of mercadito`)
    db.pragma('foreign_keys = OFF')
    // A file that holds nothing yet has nothing to lose: whoever lays a world out in it syncs it once all is there.
    if (version === 0) {
      db.pragma('synchronous = OFF')
      db.pragma('journal_mode = MEMORY')
    }
    for (const [n, { statements }] of migrations.entries()) {
      if (n < version) continue
      db.transaction(() => {
        for (const statement of statements) db.exec(statement)
        db.pragma(`user_version = ${n + 1}`)
      }).immediate()
    }
  } catch (error) {
    throw toBrokenFile(error, file)
  } finally {
    db.close()
  }
}

let bundled: Migration[] | undefined

function bundledMigrations(): Migration[] {
  bundled ??= JSON.parse(readAsset('migrations.json').toString()) as Migration[]
  return bundled
}
