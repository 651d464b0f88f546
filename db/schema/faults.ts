import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** A rule by which some calls of the emulated API go wrong. */
export const fault = sqliteTable('fault', {
  id: integer().primaryKey({ autoIncrement: true }),
  /** Upper case; null for every method. */
  method: text(),
  /** A path of the API, where `*` stands for anything; null for every path. */
  path: text(),
  /** Only calls with a token of this user; null for every call. */
  user_id: integer(),
  /** JSON: what happens to the call. */
  action: text().notNull(),
  /** 0 to 1. */
  probability: real().notNull(),
  /** What the draws are made from: the same seed draws the same. */
  seed: integer().notNull(),
  /** How often it may happen; null for always. */
  times: integer(),
  /** Calls that it fitted so far. */
  matched: integer().notNull().default(0),
  /** Calls that went wrong by it so far. */
  applied: integer().notNull().default(0),
})
