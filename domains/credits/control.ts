import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { badRequest } from '../../http/errors/control_errors.ts'
import { controlCall, controlConfig, TextCursorPage, viewable } from '../shared/control_schemas.ts'
import { readPastInstant } from '../shared/past_instants.ts'
import { namesOf } from '../users/queries.ts'
import { leadNotFound } from './errors.ts'
import { expiredUntil, presentLead } from './lifetime.ts'
import { changeLead, createLead } from './operations.ts'
import { leadOfAnySeller, listLeads } from './queries.ts'
import { AnyLead, LeadChange, LeadList, LeadParams, ListedLead, NewLead } from './schemas.ts'

const config = controlConfig('Credits', 'Leads of pre-approved credits')

const loans: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/loans',
    controlCall(config, {
      summary: 'Create a lead of any date and state',
      description: 'Default terms depend on the price of the listing. The event is published now.',
      body: NewLead,
      created: AnyLead,
    }),
    async ({ world, body }, reply) => {
      const now = world.clock.now()
      const date_created = readPastInstant('date_created', body.date_created, now)
      const lead = { ...body, date_created, id: body.id?.toLowerCase() }
      const created = await world.tx((q) => createLead(q, world, lead))
      return reply.code(201).send(presentLead(created, now))
    },
  )

  app.get(
    '/loans',
    controlCall(viewable(config), {
      summary: 'List the leads of all sellers, of any age',
      querystring: LeadList,
      answer: TextCursorPage(ListedLead, 'Newest first'),
    }),
    async ({ world, query: { before, limit, offset, expired, ...filter } }) => {
      const now = world.clock.now()
      const cursor = before?.toLowerCase()
      if (cursor !== undefined && !(await leadOfAnySeller(world.read, cursor)))
        throw badRequest('before: must be the id of a lead')
      const until = expiredUntil(now)
      const period = expired === undefined ? {} : expired === 'true' ? { expiredUntil: until } : { validFrom: until }
      const { total, rows, next } = await listLeads(world.read, { ...filter, ...period }, { cursor, limit, offset })
      return {
        paging: { total, limit, offset, next_before: next },
        results: await Promise.all(
          rows.map(async (row) => ({ ...presentLead(row, now), ...(await namesOf(world.read, row)) })),
        ),
      }
    },
  )

  app.get(
    '/loans/:id',
    controlCall(viewable(config), { summary: 'Read a lead', params: LeadParams, answer: AnyLead }),
    async ({ world, params: { id } }) => {
      const lead = await leadOfAnySeller(world.read, id.toLowerCase())
      if (!lead) throw leadNotFound()
      return presentLead(lead, world.clock.now())
    },
  )

  app.patch(
    '/loans/:id',
    controlCall(config, {
      summary: 'Approve, reject or expire a lead',
      description:
        'A lead can be decided once; the decision publishes an event. A lead expires thirty days after its creation.',
      params: LeadParams,
      body: LeadChange,
      answer: AnyLead,
    }),
    async ({ world, params: { id }, body }) =>
      presentLead(await world.tx((q) => changeLead(q, world, id.toLowerCase(), body)), world.clock.now()),
  )
}
export default loans
