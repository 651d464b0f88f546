import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const user = sqliteTable(
  'user',
  {
    id: integer().primaryKey(),
    site_id: text().notNull(),
    nickname: text().notNull(),
    password: text().notNull(),
    email: text().notNull(),
    first_name: text().notNull(),
    last_name: text().notNull(),
    phone: text().notNull(),
    /** JSON: {address, city, state, zip_code}. */
    address: text().notNull(),
    user_type: text().notNull(),
    /** JSON: array of strings. */
    tags: text().notNull(),
    /** `5_green`, `4_light_green`, `3_yellow`, …; null for a user without sales. */
    level_id: text(),
    power_seller_status: text(),
    sales_completed: integer().notNull(),
    sales_canceled: integer().notNull(),
    status: text({ enum: ['active', 'deactive'] }).notNull(),
    registration_date: integer().notNull(),
    /** 0 or 1: acts for the owner of an account, and cannot authorize applications. */
    operator: integer().notNull().default(0),
  },
  (t) => [index('user_nickname').on(t.nickname)],
)
