import { Type } from '@sinclair/typebox'
import { type CallChecks, defineChecks, ownUser } from '../../http/errors/checks.ts'
import { forbidden, notFound } from '../../http/errors/errors.ts'
import { LEAVES, ROOTS } from '../items/categories.ts'
import { detailsOf } from '../items/details.ts'
import { type ItemRow, itemById, ownListingIds } from '../items/queries.ts'
import { ordersOfPurchase } from '../orders/queries.ts'
import { exists, isSeller, LISTING_EXISTS, OWN_LISTING, OWN_USER_DATA } from '../shared/checks.ts'
import { itemNotFound, notOwnedPack, packNotFound } from '../shared/errors.ts'
import { type About, ofCategory, ofSite, type Read } from '../shared/reads.ts'
import { IdInPath, ItemIdInPath, UserIdInPath } from '../shared/schemas.ts'
import { type UserRow, userById } from '../users/queries.ts'
import { isSite, SITES, type SiteId } from '../users/sites.ts'

// What an answer without state is about: the things that its path names must be those of the world.

export interface Subject {
  /** The caller. */
  user: UserRow
  item: ItemRow
  site_id: SiteId
  category_id: string
  page: { limit: number; offset: number }
  /** The hour of the world, ms. */
  hour: number
}

type Kind = About<Partial<Subject>>

export const absent = () => notFound('fallback.absent', 'Not found')
export const refused = () => forbidden('fallback.refused')
const foreign = () => forbidden('http.errors.foreign_data')

export const CHECKS = defineChecks({
  pack: exists('packs.not_found', 'pack_id', { en: 'pack', es: 'El carrito', pt: 'O carrinho' }),
  own_pack: isSeller('packs.not_owned', 'pack_id', { en: 'pack', es: 'del carrito', pt: 'do carrinho' }),
  file: [
    'fallback.fiscal_documents.file',
    'A part of the body is a file',
    'Una parte del cuerpo es un archivo',
    'Uma parte do corpo é um arquivo',
  ],
  absent: [
    'fallback.absent',
    'There is such a thing: in this sandbox there is none',
    'Existe tal cosa: en este sandbox no hay ninguna',
    'Existe tal coisa: neste sandbox não há nenhuma',
  ],
  refused: [
    'fallback.refused',
    'The account sells globally: those of this sandbox do not',
    'La cuenta vende globalmente: las de este sandbox no',
    'A conta vende globalmente: as deste sandbox não',
  ],
})

/**
 * A listing of the caller. `MLAU1400000001` is the product of `MLA1400000001`, and only what the marketplace stores has an
 * inventory [spec: items.constants].
 */
const ofListing = (name: string, { letter = '', example = 1400000001, isOwn = true, isStored = false } = {}): Kind => ({
  checks: [LISTING_EXISTS, ...(isOwn ? [OWN_LISTING] : [])],
  params: {
    [name]: letter
      ? Type.String({ description: 'Its id in the listing', examples: [`MLA${letter}${example}`] })
      : ItemIdInPath(itemNotFound),
  },
  async find({ world, caller, params }) {
    const id = params[name].replace(letter, '')
    const item = await itemById(world.read, id)
    if (!item) throw itemNotFound(id)
    if (isOwn && item.seller_id !== caller.user_id) throw foreign()
    if (isStored && detailsOf(item).shipping?.logistic_type !== 'fulfillment') throw itemNotFound(id)
    return { item }
  },
})

/** What a parameter of a path names, in calls about the caller. */
export const OWN: Record<string, Kind> = {
  user_id: {
    checks: [OWN_USER_DATA],
    params: { user_id: UserIdInPath(foreign) },
    find({ caller, params: { user_id } }) {
      if (Number(user_id) !== caller.user_id) throw foreign()
      return {}
    },
  },
  item_id: ofListing('item_id'),
  user_product_id: ofListing('user_product_id', { letter: 'U' }),
  inventory_id: ofListing('inventory_id', { letter: 'I', example: 1400000013, isStored: true }),
  site_id: ofSite((site_id) => (isSite(site_id) ? { site_id } : undefined)),
  category_id: ofCategory((id, { params: { site_id = '' } }) => {
    const number = id.startsWith(site_id) ? id.slice(site_id.length) : ''
    return Object.hasOwn(LEAVES, number) || Object.hasOwn(ROOTS, number) ? { category_id: id } : undefined
  }),
  pack_id: {
    checks: [CHECKS.pack, CHECKS.own_pack],
    params: { pack_id: IdInPath('Pack, or order without one', 2000005000000001, packNotFound) },
    async find({ world, caller, params: { pack_id } }) {
      const orders = await ordersOfPurchase(world.read, world, Number(pack_id))
      if (orders.length === 0) throw packNotFound()
      if (!orders.some(({ seller_id }) => seller_id === caller.user_id)) throw notOwnedPack()
      return {}
    },
  },
}
/** In calls about anyone. */
export const ANYONES: Record<string, Kind> = { item_id: ofListing('item_id', { isOwn: false }) }

/** Values with which calls succeed, by the parameter. */
export const VALUES: NonNullable<CallChecks['values']> = {
  site_id: () => SITES,
  user_id: ownUser,
  item_id: ownListingIds,
}

/** Finds what a call is about, by the parameters of its path in their order. Throws 403, 404. */
export async function subjectOf(call: Read<Partial<Subject['page']>>, kinds: readonly Kind[]): Promise<Subject> {
  const { world, caller, query } = call
  const user = caller ? await userById(world.read, caller.user_id) : undefined
  const { limit = 50, offset = 0 } = query
  const found: Partial<Subject> = {
    ...(user && { user, site_id: user.site_id as SiteId }),
    ...{ page: { limit, offset }, hour: world.clock.hour() },
  }
  for (const { find } of kinds) Object.assign(found, await find(call))
  return found as Subject
}
