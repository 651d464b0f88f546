import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static, TSchema } from '@sinclair/typebox'
import { errorResponses } from '../shared/schemas.ts'
import { assignFirstDriver } from '../shipments/driver_operations.ts'
import { shipmentById } from '../shipments/queries.ts'
import { userById } from '../users/queries.ts'
import { parseObjectBody } from './bodies.ts'
import { changeSettingsChecks, REGISTER_COURIER, readSettingsChecks } from './checks.ts'
import { alreadyAssigned, noSuchShipment } from './errors.ts'
import { presentCoverage, presentHolidays, presentRanges } from './newer_present.ts'
import {
  CourierShipment,
  Coverage,
  CoverageBody,
  DeliveryRanges,
  DeliveryRangesBody,
  Holidays,
  HolidaysBody,
  ShowAvailables,
} from './newer_schemas.ts'
import { Assignments, Configurations, Done, ServiceParams, UserParams } from './schemas.ts'
import { requireSettings, type SettingKind, updateSettings } from './setting_operations.ts'
import { requireOwnUser } from './subscription_routes.ts'

interface SettingRoute {
  path: `${string}/v1`
  kind: SettingKind
  /** What is read or set. */
  subject: string
  answer: TSchema
  body: TSchema
  present(source: Parameters<typeof presentCoverage>[0]): object
}

const SETTING_ROUTES: SettingRoute[] = [
  {
    path: 'coverage/zones/v1',
    kind: 'zones',
    subject: 'the zones that FLEX serves, and their cutoffs',
    answer: Coverage,
    body: CoverageBody,
    present: presentCoverage,
  },
  {
    path: 'delivery-ranges/v1',
    kind: 'ranges',
    subject: 'when FLEX or TURBO delivers, and how much',
    answer: DeliveryRanges,
    body: DeliveryRangesBody,
    present: presentRanges,
  },
  {
    path: 'holidays/v1',
    kind: 'holidays',
    subject: 'the holidays on which FLEX does not deliver',
    answer: Holidays,
    body: HolidaysBody,
    present: presentHolidays,
  },
]

const newer: FastifyPluginAsyncTypebox = async (app) => {
  for (const { path, kind, subject, answer, body, present } of SETTING_ROUTES) {
    const url = `/flex/sites/:site_id/users/:user_id/services/:service_id/configurations/${path}`
    const config = { resource: Configurations, access: 'token' } as const
    app.get(
      url,
      {
        config: { ...config, checks: readSettingsChecks(kind) },
        schema: {
          summary: `Read ${subject} (newer)`,
          params: ServiceParams,
          ...(kind !== 'holidays' && { querystring: ShowAvailables }),
          response: { 200: answer, ...errorResponses(400, 401, 403, 404) },
        },
      },
      async ({ world, caller, params, query }) => {
        const { show_availables = '' } = query as Static<typeof ShowAvailables>
        const row = await requireSettings(world.read, caller.user_id, kind, params)
        const user = (await userById(world.read, row.user_id))!
        const showAvailables = /^(true|1)$/i.test(show_availables)
        return present({ row, user, now: world.clock.now(), showAvailables })
      },
    )

    app.put(
      url,
      {
        config: { ...config, checks: changeSettingsChecks(kind) },
        schema: {
          summary: `Set ${subject} (newer)`,
          description: 'All or nothing, as the older paths. Not while the status is `out`.',
          params: ServiceParams,
          body,
          response: { 204: Done, ...errorResponses(400, 401, 403, 404, 413) },
        },
      },
      async ({ world, caller, params, body }, reply) => {
        const settings = parseObjectBody(body, 'flex.settings.ids')
        await world.tx((q) => updateSettings(q, caller.user_id, kind, params, settings, world.clock.now()))
        return reply.code(204).send()
      },
    )
  }

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
export default newer
