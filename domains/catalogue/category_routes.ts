import { type Static, Type } from '@sinclair/typebox'
import type { FastifyPluginAsync } from 'fastify'
import type { Read } from '../shared/reads.ts'
import { ResponseObject } from '../shared/schemas.ts'
import { orNull, shape } from '../shared/shape.ts'
import type { SiteId } from '../users/sites.ts'
import { attributesOf, CategoryAttribute, Specifications, saleTermsOf, specificationsOf } from './attributes.ts'
import {
  Category,
  CategoryName,
  type CategoryNode,
  CategorySettings,
  categoryById,
  isClassified,
  nameOf,
  othersOf,
  pathOf,
  presentCategory,
  rootsOf,
  SAMPLE,
  settingsOf,
} from './categories.ts'
import { type Match, matchCategories, presentMatch } from './discovery.ts'
import { ListingTypeNames, listingTypesOf } from './listing_types.ts'
import { countsByCategory } from './queries.ts'
import { addReads, CATEGORY, DOMAIN, SITE } from './reads.ts'

async function readCategory(node: CategoryNode, { world }: Read) {
  const counts = await countsByCategory(world.read, node.site_id)
  return presentCategory(node, new Map(counts.map(({ category_id, n }) => [category_id ?? othersOf(node.site_id), n])))
}

function shippingOf(node: CategoryNode) {
  const isShipped = node.leaf !== undefined && !isClassified(node)
  const none = { height: null, width: null, length: null, weight: null }
  return {
    category_id: node.id,
    dimensions: isShipped ? { height: 10, width: 15, length: 20, weight: 500 } : none,
    logistics: [
      ...(isShipped ? [{ mode: 'me2', types: ['drop_off', 'self_service', 'cross_docking', 'fulfillment'] }] : []),
      { mode: 'not_specified', types: ['default'] },
    ],
    restricted: false,
  }
}
const CategoryShipping = shape(
  {
    ...shippingOf(SAMPLE),
    dimensions: { height: orNull(10), width: orNull(15), length: orNull(20), weight: orNull(500) },
  },
  { title: 'CategoryShipping', notes: { dimensions: 'Usual size in cm, and weight in g; null: it is not shipped' } },
)

const required = (description: string, example: string, rule: string) =>
  Type.String({ maxLength: 1000, description, examples: [example], 'x-message': 'must be a text', 'x-rule': rule })

const SearchedText = Type.Object({
  q: required('Name of a product', 'parlante negro', 'catalogue.discovery.text'),
  limit: Type.Integer({
    ...{ minimum: 1, maximum: 8, default: 4, description: 'Categories, 1 to 8', examples: [1] },
    ...{ 'x-message': 'must be an integer from 1 to 8', 'x-rule': 'catalogue.discovery.limit' },
  }),
})
const FoundDomain = shape(presentMatch({ node: SAMPLE, share: 1 }, 'parlante negro'), {
  title: 'FoundDomain',
  notes: { attributes: 'Values that the text names' },
})
async function discover(site_id: SiteId, { world, query: { q, limit } }: Read<Static<typeof SearchedText>>) {
  const matches = await matchCategories(world.read, site_id, q)
  return matches.slice(0, limit).map((match) => presentMatch(match, q))
}

const Title = Type.Object({ title: required('Title of a listing', 'Parlante bluetooth', 'catalogue.predictor') })
const presentPrediction = ({ node, share }: Match) => ({
  ...nameOf(node),
  prediction_probability: share,
  path_from_root: pathOf(node),
  settings: settingsOf(node),
  shipping_modes: isClassified(node) ? ['not_specified'] : ['me2', 'not_specified', 'custom'],
})
const PredictedCategory = shape(
  { ...presentPrediction({ node: SAMPLE, share: 0.9 }), path_from_root: [CategoryName], settings: CategorySettings },
  { title: 'PredictedCategory' },
)
async function predict(site_id: SiteId, { world, query: { title } }: Read<Static<typeof Title>>) {
  const [best] = await matchCategories(world.read, site_id, title)
  return presentPrediction(best ?? { node: categoryById(othersOf(site_id))!, share: 0 })
}

const Names = Type.Array(CategoryName)
const Attributes = Type.Array(CategoryAttribute)
const Domains = Type.Array(FoundDomain)
const Forms = ResponseObject({ input: Specifications, output: Specifications }, { title: 'DomainSpecifications' })
const resource = {
  name: 'Categories',
  description: 'What kinds of products a site has, and what each asks for',
  id: 'category_id',
}
const config = { resource, access: 'public' } as const

const categories: FastifyPluginAsync = async (app) => {
  const ofSite = '/sites/:site_id'
  addReads(app, config, SITE, [
    [`${ofSite}/categories`, 'List the categories at the top of a site', Names, (site) => rootsOf(site).map(nameOf)],
    [`${ofSite}/domain_discovery/search`, 'Find the categories that a text is about', Domains, discover, SearchedText],
    [`${ofSite}/category_predictor/predict`, 'Predict the category of a title', PredictedCategory, predict, Title],
  ])
  const one = '/categories/:category_id'
  const inputOf = (node: CategoryNode) => specificationsOf(node)
  addReads(app, config, CATEGORY, [
    [one, 'Read one category', Category, readCategory],
    [`${one}/attributes`, 'List the attributes of a category', Attributes, attributesOf],
    [`${one}/technical_specs/input`, 'Read the form of its attributes', Specifications, inputOf],
    [`${one}/sale_terms`, 'List the terms of sale of a category', Attributes, saleTermsOf],
    [`${one}/listing_types`, 'List its listing types', ListingTypeNames, ({ site_id }) => listingTypesOf(site_id)],
    [`${one}/shipping_preferences`, 'Read how its listings are shipped', CategoryShipping, shippingOf],
  ])
  const forms = (leaf: CategoryNode) => ({ input: inputOf(leaf), output: specificationsOf(leaf, { isOutput: true }) })
  addReads(app, config, DOMAIN, [
    ['/catalog_domains/:domain_id/categories', 'List the categories of a domain', Names, (leaf) => [nameOf(leaf)]],
    ['/domains/:domain_id/technical_specs', 'Read the forms of the attributes of a domain', Forms, forms],
  ])
}
export default categories
