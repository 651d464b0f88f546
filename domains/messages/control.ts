import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { FIRST_PACK_ID } from '../orders/tables.ts'
import {
  BeforeTextId,
  controlConfig,
  PagingQuery,
  StrictBody,
  TextCursorPage,
  viewable,
} from '../shared/control_schemas.ts'
import { routesOf } from '../shared/routes.ts'
import { errorResponses, Id, IdInPath, Nullable, OneOf } from '../shared/schemas.ts'
import { orNull, shape } from '../shared/shape.ts'
import { Text, toWellFormed } from '../shared/texts.ts'
import { BUYER_MAX_LENGTH, checkText } from './bodies.ts'
import { stateOf } from './conversation.ts'
import { packNotFound } from './errors.ts'
import { block, changeMessage, MODERATION_REASONS, send } from './operations.ts'
import { presentMessage, presentStatus } from './present.ts'
import { conversationsOf, factsOf, listMessages, messageById } from './queries.ts'
import { ConversationStatus, Forbidden, MESSAGE, MESSAGE_ID, NOTES } from './schemas.ts'
import { MESSAGE_STATUSES, type MessageRow, SUBSTATUSES } from './tables.ts'

const config = controlConfig('Messages', 'What buyers and sellers write after a sale')

const pack_id = Id('Pack; of an order without a pack its own id', FIRST_PACK_ID)
const Moderation = StrictBody(
  {
    status: OneOf(['clean', 'rejected', 'pending'], { description: 'clean: it is shown; else held back' }),
    reason: Type.Optional(OneOf([...MODERATION_REASONS], { description: 'Why it was rejected' })),
  },
  { 'x-message': 'must be an object with status' },
)
const IDENTIFIERS = { 'x-message': 'must be an array of at most 25 identifiers' }
const NewMessage = StrictBody(
  {
    pack_id,
    from: OneOf(['buyer', 'seller'], { description: 'Who writes; blocks hold back the seller only' }),
    seller_id: Type.Optional(Id('Seller, in a pack of several; default: the first', 2500000101)),
    text: Text(`At most ${BUYER_MAX_LENGTH} characters, of the seller 350`, BUYER_MAX_LENGTH),
    attachments: Type.Optional(
      Type.Array(Type.String(IDENTIFIERS), {
        ...{ maxItems: 25, description: 'Identifiers of uploads of the sender', ...IDENTIFIERS },
      }),
    ),
    moderation: Type.Optional(Moderation),
  },
  { examples: [{ pack_id: FIRST_PACK_ID, from: 'buyer', text: '¿Cuándo llega mi compra?' }] },
)
const MessageChange = StrictBody(
  {
    status: Type.Optional(OneOf([...MESSAGE_STATUSES], { description: 'State' })),
    moderation: Type.Optional(Moderation),
    read: Type.Optional(
      Type.Boolean({ description: 'Whether the receiver has read it', 'x-message': 'must be true or false' }),
    ),
  },
  {
    minProperties: 1,
    'x-message': 'must be a JSON object with status, moderation or read',
    examples: [{ moderation: { status: 'rejected', reason: 'AUTOMATIC_MESSAGE' } }],
  },
)
const Blocking = StrictBody(
  {
    substatus: Nullable(OneOf([...SUBSTATUSES]), {
      description: 'Why the seller may not write; null: no longer blocked',
      examples: ['blocked_by_buyer', null],
      'x-message': `must be null, or one of ${SUBSTATUSES.join(', ')}`,
    }),
  },
  { 'x-message': 'must be a JSON object with substatus', examples: [{ substatus: 'blocked_by_buyer' }] },
)
const MessageList = Type.Object({
  pack_id: Type.Optional({ ...pack_id, description: 'Of this pack' }),
  seller_id: Type.Optional(Id('Of this seller', 2500000101)),
  buyer_id: Type.Optional(Id('Of this buyer', 2500001011)),
  status: Type.Optional(OneOf([...MESSAGE_STATUSES], { description: 'In this state' })),
  unread: Type.Optional(OneOf(['true'], { description: 'true: only those that are not read' })),
  before: BeforeTextId('message', MESSAGE_ID),
  ...PagingQuery,
})
const AnyMessage = shape(
  { ...MESSAGE, pack_id: FIRST_PACK_ID, seller_id: 2500000101, buyer_id: 2500001011, option_id: orNull('OTHER') },
  {
    ...{ title: 'AnyMessage', description: 'A message of any seller' },
    notes: { ...NOTES, option_id: 'The motive with which the seller has begun' },
  },
)

