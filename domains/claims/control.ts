import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { badRequest, notFound } from '../../http/errors/control_errors.ts'
import { orderById } from '../orders/queries.ts'
import { FIRST_ORDER_ID } from '../orders/tables.ts'
import {
  BeforeId,
  CursorPage,
  controlConfig,
  PagingQuery,
  SearchText,
  StrictBody,
  viewable,
} from '../shared/control_schemas.ts'
import { routesOf } from '../shared/routes.ts'
import { errorResponses, Id, IdInPath, OneOf, ResponseObject } from '../shared/schemas.ts'
import { Text, toWellFormed } from '../shared/texts.ts'
import { decide, makeReturn, openClaim, sendMessage } from './operations.ts'
import { presentClaim, presentMessages, presentReturn } from './present.ts'
import { casesOf, claimById, listClaims, messagesOf } from './queries.ts'
import { REASON_IDS } from './reasons.ts'
import { Claim, ClaimMessages, Return } from './schemas.ts'
import { type Case, RESOLUTION_REASONS } from './states.ts'
import { CLAIM_STAGES, CLAIM_TYPES, FIRST_CLAIM_ID, ROLES } from './tables.ts'

const config = controlConfig('Claims', 'Complaints of buyers, and returns')

const claimNotFound = (id: unknown) => notFound(`Claim with id ${id} not found`)
const params = Type.Object({ id: IdInPath('Claim identifier', FIRST_CLAIM_ID, claimNotFound) })
const Stage = OneOf([...CLAIM_STAGES], { description: 'Stage', examples: ['dispute'] })
const Status = OneOf(['opened', 'closed'], { description: 'State', examples: ['closed'] })
const Message = Text('What is written', 2000, { example: 'No enciende.' })

async function caseById(q: Q, world: World, id: number): Promise<Case> {
  const claim = await claimById(q, id)
  if (!claim) throw claimNotFound(id)
  return (await casesOf(q, world, [claim]))[0]!
}

const opening: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/claims',
    {
      config: viewable(config),
      schema: {
        summary: 'List the claims of all sellers',
        querystring: Type.Object({
          seller_id: Type.Optional(Id('On sales of this user', 2500000101)),
          buyer_id: Type.Optional(Id('On purchases of this user', 2500001011)),
          order_id: Type.Optional(Id('On this order', FIRST_ORDER_ID)),
          stage: Type.Optional(Stage),
          status: Type.Optional(Status),
          q: SearchText('reason'),
          before: BeforeId,
          ...PagingQuery,
        }),
        response: { 200: CursorPage(Claim, 'Newest first'), ...errorResponses(400, 404) },
      },
    },
    async ({ world, query: { q: text, before: cursor, limit, offset, ...filters } }) => {
      const { total, rows, next } = await listClaims(world.read, filters, { text, cursor, limit, offset })
      const results = (await casesOf(world.read, world, rows)).map(presentClaim)
      return { paging: { total, limit, offset, next_before: next }, results }
    },
  )

  app.post(
    '/claims',
    {
      config,
      schema: {
        summary: 'Have a buyer complain about an order',
        body: StrictBody(
          {
            order_id: Id('The order', FIRST_ORDER_ID),
            type: Type.Optional(OneOf([...CLAIM_TYPES], { description: 'Kind; default: mediations' })),
            reason_id: Type.Optional(
              OneOf([...REASON_IDS], { description: 'Reason; default: PDD9944, it does not work' }),
            ),
            message: Type.Optional(Message),
          },
          { 'x-message': 'must be a JSON object with order_id', examples: [{ order_id: FIRST_ORDER_ID }] },
        ),
        response: { 201: Claim, ...errorResponses(400, 404, 409, 413) },
      },
    },
    async ({ world, body }, reply) => {
      const { order_id, reason_id = 'PDD9944', ...more } = toWellFormed(body)
      const opened = await world.tx(async (q) => {
        const order = await orderById(q, world, order_id)
        if (!order) throw notFound(`Order with id ${order_id} not found`)
        return openClaim(q, world, order, { reason_id, ...more })
      })
      return reply.code(201).send(presentClaim(opened))
    },
  )
}

