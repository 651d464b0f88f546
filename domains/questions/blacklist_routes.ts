import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Q } from '../../db/engine.ts'
import { forbidden } from '../../http/errors/errors.ts'
import { userNotFound } from '../shared/errors.ts'
import { errorResponses } from '../shared/schemas.ts'
import { userById } from '../users/queries.ts'
import { BLOCK_LIST } from './checks.ts'
import { block, unblock } from './operations.ts'
import { blockedBuyers, countBlocked } from './queries.ts'
import { Blocked, BlockedBuyers, BlockedParams, BlockedQuery, Blocking, Questions, SellerParams } from './schemas.ts'

const BlockList = {
  name: 'Question block list',
  description: 'Buyers whose questions a seller does not take',
  id: 'buyer_id',
  family: Questions.name,
}

const blacklist: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/users/:seller_id/questions_blacklist',
    {
      config: { resource: BlockList, access: 'token', checks: BLOCK_LIST },
      schema: {
        summary: 'List the buyers that the caller has blocked',
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
    '/users/:seller_id/questions_blacklist',
    {
      config: { resource: BlockList, access: 'token', checks: BLOCK_LIST },
      schema: {
        summary: 'Take no more questions from a buyer',
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
    '/users/:seller_id/questions_blacklist/:buyer_id',
    {
      config: { resource: BlockList, access: 'token', checks: BLOCK_LIST },
      schema: {
        summary: 'Take questions from a buyer again',
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
  if (seller_id !== caller) throw forbidden('questions.blacklist.rights')
}
