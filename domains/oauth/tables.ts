import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const application = sqliteTable('application', {
  id: integer().primaryKey(),
  secret: text().notNull(),
  name: text().notNull(),
  redirect_uri: text().notNull(),
  /** 0 or 1: authorizations need a challenge. */
  use_pkce: integer().notNull().default(0),
  /** 0 or 1: all its calls are refused. */
  blocked: integer().notNull().default(0),
})

/** A user has granted an application access; notifications go to every application with a grant. */
export const application_grant = sqliteTable(
  'application_grant',
  {
    application_id: integer().notNull(),
    user_id: integer().notNull(),
    date_created: integer().notNull(),
    /** World time, a day old at most if it is called: not every call writes. Null in grants of older versions. */
    last_call: integer(),
  },
  (t) => [primaryKey({ columns: [t.application_id, t.user_id] }), index('application_grant_user').on(t.user_id)],
)

export const access_token = sqliteTable(
  'access_token',
  {
    token: text().primaryKey(),
    application_id: integer().notNull(),
    user_id: integer().notNull(),
    /** World time; null = does not expire. */
    expires_at: integer(),
  },
  (t) => [
    index('access_token_user').on(t.user_id),
    index('access_token_expiry').on(t.expires_at).where(sql`expires_at IS NOT NULL`),
  ],
)

export const refresh_token = sqliteTable(
  'refresh_token',
  {
    token: text().primaryKey(),
    application_id: integer().notNull(),
    user_id: integer().notNull(),
    expires_at: integer().notNull(),
  },
  (t) => [index('refresh_token_expiry').on(t.expires_at)],
)

export const authorization_code = sqliteTable(
  'authorization_code',
  {
    code: text().primaryKey(),
    application_id: integer().notNull(),
    user_id: integer().notNull(),
    redirect_uri: text().notNull(),
    code_challenge: text(),
    code_challenge_method: text({ enum: ['S256', 'plain'] }),
    expires_at: integer().notNull(),
  },
  (t) => [index('authorization_code_expiry').on(t.expires_at)],
)
