import { type Assumptions, assumed, observed } from '../../http/assumptions.ts'
import { HEALTH_API } from './performance.ts'

export const CATALOGUE: Assumptions = {
  'catalogue.auth': assumed('Whether categories, listing types and their prices need a token', 'no'),
  'catalogue.ids': assumed('Which categories exist', 'nine kinds of products with 26 leaves, and Others'),
  'catalogue.categories.not_found': assumed('Answer for an unknown category or domain', '404 not_found'),
  'catalogue.attributes': assumed('Attributes of a category', '8 to 12 of a leaf, none of a root'),
  'catalogue.discovery': assumed(
    'How a text finds a category',
    'by the share of its words that the name of the category or a title of a listing has',
    [{ route: 'GET /sites/:site_id/domain_discovery/search' }],
  ),
  'catalogue.predictor': assumed('Prediction for a title that fits no category', 'Others, with probability 0', [
    { route: 'GET /sites/:site_id/category_predictor/predict' },
  ]),
  'catalogue.listing_types': assumed('Which listing types a seller may use', 'all, without limit'),
  'catalogue.listing_types.not_found': assumed('Answer for an unknown listing type', '404 not_found'),
  'catalogue.listing_prices': assumed(
    'What listings and sales cost',
    'listings nothing, sales as orders have it; quantity, weight and shipping have no effect; 60 days',
  ),
  'catalogue.products': assumed(
    'Products of the catalogue, and who wins',
    'what their listings say; the cheapest active listing of the catalogue',
  ),
  'catalogue.performance': assumed(
    'How complete a listing is',
    'the mean of pictures (of 3), attributes (of 4) and title (of 20 characters)',
  ),
  [HEALTH_API.name]: observed('Whether the older paths of health answer', HEALTH_API),
  'catalogue.addresses': assumed('Addresses and shipping preferences of a seller', 'one address, ME2 by drop_off'),
  'catalogue.locations': assumed('Which places exist', 'states of the demo; cities and postal codes of the users'),
}
