import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { NO_CHECKS } from '../../http/errors/checks.ts'
import { routesOf } from '../shared/routes.ts'
import { errorResponses } from '../shared/schemas.ts'
import { BUYER_MAX_LENGTH, checkText, parseId, parseMessage, SELLER_MAX_LENGTH } from './bodies.ts'
import { COUNT_UNREAD, READ_CONVERSATION, READ_MESSAGE, SEND_MESSAGE } from './checks.ts'
import { stateOf } from './conversation.ts'
import {
  foreignConversation,
  foreignMessage,
  foreignReceiver,
  foreignSale,
  limitTooSmall,
  messageNotFound,
  ownReceiver,
  packNotFound,
} from './errors.ts'
import { markAsRead, send } from './operations.ts'
import { presentMessage, presentStatus, resourceOf } from './present.ts'
import { conversationOf, factsOf, isVisible, messageById, messagesOf, unreadOf } from './queries.ts'
import {
  Conversation,
  ConversationParams,
  ConversationQuery,
  Forbidden,
  Message,
  MessageParams,
  Messages,
  NewMessage,
  SendQuery,
  SingleMessage,
  Tag,
  Unread,
  UnreadQuery,
} from './schemas.ts'

/** To whom sellers may write in place of the buyer. */
const AGENTS: Record<string, number> = {
  ...{ MLA: 3037674934, MLB: 3037675074, MLC: 3020819166, MLM: 3037204279, MCO: 3037204123 },
}
const OTHER_AGENT = 3037204685

/** The conversation of a path, for a caller who reads it. Throws 404, then 403 for others than its seller and buyer. */
async function ownConversation(q: Q, world: World, user_id: number, params: { pack_id: number; seller_id: number }) {
  const conversation = await conversationOf(q, world, params)
  if (!conversation) throw packNotFound(params.pack_id)
  if (conversation.seller_id !== user_id && conversation.buyer_id !== user_id) throw foreignConversation(params.pack_id)
  return conversation
}

const conversations: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/messages/packs/:pack_id/sellers/:seller_id',
    {
      config: { resource: Messages, access: 'token', checks: READ_CONVERSATION },
      schema: {
        operationId: 'readConversation',
        summary: 'Read what the buyer and the seller of a pack write each other',
        description:
          'The newest first. Marks what the caller has received as read, unless `mark_as_read=false`; the answer shows it as read. `conversation_status` says whether the seller may write.',
        params: ConversationParams,
        querystring: ConversationQuery,
        response: { 200: Conversation, ...errorResponses(400, 401, 403, 404) },
      },
    },
    async ({ world, caller: { user_id }, params, method, query: { limit, offset, mark_as_read } }) => {
      if (limit < 1) throw limitTooSmall()
      const conversation = await ownConversation(world.read, world, user_id, params)
      const filter = { ...params, user_id }
      const role = user_id === params.seller_id ? 'seller' : 'buyer'
      // HEAD has the same handler, but the caller sees nothing.
      const marks = mark_as_read === 'true' && method === 'GET'
      if (marks && (await unreadOf(world.read, role, filter)).length > 0)
        await world.tx((q) => markAsRead(q, world, filter))
      const facts = await factsOf(world.read, filter)
      const state = await stateOf(world.read, world, conversation, facts)
      const isExpired = state.substatus === 'blocked_by_conversation_expired'
      const rows = isExpired ? [] : await messagesOf(world.read, { ...filter, limit, offset })
      return {
        paging: { limit, offset, total: isExpired ? 0 : facts.total },
        conversation_status: presentStatus(params, state),
        messages: rows.map((row) => presentMessage(row, facts.first_id)),
        seller_max_message_length: SELLER_MAX_LENGTH,
        buyer_max_message_length: BUYER_MAX_LENGTH,
      }
    },
  )

  app.post(
    '/messages/packs/:pack_id/sellers/:seller_id',
    {
      config: { resource: Messages, access: 'token', checks: SEND_MESSAGE },
      schema: {
        operationId: 'sendMessage',
        summary: 'Write to the buyer of a pack',
        description:
          'As its seller; a control call writes as the buyer. Refusals, in this order: `tag`, the body, `from`, `to`, 404, the sender, the receiver, the text, its characters, the attachments, a blocked conversation.',
        params: ConversationParams,
        querystring: SendQuery,
        body: NewMessage,
        response: { 201: Message, ...errorResponses(400, 401, 404, 413, 422), 403: Forbidden },
      },
    },
    async ({ world, caller, params, body }, reply) => {
      const { from, to_id, text, attachments } = parseMessage(body)
      const { user_id: from_id, application_id: client_id } = caller
      reply.code(201)
      return world.tx(async (q) => {
        const conversation = await conversationOf(q, world, params)
        if (!conversation) throw packNotFound(params.pack_id)
        const { pack_id, seller_id, buyer_id, site_id } = conversation
        if (parseId(from) !== from_id || from_id !== seller_id) throw foreignSale(from, pack_id)
        if (![buyer_id, AGENTS[site_id] ?? OTHER_AGENT, seller_id].includes(to_id)) throw foreignReceiver(pack_id)
        if (to_id === seller_id) throw ownReceiver()
        checkText(text)
        const row = await send(q, world, conversation, { from_id, text, attachments, client_id })
        return presentMessage(row, (await factsOf(q, { ...params, user_id: from_id })).first_id)
      })
    },
  )
}