async function present(q: Q, row: MessageRow) {
  const { pack_id, seller_id, buyer_id, option_id } = row
  const { first_id } = await factsOf(q, { pack_id, seller_id, user_id: seller_id })
  return { ...presentMessage(row, first_id), pack_id, seller_id, buyer_id, option_id }
}

/** The conversation of a seller with a pack, by default the first one. Throws 404 if there is none. */
async function conversationIn(q: Q, world: World, id: number, seller_id?: number) {
  const all = await conversationsOf(q, world, id)
  const found = seller_id === undefined ? all[0] : all.find((one) => one.seller_id === seller_id)
  if (!found) throw packNotFound(id)
  return found
}

const listing: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/messages',
    {
      config: viewable(config),
      schema: {
        summary: 'List the messages of all sellers, also those that are held back',
        querystring: MessageList,
        response: { 200: TextCursorPage(AnyMessage, 'Newest first'), ...errorResponses(400, 404) },
      },
    },
    async ({ world, query: { before: cursor, limit, offset, ...filter } }) => {
      if (cursor !== undefined && !(await messageById(world.read, cursor)))
        throw badRequest('before: must be the id of a message')
      const { total, rows, next } = await listMessages(world.read, filter, { cursor, limit, offset })
      return {
        paging: { total, limit, offset, next_before: next },
        results: await Promise.all(rows.map((row) => present(world.read, row))),
      }
    },
  )
}

const writing: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/messages',
    {
      config,
      schema: {
        summary: 'Write as the buyer or the seller of a pack',
        description:
          'Publishes `messages`. The seller is held back as by the API: 403 where the conversation is blocked, and texts of at most 350 characters.',
        body: NewMessage,
        response: { 201: AnyMessage, ...errorResponses(400, 404, 413, 422), 403: Forbidden },
      },
    },
    async ({ world, body }, reply) => {
      const { pack_id: id, from, seller_id, text, attachments = [], moderation } = toWellFormed(body)
      if (from === 'seller') checkText(text)
      reply.code(201)
      return world.tx(async (q) => {
        const conversation = await conversationIn(q, world, id, seller_id)
        const from_id = from === 'seller' ? conversation.seller_id : conversation.buyer_id
        const message = { from_id, text, attachments, moderation, client_id: null }
        return present(q, await send(q, world, conversation, message))
      })
    },
  )

  app.patch(
    '/messages/:id',
    {
      config,
      schema: {
        summary: 'Moderate a message, or mark it as read',
        description: 'One that becomes available publishes `created`, one that becomes read `read`.',
        params: Type.Object({ id: Type.String({ description: 'Message identifier', examples: [MESSAGE_ID] }) }),
        body: MessageChange,
        response: { 200: AnyMessage, ...errorResponses(400, 404, 413) },
      },
    },
    async ({ world, params: { id }, body }) =>
      world.tx(async (q) => present(q, await changeMessage(q, world, id, body))),
  )
}

const blocking: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/conversations/:pack_id/block',
    {
      config,
      schema: {
        summary: 'Block the conversation of a pack, or end that',
        description:
          'Stands in the place of `blocked_by_buyer`: earlier reasons, which are computed, come first. Answers what holds now.',
        params: Type.Object({ pack_id: IdInPath('Pack identifier', FIRST_PACK_ID, packNotFound) }),
        body: Blocking,
        response: { 200: ConversationStatus, ...errorResponses(400, 404, 413) },
      },
    },
    async ({ world, params: { pack_id: id }, body: { substatus } }) =>
      world.tx(async (q) => {
        const conversation = await conversationIn(q, world, id)
        await block(q, world, id, substatus)
        const { seller_id } = conversation
        const facts = await factsOf(q, { pack_id: id, seller_id, user_id: seller_id })
        return presentStatus(conversation, await stateOf(q, world, conversation, facts))
      }),
  )
}

export default routesOf(listing, writing, blocking)
