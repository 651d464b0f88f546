import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { selectRows } from '../../db/rows.ts'
import { item } from '../../domains/items/tables.ts'
import { blocked_buyer } from '../../domains/questions/tables.ts'
import { user } from '../../domains/users/tables.ts'

/** Sellers with the number of their active listings, by id. */
export const activeSellers = (q: Q) => sellers(q).all()
const sellers = prepared(({ db }) =>
  db
    .select({ seller_id: item.seller_id, items: sql<number>`count(*)`.as('items') })
    .from(item)
    .where(eq(item.status, 'active'))
    .groupBy(item.seller_id)
    .orderBy(asc(item.seller_id)),
)

/** A seller's active listings, by id. */
export const activeItems = (q: Q, seller_id: number) => active(q).all({ seller_id })
const active = selectRows(item, { seller_id: $, status: 'active' }, { order: ['id'] })

/** Buyers of a site that this seller has not blocked, by id; at most 1,000. */
export const shoppersOf = (q: Q, seller_id: number, site_id: string) => shoppers(q).all({ seller_id, site_id })
const shoppers = prepared(({ db }) =>
  db
    .select()
    .from(user)
    .where(
      and(
        eq(user.site_id, $('site_id')),
        isNull(user.level_id),
        eq(user.status, 'active'),
        sql`${user.id} <> ${$('seller_id')}`,
        sql`${user.id} NOT IN (SELECT buyer_id FROM ${blocked_buyer} WHERE seller_id = ${$('seller_id')})`,
      ),
    )
    .orderBy(asc(user.id))
    .limit(1000),
)
