import { type Domain, WITHOUT_ROWS } from '../domain.ts'
import { CATALOGUE } from './assumptions.ts'

export const catalogue: Domain = {
  ...WITHOUT_ROWS,
  name: 'catalogue',
  uses: { reads: ['currencies', 'items', 'users'] },
  routes: () => import('./routes.ts'),
  paths: [
    'categories',
    'catalog_domains',
    'domains',
    'products',
    'item',
    'classified_locations',
    'countries',
    'items/*/health',
    'items/*/price_to_win',
    'sites/*/categories',
    'sites/*/category_predictor',
    'sites/*/domain_discovery',
    'sites/*/health_levels',
    'sites/*/listing_prices',
    'sites/*/listing_types',
    'users/*/addresses',
    'users/*/available_listing_type',
    'users/*/available_listing_types',
    'users/*/shipping_preferences',
  ],
  assumptions: CATALOGUE,
}
