import { and, asc, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { $, preparedBy, type Q, type Values } from '../../db/engine.ts'
import { user } from '../users/tables.ts'
import type { ItemRow } from './queries.ts'
import { isInCategory } from './search_queries.ts'
import { item } from './tables.ts'

export type FoundOnSite = ItemRow & { nickname: string }

type Filters = Record<'q' | 'seller_id' | 'nickname' | 'category', boolean>
// The id of a listing begins with its site: the primary key is the index of a site's listings.
const matching = ({ q, seller_id, nickname, category }: Filters): SQL =>
  and(
    sql`${item.id} >= ${$('site_id')} AND ${item.id} < ${$('site_id')} || ':'`,
    sql`${item.status} = 'active'`,
    q ? sql`instr(lower(${item.title}), lower(${$('q')})) > 0` : undefined,
    seller_id ? eq(item.seller_id, $('seller_id')) : undefined,
    category ? isInCategory('categories') : undefined,
    nickname ? eq(user.nickname, $('nickname')) : undefined,
  )!

/** Active listings of a site with these filters. */
export const countOfSite = async (q: Q, filters: Filters, values: Values): Promise<number> =>
  (await selectCount(q, filters).one(values))!.n
const selectCount = preparedBy(({ db }, filters: Filters) =>
  db
    .select({ n: sql<number>`count(*)`.as('n') })
    .from(item)
    .innerJoin(user, eq(user.id, item.seller_id))
    .where(matching(filters)),
)

/** A page of them, with the seller's nickname; ties by id. */
export const pageOfSite = (
  q: Q,
  order: Filters & { sort: keyof typeof ORDERS },
  values: Values,
): Promise<FoundOnSite[]> => selectPage(q, order).all(values)
const ORDERS = { relevance: [], price_asc: [asc(item.price)], price_desc: [desc(item.price)] }
const selectPage = preparedBy(({ db }, { sort, ...filters }: Filters & { sort: keyof typeof ORDERS }) =>
  db
    .select({ ...getTableColumns(item), nickname: user.nickname })
    .from(item)
    .innerJoin(user, eq(user.id, item.seller_id))
    .where(matching(filters))
    .orderBy(...ORDERS[sort], asc(item.id))
    .limit($('limit'))
    .offset($('offset')),
)
