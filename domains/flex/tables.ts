import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const FLEX_MODES = ['FLEX', 'TURBO'] as const
export type FlexMode = (typeof FLEX_MODES)[number]
/** The older paths show the last two as `pending` [spec: flex.status.newer]. */
export const FLEX_STATUSES = ['in', 'out', 'pending', 'creating', 'activating'] as const
export type FlexStatus = (typeof FLEX_STATUSES)[number]

/** The statuses that may follow each status [spec: flex.status, flex.status.newer], the way to `in` first. */
export const NEXT_STATUSES: Record<FlexStatus, readonly FlexStatus[]> = {
  creating: ['pending'],
  pending: ['in', 'activating'],
  activating: ['in'],
  in: ['out'],
  out: ['pending'],
}
/** All changes, for descriptions. */
export const STATUS_CHANGES = Object.entries(NEXT_STATUSES)
  .map(([from, to]) => `${from} to ${to.toSorted().join(' or ')}`)
  .join(', ')

export const DELIVERY_WINDOWS = ['same_day', 'next_day'] as const
export type DeliveryWindow = (typeof DELIVERY_WINDOWS)[number]

// Rows are numbered from here, so that ids look real from the first.
export const FIRST_SUBSCRIPTION_ID = 111_181

/** One same-day delivery service of a seller, with its settings. */
export const flex_subscription = sqliteTable(
  'flex_subscription',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    site_id: text().notNull(),
    user_id: integer().notNull(),
    mode: text({ enum: FLEX_MODES }).notNull(),
    /** JSON, as the address of a user: where parcels start from; empty for the seller's own address. */
    origin: text().notNull().default(''),
    service_id: integer().notNull(),
    status: text({ enum: FLEX_STATUSES }).notNull(),
    creation_date: integer().notNull(),
    /** Days of practice before the first orders come; null for none. */
    training_days: integer(),
    delivery_window: text({ enum: DELIVERY_WINDOWS }).notNull(),
    /** JSON: {week, saturday, sunday}, each an array of {from, to, capacity, cutoff} or null. */
    delivery_ranges: text().notNull(),
    /** JSON: ids of the zones that are served; empty where a radius is. */
    zones: text().notNull(),
    /** JSON: {week, saturday, sunday} by the id of the zone; null where all zones have the cutoffs of the ranges. */
    zone_cutoffs: text(),
    /** JSON: dates of holidays without deliveries. */
    holidays: text().notNull().default('[]'),
    /** Metres around the seller; null where zones are served. */
    radius: integer(),
    /** 0 or 1. */
    is_moderated: integer().notNull().default(0),
    /** 0 or 1: days may have different capacities; of FLEX. */
    daily_capacity: integer().notNull().default(0),
  },
  (t) => [uniqueIndex('flex_subscription_user').on(t.user_id, t.mode, t.origin)],
)
