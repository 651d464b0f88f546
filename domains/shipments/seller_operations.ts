import { eq, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { type Details, detailsOf } from './states.ts'
import { type ShipmentRow, shipment } from './tables.ts'

// Call these inside `world.tx`.

/** What sellers tell of the carrier of a shipment. */
interface Tracking {
  tracking_number?: string | undefined
  tracking_url?: string | undefined
  service_id?: number | undefined
}

/** Changes what is known of the carrier; members that are missing stay. Without an event. */
export async function changeTracking(q: Q, row: ShipmentRow, told: Tracking): Promise<ShipmentRow> {
  const { service_id, tracking_url } = told
  const details: Details = {
    ...detailsOf(row),
    ...(service_id !== undefined && { service_id }),
    ...(tracking_url !== undefined && { tracking_url: tracking_url.toWellFormed() }),
  }
  const tracking_number = told.tracking_number?.toWellFormed() ?? row.tracking_number
  return (await updateTracking(q).one({ id: row.id, tracking_number, details: JSON.stringify(details) }))!
}
const updateTracking = prepared(({ db }) =>
  db
    .update(shipment)
    .set({ tracking_number: sql`${$('tracking_number')}`, details: sql`${$('details')}` })
    .where(eq(shipment.id, $('id')))
    .returning(),
)
