import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { rowById } from '../../db/rows.ts'
import { type ClaimRow, claim } from './tables.ts'

export const claimById = rowById(claim)

/** The claims on some orders that are open and in a dispute, by id. */
export const openDisputesOf = (q: Q, orderIds: readonly number[]): Promise<ClaimRow[]> =>
  selectDisputes(q).all({ keys: JSON.stringify(orderIds) })
const selectDisputes = prepared(({ db }) =>
  db
    .select()
    .from(claim)
    .where(
      and(
        inArray(claim.order_id, sql`(SELECT value FROM json_each(${$('keys')}))`),
        eq(claim.status, 'opened'),
        eq(claim.stage, 'dispute'),
      ),
    )
    .orderBy(asc(claim.id)),
)
