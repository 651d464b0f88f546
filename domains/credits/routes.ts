import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { createErrorHandler, type OnFault } from '../../http/errors/error_handler.ts'
import { errorResponses, membersOf } from '../shared/schemas.ts'
import { READ_LEAD, SEARCH_LEADS } from './checks.ts'
import { leadExpired, leadNotFound, toCreditsError } from './errors.ts'
import { isExpired, presentLead } from './lifetime.ts'
import { parseLeadId, parseSearch, requireOwnSeller } from './parse_search.ts'
import { findLeads, leadById } from './queries.ts'
import { Credits, Lead, LeadDetail, LeadInPath, LeadQuery, LeadSearch, SandboxHeaders, SearchQuery } from './schemas.ts'
import { findTestLeads, testLeadById, wantsTestLeads } from './test_leads.ts'

const leadOf = membersOf(Lead)
const detailOf = membersOf(LeadDetail)

const credits: FastifyPluginAsyncTypebox<{ onFault: OnFault }> = async (app, { onFault }) => {
  app.setErrorHandler(createErrorHandler(onFault, toCreditsError))

  app.get(
    '/vis/loans/search',
    {
      config: { resource: Credits, access: 'token', checks: SEARCH_LEADS },
      schema: {
        operationId: 'searchLeads',
        summary: 'List the leads on the caller’s listings',
        description:
          'Newest first. Both dates are inclusive to the second, UTC, and echoed as sent. Leads older than three calendar months are not found. An empty optional parameter counts as none. Refusals, in this order: token, `seller_id`, `date_from`, `date_to`, range, `item_id`, `status`, `financial_entity_id`, `limit`, `offset`.',
        headers: SandboxHeaders,
        querystring: SearchQuery,
        response: { 200: LeadSearch, ...errorResponses(400, 401) },
      },
    },
    async ({ world, caller, query, headers }) => {
      const now = world.clock.now()
      const { criteria, page, date_from, date_to } = parseSearch(query, caller.user_id, now)
      const { total, rows } = wantsTestLeads(headers)
        ? findTestLeads(criteria, page, now)
        : await findLeads(world.read, criteria, page)
      const results = rows.map((row) => leadOf(presentLead(row, now)))
      return { results, paging: { total, offset: page.offset, limit: page.limit }, date_from, date_to }
    },
  )

  app.get(
    '/vis/loans/:credit_id',
    {
      config: { resource: Credits, access: 'token', checks: READ_LEAD },
      schema: {
        operationId: 'readLead',
        summary: 'Read one lead with its buyer',
        description:
          'Refusals, in this order: token, `seller_id`, the form of the id, 404 (unknown, another seller’s), 410 (expired, of any age).',
        headers: SandboxHeaders,
        params: LeadInPath,
        querystring: LeadQuery,
        response: { 200: LeadDetail, ...errorResponses(400, 401, 404, 410) },
      },
    },
    async ({ world, caller, params, query, headers }) => {
      const now = world.clock.now()
      const seller_id = requireOwnSeller(query, caller.user_id)
      const id = parseLeadId(params.credit_id)
      const lead = wantsTestLeads(headers)
        ? testLeadById(id, seller_id, now)
        : await leadById(world.read, { id, seller_id, until: now + 1 })
      if (!lead) throw leadNotFound()
      if (isExpired(lead, now)) throw leadExpired()
      const { buyer_id, first_name, last_name, email, phone } = lead
      const buyer = { id: buyer_id, full_name: `${first_name} ${last_name}`, email, phone }
      return detailOf({ ...presentLead(lead, now), buyer })
    },
  )
}
export default credits
