import { Type } from '@sinclair/typebox'
import { badRequest } from '../../http/errors/control_errors.ts'
import { StrictBody } from '../shared/control_schemas.ts'
import { OneOf } from '../shared/schemas.ts'
import {
  asJson,
  InstantOrNull,
  Int,
  IntOrNull,
  JSON_OR_NULL,
  ListOf,
  OptionalInstant,
  OrNull,
  STORED,
  Text,
  TextOrNull,
  UserRef,
} from '../shared/world_file/fields.ts'
import { tableList } from '../shared/world_file/table_list.ts'
import type { WorldFileSection } from '../world_file.ts'
import { BUYER_MAX_LENGTH } from './bodies.ts'
import { nextMessageId } from './operations.ts'
import { allMessages } from './queries.ts'
import { conversation_block, MESSAGE_STATUSES, type MessageRow, message, SUBSTATUSES } from './tables.ts'

const PACK = 'Pack; of an order without a pack its own id'
const Moderation = StrictBody(
  {
    status: OneOf(['clean', 'rejected', 'pending'], { description: 'What came of it' }),
    reason: TextOrNull('Why', 40),
    moderation_date: Type.Optional(Text('When; default: when the message was written', 40)),
  },
  { description: 'Its moderation' },
)
const Attachment = StrictBody(
  {
    filename: Text('Identifier', 300),
    original_filename: Text('Name of the file', 300),
    type: Text('Media type', 100),
    size: Int('Bytes'),
    potential_security_threat: Type.Boolean({ description: 'Always false' }),
    creation_date: Text('When it was uploaded', 40),
  },
  { 'x-message': 'must be an object that describes an attachment' },
)

const FileMessage = StrictBody(
  {
    id: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{32}$',
        description: 'Identifier; default: a new one',
        'x-message': 'must be 32 hexadecimal digits in lower case',
      }),
    ),
    pack_id: Int(PACK, 1),
    seller_id: UserRef('Seller'),
    buyer_id: UserRef('Buyer'),
    from_id: UserRef('Who has written it, one of the two'),
    text: Text('Text', BUYER_MAX_LENGTH),
    status: Type.Optional(OneOf([...MESSAGE_STATUSES], { description: 'State', default: 'available' })),
    moderation: OrNull(Moderation, {
      ...{ [STORED]: JSON_OR_NULL, 'x-message': 'must be an object with status, or null' },
    }),
    attachments: Type.Optional(
      asJson(
        ListOf(Attachment, 'attachments', 25, { default: [], description: 'Its attachments, without their bytes' }),
      ),
    ),
    option_id: TextOrNull('Motive with which the seller has begun', 40),
    client_id: IntOrNull('Application that has sent it'),
    date_created: OptionalInstant('When it was written; default: world time'),
    date_read: InstantOrNull('When it was read'),
  },
  { title: 'FileMessage', description: 'A message after a sale' },
)

const messages = tableList(message, {
  description: 'Messages after a sale, in the order in which they were written',
  element: FileMessage,
  maxElements: 1_000_000,
  isOmittedIfEmpty: true,
  ids: (context) => () => nextMessageId(context.q, context),
  // The number follows from the order.
  complete({ users }, { seller_id, buyer_id, from_id }, place) {
    const parties = [seller_id, buyer_id].map((ref) => users.resolve(place, ref))
    if (!parties.includes(users.resolve(`${place}.from_id`, from_id)))
      throw badRequest(`${place}.from_id: must be the seller or the buyer`)
    return { n: null, site_id: users.siteOf(parties[0]!) } as unknown as Partial<MessageRow>
  },
  rows: ({ q }) => allMessages(q),
})

const conversation_blocks = tableList(conversation_block, {
  description: 'Conversations that a control call has blocked',
  element: StrictBody(
    {
      id: Int(PACK, 1),
      substatus: OneOf([...SUBSTATUSES], { description: 'Why' }),
      at: OptionalInstant('Since when; default: world time'),
    },
    { title: 'FileConversationBlock', description: 'A blocked conversation' },
  ),
  maxElements: 1_000_000,
  isOmittedIfEmpty: true,
  ids: () => () => Number.NaN,
})

export const worldFile: WorldFileSection = {
  after: ['users', 'orders', 'claims'],
  lists: { messages, conversation_blocks },
  tables: { message: 'exported', conversation_block: 'exported', message_attachment: 'omitted' },
}
