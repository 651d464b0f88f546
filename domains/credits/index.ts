import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { answerErrors, type OnFault } from '../../plugins/errors.ts'
import { failures } from '../shared/atoms.ts'
import { creditsError, leadGone, leadNotFound } from './errors.ts'
import { isExpired, oldestAt } from './periods.ts'
import { presentDetail, presentFound } from './present.ts'
import { findLeads, leadById } from './queries.ts'
import { findTestLeads, isSandbox, testLeadById } from './sandbox.ts'
import { Credits, LeadDetail, LeadParams, LeadQuery, LeadSearch, SandboxHeaders, SearchQuery } from './schemas.ts'
import { askedOf, leadIdOf, sellerOf } from './search.ts'

const credits: FastifyPluginAsyncTypebox<{ onFault: OnFault }> = async (app, { onFault }) => {
  app.setErrorHandler(answerErrors(onFault, creditsError))

  app.get(
    '/vis/loans/search',
    {
      config: { resource: Credits, access: 'token' },
      schema: {
        operationId: 'searchLeads',
        summary: 'List the leads on the caller’s listings',
        description:
          'Newest first. Both dates are inclusive to the second, UTC, and echoed as sent. Leads older than three calendar months are not answered. An empty optional parameter counts as none. Refusals, in this order: token, `seller_id`, `date_from`, `date_to`, range, `item_id`, `status`, `financial_entity_id`, `limit`, `offset`.',
        headers: SandboxHeaders,
        querystring: SearchQuery,
        response: { 200: LeadSearch, ...failures(400, 401) },
      },
    },
    async ({ world, caller, query, headers }) => {
      const now = world.clock.now()
      const { criteria, page, date_from, date_to } = askedOf(query, caller.user_id, now)
      const { total, rows } = isSandbox(headers)
        ? findTestLeads(criteria, page, now)
        : await findLeads(world.read, criteria, page)
      const results = rows.map((row) => presentFound(row, now))
      return { results, paging: { total, offset: page.offset, limit: page.limit }, date_from, date_to }
    },
  )

  app.get(
    '/vis/loans/:credit_id',
    {
      config: { resource: Credits, access: 'token' },
      schema: {
        operationId: 'readLead',
        summary: 'Read one lead with its buyer',
        description:
          'Refusals, in this order: token, `seller_id`, the form of the id, 404 (unknown, another seller’s, older than three calendar months), 410 (expired).',
        headers: SandboxHeaders,
        params: LeadParams,
        querystring: LeadQuery,
        response: { 200: LeadDetail, ...failures(400, 401, 404, 410) },
      },
    },
    async ({ world, caller, params, query, headers }) => {
      const now = world.clock.now()
      const seller_id = sellerOf(query, caller.user_id)
      const id = leadIdOf(params.credit_id)
      const lead = isSandbox(headers)
        ? testLeadById(id, seller_id, now)
        : await leadById(world.read, { id, seller_id, since: oldestAt(now), until: now + 1 })
      if (!lead) throw leadNotFound()
      if (isExpired(lead, now)) throw leadGone()
      return presentDetail(lead)
    },
  )
}
export default credits
