import type * as t from '../../db/schema/index.ts'

// With their ids: nothing is left for the database to choose.
export type UserRow = typeof t.user.$inferInsert & { id: number }
export type ItemRow = typeof t.item.$inferInsert
export type QuestionRow = typeof t.question.$inferInsert & { id: number }
export type BlockedBuyerRow = typeof t.blocked_buyer.$inferInsert
export type ContactEventRow = typeof t.contact_event.$inferInsert
export type ContactKind = t.ContactKind

/** A scenario's rows, by table. */
export interface ScenarioRows {
  user: UserRow[]
  item: ItemRow[]
  question: QuestionRow[]
  blocked_buyer: BlockedBuyerRow[]
  contact_event: ContactEventRow[]
  contact_item_hour: (typeof t.contact_item_hour.$inferInsert)[]
  contact_user_hour: (typeof t.contact_user_hour.$inferInsert)[]
}
