import type { World } from '../../db/world.ts'
import { defineSwitch } from '../../http/switches.ts'
import { utcMillis } from '../shared/instants.ts'
import { type UserRow, addressOf as userAddressOf, userById } from '../users/queries.ts'
import { COUNTRY_NAMES, COUNTRY_OF, languageOf, type SiteId, stateOf } from '../users/sites.ts'
import { ATTRIBUTE_NAMES, CONDITION_NAMES, categoryIdOf, domainOfCategory } from './categories.ts'
import {
  type AttributeValue,
  type CurrentPrice,
  currentPrice,
  detailsOf,
  type ItemDetails,
  userProductOf,
  type Variation,
} from './details.ts'
import type { DescriptionRow, ItemRow } from './queries.ts'
import type { Item, ItemDescription, ItemPicture, ItemVariation } from './schemas.ts'

export const PRIVATE_QUANTITIES = defineSwitch('items.private_quantities', ['shown', 'owner_only'])
export const STOP_TIME = defineSwitch('items.search.stop_time', ['60 days', '20 years'])

const DAY_MS = 86_400_000
/** Until a listing stops; with `20 years` only a used article stops after 60 days [spec: items.search.stop_time]. */
export const STOPS_AFTER_MS = { '60 days': 60 * DAY_MS, '20 years': 7305 * DAY_MS }

/** Who reads a listing, and how. */
export interface Reader {
  /** Undefined without a token. */
  caller?: { user_id: number } | undefined
  /** Control calls read everything. */
  isAdmin?: boolean
  /** Variations with attributes of their own [spec: items.variations.attributes]. */
  withAllAttributes?: boolean
}

/** What an answer depends on beside the row of the listing. */
interface ItemView extends Pick<Reader, 'withAllAttributes'> {
  seller: Pick<UserRow, 'tags' | 'address'>
  hasQuantities: boolean
  stopsAfter: (typeof STOP_TIME.values)[number]
  price: CurrentPrice
  /** Those of the row, which are read once for an answer. */
  details: ItemDetails
}

const hasQuantitiesFor = (world: World, { seller_id }: ItemRow, { caller, isAdmin = false }: Reader): boolean =>
  isAdmin || caller?.user_id === seller_id || PRIVATE_QUANTITIES.of(world) === 'shown'

/** The whole answer for a stored listing. */
export async function answerItem(world: World, row: ItemRow, reader: Reader = {}): Promise<Item> {
  const details = detailsOf(row)
  return presentItem(row, {
    details,
    seller: (await userById(world.read, row.seller_id))!,
    hasQuantities: hasQuantitiesFor(world, row, reader),
    stopsAfter: STOP_TIME.of(world),
    price: currentPrice(world, row, details),
    withAllAttributes: reader.withAllAttributes ?? false,
  })
}

/** Its variations as the answer has them. */
export function answerVariations(world: World, row: ItemRow, reader: Reader): ItemVariation[] {
  const hasQuantities = hasQuantitiesFor(world, row, reader)
  const details = detailsOf(row)
  const price = currentPrice(world, row, details)
  const view = { hasQuantities, price, withAllAttributes: reader.withAllAttributes ?? false }
  return (details.variations ?? []).map((one) => presentVariation(one, view))
}

/** Of a listing that has none of its own. */
export const TAGS = {
  sold: ['good_quality_picture', 'immediate_payment', 'cart_eligible'],
  classified: ['good_quality_picture'],
}

/** Row → wire. */
export function presentItem(row: ItemRow, view: ItemView): Item {
  const { details } = view
  const { pictures = [], condition = 'new', buying_mode = 'buy_it_now' } = details
  const started = utcMillis(row.date_created)
  const stops = utcMillis(row.date_created + stopsAfter(view.stopsAfter, condition))
  const tags = details.tags ?? TAGS[buying_mode === 'classified' ? 'classified' : 'sold']
  const thumbnail = thumbnailOf(details)
  const { available_quantity, sold_quantity } = row
  const { initial_quantity = available_quantity + sold_quantity } = details
  const { price, original_price } = view.price
  return {
    id: row.id,
    site_id: row.site_id,
    title: row.title,
    family_name: details.family_name ?? null,
    subtitle: details.subtitle ?? null,
    seller_id: row.seller_id,
    category_id: categoryIdOf(row),
    official_store_id: details.official_store_id ?? null,
    user_product_id: userProductOf(row.id),
    price,
    base_price: original_price ?? price,
    original_price,
    inventory_id: details.shipping?.logistic_type === 'fulfillment' ? `${row.site_id}I${row.id.slice(3)}` : null,
    currency_id: row.currency_id,
    ...(view.hasQuantities && { initial_quantity, available_quantity, sold_quantity }),
    sale_terms: (details.sale_terms ?? []).map(withValues),
    buying_mode,
    listing_type_id: details.listing_type_id ?? 'gold_special',
    start_time: started,
    stop_time: stops,
    end_time: stops,
    expiration_time: stops,
    condition,
    permalink: permalinkOf(row.id),
    thumbnail_id: pictures[0] ?? null,
    thumbnail,
    secure_thumbnail: thumbnail.replace('http:', 'https:'),
    pictures: pictures.map(presentPicture),
    video_id: details.video_id ?? null,
    descriptions: [],
    accepts_mercadopago: true,
    shipping: presentShipping(row, details),
    seller_address: presentAddress(row, view.seller),
    attributes: presentAttributes(row, details),
    variations: (details.variations ?? []).map((one) => presentVariation(one, view)),
    status: row.status,
    sub_status: details.sub_status ?? [],
    tags: view.seller.tags.includes('"test_user"') ? [...new Set([...tags, 'test_item'])] : tags,
    warranty: details.warranty ?? null,
    catalog_product_id: details.catalog_product_id ?? null,
    domain_id: details.domain_id ?? domainOfCategory(row.site_id, row.category_id),
    seller_custom_field: details.seller_custom_field ?? null,
    parent_item_id: details.parent_item_id ?? null,
    deal_ids: [],
    automatic_relist: false,
    date_created: started,
    last_updated: utcMillis(row.last_updated),
    health: details.health ?? null,
    catalog_listing: details.catalog_listing ?? false,
    channels: ['marketplace'],
  }
}

