import { routesOf } from '../shared/routes.ts'
import categories from './category_routes.ts'
import listingTypes from './listing_types.ts'
import locations from './locations.ts'
import performances from './performance.ts'
import products from './products.ts'
import settings from './settings.ts'

export default routesOf(categories, listingTypes, products, performances, settings, locations)
