import { type Static, Type } from '@sinclair/typebox'
import { LISTING_TYPES } from '../items/details.ts'
import { OneOf, ResponseObject } from '../shared/schemas.ts'
import { decimal, orNull, shape } from '../shared/shape.ts'

const text = (description: string, example: string) => Type.String({ description, examples: [example] })

export const SiteParams = Type.Object({ site_id: text('Site', 'MLA') })
export const CategoryParams = Type.Object({ category_id: text('Category', 'MLA7001') })
export const DomainParams = Type.Object({ domain_id: text('Domain', 'MLA-SPEAKERS') })

const NAME = { id: 'MLA7001', name: 'Parlantes' }
export const CategoryName = shape(NAME, { title: 'CategoryName', description: 'A category by its name' })
export type CategoryName = Static<typeof CategoryName>

const settings = {
  adult_content: false,
  buying_allowed: true,
  buying_modes: ['buy_it_now'],
  catalog_domain: orNull('MLA-SPEAKERS'),
  coverage_areas: 'not_allowed',
  currencies: ['ARS'],
  fragile: false,
  immediate_payment: 'required',
  item_conditions: ['new'],
  items_reviews_allowed: true,
  listing_allowed: true,
  max_description_length: 50_000,
  max_pictures_per_item: 12,
  max_pictures_per_item_var: 10,
  max_sub_title_length: 70,
  max_title_length: 60,
  max_variations_allowed: 100,
  maximum_price: null,
  minimum_price: orNull(1),
  price: 'required',
  restrictions: [],
  shipping_options: ['custom'],
  status: 'enabled',
  stock: 'required',
  vertical: 'consumerGoods',
} as const

export const Category = shape(
  {
    ...NAME,
    picture: orNull('https://http2.example.com/categories/MLA1000.png'),
    permalink: null,
    total_items_in_this_category: 3,
    path_from_root: [NAME],
    children_categories: [{ ...NAME, total_items_in_this_category: 3 }],
    attribute_types: 'attributes',
    settings,
    channels_settings: [],
    meta_categ_id: null,
    attributable: true,
    date_created: '2018-04-25T08:12:56.000Z',
  },
  {
    title: 'Category',
    description: 'A category of a site',
    notes: {
      total_items_in_this_category: 'Active listings',
      path_from_root: 'The categories above it, and itself',
      listing_allowed: 'Listings are in leaves only',
    },
  },
)
export type Category = Static<typeof Category>

const tag = Type.Optional(Type.Literal(true))
const AttributeTags = ResponseObject(
  {
    required: tag,
    catalog_required: tag,
    allow_variations: tag,
    hidden: tag,
    variation_attribute: tag,
  },
  { description: 'What is true of it; other members are missing' },
)
const attribute = {
  id: 'BRAND',
  name: 'Marca',
  tags: AttributeTags,
  hierarchy: 'PARENT_PK',
  relevance: 1,
  value_type: OneOf(['string', 'number', 'number_unit', 'list', 'boolean'], { description: 'Kind of its values' }),
  value_max_length: orNull(255),
  values: [{ id: '52049', name: 'Negro' }],
  allowed_units: [{ id: 'cm', name: 'cm' }],
  default_unit: orNull('cm'),
  hint: null,
  tooltip: null,
  attribute_group_id: 'OTHERS',
  attribute_group_name: 'Otros',
} as const
export const CategoryAttribute = shape(attribute, {
  title: 'CategoryAttribute',
  description: 'An attribute that listings of a category can have',
})
export type CategoryAttribute = Static<typeof CategoryAttribute>

export const Specifications = shape(
  {
    groups: [
      {
        ...{ id: 'MAIN', label: 'Características principales', relevance: 1, section: 'MAIN' },
        components: [{ component: 'TEXT_INPUT', label: 'Marca', attributes: [attribute] }],
      },
    ],
  },
  { title: 'TechnicalSpecifications', description: 'The form of the attributes of a category' },
)
export const DomainSpecifications = ResponseObject(
  { input: Specifications, output: Specifications },
  { title: 'DomainSpecifications', description: 'How sellers fill in the attributes, and how buyers see them' },
)

export const CategoryShipping = shape(
  {
    category_id: 'MLA7001',
    dimensions: { height: orNull(10), width: orNull(15), length: orNull(20), weight: orNull(500) },
    logistics: [{ mode: 'me2', types: ['drop_off'] }],
    restricted: false,
  },
  {
    title: 'CategoryShipping',
    description: 'How listings of a category are shipped',
    notes: { dimensions: 'Usual size in cm, and weight in g; null for what is not shipped' },
  },
)

export const FoundDomain = shape(
  {
    domain_id: 'MLA-SPEAKERS',
    domain_name: 'Parlantes',
    category_id: 'MLA7001',
    category_name: 'Parlantes',
    attributes: [{ id: 'COLOR', name: 'Color', value_id: '52049', value_name: 'Negro' }],
  },
  {
    title: 'FoundDomain',
    description: 'A category that a text is about',
    notes: { attributes: 'Values that the text names' },
  },
)

export const PredictedCategory = shape(
  { ...NAME, prediction_probability: decimal(0.9), path_from_root: [NAME], settings, shipping_modes: ['me2'] },
  { title: 'PredictedCategory', description: 'The category that fits a title best' },
)

export const ListingTypeName = shape(
  { site_id: 'MLA', id: OneOf([...LISTING_TYPES], { description: 'Listing type' }), name: 'Clásica' },
  { title: 'ListingTypeName', description: 'A way to be listed' },
)
