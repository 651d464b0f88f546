import { and, asc, count, eq } from 'drizzle-orm'
import { $, prepared, preparedBy, type Q } from '../../db/engine.ts'
import { item } from './tables.ts'

export type ItemRow = typeof item.$inferSelect

/** One listing; undefined when there is none. */
export const itemById = (q: Q, id: string): Promise<ItemRow | undefined> => byId(q).one({ id })
const byId = prepared(({ db }) =>
  db
    .select()
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

export interface ItemFilter {
  seller_id?: number
  status?: ItemRow['status']
}

/** A page of the matching listings, by id, and their total. */
export async function findItems(
  q: Q,
  { seller_id, status }: ItemFilter,
  page: { limit: number; offset: number },
): Promise<{ total: number; rows: ItemRow[] }> {
  const filters = { seller: seller_id !== undefined, status: status !== undefined }
  const values = { seller_id: seller_id ?? null, status: status ?? null }
  return {
    total: (await countMatching(q, filters).one(values))!.n,
    rows: await pageOfMatching(q, filters).all({ ...values, ...page }),
  }
}
interface ActiveFilters {
  seller: boolean
  status: boolean
}
const matchesFilters = ({ seller, status }: ActiveFilters) =>
  and(seller ? eq(item.seller_id, $('seller_id')) : undefined, status ? eq(item.status, $('status')) : undefined)
const countMatching = preparedBy(({ db }, filters: ActiveFilters) =>
  db
    .select({ n: count().as('n') })
    .from(item)
    .where(matchesFilters(filters)),
)
const pageOfMatching = preparedBy(({ db }, filters: ActiveFilters) =>
  db.select().from(item).where(matchesFilters(filters)).orderBy(asc(item.id)).limit($('limit')).offset($('offset')),
)
