import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Q } from '../../../db/engine.ts'
import type { World } from '../../../db/world.ts'
import { type ItemRow, itemById } from '../../items/queries.ts'
import { controlCall, StrictBody, viewable } from '../../shared/control_schemas.ts'
import { itemNotFound } from '../../shared/errors.ts'
import { routesOf } from '../../shared/routes.ts'
import { Bool, Id, ItemId, ItemIdInPath, Nullable, OneOf, ResponseObject } from '../../shared/schemas.ts'
import { ITEM_CONDITIONS, type ItemCondition, missingForFlex, setFlexOfItem } from '../item_operations.ts'
import { config } from '../schemas.ts'
import configuration from './configuration.ts'
import subscriptions from './subscriptions.ts'

const params = Type.Object({ id: ItemIdInPath(itemNotFound) })
const CONDITIONS = Object.entries(ITEM_CONDITIONS).map(([name, meaning]) => `${name}: ${meaning}`)
const has_flex = Bool('Whether the listing is offered with Flex')

const FlexItem = ResponseObject(
  {
    item_id: ItemId,
    seller_id: Id('Seller of the listing', 2500000101),
    has_flex,
    flex_lacks: Nullable(OneOf(Object.keys(ITEM_CONDITIONS) as ItemCondition[]), {
      description: `The first condition of Flex that is not met; null if all are. ${CONDITIONS.join('; ')}`,
    }),
  },
  { title: 'FlexItem', description: 'Flex of a listing' },
)

const items: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/flex/items/:id',
    controlCall(viewable(config), {
      summary: 'Read whether a listing is offered with Flex, or why it cannot be',
      params,
      answer: FlexItem,
    }),
    async ({ world, params: { id } }) => {
      const item = await itemById(world.read, id)
      if (!item) throw itemNotFound(id)
      return present(world.read, world, item)
    },
  )

  app.put(
    '/flex/items/:id',
    controlCall(config, {
      summary: 'Start or stop offering a listing with Flex',
      description: 'Rejected under the same conditions as the public call, but not if it is so already.',
      params,
      body: StrictBody({ has_flex }, { examples: [{ has_flex: true }] }),
      answer: FlexItem,
    }),
    async ({ world, params: { id }, body }) =>
      world.tx(async (q) => present(q, world, await setFlexOfItem(q, world, id, body.has_flex))),
  )
}
export default routesOf(subscriptions, configuration, items)

const present = async (q: Q, world: World, item: ItemRow) => ({
  item_id: item.id,
  seller_id: item.seller_id,
  has_flex: item.in_flex === 1,
  flex_lacks: await missingForFlex(q, world, item),
})
