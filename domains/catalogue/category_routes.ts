import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { siteNotFound } from '../shared/errors.ts'
import { errorResponses } from '../shared/schemas.ts'
import { isSite, type SiteId } from '../users/sites.ts'
import { attributesOf, saleTermsOf, specificationsOf } from './attributes.ts'
import {
  type CategoryNode,
  categoryById,
  isClassified,
  leafOfDomain,
  nameOf,
  othersOf,
  pathOf,
  presentCategory,
  rootsOf,
  settingsOf,
} from './categories.ts'
import { OF_CATEGORY, OF_DOMAIN, OF_SITE } from './checks.ts'
import { matchCategories, presentMatch } from './discovery.ts'
import { categoryNotFound, domainNotFound } from './errors.ts'
import { listingTypesOf } from './listing_types.ts'
import { countsByCategory } from './queries.ts'
import {
  Category,
  CategoryAttribute,
  CategoryName,
  CategoryParams,
  CategoryShipping,
  DomainParams,
  DomainSpecifications,
  FoundDomain,
  ListingTypeName,
  PredictedCategory,
  SiteParams,
  Specifications,
} from './schemas.ts'

const Categories = { name: 'Categories', description: 'What kinds of products a site has, and what each asks for' }
const config = { resource: Categories, access: 'public', checks: OF_CATEGORY } as const

/** Throws 404. */
export function siteOf({ site_id }: { site_id: string }): SiteId {
  if (!isSite(site_id)) throw siteNotFound(site_id, 'site_id')
  return site_id
}
function categoryOf({ category_id }: { category_id: string }): CategoryNode {
  const node = categoryById(category_id)
  if (!node) throw categoryNotFound(category_id)
  return node
}
function leafOf({ domain_id }: { domain_id: string }): CategoryNode {
  const node = leafOfDomain(domain_id)
  if (!node) throw domainNotFound(domain_id)
  return node
}

const tree: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/sites/:site_id/categories',
    {
      config: { ...config, checks: OF_SITE },
      schema: {
        summary: 'List the categories at the top of a site',
        params: SiteParams,
        response: { 200: Type.Array(CategoryName), ...errorResponses(401, 404) },
      },
    },
    async ({ params }) => rootsOf(siteOf(params)).map(nameOf),
  )

  app.get(
    '/categories/:category_id',
    {
      config,
      schema: {
        summary: 'Read one category',
        params: CategoryParams,
        response: { 200: Category, ...errorResponses(401, 404) },
      },
    },
    async ({ world, params }) => {
      const node = categoryOf(params)
      const counts = await countsByCategory(world.read, node.site_id)
      return presentCategory(
        node,
        new Map(counts.map(({ category_id, n }) => [category_id ?? othersOf(node.site_id), n])),
      )
    },
  )
}

const parts: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/categories/:category_id/attributes',
    {
      config,
      schema: {
        summary: 'List the attributes of a category',
        params: CategoryParams,
        response: { 200: Type.Array(CategoryAttribute), ...errorResponses(401, 404) },
      },
    },
    async ({ params }) => attributesOf(categoryOf(params)),
  )

  app.get(
    '/categories/:category_id/technical_specs/input',
    {
      config,
      schema: {
        summary: 'Read the form of the attributes of a category',
        params: CategoryParams,
        response: { 200: Specifications, ...errorResponses(401, 404) },
      },
    },
    async ({ params }) => specificationsOf(categoryOf(params)),
  )

  app.get(
    '/categories/:category_id/sale_terms',
    {
      config,
      schema: {
        summary: 'List the terms of sale of a category',
        params: CategoryParams,
        response: { 200: Type.Array(CategoryAttribute), ...errorResponses(401, 404) },
      },
    },
    async ({ params }) => saleTermsOf(categoryOf(params)),
  )

  app.get(
    '/categories/:category_id/listing_types',
    {
      config,
      schema: {
        summary: 'List the listing types of a category',
        params: CategoryParams,
        response: { 200: Type.Array(ListingTypeName), ...errorResponses(401, 404) },
      },
    },
    async ({ params }) => listingTypesOf(categoryOf(params).site_id),
  )

  app.get(
    '/categories/:category_id/shipping_preferences',
    {
      config,
      schema: {
        summary: 'Read how listings of a category are shipped',
        params: CategoryParams,
        response: { 200: CategoryShipping, ...errorResponses(401, 404) },
      },
    },
    async ({ params }) => {
      const node = categoryOf(params)
      const isShipped = node.leaf !== undefined && !isClassified(node)
      return {
        category_id: node.id,
        dimensions: isShipped
          ? { height: 10, width: 15, length: 20, weight: 500 }
          : { height: null, width: null, length: null, weight: null },
        logistics: [
          ...(isShipped ? [{ mode: 'me2', types: ['drop_off', 'self_service', 'cross_docking', 'fulfillment'] }] : []),
          { mode: 'not_specified', types: ['default'] },
        ],
        restricted: false,
      }
    },
  )
}

