import { getTableName as nameOf } from 'drizzle-orm'
import { preparedSql, type Q } from '../../db/engine.ts'
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
export const reputationOf = async (q: Q, hour: number, id: number): Promise<ReputationCounts> =>
  (await count(q).one({ id, until: hour + HOUR, since: hour - PERIOD_DAYS * DAY, handling: HANDLING_MS }))!

export type ReputationCounts = Record<
  'completed' | 'canceled' | 'positive' | 'neutral' | 'negative' | 'sales' | 'cancellations' | 'delayed' | 'claims',
  number
>

const IS_SOLD = "o.status IN ('paid', 'partially_refunded', 'pending_cancel')"
const IS_RECENT = 'o.date_closed >= :since'

// One pass over the sales of a seller, by their index; the answers of the routes are cached until the world changes.
const count = preparedSql<ReputationCounts>(`
  SELECT
    count(*) FILTER (WHERE ${IS_SOLD}) AS completed,
    count(*) FILTER (WHERE o.status = 'cancelled') AS canceled,
    count(*) FILTER (WHERE f.rating = 'positive') AS positive,
    count(*) FILTER (WHERE f.rating = 'neutral') AS neutral,
    count(*) FILTER (WHERE f.rating = 'negative') AS negative,
    count(*) FILTER (WHERE ${IS_RECENT} AND ${IS_SOLD}) AS sales,
    count(*) FILTER (WHERE ${IS_RECENT} AND o.status = 'cancelled' AND o.cancel_detail ->> 'group' = 'seller') AS cancellations,
    count(*) FILTER (WHERE ${IS_RECENT} AND EXISTS (
      SELECT 1 FROM ${nameOf(shipment_step)} s WHERE s.shipment_id = o.shipment_id AND s.status = 'shipped' AND s.substatus IS NULL
        AND s.is_published = 1 AND s.at < :until AND s.at > o.date_closed + :handling)) AS delayed,
    (SELECT count(*) FROM ${nameOf(claim)} c WHERE c.seller_id = :id AND c.date_created >= :since) AS claims
  FROM ${nameOf(sale_order)} o LEFT JOIN ${nameOf(order_feedback)} f ON f.order_id = o.id AND f.role = 'buyer'
  WHERE o.seller_id = :id AND o.date_closed IS NOT NULL`)
