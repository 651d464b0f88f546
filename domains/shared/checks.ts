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
export const isCaller = (rule: RuleId): CheckRow => [
  rule,
  'The user is the caller',
  'El usuario es quien llama',
  'O usuário é quem chama',
  'user_id',
]
export const isActiveListing = (rule: RuleId): CheckRow => [
  rule,
  'The listing is active',
  'La publicación está activa',
  'O anúncio está ativo',
  'item_id',
]
/** Of a list of blocked buyers. */
export const isOwnList = (rule: RuleId): CheckRow => [
  rule,
  'The list is that of the caller',
  'La lista es de quien llama',
  'A lista é de quem chama',
  'seller_id',
]
export const isScanOrOffset = (rule: RuleId): CheckRow => [
  rule,
  'offset is not sent together with scroll_id',
  'offset no se envía junto con scroll_id',
  'offset não é enviado junto com scroll_id',
  'offset',
]

/** Checks of several domains. */
export const {
  user_exists: USER_EXISTS,
  users_exist: USERS_EXIST,
  listing_exists: LISTING_EXISTS,
  own_listing: OWN_LISTING,
} = defineChecks({
  user_exists: exists('users.not_found', 'user_id', 'user', 'El usuario', 'O usuário'),
  users_exist: ['users.not_found', 'The users exist', 'Los usuarios existen', 'Os usuários existem'],
  listing_exists: exists('items.not_found', 'item_id', 'listing', 'La publicación', 'O anúncio'),
  own_listing: [
    'http.errors.foreign_data',
    'The listing is one of the caller',
    'La publicación es de quien llama',
    'O anúncio é de quem chama',
    'item_id',
  ],
})
