import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { forbidden } from '../../http/errors/errors.ts'
import { routesOf } from '../shared/routes.ts'
import { errorResponses } from '../shared/schemas.ts'
import { assignFirstDriver } from '../shipments/driver_operations.ts'
import { shipmentById } from '../shipments/queries.ts'
import { type UserRow, userById } from '../users/queries.ts'
import { answerQuery } from './answer_cache.ts'
import {
  ACTIVATE_ITEM,
  CHECK_ITEM,
  DEACTIVATE_ITEM,
  LIST_SUBSCRIPTIONS,
  newerItemChecks,
  QUERY_CONFIGURATION,
  READ_ASSIGNMENT,
  READ_ITEM,
  REGISTER_COURIER,
} from './checks.ts'
import {
  alreadyAssigned,
  itemDown,
  noSuchShipment,
  shipmentNotFound,
  subscriptionsNotFound,
  userNotFound,
} from './errors.ts'
import { requireSwitchableItem, switchInUnit } from './item_operations.ts'
import { CourierShipment } from './newer_schemas.ts'
import { presentNewerSubscription, presentSubscription } from './present.ts'
import { subscriptionOf, subscriptionsOf } from './queries.ts'
import {
  Assignment,
  Assignments,
  ConfigurationQuery,
  Configurations,
  Done,
  FlexItems,
  HasFlex,
  ItemParams,
  NewerSubscription,
  SelectedConfiguration,
  ShipmentParams,
  SiteParams,
  Subscription,
  Subscriptions,
  UserParams,
} from './schemas.ts'
import settings from './setting_routes.ts'

const errorSchemas = errorResponses(400, 401, 403, 404)

const subscriptions: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/shipping/flex/sites/:site_id/users/:user_id/subscriptions/v1',
    {
      config: { resource: Subscriptions, access: 'token', checks: LIST_SUBSCRIPTIONS },
      schema: {
        summary: 'List the Flex subscriptions of a seller',
        description:
          'FLEX alone, or FLEX and TURBO, from the seller’s own address; none for a user without Flex. Only one’s own.',
        params: UserParams,
        response: { 200: Type.Array(Subscription), ...errorSchemas },
      },
    },
    async (request) => {
      const { world, params } = request
      await requireOwnUser(request, params.user_id)
      const rows = await subscriptionsOf(world.read, params.site_id, params.user_id)
      return rows.filter(({ origin }) => origin === '').map(presentSubscription)
    },
  )

  app.get(
    '/flex/sites/:site_id/users/:user_id/subscriptions/v1',
    {
      config: { resource: Subscriptions, access: 'token', checks: LIST_SUBSCRIPTIONS },
      schema: {
        summary: 'List the Flex subscriptions of a seller (newer)',
        description:
          'The same subscriptions, and those from other origins, in another shape and with two more statuses.',
        params: UserParams,
        response: { 200: Type.Array(NewerSubscription), ...errorSchemas },
      },
    },
    async (request) => {
      const { world, params } = request
      const user = await requireOwnUser(request, params.user_id)
      const rows = await subscriptionsOf(world.read, params.site_id, params.user_id)
      return rows.map((row) => presentNewerSubscription(row, user))
    },
  )
}

const configuration: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/shipping/flex/sites/:site_id/configuration/v3',
    {
      config: { resource: Configurations, access: 'token', checks: QUERY_CONFIGURATION, keepsState: true },
      schema: {
        summary: 'Query the configuration of a subscription',
        description: QUERY_DESCRIPTION,
        params: SiteParams,
        body: ConfigurationQuery,
        response: { 200: SelectedConfiguration, ...errorResponses(400, 401, 403, 404, 413) },
      },
    },
    async (request, reply) => {
      const { world, params, body } = request
      const text = await answerQuery(body, world.clock.now(), async (user_id, service_id) => {
        const user = await requireOwnUser(request, user_id)
        const row = await subscriptionOf(world.read, { site_id: params.site_id, user_id, service_id })
        if (!row) throw subscriptionsNotFound()
        return { row, user }
      })
      // Serialized JSON; the type provider expects the object.
      return reply.type('application/json; charset=utf-8').send(text as never)
    },
  )
}

