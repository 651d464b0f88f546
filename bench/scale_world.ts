import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { openDraft } from '../db/sqlite/draft.ts'
import { CONTACT_KINDS } from '../domains/contacts/tables.ts'
import { at, progress, serve } from './processes.ts'

// Worlds of one shape and any size, written directly to the file. They are reused by later runs until the tables or this
// generator change.

/** The frozen clock, so that every run gets the same answers. */
export const NOW = Date.UTC(2026, 5, 3, 15, 30)
export const DAYS = 180
/** To be increased with every change of the generator. */
const VERSION = 1

const HOUR = 3_600_000
const SPAN = DAYS * 24 * HOUR
const FIRST_ITEM = 1_400_000_001
const FIRST_QUESTION = 13_000_000_001
const FIRST_SELLER = 2_600_000_001
const FIRST_GUEST = 2_300_000_001
/** Listings of a small seller. */
const RANGE = 30

/** Numbers of rows of a world with `events` contacts. */
export function shapeOf(events: number) {
  const items = events / 100
  const questions = events / 10
  // The large seller has 10 % of the listings, 40 % of the contacts and 30 % of the questions.
  const own = items / 10
  return { events, items, own, questions, others: Math.ceil((items - own) / RANGE) }
}
export type Shape = ReturnType<typeof shapeOf>

export const itemId = (n: number): string => `MLA${FIRST_ITEM + n}`
export const questionId = (n: number): number => FIRST_QUESTION + n

export interface ScaleWorld extends Shape {
  /** The folder to start a server with. */
  data: string
  file: string
  megabytes: number
  /** Seconds that its creation took; 0 if it existed. */
  seconds: number
}

/** Creates a world with `events` contacts, unless it exists. Needs `dist/`. */
export async function scaleWorld(events: number): Promise<ScaleWorld> {
  const parent = join(tmpdir(), 'mercadito-bench-scale')
  const tables = readFileSync(at('dist/assets/migrations.json'))
  const key = createHash('sha256').update(tables).update(`${VERSION}`).digest('hex').slice(0, 12)
  mkdirSync(parent, { recursive: true })
  for (const name of readdirSync(parent)) if (!name.startsWith(key)) rmSync(join(parent, name), { recursive: true })
  const data = join(parent, `${key}-${events}`)
  const file = join(data, 'world-1.sqlite')
  const shape = shapeOf(events)
  const start = performance.now()
  const exists = existsSync(data)
  if (!exists) {
    const draft = `${data}.new`
    rmSync(draft, { recursive: true, force: true })
    const now = new Date(NOW).toISOString()
    const args = ['--data', draft, '--scenario', 'empty', '--now', now, '--ready-json', '--port', '0']
    const server = await serve([at('dist/mercadito.js'), ...args])
    await server.stop()
    fill(join(draft, 'world-1.sqlite'), server.world.sellers[0]!.id, shape)
    assertAgreement(join(draft, 'world-1.sqlite'), shape)
    renameSync(draft, data)
  }
  const seconds = exists ? 0 : (performance.now() - start) / 1000
  if (!exists) progress(`a world of ${events} contacts in ${seconds.toFixed(0)} s`)
  return { ...shape, data, file, megabytes: statSync(file).size / 2 ** 20, seconds }
}

// A pseudo-random number from 0 to 1, the same in every run: n times an odd number, modulo 2^32.
const part = (n: string, by: number) => `((${n}) * ${by} % 4294967296 / 4294967296.0)`
/** A pseudo-random index below `count`; low ones are more frequent. */
const skewed = (count: string, n: string, by: number) => `cast(${count} * ${part(n, by)} * ${part(n, by)} AS integer)`
const numbers = (count: string) =>
  `WITH RECURSIVE number(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < ${count})`

/** Runs a statement with values in place of `:names`: in its text, because SQLite would treat a bound number as a real. */
type Run = (sql: string, values: Record<string, number | string>) => void

