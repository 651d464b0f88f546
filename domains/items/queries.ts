import { and, asc, count, eq } from 'drizzle-orm'
import { $, prepared, preparedBy, type Q, type Tables } from '../../db/engine.ts'
import type { item } from '../../db/schema/items.ts'

export type ItemRow = typeof item.$inferSelect

/** One listing; undefined when there is none. */
export const itemById = (q: Q, id: string): Promise<ItemRow | undefined> => byId(q).one({ id })
const byId = prepared(({ db, t }) =>
  db
    .select()
    .from(t.item)
    .where(eq(t.item.id, $('id'))),
)

/** Whether a user has any listing. */
export const hasListings = async (q: Q, seller_id: number): Promise<boolean> =>
  (await anyOf(q).one({ seller_id })) !== undefined
const anyOf = prepared(({ db, t }) =>
  db
    .select({ id: t.item.id })
    .from(t.item)
    .where(eq(t.item.seller_id, $('seller_id')))
    .limit(1),
)

export interface ItemFilter {
  seller_id?: number
  status?: ItemRow['status']
}

/** A page of the listings by id, and how many there are in all. */
export async function findItems(
  q: Q,
  { seller_id, status }: ItemFilter,
  page: { limit: number; offset: number },
): Promise<{ total: number; rows: ItemRow[] }> {
  const by = { seller: seller_id !== undefined, status: status !== undefined }
  const values = { seller_id: seller_id ?? null, status: status ?? null }
  return {
    total: (await countBy(q, by).one(values))!.n,
    rows: await pageBy(q, by).all({ ...values, ...page }),
  }
}
interface By {
  seller: boolean
  status: boolean
}
const chosen = ({ item }: Tables, { seller, status }: By) =>
  and(seller ? eq(item.seller_id, $('seller_id')) : undefined, status ? eq(item.status, $('status')) : undefined)
const countBy = preparedBy(({ db, t }, by: By) =>
  db
    .select({ n: count().as('n') })
    .from(t.item)
    .where(chosen(t, by)),
)
const pageBy = preparedBy(({ db, t }, by: By) =>
  db.select().from(t.item).where(chosen(t, by)).orderBy(asc(t.item.id)).limit($('limit')).offset($('offset')),
)
