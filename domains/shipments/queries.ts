import { asc, type SQL, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { createList, createSelectByKeys } from '../../db/lists.ts'
import { among, rowById, selectRows } from '../../db/rows.ts'
import type { Moment } from '../../db/world.ts'
import type { DueEntry, DueSource } from '../due.ts'
import { orderById, ordersOfPack } from '../orders/queries.ts'
import { orderAt } from '../orders/states.ts'
import { type OrderRow, sale_order } from '../orders/tables.ts'
import { dueRows, fixedDelay } from '../shared/due_queries.ts'
import { WITHOUT_STEPS } from './states.ts'
import { type ShipmentRow, type StepRow, shipment, shipment_step } from './tables.ts'

/** One shipment; undefined when there is none. */
export const shipmentById = rowById(shipment)

/** Those of some shipments that exist. */
export const shipmentsOf = createSelectByKeys(shipment, { key: shipment.id, direction: 'asc' })

/** The steps of some shipments, those to come included, in their order; each shipment has at least one. */
export async function stepsOf(
  q: Q,
  rows: readonly Pick<ShipmentRow, 'id' | 'date_created'>[],
): Promise<Map<number, StepRow[]>> {
  const steps = await storedSteps(q, rows)
  for (const { id, date_created } of rows)
    if (!steps.has(id)) steps.set(id, [{ shipment_id: id, n: 0, ...WITHOUT_STEPS, at: date_created, is_published: 1 }])
  return steps
}

/** The same without those of shipments that have none. */
export const storedSteps = async (q: Q, rows: readonly Pick<ShipmentRow, 'id'>[]): Promise<Map<number, StepRow[]>> =>
  Map.groupBy(
    await selectSteps(q).all({ keys: JSON.stringify(rows.map(({ id }) => id)) }),
    ({ shipment_id }) => shipment_id,
  )
const selectSteps = selectRows(shipment_step, { shipment_id: among }, { order: ['shipment_id', 'n'] })

/** The orders in a shipment, by id: those of its purchase from its seller; none where no sale is known. */
export async function ordersOfShipment(
  q: Q,
  world: Moment,
  { order_id }: Pick<ShipmentRow, 'order_id'>,
): Promise<OrderRow[]> {
  const order = order_id === null ? undefined : await orderById(q, world, order_id)
  if (!order) return []
  if (order.pack_id === null) return [order]
  const pack = await ordersOfPack(q, order.pack_id)
  return pack.filter((one) => one.seller_id === order.seller_id).map((row) => orderAt(row, world.clock.now()))
}

/** Without a driver; its driver has not started the route; its driver is on the route. */
export const DRIVER_STATUSES = ['unassigned', 'assigned', 'on_route'] as const

/** A column of the step that a shipment is in at `$(now)`. */
const now = (column: 'status' | 'substatus') =>
  sql`(SELECT iif(count(*) = 0, ${WITHOUT_STEPS[column]}, (SELECT s.${sql.raw(column)} FROM ${shipment_step} s
    WHERE s.shipment_id = ${shipment.id} AND (s.at <= ${$('now')} OR s.n = 0) ORDER BY s.n DESC LIMIT 1))
    FROM ${shipment_step} s WHERE s.shipment_id = ${shipment.id})`

/**
 * Shipments of all sellers, by id. `ids` is a JSON array; a status or substatus needs `now`; `since` is inclusive, `until` is
 * not; all are ms.
 */
export const listShipments = createList(shipment, [asc(shipment.id)], {
  driver_status: sql`CASE WHEN ${shipment.driver_id} IS NULL THEN 'unassigned' WHEN ${shipment.route_open} = 1 THEN 'on_route'
    ELSE 'assigned' END = ${$('driver_status')}`,
  status: sql`${now('status')} = ${$('status')}`,
  substatus: sql`${now('substatus')} = ${$('substatus')}`,
  ids: sql`${shipment.id} IN (SELECT value FROM json_each(${$('ids')}))`,
  // A shipment knows the first order of its pack only.
  order_id: sql`(${shipment.order_id} = ${$('order_id')} OR ${shipment.id} = (SELECT ${sale_order.shipment_id} FROM ${sale_order} WHERE ${sale_order.id} = ${$('order_id')}))`,
  since: sql`${shipment.date_created} >= ${$('since')}`,
  until: sql`${shipment.date_created} < ${$('until')}`,
  now: sql`1`,
})

/** World time of the earliest step that is not published, ms; null if there is none. */
export const nextStepAt = async (q: Q): Promise<number | null> => (await selectNext(q).one())?.at ?? null
const selectNext = prepared(({ db }) =>
  db
    .select({ at: shipment_step.at })
    .from(shipment_step)
    .where(sql`${shipment_step.is_published} = 0`)
    .orderBy(asc(shipment_step.at))
    .limit(1),
)

/** What time does to shipments [spec: shipments.clock]: each effect with the steps that have it. */
const EFFECTS = {
  ready_to_print: sql`${shipment_step.substatus} = 'ready_to_print'`,
  handed_over: sql`${shipment_step.substatus} IN ('picked_up', 'dropped_off')`,
  shipped: sql`${shipment_step.status} = 'shipped' AND ${shipment_step.substatus} IS NULL`,
  out_for_delivery: sql`${shipment_step.substatus} = 'out_for_delivery'`,
  delivered: sql`${shipment_step.status} = 'delivered'`,
} satisfies { [Effect in DueEntry['effect']]?: SQL }

export const due: readonly DueSource[] = (Object.keys(EFFECTS) as (keyof typeof EFFECTS)[]).map((effect) =>
  dueRows({
    kind: 'shipment',
    effect,
    from: sql`${shipment_step} INDEXED BY shipment_step_next JOIN ${shipment} ON ${shipment.id} = ${shipment_step.shipment_id}`,
    time: shipment_step.at,
    delay: fixedDelay(0),
    columns: { id: shipment.id, user_id: shipment.seller_id },
    where: sql`${shipment_step.is_published} = 0 AND ${EFFECTS[effect]}`,
    present: ({ id, user_id }) => ({ id, resource: `/shipments/${id}`, user_id, application_id: null }),
  }),
)