function fill(file: string, seller: number, shape: Shape): void {
  const db = new Sqlite(file)
  const { origin } = db.prepare('SELECT origin FROM world').get() as { origin: number }
  const indexes = db
    .prepare<[], { name: string; sql: string }>(`SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql > ''`)
    .all()
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  const draft = openDraft(file)
  draft.run('PRAGMA cache_size = -262144')
  const run: Run = (sql, values) =>
    draft.run(sql.replaceAll(/:([a-z]+)/g, (_, name) => JSON.stringify(values[name]).replaceAll('"', "'")))
  for (const { name } of indexes) draft.run(`DROP INDEX ${name}`)
  fillListings(run, seller, shape)
  fillContacts(run, seller, shape, origin)
  fillQuestions(run, seller, shape)
  for (const { sql } of indexes) draft.run(sql)
  draft.close()
}

function fillListings(run: Run, seller: number, { items, own, others }: Shape): void {
  const columns = ['site_id', 'password', 'email', 'first_name', 'last_name', 'phone', 'address', 'user_type', 'tags']
  const more = ['level_id', 'power_seller_status', 'sales_completed', 'sales_canceled', 'status', 'registration_date']
  const same = [...columns, ...more].join(', ')
  run(
    `${numbers(':others')} INSERT INTO user (id, nickname, ${same})
     SELECT :first + n, 'VENDEDOR_' || n, ${same} FROM number, user WHERE user.id = :seller`,
    { others, first: FIRST_SELLER, seller },
  )
  const sellerOfItem = `CASE WHEN n < :own THEN :seller ELSE :first + (n - :own) / ${RANGE} END`
  run(
    `${numbers(':items')} INSERT INTO item
     SELECT 'MLA' || (:item + n), 'MLA', 'Producto ' || n, cast(${sellerOfItem} AS integer), 1000 + n, 'ARS', 'active',
       'me2', 0, :since, :since, 1 FROM number`,
    { items, own, seller, first: FIRST_SELLER, item: FIRST_ITEM, since: NOW - SPAN },
  )
}

