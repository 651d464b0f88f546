import { type Static, Type } from '@sinclair/typebox'
import { itemNotFound } from '../shared/errors.ts'
import { CommaList, Id, Integer, ItemIdInPath, OneOf, ResponseObject, StandardErrorBody } from '../shared/schemas.ts'
import { decimal, orNull, shape } from '../shared/shape.ts'
import { Text } from '../shared/texts.ts'
import { ITEM_STATUSES, SHIPPING_MODES } from './tables.ts'

export const Items = { name: 'Items', description: 'Listings', id: 'item_id' }

/** Maximum ids of one multiget [spec: items.multiget]. */
export const MAX_ITEMS = 20

export const ItemParams = Type.Object({ item_id: ItemIdInPath(itemNotFound) })

const StatusOfItem = OneOf([...ITEM_STATUSES], {
  description: 'State of the listing; only an active one takes questions and answers',
  examples: ['active'],
})

const DATE = '2026-01-01T12:00:00.000Z'
const PRICE = decimal(129999)
const quantity = Type.Integer({ examples: [1] })

const value = { id: 'BRAND', name: 'Marca', value_id: orNull('59387'), value_name: orNull('Norte') }
const values = [{ id: value.value_id, name: value.value_name }]
export const Attribute = shape(
  { ...value, values, value_type: 'string' },
  {
    title: 'ItemAttribute',
    description: 'An attribute, with its value',
    notes: { values: 'The value again, as a list', value_type: 'string, or list of known ones' },
  },
)

export const ItemVariation = shape(
  {
    ...{ id: 1400000001001, price: PRICE, attribute_combinations: [value] },
    ...{ available_quantity: Type.Optional(quantity), sold_quantity: Type.Optional(quantity) },
    ...{ sale_terms: [], picture_ids: ['100001-MLA1400000001_032026'] },
    ...{ seller_custom_field: orNull('MATE-001'), catalog_product_id: orNull('MLA15000001') },
    attributes: Type.Optional(Type.Array(Attribute, { description: 'Only with `include_attributes=all`' })),
  },
  {
    title: 'ItemVariation',
    description: 'A variation of a listing, such as one of its colours',
    notes: { attribute_combinations: 'What makes it differ from the others', sale_terms: 'Always empty' },
  },
)
export type ItemVariation = Static<typeof ItemVariation>

export const ItemPicture = shape(
  {
    ...{ id: '100001-MLA1400000001_032026', url: 'http://http2.example.com/D_100001-MLA1400000001_032026-O.jpg' },
    ...{ secure_url: 'https://http2.example.com/D_100001-MLA1400000001_032026-O.jpg', size: '500x500' },
    ...{ max_size: '1200x1200', quality: '' },
  },
  {
    title: 'ItemPicture',
    description: 'A picture of a listing',
    notes: { max_size: 'Width and height as uploaded', quality: 'Always an empty text' },
  },
)
export type ItemPicture = Static<typeof ItemPicture>

const place = { id: orNull('AR-C'), name: 'Capital Federal' }
const freeMethods = shape([{ id: 73328, rule: { free_mode: 'country', value: null } }], {
  description: 'Methods that the seller pays; only when set',
})