const single: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/messages/:message_id',
    {
      config: { resource: Messages, access: 'token', checks: READ_MESSAGE },
      schema: {
        operationId: 'readMessage',
        summary: 'Read one message',
        description: 'For its buyer and its seller. Notifications name it by this id. It does not count as read.',
        params: MessageParams,
        querystring: Type.Object(Tag),
        response: { 200: SingleMessage, ...errorResponses(401, 403, 404) },
      },
    },
    async ({ world, caller: { user_id }, params: { message_id } }) => {
      const row = await messageById(world.read, message_id)
      if (!row) throw messageNotFound(message_id)
      if (row.seller_id !== user_id && row.buyer_id !== user_id) throw foreignMessage(user_id, message_id)
      if (!isVisible(row, user_id)) throw messageNotFound(message_id)
      const { first_id } = await factsOf(world.read, { ...row, user_id })
      return { paging: null, conversation_status: null, messages: [presentMessage(row, first_id)] }
    },
  )

  app.get(
    '/messages/unread',
    {
      config: { resource: Messages, access: 'token', checks: NO_CHECKS },
      schema: {
        operationId: 'listUnreadMessages',
        summary: 'List the conversations with messages that the caller has not read',
        description: 'The newest first, at most 500. Nothing counts as read by this call.',
        querystring: UnreadQuery,
        response: { 200: Unread, ...errorResponses(400, 401) },
      },
    },
    async ({ world, caller: { user_id }, query: { role } }) => {
      const rows = await unreadOf(world.read, role, { user_id })
      return { user_id, results: rows.map((row) => ({ resource: resourceOf(row), count: row.count })) }
    },
  )

  app.get(
    '/messages/unread/packs/:pack_id/sellers/:seller_id',
    {
      config: { resource: Messages, access: 'token', checks: COUNT_UNREAD },
      schema: {
        operationId: 'countUnreadMessages',
        summary: 'Count the messages of a conversation that the caller has not read',
        params: ConversationParams,
        querystring: Type.Object(Tag),
        response: { 200: Unread, ...errorResponses(401, 403, 404) },
      },
    },
    async ({ world, caller: { user_id }, params }) => {
      await ownConversation(world.read, world, user_id, params)
      const role = user_id === params.seller_id ? 'seller' : 'buyer'
      const [row] = await unreadOf(world.read, role, { ...params, user_id })
      return { user_id, results: [{ resource: resourceOf(params), count: row?.count ?? 0 }] }
    },
  )
}

export default routesOf(conversations, single)
