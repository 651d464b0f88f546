import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { CallChecks } from '../../http/errors/checks.ts'
import type { Resource } from '../../http/fastify_types.ts'
import type { BlockList } from './block_list_queries.ts'
import { userNotFound } from './errors.ts'
import { Limit, Offset } from './paging.ts'
import { errorResponses, ResponseObject, UserId, UserIdInPath } from './schemas.ts'

// The buyers that sellers have blocked: those of questions and those of orders are two lists with the same calls.

const SellerParams = Type.Object({ seller_id: UserIdInPath(userNotFound) })
const BlockedParams = Type.Object({ ...SellerParams.properties, buyer_id: UserIdInPath(userNotFound) })
const BlockedQuery = Type.Object({ limit: Limit(100), offset: Offset })
const Blocking = Type.Object(
  { user_id: UserId },
  { 'x-message': 'must be a JSON object with user_id', examples: [{ user_id: 2500001011 }] },
)
const Blocked = ResponseObject({ user_id: UserId }, { description: 'The buyer' })
/** A page of a list; `users`: who is on it. */
const BlockedBuyers = (title: string, users: string) =>
  ResponseObject(
    {
      paging: ResponseObject(
        {
          total: Type.Integer({ description: 'Buyers on the list' }),
          offset: Type.Integer({ description: 'As applied' }),
          limit: Type.Integer({ description: 'As applied' }),
        },
        { description: 'Which part of the list this is' },
      ),
      users: Type.Array(ResponseObject({ id: UserId }), { description: users }),
    },
    { title, description: 'The block list' },
  )

interface Texts {
  resource: Resource
  /** Title and description of the schema. */
  title: string
  users: string
  /** Summaries of the three calls. */
  list: string
  block: string
  unblock: string
}

/** The calls of a block list, below a path such as `/users/:seller_id/order_blacklist`. */
export const blockListRoutes =
  (path: string, blockList: BlockList, checks: CallChecks, texts: Texts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const config = { resource: texts.resource, access: 'token', checks } as const
    app.get(
      path,
      {
        config,
        schema: {
          summary: texts.list,
          params: SellerParams,
          querystring: BlockedQuery,
          response: { 200: BlockedBuyers(texts.title, texts.users), ...errorResponses(400, 401, 403, 404) },
        },
      },
      async ({ world, caller, params: { seller_id }, query }) => {
        await blockList.requireOwn(world.read, seller_id, caller.user_id)
        return blockList.page(world.read, seller_id, query)
      },
    )

    app.post(
      path,
      {
        config,
        schema: {
          summary: texts.block,
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
      `${path}/:buyer_id`,
      {
        config,
        schema: {
          summary: texts.unblock,
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
