import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '../shared/schemas.ts'
import { ACTIVATE_ITEM, CHECK_ITEM, DEACTIVATE_ITEM, READ_ITEM } from './checks.ts'
import { itemDown } from './errors.ts'
import { requireSwitchableItem, switchItem } from './item_operations.ts'
import { Done, FlexItems, HasFlex, ItemParams } from './schemas.ts'

const config = { resource: FlexItems, access: 'token' } as const
const errorSchemas = errorResponses(400, 401, 403, 404)
const WRITES = [
  { method: 'POST', on: true, checks: ACTIVATE_ITEM, summary: 'Offer a listing with Flex' },
  { method: 'DELETE', on: false, checks: DEACTIVATE_ITEM, summary: 'Stop offering a listing with Flex' },
] as const

const items: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/sites/:site_id/shipping/selfservice/items/:item_id',
    {
      config: { ...config, checks: CHECK_ITEM },
      schema: {
        summary: 'Check that a listing is offered with Flex',
        params: ItemParams,
        response: { 204: Done, ...errorSchemas },
      },
    },
    async ({ world, caller, params }, reply) => {
      const item = await requireSwitchableItem(world.read, caller.user_id, params.site_id, params.item_id)
      if (!item.in_flex) throw itemDown('flex.items.state')
      return reply.code(204).send()
    },
  )

  app.get(
    '/flex/sites/:site_id/items/:item_id/v2',
    {
      config: { ...config, checks: READ_ITEM },
      schema: {
        summary: 'Tell whether a listing is offered with Flex (newer)',
        params: ItemParams,
        response: { 200: HasFlex, ...errorSchemas },
      },
    },
    async ({ world, caller, params }) => {
      const item = await requireSwitchableItem(world.read, caller.user_id, params.site_id, params.item_id)
      return { has_flex: item.in_flex === 1 }
    },
  )

  for (const [url, newer] of [
    ['/sites/:site_id/shipping/selfservice/items/:item_id', ''],
    ['/flex/sites/:site_id/items/:item_id/v2', ' (newer)'],
  ] as const)
    for (const { method, on, checks, summary } of WRITES)
      app.route({
        method,
        url,
        config: { ...config, checks },
        schema: { summary: summary + newer, params: ItemParams, response: { 204: Done, ...errorSchemas } },
        handler: async ({ world, caller, params }, reply) => {
          await world.tx((q) => switchItem(q, world, caller.user_id, { ...params, on }))
          return reply.code(204).send()
        },
      })
}
export default items
