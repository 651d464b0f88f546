import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { migrate } from '../db/migrate.ts'
import type { DemoRows, ItemRow, UserRow } from '../domains/demo.ts'
import { DOMAINS } from '../domains/index.ts'
import { detailsOf } from '../domains/items/details.ts'
import { demo } from './demo/index.ts'
import { MONDAY, type Scenario } from './names.ts'

const GENERATORS: Record<Scenario, (seed: number, origin: number) => Promise<DemoRows>> = { demo, quiet, empty }

const TABLES = DOMAINS.flatMap(({ tables }) => tables)

/** The rows of a scenario for the fixed Monday. */
export const generate = (scenario: Scenario, seed: number): Promise<DemoRows> => GENERATORS[scenario](seed, MONDAY)

/** The bytes of an SQLite file with these rows; their times are `by` ms later. */
export function fileOf(rows: DemoRows, by: bigint): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'mercadito-scenario-'))
  try {
    const file = join(folder, 'draft.sqlite')
    migrate(file)
    const db = new Sqlite(file)
    db.pragma('synchronous = OFF')
    db.transaction(() => {
      for (const [table, tableRows] of Object.entries(rows)) insertAll(db, table, tableRows, by)
      startSequences(db)
    })()
    db.exec('VACUUM')
    db.close()
    return readFileSync(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Sets the first id of tables without rows; SQLite continues the numbers of the others. */
function startSequences(db: Sqlite.Database): void {
  const insert = db.prepare(
    `INSERT INTO sqlite_sequence (name, seq)
     SELECT :name, :seq WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = :name)`,
  )
  for (const { name, firstId } of TABLES) if (firstId !== undefined) insert.run({ name, seq: firstId - 1 })
}

function insertAll(db: Sqlite.Database, table: string, rows: object[], by: bigint): void {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  if (columns.length === 0) return
  const names = columns.map((column) => `"${column}"`).join(', ')
  const insert = db.prepare(`INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`)
  const defaults = defaultsOf(db, table)
  const { times } = TABLES.find(({ name }) => name === table)!
  for (const row of rows as Record<string, number | string>[])
    insert.run(
      ...columns.map((column) => {
        const value = row[column] ?? defaults[column] ?? null
        return typeof value === 'number' && times[column] === 'ms' ? BigInt(value) + by : value
      }),
    )
}

function defaultsOf(db: Sqlite.Database, table: string): Record<string, number> {
  const columns = db.pragma(`table_info("${table}")`) as { name: string; dflt_value: string | null }[]
  return Object.fromEntries(columns.filter((c) => c.dflt_value !== null).map((c) => [c.name, Number(c.dflt_value)]))
}

/** The people and listings of the demo with their Flex subscriptions, and nothing that has happened to them. */
async function quiet(seed: number, origin: number): Promise<DemoRows> {
  const { user, item, item_description, flex_subscription } = await demo(seed, origin)
  return {
    user: user!,
    item: (item as ItemRow[]).map(unsold),
    item_description: item_description!,
    flex_subscription: flex_subscription!,
  }
}

/** A listing that nobody has bought. */
function unsold({ sold_quantity: _, ...row }: ItemRow): ItemRow {
  const { initial_quantity: __, ...details } = detailsOf({ details: row.details ?? '{}' })
  for (const one of details.variations ?? []) one.sold_quantity = 0
  return { ...row, details: JSON.stringify(details) }
}

/** The sellers and test buyers of the demo. */
async function empty(seed: number, origin: number): Promise<DemoRows> {
  const { user } = await demo(seed, origin)
  return { user: (user as UserRow[]).filter(({ tags }) => tags.includes('test_user')) }
}
