import { isoSeconds } from '../shared/instants.ts'
import { isExpired } from './periods.ts'
import type { DetailRow, FoundRow } from './queries.ts'
import type { Lead, LeadDetail } from './schemas.ts'

/** An element of a search. */
export const presentFound = (row: FoundRow, now: number): Lead => ({
  id: row.id,
  item_id: row.item_id,
  down_payment_amount: row.down_payment_amount,
  installments_number: row.installments_number,
  installments_amount: row.installments_amount,
  seller_id: row.seller_id,
  buyer_id: row.buyer_id,
  proposal_id: row.proposal_id,
  date_created: isoSeconds(row.date_created),
  financial_entity_id: row.financial_entity_id,
  expired: isExpired(row, now),
})

/** One lead with its buyer. */
export const presentDetail = (row: DetailRow): LeadDetail => ({
  id: row.id,
  item_id: row.item_id,
  down_payment_amount: row.down_payment_amount,
  installments_number: row.installments_number,
  installments_amount: row.installments_amount,
  seller_id: row.seller_id,
  proposal_id: row.proposal_id,
  date_created: isoSeconds(row.date_created),
  financial_entity_id: row.financial_entity_id,
  status: row.status,
  buyer: { id: row.buyer_id, full_name: `${row.first_name} ${row.last_name}`, email: row.email, phone: row.phone },
})
