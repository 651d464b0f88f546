import type { FastifyPluginAsync } from 'fastify'
import blacklist from './blacklist.ts'
import hidden from './hidden.ts'
import questions from './questions.ts'
import responseTime from './response_time.ts'

const plugin: FastifyPluginAsync = async (app) => {
  app.register(questions)
  app.register(hidden)
  app.register(blacklist)
  app.register(responseTime)
}
export default plugin
