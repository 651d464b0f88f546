import { Type } from '@sinclair/typebox'
import { FIRST_PACK_ID } from '../orders/tables.ts'
import { IdInPath, MAX_ID, OneOf, ResponseObject, StandardErrorBody } from '../shared/schemas.ts'
import { orNull, shape } from '../shared/shape.ts'
import { errorBody, foreignGuide, invalidParameter, packNotFound, tagRequired } from './errors.ts'
import { MESSAGE_STATUSES } from './tables.ts'

export const Messages = {
  name: 'Messages',
  description: 'What buyers and sellers write after a sale',
  id: 'message_id',
  errorBody,
}

const PackId = (createError: typeof packNotFound) =>
  IdInPath('Pack identifier; of an order without a pack its own', FIRST_PACK_ID, createError)
export const ConversationParams = Type.Object({
  pack_id: PackId(packNotFound),
  seller_id: IdInPath('Seller identifier', 2500000101, packNotFound),
})
export const GuideParams = Type.Object({ pack_id: PackId(foreignGuide) })
export const MESSAGE_ID = '5c1e8d0a93b74f26a1d0c4e7b8f92a35'
export const MessageParams = Type.Object({
  message_id: Type.String({ description: 'Message identifier', examples: [MESSAGE_ID] }),
})
const ATTACHMENT_ID = '2500000101_5946e4c4-168a-45fd-945e-b8f0c306c58d.png'
export const AttachmentParams = Type.Object({
  attachment_id: Type.String({ description: 'Attachment identifier', examples: [ATTACHMENT_ID] }),
})

const text = (description: string, example: string) => Type.String({ description, examples: [example] })
export const Tag = { tag: Type.Optional(text('Always post_sale', 'post_sale')) }
export const SendQuery = Type.Object({
  tag: Type.String({
    ...{ pattern: '^post_sale$', description: 'Must be post_sale', examples: ['post_sale'] },
    'x-error': tagRequired,
  }),
})
export const ConversationQuery = Type.Object({
  ...Tag,
  limit: Type.Integer({
    ...{ minimum: -MAX_ID, maximum: 50, default: 10, description: 'Messages of a page, from 1', examples: [10] },
    'x-error': invalidParameter('limit'),
  }),
  offset: Type.Integer({
    ...{ minimum: 0, maximum: MAX_ID, default: 0, description: 'Messages before the page', examples: [0] },
    'x-error': invalidParameter('offset'),
  }),
  mark_as_read: OneOf(['true', 'false'], { description: 'Whether the received ones count as read', default: 'true' }),
})
export const UnreadQuery = Type.Object({
  role: OneOf(['seller', 'buyer'], { description: 'As what the caller reads', default: 'seller' }),
  ...Tag,
})
export const AttachmentQuery = Type.Object({
  ...Tag,
  site_id: Type.Optional(text('Site of the sale; required to upload', 'MLA')),
})

const DATE = '2026-03-02T14:15:00.000Z'
const user = { user_id: 2500000101 }
/** A message; control calls show more of it. */
export const MESSAGE = {
  id: MESSAGE_ID,
  site_id: 'MLA',
  client_id: orNull(1055337457),
  from: user,
  to: user,
  status: OneOf([...MESSAGE_STATUSES]),
  subject: null,
  text: '¿Cuándo llega mi compra?',
  message_date: { received: DATE, available: orNull(DATE), notified: orNull(DATE), created: DATE, read: orNull(DATE) },
  message_moderation: {
    status: OneOf(['clean', 'rejected', 'pending']),
    reason: orNull('LINK_SHORT_URL'),
    source: 'online',
    moderation_date: DATE,
  },
  message_attachments: orNull([
    {
      ...{ filename: ATTACHMENT_ID, original_filename: 'factura.png', type: 'image/png', size: 2048 },
      ...{ potential_security_threat: false, creation_date: DATE },
    },
  ]),
  message_resources: [{ id: String(FIRST_PACK_ID), name: 'packs' }],
  conversation_first_message: true,
}
export const NOTES = {
  client_id: 'The application that has sent it; null: none has',
  status: 'moderated and rejected: only the sender sees it',
  available: 'Null while it is held back',
  filename: 'Identifier of the attachment',
  conversation_first_message: 'Whether it is the first one of its conversation',
}
export const Message = shape(MESSAGE, { title: 'Message', description: 'A message after a sale', notes: NOTES })
const { from: _, ...WITHOUT_SENDER } = MESSAGE
export const OptionMessage = shape(WITHOUT_SENDER, {
  ...{ title: 'OptionMessage', description: 'The message that was sent with a motive', notes: NOTES },
})

