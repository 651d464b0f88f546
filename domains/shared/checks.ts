import { type CheckRow, defineChecks } from '../../http/errors/checks.ts'
import type { RuleId } from '../../http/rules.ts'

/** Check rows of a resource: its name in English, Spanish and Portuguese, there with their articles. */
export const exists = (rule: RuleId, field: string, en: string, es: string, pt: string): CheckRow => [
  rule,
  `The ${en} exists`,
  `${es} existe`,
  `${pt} existe`,
  field,
]
export const isParty = (rule: RuleId, field: string, en: string, es: string, pt: string): CheckRow => [
  rule,
  `The caller is the seller or the buyer of the ${en}`,
  `Quien llama es el vendedor o el comprador ${es}`,
  `Quem chama é o vendedor ou o comprador ${pt}`,
  field,
]

/** Checks of several domains. */
export const {
  user_exists: USER_EXISTS,
  listing_exists: LISTING_EXISTS,
  own_listing: OWN_LISTING,
} = defineChecks({
  user_exists: ['users.not_found', 'The user exists', 'El usuario existe', 'O usuário existe', 'user_id'],
  listing_exists: ['items.not_found', 'The listing exists', 'La publicación existe', 'O anúncio existe', 'item_id'],
  own_listing: [
    'http.errors.foreign_data',
    'The listing is one of the caller',
    'La publicación es de quien llama',
    'O anúncio é de quem chama',
    'item_id',
  ],
})
