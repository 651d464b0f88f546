/** Why buyers complain, by id: what the API calls it, in Spanish and Portuguese. PNR: not received, PDD: not as expected. */
const REASONS = {
  PNR9501: ['undelivered_item', 'El producto no llegó', 'O produto não chegou'],
  PNR9502: ['delayed_delivery', 'La entrega está demorada', 'A entrega está atrasada'],
  PDD9939: ['repentant_buyer', 'Llegó bien, pero no lo quiere', 'Chegou bem, mas não quer mais'],
  PDD9941: ['broken_item', 'Llegó roto o dañado', 'Chegou quebrado ou danificado'],
  PDD9942: ['missing_parts', 'Faltan partes o accesorios', 'Faltam partes ou acessórios'],
  PDD9943: ['different_item', 'Es diferente a lo publicado', 'É diferente do anunciado'],
  PDD9944: ['defective_item', 'No funciona bien', 'Não funciona bem'],
} as const
type ReasonId = keyof typeof REASONS
export const REASON_IDS = Object.keys(REASONS) as ReasonId[]

export const isReason = (id: string): id is ReasonId => Object.hasOwn(REASONS, id)
/** Whether the buyer has got the product. */
export const isDelivered = (id: string): boolean => id.startsWith('PDD')
export const isRepentance = (id: string): boolean => id === 'PDD9939'

/** What a reason says in the language of a site. */
export const detailOf = (id: ReasonId, site_id: string): string => REASONS[id][site_id === 'MLB' ? 2 : 1]

/** The answer of `GET …/reasons/{id}`; Spanish, as it is of no site. */
export const presentReason = (id: ReasonId) => ({
  id: id as string,
  flow: isDelivered(id) ? 'post_purchase_delivered' : 'post_purchase_not_delivered',
  name: REASONS[id][0],
  detail: REASONS[id][1],
  position: REASON_IDS.indexOf(id) + 1,
  filter: { group: ['generic'] },
  settings: { allowed_flows: isDelivered(id) ? ['mediations', 'return'] : ['mediations'] },
  parent_id: null,
  children_title: null,
  status: 'active',
})
