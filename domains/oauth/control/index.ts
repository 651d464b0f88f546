import type { FastifyPluginAsync } from 'fastify'
import type { Worlds } from '../../../db/worlds.ts'
import applications from './applications.ts'
import tokens from './tokens.ts'

const oauth: FastifyPluginAsync<{ worlds: Worlds }> = async (app, { worlds }) => {
  await applications(app, { worlds })
  await tokens(app, {})
}
export default oauth
