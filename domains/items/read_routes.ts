import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { standardError } from '../../http/errors/answered_error.ts'
import type { CallChecks } from '../../http/errors/checks.ts'
import { badParameter } from '../../http/errors/errors.ts'
import { pick, requestedAttributes } from '../../http/projection.ts'
import { testItemById } from '../credits/test_subject_queries.ts'
import { itemNotFound } from '../shared/errors.ts'
import { errorResponses, IdInPath, splitCommaLists } from '../shared/schemas.ts'
import { READ_DESCRIPTION, READ_ITEM, READ_ITEMS, READ_VARIATION } from './checks.ts'
import { detailsOf } from './details.ts'
import { answerItem, answerVariations, presentDescription } from './present.ts'
import { ItemPrices, ItemSalePrice, pricesOf, salePriceOf } from './prices.ts'
import { descriptionOf, type ItemRow, itemById } from './queries.ts'
import {
  FoundItems,
  Item,
  ItemDescription,
  ItemParams,
  Items,
  ItemVariation,
  MAX_ITEMS,
  ManyItems,
  WithAttributes,
} from './schemas.ts'
import { descriptionNotFound, variationNotFound } from './validation.ts'

export const VariationParams = Type.Object({
  ...ItemParams.properties,
  variation_id: IdInPath('Variation identifier', 1400000001001, variationNotFound),
})

const config = { resource: Items, access: 'public', checks: READ_ITEM } as const

/** What is read of one listing beside itself. */
interface Part {
  path: `/items/:item_id/${string}`
  summary: string
  answer: TSchema
  /** Default: those of the listing. */
  checks?: CallChecks
  params?: TObject
  query?: typeof WithAttributes
  present(row: ItemRow, request: Reading): unknown
}

const PARTS: readonly Part[] = [
  {
    path: '/items/:item_id/description',
    summary: 'Read the description of a listing',
    answer: ItemDescription,
    checks: READ_DESCRIPTION,
    async present({ id }, { world }) {
      const row = await descriptionOf(world.read, id)
      if (!row) throw descriptionNotFound(id)
      return presentDescription(row)
    },
  },
  {
    path: '/items/:item_id/descriptions',
    summary: 'Read the description of a listing, as a list',
    answer: Type.Array(ItemDescription),
    async present({ id }, { world }) {
      const row = await descriptionOf(world.read, id)
      return row ? [presentDescription(row)] : []
    },
  },
  {
    path: '/items/:item_id/variations',
    summary: 'List the variations of a listing',
    answer: Type.Array(ItemVariation),
    query: WithAttributes,
    present: variationsOf,
  },
  {
    path: '/items/:item_id/variations/:variation_id',
    summary: 'Read one variation of a listing',
    answer: ItemVariation,
    checks: READ_VARIATION,
    params: VariationParams,
    query: WithAttributes,
    present(row, request) {
      const { variation_id } = request.params as Static<typeof VariationParams>
      const variation = variationsOf(row, request).find(({ id }) => id === variation_id)
      if (!variation) throw variationNotFound(variation_id)
      return variation
    },
  },
  {
    path: '/items/:item_id/prices',
    summary: 'List the prices of a listing',
    answer: ItemPrices,
    present: (row, { world }) => pricesOf(world, row),
  },
  {
    path: '/items/:item_id/sale_price',
    summary: 'Read the price that buyers pay',
    answer: ItemSalePrice,
    present: (row, { world }) => salePriceOf(world, row),
  },
]

const reads: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/items/:item_id',
    {
      config,
      schema: {
        summary: 'Read one listing',
        params: ItemParams,
        querystring: WithAttributes,
        response: { 200: Item, ...errorResponses(400, 401, 404) },
      },
    },
    async (request) =>
      answerItem(request.world, await readableItem(request, request.params.item_id), readerOf(request)),
  )

  // PUT reads, as GET does [spec: items.multiget.put].
  for (const method of ['GET', 'PUT'] as const)
    app.route({
      method,
      url: '/items',
      config: { resource: Items, access: 'public', checks: READ_ITEMS, projects: true },
      schema: {
        summary: method === 'GET' ? 'Read several listings' : 'Read several listings (the same as GET)',
        querystring: ManyItems,
        response: { 200: FoundItems, ...errorResponses(400, 401) },
      },
      handler: async (request) => {
        const ids = splitCommaLists(request.query.ids)
        if (ids.length < 1 || ids.length > MAX_ITEMS)
          throw badParameter('ids', ManyItems.properties.ids['x-message'], 'items.multiget')
        return Promise.all(ids.map((id) => multigetElement(request, id)))
      },
    })

  for (const { path, summary, answer, checks = READ_ITEM, params = ItemParams, query, present } of PARTS)
    app.get(
      path,
      {
        config: { ...config, checks },
        schema: {
          summary,
          params,
          ...(query && { querystring: query }),
          response: { 200: answer, ...(query && errorResponses(400)), ...errorResponses(401, 404) },
        },
      },
      async (request) => {
        const { item_id } = request.params as Static<typeof ItemParams>
        return present(await readableItem(request, item_id), request)
      },
    )
}
export default reads

/** Whatever else the schema of a route says of its query. */
type Reading = Pick<FastifyRequest, 'world' | 'caller'> & { params: unknown; query: unknown }

const readerOf = ({ caller, query }: Reading) => ({
  caller,
  withAllAttributes: (query as { include_attributes?: string }).include_attributes === 'all',
})

function variationsOf(row: ItemRow, request: Reading) {
  return answerVariations(request.world, row, readerOf(request))
}

/** A stored listing, or one that test leads name [spec: credits.test_leads.subjects]; not a deleted one of another seller. */
async function findItem({ world, caller }: Reading, id: string): Promise<ItemRow | undefined> {
  const row = (await itemById(world.read, id)) ?? (await testItemById(world.read, id))
  const isDeleted = row && detailsOf(row).sub_status?.includes('deleted')
  return isDeleted && caller?.user_id !== row.seller_id ? undefined : row
}

async function readableItem(request: Reading, id: string): Promise<ItemRow> {
  const row = await findItem(request, id)
  if (!row) throw itemNotFound(id)
  return row
}

/** `attributes` applies to `body`; a selected `status` is also beside it [spec: items.multiget.status]. */
async function multigetElement(request: FastifyRequest, id: string) {
  const row = await findItem(request, id)
  if (!row) return { code: 404, body: standardError(itemNotFound(id)) }
  const names = requestedAttributes(request.query)
  const item = await answerItem(request.world, row, readerOf(request))
  if (!names) return { code: 200, body: item }
  const body = pick(item, names) as Partial<Item>
  return names.has('status') ? { code: 200, body, status: item.status } : { code: 200, body }
}
