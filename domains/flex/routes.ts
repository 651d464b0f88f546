import type { FastifyPluginAsync } from 'fastify'
import configuration from './configuration_routes.ts'
import items from './item_routes.ts'
import shipments from './shipment_routes.ts'
import subscriptions from './subscription_routes.ts'
import updates from './update_routes.ts'

const flex: FastifyPluginAsync = async (app) => {
  for (const part of [subscriptions, configuration, updates, items, shipments]) app.register(part)
}
export default flex
