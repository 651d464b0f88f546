import type { FastifyPluginAsync } from 'fastify'
import shipments from './shipments.ts'
import subscriptions from './subscriptions.ts'

const flex: FastifyPluginAsync = async (app) => {
  app.register(subscriptions)
  app.register(shipments)
}
export default flex
