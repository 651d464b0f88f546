import { sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { rememberedRow } from '../../db/remembered.ts'
import { claim } from '../claims/tables.ts'
import { order_feedback, sale_order } from '../orders/tables.ts'
import { shipment_step } from '../shipments/tables.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Of the metrics [spec: users.reputation.metrics]. */
const PERIOD_DAYS = 60
const HANDLING_MS = 3 * DAY

/**
 * What a seller's sales and claims say in the hour that begins at `hour`, world ms: of all times, and since the beginning of
 * the metrics' period. With the present time in its place, no answer would be valid for more than a millisecond.
 */
export const reputationOf = async (q: Q, hour: number, id: number) =>
  (await rememberedRow(q, count(q), {
    ...{ id, until: hour + HOUR, since: hour - PERIOD_DAYS * DAY, handling: HANDLING_MS },
  }))!
export type ReputationCounts = Awaited<ReturnType<typeof reputationOf>>

const countIf = (name: string, condition: ReturnType<typeof sql>) =>
  sql<number>`count(*) FILTER (WHERE ${condition})`.as(name)
const isSold = sql`o.status IN ('paid', 'partially_refunded', 'pending_cancel')`
const isRecent = sql`o.date_closed >= ${$('since')}`

// One pass over the sales of a seller, by their index.
const count = prepared(({ db }) =>
  db
    .select({
      completed: countIf('completed', isSold),
      canceled: countIf('canceled', sql`o.status = 'cancelled'`),
      positive: countIf('positive', sql`f.rating = 'positive'`),
      neutral: countIf('neutral', sql`f.rating = 'neutral'`),
      negative: countIf('negative', sql`f.rating = 'negative'`),
      sales: countIf('sales', sql`${isRecent} AND ${isSold}`),
      cancellations: countIf(
        'cancellations',
        sql`${isRecent} AND o.status = 'cancelled' AND o.cancel_detail ->> 'group' = 'seller'`,
      ),
      delayed: countIf(
        'delayed',
        sql`${isRecent} AND EXISTS (SELECT 1 FROM ${shipment_step} s WHERE s.shipment_id = o.shipment_id
          AND s.status = 'shipped' AND s.substatus IS NULL AND s.is_published = 1 AND s.at < ${$('until')} AND s.at > o.date_closed + ${$('handling')})`,
      ),
      claims:
        sql<number>`(SELECT count(*) FROM ${claim} c WHERE c.seller_id = ${$('id')} AND c.date_created >= ${$('since')})`.as(
          'claims',
        ),
    })
    .from(sql`${sale_order} o LEFT JOIN ${order_feedback} f ON f.order_id = o.id AND f.role = 'buyer'`)
    .where(sql`o.seller_id = ${$('id')} AND o.date_closed IS NOT NULL`),
)
