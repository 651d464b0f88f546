import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { itemNotFound } from '../shared/errors.ts'
import { CommaList, Id, ItemIdInPath, Nullable, OneOf, ResponseObject, StandardErrorBody } from '../shared/schemas.ts'
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

const text = (description: string, ...examples: string[]) => Type.String({ description, examples })
const textOrNull = (description: string, ...examples: string[]) => Nullable(Type.String(), { description, examples })
const count = (description: string) => Type.Integer({ description, examples: [1] })
const instant = (description: string) => text(`${description}, UTC`, '2026-01-01T12:00:00.000Z')
const texts = (description: string, examples: string[] = []) =>
  Type.Array(Type.String(), { description, examples: [examples] })
/** A member that every listing answers alike. */
const always = <T extends TSchema>(schema: T, value: string) => ({ ...schema, description: `Always ${value}` })
const alwaysNull = always(Type.Null(), 'null')
const alwaysEmpty = (description: string) => Type.Array(Type.Unknown(), { description: `${description}: always empty` })

const VALUE = {
  id: text('Code of the attribute', 'BRAND'),
  name: text('Name for people', 'Marca'),
  value_id: textOrNull('Code of the value, where it has one'),
  value_name: textOrNull('Value for people', 'Norte'),
}
const Values = Type.Array(ResponseObject({ id: VALUE.value_id, name: VALUE.value_name }), {
  description: 'The value again, as a list',
})
export const Attribute = ResponseObject(
  { ...VALUE, values: Values, value_type: text('Kind of the value: string, or list of known ones', 'string') },
  { title: 'ItemAttribute', description: 'An attribute, with its value' },
)
const SaleTerm = ResponseObject({ ...VALUE, values: Values }, { description: 'A condition of the sale' })

export const ItemVariation = ResponseObject(
  {
    id: Type.Integer({ description: 'Variation identifier', examples: [1400000001001] }),
    price: Type.Number({ description: 'Price of this variation', examples: [129999] }),
    attribute_combinations: Type.Array(ResponseObject(VALUE), { description: 'What makes it differ from the others' }),
    available_quantity: Type.Optional(count('Units for sale')),
    sold_quantity: Type.Optional(count('Units sold')),
    sale_terms: alwaysEmpty('Conditions of its own'),
    picture_ids: texts('Its pictures, by id'),
    seller_custom_field: textOrNull('Code of the seller'),
    catalog_product_id: textOrNull('Product of the catalogue'),
    attributes: Type.Optional(
      Type.Array(Attribute, { description: 'Its own attributes: only with `include_attributes=all`' }),
    ),
  },
  { title: 'ItemVariation', description: 'A variation of a listing, such as one of its colours' },
)
export type ItemVariation = Static<typeof ItemVariation>

export const ItemPicture = ResponseObject(
  {
    id: text('Picture identifier', '100001-MLA1400000001_032026'),
    url: text('Address'),
    secure_url: text('Address with https'),
    size: text('Width and height', '500x500'),
    max_size: text('Width and height as uploaded', '1200x1200'),
    quality: always(Type.String(), 'an empty text'),
  },
  { title: 'ItemPicture', description: 'A picture of a listing' },
)
export type ItemPicture = Static<typeof ItemPicture>

const Shipping = ResponseObject(
  {
    mode: OneOf([...SHIPPING_MODES], { description: 'me2 is the managed-shipping mode that Flex needs' }),
    free_methods: Type.Optional(
      Type.Array(
        ResponseObject({
          id: Type.Integer({ description: 'Shipping method' }),
          rule: ResponseObject({ free_mode: text('Where it is free'), value: alwaysNull }, { description: 'When' }),
        }),
        { description: 'Methods that the seller pays; only when set' },
      ),
    ),
    tags: texts('self_service_in when offered with Flex, else self_service_out'),
    dimensions: textOrNull('Height x width x length in cm, and weight in g', '10x20x30,500'),
    local_pick_up: Type.Boolean({ description: 'Buyers can collect it' }),
    free_shipping: Type.Boolean({ description: 'The seller pays' }),
    logistic_type: text('Who carries it', 'drop_off'),
    store_pick_up: always(Type.Boolean(), 'false'),
  },
  { description: 'How it is shipped' },
)

const NamedPlace = (description: string) =>
  ResponseObject({ id: textOrNull('Code'), name: text('Name') }, { description })

