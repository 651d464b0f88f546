import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const TOPICS = ['questions', 'leads-credits', 'items', 'flex-handshakes'] as const
export type Topic = (typeof TOPICS)[number]

/** Facts to be told, written in the same unit as the change that they tell of. */
export const outbox = sqliteTable('outbox', {
  id: integer().primaryKey({ autoIncrement: true }),
  topic: text({ enum: TOPICS }).notNull(),
  resource: text().notNull(),
  /** JSON: the users whose applications are told. */
  user_ids: text().notNull(),
  /** World time. */
  at: integer().notNull(),
})
