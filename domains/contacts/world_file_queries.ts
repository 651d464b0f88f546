import { asc, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { question } from '../questions/tables.ts'
import { pages } from '../shared/world_file/operations.ts'
import { contact_event, contact_user_hour } from './tables.ts'

/** Sellers who have contacts, by id. */
export const sellersWithContacts = (q: Q) => sellers(q).all()
const sellers = prepared(({ db }) =>
  db
    .selectDistinct({ user_id: contact_user_hour.user_id })
    .from(contact_user_hour)
    .orderBy(asc(contact_user_hour.user_id)),
)

/** Contacts of one kind of a seller. */
export interface Series {
  user_id: number
  kind: string
}

/** The instant of the first contact at or after `from`, ms since the origin; undefined if there is none. */
export const firstContactAt = async (q: Q, series: Series, from: number): Promise<number | undefined> =>
  (await first(q).one({ ...series, from }))?.at
const first = prepared(({ db }) =>
  db
    .select({ at: contact_event.at })
    .from(contact_event)
    .where(
      sql`${contact_event.user_id} = ${$('user_id')} AND ${contact_event.kind} = ${$('kind')} AND ${contact_event.at} >= ${$('from')}`,
    )
    .orderBy(asc(contact_event.at))
    .limit(1),
)

/** Contacts from `from` until before `to`, ms since the origin. */
export const contactsOf = (q: Q, series: Series, from: number, to: number) =>
  pages(contacts(q), { ...series, to, at: from, seq: -1 }, ({ at, seq }) => ({ ...series, to, at, seq }))
const contacts = prepared(({ db }) =>
  db
    .select({
      at: contact_event.at,
      seq: contact_event.seq,
      item_id: contact_event.item_id,
      buyer_id: contact_event.buyer_id,
    })
    .from(contact_event)
    .where(
      sql`${contact_event.user_id} = ${$('user_id')} AND ${contact_event.kind} = ${$('kind')} AND (${contact_event.at}, ${contact_event.seq}) > (${$('at')}, ${$('seq')}) AND ${contact_event.at} < ${$('to')}`,
    )
    .orderBy(asc(contact_event.at), asc(contact_event.seq))
    .limit($('page')),
)

/** Questions to a seller from `from` until before `to`, ms, and who asked; null for a guest. */
export const questionTimesOf = (q: Q, seller_id: number, from: number, to: number) =>
  pages(questionTimes(q), { seller_id, from, to, after: -1 }, ({ date_created, id }) => ({
    seller_id,
    from: date_created,
    to,
    after: id,
  }))
const questionTimes = prepared(({ db }) =>
  db
    .select({
      id: question.id,
      item_id: question.item_id,
      date_created: question.date_created,
      buyer_id: sql<number | null>`(SELECT user.id FROM user WHERE user.id = question.from_id)`.as('buyer_id'),
    })
    .from(question)
    .where(
      sql`${question.seller_id} = ${$('seller_id')} AND (${question.date_created}, ${question.id}) > (${$('from')}, ${$('after')}) AND ${question.date_created} < ${$('to')}`,
    )
    .orderBy(asc(question.date_created), asc(question.id))
    .limit($('page')),
)