export const Item = ResponseObject(
  {
    id: Type.String({ description: 'Listing identifier', examples: ['MLA1400000001'], 'x-path': '/items/:id' }),
    site_id: text('Site of the listing', 'MLA'),
    title: text('Title, as buyers see it'),
    family_name: textOrNull('Title of the family of listings that it belongs to'),
    subtitle: textOrNull('Second line of the title'),
    seller_id: Id('Who sells it', 2500000101, { 'x-path': '/users/:id' }),
    category_id: text('Category', 'MLA3530'),
    official_store_id: Nullable(Type.Integer(), { description: 'Official store' }),
    user_product_id: text('The seller’s product that it sells', 'MLAU1400000001'),
    price: Type.Number({ description: 'Price in the currency of the listing', examples: [129999] }),
    base_price: Type.Number({ description: 'Price without its promotion', examples: [129999] }),
    original_price: Nullable(Type.Number(), { description: 'Price before its promotion; null without one' }),
    inventory_id: textOrNull('Its stock in a warehouse of the marketplace'),
    currency_id: Type.String({ description: 'Currency of the price', examples: ['ARS'], 'x-path': '/currencies/:id' }),
    initial_quantity: Type.Optional(count('Units that were ever for sale')),
    available_quantity: Type.Optional(count('Units for sale')),
    sold_quantity: Type.Optional(count('Units sold')),
    sale_terms: Type.Array(SaleTerm, { description: 'Conditions of the sale, such as the warranty' }),
    buying_mode: text('How it is bought: buy_it_now, auction or classified', 'buy_it_now'),
    listing_type_id: text('How prominently it is shown', 'gold_special'),
    start_time: instant('When it was listed'),
    stop_time: instant('When it stops'),
    end_time: instant('The same'),
    expiration_time: instant('The same'),
    condition: text('new, used or not_specified', 'new'),
    permalink: text('Address of the page that buyers see'),
    thumbnail_id: textOrNull('Its first picture'),
    thumbnail: text('Address of a small form of it; empty without pictures'),
    secure_thumbnail: text('The same with https'),
    pictures: Type.Array(ItemPicture, { description: 'Pictures' }),
    video_id: textOrNull('Video'),
    descriptions: alwaysEmpty('Descriptions, which a call of their own answers'),
    accepts_mercadopago: always(Type.Boolean(), 'true'),
    shipping: Shipping,
    seller_address: ResponseObject(
      {
        city: NamedPlace('City'),
        state: NamedPlace('State'),
        country: NamedPlace('Country'),
      },
      { description: 'Where it is sold' },
    ),
    attributes: Type.Array(Attribute, { description: 'Attributes' }),
    variations: Type.Array(ItemVariation, { description: 'Variations; their stock is that of the listing' }),
    status: StatusOfItem,
    sub_status: texts('Why it is in this state', ['out_of_stock']),
    tags: texts('Marks of the listing', ['good_quality_picture']),
    warranty: textOrNull('Warranty', 'Garantía del vendedor: 6 meses'),
    catalog_product_id: textOrNull('Product of the catalogue'),
    domain_id: textOrNull('Kind of product', 'MLA-HEADPHONES'),
    seller_custom_field: textOrNull('Code of the seller'),
    parent_item_id: textOrNull('The closed listing that it continues'),
    deal_ids: alwaysEmpty('Deals'),
    automatic_relist: always(Type.Boolean(), 'false'),
    date_created: instant('When it was listed'),
    last_updated: instant('When it was last changed'),
    health: Nullable(Type.Number(), { description: 'How complete it is, 0 to 1' }),
    catalog_listing: Type.Boolean({ description: 'Listed on the page of its product of the catalogue' }),
    channels: texts('Where it is shown', ['marketplace']),
  },
  { title: 'Item', description: 'A listing' },
)
export type Item = Static<typeof Item>

export const ItemDescription = ResponseObject(
  {
    text: always(Type.String(), 'an empty text'),
    plain_text: text('Description'),
    last_updated: instant('When it was last changed'),
    date_created: instant('When it was written'),
    snapshot: ResponseObject(
      {
        url: always(Type.String(), 'an empty text'),
        width: always(Type.Integer(), '0'),
        height: always(Type.Integer(), '0'),
        status: always(Type.String(), 'an empty text'),
      },
      { description: 'A picture of it, which none has' },
    ),
  },
  { title: 'ItemDescription', description: 'The description of a listing' },
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
export const Quantity = Type.Integer({
  minimum: 0,
  maximum: MAX_QUANTITY,
  description: 'Units for sale',
  examples: [5],
  'x-message': `must be an integer from 0 to ${MAX_QUANTITY}`,
})

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
