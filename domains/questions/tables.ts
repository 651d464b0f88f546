import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const QUESTION_STATUSES = [
  'ANSWERED',
  'BANNED',
  'CLOSED_UNANSWERED',
  'DELETED',
  'DISABLED',
  'UNANSWERED',
  'UNDER_REVIEW',
] as const

/** Questions are numbered from here, so that ids look real from the first. */
export const FIRST_QUESTION_ID = 13_000_000_001

export const question = sqliteTable(
  'question',
  {
    /** AUTOINCREMENT: an id is never used again. */
    id: integer().primaryKey({ autoIncrement: true }),
    seller_id: integer().notNull(),
    item_id: text().notNull(),
    /** The asking user. */
    from_id: integer().notNull(),
    text: text().notNull(),
    status: text({ enum: QUESTION_STATUSES }).notNull(),
    date_created: integer().notNull(),
    answer_text: text(),
    answer_status: text({ enum: ['ACTIVE', 'DISABLED', 'BANNED'] }),
    answered_at: integer(),
    /**
     * 0 or 1, like the flags below: the first question of this buyer on this item, the one that the response time
     * counts.
     */
    first_of_buyer: integer().notNull(),
    deleted_from_listing: integer().notNull().default(0),
    hold: integer().notNull().default(0),
    suspected_spam: integer().notNull().default(0),
    hidden: integer().notNull().default(0),
  },
  (t) => [
    // These cover what counts and filters read: they need no table row.
    index('question_seller').on(t.seller_id, t.date_created, t.id, t.status, t.hidden),
    index('question_seller_status').on(t.seller_id, t.status, t.date_created, t.id),
    index('question_seller_item').on(t.seller_id, t.item_id, t.id),
    index('question_seller_from').on(t.seller_id, t.from_id, t.id),
    index('question_item').on(t.item_id, t.date_created, t.id, t.from_id, t.status, t.hidden),
    index('question_from').on(t.from_id, t.item_id, t.date_created),
    index('question_asker').on(t.from_id, t.date_created, t.id, t.seller_id, t.status, t.hidden),
    index('question_response').on(t.seller_id, t.date_created, t.answered_at, t.status).where(sql`first_of_buyer = 1`),
    index('question_hidden').on(t.seller_id, t.id).where(sql`hidden = 1`),
    index('question_unanswered').on(t.date_created).where(sql`status = 'UNANSWERED'`),
  ],
)

// Triggers of the migrations update these three with every write of a question: counts and the report of a seller with
// many questions read a few hundred rows instead of all. All are WITHOUT ROWID, by hand in the migrations.

/** Number of a seller's questions by status, UTC day, and whether the seller has hidden them. */
export const question_day = sqliteTable(
  'question_day',
  {
    seller_id: integer().notNull(),
    status: text({ enum: QUESTION_STATUSES }).notNull(),
    /** Days since 1970. */
    day: integer().notNull(),
    hidden: integer().notNull(),
    n: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.seller_id, t.status, t.day, t.hidden] })],
)

/** Number of an asker's questions to a seller by status, and whether the seller has hidden them. */
export const asker_total = sqliteTable(
  'asker_total',
  {
    from_id: integer().notNull(),
    seller_id: integer().notNull(),
    status: text({ enum: QUESTION_STATUSES }).notNull(),
    hidden: integer().notNull(),
    n: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.from_id, t.seller_id, t.status, t.hidden] })],
)

/** Sums for a seller's response time, by the UTC hour in which the questions were asked. */
export const response_hour = sqliteTable(
  'response_hour',
  {
    seller_id: integer().notNull(),
    /** Hours since 1970. */
    hour: integer().notNull(),
    /** Number of answered questions, and the sum of their times to the answer, ms, each a week at most. */
    answered: integer().notNull(),
    taken: integer().notNull(),
    /** Number of open questions, and the sum of the ms from the hour to the question. */
    open: integer().notNull(),
    asked: integer().notNull(),
    /** No answer is later than this, ms. */
    latest: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.seller_id, t.hour] })],
)

/** Buyers who may not ask a seller. */
export const blocked_buyer = sqliteTable(
  'blocked_buyer',
  { seller_id: integer().notNull(), buyer_id: integer().notNull(), date_created: integer().notNull() },
  (t) => [primaryKey({ columns: [t.seller_id, t.buyer_id] })],
)
