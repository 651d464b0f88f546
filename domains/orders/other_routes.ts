import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '../shared/schemas.ts'
import { shape } from '../shared/shape.ts'
import { READ_ORDER } from './checks.ts'
import { ownOrder } from './queries.ts'
import { OrderParams, Orders } from './schemas.ts'

/** What the sandbox has no data of: [path, summary, the answer]. */
const EMPTY = [
  ['product', 'Read the attributes of the product of a sale', { attributes: [] }],
  ['discounts', 'Read the discounts of a sale', { details: [] }],
] as const

const others: FastifyPluginAsyncTypebox = async (app) => {
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
export default others
