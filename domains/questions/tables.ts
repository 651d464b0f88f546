import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * The flags of a question, each with what it says: a column of 0 or 1, a member of control answers and of world files, and
 * a change that the control plane makes. Whether the emulated API has it is up to schemas.ts and present.ts.
 */
export const FLAGS = {
  deleted_from_listing: 'It does not show on the page of the listing any more',
  hold: 'It waits for moderation',
  suspected_spam: 'The filter takes it for spam',
  hidden: 'Its seller’s searches leave it out',
} as const

export type Flag = keyof typeof FLAGS
export const FLAG_NAMES = Object.keys(FLAGS) as Flag[]

/** An object with a value for each flag. */
export const eachFlag = <Value>(value: (name: Flag) => Value): Record<Flag, Value> =>
  Object.fromEntries(FLAG_NAMES.map((name) => [name, value(name)])) as Record<Flag, Value>

/** The columns as members. */
export const flagsOf = (row: Record<Flag, number>): Record<Flag, boolean> => eachFlag((name) => row[name] === 1)

export const QUESTION_STATUSES = [
  'ANSWERED',
  'BANNED',
  'CLOSED_UNANSWERED',
  'DELETED',
  'DISABLED',
  'UNANSWERED',
  'UNDER_REVIEW',
] as const

export const ANSWER_STATUSES = ['ACTIVE', 'DISABLED', 'BANNED'] as const

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
    answer_status: text({ enum: ANSWER_STATUSES }),
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
    // The first three have all that searches filter, count and sort by, so that only the rows of a page are read; that of
    // sellers also has what the response time counts. Descending, because most searches are.
    index('question_seller').on(
      t.seller_id,
      sql`date_created DESC`,
      sql`id DESC`,
      t.status,
      t.hidden,
      t.item_id,
      t.from_id,
      t.first_of_buyer,
      t.answered_at,
    ),
    index('question_item').on(t.item_id, t.date_created, t.id, t.status, t.hidden, t.from_id, t.seller_id),
    index('question_asker').on(t.from_id, t.item_id, t.date_created, t.id, t.status, t.hidden, t.seller_id),
    // Each read of a question counts what its seller has answered to its buyer.
    index('question_answered').on(t.from_id, t.seller_id).where(sql`status = 'ANSWERED'`),
    index('question_unanswered').on(t.date_created).where(sql`status = 'UNANSWERED'`),
  ],
)

/** The state of a question before any answer or moderation. */
export const UNANSWERED_DEFAULTS = {
  status: 'UNANSWERED',
  answer_text: null,
  answer_status: null,
  answered_at: null,
  ...eachFlag(() => 0),
} as const satisfies Partial<typeof question.$inferSelect>

/** Buyers who may not ask a seller. */
export const blocked_buyer = sqliteTable(
  'blocked_buyer',
  { seller_id: integer().notNull(), buyer_id: integer().notNull(), date_created: integer().notNull() },
  (t) => [primaryKey({ columns: [t.seller_id, t.buyer_id] })],
)
