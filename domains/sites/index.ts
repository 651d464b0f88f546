import { assumed } from '../../http/assumptions.ts'
import { type Domain, WITHOUT_ROWS } from '../domain.ts'
import routes from './routes.ts'

export const sites: Domain = {
  ...WITHOUT_ROWS,
  name: 'sites',
  uses: { reads: ['users'] },
  routes,
  paths: ['sites'],
  assumptions: {
    'sites.not_found': assumed('What is said of an unknown site', 'Site with id {id} not found'),
  },
}
