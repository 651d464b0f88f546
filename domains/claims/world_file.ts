import { Type } from '@sinclair/typebox'
import { insertInto } from '../../db/rows.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { addMediation } from '../orders/link_operations.ts'
import { storedOrder } from '../orders/queries.ts'
import { StrictBody } from '../shared/control_schemas.ts'
import { MAX_ID, OneOf } from '../shared/schemas.ts'
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
} from '../shared/world_file/fields.ts'
import { storageOf, tableList } from '../shared/world_file/table_list.ts'
import type { WorldFileSection } from '../world_file.ts'
import { messagesOf } from './queries.ts'
import { REASON_IDS } from './reasons.ts'
import { EXPECTED, RESOLUTION_REASONS } from './states.ts'
import { CLAIM_STAGES, CLAIM_TYPES, claim, claim_message, FIRST_CLAIM_ID, ROLES } from './tables.ts'

const After = Int('Milliseconds after date_created; negative if the clock went back meanwhile', -MAX_ID)
const Player = OneOf([...ROLES], { description: 'Player' })
const Stage = OneOf([...CLAIM_STAGES], { description: 'Stage', default: 'claim' })
const Status = OneOf(['opened', 'closed'], { description: 'State', default: 'opened' })
const FileMessage = StrictBody(
  {
    sender_role: Player,
    receiver_role: Player,
    stage: Type.Optional(Stage),
    text: Text('The message', 2000),
    date_created: OptionalInstant('When; default: world time'),
    date_read: InstantOrNull('When it was read'),
  },
  { 'x-message': 'must be an object with sender_role, receiver_role and text' },
)

const FileClaim = StrictBody(
  {
    id: Type.Optional(Int('Identifier; default: a new one', 1)),
    order_id: Int('Order of the file', 1),
    type: Type.Optional(OneOf([...CLAIM_TYPES], { description: 'Kind', default: 'mediations' })),
    stage: Type.Optional(Stage),
    status: Type.Optional(Status),
    reason_id: OneOf([...REASON_IDS], { description: 'Why the buyer complains' }),
    resolution: OrNull(
      StrictBody({
        reason: OneOf([...RESOLUTION_REASONS], { description: 'How it ended' }),
        by: Player,
        after: After,
      }),
      {
        ...{ description: 'How it ended', [STORED]: JSON_OR_NULL },
        'x-message': 'must be an object with reason, by and after, or null',
      },
    ),
    expected_resolutions: Type.Optional(
      asJson(
        ListOf(
          StrictBody({
            role: Player,
            resolution: OneOf([...EXPECTED], { description: 'What the player wants' }),
            status: OneOf(['pending', 'accepted', 'rejected'], { description: 'State' }),
            percentage: Type.Optional(Int('Of the price', 1, 100)),
            after: After,
          }),
          'objects',
          100,
          { description: 'What the players want', default: [] },
        ),
      ),
    ),
    history: Type.Optional(
      asJson(
        ListOf(
          StrictBody({
            stage: OneOf([...CLAIM_STAGES], { description: 'Stage' }),
            status: OneOf(['opened', 'closed'], { description: 'State' }),
            by: Player,
            after: After,
          }),
          'objects',
          1000,
          { description: 'Its stages and states; default: the present one', default: [] },
        ),
      ),
    ),
    return_shipment_id: IntOrNull('The parcel that comes back'),
    date_created: OptionalInstant('When it was opened; default: world time'),
    last_updated: OptionalInstant('When it last changed; default: world time'),
    messages: Type.Optional(
      ListOf(FileMessage, 'objects', 1000, { description: 'What the players wrote, the oldest first', default: [] }),
    ),
  },
  { title: 'FileClaim', description: 'A complaint about an order, with its messages' },
)

const insertMessage = insertInto(claim_message)
const { columnsOf, elementOf } = storageOf(FileMessage)

const claims = tableList(claim, {
  description: 'Complaints about orders, with their messages',
  element: FileClaim,
  maxElements: 1_000_000,
  isOmittedIfEmpty: true,
  ids: FIRST_CLAIM_ID,
  async complete({ q }, { order_id, stage = 'claim', status = 'opened', history = [] }, place) {
    const order = await storedOrder(q, order_id)
    if (!order) throw badRequest(`${place}.order_id: must be the id of an order of the file`)
    const { site_id, seller_id, buyer_id } = order
    const first = { stage, status, by: 'complainant', after: 0 }
    return {
      ...{ site_id, seller_id, buyer_id },
      history: JSON.stringify(history.length > 0 ? history : [first]),
    }
  },
  async added(context, { id, order_id, stage, status }, { messages = [] }, place) {
    const { q } = context
    if (stage === 'dispute') await addMediation(q, order_id, { id, status })
    for (const [n, message] of messages.entries())
      await insertMessage(q, {
        ...columnsOf(context, message, `${place}.messages[${n}]`),
        claim_id: id,
        id: null,
      } as never)
    await context.rowsWritten(messages.length)
  },
  async related(q, rows) {
    const found = Map.groupBy(await messagesOf(q, rows), ({ claim_id }) => claim_id)
    return new Map(rows.map(({ id }) => [id, { messages: (found.get(id) ?? []).map((one) => elementOf(one)) }]))
  },
})

export const worldFile: WorldFileSection = {
  after: ['users', 'orders', 'shipments'],
  lists: { claims },
  tables: { claim: 'exported', claim_message: 'exported' },
}
