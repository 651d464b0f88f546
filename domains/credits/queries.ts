import { and, asc, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import { $, fixedPlan, prepared, preparedBy, type Q } from '../../db/engine.ts'
import { user } from '../users/tables.ts'
import { credit_lead, type FinancialEntity, type LeadStatus } from './tables.ts'

export type LeadRow = typeof credit_lead.$inferSelect
/** The columns of an element of a search. */
export type FoundRow = Omit<LeadRow, 'status'>
/** The columns of a detail. */
export type DetailRow = LeadRow & { first_name: string; last_name: string; email: string; phone: string }

/** Conditions of a search, joined with AND; undefined ones do not apply. */
export interface Criteria {
  seller_id: number
  /** Ms; inclusive. */
  since: number
  /** Ms; exclusive. */
  until: number
  item_id?: string
  status?: LeadStatus
  financial_entity_id?: FinancialEntity
}

export interface Page {
  limit: number
  offset: number
}

/** A page of a seller's matching leads, newest first, and their total. */
export async function findLeads(q: Q, criteria: Criteria, page: Page): Promise<{ total: number; rows: FoundRow[] }> {
  const filters = FILTERS.filter((name) => criteria[name] !== undefined)
  const total = (await countLeads(q, filters).one({ ...criteria }))!.n
  return { total, rows: page.limit === 0 ? [] : await selectPage(q, filters).all({ ...criteria, ...page }) }
}

const FILTERS = ['item_id', 'status', 'financial_entity_id'] as const
type Filter = (typeof FILTERS)[number]

const CONDITIONS: Record<Filter, (c: typeof credit_lead) => SQL> = {
  item_id: (c) => eq(c.item_id, $('item_id')),
  status: (c) => eq(c.status, $('status')),
  financial_entity_id: (c) => eq(c.financial_entity_id, $('financial_entity_id')),
}

const matching = (c: typeof credit_lead, filters: Filter[]) =>
  and(
    eq(c.seller_id, $('seller_id')),
    gte(c.date_created, $('since')),
    lt(c.date_created, $('until')),
    ...filters.map((name) => CONDITIONS[name](c)),
  )

const foundColumns = (c: typeof credit_lead) => ({
  id: c.id,
  item_id: c.item_id,
  down_payment_amount: c.down_payment_amount,
  installments_number: c.installments_number,
  installments_amount: c.installments_amount,
  seller_id: c.seller_id,
  buyer_id: c.buyer_id,
  proposal_id: c.proposal_id,
  date_created: c.date_created,
  financial_entity_id: c.financial_entity_id,
  expired: c.expired,
})

const countLeads = preparedBy(({ db }, filters: Filter[]) =>
  db
    .select({ n: sql<number>`count(*)`.as('n') })
    .from(credit_lead)
    .where(matching(credit_lead, filters)),
)

const selectPage = preparedBy(({ db }, filters: Filter[]) =>
  db
    .select(foundColumns(credit_lead))
    .from(credit_lead)
    .where(matching(credit_lead, filters))
    .orderBy(desc(credit_lead.date_created), asc(credit_lead.id))
    .limit($('limit'))
    .offset($('offset')),
)

/** One lead of a seller with its buyer; undefined when there is none before `until`, ms. */
export const leadById = (
  q: Q,
  filter: { id: string; seller_id: number; until: number },
): Promise<DetailRow | undefined> => detail(q).one(filter)
const detail = prepared(({ db }) =>
  db
    .select({
      ...foundColumns(credit_lead),
      status: credit_lead.status,
      first_name: user.first_name,
      last_name: user.last_name,
      email: user.email,
      phone: user.phone,
    })
    .from(credit_lead)
    .innerJoin(user, eq(user.id, credit_lead.buyer_id))
    .where(
      and(
        eq(credit_lead.id, fixedPlan($('id'))),
        eq(credit_lead.seller_id, fixedPlan($('seller_id'))),
        lt(credit_lead.date_created, $('until')),
      ),
    ),
)

/** One lead of any seller and age; undefined when there is none. */
export const leadOfAnySeller = (q: Q, id: string): Promise<LeadRow | undefined> => byId(q).one({ id })
const byId = prepared(({ db }) =>
  db
    .select()
    .from(credit_lead)
    .where(eq(credit_lead.id, $('id'))),
)
