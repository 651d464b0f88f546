import { and, asc, eq, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { order_blocked_buyer } from './tables.ts'

const ofBoth = and(eq(order_blocked_buyer.seller_id, $('seller_id')), eq(order_blocked_buyer.buyer_id, $('buyer_id')))

/** A page of a seller's block list, by buyer. */
export const blockedBuyers = (q: Q, seller_id: number, limit: number, offset: number) =>
  selectBlockedBuyers(q).all({ seller_id, limit, offset })
const selectBlockedBuyers = prepared(({ db }) =>
  db
    .select({ id: sql<number>`${order_blocked_buyer.buyer_id}`.as('id') })
    .from(order_blocked_buyer)
    .where(eq(order_blocked_buyer.seller_id, $('seller_id')))
    .orderBy(asc(order_blocked_buyer.buyer_id))
    .limit($('limit'))
    .offset($('offset')),
)

export const countBlocked = async (q: Q, seller_id: number): Promise<number> =>
  (await selectCount(q).one({ seller_id }))!.n
const selectCount = prepared(({ db }) =>
  db
    .select({ n: sql<number>`count(*)`.as('n') })
    .from(order_blocked_buyer)
    .where(eq(order_blocked_buyer.seller_id, $('seller_id'))),
)

/** Call these two inside `world.tx`. */
export const block = (q: Q, seller_id: number, buyer_id: number, date_created: number) =>
  insertBlocked(q).run({ seller_id, buyer_id, date_created })
const insertBlocked = prepared(({ db }) =>
  db
    .insert(order_blocked_buyer)
    .values({ seller_id: $('seller_id'), buyer_id: $('buyer_id'), date_created: $('date_created') })
    .onConflictDoNothing(),
)

export const unblock = (q: Q, seller_id: number, buyer_id: number) => deleteBlocked(q).run({ seller_id, buyer_id })
const deleteBlocked = prepared(({ db }) => db.delete(order_blocked_buyer).where(ofBoth))
