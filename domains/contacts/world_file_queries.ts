import { preparedSql, type Q } from '../../db/engine.ts'
import type { QuestionRow } from '../questions/queries.ts'
import { pages } from '../shared/world_file/operations.ts'
import type { contact_event } from './tables.ts'

/** Sellers who have contacts, by id. */
export const sellersWithContacts = (q: Q) => sellers(q).all()
const sellers = preparedSql<{ user_id: number }>('SELECT DISTINCT user_id FROM contact_user_hour ORDER BY user_id')

/** Contacts of one kind of a seller. */
export interface Series {
  user_id: number
  kind: string
}

/** The instant of the first contact at or after `from`, ms since the origin; undefined if there is none. */
export const firstContactAt = async (q: Q, series: Series, from: number): Promise<number | undefined> =>
  (await first(q).one({ ...series, from }))?.at
const first = preparedSql<{ at: number }>(
  'SELECT at FROM contact_event WHERE user_id = :user_id AND kind = :kind AND at >= :from ORDER BY at LIMIT 1',
)

/** Contacts from `from` until before `to`, ms since the origin. */
export const contactsOf = (q: Q, series: Series, from: number, to: number) =>
  pages(contacts(q), { ...series, to, at: from, seq: -1 }, ({ at, seq }) => ({ ...series, to, at, seq }))
const contacts = preparedSql<Pick<typeof contact_event.$inferSelect, 'at' | 'seq' | 'item_id' | 'buyer_id'>>(`
  SELECT at, seq, item_id, buyer_id FROM contact_event
  WHERE user_id = :user_id AND kind = :kind AND (at, seq) > (:at, :seq) AND at < :to ORDER BY at, seq LIMIT :page`)

/** Questions to a seller from `from` until before `to`, ms, and who asked; null for a guest. */
export const questionTimesOf = (q: Q, seller_id: number, from: number, to: number) =>
  pages(questionTimes(q), { seller_id, from, to, after: -1 }, ({ date_created, id }) => ({
    seller_id,
    from: date_created,
    to,
    after: id,
  }))
const questionTimes = preparedSql<QuestionTime>(`
  SELECT id, item_id, date_created, (SELECT user.id FROM user WHERE user.id = question.from_id) AS buyer_id FROM question
  WHERE seller_id = :seller_id AND (date_created, id) > (:from, :after) AND date_created < :to
  ORDER BY date_created, id LIMIT :page`)
type QuestionTime = Pick<QuestionRow, 'id' | 'item_id' | 'date_created'> & { buyer_id: number | null }
