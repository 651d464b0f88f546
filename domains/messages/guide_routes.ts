import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { errorResponses } from '../shared/schemas.ts'
import { checkText, parseObject } from './bodies.ts'
import { READ_GUIDE, SEND_OPTION } from './checks.ts'
import { stateOf } from './conversation.ts'
import { foreignGuide, guideBlocked, guideOver, optionUsed } from './errors.ts'
import { send } from './operations.ts'
import { optionsOf, readOption } from './options.ts'
import { presentMessage } from './present.ts'
import { type Conversation, conversationOf, factsOf } from './queries.ts'
import { Caps, Forbidden, Guide, GuideParams, Messages, NewOption, OptionMessage, Tag } from './schemas.ts'

/** The sale of a caller. Throws 403 for others. */
async function saleOf(q: Q, world: World, pack_id: number, user_id: number) {
  const conversation = await conversationOf(q, world, { pack_id, seller_id: user_id })
  if (!conversation) throw foreignGuide(pack_id)
  const facts = await factsOf(q, { pack_id, seller_id: user_id, user_id })
  const { substatus, shipment } = await stateOf(q, world, conversation, facts)
  return {
    ...{ conversation, facts, substatus },
    isFlex: shipment?.logistic_type === 'self_service',
    used: JSON.parse(facts.options) as string[],
  }
}

/** Throws 403 for a conversation that is blocked for another reason than motives have, or that the buyer has begun. */
function checkOpen({ substatus, facts }: Awaited<ReturnType<typeof saleOf>>): void {
  if (substatus !== null && substatus !== 'blocked_by_conversation_initiated_by_seller_limited') throw guideBlocked()
  if (facts.buyer_at !== null) throw guideOver()
}

const guide: FastifyPluginAsyncTypebox = async (app) => {
  const reads = {
    config: { resource: Messages, access: 'token', checks: READ_GUIDE },
    schema: { params: GuideParams, querystring: Type.Object(Tag) },
  } as const
  const optionsFor = async (world: World, pack_id: number, user_id: number) => {
    const sale = await saleOf(world.read, world, pack_id, user_id)
    checkOpen(sale)
    return optionsOf(sale)
  }

  app.get(
    '/messages/action_guide/packs/:pack_id',
    {
      ...reads,
      schema: {
        ...reads.schema,
        operationId: 'readActionGuide',
        summary: 'List the motives with which the caller may write first',
        response: { 200: Guide, ...errorResponses(401, 403) },
      },
    },
    async ({ world, caller, params: { pack_id } }) => ({ options: await optionsFor(world, pack_id, caller.user_id) }),
  )

  app.get(
    '/messages/action_guide/packs/:pack_id/caps_available',
    {
      ...reads,
      schema: {
        ...reads.schema,
        operationId: 'listOptionCaps',
        summary: 'List how often each motive can be used',
        response: { 200: Caps, ...errorResponses(401, 403) },
      },
    },
    async ({ world, caller, params: { pack_id } }) =>
      (await optionsFor(world, pack_id, caller.user_id)).map(({ id, cap_available }) => ({
        option_id: id,
        cap_available,
      })),
  )

  app.post(
    '/messages/action_guide/packs/:pack_id/option',
    {
      config: { resource: Messages, access: 'token', checks: SEND_OPTION },
      schema: {
        operationId: 'sendOption',
        summary: 'Write first, with a motive',
        description: 'The text is that of the template, or one’s own. The conversation is open then.',
        params: GuideParams,
        querystring: Type.Object(Tag),
        body: NewOption,
        response: { 201: OptionMessage, ...errorResponses(400, 401, 404, 413), 403: Forbidden },
      },
    },
    async ({ world, caller, params: { pack_id }, body }, reply) => {
      const sent = parseObject(body)
      const { user_id: from_id, application_id: client_id } = caller
      reply.code(201)
      return world.tx(async (q) => {
        const sale = await saleOf(q, world, pack_id, from_id)
        const conversation: Conversation = sale.conversation
        const { option_id, text } = readOption(sent, { ...conversation, ...sale })
        checkText(text)
        checkOpen(sale)
        if (sale.used.includes(option_id)) throw optionUsed(option_id)
        const row = await send(q, world, conversation, { from_id, text, attachments: [], client_id, option_id })
        const { from: _, ...message } = presentMessage(row, sale.facts.first_id ?? row.id)
        return message
      })
    },
  )
}
export default guide
