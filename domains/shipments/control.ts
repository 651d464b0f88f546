import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { controlConfig, OptionalId, Page, PagingQuery, StrictBody, viewable } from '../shared/control_schemas.ts'
import { userNotFound } from '../shared/errors.ts'
import { utcSeconds } from '../shared/instants.ts'
import { errorResponses, Id, IdInPath, MAX_ID, Nullable, OneOf, ResponseObject, UserId } from '../shared/schemas.ts'
import { userById } from '../users/queries.ts'
import { assignDriver, closeRoute, createParcel, unassignDriver } from './driver_operations.ts'
import { shipmentNotFound } from './errors.ts'
import { DRIVER_STATUSES, listShipments, shipmentById } from './queries.ts'
import type { ShipmentRow } from './tables.ts'

const config = controlConfig('Shipments', 'Parcels of sales, and their drivers')

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
type DriverChange = { driver_id?: number | null; route_open?: boolean }

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
const ShipmentList = Type.Object({
  seller_id: Type.Optional(Id('Those of this seller', 2500000101)),
  status: Type.Optional(
    OneOf([...DRIVER_STATUSES], {
      description: 'unassigned: without a driver; assigned: with one; on_route: its driver is on the route',
      examples: ['on_route'],
    }),
  ),
  ...PagingQuery,
})

/** Changes driver and route of a shipment. Publishes no event if nothing changes. */
async function updateDriver(q: Q, world: World, before: ShipmentRow, sent: DriverChange): Promise<ShipmentRow> {
  const { id } = before
  const { driver_id = before.driver_id } = sent
  const isNew = driver_id !== before.driver_id
  const { route_open = isNew ? driver_id !== null : before.route_open === 1 } = sent
  if (driver_id === null) {
    if (route_open) throw badRequest('route_open: must be false without a driver')
    await unassignDriver(q, id)
  } else {
    if (isNew || route_open) await assignDriver(q, world, id, driver_id)
    if (!route_open) await closeRoute(q, id)
  }
  return (await shipmentById(q, id))!
}

/** Creates a shipment. Throws, in this order: 404 user, 400 site without Flex, 409, 400 contradictions. */
async function createWithDriver(q: Q, world: World, { seller_id, id, ...driverChange }: Static<typeof NewShipment>) {
  const seller = await userById(q, seller_id)
  if (!seller) throw userNotFound(seller_id)
  const { site_id } = seller
  return updateDriver(q, world, await createParcel(q, world, { site_id, seller_id, id }), driverChange)
}
const shipments: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/shipments',
    {
      config,
      schema: {
        summary: 'Create a shipment of a seller',
        body: NewShipment,
        response: { 201: Shipment, ...errorResponses(400, 404, 409, 413) },
      },
    },
    async ({ world, body }, reply) =>
      reply.code(201).send(present(await world.tx((q) => createWithDriver(q, world, body)))),
  )

  app.get(
    '/shipments',
    {
      config: viewable(config),
      schema: {
        summary: 'List the shipments of all sellers',
        querystring: ShipmentList,
        response: { 200: Page(Shipment, 'By id'), ...errorResponses(400, 404) },
      },
    },
    async ({ world, query: { seller_id, status, limit, offset } }) => {
      const { total, rows } = await listShipments(world.read, { seller_id, driver: status }, { limit, offset })
      return { paging: { total, limit, offset }, results: rows.map(present) }
    },
  )

  app.get(
    '/shipments/:id',
    {
      config: viewable(config),
      schema: {
        summary: 'Read a shipment',
        params: ShipmentParams,
        response: { 200: Shipment, ...errorResponses(404) },
      },
    },
    async ({ world, params: { id } }) => {
      const row = await shipmentById(world.read, id)
      if (!row) throw shipmentNotFound(id)
      return present(row)
    },
  )

  app.patch(
    '/shipments/:id',
    {
      config,
      schema: {
        summary: 'Assign or remove the driver of a shipment; open or close the route',
        description: 'A driver who starts the route publishes an event.',
        params: ShipmentParams,
        body: ShipmentChange,
        response: { 200: Shipment, ...errorResponses(400, 404, 413) },
      },
    },
    async ({ world, params: { id }, body }) =>
      world.tx(async (q) => {
        const row = await shipmentById(q, id)
        if (!row) throw shipmentNotFound(id)
        return present(await updateDriver(q, world, row, body))
      }),
  )
}
export default shipments