/** By seller and kind, in the order of the primary key; never two in one millisecond. */
function fillContacts(run: Run, seller: number, { events, items, own, others }: Shape, origin: number): void {
  const sellers = [
    { id: seller, count: Math.round(0.4 * events), first: 0, listings: own },
    ...Array.from({ length: others }, (_, n) => ({
      id: FIRST_SELLER + n,
      count: Math.round((0.6 * events * (n + 1)) / others) - Math.round((0.6 * events * n) / others),
      first: own + n * RANGE,
      listings: Math.min(RANGE, items - own - n * RANGE),
    })),
  ]
  for (const { id, count, first, listings } of sellers)
    for (const [place, kind] of CONTACT_KINDS.toSorted().entries()) {
      const some = Math.floor((count * (place + 1)) / 3) - Math.floor((count * place) / 3)
      if (some === 0) continue
      run(
        `${numbers(':some')} INSERT INTO contact_event (user_id, kind, at, seq, item_id, buyer_id)
         SELECT :id, :kind, cast(:since + (n + (n * 619 % 1024) / 1024.0) * :span / :some AS integer), 0,
           'MLA' || (:item + ${skewed(':listings', 'n * 3 + :place', 2654435761)}), NULL FROM number`,
        { some, id, kind, since: NOW - SPAN - origin, span: SPAN, listings, item: FIRST_ITEM + first, place },
      )
    }
  for (const subject of ['user', 'item'])
    run(
      `INSERT INTO contact_${subject}_hour SELECT ${subject}_id, kind, cast(floor(at / ${HOUR}.0) AS integer), count(*)
       FROM contact_event GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
      {},
    )
}

/** In the order of time. Half of a buyer's questions are about the same listing, so that not all are the first there. */
function fillQuestions(run: Run, seller: number, { items, own, questions, others }: Shape): void {
  run(
    `${numbers(':questions')}, asked AS (
       SELECT n, ${part('n', 2654435761)} < 0.3 AS own, cast(${part('n', 2246822519)} * :others AS integer) AS other,
         cast(${part('n', 3266489917)} * :buyers AS integer) AS buyer,
         cast(:since + (n + (n * 619 % 1024) / 1024.0) * :span / :questions AS integer) AS at,
         ${part('n', 668265263)} AS fate, ${part('n', 374761393)} AS patience FROM number),
     placed AS (
       SELECT n, at, fate, buyer, iif(own, :seller, :first + other) AS seller_id,
         iif(own, 0, :own + other * ${RANGE}) AS listing, iif(own, :own, min(${RANGE}, :items - :own - other * ${RANGE})) AS listings,
         cast(at + patience * patience * patience * 3 * 24 * ${HOUR} AS integer) AS answered FROM asked),
     dated AS (
       SELECT n, at, buyer, seller_id, answered,
         listing + iif(n % 2, buyer * 7919 % listings, ${skewed('listings', 'n', 2654435769)}) AS item,
         CASE WHEN fate < 0.8 AND answered <= :now THEN 'ANSWERED' WHEN fate < 0.9 THEN 'UNANSWERED'
           WHEN fate < 0.94 THEN 'CLOSED_UNANSWERED' WHEN fate < 0.97 THEN 'DELETED' WHEN fate < 0.99 THEN 'BANNED'
           ELSE 'UNDER_REVIEW' END AS status FROM placed)
     INSERT INTO question (id, seller_id, item_id, from_id, text, status, date_created, answer_text, answer_status,
       answered_at, first_of_buyer, deleted_from_listing, hidden)
     SELECT :id + n, seller_id, 'MLA' || (:item + item), :guest + buyer,
       iif(status = 'BANNED', '', 'Hola, ¿tienen stock en color azul? (' || n || ')'), status, at,
       iif(status = 'ANSWERED', 'Hola, ¡buen día! Sí, tenemos.', NULL), iif(status = 'ANSWERED', 'ACTIVE', NULL),
       iif(status = 'ANSWERED', answered, NULL),
       row_number() OVER (PARTITION BY buyer, item ORDER BY at, n) = 1, status = 'DELETED', n % 50 = 7
     FROM dated ORDER BY n`,
    {
      ...{ questions, others, own, items, seller, first: FIRST_SELLER, item: FIRST_ITEM, id: FIRST_QUESTION },
      ...{ since: NOW - SPAN, span: SPAN, now: NOW, buyers: Math.ceil(questions / 5), guest: FIRST_GUEST },
    },
  )
}

/** Throws an Error unless the hourly sums agree with the rows: in total, and for some sellers and listings. */
function assertAgreement(file: string, { events, items, own, questions }: Shape): void {
  const db = new Sqlite(file, { readonly: true })
  const one = (sql: string) => db.prepare<[], number>(sql).pluck().get()
  const same = (what: string, a: unknown, b: unknown) => {
    if (a !== b) throw new Error(`a world of ${events} contacts: ${what} is ${a}, not ${b}`)
  }
  same('contacts', one('SELECT count(*) FROM contact_event'), events)
  same('by user', one('SELECT sum(n) FROM contact_user_hour'), events)
  same('by item', one('SELECT sum(n) FROM contact_item_hour'), events)
  same('questions', one('SELECT count(*) FROM question'), questions)
  const hour = `cast(floor(at / ${HOUR}.0) AS integer)`
  for (const n of [0, 1, own, items - 1]) {
    const { seller_id } = db.prepare('SELECT seller_id FROM item WHERE id = ?').get(itemId(n)) as { seller_id: number }
    const those = `user_id = ${seller_id} AND kind IN ('phone_views', 'questions', 'whatsapp')`
    for (const [subject, id] of [
      ['item', `'${itemId(n)}'`],
      ['user', seller_id],
    ]) {
      const rows = `SELECT kind, ${hour}, count(*) FROM contact_event WHERE ${those} AND ${subject}_id = ${id} GROUP BY 1, 2`
      const sums = `SELECT kind, hour, n FROM contact_${subject}_hour WHERE ${subject}_id = ${id}`
      same(`${subject} ${id}`, one(`SELECT count(*) FROM (${rows} EXCEPT ${sums})`), 0)
      same(`${subject} ${id}`, one(`SELECT count(*) FROM (${sums} EXCEPT ${rows})`), 0)
    }
  }
  db.close()
}
