import { eq, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { createSearchableList } from '../../db/lists.ts'
import { rowById } from '../../db/rows.ts'
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

/** Listings of all sellers, by id. */
export const listItems = createSearchableList<typeof item, string>(item, {
  key: item.id,
  direction: 'asc',
  texts: [sql`${item.title}`],
})
