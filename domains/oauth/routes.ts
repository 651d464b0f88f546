import type { FastifyPluginAsync } from 'fastify'
import type { Worlds } from '../../db/worlds.ts'
import authorization from './authorization_routes.ts'
import token from './token_routes.ts'

const oauth: FastifyPluginAsync<{ worlds: Worlds }> = async (app, { worlds }) => {
  app.register(token, { worlds })
  app.register(authorization, { worlds })
}
export default oauth
