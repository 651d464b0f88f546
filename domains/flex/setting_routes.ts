import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static, TSchema } from '@sinclair/typebox'
import { routesOf } from '../shared/routes.ts'
import { errorResponses } from '../shared/schemas.ts'
import { userById } from '../users/queries.ts'
import { parseObjectBody } from './bodies.ts'
import { changeSettingsChecks, readSettingsChecks } from './checks.ts'
import { presentCoverage, presentHolidays, presentRanges } from './newer_present.ts'
import {
  Coverage,
  CoverageBody,
  DeliveryRanges,
  DeliveryRangesBody,
  Holidays,
  HolidaysBody,
  ShowAvailables,
} from './newer_schemas.ts'
import { presentDelivery, presentRadius, presentZones } from './present.ts'
import type { SubscriptionRow } from './queries.ts'
import {
  AccurateDelivery,
  Configurations,
  CustomDelivery,
  Delivery,
  Done,
  RadiusCoverage,
  ServedRadius,
  ServedZones,
  ServiceParams,
  ZoneCoverage,
} from './schemas.ts'
import { requireSettings, type SettingKind, updateSettings } from './setting_operations.ts'

const config = { resource: Configurations, access: 'token' } as const

interface UpdateRoute {
  path: `${'delivery' | 'coverage'}/${SettingKind}/v3`
  kind: SettingKind
  summary: string
  body: TSchema
  answer: TSchema
  present: (row: SubscriptionRow) => object
}

/** FLEX has custom ranges and zones, TURBO accurate ranges and a radius. */
const UPDATE_ROUTES: UpdateRoute[] = [
  {
    path: 'delivery/custom/v3',
    kind: 'custom',
    summary: 'Set when FLEX delivers, and how much',
    body: CustomDelivery,
    answer: Delivery,
    present: presentDelivery,
  },
  {
    path: 'coverage/zone/v3',
    kind: 'zone',
    summary: 'Set the zones that FLEX serves',
    body: ZoneCoverage,
    answer: ServedZones,
    present: presentZones,
  },
  {
    path: 'delivery/accurate/v3',
    kind: 'accurate',
    summary: 'Set when TURBO delivers, and how much',
    body: AccurateDelivery,
    answer: Delivery,
    present: presentDelivery,
  },
  {
    path: 'coverage/radius/v3',
    kind: 'radius',
    summary: 'Set the radius that TURBO serves',
    body: RadiusCoverage,
    answer: ServedRadius,
    present: presentRadius,
  },
]

const updates: FastifyPluginAsyncTypebox = async (app) => {
  for (const { path, kind, summary, body, answer, present } of UPDATE_ROUTES)
    app.put(
      `/shipping/flex/sites/:site_id/users/:user_id/services/:service_id/configuration/${path}`,
      {
        config: { ...config, checks: changeSettingsChecks(kind) },
        schema: {
          summary,
          description:
            'All or nothing: a refusal, which names the field, changes nothing. Not while the status is `out`.',
          params: ServiceParams,
          body,
          response: { 200: answer, ...errorResponses(400, 401, 403, 404, 413) },
        },
      },
      async ({ world, caller, params, body }) => {
        const settings = parseObjectBody(body, 'flex.settings.ids')
        return present(
          await world.tx((q) => updateSettings(q, { caller, kind, key: params }, settings, world.clock.now())),
        )
      },
    )
}

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
        const row = await requireSettings(world.read, { caller, kind, key: params })
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
        await world.tx((q) => updateSettings(q, { caller, kind, key: params }, settings, world.clock.now()))
        return reply.code(204).send()
      },
    )
  }
}

/** The settings of the older paths, then those of the newer ones. */
export default routesOf(updates, newer)
