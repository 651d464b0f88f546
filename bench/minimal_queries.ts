import Sqlite from 'better-sqlite3'
import { configurationOf } from '../domains/flex/present.ts'
import type { SubscriptionRow } from '../domains/flex/queries.ts'
import type { UserRow } from '../domains/users/queries.ts'
import { configurationQuery } from './configuration.ts'

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
export const questionById = db.prepare<[number], QuestionRow>('SELECT * FROM question WHERE id = ?')
export const answeredQuestions = db.prepare<[number, number], Count>(
  `SELECT count(*) AS n FROM question WHERE from_id = ? AND seller_id = ? AND status = 'ANSWERED'`,
)
const RECEIVED = `FROM question WHERE seller_id = ? AND hidden = 0 AND status NOT IN ('DELETED', 'BANNED')`
export const countReceived = db.prepare<[number], Count>(`SELECT count(*) AS n ${RECEIVED}`)
export const received = db.prepare<[number, number, number], QuestionRow>(
  `SELECT * ${RECEIVED} ORDER BY date_created DESC, id DESC LIMIT ? OFFSET ?`,
)
export const userById = db.prepare<[number], { id: number }>('SELECT id FROM user WHERE id = ?')
/** One range of the primary key per day, which takes half the time of GROUP BY; one statement for all days. */
export const sumsOf = (days: number) =>
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
export const sums = new Map<number, ReturnType<typeof sumsOf>>()
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
const insertEvent = db.prepare<[number, string, number, number, string, number, string, number | null]>(
  `INSERT INTO contact_event (user_id, kind, at, seq, item_id, buyer_id) VALUES (?, ?, ?,
   (SELECT coalesce(max(seq) + 1, 0) FROM contact_event WHERE user_id = ? AND kind = ? AND at = ?), ?, ?)`,
)
const [countForItem, countForUser] = ['item', 'user'].map((subject) =>
  db.prepare<[string | number, string, number]>(
    `INSERT INTO contact_${subject}_hour (${subject}_id, kind, hour, n) VALUES (?, ?, ?, 1)
     ON CONFLICT DO UPDATE SET n = n + 1`,
  ),
) as [Sqlite.Statement<[string, string, number]>, Sqlite.Statement<[number, string, number]>]
export function countContact(
  seller_id: number,
  kind: string,
  item_id: string,
  buyer_id: number | null,
  now: number,
): void {
  const at = now - origin
  const hour = Math.floor(at / HOUR)
  insertEvent.run(seller_id, kind, at, seller_id, kind, at, item_id, buyer_id)
  countForItem.run(item_id, kind, hour)
  countForUser.run(seller_id, kind, hour)
}
export const setHold = db.prepare<[number, number], QuestionRow>(
  'UPDATE question SET hold = ? WHERE id = ? RETURNING *',
)
export const setAnswer = db.prepare<[string, number, number], QuestionRow>(
  `UPDATE question SET status = 'ANSWERED', answer_text = ?, answer_status = 'ACTIVE', answered_at = ?
   WHERE id = ? AND status = 'UNANSWERED' RETURNING *`,
)
const insertEventRow = db.prepare<[string, string, number], { id: number }>(
  `INSERT INTO outbox (topic, resource, user_ids, at) VALUES ('questions', ?, ?, ?) RETURNING id`,
)
const sweep = db.prepare<[number, number]>('DELETE FROM outbox WHERE id <= ? OR at < ?')

export function publishEvent({ id, seller_id, from_id }: QuestionRow, at: number): void {
  const event = insertEventRow.get(`/questions/${id}`, JSON.stringify([seller_id, from_id]), at)!
  if (event.id % 1000 === 0) sweep.run(event.id - 100_000, at - 2 * DAY)
}

interface LeadRow {
  id: string
  item_id: string
  down_payment_amount: number
  installments_number: number
  installments_amount: number
  seller_id: number
  buyer_id: number
  proposal_id: string | null
  date_created: number
  financial_entity_id: string
  expired: number
}
const LEADS = `FROM credit_lead WHERE seller_id = ? AND date_created >= ? AND date_created < ? AND status = 'approved'`
export const countLeads = db.prepare<[number, number, number], Count>(`SELECT count(*) AS n ${LEADS}`)
export const leads = db.prepare<[number, number, number, number, number], LeadRow>(
  `SELECT id, item_id, down_payment_amount, installments_number, installments_amount, seller_id, buyer_id, proposal_id,
   date_created, financial_entity_id, expired ${LEADS} ORDER BY date_created DESC, id ASC LIMIT ? OFFSET ?`,
)

/** The answers to the configuration query of each subscription, ready before the first request. */
export const configurations = new Map(
  db
    .prepare<[], SubscriptionRow>('SELECT * FROM flex_subscription')
    .all()
    .map((row) => {
      const user = db.prepare<[number], UserRow>('SELECT * FROM user WHERE id = ?').get(row.user_id)!
      const { radius: _, availables, ...rest } = configurationOf(row, user, Date.now())
      const { cutoff, capacity_range, ranges } = availables
      const { disabled_features, ...before } = rest
      const configuration = { ...before, availables: { cutoff, capacity_range, ranges }, disabled_features }
      return [configurationQuery(row.user_id, row.service_id), { configuration }]
    }),
)
