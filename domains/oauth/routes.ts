import type { FastifyPluginAsync } from 'fastify'
import type { Worlds } from '../../db/worlds.ts'
import applications from './application_routes.ts'
import authorization from './authorization_routes.ts'
import token from './token_routes.ts'

const oauth: FastifyPluginAsync<{ worlds: Worlds }> = async (app, { worlds }) => {
  await token(app, { worlds })
  await authorization(app, { worlds })
  await applications(app, {})
}
export default oauth
