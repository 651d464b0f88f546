import type { FastifyPluginAsync } from 'fastify'
import billing from './billing_routes.ts'
import blacklist from './blacklist_routes.ts'
import feedback from './feedback_routes.ts'
import notes from './note_routes.ts'
import others from './other_routes.ts'

/** Billing data, feedback, notes and the block list. */
const afterSale: FastifyPluginAsync = async (app) => {
  await app.register(billing)
  await app.register(feedback)
  await app.register(notes)
  await app.register(blacklist)
  await app.register(others)
}
export default afterSale
