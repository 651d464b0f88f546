import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import t from 'tap'
import { readAsset } from '../../db/assets.ts'
import { type Migration, migrate, NewerFile } from '../../db/migrate.ts'

const folder = mkdtempSync(join(tmpdir(), 'mercadito-test-'))
t.teardown(() => rmSync(folder, { recursive: true }))

t.test('the migration that removes the counters of questions keeps the questions, which can be written', async (t) => {
  const file = join(folder, 'older.sqlite')
  const migrations = JSON.parse(readAsset('migrations.json').toString()) as Migration[]
  const inserts = [
    [1, 'ANSWERED', 0, 7, 1, 0],
    [1, 'UNANSWERED', 30, null, 1, 1],
    [2, 'DELETED', 31, null, 0, 0],
  ]
  const write = (db: Sqlite.Database) => {
    const insert = db.prepare(
      `INSERT INTO question (seller_id, item_id, from_id, text, status, date_created, answered_at, first_of_buyer, hidden)
       VALUES (?, 'MLA1', 3, '', ?, ?, ?, ?, ?)`,
    )
    for (const values of inserts) insert.run(values)
  }
  migrate(
    file,
    migrations.slice(
      0,
      migrations.findIndex(({ tag }) => tag === '0019_no_question_counts'),
    ),
  )
  const db = new Sqlite(file)
  write(db)
  const counted = db.prepare('SELECT n FROM asker_total').pluck().all()
  t.strictSame(counted, [1, 1, 1], 'the older file counts')
  const questions = db.prepare('SELECT * FROM question').all()
  migrate(file)
  t.strictSame(db.prepare('SELECT * FROM question').all(), questions)
  t.strictSame(
    db
      .prepare(
        `SELECT name FROM sqlite_master WHERE type = 'trigger' OR name IN ('question_day', 'asker_total', 'response_hour')`,
      )
      .all(),
    [],
  )
  write(db)
  db.exec(`UPDATE question SET status = 'BANNED', hidden = 1`)
  t.equal(db.prepare('DELETE FROM question').run().changes, 6)
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
