import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** One row: what this world is, where its history is anchored and what time it is in it. */
export const world = sqliteTable('world', {
  /** The world's number: stands in its tokens and application ids, is never used twice. */
  id: integer().primaryKey(),
  scenario: text().notNull(),
  seed: integer().notNull(),
  /** The instant given with --now when the world was made; null when it started on real time. */
  now: integer(),
  /** World time when it was made: its history ends there. Null in files of the first versions. */
  made_at: integer(),
  /** A Monday 04:00Z (ms): times in the contact tables count from here. */
  origin: integer().notNull(),
  clock_mode: text({ enum: ['real', 'shifted', 'frozen'] }).notNull(),
  /** shifted: ms to add to real time; frozen: the instant; real: 0. */
  clock_ms: integer().notNull(),
  /** Hex; everything in this world that looks random is derived from it. */
  key: text().notNull(),
  /** JSON: assumption name → value, only where it differs from the default. */
  switches: text().notNull(),
  /** JSON: the switches it was made with, where they have been changed since; null where they have not. */
  made_switches: text(),
})

/** Counters from which ids and secrets are made. */
export const sequence = sqliteTable('sequence', {
  name: text().primaryKey(),
  n: integer().notNull(),
})
