import { type CallChecks, defineChecks } from '../../http/errors/checks.ts'
import { ALL_SITES } from './sites.ts'

const CHECKS = defineChecks({
  site_exists: ['sites.not_found', 'The site exists', 'El sitio existe', 'O site existe', 'id'],
})

export const READ_SITE: CallChecks = {
  order: 'http.order',
  checks: [CHECKS.site_exists],
  values: { id: () => ALL_SITES.map(({ id }) => id) },
}
