import { assumed } from '../../http/assumptions.ts'
import { type Domain, WITHOUT_ROWS } from '../domain.ts'

export const currencies: Domain = {
  ...WITHOUT_ROWS,
  name: 'currencies',
  uses: {},
  routes: () => import('./routes.ts'),
  paths: ['currencies', 'currency_conversions'],
  assumptions: {
    'currencies.conversion': assumed('Rates between currencies', 'constants'),
    'currencies.not_found': assumed('Message for an unknown currency', 'Currency with id {id} not found'),
  },
}
