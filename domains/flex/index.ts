import type { FastifyPluginAsync } from 'fastify'
import configuration from './configuration.ts'
import items from './items.ts'
import shipments from './shipments.ts'
import subscriptions from './subscriptions.ts'
import updates from './updates.ts'

const flex: FastifyPluginAsync = async (app) => {
  for (const part of [subscriptions, configuration, updates, items, shipments]) app.register(part)
}
export default flex
