import type * as t from '../../db/schema/index.ts'

// With their ids: nothing is left for the database to choose.
export type UserRow = typeof t.user.$inferInsert & { id: number }
export type ItemRow = typeof t.item.$inferInsert
export type QuestionRow = typeof t.question.$inferInsert & { id: number }
export type BlockedBuyerRow = typeof t.blocked_buyer.$inferInsert
export type ContactEventRow = typeof t.contact_event.$inferInsert
export type ContactKind = t.ContactKind
export type LeadRow = typeof t.credit_lead.$inferInsert
export type SubscriptionRow = typeof t.flex_subscription.$inferInsert & { id: number }
export type ShipmentRow = typeof t.shipment.$inferInsert & { id: number }

/** Where the numbers of each table begin, so that they look like the real ones from the first. */
export const FIRST_IDS = {
  question: 13_000_000_001,
  flex_subscription: 111_181,
  shipment: 43_000_000_001,
} as const

/** A scenario's rows, by table. */
export interface ScenarioRows {
  user: UserRow[]
  item: ItemRow[]
  question: QuestionRow[]
  blocked_buyer: BlockedBuyerRow[]
  contact_event: ContactEventRow[]
  contact_item_hour: (typeof t.contact_item_hour.$inferInsert)[]
  contact_user_hour: (typeof t.contact_user_hour.$inferInsert)[]
  credit_lead: LeadRow[]
  flex_subscription: SubscriptionRow[]
  shipment: ShipmentRow[]
}