const domains: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/catalog_domains/:domain_id/categories',
    {
      config: { ...config, checks: OF_DOMAIN },
      schema: {
        summary: 'List the categories of a domain',
        params: DomainParams,
        response: { 200: Type.Array(CategoryName), ...errorResponses(401, 404) },
      },
    },
    async ({ params }) => [nameOf(leafOf(params))],
  )

  app.get(
    '/domains/:domain_id/technical_specs',
    {
      config: { ...config, checks: OF_DOMAIN },
      schema: {
        summary: 'Read the forms of the attributes of a domain',
        params: DomainParams,
        response: { 200: DomainSpecifications, ...errorResponses(401, 404) },
      },
    },
    async ({ params }) => {
      const leaf = leafOf(params)
      return { input: specificationsOf(leaf), output: specificationsOf(leaf, { isOutput: true }) }
    },
  )

  app.get(
    '/sites/:site_id/domain_discovery/search',
    {
      config: { ...config, checks: OF_SITE },
      schema: {
        summary: 'Find the categories that a text is about',
        description: 'Its words are compared with the names of the categories and the titles of the listings in them.',
        params: SiteParams,
        querystring: Type.Object({
          q: Type.String({
            maxLength: 1000,
            description: 'Name of a product',
            examples: ['parlante negro'],
            'x-message': 'must be a text',
            'x-rule': 'catalogue.discovery.text',
          }),
          limit: Type.Integer({
            minimum: 1,
            maximum: 8,
            default: 4,
            description: 'Categories, 1 to 8',
            examples: [1],
            'x-message': 'must be an integer from 1 to 8',
            'x-rule': 'catalogue.discovery.limit',
          }),
        }),
        response: { 200: Type.Array(FoundDomain), ...errorResponses(400, 401, 404) },
      },
    },
    async ({ world, params, query: { q, limit } }) =>
      (await matchCategories(world.read, siteOf(params), q)).slice(0, limit).map((match) => presentMatch(match, q)),
  )

  app.get(
    '/sites/:site_id/category_predictor/predict',
    {
      config: { ...config, checks: OF_SITE },
      schema: {
        summary: 'Predict the category of a title',
        description: 'An older form of domain discovery. Nothing fits: the category "Others", with probability 0.',
        params: SiteParams,
        querystring: Type.Object({
          title: Type.String({
            maxLength: 1000,
            description: 'Title of a listing',
            examples: ['Parlante bluetooth'],
            'x-message': 'must be a text',
            'x-rule': 'catalogue.predictor',
          }),
        }),
        response: { 200: PredictedCategory, ...errorResponses(400, 401, 404) },
      },
    },
    async ({ world, params, query: { title } }) => {
      const site_id = siteOf(params)
      const [best = { node: categoryById(othersOf(site_id))!, share: 0 }] = await matchCategories(
        world.read,
        site_id,
        title,
      )
      return {
        ...nameOf(best.node),
        prediction_probability: best.share,
        path_from_root: pathOf(best.node),
        settings: settingsOf(best.node),
        shipping_modes: isClassified(best.node) ? ['not_specified'] : ['me2', 'not_specified', 'custom'],
      }
    },
  )
}

const categories: FastifyPluginAsyncTypebox = async (app) => {
  await tree(app, {})
  await parts(app, {})
  await domains(app, {})
}
export default categories
