import { inArray, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { type OrderRow, sale_order } from './tables.ts'

/** Gives some orders their shipment, without events. */
export const setShipment = (q: Q, orders: readonly Pick<OrderRow, 'id'>[], shipment_id: number) =>
  updateShipment(q).run({ keys: JSON.stringify(orders.map(({ id }) => id)), shipment_id })
const updateShipment = prepared(({ db }) =>
  db
    .update(sale_order)
    .set({ shipment_id: sql`${$('shipment_id')}` })
    .where(inArray(sale_order.id, sql`(SELECT value FROM json_each(${$('keys')}))`)),
)
