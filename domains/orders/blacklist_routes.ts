import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Q } from '../../db/engine.ts'
import { forbidden } from '../../http/errors/errors.ts'
import { userNotFound } from '../shared/errors.ts'
import { Limit, Offset } from '../shared/paging.ts'
import { errorResponses, ResponseObject, UserId, UserIdInPath } from '../shared/schemas.ts'
import { userById } from '../users/queries.ts'
import { BLOCK_LIST } from './after_sale_checks.ts'
import { block, blockedBuyers, countBlocked, unblock } from './blocked_queries.ts'
import { Orders } from './schemas.ts'

const SellerParams = Type.Object({ seller_id: UserIdInPath(userNotFound) })
const BlockedParams = Type.Object({ ...SellerParams.properties, buyer_id: UserIdInPath(userNotFound) })
const BlockedQuery = Type.Object({ limit: Limit(100), offset: Offset })
const Blocking = Type.Object(
  { user_id: UserId },
  { 'x-message': 'must be a JSON object with user_id', examples: [{ user_id: 2500001011 }] },
)
const Blocked = ResponseObject({ user_id: UserId }, { description: 'The buyer' })
const BlockedBuyers = ResponseObject(
  {
    paging: ResponseObject(
      {
        total: Type.Integer({ description: 'Buyers on the list' }),
        offset: Type.Integer({ description: 'As applied' }),
        limit: Type.Integer({ description: 'As applied' }),
      },
      { description: 'Which part of the list this is' },
    ),
    users: Type.Array(ResponseObject({ id: UserId }), { description: 'Buyers to whom the seller does not sell' }),
  },
  { title: 'BuyersBlockedFromOrders', description: 'The block list' },
)

const BlockList = {
  name: 'Order block list',
  description: 'Buyers to whom a seller does not sell',
  id: 'buyer_id',
  family: Orders.name,
}

const blacklist: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/users/:seller_id/order_blacklist',
    {
      config: { resource: BlockList, access: 'token', checks: BLOCK_LIST },
      schema: {
        summary: 'List the buyers to whom the caller sells nothing',
        params: SellerParams,
        querystring: BlockedQuery,
        response: { 200: BlockedBuyers, ...errorResponses(400, 401, 403, 404) },
      },
    },
    async ({ world, caller, params: { seller_id }, query: { limit, offset } }) => {
      await requireOwnList(world.read, seller_id, caller.user_id)
      const users = await blockedBuyers(world.read, seller_id, limit, offset)
      return { paging: { total: await countBlocked(world.read, seller_id), offset, limit }, users }
    },
  )

  app.post(
    '/users/:seller_id/order_blacklist',
    {
      config: { resource: BlockList, access: 'token', checks: BLOCK_LIST },
      schema: {
        summary: 'Sell nothing more to a buyer',
        params: SellerParams,
        body: Blocking,
        response: { 200: Blocked, ...errorResponses(400, 401, 403, 404, 413) },
      },
    },
    async ({ world, caller, params: { seller_id }, body: { user_id } }) =>
      world.tx(async (q) => {
        await requireOwnList(q, seller_id, caller.user_id, { user_id })
        await block(q, seller_id, user_id, world.clock.now())
        return { user_id }
      }),
  )

  app.delete(
    '/users/:seller_id/order_blacklist/:buyer_id',
    {
      config: { resource: BlockList, access: 'token', checks: BLOCK_LIST },
      schema: {
        summary: 'Sell to a buyer again',
        params: BlockedParams,
        response: { 200: Blocked, ...errorResponses(401, 403, 404) },
      },
    },
    async ({ world, caller, params: { seller_id, buyer_id } }) =>
      world.tx(async (q) => {
        await requireOwnList(q, seller_id, caller.user_id, { buyer_id })
        await unblock(q, seller_id, buyer_id)
        return { user_id: buyer_id }
      }),
  )
}
export default blacklist

/**
 * Throws 404 unless the seller and the buyer exist, then 403 unless the seller is the caller. `buyer`: by the name of
 * the parameter.
 */
async function requireOwnList(
  q: Q,
  seller_id: number,
  caller: number,
  buyer: Record<string, number> = {},
): Promise<void> {
  for (const [name, id] of Object.entries({ seller_id, ...buyer }))
    if (!(await userById(q, id))) throw userNotFound(id, name)
  if (seller_id !== caller) throw forbidden('orders.blacklist.rights')
}
