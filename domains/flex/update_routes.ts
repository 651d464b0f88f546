import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { TSchema } from '@sinclair/typebox'
import { errorResponses } from '../shared/schemas.ts'
import { parseObjectBody } from './bodies.ts'
import { changeSettingsChecks } from './checks.ts'
import { presentDelivery, presentRadius, presentZones } from './present.ts'
import type { SubscriptionRow } from './queries.ts'
import {
  AccurateDelivery,
  Configurations,
  CustomDelivery,
  Delivery,
  RadiusCoverage,
  ServedRadius,
  ServedZones,
  ServiceParams,
  ZoneCoverage,
} from './schemas.ts'
import { type SettingKind, updateSettings } from './setting_operations.ts'

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
        config: { resource: Configurations, access: 'token', checks: changeSettingsChecks(kind) },
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
          await world.tx((q) => updateSettings(q, caller.user_id, kind, params, settings, world.clock.now())),
        )
      },
    )
}
export default updates
