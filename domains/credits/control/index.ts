import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from '@sinclair/typebox'
import type { Q } from '../../../db/engine.ts'
import type { World } from '../../../db/world.ts'
import { badRequest } from '../../../http/errors/control_errors.ts'
import { itemById } from '../../items/queries.ts'
import { controlConfig, TextCursorPage, viewable } from '../../shared/control_schemas.ts'
import { itemNotFound } from '../../shared/errors.ts'
import { readPastInstant } from '../../shared/past_instants.ts'
import { errorResponses } from '../../shared/schemas.ts'
import { firstTestBuyer } from '../../users/buyer_queries.ts'
import { leadNotFound } from '../errors.ts'
import { listLeads } from '../list_queries.ts'
import { createLead, decideLead, expireLead, unexpireLead } from '../operations.ts'
import { expiredUntil, isExpired } from '../periods.ts'
import { type LeadRow, leadOfAnySeller } from '../queries.ts'
import { termsOf } from '../terms.ts'
import { AnyLead, LeadChange, LeadList, LeadParams, NewLead, presentAnyLead } from './schemas.ts'

const config = controlConfig('Credits', 'Leads of pre-approved credits')

/** Creates a lead, with defaults from the listing. Throws 400 for dates and if there is no buyer, before createLead. */
async function createLeadWithDefaults(q: Q, world: World, input: Static<typeof NewLead>): Promise<LeadRow> {
  const { item_id, id, date_created, financial_entity_id = 'MERCADO_PAGO', ...rest } = input
  const at = readPastInstant('date_created', date_created, world.clock.now())
  const item = await itemById(q, item_id)
  if (!item) throw itemNotFound(item_id)
  const buyer_id = input.buyer_id ?? (await firstTestBuyer(q, item_id))
  if (buyer_id === undefined)
    throw badRequest('buyer_id: is required, because the site of the listing has no test buyer')
  return createLead(q, world, {
    ...rest,
    ...termsOf(item.price, input),
    item_id,
    buyer_id,
    financial_entity_id,
    ...(at !== undefined && { date_created: at }),
    ...(id !== undefined && { id: id.toLowerCase() }),
  })
}

/** Approves, rejects or expires a lead, or reverts its early expiry. */
async function changeLead(q: Q, world: World, id: string, changes: Static<typeof LeadChange>): Promise<LeadRow> {
  const lead = await leadOfAnySeller(q, id)
  if (!lead) throw leadNotFound()
  if (changes.status !== undefined && !(await decideLead(q, world, id, changes.status)))
    throw badRequest(`status: is ${lead.status}; only a lead in_analysis can be decided`)
  if (changes.expired === true) await expireLead(q, world, id)
  if (changes.expired === false) {
    await unexpireLead(q, id)
    if (isExpired({ ...lead, expired: 0 }, world.clock.now()))
      throw badRequest('expired: must be true, because the lead has passed its lifetime')
  }
  return (await leadOfAnySeller(q, id))!
}

const loans: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/loans',
    {
      config,
      schema: {
        summary: 'Create a lead of any date and state',
        description: 'Default terms depend on the price of the listing. The event is published now.',
        body: NewLead,
        response: { 201: AnyLead, ...errorResponses(400, 404, 409, 413) },
      },
    },
    async ({ world, body }, reply) => {
      const lead = await world.tx((q) => createLeadWithDefaults(q, world, body))
      return reply.code(201).send(presentAnyLead(lead, world.clock.now()))
    },
  )

  app.get(
    '/loans',
    {
      config: viewable(config),
      schema: {
        summary: 'List the leads of all sellers, of any age',
        querystring: LeadList,
        response: { 200: TextCursorPage(AnyLead, 'Newest first'), ...errorResponses(400, 404) },
      },
    },
    async ({ world, query: { before, limit, offset, expired, ...filter } }) => {
      const now = world.clock.now()
      const cursor = before === undefined ? undefined : await leadOfAnySeller(world.read, before.toLowerCase())
      if (before !== undefined && !cursor) throw badRequest('before: must be the id of a lead')
      const { total, rows, next } = await listLeads(
        world.read,
        { ...filter, expired: expired === undefined ? undefined : expired === 'true' },
        { cursor, expiredUntil: expiredUntil(now), limit, offset },
      )
      return {
        paging: { total, limit, offset, next_before: next },
        results: rows.map((row) => presentAnyLead(row, now)),
      }
    },
  )

  app.get(
    '/loans/:id',
    {
      config: viewable(config),
      schema: { summary: 'Read a lead', params: LeadParams, response: { 200: AnyLead, ...errorResponses(404) } },
    },
    async ({ world, params: { id } }) => {
      const lead = await leadOfAnySeller(world.read, id.toLowerCase())
      if (!lead) throw leadNotFound()
      return presentAnyLead(lead, world.clock.now())
    },
  )

  app.patch(
    '/loans/:id',
    {
      config,
      schema: {
        summary: 'Approve, reject or expire a lead',
        description:
          'A lead can be decided once; the decision publishes an event. A lead expires thirty days after its creation.',
        params: LeadParams,
        body: LeadChange,
        response: { 200: AnyLead, ...errorResponses(400, 404, 413) },
      },
    },
    async ({ world, params: { id }, body }) =>
      presentAnyLead(await world.tx((q) => changeLead(q, world, id.toLowerCase(), body)), world.clock.now()),
  )
}
export default loans
