import type { FastifyPluginAsync } from 'fastify'
import type { Worlds } from '../../db/worlds.ts'
import { createErrorHandler, type OnFault } from '../../http/error_handler.ts'
import authorization from './authorization_routes.ts'
import { oauthBody } from './errors.ts'
import token from './token_routes.ts'

const oauth: FastifyPluginAsync<{ worlds: Worlds; onFault: OnFault }> = async (app, { worlds, onFault }) => {
  app.setErrorHandler(createErrorHandler(onFault, { toBody: oauthBody }))
  app.register(token, { worlds })
  app.register(authorization, { worlds })
}
export default oauth
