import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

// Rows are numbered from here, so that ids look real from the first. Packs have numbers of their own.
export const FIRST_ORDER_ID = 2_000_010_000_000_001
export const FIRST_PACK_ID = 2_000_005_000_000_001
export const FIRST_PAYMENT_ID = 91_000_000_001
export const FIRST_FEEDBACK_ID = 9_040_000_000_001

export const ORDER_STATUSES = [
  ...(['confirmed', 'payment_required', 'payment_in_process', 'partially_paid', 'paid'] as const),
  ...(['partially_refunded', 'pending_cancel', 'cancelled', 'invalid'] as const),
] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

/** Tags that sellers and control calls set, or that tell of the purchase; the others follow from the state. */
export const STORED_TAGS = [
  ...(['catalog', 'test_order', 'no_shipping', 'unfulfilled', 'fraud_risk_detected', 'order_has_discount'] as const),
]

export const PAYMENT_STATUSES = [
  ...(['pending', 'in_process', 'approved', 'rejected', 'cancelled', 'refunded', 'charged_back'] as const),
  'in_mediation',
] as const
export const PAYMENT_TYPES = ['credit_card', 'debit_card', 'account_money', 'ticket'] as const

/** A purchase of one listing, or of one of its variations. */
export const sale_order = sqliteTable(
  'sale_order',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** The purchase that it was made in, with others; null as those of years ago. */
    pack_id: integer(),
    site_id: text().notNull(),
    seller_id: integer().notNull(),
    buyer_id: integer().notNull(),
    item_id: text().notNull(),
    variation_id: integer(),
    /** JSON: the listing's members that orders show, as they were. */
    item: text().notNull(),
    quantity: integer().notNull(),
    unit_price: real().notNull(),
    /** Before promotions. */
    full_unit_price: real().notNull(),
    /** For each unit. */
    sale_fee: real().notNull(),
    currency_id: text().notNull(),
    /** What the buyer pays for shipping; null inside a pack of several. */
    shipping_cost: real(),
    /** Null until there is one, and for ever where buyer and seller agree on the delivery. */
    shipment_id: integer(),
    status: text({ enum: ORDER_STATUSES }).notNull(),
    /** JSON: tags beside those that the status implies. */
    tags: text().notNull().default('[]'),
    /** 0 or 1: the seller has said so. */
    delivered: integer().notNull().default(0),
    /** 0 or 1; null while it is not known. */
    fulfilled: integer(),
    /** JSON: {group, code, description, requested_by}; null if it is not cancelled. */
    cancel_detail: text(),
    cancelled_at: integer(),
    /** JSON: [{id, status}] of its claims that are, or were, in a dispute. */
    mediations: text().notNull().default('[]'),
    date_created: integer().notNull(),
    /** When it first became confirmed or paid. */
    date_closed: integer(),
    last_updated: integer().notNull(),
  },
  (t) => [
    // For the searches of sellers and of buyers, in their orders.
    index('sale_order_seller').on(t.seller_id, t.date_closed, t.id, t.status),
    index('sale_order_buyer').on(t.buyer_id, t.date_created, t.id, t.status),
    index('sale_order_pack').on(t.pack_id),
    index('sale_order_item').on(t.item_id, t.buyer_id),
    // The few that a payment is missing of, and that time cancels.
    index('sale_order_unpaid')
      .on(t.date_created)
      .where(sql`status IN ('confirmed', 'payment_required', 'payment_in_process', 'partially_paid')`),
  ],
)
export type OrderRow = typeof sale_order.$inferSelect

export const payment = sqliteTable(
  'payment',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    order_id: integer().notNull(),
    status: text({ enum: PAYMENT_STATUSES }).notNull(),
    status_detail: text().notNull(),
    payment_type: text({ enum: PAYMENT_TYPES }).notNull(),
    payment_method_id: text().notNull(),
    installments: integer().notNull(),
    /** For the units, without shipping. */
    transaction_amount: real().notNull(),
    transaction_amount_refunded: real().notNull().default(0),
    shipping_cost: real().notNull().default(0),
    authorization_code: text(),
    date_created: integer().notNull(),
    date_approved: integer(),
    date_last_modified: integer().notNull(),
  },
  (t) => [index('payment_order').on(t.order_id, t.id)],
)
export type PaymentRow = typeof payment.$inferSelect

/** What the seller says of a sale, or the buyer of a purchase. */
export const order_feedback = sqliteTable(
  'order_feedback',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    order_id: integer().notNull(),
    role: text({ enum: ['seller', 'buyer'] }).notNull(),
    fulfilled: integer().notNull(),
    rating: text({ enum: ['positive', 'neutral', 'negative'] }),
    message: text(),
    reason: text(),
    restock_item: integer().notNull().default(0),
    reply: text(),
    date_created: integer().notNull(),
    modified: integer().notNull(),
  },
  (t) => [uniqueIndex('order_feedback_order').on(t.order_id, t.role)],
)
export type FeedbackRow = typeof order_feedback.$inferSelect

export const MAX_NOTE_LENGTH = 300

/** A note of the seller on an order. */
export const order_note = sqliteTable(
  'order_note',
  {
    /** 24 hexadecimal digits. */
    id: text().primaryKey(),
    order_id: integer().notNull(),
    note: text().notNull(),
    date_created: integer().notNull(),
    date_last_updated: integer().notNull(),
  },
  (t) => [index('order_note_order').on(t.order_id, t.date_created)],
)
export type NoteRow = typeof order_note.$inferSelect

/** Buyers who cannot buy from a seller. */
export const order_blocked_buyer = sqliteTable(
  'order_blocked_buyer',
  {
    seller_id: integer().notNull(),
    buyer_id: integer().notNull(),
    date_created: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.seller_id, t.buyer_id] })],
)
