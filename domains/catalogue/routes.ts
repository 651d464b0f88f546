import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import categories from './category_routes.ts'

const catalogue: FastifyPluginAsyncTypebox = async (app) => {
  await categories(app, {})
}
export default catalogue
