import { assumed } from '../../http/assumptions.ts'
import { type Domain, WITHOUT_ROWS } from '../domain.ts'

export const sites: Domain = {
  ...WITHOUT_ROWS,
  name: 'sites',
  uses: { reads: ['users'] },
  routes: () => import('./routes.ts'),
  paths: ['sites'],
  assumptions: {
    'sites.not_found': assumed('What is said of an unknown site', 'Site with id {id} not found'),
  },
}
