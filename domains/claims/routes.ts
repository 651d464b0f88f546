import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { TSchema } from '@sinclair/typebox'
import type { FastifyPluginAsync } from 'fastify'
import { errorResponses } from '../shared/schemas.ts'
import { act, READ_CLAIM, READ_REASON, READ_RETURN, SEARCH_CLAIMS } from './checks.ts'
import { reasonNotFound } from './errors.ts'
import { decide, requireAction, resolve, sendMessage } from './operations.ts'
import {
  presentClaim,
  presentDetail,
  presentEffect,
  presentExpectations,
  presentHistory,
  presentMessages,
  presentReturn,
} from './present.ts'
import { messagesOf, ownCase } from './queries.ts'
import { isReason, presentReason } from './reasons.ts'
import {
  Claim,
  ClaimDetail,
  ClaimMessages,
  ClaimParams,
  ClaimSearch,
  Claims,
  ExpectedResolutions,
  FoundClaims,
  NewClaimMessage,
  Nothing,
  PartialRefund,
  Reason,
  ReasonParams,
  ReputationEffect,
  Return,
  Sent,
  StatusHistory,
} from './schemas.ts'
import { search } from './search.ts'

const config = { resource: Claims, access: 'token', checks: READ_CLAIM } as const
const schemaOf = <Answer extends TSchema>(summary: string, answer: Answer) => ({
  summary,
  params: ClaimParams,
  response: { 200: answer, ...errorResponses(401, 403, 404) },
})

const reads: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/post-purchase/v1/claims/search',
    {
      config: { ...config, checks: SEARCH_CLAIMS },
      schema: {
        operationId: 'searchClaims',
        summary: 'Search the claims on sales and purchases of the caller',
        description: 'The newest first. At least one filter; `resource` and `players.role` need their pair.',
        querystring: ClaimSearch,
        response: { 200: FoundClaims, ...errorResponses(400, 401) },
      },
    },
    async ({ world, caller, query }) => search(world, caller.user_id, query),
  )

  app.get(
    '/post-purchase/v1/claims/reasons/:reason_id',
    {
      config: { ...config, checks: READ_REASON },
      schema: {
        summary: 'Read why buyers complain',
        params: ReasonParams,
        response: { 200: Reason, ...errorResponses(401, 404) },
      },
    },
    async ({ params: { reason_id } }) => {
      if (!isReason(reason_id)) throw reasonNotFound()
      return presentReason(reason_id)
    },
  )

  app.get(
    '/post-purchase/v1/claims/:claim_id',
    { config, schema: { operationId: 'readClaim', ...schemaOf('Read one claim', Claim) } },
    async ({ world, caller, params: { claim_id } }) =>
      presentClaim(await ownCase(world.read, world, caller.user_id, claim_id)),
  )

  app.get(
    '/post-purchase/v1/claims/:claim_id/detail',
    { config, schema: schemaOf('Read what a claim is about', ClaimDetail) },
    async ({ world, caller, params: { claim_id } }) =>
      presentDetail(await ownCase(world.read, world, caller.user_id, claim_id)),
  )

  app.get(
    '/post-purchase/v1/claims/:claim_id/messages',
    { config, schema: schemaOf('List the messages of a claim', ClaimMessages) },
    async ({ world, caller, params: { claim_id } }) => {
      const { claim } = await ownCase(world.read, world, caller.user_id, claim_id)
      return presentMessages(await messagesOf(world.read, [claim]))
    },
  )

  for (const part of ['attachments', 'actions-history'])
    app.get(
      `/post-purchase/v1/claims/:claim_id/${part}`,
      { config, schema: schemaOf(`List the ${part.replace('-', ' ')} of a claim: none`, Nothing) },
      async ({ world, caller, params: { claim_id } }) => {
        await ownCase(world.read, world, caller.user_id, claim_id)
        return []
      },
    )

  app.get(
    '/post-purchase/v1/claims/:claim_id/expected-resolutions',
    { config, schema: schemaOf('List what the players want', ExpectedResolutions) },
    async ({ world, caller, params: { claim_id } }) =>
      presentExpectations((await ownCase(world.read, world, caller.user_id, claim_id)).claim),
  )

  app.get(
    '/post-purchase/v1/claims/:claim_id/status-history',
    { config, schema: schemaOf('List the stages and states of a claim', StatusHistory) },
    async ({ world, caller, params: { claim_id } }) =>
      presentHistory((await ownCase(world.read, world, caller.user_id, claim_id)).claim),
  )

  app.get(
    '/post-purchase/v1/claims/:claim_id/affects-reputation',
    { config, schema: schemaOf('Read whether a claim affects the reputation', ReputationEffect) },
    async ({ world, caller, params: { claim_id } }) =>
      presentEffect((await ownCase(world.read, world, caller.user_id, claim_id)).claim, world.clock.now()),
  )

  app.get(
    '/post-purchase/v2/claims/:claim_id/returns',
    { config: { ...config, checks: READ_RETURN }, schema: schemaOf('Read the return of a claim', Return) },
    async ({ world, caller, params: { claim_id } }) =>
      presentReturn(world.read, world, await ownCase(world.read, world, caller.user_id, claim_id)),
  )
}

