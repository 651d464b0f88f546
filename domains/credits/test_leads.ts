import { derived } from '../../db/ids.ts'
import type { Paging } from '../../db/lists.ts'
import { uuid } from '../shared/texts.ts'
import type { Criteria, DetailRow } from './queries.ts'
import type { FinancialEntity, LeadStatus } from './tables.ts'
import { TEST_BUYERS, testBuyerId, testItemId } from './test_subject_queries.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

type TestLead = readonly [
  /** Whole days before today, 1 to 29, and the hour of that day. */
  days: number,
  hour: number,
  status: LeadStatus,
  entity: FinancialEntity,
  /** Numbers in TEST_BUYERS and TEST_ITEMS, of one site. */
  buyer: number,
  item: number,
  down_payment_amount: number,
  installments_number: number,
  installments_amount: number,
  options?: { without_proposal?: true; expired?: true },
]

/** Covers every status and entity, expired leads and leads without a proposal id [spec: credits.test_leads]. */
const TEST_LEADS: readonly TestLead[] = [
  [1, 14.5, 'approved', 'MERCADO_PAGO', 0, 0, 45_000, 12, 11_250.5],
  [2, 9.25, 'in_analysis', 'SANTANDER', 1, 1, 120_000, 24, 18_990],
  [3, 20, 'approved', 'SCOTIA', 2, 0, 60_000, 36, 9_875.25],
  [4, 11.75, 'rejected', 'VOTORANTIM', 3, 2, 30_000, 48, 1_499.9],
  [6, 16, 'approved', 'VOTORANTIM', 4, 2, 25_000, 60, 1_289.99, { without_proposal: true }],
  [8, 13.5, 'in_analysis', 'MERCADO_PAGO', 5, 3, 0, 6, 33_000, { without_proposal: true }],
  [11, 10, 'rejected', 'SANTANDER', 0, 1, 80_000, 18, 21_400],
  [14, 18.25, 'approved', 'SANTANDER', 3, 3, 95_000, 12, 30_120.75],
  [17, 8.5, 'in_analysis', 'SCOTIA', 2, 0, 50_000, 24, 12_700, { expired: true }],
  [21, 22, 'approved', 'MERCADO_PAGO', 1, 1, 15_000, 9, 16_640.4, { expired: true }],
  [25, 12, 'rejected', 'SCOTIA', 5, 3, 70_000, 36, 8_350, { without_proposal: true, expired: true }],
  [29, 15.75, 'in_analysis', 'VOTORANTIM', 4, 2, 40_000, 48, 1_610.3],
]

/** Whether a call asks for test leads [spec: credits.sandbox]. */
export const wantsTestLeads = (headers: { 'x-sandbox'?: string }): boolean =>
  headers['x-sandbox']?.toLowerCase() === 'true'

/** A seller's test leads, newest first: the same in every world except for their dates, which move once a day. */
function testLeads(seller_id: number, now: number): DetailRow[] {
  const today = Math.floor(now / DAY) * DAY
  const digits = (purpose: string, n: number, length: number) =>
    derived('x-sandbox', `${seller_id} ${purpose} ${n}`, length)
  const proposalOf = (n: number) => `TEST-${String(Number.parseInt(digits('proposal', n, 8), 16)).padStart(10, '0')}`
  return TEST_LEADS.map(([days, hour, status, entity, buyer, item, down, number, amount, options = {}], n) => {
    const { first_name, last_name, email, phone } = TEST_BUYERS[buyer]!
    return {
      id: uuid(digits('lead', n, 32)),
      item_id: testItemId(item, seller_id),
      down_payment_amount: down,
      installments_number: number,
      installments_amount: amount,
      seller_id,
      proposal_id: options.without_proposal ? null : proposalOf(n),
      date_created: today - days * DAY + hour * HOUR,
      financial_entity_id: entity,
      status,
      expired: options.expired ? 1 : 0,
      buyer_id: testBuyerId(buyer, seller_id),
      first_name,
      last_name,
      email,
      phone,
    }
  })
}

/** `findLeads` over the test leads. */
export function findTestLeads(criteria: Criteria, { limit, offset }: Paging, now: number) {
  const { seller_id, since, until, item_id, status, financial_entity_id } = criteria
  const found = testLeads(seller_id, now).filter(
    (lead) =>
      lead.date_created >= since &&
      lead.date_created < until &&
      (item_id === undefined || lead.item_id === item_id) &&
      (status === undefined || lead.status === status) &&
      (financial_entity_id === undefined || lead.financial_entity_id === financial_entity_id),
  )
  return { total: found.length, rows: found.slice(offset, offset + limit) }
}

/** `leadById` over the test leads. */
export const testLeadById = (id: string, seller_id: number, now: number): DetailRow | undefined =>
  testLeads(seller_id, now).find((lead) => lead.id === id)
