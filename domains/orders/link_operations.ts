import { sql } from 'drizzle-orm'
import { $, type Q } from '../../db/engine.ts'
import { among, updateRows } from '../../db/rows.ts'
import type { Moment } from '../../db/world.ts'
import { publishOrder, requireOrder, storeOrder } from './operations.ts'
import { type Mediation, mediationsOf } from './states.ts'
import { type OrderRow, sale_order } from './tables.ts'

// What an order knows of its claims and its shipment.

/**
 * Stores the state of a claim in a dispute, or with null that it is in none; without an event if another change of the
 * same unit has one.
 */
export async function setMediation(
  q: Q,
  world: Moment,
  order_id: number,
  { id, status, isPublished }: { id: number; status: Mediation['status'] | null; isPublished: boolean },
): Promise<void> {
  const order = await requireOrder(q, world, order_id)
  const others = mediationsOf(order).filter((one) => one.id !== id)
  const mediations = JSON.stringify(status === null ? others : [...others, { id, status }])
  const changed = await storeOrder(q, world, order, { mediations })
  if (isPublished) await publishOrder(q, world, changed, order)
}

/** Adds the dispute of an imported claim to its order, without an event. */
export const addMediation = (q: Q, id: number, mediation: Mediation) =>
  appendMediation(q).run({ id, mediation: JSON.stringify(mediation) })
const appendMediation = updateRows(
  sale_order,
  { mediations: sql`json_insert(${sale_order.mediations}, '$[#]', json(${$('mediation')}))` },
  { id: $ },
)

/** Gives some orders their shipment, without events. */
export const setShipment = (q: Q, orders: readonly Pick<OrderRow, 'id'>[], shipment_id: number) =>
  updateShipment(q).run({ keys: JSON.stringify(orders.map(({ id }) => id)), shipment_id })
const updateShipment = updateRows(sale_order, { shipment_id: $ }, { id: among })
