import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from '@sinclair/typebox'
import type { Q } from '../../../db/engine.ts'
import type { World } from '../../../db/world.ts'
import { badRequest } from '../../../http/errors/control_errors.ts'
import { Page, viewable } from '../../shared/control_schemas.ts'
import { userNotFound } from '../../shared/errors.ts'
import { errorResponses } from '../../shared/schemas.ts'
import { userById } from '../../users/queries.ts'
import { FLEX_SITES } from '../areas/index.ts'
import { shipmentNotFound } from '../errors.ts'
import { listShipments, type ShipmentRow, shipmentById } from '../queries.ts'
import { assignDriver, closeRoute, createShipment, unassignDriver } from '../shipment_operations.ts'
import { config } from './config.ts'
import {
  type DriverChange,
  NewShipment,
  present,
  Shipment,
  ShipmentChange,
  ShipmentList,
  ShipmentParams,
} from './shipment_schemas.ts'

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
  if (!FLEX_SITES.some((site) => site === site_id)) throw badRequest(`seller_id: there is no Flex on ${site_id}`)
  return updateDriver(q, world, await createShipment(q, world, { site_id, seller_id, id }), driverChange)
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
      const { total, rows } = await listShipments(world.read, { seller_id, status }, { limit, offset })
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
      if (!row) throw shipmentNotFound()
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
        if (!row) throw shipmentNotFound()
        return present(await updateDriver(q, world, row, body))
      }),
  )
}
export default shipments