const changes: FastifyPluginAsyncTypebox = async (app) => {
  app.patch(
    '/claims/:id',
    {
      config,
      schema: {
        summary: 'Set the stage and the state of a claim, as the marketplace',
        description:
          'Without regard to `available_actions`. `refund` gives money back and closes the claim; opening it again takes nothing back.',
        params,
        body: StrictBody(
          {
            stage: Type.Optional(Stage),
            status: Type.Optional(Status),
            resolution: Type.Optional(OneOf([...RESOLUTION_REASONS], { description: 'Why it is closed' })),
            refund: Type.Optional(
              Type.Integer({
                ...{ minimum: 1, maximum: 100, description: 'Per cent of what was paid; 100 cancels the order' },
                ...{ examples: [100], 'x-message': 'must be an integer from 1 to 100' },
              }),
            ),
          },
          {
            minProperties: 1,
            'x-message': 'must be a JSON object with stage, status, resolution, refund, or several of them',
            examples: [{ stage: 'dispute' }, { status: 'closed', refund: 100 }],
          },
        ),
        response: { 200: Claim, ...errorResponses(400, 404, 409, 413) },
      },
    },
    async ({ world, params: { id }, body: { resolution: reason, ...change } }) =>
      world.tx(async (q) => {
        const one = await caseById(q, world, id)
        const isClosed = (change.status ?? one.claim.status) === 'closed' || change.refund !== undefined
        if (reason !== undefined && !isClosed) throw badRequest('resolution: needs status closed')
        if (change.refund !== undefined && change.status === 'opened') throw badRequest('refund: closes the claim')
        return presentClaim(await decide(q, world, one, { ...change, reason, by: 'mediator' }))
      }),
  )
}

const WrittenMessages = ResponseObject({ results: ClaimMessages }, { description: 'The oldest first' })

const messages: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/claims/:id/messages',
    {
      config: viewable(config),
      schema: {
        summary: 'List the messages of a claim',
        params,
        response: { 200: WrittenMessages, ...errorResponses(404) },
      },
    },
    async ({ world: { read }, params: { id } }) => {
      const claim = await claimById(read, id)
      if (!claim) throw claimNotFound(id)
      return { results: presentMessages(await messagesOf(read, [claim])) }
    },
  )

  app.post(
    '/claims/:id/messages',
    {
      config,
      schema: {
        summary: 'Write a message in a claim, as any player',
        params,
        body: StrictBody(
          {
            from: Type.Optional(OneOf([...ROLES], { description: 'Who writes; default: complainant, the buyer' })),
            to: Type.Optional(OneOf([...ROLES], { description: 'To whom; default: respondent, the seller' })),
            text: Message,
          },
          { 'x-message': 'must be a JSON object with text', examples: [{ text: 'No enciende.' }] },
        ),
        response: { 201: ClaimMessages, ...errorResponses(400, 404, 413) },
      },
    },
    async ({ world, params: { id }, body }, reply) => {
      const { from: sender = 'complainant', to: receiver = 'respondent', text } = toWellFormed(body)
      if (sender === receiver) throw badRequest('to: must be another player')
      const written = await world.tx(async (q) => {
        const { claim } = await sendMessage(q, world, await caseById(q, world, id), { sender, receiver, text })
        return messagesOf(q, [claim])
      })
      return reply.code(201).send(presentMessages(written))
    },
  )

  app.post(
    '/claims/:id/return',
    {
      config,
      schema: {
        summary: 'Have the buyer send the product back',
        description:
          'Makes a shipment of type return. The claim stays as it is; if it is open when the product arrives, all is refunded and it ends.',
        params,
        response: { 201: Return, ...errorResponses(404, 409) },
      },
    },
    async ({ world, params: { id } }, reply) =>
      reply
        .code(201)
        .send(
          await world.tx(async (q) =>
            presentReturn(q, world, await makeReturn(q, world, await caseById(q, world, id))),
          ),
        ),
  )
}

export default routesOf(opening, changes, messages)
