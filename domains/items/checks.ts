import { type CallChecks, type CallContext, type Check, defineChecks, ownUser } from '../../http/errors/checks.ts'
import { isCaller, LISTING_EXISTS, OWN_LISTING, scanChecks, USER_EXISTS } from '../shared/checks.ts'
import { SITES } from '../users/sites.ts'
import { CAUSES, type CauseName } from './causes.ts'
import { detailsOf } from './details.ts'
import { describedListings, itemById, listItems, sellerOfItem } from './queries.ts'

const CHECKS = defineChecks({
  ids: [
    'items.multiget',
    'ids names 1 to 20 listings',
    'ids nombra de 1 a 20 publicaciones',
    'ids contém de 1 a 20 anúncios',
    'ids',
  ],
  has_description: [
    'items.description.not_found',
    'The listing has a description',
    'La publicación tiene una descripción',
    'O anúncio tem uma descrição',
    'item_id',
  ],
  own_listings: isCaller('items.search'),
  ...scanChecks('items.search'),
  search_open: [
    'search.public',
    'The public search is open in this world',
    'La búsqueda pública está abierta en este mundo',
    'A busca pública está aberta neste mundo',
  ],
  site_exists: ['sites.not_found', 'The site exists', 'El sitio existe', 'O site existe', 'site_id'],
  site_depth: [
    'search.public.paging',
    'offset + limit is at most 1000',
    'offset + limit es como máximo 1000',
    'offset + limit é no máximo 1000',
    'offset',
  ],
  body_sent: ['items.create.body', 'A body is sent', 'Se envía un cuerpo', 'Um corpo é enviado'],
  json_body: ['http.body.json', 'The body is a JSON object', 'El cuerpo es un objeto JSON', 'O corpo é um objeto JSON'],
  changeable: [
    ['items.change.closed', 'items.change.under_review'],
    'The listing is not closed, and its status is not under review',
    'La publicación no está finalizada, y su estado no está en revisión',
    'O anúncio não está finalizado, e seu estado não está em revisão',
    'item_id',
  ],
  deletable: [
    'items.change.deleted',
    'A listing that is removed is closed',
    'Una publicación que se elimina está finalizada',
    'Um anúncio que é excluído está finalizado',
    'deleted',
  ],
  unsold: [
    'items.change.sold',
    'Nothing was sold, or title, condition and buying_mode stay',
    'No se vendió nada, o title, condition y buying_mode no cambian',
    'Nada foi vendido, ou title, condition e buying_mode não mudam',
  ],
  by_variation: [
    'items.change.variations',
    'A listing with variations has price and stock in them',
    'Una publicación con variaciones tiene precio y stock en ellas',
    'Um anúncio com variações tem preço e estoque nelas',
  ],
  price_manual: [
    'items.change.automation',
    'No rule changes the price of the listing',
    'Ninguna regla cambia el precio de la publicación',
    'Nenhuma regra muda o preço do anúncio',
    'price',
  ],
  finish_date: [
    'http.dates.query',
    'finish_date is an ISO 8601 date-time',
    'finish_date es una fecha y hora ISO 8601',
    'finish_date é uma data e hora ISO 8601',
    'finish_date',
  ],
  lower_price: [
    'items.promotion.price',
    'The price of a promotion is lower than that of the listing',
    'El precio de una promoción es menor que el de la publicación',
    'O preço de uma promoção é menor que o do anúncio',
    'deal_price',
  ],
  variation_exists: [
    'items.variations.not_found',
    'The variation is one of the listing',
    'La variación es de la publicación',
    'A variação é do anúncio',
    'variation_id',
  ],
  variation_remains: ['items.variations.last', 'A variation remains', 'Queda una variación', 'Resta uma variação'],
  relistable: [
    'items.relist.closed',
    'The listing is closed and not removed',
    'La publicación está finalizada y no se eliminó',
    'O anúncio está finalizado e não foi excluído',
    'item_id',
  ],
  relisted_once: [
    'items.relist.once',
    'The listing was not relisted before',
    'La publicación no se republicó antes',
    'O anúncio não foi republicado antes',
    'item_id',
  ],
  not_described: [
    'items.description.once',
    'The listing has no description yet',
    'La publicación aún no tiene descripción',
    'O anúncio ainda não tem descrição',
  ],
  described: [
    'items.description.not_found',
    'The listing has a description',
    'La publicación tiene una descripción',
    'O anúncio tem uma descrição',
  ],
  file_sent: [
    'items.pictures.file',
    'A part of the body is a file with the name file',
    'Una parte del cuerpo es un archivo con el nombre file',
    'Uma parte do corpo é um arquivo com o nome file',
  ],
  file_size: [
    'items.pictures.size',
    'The file has at most 10 MB',
    'El archivo tiene como máximo 10 MB',
    'O arquivo tem no máximo 10 MB',
  ],
  image: [
    'items.pictures.image',
    'The file is a JPG or PNG image',
    'El archivo es una imagen JPG o PNG',
    'O arquivo é uma imagem JPG ou PNG',
  ],
  picture_exists: [
    'items.pictures.not_found',
    'The picture is one of the caller',
    'La imagen es de quien llama',
    'A imagem é de quem chama',
    'picture_id',
  ],
})

const PAGE = { limit: 20, offset: 0 }

const listings = async ({ q }: CallContext): Promise<string[]> =>
  (await listItems(q, {}, PAGE)).rows.map(({ id }) => id)