const QUERY_DESCRIPTION =
  'A GraphQL query over `configuration(user_id: Int, service_id: Int)`; the answer has no `data` around it. Any selection, aliases, fragments, variables and operation names; no introspection but `__typename`. `Int` has 53 bits here. At most 1,000 tokens, 10 levels, 50 aliases. Fields: `address{id address_line city{id name} zip_code}`, `subscription{site_id user_id service_id status{id} creation_date training_times{original{value unit} remaining{value unit} activation_date}}`, `delivery_window`, `is_moderated`, `delivery_ranges{week saturday sunday}` each `{capacity type processing_time from to et_hour calculated_cutoff}`, `working_days`, `zones{enabled id is_mandatory label neighborhoods price{cents currency_id decimal_separator fraction symbol} selected}`, `radius`, `availables{capacity_range{from to} cutoff ranges accurate_ranges{from to} radius_range{from to}}`, `disabled_features`.'

const couriers: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/flex/sites/:site_id/users/:user_id/courier-shipment/v1',
    {
      config: { resource: Assignments, access: 'token', checks: REGISTER_COURIER },
      schema: {
        summary: 'Tell that a courier carries a shipment',
        description: 'The caller becomes the driver of a shipment without one. Publishes an event.',
        params: UserParams,
        body: CourierShipment,
        response: { 204: Done, ...errorResponses(400, 401, 403, 404, 409, 413) },
      },
    },
    async (request, reply) => {
      const { world, params, body } = request
      const { id: driver_id } = await requireOwnUser(request, params.user_id)
      const { shipment_id: id } = body
      await world.tx(async (q) => {
        if ((await shipmentById(q, id))?.site_id !== params.site_id) throw noSuchShipment()
        if (!(await assignFirstDriver(q, world, id, driver_id))) throw alreadyAssigned()
      })
      return reply.code(204).send()
    },
  )
}

const shipments: FastifyPluginAsyncTypebox = async (app) => {
  for (const version of ['v1', 'v2'])
    app.get(
      `/flex/sites/:site_id/shipments/:shipment_id/assignment/${version}`,
      {
        config: { resource: Assignments, access: 'token', checks: READ_ASSIGNMENT },
        schema: {
          summary: version === 'v1' ? 'Read who carries a shipment' : 'Read who carries a shipment (newer)',
          description: 'Only while its driver is on the way, and only to its seller.',
          params: ShipmentParams,
          response: { 200: Assignment, ...errorResponses(400, 401, 404) },
        },
      },
      async ({ world, caller, params: { site_id, shipment_id } }) => {
        const shipment = await shipmentById(world.read, shipment_id)
        const isOwn = shipment?.site_id === site_id && shipment.seller_id === caller.user_id
        if (!isOwn || shipment.driver_id === null || !shipment.route_open) throw shipmentNotFound()
        return { driver_id: shipment.driver_id }
      },
    )
}

const config = { resource: FlexItems, access: 'token' } as const
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

  for (const [url, isNewer] of [
    ['/sites/:site_id/shipping/selfservice/items/:item_id', false],
    ['/flex/sites/:site_id/items/:item_id/v2', true],
  ] as const)
    for (const { method, on, checks, summary } of WRITES)
      app.route({
        method,
        url,
        config: { ...config, checks: isNewer ? newerItemChecks(checks) : checks },
        schema: {
          summary: isNewer ? `${summary} (newer)` : summary,
          params: ItemParams,
          response: { 204: Done, ...errorSchemas, ...(isNewer && errorResponses(409)) },
        },
        handler: async ({ world, caller, params }, reply) => {
          await switchInUnit(world, caller.user_id, { ...params, on }, isNewer)
          return reply.code(204).send()
        },
      })
}

export default routesOf(subscriptions, configuration, settings, couriers, items, shipments)

/** The user of a request. Throws 404 if there is no such user, 403 if it is not the caller [spec: flex.order]. */
async function requireOwnUser({ world, caller }: FastifyRequest, user_id: number): Promise<UserRow> {
  const user = await userById(world.read, user_id)
  if (!user) throw userNotFound()
  if (user_id !== caller.user_id) throw forbidden('flex.rights')
  return user
}
