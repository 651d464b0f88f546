import { eq, isNotNull, isNull, ne, or } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { insertNumbered } from '../../db/ids.ts'
import { publish } from '../../db/outbox.ts'
import { updateReturning, updateRows } from '../../db/rows.ts'
import type { World } from '../../db/world.ts'
import { shipmentExists } from './errors.ts'
import { shipmentById } from './queries.ts'
import { type ShipmentRow, shipment } from './tables.ts'

// Call these inside `world.tx`.

/** Creates a parcel of a seller that no sale is known of, without a driver. Throws 409 if the id exists. */
export async function createParcel(
  q: Q,
  world: World,
  { site_id, seller_id, id }: { site_id: string; seller_id: number; id?: number | undefined },
): Promise<ShipmentRow> {
  return insertNumbered(
    q,
    shipment,
    { id, exists: shipmentExists },
    async (id) => (await insertShipment(q).one({ id, site_id, seller_id, now: world.clock.now() }))!,
  )
}
const insertShipment = prepared(({ db }) =>
  db
    .insert(shipment)
    .values({ id: $('id'), site_id: $('site_id'), seller_id: $('seller_id'), date_created: $('now') })
    .returning(),
)

/** Assigns a shipment to a driver as `set` does, and publishes it; undefined when `set` changes nothing. */
const assignAs =
  (set: typeof setDriver) =>
  async (q: Q, world: World, id: number, driver_id: number): Promise<ShipmentRow | undefined> => {
    const row = await set(q).one({ id, driver_id })
    if (!row) return undefined
    const resource = `/flex/sites/${row.site_id}/shipments/${row.id}/assignment/v1`
    await publish(q, { topic: 'flex-handshakes', resource, users: [row.seller_id], at: world.clock.now() })
    return row
  }
const setDriver = updateReturning(shipment, { driver_id: $, route_open: 1 }, { id: $ }, () =>
  or(isNull(shipment.driver_id), ne(shipment.driver_id, $('driver_id')), eq(shipment.route_open, 0)),
)
/** Assigns a shipment to a driver and opens the route. Undefined when nothing changes or there is no such shipment. */
export const assignDriver = assignAs(setDriver)

const setFirstDriver = updateReturning(shipment, { driver_id: $, route_open: 1 }, { id: $, driver_id: null })
/** Assigns a shipment without a driver to a courier, whose route begins. Undefined if it has a driver already. */
export const assignFirstDriver = assignAs(setFirstDriver)

/** Closes the route of a shipment. Returns the shipment; undefined when there is none. */
export async function closeRoute(q: Q, id: number): Promise<ShipmentRow | undefined> {
  await setRouteClosed(q).run({ id })
  return shipmentById(q, id)
}
const setRouteClosed = updateRows(shipment, { route_open: 0 }, { id: $ })

/** Removes the driver of a shipment. Undefined when it has no driver or there is no such shipment. */
export const unassignDriver = (q: Q, id: number): Promise<ShipmentRow | undefined> => setNoDriver(q).one({ id })
const setNoDriver = updateReturning(shipment, { driver_id: null, route_open: 0 }, { id: $ }, () =>
  isNotNull(shipment.driver_id),
)
