import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import categories from './category_routes.ts'
import listingTypes from './listing_types.ts'

const catalogue: FastifyPluginAsyncTypebox = async (app) => {
  await categories(app, {})
  await listingTypes(app, {})
}
export default catalogue
