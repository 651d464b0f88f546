import { type Assumptions, assumed } from '../../http/assumptions.ts'

export const CURRENCIES: Assumptions = {
  'currencies.not_found': assumed('What is said of an unknown currency', 'Currency with id {id} not found'),
}
