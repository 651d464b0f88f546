import { type CallChecks, defineChecks } from '../../http/errors/checks.ts'
import { CURRENCIES } from './currencies.ts'

const CHECKS = defineChecks({
  currency_exists: ['currencies.not_found', 'The currency exists', 'La moneda existe', 'A moeda existe', 'id'],
})

export const READ_CURRENCY: CallChecks = {
  order: 'http.order',
  checks: [CHECKS.currency_exists],
  values: { id: () => CURRENCIES.map(({ id }) => id) },
}
