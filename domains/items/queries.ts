import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { createSearchableList } from '../../db/lists.ts'
import { rowById, selectRows } from '../../db/rows.ts'
import type { FindValues } from '../../http/errors/checks.ts'
import { contact_item_hour } from '../contacts/tables.ts'
import { question } from '../questions/tables.ts'
import { detailsOf } from './details.ts'
import { item, item_description } from './tables.ts'

export type ItemRow = typeof item.$inferSelect

/** One listing; undefined when there is none. */
export const itemById = rowById(item)

export type DescriptionRow = typeof item_description.$inferSelect

/** The text below a listing; undefined when it has none. */
export const descriptionOf = (q: Q, item_id: string): Promise<DescriptionRow | undefined> =>
  selectDescription(q).one({ item_id })
const selectDescription = selectRows(item_description, { item_id: $ })

/** Some listings that have one. */
export const describedListings = async (q: Q, limit: number): Promise<string[]> =>
  (await selectDescribed(q).all({ limit })).map(({ item_id }) => item_id)
const selectDescribed = prepared(({ db }) =>
  db
    .select({ item_id: item_description.item_id })
    .from(item_description)
    .orderBy(asc(item_description.item_id))
    .limit($('limit')),
)

/** The seller of a listing; undefined when there is no such listing. */
export const sellerOfItem = async (q: Q, id: string): Promise<number | undefined> =>
  (await selectSeller(q).one({ id }))?.seller_id
const selectSeller = selectRows(item, { id: $ }, { columns: ['seller_id'] })

/** Units for sale of a listing, or of one of its variations; undefined if there is no such listing or variation. */
export async function stockOf(q: Q, id: string, variation_id: number | null): Promise<number | undefined> {
  const row = await itemById(q, id)
  if (!row || variation_id === null) return row?.available_quantity
  return detailsOf(row).variations?.find((one) => one.id === variation_id)?.available_quantity
}

/** Whether a user has any listing. */
export const hasListings = async (q: Q, seller_id: number): Promise<boolean> =>
  (await selectAnyListing(q).one({ seller_id })) !== undefined
const selectAnyListing = selectRows(item, { seller_id: $ }, { columns: ['id'] })

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
export const listItems = createSearchableList(item, {
  key: item.id,
  direction: 'asc',
  texts: [sql`${item.title}`],
})

/** Listings of the caller as the value of `item_id`. */
export const ownListingIds: FindValues = async ({ q, caller }) =>
  caller ? (await listItems(q, { seller_id: caller.user_id }, { limit: 20, offset: 0 })).rows.map(({ id }) => id) : []
