import { inArray, sql } from 'drizzle-orm'
import { $, type Q } from '../../db/engine.ts'
import { updateRows } from '../../db/rows.ts'
import { type OrderRow, sale_order } from './tables.ts'

/** Gives some orders their shipment, without events. */
export const setShipment = (q: Q, orders: readonly Pick<OrderRow, 'id'>[], shipment_id: number) =>
  updateShipment(q).run({ keys: JSON.stringify(orders.map(({ id }) => id)), shipment_id })
const updateShipment = updateRows(sale_order, { shipment_id: $ }, {}, () =>
  inArray(sale_order.id, sql`(SELECT value FROM json_each(${$('keys')}))`),
)