const STATUS = {
  path: `/packs/${FIRST_PACK_ID}/sellers/2500000101`,
  status: OneOf(['active', 'blocked']),
  substatus: orNull('blocked_by_payment'),
  status_date: DATE,
  status_update_allowed: false,
  claim_id: orNull(5300000001),
  claim_ids: orNull([5300000001]),
  shipping_id: orNull(43000000001),
}
const STATUS_NOTES = { substatus: 'Why the seller may not write', status_date: 'Since when' }
export const ConversationStatus = shape(STATUS, {
  ...{ title: 'ConversationStatus', description: 'Whether the seller may write', notes: STATUS_NOTES },
})
export const Conversation = shape(
  {
    paging: { limit: 10, offset: 0, total: 1 },
    conversation_status: ConversationStatus,
    messages: [Message],
    seller_max_message_length: 350,
    buyer_max_message_length: 3500,
  },
  { title: 'Conversation', description: 'A page of a conversation, the newest message first' },
)
export const SingleMessage = shape(
  { paging: null, conversation_status: null, messages: [Message] },
  { title: 'SingleMessage', description: 'One message' },
)
export const Unread = shape(
  { user_id: 2500000101, results: [{ resource: `/packs/${FIRST_PACK_ID}/sellers/2500000101`, count: 1 }] },
  { title: 'UnreadMessages', description: 'Conversations with messages that the caller has not read' },
)
export const Uploaded = shape({ id: ATTACHMENT_ID }, { title: 'Attachment', description: 'The file that was kept' })

export const Guide = shape(
  {
    options: [
      {
        id: 'REQUEST_VARIANTS',
        internal_description: 'Ask which variant the buyer wants',
        enabled: true,
        type: OneOf(['TEMPLATE', 'FREE_TEXT']),
        templates: orNull([{ id: 'TEMPLATE___REQUEST_VARIANTS___1', vars: orNull([{ id: 'X', type: 'NUMBER' }]) }]),
        actionable: true,
        char_limit: orNull(350),
        child_options: null,
        cap_available: 1,
      },
    ],
  },
  { title: 'ActionGuide', description: 'The motives with which the seller may write first' },
)
const OptionCap = shape(
  { option_id: 'OTHER', cap_available: 1 },
  { title: 'OptionCap', description: 'How often it can be used' },
)
export const Caps = shape([OptionCap], { description: 'Motives of the pack' })

/** That of a blocked conversation has the last two. */
export const Forbidden = ResponseObject(
  {
    ...StandardErrorBody.properties,
    status_code: Type.Optional(Type.Integer({ description: 'As status' })),
    code: Type.Optional(Type.String({ description: 'forbidden' })),
  },
  { title: 'MessageForbidden', description: 'Standard error; a blocked conversation has two members more' },
)

const id = (description: string) =>
  Type.Object({ user_id: Type.Union([Type.Integer(), Type.String()], { description, examples: [2500000101] }) })
const READ_BY_ROUTE = { 'x-read': 'route' }
export const NewMessage = Type.Object(
  {
    from: id('The caller'),
    to: id('The buyer, or the agent of the site'),
    text: text('At most 350 characters', 'Hola, ya despachamos tu compra.'),
    attachments: Type.Optional(Type.Array(Type.String(), { description: 'Identifiers of uploads, at most 25' })),
  },
  {
    ...READ_BY_ROUTE,
    examples: [{ from: { user_id: 2500000101 }, to: { user_id: 3037674934 }, text: 'Hola, ya despachamos tu compra.' }],
  },
)
export const NewOption = Type.Object(
  {
    option_id: text('The motive', 'OTHER'),
    template_id: Type.Optional(text('Its template', 'TEMPLATE___REQUEST_VARIANTS___1')),
    text: Type.Optional(text('The text, where the motive has no template', 'Hola, ¿qué color preferís?')),
    vars: Type.Optional(
      Type.Array(Type.Object({ id: Type.String(), value: Type.Number() }), {
        description: 'Variables of the template',
      }),
    ),
  },
  { ...READ_BY_ROUTE, examples: [{ option_id: 'OTHER', text: 'Hola, ¿qué color preferís?' }] },
)
