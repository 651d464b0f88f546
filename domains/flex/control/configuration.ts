import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Q } from '../../../db/engine.ts'
import { viewable } from '../../shared/control_schemas.ts'
import { errorResponses } from '../../shared/schemas.ts'
import { userById } from '../../users/queries.ts'
import { subscriptionNotFound } from '../errors.ts'
import { type SubscriptionRow, subscriptionById } from '../queries.ts'
import { changeSettings, changeZones } from '../setting_operations.ts'
import { config } from './config.ts'
import { presentSettings, presentZoneList, Settings, SettingsBody, Zones, ZonesBody } from './configuration_schemas.ts'
import { SubscriptionParams } from './subscription_schemas.ts'

const RULES =
  'The values are checked as those that the seller sends; settings of a subscription that is `out` cannot be changed.'

const configuration: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/flex/subscriptions/:id/configuration',
    {
      config: viewable(config),
      schema: {
        summary: 'Read when and how far a subscription delivers',
        params: SubscriptionParams,
        response: { 200: Settings, ...errorResponses(404) },
      },
    },
    async ({ world, params: { id } }) => presentSettings(await requireSubscription(world.read, id)),
  )

  app.put(
    '/flex/subscriptions/:id/configuration',
    {
      config,
      schema: {
        summary: 'Change when and how far a subscription delivers',
        description: `Settings that are left out stay. ${RULES} All or nothing.`,
        params: SubscriptionParams,
        body: SettingsBody,
        response: { 200: Settings, ...errorResponses(400, 404, 413) },
      },
    },
    async ({ world, params: { id }, body }) =>
      presentSettings(await world.tx(async (q) => changeSettings(q, await requireSubscription(q, id), body))),
  )

  app.get(
    '/flex/subscriptions/:id/zones',
    {
      config: viewable(config),
      schema: {
        summary: 'List the zones that a subscription can serve, and does serve',
        params: SubscriptionParams,
        response: { 200: Zones, ...errorResponses(404) },
      },
    },
    async ({ world, params: { id } }) => listZones(world.read, await requireSubscription(world.read, id)),
  )

  app.put(
    '/flex/subscriptions/:id/zones',
    {
      config,
      schema: {
        summary: 'Set the zones that a subscription serves',
        description: `They replace the previous ones. ${RULES}`,
        params: SubscriptionParams,
        body: ZonesBody,
        response: { 200: Zones, ...errorResponses(400, 404, 413) },
      },
    },
    async ({ world, params: { id }, body }) =>
      world.tx(async (q) => listZones(q, await changeZones(q, await requireSubscription(q, id), body))),
  )
}
export default configuration

async function requireSubscription(q: Q, id: number): Promise<SubscriptionRow> {
  const row = await subscriptionById(q, id)
  if (!row) throw subscriptionNotFound(id)
  return row
}

const listZones = async (q: Q, row: SubscriptionRow) => presentZoneList(row, (await userById(q, row.user_id))!)
