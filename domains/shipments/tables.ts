import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

// Rows are numbered from here, so that ids look real from the first.
export const FIRST_SHIPMENT_ID = 43_000_000_001

export const MODES = ['me2', 'me1', 'custom'] as const
export const LOGISTIC_TYPES = [
  ...(['drop_off', 'xd_drop_off', 'cross_docking', 'self_service', 'fulfillment', 'default', 'custom'] as const),
] as const

/** A parcel: of a sale, or one that a seller delivers with Flex and that no sale is known of. */
export const shipment = sqliteTable('shipment', {
  id: integer().primaryKey({ autoIncrement: true }),
  site_id: text().notNull(),
  seller_id: integer().notNull(),
  /** The receiver, or the sender of a return; null where no sale is known. */
  buyer_id: integer(),
  /** The first order of its purchase; null where no sale is known. */
  order_id: integer(),
  /** A return goes from the buyer to the seller. */
  type: text({ enum: ['forward', 'return'] })
    .notNull()
    .default('forward'),
  mode: text({ enum: MODES }).notNull().default('me2'),
  logistic_type: text({ enum: LOGISTIC_TYPES }).notNull().default('self_service'),
  tracking_number: text(),
  /** JSON: what no call searches for. */
  details: text().notNull().default('{}'),
  /** The driver; null while there is none. */
  driver_id: integer(),
  /** 0 or 1: the driver is delivering it. */
  route_open: integer().notNull().default(0),
  date_created: integer().notNull(),
})
export type ShipmentRow = typeof shipment.$inferSelect

/** The states of a shipment, those to come included: it is in the last one that the world's time has reached. */
export const shipment_step = sqliteTable(
  'shipment_step',
  {
    shipment_id: integer().notNull(),
    /** From 0. */
    n: integer().notNull(),
    status: text().notNull(),
    substatus: text(),
    /** World time, ms. */
    at: integer().notNull(),
    /** 0 or 1: its event has been published. */
    is_published: integer().notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.shipment_id, t.n] }),
    // The next step that happens in a world.
    index('shipment_step_next').on(t.at).where(sql`is_published = 0`),
  ],
)
export type StepRow = typeof shipment_step.$inferSelect
