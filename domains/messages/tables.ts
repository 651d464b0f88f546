import { sql } from 'drizzle-orm'
import { blob, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const MESSAGE_STATUSES = ['available', 'moderated', 'rejected'] as const

/** A message about a purchase, between its buyer and its seller. */
export const message = sqliteTable(
  'message',
  {
    /** In the order of their times. */
    n: integer().primaryKey({ autoIncrement: true }),
    /** 32 hexadecimal digits. */
    id: text().notNull(),
    site_id: text().notNull(),
    /** The application that has sent it; null: none has. */
    client_id: integer(),
    /** The pack; the order where there is none. */
    pack_id: integer().notNull(),
    seller_id: integer().notNull(),
    buyer_id: integer().notNull(),
    /** One of the two. */
    from_id: integer().notNull(),
    text: text().notNull(),
    status: text({ enum: MESSAGE_STATUSES }).notNull().default('available'),
    /** JSON: {status, reason, moderation_date}; null: nothing was moderated. */
    moderation: text(),
    /** JSON: its attachments, without their bytes: [{filename, original_filename, type, size, creation_date}]. */
    attachments: text().notNull().default('[]'),
    /** The motive with which the seller began the conversation; null: none. */
    option_id: text(),
    date_created: integer().notNull(),
    date_read: integer(),
  },
  (t) => [
    uniqueIndex('message_id').on(t.id),
    index('message_pack').on(t.pack_id, t.seller_id, t.n),
    // What a user has not read.
    index('message_unread').on(t.seller_id, t.buyer_id, t.n).where(sql`date_read IS NULL`),
  ],
)
export type MessageRow = typeof message.$inferSelect

/** What conversations are blocked by: computed, or (the rest) only said by a control call. */
export const SUBSTATUSES = [
  ...(['blocked_by_cancelled_order', 'blocked_by_payment', 'blocked_by_mediation', 'blocked_by_buyer'] as const),
  ...(['blocked_by_fulfillment', 'blocked_by_conversation_expired', 'blocked_by_time', 'blocked_by_refund'] as const),
  'blocked_by_conversation_initiated_by_seller_limited',
  ...(['blocked_by_conversation_initiated_by_seller', 'blocked_by_conversation_use_message_api'] as const),
  ...(['blocked_by_cancelled_order_by_fraud', 'blocked_by_mediation_fbm', 'blocked_by_claim_change_closed'] as const),
  ...(['blocked_by_deactivated_account', 'blocked_by_restrictions', 'blocked_by_cancelled_order_hidden'] as const),
  ...(['blocked_by_claim_change_open', 'blocked_by_message_pending_review'] as const),
  ...([
    'blocked_by_return_to_buyer_fulfillment',
    'blocked_by_ai_assistant',
    'blocked_by_ai_assistant_expired',
  ] as const),
  ...(['blocked_by_ai_assistant_contact_closed', 'block_by_ai_assistant_initiated_by_seller_expired'] as const),
] as const
export type Substatus = (typeof SUBSTATUSES)[number]

/** A conversation that a control call has blocked. */
export const conversation_block = sqliteTable('conversation_block', {
  /** The pack; the order where there is none. */
  id: integer().primaryKey(),
  substatus: text({ enum: SUBSTATUSES }).notNull(),
  at: integer().notNull(),
})

/** A file that a user has uploaded to send it. */
export const message_attachment = sqliteTable('message_attachment', {
  /** `<user>_<uuid>.<ext>`. */
  id: text().primaryKey(),
  user_id: integer().notNull(),
  filename: text().notNull(),
  type: text().notNull(),
  size: integer().notNull(),
  date_created: integer().notNull(),
  bytes: blob({ mode: 'buffer' }).notNull(),
})
export type AttachmentRow = typeof message_attachment.$inferSelect
