import { readFileSync, writeFileSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { readAsset } from './assets.ts'

export interface Migration {
  /** As drizzle-kit numbers them. */
  tag: string
  statements: string[]
}

/** The file was written by a newer version of this program. */
export class NewerFile extends Error {}

/** The file is not a database, or is damaged. */
export class BrokenFile extends Error {}

/** SQLite's error codes for such files. */
const CORRUPTION_CODE = /^SQLITE_(NOTADB|CORRUPT)/

/** The same error, or one that names the file where it is damaged. */
export function toBrokenFile(error: unknown, file: string): unknown {
  const { code = '' } = error as { code?: string }
  return CORRUPTION_CODE.test(code) ? new BrokenFile(`${file} is damaged (${code})`) : error
}

/**
 * Migrates a world's file to this version: each migration in one transaction, foreign keys off (rebuilding a table must
 * not delete its children). Returns whether there were any. Throws NewerFile where the file has later migrations,
 * BrokenFile where it is damaged.
 */
export function migrate(file: string, migrations: Migration[] = bundledMigrations()): boolean {
  const db = new Sqlite(file)
  try {
    const version = db.pragma('user_version', { simple: true }) as number
    if (version > migrations.length) throw new NewerFile(`${file} was written by a newer version of mercadito`)
    db.pragma('foreign_keys = OFF')
    // An empty file has nothing to lose; it is synced when the new world is complete.
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
    return version < migrations.length
  } catch (error) {
    throw toBrokenFile(error, file)
  } finally {
    db.close()
  }
}

let emptyFile: Buffer | undefined

/** Writes a migrated file without rows. All migrations take 20 ms, so they run once. */
export function writeEmptyFile(file: string): void {
  writeFileSync(file, emptyFile ?? '', { mode: 0o600 })
  if (emptyFile) return
  migrate(file)
  emptyFile = readFileSync(file)
}

/** The version of a migrated file. */
export const migrationCount = (): number => bundledMigrations().length

let bundled: Migration[] | undefined

function bundledMigrations(): Migration[] {
  bundled ??= JSON.parse(readAsset('migrations.json').toString()) as Migration[]
  return bundled
}
