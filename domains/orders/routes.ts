import type { FastifyPluginAsync } from 'fastify'
import orders from './order_routes.ts'
import payments from './payment_routes.ts'

const plugin: FastifyPluginAsync = async (app) => {
  await orders(app, {})
  await payments(app, {})
}
export default plugin
