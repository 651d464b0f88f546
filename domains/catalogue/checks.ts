import { type CallChecks, type Check, defineChecks, ownUser } from '../../http/errors/checks.ts'
import { LISTING_TYPES } from '../items/details.ts'
import { exists, USER_EXISTS } from '../shared/checks.ts'
import { SITES } from '../users/sites.ts'
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
