import type { InjectOptions } from 'fastify'
import { createLead, type NewLead } from '../../domains/credits/operations.ts'
import type { FinancialEntity, LeadStatus } from '../../domains/credits/tables.ts'
import type { Answer, Person, TestApp } from './app.ts'
import type { Parties } from './questions.ts'

/** A lead in the results of a search. */
export interface ListedLead {
  id: string
  item_id: string
  down_payment_amount: number
  installments_number: number
  installments_amount: number
  seller_id: number
  buyer_id: number
  proposal_id: string | null
  date_created: string
  financial_entity_id: FinancialEntity
  expired: boolean
}

/** Fixtures for tests of credits. */
interface LeadFixtures {
  /** Creates a lead on the listing; returns it as a search lists it while it is valid. */
  addLead(stall: Parties, more?: Partial<NewLead>): Promise<ListedLead>
}

export function leadFixtures({ world }: TestApp): LeadFixtures {
  return {
    async addLead({ item, buyer }, more) {
      const row = await world.tx((q) =>
        createLead(q, world, {
          item_id: item,
          buyer_id: buyer.id,
          down_payment_amount: 45_000,
          installments_number: 12,
          installments_amount: 11_250.5,
          financial_entity_id: 'MERCADO_PAGO',
          status: 'approved',
          ...more,
        }),
      )
      return {
        id: row.id,
        item_id: row.item_id,
        down_payment_amount: row.down_payment_amount,
        installments_number: row.installments_number,
        installments_amount: row.installments_amount,
        seller_id: row.seller_id,
        buyer_id: row.buyer_id,
        proposal_id: row.proposal_id,
        date_created: new Date(row.date_created).toISOString().slice(0, 19),
        financial_entity_id: row.financial_entity_id,
        expired: false,
      }
    },
  }
}

/** The default range of searches: all leads that are listed at NOW. */
const RANGE = { date_from: '2025-12-07T15:00:00', date_to: '2026-03-07T15:00:00' }

/** The URL of a search; undefined omits a parameter, a list repeats it. */
export function searchUrl(
  seller: Person,
  parameters: Record<string, string | number | string[] | undefined> = {},
): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ seller_id: seller.id, ...RANGE, ...parameters }))
    for (const one of value === undefined ? [] : [value].flat()) query.append(name, String(one))
  return `/vis/loans/search?${query}`
}

/** A search by the seller itself. */
export const searchLeads = (
  seller: Person,
  parameters: Parameters<typeof searchUrl>[1] = {},
  more?: InjectOptions,
): Promise<Answer> => seller.get(searchUrl(seller, parameters), more)

/** The expected body of a search: all results on one page unless `paging` says otherwise. */
export const page = (results: ListedLead[], paging: object = {}, dates: object = {}) => ({
  results,
  paging: { total: results.length, offset: 0, limit: 50, ...paging },
  ...RANGE,
  ...dates,
})

export const STATUSES: LeadStatus[] = ['approved', 'rejected', 'in_analysis']
export const ENTITIES: FinancialEntity[] = ['MERCADO_PAGO', 'VOTORANTIM', 'SANTANDER', 'SCOTIA']
