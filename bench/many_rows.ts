import Sqlite from 'better-sqlite3'
import { getTableColumns } from 'drizzle-orm'
import { type Draft, openDraft } from '../db/sqlite/draft.ts'
import { sale_order } from '../domains/orders/tables.ts'

/** A table `number` with the column `n`, from 0. */
export const numbers = (count: number) =>
  `WITH RECURSIVE number(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < ${count})`

/** Writes to tables of a world that no server uses, without their indexes, which are created again. */
export function writeMany(file: string, tables: string[], write: (draft: Draft) => void): void {
  const db = new Sqlite(file)
  const indexes = db
    .prepare<[], { name: string; sql: string }>(
      `SELECT name, sql FROM sqlite_master
       WHERE type = 'index' AND sql > '' AND tbl_name IN (${tables.map((name) => `'${name}'`)})`,
    )
    .all()
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  const draft = openDraft(file)
  draft.run('PRAGMA cache_size = -262144')
  for (const { name } of indexes) draft.run(`DROP INDEX ${name}`)
  write(draft)
  for (const { sql } of indexes) draft.run(sql)
  draft.close()
}

interface ManyQuestions {
  count: number
  seller: number
  buyer: number
  /** Time of the last one and of all, in ms. */
  now: number
  span: number
}

/** Id of the first of many questions, and of the first guest who asks one. */
export const FIRST_QUESTION = 14_000_000_001
const FIRST_GUEST = 2_300_000_001

/** Inserts questions that are as uneven as possible: one seller has all, one buyer two thirds, one listing a tenth. */
export const insertQuestions = (draft: Draft, { count, seller, buyer, now, span }: ManyQuestions): void =>
  draft.run(
    `${numbers(count)} INSERT INTO question (id, seller_id, item_id, from_id, text, status, date_created, answer_text,
       answer_status, answered_at, first_of_buyer)
     SELECT ${FIRST_QUESTION} + n, ${seller}, 'MLA' || (1400000001 + n / 7 % 10),
       iif(n % 100 < 67, ${buyer}, ${FIRST_GUEST} + n % 30000), '¿Tienen stock en color azul? (' || n || ')',
       CASE WHEN n % 100 < 67 THEN 'ANSWERED' WHEN n % 100 < 90 THEN 'UNANSWERED' WHEN n % 100 < 95 THEN 'CLOSED_UNANSWERED'
         WHEN n % 100 < 98 THEN 'DELETED' WHEN n < 5000 THEN 'DISABLED' ELSE 'BANNED' END,
       ${now - span} + n * ${span / count}, iif(n % 100 < 67, 'Sí, tenemos.', NULL),
       iif(n % 100 < 67, 'ACTIVE', NULL), iif(n % 100 < 67, ${now - span} + n * ${span / count} + 60000, NULL),
       n % 100 >= 67
     FROM number`,
  )

const ORDER_COLUMNS = Object.keys(getTableColumns(sale_order))

/** Repeats the latest paid order of a seller, without its shipment and payment. */
export function insertOrders(draft: Draft, { count, seller, now, span }: Omit<ManyQuestions, 'buyer'>): void {
  const at = `${now - span} + n * ${span / count}`
  const values = {
    id: 'last.id + 1 + n',
    pack_id: 'NULL',
    shipment_id: 'NULL',
    date_created: at,
    date_closed: at,
  } as const
  draft.run(
    `${numbers(count)} INSERT INTO sale_order (${ORDER_COLUMNS})
     SELECT ${ORDER_COLUMNS.map((name) => values[name as keyof typeof values] ?? `o.${name}`)} FROM number,
       (SELECT * FROM sale_order WHERE seller_id = ${seller} AND status = 'paid' ORDER BY id DESC LIMIT 1) o,
       (SELECT max(id) AS id FROM sale_order) last`,
  )
}
