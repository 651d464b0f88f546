import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { TSchema } from '@sinclair/typebox'
import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import type { Caller } from '../../http/fastify_types.ts'
import { routesOf } from '../shared/routes.ts'
import { errorResponses } from '../shared/schemas.ts'
import { act as checksOf, READ_CLAIM, READ_REASON, READ_RETURN, SEARCH_CLAIMS } from './checks.ts'
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
import type { Case, Role } from './states.ts'

const config = { resource: Claims, access: 'token', checks: READ_CLAIM } as const

const searches: FastifyPluginAsyncTypebox = async (app) => {
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
}

/** What is read of one claim. */
const READS: readonly [path: string, summary: string, TSchema, present: (one: Case, world: World) => unknown][] = [
  ['/post-purchase/v1/claims/:claim_id', 'Read one claim', Claim, presentClaim],
  ['/post-purchase/v1/claims/:claim_id/detail', 'Read what a claim is about', ClaimDetail, presentDetail],
  [
    ...(['/post-purchase/v1/claims/:claim_id/messages', 'List the messages of a claim', ClaimMessages] as const),
    async ({ claim }, { read }) => presentMessages(await messagesOf(read, [claim])),
  ],
  [
    ...(['/post-purchase/v1/claims/:claim_id/actions', 'List who can do what in a claim'] as const),
    ...([Claim.properties.players, (one: Case) => presentClaim(one).players] as const),
  ],
  ['/post-purchase/v1/claims/:claim_id/attachments', 'List the files of a claim: none', Nothing, () => []],
  ['/post-purchase/v1/claims/:claim_id/actions-history', 'List the actions on a claim: none', Nothing, () => []],
  [
    ...(['/post-purchase/v1/claims/:claim_id/expected-resolutions', 'List what the players want'] as const),
    ...([ExpectedResolutions, presentExpectations] as const),
  ],
  [
    ...(['/post-purchase/v1/claims/:claim_id/status-history', 'List the stages and states of a claim'] as const),
    ...([StatusHistory, presentHistory] as const),
  ],
  [
    ...(['/post-purchase/v1/claims/:claim_id/affects-reputation', 'Read what a claim does to the reputation'] as const),
    ...([ReputationEffect, ({ claim }: Case, { clock }: World) => presentEffect(claim, clock.now())] as const),
  ],
  [
    ...(['/post-purchase/v2/claims/:claim_id/returns', 'Read the return of a claim', Return] as const),
    (one, world) => presentReturn(world.read, world, one),
  ],
]

const reads: FastifyPluginAsyncTypebox = async (app) => {
  for (const [path, summary, answer, present] of READS)
    app.get(
      path,
      {
        config: { ...config, checks: answer === Return ? READ_RETURN : READ_CLAIM },
        schema: {
          ...(answer === Claim && { operationId: 'readClaim' }),
          summary,
          params: ClaimParams,
          response: { 200: answer, ...errorResponses(401, 403, 404) },
        },
      },
      async ({ world, caller, params: { claim_id } }) =>
        present(await ownCase(world.read, world, caller.user_id, claim_id), world),
    )
}

/** Does what a player may do now, in one unit. Throws, in this order: 404, 403, 400 [spec: claims.order]. */
const act = <Answer>(
  { world, caller, params: { claim_id } }: { world: World; caller: Caller; params: { claim_id: number } },
  action: string,
  run: (q: Q, one: Case & { role: Role }) => Promise<Answer>,
): Promise<Answer> =>
  world.tx(async (q) => {
    const one = await ownCase(q, world, caller.user_id, claim_id)
    requireAction(one, one.role, action)
    return run(q, one)
  })

const actions: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/post-purchase/v1/claims/:claim_id/actions/send-message',
    {
      config: { ...config, checks: checksOf() },
      schema: {
        summary: 'Write to another player of a claim',
        params: ClaimParams,
        body: NewClaimMessage,
        response: { 201: Sent, ...errorResponses(400, 401, 403, 404, 413) },
      },
    },
    async (request, reply) => {
      const { receiver_role: receiver, message } = request.body
      await act(request, `send_message_to_${receiver}`, (q, one) =>
        sendMessage(q, request.world, one, { sender: one.role, receiver, text: message.toWellFormed() }),
      )
      return reply.code(201).send({})
    },
  )

  app.post(
    '/post-purchase/v1/claims/:claim_id/actions/open-dispute',
    {
      config: { ...config, checks: checksOf('open_dispute') },
      schema: {
        summary: 'Ask the marketplace to mediate',
        params: ClaimParams,
        response: { 200: Claim, ...errorResponses(400, 401, 403, 404) },
      },
    },
    async (request) =>
      act(request, 'open_dispute', async (q, one) =>
        presentClaim(await decide(q, request.world, one, { stage: 'dispute', by: one.role })),
      ),
  )

  for (const [path, summary, action, resolution] of [
    ['/post-purchase/v1/claims/:claim_id/expected-resolutions/refund', 'Give all money back', 'refund', 'refund'],
    [
      ...(['/post-purchase/v1/claims/:claim_id/expected-resolutions/allow-return', 'Take the product back'] as const),
      ...(['allow_return', 'return_product'] as const),
    ],
  ] as const)
    app.post(
      path,
      {
        config: { ...config, checks: checksOf(action) },
        schema: {
          summary,
          params: ClaimParams,
          response: { 200: ExpectedResolutions, ...errorResponses(400, 401, 403, 404) },
        },
      },
      async (request) =>
        act(request, action, async (q, one) =>
          presentExpectations(await resolve(q, request.world, one, { resolution })),
        ),
    )
}

const partialRefunds: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/post-purchase/v1/claims/:claim_id/expected-resolutions/partial-refund',
    {
      config: { ...config, checks: checksOf('allow_partial_refund') },
      schema: {
        summary: 'Give a part of the money back',
        params: ClaimParams,
        body: PartialRefund,
        response: { 200: ExpectedResolutions, ...errorResponses(400, 401, 403, 404, 413) },
      },
    },
    async (request) => {
      const offer = { resolution: 'partial_refund', percentage: request.body.percentage ?? 50 } as const
      return act(request, 'allow_partial_refund', async (q, one) =>
        presentExpectations(await resolve(q, request.world, one, offer)),
      )
    },
  )
}

export default routesOf(searches, reads, actions, partialRefunds)
