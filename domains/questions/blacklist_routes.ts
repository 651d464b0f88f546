import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Blocked, BlockedBuyers, BlockedParams, BlockedQuery, Blocking, SellerParams } from '../shared/block_list.ts'
import { errorResponses } from '../shared/schemas.ts'
import { BLOCK_LIST } from './checks.ts'
import { blockList } from './queries.ts'
import { Questions } from './schemas.ts'

const QuestionBlockList = BlockedBuyers('BlockedBuyers', 'Buyers whose questions the seller does not take')

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
        response: { 200: QuestionBlockList, ...errorResponses(400, 401, 403, 404) },
      },
    },
    async ({ world, caller, params: { seller_id }, query }) => {
      await blockList.requireOwn(world.read, seller_id, caller.user_id)
      return blockList.page(world.read, seller_id, query)
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
        await blockList.requireOwn(q, seller_id, caller.user_id, { user_id })
        await blockList.add(q, seller_id, user_id, world.clock.now())
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
        await blockList.requireOwn(q, seller_id, caller.user_id, { buyer_id })
        await blockList.remove(q, seller_id, buyer_id)
        return { user_id: buyer_id }
      }),
  )
}
export default blacklist
