import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const NOTIFICATION_STATUSES = ['pending', 'delivered', 'missed', 'held', 'dropped', 'silenced'] as const

/** The notification setting of an application: target, topics and profile. */
export const notification_setting = sqliteTable('notification_setting', {
  application_id: integer().primaryKey(),
  callback_url: text().notNull(),
  /** JSON: array of topics. */
  topics: text().notNull(),
  profile: text().notNull(),
  /** JSON: numbers that replace those of the profile. */
  overrides: text().notNull(),
  /** 1: the notifications of one resource are delivered one after the other. */
  in_order: integer().notNull().default(1),
})

/** Missed notifications of an application, by topic. */
export const notification_topic = sqliteTable(
  'notification_topic',
  {
    application_id: integer().notNull(),
    topic: text().notNull(),
    /** Notifications missed since the last one that was delivered. */
    missed: integer().notNull(),
    /** World time since which the topic is off for the application; null while it is on. */
    off_at: integer(),
  },
  (t) => [primaryKey({ columns: [t.application_id, t.topic] })],
)

/** One event for one application and one user. */
export const notification = sqliteTable(
  'notification',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    outbox_id: integer().notNull(),
    application_id: integer().notNull(),
    user_id: integer().notNull(),
    topic: text().notNull(),
    resource: text().notNull(),
    /** As in `outbox`. */
    actions: text(),
    /** World time of the event. */
    received: integer().notNull(),
    /** Real time and cause of the event, as in `outbox`. */
    real_at: integer(),
    cause: integer(),
    status: text({ enum: NOTIFICATION_STATUSES }).notNull(),
    /** Attempts that were started. */
    attempts: integer().notNull().default(0),
    /** World time of the first attempt, once it is known; the later attempts count from it. */
    first_at: integer(),
    /** World time of the next attempt. */
    next_at: integer().notNull(),
    /** 1: it waits for an earlier one of its resource. Stored, because thousands may wait and need not be read. */
    behind: integer().notNull().default(0),
    /** Real time until which an attempt is in flight; null while there is none. */
    leased_until: integer(),
    /** World time when it was delivered or abandoned; a duplicate that is still pending has it too. */
    ended_at: integer(),
  },
  (t) => [
    index('notification_due').on(t.application_id, t.status, t.behind, t.next_at, t.id),
    index('notification_application').on(t.application_id, t.status, t.id),
    index('notification_ended').on(t.ended_at),
    index('notification_resource').on(t.application_id, t.resource, t.status, t.id),
  ],
)

/** One attempt to deliver a notification, and its outcome. */
export const notification_attempt = sqliteTable(
  'notification_attempt',
  {
    notification_id: integer().notNull(),
    /** From 1. */
    n: integer().notNull(),
    /** World time. */
    sent: integer().notNull(),
    /** Real time; null in files of older versions, like the headers. */
    real_sent: integer(),
    /** The body that was sent. */
    data: text().notNull(),
    /** JSON: the headers that were sent; null if nothing was sent. */
    sent_headers: text(),
    /** The address that it was sent to. */
    url: text().notNull(),
    /** Duration in real time, ms. */
    ms: integer().notNull(),
    /** Null: no response. */
    http_code: integer(),
    /** JSON: headers of the response. */
    headers: text().notNull(),
    body: text().notNull(),
    error: text(),
    /** 1: this attempt switched the topic off for the application. */
    switched_off: integer().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.notification_id, t.n] })],
)