const stopsAfter = (value: ItemView['stopsAfter'], condition: string): number =>
  STOPS_AFTER_MS[condition === 'used' ? '60 days' : value]

export const permalinkOf = (id: string): string => `https://articulo.example.com/${id}`

export const addressOf = (picture: string, size: 'F' | 'O' | 'I') => `http://http2.example.com/D_${picture}-${size}.jpg`

/** Of its first picture; empty without one. */
export const thumbnailOf = ({ pictures: [first] = [] }: ItemDetails): string =>
  first === undefined ? '' : addressOf(first, 'I')

const presentPicture = (id: string): ItemPicture => ({
  id,
  url: addressOf(id, 'O'),
  secure_url: addressOf(id, 'O').replace('http:', 'https:'),
  size: '500x500',
  max_size: '1200x1200',
  quality: '',
})

export const presentShipping = (row: ItemRow, { shipping = {} }: ItemDetails): Item['shipping'] => ({
  mode: row.shipping_mode,
  ...(shipping.free_methods && { free_methods: shipping.free_methods }),
  tags: [row.in_flex ? 'self_service_in' : 'self_service_out'],
  dimensions: shipping.dimensions ?? null,
  local_pick_up: shipping.local_pick_up ?? false,
  free_shipping: shipping.free_shipping ?? false,
  logistic_type: row.in_flex
    ? 'self_service'
    : row.shipping_mode === 'me2'
      ? (shipping.logistic_type ?? 'drop_off')
      : 'default',
  store_pick_up: false,
})

function presentAddress({ site_id }: ItemRow, { address }: ItemView['seller']): Item['seller_address'] {
  const { city, state } = userAddressOf({ address })
  const site = site_id as SiteId
  return {
    city: { id: null, name: city },
    state: { id: state, name: stateOf(state).name },
    country: { id: COUNTRY_OF[site], name: COUNTRY_NAMES[site] },
  }
}

const attribute = (id: string, name: string, value_name: string | null, value_id: string | null = null) => ({
  ...{ id, name, value_id, value_name },
})

/** Those of the listing, and those that follow from its other members [spec: items.attributes]. */
function attributesOf({ site_id, seller_sku }: ItemRow, details: ItemDetails): AttributeValue[] {
  const language = languageOf(site_id)
  const own = details.attributes ?? [attribute('BRAND', 'Marca', 'Genérica'), attribute('MODEL', 'Modelo', 'Genérico')]
  const { value_id, [language]: name } = CONDITION_NAMES[details.condition ?? 'new']
  const derived = [
    ...(seller_sku === null ? [] : [attribute('SELLER_SKU', 'SKU', seller_sku)]),
    attribute('ITEM_CONDITION', ATTRIBUTE_NAMES.ITEM_CONDITION![language], name, value_id),
  ]
  return [...own, ...derived.filter(({ id }) => !own.some((one) => one.id === id))]
}

const withValues = ({ id, name, value_id, value_name }: AttributeValue) => ({
  ...{ id, name, value_id, value_name },
  values: [{ id: value_id, name: value_name }],
})

const presentAttribute = (one: AttributeValue) => ({
  ...withValues(one),
  value_type: one.value_id === null ? 'string' : 'list',
})

export const presentAttributes = (row: ItemRow, details: ItemDetails) =>
  attributesOf(row, details).map(presentAttribute)

/** The promotion of a listing is that of its variations. */
const presentVariation = (
  { attributes = [], ...one }: Variation,
  { hasQuantities, withAllAttributes, price }: Pick<ItemView, 'hasQuantities' | 'withAllAttributes' | 'price'>,
): ItemVariation => ({
  id: one.id,
  price: price.original_price === null ? one.price : price.price,
  attribute_combinations: one.attribute_combinations,
  ...(hasQuantities && { available_quantity: one.available_quantity, sold_quantity: one.sold_quantity }),
  sale_terms: [],
  picture_ids: one.picture_ids,
  seller_custom_field: one.seller_custom_field ?? null,
  catalog_product_id: one.catalog_product_id ?? null,
  ...(withAllAttributes && { attributes: attributes.map(presentAttribute) }),
})

export const presentDescription = (row: DescriptionRow): ItemDescription => ({
  text: '',
  plain_text: row.plain_text,
  last_updated: utcMillis(row.last_updated),
  date_created: utcMillis(row.date_created),
  snapshot: { url: '', width: 0, height: 0, status: '' },
})
