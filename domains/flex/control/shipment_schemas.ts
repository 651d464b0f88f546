import { type Static, Type } from '@sinclair/typebox'
import { OptionalId, PagingQuery, StrictBody } from '../../shared/control_schemas.ts'
import { utcSeconds } from '../../shared/instants.ts'
import { Id, IdInPath, MAX_ID, Nullable, OneOf, ResponseObject, UserId } from '../../shared/schemas.ts'
import { shipmentNotFound } from '../errors.ts'
import { SHIPMENT_STATUSES, type ShipmentRow } from '../queries.ts'

export const Shipment = ResponseObject(
  {
    id: Id('Shipment', 43000000001),
    site_id: Type.String({ description: 'Site of its seller', examples: ['MLA'] }),
    seller_id: Id('Seller', 2500000101),
    driver_id: Nullable(Type.Integer(), { description: 'The driver; null if there is none' }),
    route_open: Type.Boolean({
      description: 'Whether the driver is on the way: only then does the public call show the driver',
    }),
    date_created: Type.String({ description: 'Time of creation, UTC', examples: ['2026-03-01T13:30:00Z'] }),
  },
  { title: 'Shipment', description: 'A parcel that a seller delivers with Flex' },
)
export const present = (row: ShipmentRow): Static<typeof Shipment> => ({
  id: row.id,
  site_id: row.site_id,
  seller_id: row.seller_id,
  driver_id: row.driver_id,
  route_open: row.route_open === 1,
  date_created: utcSeconds(row.date_created),
})

const driverFields = {
  driver_id: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: MAX_ID,
      description: 'The driver, who starts the route; null for none',
      examples: [81234567],
      'x-message': `must be an integer from 1 to ${MAX_ID}, or null`,
    }),
  ),
  route_open: Type.Optional(
    Type.Boolean({
      description: 'Whether the driver is on the way; default: true for a new driver',
      examples: [true],
      'x-message': 'must be true or false',
    }),
  ),
}
export type DriverChange = { driver_id?: number | null; route_open?: boolean }

export const ShipmentParams = Type.Object({
  id: IdInPath('Shipment identifier', 43000000001, shipmentNotFound),
})

export const NewShipment = StrictBody(
  { seller_id: UserId, id: OptionalId('shipment'), ...driverFields },
  { examples: [{ seller_id: 2500000101, driver_id: 81234567 }] },
)
export const ShipmentChange = StrictBody(driverFields, {
  minProperties: 1,
  'x-message': 'must be a JSON object with driver_id, route_open or both',
  examples: [{ driver_id: 81234567 }, { route_open: false }],
})
export const ShipmentList = Type.Object({
  seller_id: Type.Optional(Id('Those of this seller', 2500000101)),
  status: Type.Optional(
    OneOf([...SHIPMENT_STATUSES], {
      description: 'unassigned: without a driver; assigned: with one; on_route: its driver is on the route',
      examples: ['on_route'],
    }),
  ),
  ...PagingQuery,
})
