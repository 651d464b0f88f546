import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Where an application wants to be told, of what, and how well that goes. */
export const notification_setting = sqliteTable('notification_setting', {
  application_id: integer().primaryKey(),
  callback_url: text().notNull(),
  /** JSON: array of topics. */
  topics: text().notNull(),
  profile: text().notNull(),
  /** JSON: numbers of the profile that differ here. */
  overrides: text().notNull(),
  /** 1: with them the profile has it that a resource's notifications wait for those before them. */
  in_order: integer().notNull().default(1),
})

/** How long an application has not been reached, by topic. */
export const notification_topic = sqliteTable(
  'notification_topic',
  {
    application_id: integer().notNull(),
    topic: text().notNull(),
    /** Notifications that were missed since the last that arrived. */
    missed: integer().notNull(),
    /** World time since which it is told no more of the topic; null while it is. */
    off_at: integer(),
  },
  (t) => [primaryKey({ columns: [t.application_id, t.topic] })],
)

export const NOTIFICATION_STATUSES = ['pending', 'delivered', 'missed', 'held', 'dropped', 'silenced'] as const
export type NotificationStatus = (typeof NOTIFICATION_STATUSES)[number]

/** One fact that one application is told for one user. */
export const notification = sqliteTable(
  'notification',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    outbox_id: integer().notNull(),
    application_id: integer().notNull(),
    user_id: integer().notNull(),
    topic: text().notNull(),
    resource: text().notNull(),
    /** World time of the fact. */
    received: integer().notNull(),
    status: text({ enum: NOTIFICATION_STATUSES }).notNull(),
    /** Attempts that were begun. */
    attempts: integer().notNull().default(0),
    /** World time of the first attempt, once that is known; the later ones count from it. */
    first_at: integer(),
    /** World time of the next attempt. */
    next_at: integer().notNull(),
    /**
     * 1: it waits for another of its resource. Kept as the rows come and go: thousands may wait, and are not looked at.
     */
    behind: integer().notNull().default(0),
    /** Real time until which somebody is at it; null for nobody. */
    leased_until: integer(),
    /** World time when it was delivered or given up; one that comes once more has it while it is pending. */
    ended_at: integer(),
  },
  (t) => [
    index('notification_due').on(t.application_id, t.status, t.behind, t.next_at, t.id),
    index('notification_application').on(t.application_id, t.status, t.id),
    index('notification_ended').on(t.ended_at),
    index('notification_resource').on(t.application_id, t.resource, t.status, t.id),
  ],
)

/** One try to deliver a notification, and what came of it. */
export const notification_attempt = sqliteTable(
  'notification_attempt',
  {
    notification_id: integer().notNull(),
    /** From 1. */
    n: integer().notNull(),
    /** World time. */
    sent: integer().notNull(),
    /** What was sent. */
    data: text().notNull(),
    /** Where it went. */
    url: text().notNull(),
    /** Real time it took, ms. */
    ms: integer().notNull(),
    /** null: no answer. */
    http_code: integer(),
    /** JSON: headers of the answer. */
    headers: text().notNull(),
    body: text().notNull(),
    error: text(),
    /** 1: with it the topic was switched off for the application. */
    switched_off: integer().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.notification_id, t.n] })],
)
