import type { FastifyPluginAsync } from 'fastify'
import configuration from './configuration.ts'
import items from './items.ts'
import subscriptions from './subscriptions.ts'

const flex: FastifyPluginAsync = async (app) => {
  await subscriptions(app, {})
  await configuration(app, {})
  await items(app, {})
}
export default flex