export const Item = shape(
  {
    id: Type.String({ examples: ['MLA1400000001'], 'x-path': '/items/:id' }),
    ...{ site_id: 'MLA', title: 'Mate de calabaza', family_name: orNull('Mate'), subtitle: orNull('Con bombilla') },
    seller_id: Id('Who sells it', 2500000101, { 'x-path': '/users/:id' }),
    ...{ category_id: 'MLA3530', official_store_id: orNull(1), user_product_id: 'MLAU1400000001' },
    ...{ price: PRICE, base_price: PRICE, original_price: orNull(PRICE), inventory_id: orNull('MLAI1400000001') },
    currency_id: Type.String({ description: 'Currency of the price', examples: ['ARS'], 'x-path': '/currencies/:id' }),
    initial_quantity: Type.Optional({ ...quantity, description: 'Units that were ever for sale' }),
    ...{ available_quantity: Type.Optional(quantity), sold_quantity: Type.Optional(quantity) },
    sale_terms: [{ ...value, values }],
    ...{ buying_mode: 'buy_it_now', listing_type_id: 'gold_special' },
    ...{ start_time: DATE, stop_time: DATE, end_time: DATE, expiration_time: DATE },
    ...{ condition: 'new', permalink: 'https://articulo.example.com/MLA1400000001' },
    ...{ thumbnail_id: orNull('100001-MLA1400000001_032026'), thumbnail: '', secure_thumbnail: '' },
    ...{ pictures: [ItemPicture], video_id: orNull('X4ab2'), descriptions: [], accepts_mercadopago: true },
    shipping: {
      mode: OneOf([...SHIPPING_MODES], { description: 'me2 is the managed-shipping mode that Flex needs' }),
      free_methods: Type.Optional(freeMethods),
      ...{ tags: ['self_service_out'], dimensions: orNull('10x20x30,500'), local_pick_up: true, free_shipping: false },
      ...{ logistic_type: 'drop_off', store_pick_up: false },
    },
    seller_address: { city: place, state: place, country: place },
    ...{ attributes: [Attribute], variations: [ItemVariation] },
    ...{ status: StatusOfItem, sub_status: ['out_of_stock'], tags: ['good_quality_picture'] },
    ...{ warranty: orNull('Garantía del vendedor: 6 meses'), catalog_product_id: orNull('MLA15000001') },
    ...{ domain_id: orNull('MLA-HEADPHONES'), seller_custom_field: orNull('MATE-001') },
    ...{ parent_item_id: orNull('MLA1400000000'), deal_ids: [], automatic_relist: false },
    ...{ date_created: DATE, last_updated: DATE, health: orNull(decimal(0.85)), catalog_listing: false },
    channels: ['marketplace'],
  },
  {
    title: 'Item',
    description: 'A listing; instants are in UTC',
    notes: {
      family_name: 'Title of the family of listings that it belongs to',
      subtitle: 'Second line of the title',
      user_product_id: 'The seller’s product that it sells',
      base_price: 'Price without its promotion',
      original_price: 'Price before its promotion; null without one',
      inventory_id: 'Its stock in a warehouse of the marketplace',
      sale_terms: 'Conditions of the sale, such as the warranty',
      buying_mode: 'How it is bought: buy_it_now, auction or classified',
      listing_type_id: 'How prominently it is shown',
      condition: 'new, used or not_specified',
      thumbnail_id: 'Its first picture',
      thumbnail: 'Address of a small form of it; empty without pictures',
      descriptions: 'Always empty: a call of their own answers them',
      accepts_mercadopago: 'Always true',
      shipping: 'How it is shipped',
      tags: 'Marks of the listing; of its shipping self_service_in when offered with Flex, else self_service_out',
      local_pick_up: 'Buyers can collect it',
      free_shipping: 'The seller pays',
      dimensions: 'Height x width x length in cm, and weight in g',
      logistic_type: 'Who carries it',
      store_pick_up: 'Always false',
      variations: 'Their stock is that of the listing',
      sub_status: 'Why it is in this state',
      domain_id: 'Kind of product',
      parent_item_id: 'The closed listing that it continues',
      deal_ids: 'Always empty',
      automatic_relist: 'Always false',
      health: 'How complete it is, 0 to 1',
      catalog_listing: 'Listed on the page of its product of the catalogue',
      channels: 'Where it is shown',
    },
  },
)
export type Item = Static<typeof Item>

export const ItemDescription = shape(
  {
    ...{ text: '', plain_text: 'Calabaza curada, con bombilla.', last_updated: DATE, date_created: DATE },
    snapshot: { url: '', width: 0, height: 0, status: '' },
  },
  {
    title: 'ItemDescription',
    description: 'The description of a listing',
    notes: { text: 'Always an empty text', snapshot: 'A picture of it, which none has: always these values' },
  },
)
export type ItemDescription = Static<typeof ItemDescription>

/** The highest price that is accepted. */
const MAX_PRICE = 1e12
export const MAX_QUANTITY = 999_999_999

/** Characters of a description. */
export const MAX_DESCRIPTION = 50_000

export const Title = Text('Title, as buyers see it', 255, { example: 'Mate de calabaza' })
export const Price = Type.Number({
  exclusiveMinimum: 0,
  maximum: MAX_PRICE,
  description: 'Price in the currency of the listing',
  examples: [12999],
  'x-message': `must be a number above 0, at most ${MAX_PRICE}`,
})
export const Quantity = Integer(0, MAX_QUANTITY, 'Units for sale', { examples: [5] })

export const Sku = Text('Code of the seller', 255, { example: 'MATE-001' })

/** What calls that answer variations take. */
export const WithAttributes = Type.Object({
  include_attributes: Type.Optional(
    Type.String({ description: 'all: variations have attributes of their own', examples: ['all'] }),
  ),
})

export const ManyItems = Type.Object({
  ...WithAttributes.properties,
  ids: CommaList({
    description: `Listing identifiers, separated by commas, 1 to ${MAX_ITEMS}`,
    examples: ['MLA1400000001,MLA1400000002'],
    'x-message': `must be 1 to ${MAX_ITEMS} listing identifiers separated by commas`,
    'x-rule': 'items.multiget',
    'x-path': '/items/:id',
  }),
})

export const FoundItems = Type.Array(
  ResponseObject({
    code: Type.Integer({ description: 'Status of this element: 200 or 404', examples: [200] }),
    body: Type.Union([Type.Partial(Item, { title: 'SomeOfItem', additionalProperties: false }), StandardErrorBody], {
      description: 'The listing with the members that `attributes` names, or what was wrong',
    }),
    status: Type.Optional(StatusOfItem),
  }),
  {
    description:
      'One element for each id, in the order of `ids`; `status` also beside `body` when `attributes` names it',
  },
)
