import { and, eq, inArray, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { createSearchableList } from '../../db/lists.ts'
import { rowById } from '../../db/rows.ts'
import { contact_item_hour } from '../contacts/tables.ts'
import { question } from '../questions/tables.ts'
import { item } from './tables.ts'

export type ItemRow = typeof item.$inferSelect

/** One listing; undefined when there is none. */
export const itemById = rowById(item)

/** The seller of a listing; undefined when there is no such listing. */
export const sellerOfItem = async (q: Q, id: string): Promise<number | undefined> =>
  (await selectSeller(q).one({ id }))?.seller_id
const selectSeller = prepared(({ db }) =>
  db
    .select({ seller_id: item.seller_id })
    .from(item)
    .where(eq(item.id, $('id'))),
)

/** Whether a user has any listing. */
export const hasListings = async (q: Q, seller_id: number): Promise<boolean> =>
  (await selectAnyListing(q).one({ seller_id })) !== undefined
const selectAnyListing = prepared(({ db }) =>
  db
    .select({ id: item.id })
    .from(item)
    .where(eq(item.seller_id, $('seller_id')))
    .limit(1),
)

/** Questions on a listing, those without an answer, and other contacts. */
export const countsOfItem = async (q: Q, id: string) => (await selectCounts(q).one({ id }))!
const selectCounts = prepared(({ db }) => {
  const contacts = db
    .select({ n: sql`coalesce(sum(${contact_item_hour.n}), 0)` })
    .from(contact_item_hour)
    .where(and(eq(contact_item_hour.item_id, $('id')), inArray(contact_item_hour.kind, ['phone_views', 'whatsapp'])))
  return db
    .select({
      questions: sql<number>`count(*)`.as('questions'),
      unanswered: sql<number>`count(*) FILTER (WHERE ${question.status} = 'UNANSWERED')`.as('unanswered'),
      contacts: sql<number>`${contacts}`.as('contacts'),
    })
    .from(question)
    .where(eq(question.item_id, $('id')))
})

/** Listings of all sellers, by id. */
export const listItems = createSearchableList<typeof item, string>(item, {
  key: item.id,
  direction: 'asc',
  texts: [sql`${item.title}`],
})
