import { type CallContext, type CheckRow, defineChecks, type Texts } from '../../http/errors/checks.ts'
import type { RuleId } from '../../http/rules.ts'

/** Check rows of a resource: its name in English, Spanish and Portuguese, there with their articles. */
export const exists = (rule: RuleId, field: string, { en, es, pt }: Texts): CheckRow => [
  rule,
  `The ${en} exists`,
  `${es} existe`,
  `${pt} existe`,
  field,
]
export const isParty = (rule: RuleId, field: string, { en, es, pt }: Texts): CheckRow => [
  rule,
  `The caller is the seller or the buyer of the ${en}`,
  `Quien llama es el vendedor o el comprador ${es}`,
  `Quem chama é o vendedor ou o comprador ${pt}`,
  field,
]
export const isSeller = (rule: RuleId, field: string, { en, es, pt }: Texts): CheckRow => [
  rule,
  `The caller is the seller of the ${en}`,
  `Quien llama es el vendedor ${es}`,
  `Quem chama é o vendedor ${pt}`,
  field,
]
/** Of a search that answers 400 without a filter. */
export const hasFilter = (rule: RuleId): CheckRow => [
  rule,
  'The search has a filter',
  'La búsqueda tiene un filtro',
  'A busca tem um filtro',
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
/** Of a search with `search_type=scan`; its rules begin with `search`. */
export const scanChecks = (search: 'items.search' | 'questions.search') =>
  ({
    scan_offset: [
      `${search}.scan_offset`,
      'offset is not sent together with scroll_id',
      'offset no se envía junto con scroll_id',
      'offset não é enviado junto com scroll_id',
      'offset',
    ],
    depth: [
      `${search}.paging`,
      'offset + limit is at most 1000, or the search is a scan',
      'offset + limit es como máximo 1000, o la búsqueda es un scan',
      'offset + limit é no máximo 1000, ou a busca é um scan',
      'offset',
    ],
    scroll_id: [
      `${search}.scroll_id`,
      'scroll_id is of a search of the caller, and not older than five minutes',
      'scroll_id es de una búsqueda de quien llama, y tiene como máximo cinco minutos',
      'scroll_id é de uma busca de quem chama, e tem no máximo cinco minutos',
      'scroll_id',
    ],
  }) satisfies Record<string, CheckRow>

/** The `callers` of calls of a sale: its seller and its buyer. `find`: reads what the call names. */
export const partiesOf =
  (find: (context: CallContext) => Promise<{ seller_id: number; buyer_id: number | null } | undefined>) =>
  async (context: CallContext): Promise<number[]> => {
    const { seller_id = null, buyer_id = null } = (await find(context)) ?? {}
    return [seller_id, buyer_id].filter((id) => id !== null)
  }

/** Checks of several domains. */
export const {
  user_exists: USER_EXISTS,
  users_exist: USERS_EXIST,
  listing_exists: LISTING_EXISTS,
  own_listing: OWN_LISTING,
  own_user: OWN_USER_DATA,
} = defineChecks({
  user_exists: exists('users.not_found', 'user_id', { en: 'user', es: 'El usuario', pt: 'O usuário' }),
  users_exist: ['users.not_found', 'The users exist', 'Los usuarios existen', 'Os usuários existem'],
  listing_exists: exists('items.not_found', 'item_id', { en: 'listing', es: 'La publicación', pt: 'O anúncio' }),
  own_listing: [
    'http.errors.foreign_data',
    'The listing is one of the caller',
    'La publicación es de quien llama',
    'O anúncio é de quem chama',
    'item_id',
  ],
  own_user: isCaller('http.errors.foreign_data'),
})
