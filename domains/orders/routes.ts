import type { FastifyPluginAsync } from 'fastify'
import afterSale from './after_sale_routes.ts'
import orders from './order_routes.ts'
import payments from './payment_routes.ts'

const plugin: FastifyPluginAsync = async (app) => {
  await orders(app, {})
  await payments(app, {})
  await afterSale(app, {})
}
export default plugin
