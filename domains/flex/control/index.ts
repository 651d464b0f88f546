import type { FastifyPluginAsync } from 'fastify'
import configuration from './configuration.ts'
import items from './items.ts'
import shipments from './shipments.ts'
import subscriptions from './subscriptions.ts'

const flex: FastifyPluginAsync = async (app) => {
  app.register(subscriptions)
  app.register(configuration)
  app.register(items)
  app.register(shipments)
}
export default flex
