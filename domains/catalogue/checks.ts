import { type CallChecks, defineChecks } from '../../http/errors/checks.ts'
import { exists } from '../shared/checks.ts'
import { SITES } from '../users/sites.ts'
import { leavesOf } from './categories.ts'

const CHECKS = defineChecks({
  site_exists: exists('sites.not_found', 'site_id', 'site', 'El sitio', 'O site'),
  category_exists: exists('catalogue.categories.not_found', 'category_id', 'category', 'La categoría', 'A categoria'),
  domain_exists: exists('catalogue.domains.not_found', 'domain_id', 'domain', 'El dominio', 'O domínio'),
})

const order = 'http.order'
export const OF_SITE: CallChecks = { order, checks: [CHECKS.site_exists], values: { site_id: () => SITES } }
export const OF_CATEGORY: CallChecks = {
  order,
  checks: [CHECKS.category_exists],
  values: { category_id: () => leavesOf('MLA').map(({ id }) => id) },
}
export const OF_DOMAIN: CallChecks = {
  order,
  checks: [CHECKS.domain_exists],
  values: {
    domain_id: () =>
      leavesOf('MLA')
        .flatMap(({ leaf }) => leaf!.domain ?? [])
        .map((one) => `MLA-${one}`),
  },
}
