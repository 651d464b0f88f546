import { type Assumptions, assumed, observed } from '../../http/assumptions.ts'
import { defineSwitch } from '../../http/switches.ts'

export const SELLER_MAY_START = defineSwitch('messages.seller_may_start', ['no', 'yes'])

export const MESSAGES: Assumptions = {
  [SELLER_MAY_START.name]: observed(
    'Whether a seller may write first about a sale with Mercado Envíos, without a motive',
    SELLER_MAY_START,
  ),
  'messages.sent': assumed('Answer to a new message', '201 with the message'),
  'messages.limit': assumed('Largest limit of a conversation', '50, else 400 Invalid limit param'),
  'messages.mark_as_read': assumed(
    'What the answer that marks messages as read shows',
    'the messages as they were before; HEAD marks nothing',
  ),
  'messages.events': assumed(
    'Who is notified of a message, and of reading',
    'the buyer and the seller; of a message that is held back its sender; one event for each call that reads',
  ),
  'messages.pack_not_found': assumed(
    'Answer for a pack that is unknown, or has nothing of the seller in the path',
    '404 The pack with id: {id} could not be retrieved from storage',
  ),
  'messages.hidden': assumed('Messages that are moderated or rejected', 'only their sender sees them'),
  'messages.status_date': assumed(
    'status_date of a conversation',
    'since when its substatus holds; active: its last message, else its purchase',
  ),
  'messages.send.text': assumed('Answer to a message without text', "400 The field 'text' is required"),
  'messages.send.blocked': assumed(
    'Body of the error of a blocked conversation',
    'the members of both known forms: the standard error, and status_code and code',
  ),
  'messages.blocks': assumed(
    'Packs of which a part is cancelled or paid',
    'blocked only if all their orders are cancelled, or none of the others is paid',
  ),
  'messages.unread.role': assumed('role of the unread messages, where it is missing', 'seller', [
    { route: 'GET /messages/unread', omits: ['role'] },
  ]),
  'messages.attachments.sent': assumed('Answer to an upload', '201 with id'),
  'messages.attachments.size': assumed('Largest file', '5 MB, where the real service takes 25; else 400'),
  'messages.attachments.type': assumed(
    'How the type of a file is known',
    'by its extension: jpg, jpeg, png, pdf, txt; else 400',
  ),
  'messages.attachments.room': assumed(
    'Attachments of a world',
    '1,000, together 100 MiB; beyond that 507 insufficient_storage',
  ),
  'messages.attachments.not_found': assumed(
    'Answer for an attachment that is unknown, or of others',
    '404 Attachment with id {id} not found',
  ),
  'messages.guide': assumed(
    'The guide of a conversation that is blocked, or that the buyer has begun',
    '403 forbidden',
  ),
}
