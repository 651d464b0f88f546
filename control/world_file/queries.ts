import { asc, gt, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { $, prepared, type Q, type Statement } from '../../db/engine.ts'
import { sqlite_sequence } from '../../db/ids.ts'
import { fault, sequence } from '../../db/tables.ts'
import { contact_event, contact_user_hour } from '../../domains/contacts/tables.ts'
import { credit_lead } from '../../domains/credits/tables.ts'
import { flex_subscription, shipment } from '../../domains/flex/tables.ts'
import { TABLES } from '../../domains/index.ts'
import { item } from '../../domains/items/tables.ts'
import { access_token, application, application_grant } from '../../domains/oauth/tables.ts'
import { blocked_buyer, question } from '../../domains/questions/tables.ts'
import { user } from '../../domains/users/tables.ts'

// What an export reads, page by page: from a copy of a world that nobody else has.

const PAGE_SIZE = 500

/** All rows of a query that takes a page after a key, as a stream of pages. */
async function* pages<Row, Key extends object>(
  statement: Statement<Row>,
  first: Key,
  keyOf: (row: Row) => Key,
): AsyncGenerator<Row[]> {
  for (let after = first; ; ) {
    const rows = await statement.all({ ...after, page: PAGE_SIZE })
    if (rows.length > 0) yield rows
    if (rows.length < PAGE_SIZE) return
    after = keyOf(rows.at(-1)!)
  }
}

const byId = <Table extends SQLiteTable & { id: SQLiteColumn }>(table: Table) => {
  const statement = prepared(({ db }) =>
    db
      .select()
      .from(table as SQLiteTable)
      .where(gt(table.id, $('after')))
      .orderBy(asc(table.id))
      .limit($('page')),
  )
  type Row = Table['$inferSelect']
  // Numbers sort before texts: this is before all ids of either kind.
  return (q: Q) =>
    pages(statement(q) as unknown as Statement<Row>, { after: -1 as number | string }, ({ id }) => ({ after: id }))
}

export const usersOf = byId(user)
export const itemsOf = byId(item)
export const loansOf = byId(credit_lead)
export const subscriptionsOf = byId(flex_subscription)
export const shipmentsOf = byId(shipment)
export const faultsOf = byId(fault)

/**
 * Questions by id; `guest`: no user asked. `counted`: there is a contact for it; where several of one buyer came in one
 * millisecond, the first ones have theirs.
 */
export const questionsOf = (q: Q, origin: number) =>
  pages(questions(q), { after: -1, origin }, ({ id }) => ({ after: id, origin }))
const questions = prepared(({ db }) => {
  // Written out: the builder leaves the tables' names away where it selects from one alone.
  const isGuest = (name: string) => `NOT EXISTS (SELECT 1 FROM user WHERE user.id = ${name}.from_id)`
  const guest = sql.raw(isGuest('question'))
  const contacts = sql`(SELECT count(*) FROM contact_event e WHERE e.user_id = question.seller_id AND e.kind = 'questions'
    AND e.at = question.date_created - ${$('origin')} AND e.item_id = question.item_id
    AND e.buyer_id IS CASE WHEN ${guest} THEN NULL ELSE question.from_id END)`
  const before =
    sql.raw(`(SELECT count(*) FROM question p WHERE p.item_id = question.item_id AND p.date_created = question.date_created
    AND p.id < question.id AND (p.from_id = question.from_id OR (${isGuest('question')} AND ${isGuest('p')})))`)
  return db
    .select({
      id: question.id,
      seller_id: question.seller_id,
      item_id: question.item_id,
      from_id: question.from_id,
      text: question.text,
      status: question.status,
      date_created: question.date_created,
      answer_text: question.answer_text,
      answer_status: question.answer_status,
      answered_at: question.answered_at,
      deleted_from_listing: question.deleted_from_listing,
      hold: question.hold,
      suspected_spam: question.suspected_spam,
      hidden: question.hidden,
      guest: sql<number>`${guest}`.as('guest'),
      counted: sql<number>`${contacts} > ${before}`.as('counted'),
    })
    .from(question)
    .where(gt(question.id, $('after')))
    .orderBy(asc(question.id))
    .limit($('page'))
})

export const blocksOf = (q: Q) =>
  pages(blocks(q), { seller: -1, buyer: -1 }, ({ seller_id, buyer_id }) => ({ seller: seller_id, buyer: buyer_id }))
const blocks = prepared(({ db }) =>
  db
    .select()
    .from(blocked_buyer)
    .where(sql`(${blocked_buyer.seller_id}, ${blocked_buyer.buyer_id}) > (${$('seller')}, ${$('buyer')})`)
    .orderBy(asc(blocked_buyer.seller_id), asc(blocked_buyer.buyer_id))
    .limit($('page')),
)

/** The order of their making. */
export const tokensOf = (q: Q) => pages(tokens(q), { after: -1 }, ({ row }) => ({ after: row }))
const tokens = prepared(({ db }) =>
  db
    .select({
      row: sql<number>`rowid`.as('row'),
      token: access_token.token,
      application_id: access_token.application_id,
      user_id: access_token.user_id,
      expires_at: access_token.expires_at,
    })
    .from(access_token)
    .where(sql`rowid > ${$('after')}`)
    .orderBy(sql`rowid`)
    .limit($('page')),
)

export const applicationsOf = (q: Q) => applications(q).all()
const applications = prepared(({ db }) => db.select().from(application).orderBy(asc(application.id)))

/** Who has let an application in, by user. */
export const grantsOf = (q: Q, application_id: number) =>
  pages(grants(q), { application_id, after: -1 }, ({ user_id }) => ({ application_id, after: user_id }))
const grants = prepared(({ db }) =>
  db
    .select()
    .from(application_grant)
    .where(
      sql`${application_grant.application_id} = ${$('application_id')} AND ${application_grant.user_id} > ${$('after')}`,
    )
    .orderBy(asc(application_grant.user_id))
    .limit($('page')),
)

/** Sellers who have contacts, by id. */
export const sellersWithContacts = (q: Q) => sellers(q).all()
const sellers = prepared(({ db }) =>
  db
    .selectDistinct({ user_id: contact_user_hour.user_id })
    .from(contact_user_hour)
    .orderBy(asc(contact_user_hour.user_id)),
)

interface TimeRange {
  user_id: number
  kind: string
  /** Ms since the origin, inclusive and exclusive. */
  from: number
  to: number
}

/** When a seller’s first contact since `from` came; undefined when none did. */
export const firstContact = async (q: Q, of: Omit<TimeRange, 'to'>): Promise<number | undefined> =>
  (await first(q).one({ ...of }))?.at
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

/** A seller’s contacts of one kind in a stretch of time. */
export const contactsOf = (q: Q, { from, to, ...of }: TimeRange) =>
  pages(contacts(q), { ...of, to, at: from, seq: -1 }, ({ at, seq }) => ({ ...of, to, at, seq }))
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

/** Questions that a seller got in a stretch of time (ms), and who asked; null for a guest. */
export const questionTimesOf = (q: Q, of: { seller_id: number; from: number; to: number }) =>
  pages(questionTimes(q), { ...of, after: -1 }, ({ date_created, id }) => ({ ...of, from: date_created, after: id }))
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

/** Whether a table of this name numbers its rows. */
export const hasRowNumbers = (table: string): boolean =>
  TABLES.some(({ name, firstId }) => name === table && firstId !== undefined)

/** The last number that was given of each kind, by name. */
export async function countersOf(q: Q): Promise<Record<string, number>> {
  const sequenceCounters = (await sequences(q).all()).map(({ name, n }) => [name, n] as const)
  const tableCounters = (await rowNumbers(q).all())
    .filter(({ name, seq }) => hasRowNumbers(name) && seq > 0)
    .map(({ name, seq }) => [name, seq] as const)
  return Object.fromEntries([...sequenceCounters, ...tableCounters].sort(([a], [b]) => (a < b ? -1 : 1)))
}
const sequences = prepared(({ db }) => db.select().from(sequence))
const rowNumbers = prepared(({ db }) => db.select().from(sqlite_sequence))
