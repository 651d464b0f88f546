import { type Static, type TProperties, type TSchema, type TString, Type } from '@sinclair/typebox'
import { StrictBody } from '../shared/control_schemas.ts'
import { Bool, MAX_ID, Nullable, OneOf } from '../shared/schemas.ts'
import { Amount, asJson, Int, Text } from '../shared/world_file/fields.ts'
import { Item, MAX_QUANTITY } from './schemas.ts'
import { BUYING_MODES, CONDITIONS, LISTING_TYPES, SUB_STATUSES } from './tables.ts'

// The details of a listing in a world file: as they are stored, each member optional.

const said = (name: string): string =>
  (Item.properties as Record<string, { description?: string }>)[name]?.description ?? name
export const text = (description: string) => Text(description, 1000, { mayBeBlank: true })
export const textOrNull = (description: string) =>
  Nullable(text(description), { description, 'x-message': 'must be a string, or null' })
export const list = <T extends TSchema>(of: T, description: string, maxItems = 250) =>
  Type.Array(of, { description, maxItems, 'x-message': `must be a list of at most ${maxItems}` })
const optional = <T extends TProperties>(members: T) => Type.Partial(Type.Object(members)).properties

export const VALUE = StrictBody(
  { id: text('Code'), name: text('Name'), value_id: textOrNull('Code of the value'), value_name: textOrNull('Value') },
  { description: 'A value of an attribute' },
)
const units = (description: string) => Int(description, 0, MAX_QUANTITY)

const VARIATION = StrictBody(
  {
    id: Int('Identifier', 1, MAX_ID),
    price: Amount('Price'),
    available_quantity: units('Units for sale'),
    sold_quantity: units('Units sold'),
    attribute_combinations: list(VALUE, 'What makes it differ'),
    picture_ids: list(text('Picture'), 'Pictures'),
    ...optional({
      attributes: list(VALUE, 'Attributes of its own'),
      seller_custom_field: textOrNull('Code of the seller'),
      catalog_product_id: textOrNull('Product of the catalogue'),
    }),
  },
  { description: 'A variation' },
)

const FREE_METHOD = StrictBody({
  id: Int('Shipping method'),
  rule: StrictBody({ free_mode: text('Where it is free'), value: Type.Null({ description: 'Null' }) }),
})
const SHIPPING = StrictBody(
  optional({
    local_pick_up: Bool('Buyers can collect it'),
    free_shipping: Bool('The seller pays'),
    free_methods: list(FREE_METHOD, 'Methods that the seller pays'),
    dimensions: text('Height x width x length, weight'),
    logistic_type: OneOf(['fulfillment', 'cross_docking'], { description: 'Stored or picked up by the marketplace' }),
  }),
  { description: said('shipping') },
)

const TEXTS = [
  ...(['family_name', 'subtitle', 'video_id', 'warranty', 'catalog_product_id', 'domain_id'] as const),
  ...(['seller_custom_field', 'parent_item_id'] as const),
] as const
const texts = Object.fromEntries(TEXTS.map((name) => [name, text(said(name))])) as Record<
  (typeof TEXTS)[number],
  TString
>

const MEMBERS = {
  ...texts,
  condition: OneOf([...CONDITIONS], { description: said('condition') }),
  listing_type_id: OneOf([...LISTING_TYPES], { description: said('listing_type_id') }),
  buying_mode: OneOf([...BUYING_MODES], { description: said('buying_mode') }),
  initial_quantity: units(said('initial_quantity')),
  pictures: list(text('Picture'), 'Pictures, by id'),
  sale_terms: list(VALUE, said('sale_terms')),
  attributes: list(VALUE, said('attributes')),
  variations: list(VARIATION, said('variations')),
  shipping: SHIPPING,
  sub_status: list(OneOf([...SUB_STATUSES], { description: 'Sub-status' }), said('sub_status')),
  tags: list(text('Tag'), said('tags')),
  original_price: Amount('Price before its promotion'),
  price_automation: Bool('A rule of the seller changes its price'),
  catalog_listing: Bool(said('catalog_listing')),
  official_store_id: Int(said('official_store_id')),
  relisted: Bool('Another listing continues it'),
  health: Type.Number({ minimum: 0, maximum: 1, description: said('health'), 'x-message': 'must be from 0 to 1' }),
}

export const FileDetails = asJson(
  StrictBody(optional(MEMBERS), {
    title: 'FileItemDetails',
    description: 'What it has beside the other members',
    default: {},
    'x-message': 'must be an object',
  }),
)

/** A value of an attribute; `values` of the wire form repeats it. */
export type AttributeValue = Static<typeof VALUE>
export type Variation = Static<typeof VARIATION>
/** What a listing has beside its columns; a member that is missing has the value of a plain listing. */
export type ItemDetails = Static<typeof FileDetails>
