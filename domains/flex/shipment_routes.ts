import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '../shared/schemas.ts'
import { READ_ASSIGNMENT } from './checks.ts'
import { shipmentNotFound } from './errors.ts'
import { shipmentById } from './queries.ts'
import { Assignment, Assignments, ShipmentParams } from './schemas.ts'

const shipments: FastifyPluginAsyncTypebox = async (app) => {
  for (const version of ['v1', 'v2'])
    app.get(
      `/flex/sites/:site_id/shipments/:shipment_id/assignment/${version}`,
      {
        config: { resource: Assignments, access: 'token', checks: READ_ASSIGNMENT },
        schema: {
          summary: version === 'v1' ? 'Read who carries a shipment' : 'Read who carries a shipment (newer)',
          description: 'Only while its driver is on the way, and only to its seller.',
          params: ShipmentParams,
          response: { 200: Assignment, ...errorResponses(400, 401, 404) },
        },
      },
      async ({ world, caller, params: { site_id, shipment_id } }) => {
        const shipment = await shipmentById(world.read, shipment_id)
        const isOwn = shipment?.site_id === site_id && shipment.seller_id === caller.user_id
        if (!isOwn || shipment.driver_id === null || !shipment.route_open) throw shipmentNotFound()
        return { driver_id: shipment.driver_id }
      },
    )
}
export default shipments
