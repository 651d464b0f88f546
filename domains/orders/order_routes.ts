import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { notOwnedPack, packNotFound } from '../shared/errors.ts'
import { routesOf } from '../shared/routes.ts'
import { errorResponses } from '../shared/schemas.ts'
import { shape } from '../shared/shape.ts'
import { CHANGE_ORDER, READ_ORDER, READ_PACK, SEARCH_ORDERS } from './checks.ts'
import { tagOrder } from './operations.ts'
import { presentOrder, presentPack } from './present.ts'
import { ordersOfPurchase, ownOrder, ownSale } from './queries.ts'
import { Order, OrderChange, OrderParams, Orders, Pack, PackParams } from './schemas.ts'
import { FoundOrders, OrderSearch, search } from './search.ts'

const searches: FastifyPluginAsyncTypebox = async (app) => {
  for (const variant of [undefined, 'recent', 'archived', 'pending'] as const)
    app.get(
      variant ? `/orders/search/${variant}` : '/orders/search',
      {
        config: { resource: Orders, access: 'token', checks: SEARCH_ORDERS },
        schema: {
          operationId: variant ? `search${variant[0]!.toUpperCase()}${variant.slice(1)}Orders` : 'searchOrders',
          summary: variant ? `Search ${variant} orders of the caller` : 'Search the orders of the caller',
          description:
            'By `seller` the caller’s sales, by `buyer` its purchases, with another filter its sales. Filters may be combined. Dates are cut to the hour. Sellers do not find orders without payment, and cancelled ones only by `order.status`; orders older than twelve months are not found.',
          querystring: OrderSearch,
          response: { 200: FoundOrders, ...errorResponses(400, 401, 403) },
        },
      },
      async ({ world, caller, query }) => search(world, caller, query, variant),
    )
}

const single: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/orders/:order_id',
    {
      config: { resource: Orders, access: 'token', checks: READ_ORDER },
      schema: {
        operationId: 'readOrder',
        summary: 'Read one order',
        description: 'For its seller and its buyer. An order older than twelve months is 404.',
        params: OrderParams,
        response: { 200: Order, ...errorResponses(400, 401, 403, 404) },
      },
    },
    async ({ world, caller, params: { order_id } }) =>
      presentOrder(world.read, world, await ownOrder(world.read, world, caller.user_id, order_id)),
  )

  app.put(
    '/orders/:order_id',
    {
      config: { resource: Orders, access: 'token', checks: CHANGE_ORDER },
      schema: {
        summary: 'Say whether an order was delivered',
        description: 'The tags `delivered` and `not_delivered` replace each other; the seller only.',
        params: OrderParams,
        body: OrderChange,
        response: { 200: Order, ...errorResponses(400, 401, 403, 404, 413) },
      },
    },
    async ({ world, caller, params: { order_id }, body }) =>
      world.tx(async (q) => {
        const order = await ownSale(q, world, caller.user_id, order_id)
        return presentOrder(q, world, await tagOrder(q, world, order, body.tags))
      }),
  )
}

const Packs = { name: 'Packs', description: 'What a buyer bought at once', id: 'pack_id' }

const packs: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/packs/:pack_id',
    {
      config: { resource: Packs, access: 'token', checks: READ_PACK },
      schema: {
        summary: 'Read the orders of a pack',
        description: 'Only those of the caller. The id of an order without a pack answers a pack of that order.',
        params: PackParams,
        response: { 200: Pack, ...errorResponses(401, 403, 404) },
      },
    },
    async ({ world, caller: { user_id }, params: { pack_id } }) => {
      const orders = await ordersOfPurchase(world.read, world, pack_id)
      if (orders.length === 0) throw packNotFound()
      const own = orders.filter(({ seller_id, buyer_id }) => seller_id === user_id || buyer_id === user_id)
      if (own.length === 0) throw notOwnedPack()
      return presentPack(pack_id, own)
    },
  )
}

/** What the sandbox has no data of: [path, summary, the answer]. */
const EMPTY = [
  ['product', 'Read the attributes of the product of a sale', { attributes: [] }],
  ['discounts', 'Read the discounts of a sale', { details: [] }],
] as const

export const others: FastifyPluginAsyncTypebox = async (app) => {
  for (const [path, summary, answer] of EMPTY)
    app.get(
      `/orders/:order_id/${path}`,
      {
        config: { resource: Orders, access: 'token', checks: READ_ORDER },
        schema: {
          summary,
          params: OrderParams,
          response: { 200: shape<object>(answer), ...errorResponses(400, 401, 403, 404) },
        },
      },
      async ({ world, caller, params: { order_id } }) => {
        await ownOrder(world.read, world, caller.user_id, order_id)
        return answer
      },
    )
}
export default routesOf(searches, single, packs)
