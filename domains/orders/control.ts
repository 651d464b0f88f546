import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { CursorPage, controlConfig, readPeriod, viewable } from '../shared/control_schemas.ts'
import { readPastInstant } from '../shared/past_instants.ts'
import { routesOf } from '../shared/routes.ts'
import { errorResponses } from '../shared/schemas.ts'
import { toWellFormed } from '../shared/texts.ts'
import { buy } from './buy_operations.ts'
import {
  Bought,
  ControlOrderParams,
  NewPurchase,
  OrderCancellation,
  OrderList,
  OrderPatch,
  OrderRefund,
} from './control_schemas.ts'
import { cancel, pay, refund, requireOrder, setOrder } from './operations.ts'
import { presentOrder, presentOrders, presentPack } from './present.ts'
import { listOrders, ordersOfPack } from './queries.ts'
import { Order } from './schemas.ts'
import { cancelledUntil, orderAt } from './states.ts'
import type { OrderRow } from './tables.ts'

const config = controlConfig('Orders', 'Sales of any seller')

const reads: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/orders',
    {
      config: viewable(config),
      schema: {
        summary: 'List the orders of all sellers, also those that the API does not show',
        querystring: OrderList,
        response: { 200: CursorPage(Order, 'Newest first'), ...errorResponses(400, 404) },
      },
    },
    async ({ world, query: { q: text, before: cursor, limit, offset, since, until, status, ...filter } }) => {
      const now = world.clock.now()
      const filters = {
        ...{ ...filter, status, overdue: status && cancelledUntil(now), now: filter.shipping_status && now },
        ...readPeriod(since, until),
      }
      const { total, rows, next } = await listOrders(world.read, filters, { text, cursor, limit, offset })
      return {
        paging: { total, limit, offset, next_before: next },
        results: await presentOrders(world.read, world, rows),
      }
    },
  )

  app.get(
    '/orders/:id',
    {
      config: viewable(config),
      schema: {
        summary: 'Read an order',
        params: ControlOrderParams,
        response: { 200: Order, ...errorResponses(404) },
      },
    },
    async ({ world, params: { id } }) => presentOrder(world.read, world, await requireOrder(world.read, world, id)),
  )
}

/** A purchase with its first order. */
async function presentBought(q: Q, world: World, [first, ...others]: readonly OrderRow[]): Promise<Bought> {
  const orders = await presentOrders(q, world, [first!, ...others])
  const rows = first!.pack_id === null ? [] : await ordersOfPack(q, first!.pack_id)
  const now = world.clock.now()
  const { shipping } = orders[0]!
  return {
    order: orders[0]!,
    pack:
      rows.length === 0
        ? null
        : presentPack(
            first!.pack_id!,
            rows.map((row) => orderAt(row, now)),
          ),
    payments: orders.flatMap(({ payments }) => payments),
    shipment: shipping.id === null ? null : { id: shipping.id },
  }
}

const purchases: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/orders',
    {
      config,
      schema: {
        summary: 'Buy a listing, or several in a cart',
        description:
          'A paid order takes its units from the stock and publishes `orders_v2`, `payments` and `items`. One without payment is hidden from its seller until it is paid. 409 where fewer units are available, the listing is not active, or the seller has blocked the buyer.',
        body: NewPurchase,
        response: { 201: Bought, ...errorResponses(400, 404, 409, 413) },
      },
    },
    async ({ world, body }, reply) => {
      const { item_id, variation_id, quantity, price, items, date_created, ...purchase } = toWellFormed(body)
      if ((item_id === undefined) === (items === undefined))
        throw badRequest('item_id: either it or items is required, not both')
      const at = readPastInstant('date_created', date_created, world.clock.now())
      const bought = items ?? [{ item_id: item_id!, variation_id, quantity, price }]
      const answer = await world.tx(async (q) =>
        presentBought(q, world, await buy(q, world, { ...purchase, items: bought, date_created: at })),
      )
      return reply.code(201).send(answer)
    },
  )
}

const changes: FastifyPluginAsyncTypebox = async (app) => {
  const params = ControlOrderParams
  const response = { 200: Order, ...errorResponses(400, 404, 409, 413) }

  app.post(
    '/orders/:id/pay',
    {
      config,
      schema: {
        summary: 'Approve the payment of an order',
        description: 'Without enough stock the order is cancelled, and its payment refunded.',
        params,
        response: { 200: Order, ...errorResponses(404, 409) },
      },
    },
    async ({ world, params: { id } }) => world.tx(async (q) => presentOrder(q, world, await pay(q, world, id))),
  )

  app.post(
    '/orders/:id/cancel',
    {
      config,
      schema: {
        summary: 'Cancel an order',
        description: 'Refunds what was paid. The units return to the stock with `restock` only.',
        params,
        body: OrderCancellation,
        response,
      },
    },
    async ({ world, params: { id }, body }) =>
      world.tx(async (q) => presentOrder(q, world, await cancel(q, world, id, toWellFormed(body)))),
  )

  app.post(
    '/orders/:id/refund',
    {
      config,
      schema: { summary: 'Refund a part of an order, or all of it', params, body: OrderRefund, response },
    },
    async ({ world, params: { id }, body: { amount } }) =>
      world.tx(async (q) => presentOrder(q, world, await refund(q, world, id, amount))),
  )

  app.patch(
    '/orders/:id',
    {
      config,
      schema: {
        summary: 'Set the state or the tags of an order',
        description: 'Without any effect on stock, payments and shipment; publishes `orders_v2`.',
        params,
        body: OrderPatch,
        response: { 200: Order, ...errorResponses(400, 404, 413) },
      },
    },
    async ({ world, params: { id }, body }) =>
      world.tx(async (q) => presentOrder(q, world, await setOrder(q, world, id, body))),
  )
}

export default routesOf(reads, purchases, changes)
