import { asc, gt, sql } from 'drizzle-orm'
import { $, prepared, type Q, type Statement, type Tables } from '../../db/engine.ts'
import { NUMBERED_TABLES, type NumberedTable, sqlite_sequence } from '../../db/ids.ts'

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

type TableWithId = 'user' | 'question' | 'flex_subscription' | 'shipment' | 'fault' | 'item' | 'credit_lead'

const byId = <T extends TableWithId>(table: T) => {
  const statement = prepared(({ db, t }) => {
    const of = t[table] as Tables['user']
    return db
      .select()
      .from(of)
      .where(gt(of.id, $('after')))
      .orderBy(asc(of.id))
      .limit($('page'))
  })
  type Row = Tables[T]['$inferSelect']
  // Numbers sort before texts: this is before all ids of either kind.
  return (q: Q) =>
    pages(statement(q) as unknown as Statement<Row>, { after: -1 as number | string }, ({ id }) => ({ after: id }))
}

export const usersOf = byId('user')
export const itemsOf = byId('item')
export const loansOf = byId('credit_lead')
export const subscriptionsOf = byId('flex_subscription')
export const shipmentsOf = byId('shipment')
export const faultsOf = byId('fault')

/**
 * Questions by id; `guest`: no user asked. `counted`: there is a contact for it; where several of one buyer came in one
 * millisecond, the first ones have theirs.
 */
export const questionsOf = (q: Q, origin: number) =>
  pages(questions(q), { after: -1, origin }, ({ id }) => ({ after: id, origin }))
const questions = prepared(({ db, t: { question: c } }) => {
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
      id: c.id,
      seller_id: c.seller_id,
      item_id: c.item_id,
      from_id: c.from_id,
      text: c.text,
      status: c.status,
      date_created: c.date_created,
      answer_text: c.answer_text,
      answer_status: c.answer_status,
      answered_at: c.answered_at,
      deleted_from_listing: c.deleted_from_listing,
      hold: c.hold,
      suspected_spam: c.suspected_spam,
      hidden: c.hidden,
      guest: sql<number>`${guest}`.as('guest'),
      counted: sql<number>`${contacts} > ${before}`.as('counted'),
    })
    .from(c)
    .where(gt(c.id, $('after')))
    .orderBy(asc(c.id))
    .limit($('page'))
})

export const blocksOf = (q: Q) =>
  pages(blocks(q), { seller: -1, buyer: -1 }, ({ seller_id, buyer_id }) => ({ seller: seller_id, buyer: buyer_id }))
const blocks = prepared(({ db, t: { blocked_buyer: b } }) =>
  db
    .select()
    .from(b)
    .where(sql`(${b.seller_id}, ${b.buyer_id}) > (${$('seller')}, ${$('buyer')})`)
    .orderBy(asc(b.seller_id), asc(b.buyer_id))
    .limit($('page')),
)

/** The order of their making. */
export const tokensOf = (q: Q) => pages(tokens(q), { after: -1 }, ({ row }) => ({ after: row }))
const tokens = prepared(({ db, t: { access_token: a } }) =>
  db
    .select({
      row: sql<number>`rowid`.as('row'),
      token: a.token,
      application_id: a.application_id,
      user_id: a.user_id,
      expires_at: a.expires_at,
    })
    .from(a)
    .where(sql`rowid > ${$('after')}`)
    .orderBy(sql`rowid`)
    .limit($('page')),
)

export const applicationsOf = (q: Q) => applications(q).all()
const applications = prepared(({ db, t }) => db.select().from(t.application).orderBy(asc(t.application.id)))

/** Who has let an application in, by user. */
export const grantsOf = (q: Q, application_id: number) =>
  pages(grants(q), { application_id, after: -1 }, ({ user_id }) => ({ application_id, after: user_id }))
const grants = prepared(({ db, t: { application_grant: g } }) =>
  db
    .select()
    .from(g)
    .where(sql`${g.application_id} = ${$('application_id')} AND ${g.user_id} > ${$('after')}`)
    .orderBy(asc(g.user_id))
    .limit($('page')),
)

/** Sellers who have contacts, by id. */
export const sellersWithContacts = (q: Q) => sellers(q).all()
const sellers = prepared(({ db, t: { contact_user_hour: h } }) =>
  db.selectDistinct({ user_id: h.user_id }).from(h).orderBy(asc(h.user_id)),
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
const first = prepared(({ db, t: { contact_event: e } }) =>
  db
    .select({ at: e.at })
    .from(e)
    .where(sql`${e.user_id} = ${$('user_id')} AND ${e.kind} = ${$('kind')} AND ${e.at} >= ${$('from')}`)
    .orderBy(asc(e.at))
    .limit(1),
)

/** A seller’s contacts of one kind in a stretch of time. */
export const contactsOf = (q: Q, { from, to, ...of }: TimeRange) =>
  pages(contacts(q), { ...of, to, at: from, seq: -1 }, ({ at, seq }) => ({ ...of, to, at, seq }))
const contacts = prepared(({ db, t: { contact_event: e } }) =>
  db
    .select({ at: e.at, seq: e.seq, item_id: e.item_id, buyer_id: e.buyer_id })
    .from(e)
    .where(
      sql`${e.user_id} = ${$('user_id')} AND ${e.kind} = ${$('kind')} AND (${e.at}, ${e.seq}) > (${$('at')}, ${$('seq')}) AND ${e.at} < ${$('to')}`,
    )
    .orderBy(asc(e.at), asc(e.seq))
    .limit($('page')),
)

/** Questions that a seller got in a stretch of time (ms), and who asked; null for a guest. */
export const questionTimesOf = (q: Q, of: { seller_id: number; from: number; to: number }) =>
  pages(questionTimes(q), { ...of, after: -1 }, ({ date_created, id }) => ({ ...of, from: date_created, after: id }))
const questionTimes = prepared(({ db, t: { question: c } }) =>
  db
    .select({
      id: c.id,
      item_id: c.item_id,
      date_created: c.date_created,
      buyer_id: sql<number | null>`(SELECT user.id FROM user WHERE user.id = question.from_id)`.as('buyer_id'),
    })
    .from(c)
    .where(
      sql`${c.seller_id} = ${$('seller_id')} AND (${c.date_created}, ${c.id}) > (${$('from')}, ${$('after')}) AND ${c.date_created} < ${$('to')}`,
    )
    .orderBy(asc(c.date_created), asc(c.id))
    .limit($('page')),
)

export const hasRowNumbers = (name: string): name is NumberedTable => NUMBERED_TABLES.includes(name as NumberedTable)

/** The last number that was given of each kind, by name. */
export async function countersOf(q: Q): Promise<Record<string, number>> {
  const sequenceCounters = (await sequences(q).all()).map(({ name, n }) => [name, n] as const)
  const tableCounters = (await rowNumbers(q).all())
    .filter(({ name, seq }) => hasRowNumbers(name) && seq > 0)
    .map(({ name, seq }) => [name, seq] as const)
  return Object.fromEntries([...sequenceCounters, ...tableCounters].sort(([a], [b]) => (a < b ? -1 : 1)))
}
const sequences = prepared(({ db, t }) => db.select().from(t.sequence))
const rowNumbers = prepared(({ db }) => db.select().from(sqlite_sequence))
