import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { type CallChecks, type Check, defineChecks, ownUser } from '../../http/errors/checks.ts'
import { forbidden, missingToken, notFound } from '../../http/errors/errors.ts'
import { detailsOf } from '../items/details.ts'
import { LEAVES, ROOTS } from '../items/leaves.ts'
import { type ItemRow, itemById, listItems } from '../items/queries.ts'
import { ordersOfPurchase } from '../orders/queries.ts'
import { exists, isCaller, LISTING_EXISTS, OWN_LISTING } from '../shared/checks.ts'
import { categoryNotFound, itemNotFound, notOwnedPack, packNotFound, siteNotFound } from '../shared/errors.ts'
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

export type Call = FastifyRequest<{ Params: Record<string, string>; Querystring: Partial<Subject['page']> }>

export const absent = () => notFound('fallback.absent', 'Not found')
export const refused = () => forbidden('fallback.refused')
const foreign = () => forbidden('http.errors.foreign_data')

export const CHECKS = defineChecks({
  own_user: isCaller('http.errors.foreign_data'),
  site: exists('sites.not_found', 'site_id', 'site', 'El sitio', 'O site'),
  category: exists('catalogue.categories.not_found', 'category_id', 'category', 'La categoría', 'A categoria'),
  pack: exists('packs.not_found', 'pack_id', 'pack', 'El carrito', 'O carrinho'),
  own_pack: [
    'packs.not_owned',
    'The caller is the seller of the pack',
    'Quien llama es el vendedor del carrito',
    'Quem chama é o vendedor do carrinho',
    'pack_id',
  ],
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

type Find = (call: Call, id: string, isOwn: boolean) => Promise<Partial<Subject>> | Partial<Subject>

async function findItem({ world, caller }: Call, id: string, isOwn: boolean): Promise<Partial<Subject>> {
  const item = await itemById(world.read, id)
  if (!item) throw itemNotFound(id)
  if (isOwn && item.seller_id !== caller.user_id) throw foreign()
  return { item }
}

/** `MLAU1400000001` is the product of the listing `MLA1400000001` [spec: items.constants]. */
const ofItem = (letter: string, example = 1400000001) => ({
  schema: Type.String({ description: 'Its id in the listing', examples: [`MLA${letter}${example}`] }),
  checks: [LISTING_EXISTS, OWN_LISTING],
  find: ((call, id, isOwn) => findItem(call, id.replace(letter, ''), isOwn)) as Find,
})

/** Only what the marketplace stores has an inventory [spec: items.constants]. */
const stored: Find = async (call, id, isOwn) => {
  const found = await findItem(call, id.replace('I', ''), isOwn)
  if (detailsOf(found.item!).shipping?.logistic_type !== 'fulfillment') throw itemNotFound(found.item!.id)
  return found
}

/** What a parameter of a path names. */
export const KINDS: Record<string, { schema: object; checks: readonly Check[]; find: Find }> = {
  user_id: {
    schema: UserIdInPath(foreign),
    checks: [CHECKS.own_user],
    find({ caller }, id) {
      if (Number(id) !== caller.user_id) throw foreign()
      return {}
    },
  },
  item_id: { schema: ItemIdInPath(itemNotFound), checks: [LISTING_EXISTS, OWN_LISTING], find: findItem },
  user_product_id: ofItem('U'),
  inventory_id: { ...ofItem('I', 1400000013), find: stored },
  site_id: {
    schema: Type.String({ description: 'Site', examples: ['MLA'] }),
    checks: [CHECKS.site],
    find(_call, site_id) {
      if (!isSite(site_id)) throw siteNotFound(site_id, 'site_id')
      return { site_id }
    },
  },
  category_id: {
    schema: Type.String({ description: 'Category', examples: ['MLA7001'] }),
    checks: [CHECKS.category],
    find({ params: { site_id = '' } }, id) {
      const number = id.startsWith(site_id) ? id.slice(site_id.length) : ''
      if (!Object.hasOwn(LEAVES, number) && !Object.hasOwn(ROOTS, number)) throw categoryNotFound(id)
      return { category_id: id }
    },
  },
  pack_id: {
    schema: IdInPath('Pack, or order without one', 2000005000000001, packNotFound),
    checks: [CHECKS.pack, CHECKS.own_pack],
    async find({ world, caller }, id) {
      const orders = await ordersOfPurchase(world.read, world, Number(id))
      if (orders.length === 0) throw packNotFound()
      if (!orders.some(({ seller_id }) => seller_id === caller.user_id)) throw notOwnedPack()
      return {}
    },
  },
}

/** Values with which calls succeed, by the parameter. */
export const VALUES: NonNullable<CallChecks['values']> = {
  site_id: () => SITES,
  user_id: ownUser,
  item_id: async ({ q, caller }) =>
    caller
      ? (await listItems(q, { seller_id: caller.user_id }, { limit: 20, offset: 0 })).rows.map(({ id }) => id)
      : [],
}

/** Finds what a call is about, by the parameters of its path in their order. Throws 403, 404. */
export async function subjectOf(call: Call, names: readonly string[], isOwn: boolean): Promise<Subject> {
  const { world, caller, params, query } = call
  const user = caller ? await userById(world.read, caller.user_id) : undefined
  const { limit = 50, offset = 0 } = query
  const found: Partial<Subject> = {
    ...(user && { user, site_id: user.site_id as SiteId }),
    ...{ page: { limit, offset }, hour: world.clock.hour() },
  }
  for (const name of names) Object.assign(found, await KINDS[name]?.find(call, params[name]!, isOwn))
  return found as Subject
}

/** Of a call whose token was not checked, because a stub of the world might have answered it [spec: fallback.stubs]. */
export function requireCaller({ caller }: Pick<FastifyRequest, 'caller'>): void {
  if (!caller) throw missingToken()
}
