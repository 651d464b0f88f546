import { asc, inArray, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { createList } from '../../db/lists.ts'
import { rowById } from '../../db/rows.ts'
import type { Moment } from '../../db/world.ts'
import { orderById, ordersOfPack } from '../orders/queries.ts'
import { orderAt } from '../orders/states.ts'
import type { OrderRow } from '../orders/tables.ts'
import { WITHOUT_STEPS } from './states.ts'
import { type ShipmentRow, type StepRow, shipment, shipment_step } from './tables.ts'

/** One shipment; undefined when there is none. */
export const shipmentById = rowById(shipment)

/** The steps of some shipments, those to come included, in their order; each shipment has at least one. */
export async function stepsOf(
  q: Q,
  rows: readonly Pick<ShipmentRow, 'id' | 'date_created'>[],
): Promise<Map<number, StepRow[]>> {
  const keys = JSON.stringify(rows.map(({ id }) => id))
  const steps = Map.groupBy(await selectSteps(q).all({ keys }), ({ shipment_id }) => shipment_id)
  for (const { id, date_created } of rows)
    if (!steps.has(id)) steps.set(id, [{ shipment_id: id, n: 0, ...WITHOUT_STEPS, at: date_created, is_published: 1 }])
  return steps
}
const selectSteps = prepared(({ db }) =>
  db
    .select()
    .from(shipment_step)
    .where(inArray(shipment_step.shipment_id, sql`(SELECT value FROM json_each(${$('keys')}))`))
    .orderBy(asc(shipment_step.shipment_id), asc(shipment_step.n)),
)

/** The orders in a shipment, by id: those of its purchase; none where no sale is known. */
export async function ordersOfShipment(
  q: Q,
  world: Moment,
  { order_id }: Pick<ShipmentRow, 'order_id'>,
): Promise<OrderRow[]> {
  const order = order_id === null ? undefined : await orderById(q, world, order_id)
  if (!order) return []
  if (order.pack_id === null) return [order]
  return (await ordersOfPack(q, order.pack_id)).map((row) => orderAt(row, world.clock.now()))
}

/** Without a driver; its driver has not started the route; its driver is on the route. */
export const DRIVER_STATUSES = ['unassigned', 'assigned', 'on_route'] as const

interface ShipmentFilter {
  seller_id?: number | undefined
  buyer_id?: number | undefined
  order_id?: number | undefined
  /** Of its driver. */
  driver?: (typeof DRIVER_STATUSES)[number] | undefined
  status?: string | undefined
  substatus?: string | undefined
  /** World time, ms; given with a status or substatus. */
  now?: number | undefined
  /** Ms; inclusive. */
  since?: number | undefined
  /** Ms; exclusive. */
  until?: number | undefined
}

/** A column of the step that a shipment is in at `$(now)`. */
const now = (column: 'status' | 'substatus') =>
  sql`(SELECT iif(count(*) = 0, ${WITHOUT_STEPS[column]}, (SELECT s.${sql.raw(column)} FROM ${shipment_step} s
    WHERE s.shipment_id = ${shipment.id} AND (s.at <= ${$('now')} OR s.n = 0) ORDER BY s.n DESC LIMIT 1))
    FROM ${shipment_step} s WHERE s.shipment_id = ${shipment.id})`

/** Shipments of all sellers, by id. */
export const listShipments = createList<typeof shipment, ShipmentFilter>(shipment, [asc(shipment.id)], {
  driver: sql`CASE WHEN ${shipment.driver_id} IS NULL THEN 'unassigned' WHEN ${shipment.route_open} = 1 THEN 'on_route'
    ELSE 'assigned' END = ${$('driver')}`,
  status: sql`${now('status')} = ${$('status')}`,
  substatus: sql`${now('substatus')} = ${$('substatus')}`,
  // A pack has one shipment, which knows its first order.
  since: sql`${shipment.date_created} >= ${$('since')}`,
  until: sql`${shipment.date_created} < ${$('until')}`,
  now: sql`1`,
})

/** The instant, ms, of the earliest step whose event is not published; null if there is none. */
export const nextStepAt = async (q: Q): Promise<number | null> => (await selectNext(q).one())!.at
const selectNext = prepared(({ db }) =>
  db
    .select({ at: sql<number | null>`min(${shipment_step.at})`.as('at') })
    .from(shipment_step)
    .where(sql`is_published = 0`),
)
