import type { FastifyPluginAsync } from 'fastify'
import blacklist from './blacklist_routes.ts'
import hidden from './hidden_routes.ts'
import questions from './question_routes.ts'
import responseTime from './response_time_routes.ts'
import searches from './search_routes.ts'

const plugin: FastifyPluginAsync = async (app) => {
  app.register(searches)
  app.register(questions)
  app.register(hidden)
  app.register(blacklist)
  app.register(responseTime)
}
export default plugin
