import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { CURRENCY_IDS } from '../currencies/currencies.ts'
import { Nullable, OneOf } from '../shared/schemas.ts'
import { shape } from '../shared/shape.ts'
import { Text } from '../shared/texts.ts'
import { Item, Price, Quantity, Title } from './schemas.ts'
import { BUYING_MODES, CONDITIONS, LISTING_TYPES, SHIPPING_MODES } from './tables.ts'

// What sellers send. Other members are ignored, in any depth.

const text = (description: string, maxLength = 255) => Text(description, maxLength, { mayBeBlank: true })
const textOrNull = (description: string) =>
  Nullable(text(description), { description: `${description}; null: none`, 'x-message': 'must be a string, or null' })
const list = <T extends TSchema>(element: T, description: string, maxItems = 250) =>
  Type.Array(element, { description, maxItems, 'x-message': `must be a list of at most ${maxItems} objects` })

/** As programs send values back, numbers may be numbers. */
const Value = Type.Union([text('Value'), Type.Number(), Type.Null()], { description: 'Value; null: none' })
const VALUE = { name: Type.Optional(text('Name')), value_id: Type.Optional(Value), value_name: Type.Optional(Value) }
const NamedValue = Type.Object({ id: text('Code', 100), ...VALUE })
/** A combination may have a name of the seller's own in place of a code. */
const Combination = Type.Object(
  { id: Type.Optional(Nullable(text('Code', 100))), ...VALUE },
  { anyOf: [{ required: ['id'] }, { required: ['name'] }] },
)
export type SentValue = Static<typeof Combination>

export const SentPicture = Type.Object(
  {
    source: Type.Optional(text('Address of a picture; it is not read', 2000)),
    id: Type.Optional(text('An uploaded picture, or one of another listing of the seller', 100)),
  },
  { anyOf: [{ required: ['source'] }, { required: ['id'] }], examples: [{ source: 'https://example.com/a.jpg' }] },
)
export type SentPicture = Static<typeof SentPicture>

const FreeMethod = Type.Object({
  id: Type.Integer({ description: 'Shipping method', examples: [73328] }),
  rule: Type.Object({ free_mode: text('Where it is free'), value: Type.Optional(Type.Null()) }),
})
const SentShipping = Type.Object(
  {
    mode: Type.Optional(OneOf([...SHIPPING_MODES], { description: 'Any mode but me2 ends Flex' })),
    local_pick_up: Type.Optional(Type.Boolean({ description: 'Buyers can collect it' })),
    free_shipping: Type.Optional(Type.Boolean({ description: 'The seller pays' })),
    free_methods: Type.Optional(list(FreeMethod, 'Methods that the seller pays', 20)),
    dimensions: Type.Optional(textOrNull('Height x width x length in cm, and weight in g')),
  },
  { description: 'How it is shipped', 'x-message': 'must be an object' },
)

const VARIATION = {
  price: Type.Optional(Price),
  available_quantity: Type.Optional(Quantity),
  attribute_combinations: Type.Optional(list(Combination, 'What makes it differ from the others', 20)),
  attributes: Type.Optional(list(NamedValue, 'Attributes of its own')),
  picture_ids: Type.Optional(Type.Array(text('Picture', 100), { maxItems: 12, description: 'Its pictures, by id' })),
  seller_custom_field: Type.Optional(textOrNull('Code of the seller')),
}
export const SentVariation = Type.Object(VARIATION, {
  'x-message': 'must be an object',
  examples: [
    {
      price: 12999,
      available_quantity: 3,
      attribute_combinations: [{ id: 'COLOR', value_name: 'Azul' }],
    },
  ],
})
export type SentVariation = Static<typeof SentVariation> & { id?: number }
const VariationOfList = Type.Object({
  id: Type.Optional(Type.Integer({ minimum: 1, description: 'A variation that stays; without it: a new one' })),
  ...VARIATION,
})

const SHARED = {
  condition: OneOf([...CONDITIONS], { description: 'State of the article', examples: ['new'] }),
  pictures: Type.Array(SentPicture, {
    description: 'All pictures, at most 12',
    'x-message': 'must be a list of objects',
  }),
  attributes: list(NamedValue, 'Attributes'),
  sale_terms: list(NamedValue, 'Conditions of the sale'),
  shipping: SentShipping,
  video_id: textOrNull('Video'),
  warranty: textOrNull('Warranty'),
  seller_custom_field: textOrNull('Code of the seller'),
  category_id: text('A category without others below it', 100),
  listing_type_id: OneOf([...LISTING_TYPES], {
    description: 'How prominently it is shown',
    examples: ['gold_special'],
  }),
  buying_mode: OneOf([...BUYING_MODES], { description: 'How it is bought', examples: ['buy_it_now'] }),
  subtitle: textOrNull('Second line of the title'),
  variations: list(VariationOfList, 'Variations'),
}

