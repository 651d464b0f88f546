import { type CallChecks, type Check, defineChecks, ownUser } from '../../http/errors/checks.ts'
import { listItems } from '../items/queries.ts'
import { LISTING_TYPES } from '../items/tables.ts'
import { exists, LISTING_EXISTS, OWN_LISTING, USER_EXISTS } from '../shared/checks.ts'
import { SITES, statesOf } from '../users/sites.ts'
import { leavesOf } from './categories.ts'

const CHECKS = defineChecks({
  site: exists('sites.not_found', 'site_id', 'site', 'El sitio', 'O site'),
  category: exists('catalogue.categories.not_found', 'category_id', 'category', 'La categoría', 'A categoria'),
  domain: exists('catalogue.domains.not_found', 'domain_id', 'domain', 'El dominio', 'O domínio'),
  listing_type: exists(
    'catalogue.listing_types.not_found',
    'listing_type_id',
    'listing type',
    'El tipo de publicación',
    'O tipo de anúncio',
  ),
  product: exists('catalogue.products.not_found', 'product_id', 'product', 'El producto', 'O produto'),
  country: exists('catalogue.locations.not_found', 'country_id', 'country', 'El país', 'O país'),
  state: exists('catalogue.locations.not_found', 'state_id', 'state', 'El estado', 'O estado'),
  city: exists('catalogue.locations.not_found', 'city_id', 'city', 'La ciudad', 'A cidade'),
  zip_code: exists('catalogue.locations.not_found', 'zip_code', 'postal code', 'El código postal', 'O CEP'),
  catalogue_listing: [
    'catalogue.price_to_win.not_found',
    'The listing is one of the catalogue',
    'La publicación es de catálogo',
    'O anúncio é de catálogo',
    'item_id',
  ],
  searched: [
    'catalogue.products.search',
    'q or product_identifier is sent',
    'Se envía q o product_identifier',
    'q ou product_identifier é enviado',
    'q',
  ],
  health_open: [
    'catalogue.health',
    'The older paths of health are open in this world',
    'Las rutas antiguas de salud están abiertas en este mundo',
    'Os caminhos antigos de saúde estão abertos neste mundo',
  ],
  own_user: [
    'http.errors.foreign_data',
    'The user is the caller',
    'El usuario es quien llama',
    'O usuário é quem chama',
    'user_id',
  ],
})

const leaves = () => leavesOf('MLA')
const VALUES: CallChecks['values'] = {
  site_id: () => SITES,
  category_id: () => leaves().map(({ id }) => id),
  domain_id: () => leaves().flatMap(({ leaf }) => (leaf!.domain ? [`MLA-${leaf!.domain}`] : [])),
  listing_type_id: () => LISTING_TYPES,
  user_id: ownUser,
  country_id: () => ['AR', 'BR'],
  state_id: () => statesOf('AR').map(({ id }) => id),
  item_id: async ({ q, caller }) =>
    caller
      ? (await listItems(q, { seller_id: caller.user_id }, { limit: 20, offset: 0 })).rows.map(({ id }) => id)
      : [],
}
const inOrder = (...checks: Check[]): CallChecks => ({ order: 'http.order', checks, values: VALUES! })

export const OF_SITE = inOrder(CHECKS.site)
export const OF_CATEGORY = inOrder(CHECKS.category)
export const OF_DOMAIN = inOrder(CHECKS.domain)
export const OF_LISTING_TYPE = inOrder(CHECKS.site, CHECKS.listing_type)
export const OF_PRICES = inOrder(CHECKS.site, CHECKS.category)
export const OF_OWN_USER = inOrder(USER_EXISTS, CHECKS.own_user)
export const OF_AVAILABLE_TYPES = inOrder(USER_EXISTS, CHECKS.own_user, CHECKS.category)
export const OF_AVAILABLE_TYPE = inOrder(USER_EXISTS, CHECKS.own_user, CHECKS.listing_type)
export const OF_PRODUCTS = inOrder(CHECKS.searched, CHECKS.site)
export const OF_PRODUCT = inOrder(CHECKS.product)
export const OF_OWN_ITEM = inOrder(LISTING_EXISTS, OWN_LISTING)
export const OF_CATALOGUE_LISTING = inOrder(LISTING_EXISTS, OWN_LISTING, CHECKS.catalogue_listing)
export const OF_HEALTH = inOrder(CHECKS.health_open, LISTING_EXISTS, OWN_LISTING)
export const OF_HEALTH_LEVELS = inOrder(CHECKS.health_open, CHECKS.site)
export const OF_COUNTRY = inOrder(CHECKS.country)
export const OF_STATE = inOrder(CHECKS.state)
export const OF_CITY = inOrder(CHECKS.city)
export const OF_ZIP_CODE = inOrder(CHECKS.country, CHECKS.zip_code)
