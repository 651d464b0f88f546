import { asc, sql } from 'drizzle-orm'
import { $ } from '../../db/engine.ts'
import { createList } from '../../db/lists.ts'
import { rowById } from '../../db/rows.ts'
import { shipment } from './tables.ts'

/** One shipment; undefined when there is none. */
export const shipmentById = rowById(shipment)

/** Without a driver; its driver has not started the route; its driver is on the route. */
export const DRIVER_STATUSES = ['unassigned', 'assigned', 'on_route'] as const

interface ShipmentFilter {
  seller_id?: number | undefined
  status?: (typeof DRIVER_STATUSES)[number] | undefined
}

/** Shipments of all sellers, by id. */
export const listShipments = createList<typeof shipment, ShipmentFilter>(shipment, [asc(shipment.id)], {
  status: sql`CASE WHEN ${shipment.driver_id} IS NULL THEN 'unassigned' WHEN ${shipment.route_open} = 1 THEN 'on_route'
    ELSE 'assigned' END = ${$('status')}`,
})
