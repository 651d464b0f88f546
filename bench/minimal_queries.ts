import Sqlite from 'better-sqlite3'
import type { UserRow } from '../domains/users/queries.ts'

// The statements of minimal.ts, prepared once.

export const db = new Sqlite(process.argv[2]!)
db.pragma('journal_mode = WAL')
// FULL like a kept world, OFF like a temporary one, or NORMAL.
db.pragma(`synchronous = ${process.argv[3] ?? 'FULL'}`)
db.pragma('cache_size = -2000')

export const HOUR = 3_600_000
export const DAY = 24 * HOUR
export const OFFSET = -4 * HOUR
export const { origin } = db.prepare<[], { origin: number }>('SELECT origin FROM world').get()!

export interface QuestionRow {
  id: number
  seller_id: number
  item_id: string
  from_id: number
  text: string
  status: string
  date_created: number
  answer_text: string | null
  answer_status: string | null
  answered_at: number | null
  deleted_from_listing: number
  hold: number
  suspected_spam: number
}
type Count = { n: number }

export const tokenOwner = db.prepare<[string], { user_id: number; expires_at: number | null }>(
  'SELECT user_id, application_id, expires_at FROM access_token WHERE token = ?',
)
export const userById = db.prepare<[number], UserRow>('SELECT * FROM user WHERE id = ?')
export const userExists = db.prepare<[number], { id: number }>('SELECT id FROM user WHERE id = ?')
export const questionById = db.prepare<[number], QuestionRow>('SELECT * FROM question WHERE id = ?')
export const answeredQuestions = db.prepare<[number, number], Count>(
  `SELECT count(*) AS n FROM question WHERE from_id = ? AND seller_id = ? AND status = 'ANSWERED'`,
)
const RECEIVED = `FROM question WHERE seller_id = ? AND hidden = 0 AND status NOT IN ('DELETED', 'BANNED')`
export const countReceived = db.prepare<[number], Count>(`SELECT count(*) AS n ${RECEIVED}`)
export const received = db.prepare<[number, number, number], QuestionRow>(
  `SELECT * ${RECEIVED} ORDER BY date_created DESC, id DESC LIMIT ? OFFSET ?`,
)
/** One range of the primary key per day, which takes half the time of GROUP BY; one statement for all days. */
const sumsOf = (days: number) =>
  db
    .prepare<{ user_id: number; kind: string; first: number }, number[]>(
      `SELECT ${Array.from(
        { length: days },
        (_, n) =>
          `(SELECT coalesce(sum(n), 0) FROM contact_user_hour WHERE user_id = @user_id AND kind = @kind
            AND hour >= @first + ${24 * n} AND hour < @first + ${24 * n + 24})`,
      )}`,
    )
    .raw()
const sums = new Map<number, ReturnType<typeof sumsOf>>()

export function dailySums(user_id: number, kind: string, from: number, days: number): number[] {
  const statement = sums.get(days) ?? sumsOf(days)
  sums.set(days, statement)
  return statement.get({ user_id, kind, first: (from - origin) / HOUR })!
}

export const itemById = db.prepare<[string], { seller_id: number; status: string }>(
  'SELECT seller_id, status FROM item WHERE id = ?',
)
export const blocked = db.prepare<[number, number]>(
  'SELECT buyer_id FROM blocked_buyer WHERE seller_id = ? AND buyer_id = ?',
)
export const insertQuestion = db.prepare<[number, string, number, string, number, number, string], QuestionRow>(
  `INSERT INTO question (seller_id, item_id, from_id, text, status, date_created, first_of_buyer)
   VALUES (?, ?, ?, ?, 'UNANSWERED', ?, NOT EXISTS (SELECT 1 FROM question WHERE from_id = ? AND item_id = ?))
   RETURNING *`,
)
export const setHold = db.prepare<[number, number], QuestionRow>(
  'UPDATE question SET hold = ? WHERE id = ? RETURNING *',
)

const insertContact = db.prepare<[number, string, number, number, string, number, string, number | null]>(
  `INSERT INTO contact_event (user_id, kind, at, seq, item_id, buyer_id) VALUES (?, ?, ?,
   (SELECT coalesce(max(seq) + 1, 0) FROM contact_event WHERE user_id = ? AND kind = ? AND at = ?), ?, ?)`,
)
const countFor = (subject: 'item' | 'user') =>
  db.prepare<[string | number, string, number]>(
    `INSERT INTO contact_${subject}_hour (${subject}_id, kind, hour, n) VALUES (?, ?, ?, 1)
     ON CONFLICT DO UPDATE SET n = n + 1`,
  )
const [countForItem, countForUser] = [countFor('item'), countFor('user')]

interface Contact {
  item: string
  /** Of a question; null for the other kinds. */
  buyer: number | null
}
export function countContact(seller: number, kind: string, { item, buyer }: Contact, now: number): void {
  const at = now - origin
  const hour = Math.floor(at / HOUR)
  insertContact.run(seller, kind, at, seller, kind, at, item, buyer)
  countForItem.run(item, kind, hour)
  countForUser.run(seller, kind, hour)
}

const insertEvent = db.prepare<[string, string, number], { id: number }>(
  `INSERT INTO outbox (topic, resource, user_ids, at) VALUES ('questions', ?, ?, ?) RETURNING id`,
)
const sweep = db.prepare<[number, number]>('DELETE FROM outbox WHERE id <= ? OR at < ?')

export function publishEvent({ id, seller_id, from_id }: QuestionRow, at: number): void {
  const event = insertEvent.get(`/questions/${id}`, JSON.stringify([seller_id, from_id]), at)!
  if (event.id % 1000 === 0) sweep.run(event.id - 100_000, at - 2 * DAY)
}
