import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { utcOrNull } from '../shared/instants.ts'
import { routesOf } from '../shared/routes.ts'
import { errorResponses, Instant, ItemId, parseInstantParameter } from '../shared/schemas.ts'
import { decimal, orNull, shape } from '../shared/shape.ts'
import { LIST_IN_CATALOGUE, LIST_PROMOTIONS, PROMOTE_ITEM, UNPROMOTE_ITEM } from './checks.ts'
import { setItemState } from './control_operations.ts'
import { currentPrice } from './details.ts'
import { changeDetails } from './operations.ts'
import { requireOpen, requireOwnItem, writeOwnItem } from './own_operations.ts'
import { answerItem } from './present.ts'
import type { ItemRow } from './queries.ts'
import { Item, ItemParams, Items } from './schemas.ts'
import { dealPriceTooHigh } from './validation.ts'

const Promotions = { name: 'Promotions', description: 'The promotion of a listing of the caller', id: 'item_id' }
const config = { resource: Promotions, access: 'token' } as const

const AMOUNTS = { price: decimal(900), original_price: orNull(decimal(1000)) }
const Prices = shape(AMOUNTS, {
  title: 'PromotedPrice',
  notes: { original_price: 'The price before; null: no promotion' },
})
const ItemPromotions = Type.Array(
  shape(
    {
      ...{ type: 'PRICE_DISCOUNT', status: 'started', ...AMOUNTS, original_price: decimal(1000) },
      finish_date: orNull('2026-03-09T12:00:00.000Z'),
    },
    {
      title: 'ItemPromotion',
      description: 'A promotion of a listing',
      notes: { finish_date: 'null: it does not end' },
    },
  ),
)
const NewPromotion = Type.Object(
  {
    deal_price: Type.Number({
      exclusiveMinimum: 0,
      description: 'The lower price',
      examples: [900],
      'x-message': 'must be a number above 0',
    }),
    finish_date: Type.Optional(Instant('When it ends; default: never', '2026-03-09T12:00:00.000Z')),
  },
  { 'x-message': 'must be a JSON object', examples: [{ deal_price: 900 }] },
)

/** Sets the promotion of an open listing, or lifts it with null. */
async function promote(
  q: Q,
  world: World,
  row: ItemRow,
  promotion: { price: number; until: number | null } | null,
): Promise<ItemRow> {
  requireOpen(row, 'price')
  const { price, original_price } = currentPrice(world, row)
  if (promotion && promotion.price >= (original_price ?? price)) throw dealPriceTooHigh(original_price ?? price)
  return setItemState(q, world, row, { promotion })
}

const promotions: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/seller-promotions/items/:item_id',
    {
      config: { ...config, checks: LIST_PROMOTIONS },
      schema: {
        summary: 'List the promotion of a listing of the caller',
        params: ItemParams,
        response: { 200: ItemPromotions, ...errorResponses(401, 403, 404) },
      },
    },
    async ({ world, caller, params: { item_id } }) => {
      const row = await requireOwnItem(world.read, caller.user_id, item_id)
      const { price, original_price } = currentPrice(world, row)
      if (original_price === null) return []
      const finish_date = utcOrNull(row.promotion_until)
      return [{ type: 'PRICE_DISCOUNT', status: 'started', price, original_price, finish_date }]
    },
  )

  app.post(
    '/seller-promotions/items/:item_id',
    {
      config: { ...config, checks: PROMOTE_ITEM },
      schema: {
        summary: 'Lower the price of a listing of the caller for a time',
        description: 'Replaces the present promotion. Other members are ignored.',
        params: ItemParams,
        body: NewPromotion,
        response: { 201: Prices, ...errorResponses(400, 401, 403, 404, 413) },
      },
    },
    async ({ world, caller, params: { item_id }, body: { deal_price: price, finish_date } }, reply) => {
      const until = finish_date === undefined ? null : parseInstantParameter('finish_date', finish_date)
      const row = await writeOwnItem(world, caller.user_id, item_id, (q, row) =>
        promote(q, world, row, { price, until }),
      )
      return reply.code(201).send(currentPrice(world, row))
    },
  )

  app.delete(
    '/seller-promotions/items/:item_id',
    {
      config: { ...config, checks: UNPROMOTE_ITEM },
      schema: {
        summary: 'End the promotion of a listing of the caller',
        params: ItemParams,
        response: { 200: Prices, ...errorResponses(400, 401, 403, 404, 413) },
      },
    },
    async ({ world, caller, params: { item_id } }) =>
      currentPrice(world, await writeOwnItem(world, caller.user_id, item_id, (q, row) => promote(q, world, row, null))),
  )
}

const catalogueListings: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/items/catalog_listings',
    {
      config: { resource: Items, access: 'token', checks: LIST_IN_CATALOGUE },
      schema: {
        operationId: 'listInCatalogue',
        summary: 'Put a listing of the caller on the page of a product of the catalogue',
        body: Type.Object(
          {
            item_id: { ...ItemId, 'x-message': 'must be the id of a listing' },
            catalog_product_id: Type.String({
              ...{ minLength: 1, maxLength: 50, description: 'Product of the catalogue', examples: ['MLA12345678'] },
              'x-message': 'must be a text',
            }),
          },
          { 'x-message': 'must be a JSON object' },
        ),
        response: { 201: Item, ...errorResponses(400, 401, 403, 404, 413) },
      },
    },
    async ({ world, caller, body: { item_id, catalog_product_id } }, reply) => {
      const row = await writeOwnItem(world, caller.user_id, item_id, async (q, before) => {
        requireOpen(before, 'catalog_product_id')
        return changeDetails(q, world, before, { catalog_product_id, catalog_listing: true })
      })
      return reply.code(201).send(await answerItem(world, row, { caller }))
    },
  )
}

export default routesOf(promotions, catalogueListings)
