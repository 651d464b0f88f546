import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '../shared/schemas.ts'
import { answerQuery } from './answer_cache.ts'
import { QUERY_CONFIGURATION } from './checks.ts'
import { subscriptionsNotFound } from './errors.ts'
import { subscriptionOf } from './queries.ts'
import { ConfigurationQuery, Configurations, SelectedConfiguration, SiteParams } from './schemas.ts'
import { requireOwnUser } from './subscription_routes.ts'

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
export default configuration

const QUERY_DESCRIPTION =
  'A GraphQL query over `configuration(user_id: Int, service_id: Int)`; the answer has no `data` around it. Any selection, aliases, fragments, variables and operation names; no introspection but `__typename`. `Int` has 53 bits here. At most 1,000 tokens, 10 levels, 50 aliases. Fields: `address{id address_line city{id name} zip_code}`, `subscription{site_id user_id service_id status{id} creation_date training_times{original{value unit} remaining{value unit} activation_date}}`, `delivery_window`, `is_moderated`, `delivery_ranges{week saturday sunday}` each `{capacity type processing_time from to et_hour calculated_cutoff}`, `working_days`, `zones{enabled id is_mandatory label neighborhoods price{cents currency_id decimal_separator fraction symbol} selected}`, `radius`, `availables{capacity_range{from to} cutoff ranges accurate_ranges{from to} radius_range{from to}}`, `disabled_features`.'
