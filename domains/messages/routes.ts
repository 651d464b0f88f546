import type { FastifyPluginAsync } from 'fastify'
import attachments from './attachment_routes.ts'
import conversations from './conversation_routes.ts'
import guide from './guide_routes.ts'

const plugin: FastifyPluginAsync = async (app) => {
  await conversations(app, {})
  await attachments(app, {})
  await guide(app, {})
}
export default plugin
