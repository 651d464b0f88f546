import { getTableName } from 'drizzle-orm'
import { integer, real, type SQLiteTable, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** One row: identity, origin and clock of the world. */
export const world = sqliteTable('world', {
  /** The world's number, part of its tokens and application ids. A number is never used twice. */
  id: integer().primaryKey(),
  scenario: text().notNull(),
  seed: integer().notNull(),
  /** The instant given with --now when the world was created; null when it started on real time. */
  now: integer(),
  /** World time when it was created: its history ends there. Null in files of the first versions. */
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
  /** JSON: the switches it was created with, once they have been changed; null until then. */
  made_switches: text(),
})

/** Counters from which ids and secrets are derived. */
export const sequence = sqliteTable('sequence', {
  name: text().primaryKey(),
  n: integer().notNull(),
})

/** Events, each written in the unit of the change that it reports. */
export const outbox = sqliteTable('outbox', {
  id: integer().primaryKey({ autoIncrement: true }),
  topic: text().notNull(),
  /** Path of the resource that changed. */
  resource: text().notNull(),
  /** JSON: what has happened to it, for the topics that say so; null for the others. */
  actions: text(),
  /** JSON: the users that the event concerns. */
  user_ids: text().notNull(),
  /** World time. */
  at: integer().notNull(),
  /** Real time; null in files of older versions. */
  real_at: integer(),
  /** The key of its cause, which only the process that published it knows; null for none. */
  cause: integer(),
})

/** A rule by which some calls of the emulated API fail. */
export const fault = sqliteTable('fault', {
  id: integer().primaryKey({ autoIncrement: true }),
  /** Upper case; null for every method. */
  method: text(),
  /** A path of the API, where `*` matches anything; null for every path. */
  path: text(),
  /** Only calls with a token of this user; null for every call. */
  user_id: integer(),
  /** JSON: the effect on the call. */
  action: text().notNull(),
  /** 0 to 1. */
  probability: real().notNull(),
  /** Random numbers are derived from it: the same seed selects the same calls. */
  seed: integer().notNull(),
  /** How often it may be applied; null for no limit. */
  times: integer(),
  /** Matching calls so far. */
  matched: integer().notNull().default(0),
  /** Calls that it was applied to so far. */
  applied: integer().notNull().default(0),
  /** 0 or 1: a rule that is off matches nothing. */
  enabled: integer().notNull().default(1),
})

/** An answer of the world's own to some calls of the emulated API. */
export const stub = sqliteTable('stub', {
  id: integer().primaryKey({ autoIncrement: true }),
  /** Upper case; null for every method. */
  method: text(),
  /** `/orders/{order_id}`, `/orders/*`. */
  path: text().notNull(),
  /** JSON: the other members of the match, `query` and `body`. */
  match: text().notNull(),
  /** public: without a token, too. */
  access: text({ enum: ['public', 'token'] }).notNull(),
  /** 0 or 1: it also answers calls that the API has. */
  override: integer().notNull(),
  /** Of several that match, the lowest answers. */
  position: integer().notNull(),
  /** How often it may answer; null for no limit. */
  times: integer(),
  /** Calls that it has answered. */
  hits: integer().notNull().default(0),
  /** JSON: status, headers and body. The last column, because it can be long: SQLite reads a row from its beginning. */
  answer: text().notNull(),
})

/**
 * What a column that holds times counts: ms of world time since 1970, which scenarios move; ms or hours since the world's
 * origin; or ms of real time.
 */
export type TimeUnit = 'ms' | 'since origin' | 'real'

/** Properties of a table, beyond its columns, for storage, scenarios and world files. */
export interface TableDescriptor {
  name: string
  table: SQLiteTable
  /** The columns that hold times. */
  times: Readonly<Record<string, TimeUnit>>
  /** The columns whose values no answer may show. */
  secrets: readonly string[]
  /** Id of the first row, where `insertNumbered` gives the ids. */
  firstId?: number
  /** A copied world starts without its rows. */
  isClearedInCopies?: true
}

/** The names of `times` and `secrets` are checked against the table's columns. */
export const describeTable = <Table extends SQLiteTable>(
  table: Table,
  {
    times = {},
    secrets = [],
    ...rest
  }: Omit<TableDescriptor, 'name' | 'table' | 'times' | 'secrets'> & {
    times?: { [Column in keyof Table['$inferSelect'] & string]?: TimeUnit }
    secrets?: (keyof Table['$inferSelect'] & string)[]
  } = {},
): TableDescriptor => ({ name: getTableName(table), table, times: times as Record<string, TimeUnit>, secrets, ...rest })

/** The tables of storage itself. */
export const STORAGE_TABLES: readonly TableDescriptor[] = [
  describeTable(world, { times: { now: 'ms', made_at: 'ms', origin: 'ms' }, secrets: ['key'] }),
  describeTable(sequence),
  describeTable(outbox, { times: { at: 'ms', real_at: 'real' }, isClearedInCopies: true }),
  describeTable(fault, { firstId: 1 }),
  describeTable(stub, { firstId: 1 }),
]
