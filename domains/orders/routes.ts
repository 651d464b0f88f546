import type { FastifyPluginAsync } from 'fastify'
import billing from './billing_routes.ts'
import blacklist from './blacklist_routes.ts'
import feedback from './feedback_routes.ts'
import notes from './note_routes.ts'
import orders from './order_routes.ts'
import others from './other_routes.ts'
import payments from './payment_routes.ts'

const plugin: FastifyPluginAsync = async (app) => {
  for (const routes of [orders, payments, billing, feedback, notes, blacklist, others]) await routes(app, {})
}
export default plugin