const actionOf = (action?: string) => ({ ...config, checks: act(action) })
const writeOf = <Answer extends TSchema>(summary: string, answer: Answer) => ({
  summary,
  params: ClaimParams,
  response: { 200: answer, ...errorResponses(400, 401, 403, 404) },
})

const actions: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/post-purchase/v1/claims/:claim_id/actions/send-message',
    {
      config: actionOf(),
      schema: {
        summary: 'Write to another player of a claim',
        params: ClaimParams,
        body: NewClaimMessage,
        response: { 201: Sent, ...errorResponses(400, 401, 403, 404, 413) },
      },
    },
    async ({ world, caller, params: { claim_id }, body: { receiver_role: receiver, message } }, reply) => {
      await world.tx(async (q) => {
        const one = await ownCase(q, world, caller.user_id, claim_id)
        requireAction(one, one.role, `send_message_to_${receiver}`)
        await sendMessage(q, world, one, { sender: one.role, receiver, text: message.toWellFormed() })
      })
      return reply.code(201).send({})
    },
  )

  app.post(
    '/post-purchase/v1/claims/:claim_id/actions/open-dispute',
    { config: actionOf('open_dispute'), schema: writeOf('Ask the marketplace to mediate', Claim) },
    async ({ world, caller, params: { claim_id } }) =>
      world.tx(async (q) => {
        const one = await ownCase(q, world, caller.user_id, claim_id)
        requireAction(one, one.role, 'open_dispute')
        return presentClaim(await decide(q, world, one, { stage: 'dispute', by: one.role }))
      }),
  )

  app.post(
    '/post-purchase/v1/claims/:claim_id/expected-resolutions/refund',
    { config: actionOf('refund'), schema: writeOf('Give all money back', ExpectedResolutions) },
    async ({ world, caller, params: { claim_id } }) =>
      world.tx(async (q) => {
        const one = await ownCase(q, world, caller.user_id, claim_id)
        requireAction(one, one.role, 'refund')
        return presentExpectations((await resolve(q, world, one, 'refund')).claim)
      }),
  )

  app.post(
    '/post-purchase/v1/claims/:claim_id/expected-resolutions/partial-refund',
    {
      config: actionOf('allow_partial_refund'),
      schema: {
        summary: 'Give a part of the money back',
        params: ClaimParams,
        body: PartialRefund,
        response: { 200: ExpectedResolutions, ...errorResponses(400, 401, 403, 404, 413) },
      },
    },
    async ({ world, caller, params: { claim_id }, body: { percentage } }) =>
      world.tx(async (q) => {
        const one = await ownCase(q, world, caller.user_id, claim_id)
        requireAction(one, one.role, 'allow_partial_refund')
        return presentExpectations((await resolve(q, world, one, 'partial_refund', percentage)).claim)
      }),
  )

  app.post(
    '/post-purchase/v1/claims/:claim_id/expected-resolutions/allow-return',
    { config: actionOf('allow_return'), schema: writeOf('Take the product back', ExpectedResolutions) },
    async ({ world, caller, params: { claim_id } }) =>
      world.tx(async (q) => {
        const one = await ownCase(q, world, caller.user_id, claim_id)
        requireAction(one, one.role, 'allow_return')
        return presentExpectations((await resolve(q, world, one, 'return_product')).claim)
      }),
  )
}

const claims: FastifyPluginAsync = async (app) => {
  await app.register(reads)
  await app.register(actions)
}
export default claims
