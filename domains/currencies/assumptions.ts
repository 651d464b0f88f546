import { type Assumptions, assumed } from '../../http/assumptions.ts'

export const CURRENCIES: Assumptions = {
  'currencies.conversion': assumed('Rates between currencies', 'constants'),
  'currencies.not_found': assumed('Message for an unknown currency', 'Currency with id {id} not found'),
}
