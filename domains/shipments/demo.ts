import type { DemoGenerator, Shop } from '../demo.ts'
import type { Random } from '../shared/demo/random.ts'
import { FIRST_SHIPMENT_ID, type shipment } from './tables.ts'

type NewShipment = Omit<typeof shipment.$inferInsert, 'id'>

export const generateRows: DemoGenerator = (shops) => ({
  shipment: shops
    .flatMap((shop) => shipmentsOf(shop, shop.random.fork('shipments')))
    .map((row, n) => ({ id: FIRST_SHIPMENT_ID + n, ...row })),
})

// Fixed for each seller, so that tests can use literal ids: the first six shipments are in transit, the next two were
// delivered, the last four have no driver yet.
const IN_TRANSIT_COUNT = 6
const CARRIED = 8
const PARCELS = 12

/** One seller's shipments, the oldest first, without ids. */
function shipmentsOf({ siteId, cast, rhythm }: Shop, r: Random): NewShipment[] {
  const drivers = Array.from({ length: 4 }, () => r.int(10_000_000, 999_999_999))
  const created = Array.from({ length: PARCELS }, () => rhythm.instant(r, -3, 0)).sort((a, b) => a - b)
  return created.map((date_created, i) => ({
    site_id: siteId,
    seller_id: cast.seller.row.id,
    driver_id: i < CARRIED ? r.pick(drivers) : null,
    route_open: i < IN_TRANSIT_COUNT ? 1 : 0,
    date_created,
  }))
}
