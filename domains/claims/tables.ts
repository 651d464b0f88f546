import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

// Rows are numbered from here, so that ids look real from the first.
export const FIRST_CLAIM_ID = 5_300_000_001

export const CLAIM_TYPES = ['mediations', 'return', 'cancel_purchase'] as const
export const CLAIM_STAGES = ['claim', 'dispute'] as const
export const ROLES = ['complainant', 'respondent', 'mediator'] as const

/** A complaint of the buyer about an order. */
export const claim = sqliteTable(
  'claim',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    site_id: text().notNull(),
    order_id: integer().notNull(),
    seller_id: integer().notNull(),
    buyer_id: integer().notNull(),
    type: text({ enum: CLAIM_TYPES }).notNull(),
    stage: text({ enum: CLAIM_STAGES }).notNull(),
    status: text({ enum: ['opened', 'closed'] }).notNull(),
    reason_id: text().notNull(),
    /** JSON: {reason, date_created, benefited, closed_by, applied_coverage}; null while it is open. */
    resolution: text(),
    /** JSON: what the buyer wants, and what the seller has offered. */
    expected_resolutions: text().notNull().default('[]'),
    /** JSON: its stages and statuses with their times, and who changed them. */
    history: text().notNull().default('[]'),
    /** The parcel that comes back; null without a return. */
    return_shipment_id: integer(),
    date_created: integer().notNull(),
    last_updated: integer().notNull(),
  },
  (t) => [
    index('claim_order').on(t.order_id),
    index('claim_seller').on(t.seller_id, t.status, t.id),
    index('claim_buyer').on(t.buyer_id, t.id),
  ],
)
export type ClaimRow = typeof claim.$inferSelect

/** A message of a party of a claim. */
export const claim_message = sqliteTable(
  'claim_message',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    claim_id: integer().notNull(),
    sender_role: text({ enum: ROLES }).notNull(),
    receiver_role: text({ enum: ROLES }).notNull(),
    stage: text({ enum: CLAIM_STAGES }).notNull(),
    text: text().notNull(),
    date_created: integer().notNull(),
    date_read: integer(),
  },
  (t) => [index('claim_message_claim').on(t.claim_id, t.id)],
)