async function variationsOfListing({ q, sent }: CallContext): Promise<number[]> {
  const row = await itemById(q, String(sent('item_id')))
  return row ? (detailsOf(row).variations ?? []).map(({ id }) => id) : []
}

export const READ_ITEM: CallChecks = { order: 'http.order', checks: [LISTING_EXISTS], values: { item_id: listings } }

export const READ_DESCRIPTION: CallChecks = {
  order: 'http.order',
  checks: [LISTING_EXISTS, CHECKS.has_description],
  values: { item_id: async ({ q }) => describedListings(q, PAGE.limit) },
}

export const READ_VARIATION: CallChecks = {
  order: 'http.order',
  checks: [LISTING_EXISTS, CHECKS.variation_exists],
  values: { item_id: listings, variation_id: variationsOfListing },
}

export const READ_ITEMS: CallChecks = {
  order: 'http.order',
  checks: [CHECKS.ids],
  values: { ids: async (context) => [(await listings(context)).slice(0, 2).join(',')] },
}

export const SEARCH_ITEMS: CallChecks = {
  order: 'http.order',
  checks: [USER_EXISTS, CHECKS.own_listings, CHECKS.scan_offset, CHECKS.depth, CHECKS.scroll_id],
  values: { user_id: ownUser },
}

export const SEARCH_SITE: CallChecks = {
  order: 'search.public',
  checks: [CHECKS.search_open, CHECKS.site_exists, CHECKS.site_depth],
  values: { site_id: () => SITES },
}

// What sellers change.

function causeCheck(name: CauseName): Check {
  const { rule, field, text } = CAUSES[name]
  return { id: name, rules: [rule], text: { en: text[0], es: text[1], pt: text[2] }, field }
}
const causeChecks = (...names: CauseName[]): Check[] => names.map(causeCheck)

const OWN = [LISTING_EXISTS, OWN_LISTING]
const PRICES = causeChecks('price_minimum', 'price_maximum')
const DESCRIPTIONS = causeChecks('plain_description', 'description_length')
const PICTURES = causeChecks('picture_count', 'picture_known')

const ownListings =
  (status: 'active' | 'closed') =>
  async ({ q, caller }: CallContext): Promise<string[]> => {
    if (!caller) return []
    const { rows } = await listItems(q, { seller_id: caller.user_id, status }, { limit: 20, offset: 0 })
    return rows.map(({ id }) => id)
  }

async function sellerOfListing({ q, sent }: CallContext): Promise<number[]> {
  const seller = await sellerOfItem(q, String(sent('item_id')))
  return seller === undefined ? [] : [seller]
}

/** The checks of a write of a seller's listing. */
const ofListing = (checks: CallChecks['checks'], status: 'active' | 'closed' = 'active'): CallChecks => ({
  order: 'items.change.order',
  checks: [...OWN, ...checks],
  values: { item_id: ownListings(status) },
  callers: sellerOfListing,
})

/** All causes that can be errors. */
const ERRORS = causeChecks(...(Object.keys(CAUSES) as CauseName[]).filter((name) => CAUSES[name].type !== 'warning'))

export const CREATE_ITEM: CallChecks = {
  order: 'items.create.order',
  checks: [CHECKS.body_sent, CHECKS.json_body, ...ERRORS],
}

export const CHANGE_ITEM = ofListing([
  ...[CHECKS.changeable, CHECKS.deletable, CHECKS.unsold, CHECKS.by_variation, CHECKS.price_manual],
  ...[CHECKS.variation_exists, CHECKS.variation_remains, causeCheck('category'), ...PRICES, ...PICTURES],
  causeCheck('title_maximum'),
])
export const RELIST_ITEM = ofListing([CHECKS.relistable, CHECKS.relisted_once, ...PRICES], 'closed')
export const WRITE_DESCRIPTION = ofListing([CHECKS.changeable, CHECKS.not_described, ...DESCRIPTIONS])
export const REPLACE_DESCRIPTION = ofListing([CHECKS.changeable, CHECKS.described, ...DESCRIPTIONS])
export const ADD_VARIATION = ofListing([CHECKS.changeable, CHECKS.price_manual, ...PRICES])
export const CHANGE_VARIATION = ofListing([
  ...[CHECKS.changeable, CHECKS.variation_exists, CHECKS.price_manual, ...PRICES],
])
export const REMOVE_VARIATION = ofListing([CHECKS.changeable, CHECKS.variation_exists, CHECKS.variation_remains])
export const ADD_PICTURE = ofListing([CHECKS.changeable, ...PICTURES])

export const LIST_PROMOTIONS: CallChecks = { ...ofListing([]), order: 'http.order' }
export const UNPROMOTE_ITEM = ofListing([CHECKS.changeable])
const ofPromotion = ofListing([CHECKS.changeable, CHECKS.lower_price])
export const PROMOTE_ITEM: CallChecks = { ...ofPromotion, checks: [CHECKS.finish_date, ...ofPromotion.checks] }
export const LIST_IN_CATALOGUE = ofListing([CHECKS.changeable])

export const UPLOAD_PICTURE: CallChecks = {
  order: 'http.order',
  checks: [CHECKS.file_sent, CHECKS.file_size, CHECKS.image],
}
export const READ_PICTURE: CallChecks = { order: 'http.order', checks: [CHECKS.picture_exists] }
