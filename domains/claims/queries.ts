import { desc, sql } from 'drizzle-orm'
import { $, type Q } from '../../db/engine.ts'
import { createList, createSearchableList } from '../../db/lists.ts'
import { among, rowById, selectRows } from '../../db/rows.ts'
import type { Moment, World } from '../../db/world.ts'
import { orderById } from '../orders/queries.ts'
import { payment, sale_order } from '../orders/tables.ts'
import { claimNotFound, foreignClaim } from './errors.ts'
import { type Case, type Role, roleOf } from './states.ts'
import { type ClaimRow, claim, claim_message } from './tables.ts'

export const claimById = rowById(claim)

/** Claims with their orders. */
export const casesOf = (q: Q, world: Moment, claims: readonly ClaimRow[]): Promise<Case[]> =>
  Promise.all(claims.map(async (claim) => ({ claim, order: (await orderById(q, world, claim.order_id))! })))

/** The claim of a call and the caller's part in it. Throws, in this order: unknown, not a player [spec: claims.order]. */
export async function ownCase(q: Q, world: World, user_id: number, id: number): Promise<Case & { role: Role }> {
  const row = await claimById(q, id)
  if (!row) throw claimNotFound()
  const role = roleOf(row, user_id)
  if (!role) throw foreignClaim()
  const [one] = await casesOf(q, world, [row])
  return { ...one!, role }
}

/** The claims found, the newest first. `caller`: a player; instants are ms and exclusive; with `nothing` none match. */
export const findClaims = createList(claim, [desc(claim.date_created), desc(claim.id)], {
  caller: sql`(${claim.seller_id} = ${$('caller')} OR ${claim.buyer_id} = ${$('caller')})`,
  pack_id: sql`${claim.order_id} IN (SELECT ${sale_order.id} FROM ${sale_order} WHERE ${sale_order.pack_id} = ${$('pack_id')})`,
  payment_id: sql`${claim.order_id} IN (SELECT ${payment.order_id} FROM ${payment} WHERE ${payment.id} = ${$('payment_id')})`,
  created_after: sql`${claim.date_created} > ${$('created_after')}`,
  created_before: sql`${claim.date_created} < ${$('created_before')}`,
  updated_after: sql`${claim.last_updated} > ${$('updated_after')}`,
  updated_before: sql`${claim.last_updated} < ${$('updated_before')}`,
  nothing: sql`0 = ${$('nothing')}`,
})
export type Criteria = Parameters<typeof findClaims>[1]

/** The claims of all sellers, the newest first. */
export const listClaims = createSearchableList(claim, {
  key: claim.id,
  direction: 'desc',
  texts: [sql`${claim.reason_id}`],
})

/** The messages of some claims, the oldest first. */
export const messagesOf = (q: Q, claims: readonly { id: number }[]) =>
  selectMessages(q).all({ keys: JSON.stringify(claims.map(({ id }) => id)) })
const selectMessages = selectRows(claim_message, { claim_id: among }, { order: ['id'] })

/** The claims on some orders that are open and in a dispute, by id. */
export const openDisputesOf = (q: Q, orderIds: readonly number[]): Promise<ClaimRow[]> =>
  selectDisputes(q).all({ keys: JSON.stringify(orderIds) })
const selectDisputes = selectRows(claim, { order_id: among, status: 'opened', stage: 'dispute' }, { order: ['id'] })
