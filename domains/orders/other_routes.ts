import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '../shared/schemas.ts'
import { shape } from '../shared/shape.ts'
import { READ_ORDER } from './checks.ts'
import { ownOrder } from './queries.ts'
import { OrderParams, Orders } from './schemas.ts'

const Product = shape({ attributes: [] })
const Discounts = shape({ details: [] })

const others: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/orders/:order_id/product',
    {
      config: { resource: Orders, access: 'token', checks: READ_ORDER },
      schema: {
        summary: 'Read the attributes of the product of a sale',
        params: OrderParams,
        response: { 200: Product, ...errorResponses(400, 401, 403, 404) },
      },
    },
    async ({ world, caller, params: { order_id } }) => {
      await ownOrder(world.read, world, caller.user_id, order_id)
      return { attributes: [] }
    },
  )

  app.get(
    '/orders/:order_id/discounts',
    {
      config: { resource: Orders, access: 'token', checks: READ_ORDER },
      schema: {
        summary: 'Read the discounts of a sale',
        params: OrderParams,
        response: { 200: Discounts, ...errorResponses(400, 401, 403, 404) },
      },
    },
    async ({ world, caller, params: { order_id } }) => {
      await ownOrder(world.read, world, caller.user_id, order_id)
      return { details: [] }
    },
  )
}
export default others
