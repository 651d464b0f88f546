import type { Static } from '@sinclair/typebox'
import { utcMillis, utcOrNull } from '../shared/instants.ts'
import { membersOf } from '../shared/schemas.ts'
import type { ConversationState } from './conversation.ts'
import type { Conversation } from './queries.ts'
import { type ConversationStatus, Message } from './schemas.ts'
import type { MessageRow } from './tables.ts'

/** A message [spec: messages.message]. `first_id`: of the first one of its conversation. */
export function presentMessage(row: MessageRow, first_id: string | null): Static<typeof Message> {
  const { id, from_id, seller_id, buyer_id, status } = row
  const created = utcMillis(row.date_created)
  const shown = status === 'available' ? created : null
  const { status: verdict = 'clean', reason = null, moderation_date = created } = JSON.parse(row.moderation ?? '{}')
  const attachments = JSON.parse(row.attachments)
  return messageOf({
    ...row,
    from: { user_id: from_id },
    to: { user_id: from_id === seller_id ? buyer_id : seller_id },
    message_date: { received: created, available: shown, notified: shown, created, read: utcOrNull(row.date_read) },
    message_moderation: { status: verdict, reason, source: 'online', moderation_date },
    message_attachments: attachments.length > 0 ? attachments : null,
    message_resources: [
      { id: String(row.pack_id), name: 'packs' },
      { id: String(seller_id), name: 'sellers' },
    ],
    conversation_first_message: id === first_id,
  })
}
const messageOf = membersOf(Message)

/** `conversation_status` [spec: messages.status_date]. */
export function presentStatus(
  { pack_id, seller_id }: Pick<Conversation, 'pack_id' | 'seller_id'>,
  { substatus, since, claims, shipment }: ConversationState,
): Static<typeof ConversationStatus> {
  const claim_ids = claims.length > 0 ? claims : null
  return {
    path: resourceOf({ pack_id, seller_id }),
    status: substatus === null ? 'active' : 'blocked',
    substatus,
    status_date: utcMillis(since),
    status_update_allowed: false,
    claim_id: claim_ids?.[0] ?? null,
    claim_ids,
    shipping_id: shipment?.id ?? null,
  }
}

export const resourceOf = ({ pack_id, seller_id }: { pack_id: number; seller_id: number }): string =>
  `/packs/${pack_id}/sellers/${seller_id}`
