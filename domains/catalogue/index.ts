import { type Domain, WITHOUT_ROWS } from '../domain.ts'
import { routesOf } from '../shared/routes.ts'
import { CATALOGUE } from './assumptions.ts'
import categories from './category_routes.ts'
import listingTypes from './listing_types.ts'
import locations from './locations.ts'
import performances from './performance.ts'
import products from './products.ts'
import settings from './settings.ts'

export const catalogue: Domain = {
  ...WITHOUT_ROWS,
  name: 'catalogue',
  uses: { reads: ['currencies', 'items', 'users'] },
  routes: routesOf(categories, listingTypes, products, performances, settings, locations),
  assumptions: CATALOGUE,
}
