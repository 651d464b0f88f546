import type { FastifyPluginAsync } from 'fastify'
import categories from './category_routes.ts'
import listingTypes from './listing_types.ts'
import locations from './locations.ts'
import performances from './performance.ts'
import products from './products.ts'
import settings from './settings.ts'

const catalogue: FastifyPluginAsync = async (app) => {
  for (const part of [categories, listingTypes, products, performances, settings, locations]) await part(app, {})
}
export default catalogue
