import type { contact_event, contact_item_hour, contact_user_hour } from '../../domains/contacts/tables.ts'
import type { credit_lead } from '../../domains/credits/tables.ts'
import type { flex_subscription, shipment } from '../../domains/flex/tables.ts'
import type { item } from '../../domains/items/tables.ts'
import type { blocked_buyer, question } from '../../domains/questions/tables.ts'
import type { user } from '../../domains/users/tables.ts'

// With their ids: nothing is left for the database to choose.
export type UserRow = typeof user.$inferInsert & { id: number }
export type ItemRow = typeof item.$inferInsert
export type QuestionRow = typeof question.$inferInsert & { id: number }
export type BlockedBuyerRow = typeof blocked_buyer.$inferInsert
export type ContactEventRow = typeof contact_event.$inferInsert
export type LeadRow = typeof credit_lead.$inferInsert
export type SubscriptionRow = typeof flex_subscription.$inferInsert & { id: number }
export type ShipmentRow = typeof shipment.$inferInsert & { id: number }

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
  contact_item_hour: (typeof contact_item_hour.$inferInsert)[]
  contact_user_hour: (typeof contact_user_hour.$inferInsert)[]
  credit_lead: LeadRow[]
  flex_subscription: SubscriptionRow[]
  shipment: ShipmentRow[]
}
