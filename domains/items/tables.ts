import { sql } from 'drizzle-orm'
import { index, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const CONDITIONS = ['new', 'used', 'not_specified'] as const
export const LISTING_TYPES = ['gold_pro', 'gold_premium', 'gold_special', 'gold', 'silver', 'bronze', 'free'] as const
export const BUYING_MODES = ['buy_it_now', 'auction', 'classified'] as const
export const SUB_STATUSES = [
  ...(['out_of_stock', 'paused_by_seller', 'deleted', 'expired', 'waiting_for_patch', 'held', 'forbidden'] as const),
] as const
export const ITEM_STATUSES = ['active', 'paused', 'closed', 'under_review', 'inactive'] as const
export const SHIPPING_MODES = ['me2', 'me1', 'custom', 'not_specified'] as const

export const item = sqliteTable(
  'item',
  {
    id: text().primaryKey(),
    site_id: text().notNull(),
    title: text().notNull(),
    seller_id: integer().notNull(),
    price: real().notNull(),
    currency_id: text().notNull(),
    status: text({ enum: ITEM_STATUSES }).notNull(),
    /** me2 = the managed-shipping mode that Flex needs. */
    shipping_mode: text({ enum: SHIPPING_MODES }).notNull(),
    /** 0 or 1: the listing is offered with Flex. */
    in_flex: integer().notNull(),
    date_created: integer().notNull(),
    last_updated: integer().notNull(),
    available_quantity: integer().notNull().default(1),
    /** The seller's own code. */
    seller_sku: text(),
    /** Null for a listing of no particular category. */
    category_id: text(),
    /** Units of paid orders that were not cancelled. */
    sold_quantity: integer().notNull().default(0),
    /** End of the promotion that the details tell of. */
    promotion_until: integer(),
    /** JSON: `ItemDetails`, what nothing filters or sorts by. */
    details: text().notNull().default('{}'),
  },
  (t) => [
    index('item_seller').on(t.seller_id, t.id),
    // For the orders of a seller's search; they cover what a count reads.
    index('item_seller_created').on(t.seller_id, t.date_created, t.id, t.status),
    index('item_seller_sku').on(t.seller_id, t.seller_sku).where(sql`seller_sku IS NOT NULL`),
    index('item_seller_price').on(t.seller_id, t.price, t.id, t.status),
  ],
)

/** The text below a listing. */
export const item_description = sqliteTable('item_description', {
  item_id: text().primaryKey(),
  plain_text: text().notNull(),
  date_created: integer().notNull(),
  last_updated: integer().notNull(),
})

/** A picture that a seller has uploaded, without its bytes. */
export const picture = sqliteTable('picture', {
  id: text().primaryKey(),
  user_id: integer().notNull(),
  date_created: integer().notNull(),
})
