import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import t from 'tap'
import { readAsset } from '../../db/assets.ts'
import { type Migration, migrate, NewerFile } from '../../db/migrate.ts'
import { miscountsOf } from '../support/counts.ts'

const folder = mkdtempSync(join(tmpdir(), 'mercadito-test-'))
t.teardown(() => rmSync(folder, { recursive: true }))

t.test('the migration that adds counters counts the questions of an older file', async (t) => {
  const file = join(folder, 'older.sqlite')
  const migrations = JSON.parse(readAsset('migrations.json').toString()) as Migration[]
  const counting = migrations.findIndex(({ tag }) => tag === '0008_question_counts')
  migrate(file, migrations.slice(0, counting))
  const db = new Sqlite(file)
  const insert = db.prepare(
    `INSERT INTO question (seller_id, item_id, from_id, text, status, date_created, answered_at, first_of_buyer, hidden)
     VALUES (?, 'MLA1', 3, '', ?, ?, ?, ?, ?)`,
  )
  const HOUR = 3_600_000
  for (const [seller, status, asked, answered, first, hidden] of [
    [1, 'ANSWERED', 0, 200 * HOUR, 1, 0],
    [1, 'ANSWERED', 1, 2, 1, 1],
    [1, 'UNANSWERED', 30 * HOUR, null, 1, 0],
    [1, 'UNANSWERED', 30 * HOUR + 7, null, 0, 0],
    [1, 'DELETED', 30 * HOUR + 8, null, 1, 0],
    [2, 'DISABLED', 30 * HOUR + 9, 31 * HOUR, 1, 0],
  ])
    insert.run(seller, status, asked, answered, first, hidden)
  migrate(file)
  t.strictSame(miscountsOf(db), {})
  t.strictSame(db.prepare('SELECT * FROM response_hour WHERE seller_id = 1').raw().all(), [
    [1, 0, 2, 168 * HOUR + 1, 0, 0, 200 * HOUR],
    [1, 30, 0, 0, 1, 0, 0],
  ])
  t.strictSame(db.prepare('SELECT status, day, hidden, n FROM question_day WHERE seller_id = 1').raw().all(), [
    ['ANSWERED', 0, 0, 1],
    ['ANSWERED', 0, 1, 1],
    ['DELETED', 1, 0, 1],
    ['UNANSWERED', 1, 0, 2],
  ])
  t.strictSame(db.prepare('SELECT * FROM asker_total').raw().all(), [
    [3, 1, 'ANSWERED', 0, 1],
    [3, 1, 'ANSWERED', 1, 1],
    [3, 1, 'DELETED', 0, 1],
    [3, 1, 'UNANSWERED', 0, 2],
    [3, 2, 'DISABLED', 0, 1],
  ])
  db.close()
})

t.test('applies each migration once, atomically and in order; rejects a newer file', async (t) => {
  const file = join(folder, 'migrated.sqlite')
  const first = { tag: '0', statements: ['CREATE TABLE a (x)', 'INSERT INTO a VALUES (1)'] }
  const second = { tag: '1', statements: ['CREATE TABLE b (x)', 'INSERT INTO nowhere VALUES (1)'] }
  migrate(file, [first])
  migrate(file, [first])
  t.throws(() => migrate(file, [first, second]), /nowhere/)
  const db = new Sqlite(file)
  t.strictSame(db.prepare('SELECT count(*) n FROM a').get(), { n: 1 })
  t.throws(() => db.prepare('SELECT * FROM b'), 'the failed migration was rolled back')
  db.close()
  migrate(file, [first, { ...second, statements: ['CREATE TABLE b (x)'] }])
  t.throws(() => migrate(file, [first]), new NewerFile(`${file} was written by a newer version of mercadito`))
})
