import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { NO_CHECKS } from '../../http/errors/checks.ts'
import { ownOrder } from '../orders/queries.ts'
import { OrderParams } from '../orders/schemas.ts'
import { routesOf } from '../shared/routes.ts'
import { errorResponses } from '../shared/schemas.ts'
import { READ_SHIPMENT, READ_SHIPMENT_OF_ORDER } from './checks.ts'
import { noShipmentOfOrder } from './errors.ts'
import labels from './label_routes.ts'
import options from './option_routes.ts'
import { presentNewer, presentShipment } from './present.ts'
import { shipmentById } from './queries.ts'
import { EitherShipment, FormatHeader, Shipment, ShipmentParams, Shipments } from './schemas.ts'
import sellerRoutes from './seller_routes.ts'
import { SHIPMENT_STATUSES } from './states.ts'
import subRoutes from './sub_routes.ts'
import { Statuses } from './sub_schemas.ts'
import { ownShipment, viewOf } from './view.ts'

const single: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/shipments/:shipment_id',
    {
      config: { resource: Shipments, access: 'token', checks: READ_SHIPMENT },
      schema: {
        operationId: 'readShipment',
        summary: 'Read one shipment',
        description: 'For its sender and its receiver. With `x-format-new: true` in the newer form.',
        params: ShipmentParams,
        headers: FormatHeader,
        response: { 200: EitherShipment, ...errorResponses(401, 403, 404) },
      },
    },
    async ({ world, caller, params: { shipment_id }, headers }) => {
      const view = await viewOf(world.read, world, await ownShipment(world.read, caller.user_id, shipment_id))
      return headers['x-format-new']?.toLowerCase() === 'true' ? presentNewer(view) : presentShipment(view)
    },
  )

  app.get(
    '/orders/:order_id/shipments',
    {
      config: { resource: { ...Shipments, id: 'order_id' }, access: 'token', checks: READ_SHIPMENT_OF_ORDER },
      schema: {
        operationId: 'readShipmentOfOrder',
        summary: 'Read the shipment of an order',
        description: 'In the older form; with `list=true` or `list_all=true` as a list.',
        params: OrderParams,
        querystring: Type.Object({
          list: Type.Optional(Type.String({ description: '`true`: a list', examples: ['true'] })),
          list_all: Type.Optional(Type.String({ description: '`true`: a list', examples: ['true'] })),
        }),
        response: {
          200: Type.Union([Shipment, Type.Array(Shipment)], { description: 'The shipment, or a list with it' }),
          ...errorResponses(400, 401, 403, 404),
        },
      },
    },
    async ({ world, caller, params: { order_id }, query: { list, list_all } }) => {
      const { shipment_id } = await ownOrder(world.read, world, caller.user_id, order_id)
      const row = shipment_id === null ? undefined : await shipmentById(world.read, shipment_id)
      if (!row) throw noShipmentOfOrder(order_id)
      const shipment = presentShipment(await viewOf(world.read, world, row))
      return list === 'true' || list_all === 'true' ? [shipment] : shipment
    },
  )

  app.get(
    '/shipment_statuses',
    {
      config: { resource: { ...Shipments, id: '' }, access: 'token', checks: NO_CHECKS },
      schema: {
        operationId: 'listShipmentStatuses',
        summary: 'List the states of shipments',
        response: { 200: Statuses, ...errorResponses(401) },
      },
    },
    async () => SHIPMENT_STATUSES,
  )
}

export default routesOf(single, subRoutes, sellerRoutes, labels, options)
