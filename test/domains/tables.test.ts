import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import t, { type Test } from 'tap'
import { migrate } from '../../db/migrate.ts'
import { openDraft } from '../../db/sqlite/draft.ts'
import { STORAGE_TABLES } from '../../db/tables.ts'
import { DOMAINS, TABLES } from '../../domains/index.ts'
import { trimHistory, writeWeek } from '../../scenarios/history.ts'
import { MONDAY } from '../../scenarios/names.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const WEEK = 7 * DAY

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'mercadito-tables-'))
t.teardown(() => rmSync(folder, { recursive: true }))

interface Column {
  name: string
  type: string
}
const columnsOf = (db: Sqlite.Database, table: string) => db.pragma(`table_info("${table}")`) as Column[]

type Row = Record<string, unknown>
const rowsOf = (db: Sqlite.Database, table: string): Row[] =>
  db.prepare(`SELECT * FROM "${table}" ORDER BY ${columnsOf(db, table).map((_, n) => n + 1)}`).all() as Row[]

const open = (t: Test, file: string) => {
  const db = new Sqlite(file, { readonly: true })
  t.teardown(() => db.close())
  return db
}

t.test('every table belongs to one domain or to storage', async (t) => {
  const file = join(folder, 'empty.sqlite')
  migrate(file)
  const db = open(t, file)
  const created = db
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name`)
    .pluck()
    .all()
  t.strictSame(TABLES.map(({ name }) => name).sort(), created)
  for (const { name, table } of TABLES)
    t.strictSame(
      columnsOf(db, name)
        .map((column) => column.name)
        .sort(),
      Object.keys(getTableColumns(table)).sort(),
      `columns of ${name}`,
    )
})

t.test('every table of a tables.ts is in the descriptor of its folder', async (t) => {
  const described = new Map([
    ['db', STORAGE_TABLES],
    ...DOMAINS.map(({ name, tables }) => [`domains/${name}`, tables] as const),
  ])
  const files = globSync(['db/tables.ts', 'domains/*/tables.ts'], { cwd: root })
  t.ok(files.length > 1)
  for (const file of files) {
    const exported = Object.values((await import(join(root, file))) as object).filter((value) => is(value, SQLiteTable))
    t.strictSame(
      (described.get(dirname(file)) ?? []).map(({ name }) => name).sort(),
      exported.map((table) => getTableName(table)).sort(),
      file,
    )
  }
})

/** Numbers between these are ms since 1970, unless they are ids. */
const FIRST_INSTANT = Date.UTC(1995, 0, 1)
const LAST_INSTANT = Date.UTC(2200, 0, 1)
const TIME_NAME =
  /(^|_)(at|date|time|instant|since|until|after|before|day|hour|week|month|year)$|^(date|received|sent|latest)|_(created|updated)$/

t.test('every column that holds times is declared', async (t) => {
  const file = join(folder, 'declared.sqlite')
  await writeWeek(file, { scenario: 'demo', seed: 1, instant: MONDAY })
  const db = open(t, file)
  for (const { name, times } of TABLES)
    for (const { name: column, type } of columnsOf(db, name)) {
      if (type.toLowerCase() !== 'integer' || column in times || /^id$|_id$/.test(column)) continue
      t.notMatch(column, TIME_NAME, `${name}.${column} is not named as a time`)
      const instants = db.prepare(`SELECT count(*) FROM "${name}" WHERE "${column}" BETWEEN ? AND ?`).pluck()
      t.equal(instants.get(FIRST_INSTANT, LAST_INSTANT), 0, `${name}.${column} has no instants`)
    }
})

t.test('another week moves every declared time, and nothing else', async (t) => {
  const WEEKS = 113
  const [base, moved] = [join(folder, 'base.sqlite'), join(folder, 'moved.sqlite')]
  await writeWeek(base, { scenario: 'demo', seed: 1, instant: MONDAY })
  await writeWeek(moved, { scenario: 'demo', seed: 1, instant: MONDAY + WEEKS * WEEK + 3 * DAY })
  const offsets: Record<string, number> = { ms: WEEKS * WEEK, hours: WEEKS * 7 * 24, days: WEEKS * 7 }
  const [before, after] = [open(t, base), open(t, moved)]
  for (const { name, times } of TABLES) {
    const expected = rowsOf(before, name).map((row) => {
      for (const [column, unit] of Object.entries(times))
        if (row[column] !== null) row[column] = (row[column] as number) + (offsets[unit] ?? 0)
      return row
    })
    t.strictSame(rowsOf(after, name), expected, name)
  }
  t.equal(after.pragma('integrity_check', { simple: true }), 'ok', 'indexes have the times of their rows')
})

t.test('a world has no row of a time after its now', async (t) => {
  const file = join(folder, 'trimmed.sqlite')
  const now = MONDAY + 20 * WEEK + 2.5 * DAY
  await writeWeek(file, { scenario: 'demo', seed: 1, instant: now })
  // Counts by hour and day keep rows that count nothing; test/properties/writes.test.ts compares them with the rows.
  // Steps of shipments are written before they happen.
  const instants = TABLES.filter(({ name }) => name !== 'shipment_step').flatMap(({ name, times }) =>
    Object.values(times).every((unit) => unit === 'ms') ? Object.keys(times).map((column) => [name, column]) : [],
  )
  const later = () => {
    const db = new Sqlite(file, { readonly: true })
    const counts = instants.map(
      ([name, column]) => db.prepare(`SELECT count(*) FROM "${name}" WHERE "${column}" > ?`).pluck().get(now) as number,
    )
    db.close()
    return counts.reduce((sum, count) => sum + count)
  }
  t.ok(later() > 0, 'the week to come has rows')
  const draft = openDraft(file)
  trimHistory(draft, now)
  draft.close()
  t.equal(later(), 0)
})

t.test('a table with a first id numbers its rows itself', async (t) => {
  for (const { table, firstId } of TABLES) {
    const { id } = getTableColumns(table)
    if (firstId !== undefined) t.match(id, { autoIncrement: true, primary: true }, getTableName(table))
  }
})
