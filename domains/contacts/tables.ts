import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The kinds that have statistics; visits have paths of their own. */
export const STATISTIC_KINDS = ['questions', 'phone_views', 'whatsapp'] as const
export type StatisticKind = (typeof STATISTIC_KINDS)[number]
export const CONTACT_KINDS = [...STATISTIC_KINDS, 'visits'] as const
export type ContactKind = (typeof CONTACT_KINDS)[number]

// Times in these three tables are relative to the world's origin (ms, and whole hours): moving a history changes one
// number. They are WITHOUT ROWID, by hand in the migration.

export const contact_event = sqliteTable(
  'contact_event',
  {
    /** The seller of the listing. */
    user_id: integer().notNull(),
    kind: text({ enum: CONTACT_KINDS }).notNull(),
    at: integer().notNull(),
    /** Distinguishes the events of one millisecond. */
    seq: integer().notNull(),
    item_id: text().notNull(),
    buyer_id: integer(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.kind, t.at, t.seq] })],
)

const counted = () => ({
  kind: text({ enum: CONTACT_KINDS }).notNull(),
  hour: integer().notNull(),
  n: integer().notNull(),
})

export const contact_item_hour = sqliteTable('contact_item_hour', { item_id: text().notNull(), ...counted() }, (t) => [
  primaryKey({ columns: [t.item_id, t.kind, t.hour] }),
])

export const contact_user_hour = sqliteTable(
  'contact_user_hour',
  { user_id: integer().notNull(), ...counted() },
  (t) => [primaryKey({ columns: [t.user_id, t.kind, t.hour] })],
)

/** The kinds by their names in control calls and world files. */
export const CONTACT_KIND_BY_NAME = {
  phone_view: 'phone_views',
  whatsapp: 'whatsapp',
  question: 'questions',
  visit: 'visits',
} as const satisfies Record<string, ContactKind>
export type ContactKindName = keyof typeof CONTACT_KIND_BY_NAME

export const CONTACT_KIND_NAMES = Object.fromEntries(
  Object.entries(CONTACT_KIND_BY_NAME).map(([name, kind]) => [kind, name]),
) as Record<ContactKind, ContactKindName>

/** The kinds by their names in the series of control calls. */
export const SERIES_KINDS = {
  phone_view: 'phone_views',
  messaging_click: 'whatsapp',
  question: 'questions',
  visit: 'visits',
} as const satisfies Record<string, ContactKind>
export type SeriesKind = keyof typeof SERIES_KINDS