const LongText = Type.String({ pattern: '^[^\\u0000]*$', description: 'Text, without markup' })
export const NewDescription = Type.Object(
  { plain_text: { ...LongText, 'x-message': 'must be a string without U+0000' } },
  { 'x-message': 'must be a JSON object', examples: [{ plain_text: 'Calabaza curada, con bombilla.' }] },
)

/** A new listing. All members are optional here: those that must be there have a cause of their own. */
export const NewListing = Type.Object({
  ...Type.Partial(Type.Object(SHARED)).properties,
  title: Type.Optional(Type.String({ pattern: '^[^\\u0000]*$', description: 'Title; or family_name' })),
  family_name: Type.Optional(text('Title of the family that it belongs to')),
  price: Type.Optional(Type.Number({ description: 'Price', examples: [12999] })),
  currency_id: Type.Optional(OneOf(CURRENCY_IDS, { description: 'Currency of the price', examples: ['ARS'] })),
  available_quantity: Type.Optional(Quantity),
  description: Type.Optional(Type.Union([LongText, NewDescription], { description: 'Text below the listing' })),
  catalog_product_id: Type.Optional(textOrNull('Product of the catalogue')),
  catalog_listing: Type.Optional(Type.Boolean({ description: 'Listed on the page of that product' })),
  official_store_id: Type.Optional(Nullable(Type.Integer(), { description: 'Official store' })),
  status: Type.Optional(OneOf(['active', 'paused'], { description: 'State of the listing' })),
})
export type NewListing = Static<typeof NewListing>

/** As routes declare it: they read it themselves. */
export const NewListingBody = {
  ...NewListing,
  'x-read': 'route',
  examples: [
    {
      title: 'Mate de calabaza',
      category_id: 'MLA3530',
      price: 12999,
      currency_id: 'ARS',
      available_quantity: 5,
      buying_mode: 'buy_it_now',
      listing_type_id: 'gold_special',
      pictures: [{ source: 'https://example.com/mate.jpg' }],
    },
  ],
}

/** What a seller may change [spec: items.change]. */
export const ItemChange = Type.Object(
  {
    status: Type.Optional(
      OneOf(['active', 'paused', 'closed'], {
        description: 'State of the listing; closed is final, and closes its unanswered questions',
        examples: ['paused'],
      }),
    ),
    title: Type.Optional(Title),
    price: Type.Optional(Price),
    available_quantity: Type.Optional(Quantity),
    ...Type.Partial(Type.Object(SHARED)).properties,
    deleted: Type.Optional(
      Type.Union([Type.Boolean(), OneOf(['true', 'false'])], {
        description: 'true: removes a closed listing',
        'x-message': 'must be true or false',
      }),
    ),
  },
  { 'x-message': 'must be a JSON object', examples: [{ status: 'paused', available_quantity: 5 }] },
)
export type ItemChange = Static<typeof ItemChange>

export const Relisting = Type.Object(
  {
    price: Type.Optional(Price),
    quantity: Type.Optional(Quantity),
    listing_type_id: Type.Optional(SHARED.listing_type_id),
  },
  { default: {}, 'x-message': 'must be a JSON object', examples: [{ price: 12999, quantity: 5 }] },
)
export type Relisting = Static<typeof Relisting>

const warnings = Type.Array(Type.Unknown(), { description: 'What the marketplace would rather have' })
export const CreatedItem = shape(
  { ...Item.properties, warnings: Type.Optional(warnings) },
  { title: 'CreatedItem', description: 'The new listing' },
)

interface Known {
  properties?: Record<string, Known>
  items?: Known
  anyOf?: Known[]
}

/** The members that a schema names, in any depth; texts in the form in which they are stored. */
export function knownMembers<T extends TSchema>(schema: T, value: unknown): Static<T> {
  const { properties, items } = (schema as Known).anyOf?.find((one) => one.properties) ?? (schema as Known)
  if (typeof value === 'string') return value.toWellFormed() as Static<T>
  if (Array.isArray(value)) return value.map((one) => knownMembers(items as TSchema, one)) as Static<T>
  if (typeof value !== 'object' || value === null) return value as Static<T>
  const names = Object.keys(value).filter((name) => Object.hasOwn(properties ?? {}, name))
  const members = value as Record<string, unknown>
  return Object.fromEntries(
    names.map((name) => [name, knownMembers(properties![name] as TSchema, members[name])]),
  ) as Static<T>
}
