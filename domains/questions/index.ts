import type { FastifyPluginAsync } from 'fastify'
import blacklist from './blacklist.ts'
import hidden from './hidden.ts'
import questions from './questions.ts'
import responseTime from './response_time.ts'
import searches from './searches.ts'

const plugin: FastifyPluginAsync = async (app) => {
  app.register(searches)
  app.register(questions)
  app.register(hidden)
  app.register(blacklist)
  app.register(responseTime)
}
export default plugin
