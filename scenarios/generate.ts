import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { migrate } from '../db/migrate.ts'
import { demo, type ScenarioRows } from './demo/index.ts'
import { FIRST_IDS } from './demo/rows.ts'
import { empty } from './empty.ts'
import { MONDAY, type Scenario } from './names.ts'

const GENERATORS: Record<Scenario, (seed: number, origin: number) => Partial<ScenarioRows>> = { demo, empty }

/** The bytes of a scenario's SQLite file, made for the fixed Monday. */
export function generate(scenario: Scenario, seed: number): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'mercadito-scenario-'))
  try {
    const file = join(folder, 'draft.sqlite')
    migrate(file)
    const db = new Sqlite(file)
    db.pragma('synchronous = OFF')
    db.transaction(() => {
      for (const [table, rows] of Object.entries(GENERATORS[scenario](seed, MONDAY)))
        insertAll(db, table, rows as object[])
      // A table that has rows goes on from them by itself.
      const startSequence = db.prepare(
        `INSERT INTO sqlite_sequence (name, seq)
         SELECT :name, :seq WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = :name)`,
      )
      for (const [name, first] of Object.entries(FIRST_IDS)) startSequence.run({ name, seq: first - 1 })
    })()
    db.exec('VACUUM')
    db.close()
    return readFileSync(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function insertAll(db: Sqlite.Database, table: string, rows: object[]): void {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  if (columns.length === 0) return
  const names = columns.map((column) => `"${column}"`).join(', ')
  const insert = db.prepare(`INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`)
  const defaults = defaultsOf(db, table)
  for (const row of rows as Record<string, unknown>[])
    insert.run(...columns.map((column) => row[column] ?? defaults[column] ?? null))
}

function defaultsOf(db: Sqlite.Database, table: string): Record<string, number> {
  const columns = db.pragma(`table_info("${table}")`) as { name: string; dflt_value: string | null }[]
  return Object.fromEntries(columns.filter((c) => c.dflt_value !== null).map((c) => [c.name, Number(c.dflt_value)]))
}
