import { assumed } from '../../http/assumptions.ts'
import { type Domain, WITHOUT_ROWS } from '../domain.ts'
import routes from './routes.ts'

export const currencies: Domain = {
  ...WITHOUT_ROWS,
  name: 'currencies',
  uses: {},
  routes,
  paths: ['currencies', 'currency_conversions'],
  assumptions: {
    'currencies.conversion': assumed('Rates between currencies', 'constants'),
    'currencies.not_found': assumed('Message for an unknown currency', 'Currency with id {id} not found'),
  },
}
