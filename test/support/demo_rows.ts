import type { claim, claim_message } from '../../domains/claims/tables.ts'
import type { contact_event, contact_item_hour, contact_user_hour } from '../../domains/contacts/tables.ts'
import type { credit_lead } from '../../domains/credits/tables.ts'
import type { ItemRow, UserRow } from '../../domains/demo.ts'
import type { flex_subscription } from '../../domains/flex/tables.ts'
import type { item_description } from '../../domains/items/tables.ts'
import type { message } from '../../domains/messages/tables.ts'
import type { payment, sale_order } from '../../domains/orders/tables.ts'
import type { blocked_buyer, question } from '../../domains/questions/tables.ts'
import type { shipment, shipment_step } from '../../domains/shipments/tables.ts'
import { demo } from '../../scenarios/demo/index.ts'

type Numbered<Row> = Row & { id: number }

/** The rows of the demo, by table. */
export interface ScenarioRows {
  user: UserRow[]
  item: ItemRow[]
  item_description: (typeof item_description.$inferInsert)[]
  question: Numbered<typeof question.$inferInsert>[]
  blocked_buyer: (typeof blocked_buyer.$inferInsert)[]
  sale_order: Numbered<typeof sale_order.$inferSelect>[]
  payment: Numbered<typeof payment.$inferSelect>[]
  claim: (typeof claim.$inferSelect)[]
  claim_message: (typeof claim_message.$inferInsert)[]
  message: (typeof message.$inferInsert)[]
  contact_event: (typeof contact_event.$inferInsert)[]
  contact_item_hour: (typeof contact_item_hour.$inferInsert)[]
  contact_user_hour: (typeof contact_user_hour.$inferInsert)[]
  credit_lead: (typeof credit_lead.$inferInsert)[]
  flex_subscription: Numbered<typeof flex_subscription.$inferInsert>[]
  shipment: Numbered<typeof shipment.$inferInsert>[]
  shipment_step: (typeof shipment_step.$inferSelect)[]
}

export const demoRows = (seed: number, origin: number): Promise<ScenarioRows> =>
  demo(seed, origin) as Promise<unknown> as Promise<ScenarioRows>

/** Whether a claim has cancelled a sale, after its delivery: until then it was as if paid. */
export const isRefundedByClaim = ({ cancel_detail }: ScenarioRows['sale_order'][number]): boolean =>
  cancel_detail !== null && JSON.parse(cancel_detail).group === 'mediations'
