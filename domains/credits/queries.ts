import { and, asc, desc, eq, getTableColumns, gte, lt, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { createDatedList, createList } from '../../db/lists.ts'
import { rowById } from '../../db/rows.ts'
import type { DueSource } from '../due.ts'
import { dueRows, fixedDelay, monthsDelay } from '../shared/due_queries.ts'
import { user } from '../users/tables.ts'
import { LEAD_LIFETIME_MS, MAX_MONTHS } from './lifetime.ts'
import { credit_lead, type FinancialEntity, type LeadRow, type LeadStatus } from './tables.ts'

/** The columns of a lead and of its buyer. */
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

/** A page of a seller's matching leads, newest first, and their total. */
export const findLeads = createList(credit_lead, [desc(credit_lead.date_created), asc(credit_lead.id)], {
  since: gte(credit_lead.date_created, $('since')),
  until: lt(credit_lead.date_created, $('until')),
})

/** One lead of a seller with its buyer; undefined when there is none before `until`, ms. */
export const leadById = (
  q: Q,
  filter: { id: string; seller_id: number; until: number },
): Promise<DetailRow | undefined> => detail(q).one(filter)
const detail = prepared(({ db }) =>
  db
    .select({
      ...getTableColumns(credit_lead),
      first_name: user.first_name,
      last_name: user.last_name,
      email: user.email,
      phone: user.phone,
    })
    .from(credit_lead)
    .innerJoin(user, eq(user.id, credit_lead.buyer_id))
    .where(
      and(
        eq(credit_lead.id, $('id')),
        eq(credit_lead.seller_id, $('seller_id')),
        lt(credit_lead.date_created, $('until')),
      ),
    ),
)

/** One lead of any seller and age; undefined when there is none. */
export const leadOfAnySeller = rowById(credit_lead)

/** Leads of all sellers and ages, newest first. */
export const listLeads = createDatedList(credit_lead, credit_lead.date_created, {
  // The unary plus leaves the index in the order of the list.
  expiredUntil: sql`(${credit_lead.expired} = 1 OR +${credit_lead.date_created} <= ${$('expiredUntil')})`,
  validFrom: sql`(${credit_lead.expired} = 0 AND ${credit_lead.date_created} > ${$('validFrom')})`,
})

const leads = {
  kind: 'lead',
  from: sql`${credit_lead} INDEXED BY credit_lead_created`,
  time: credit_lead.date_created,
  columns: { id: credit_lead.id, user_id: credit_lead.seller_id },
  present: ({ id, user_id }: { id: string; user_id: number }) => ({
    id,
    resource: `/vis/loans/${id}`,
    user_id,
    application_id: null,
  }),
} as const

/** What time does to leads [spec: credits.expiry, credits.search.age]. */
export const due: readonly DueSource[] = [
  dueRows({ ...leads, effect: 'expires', delay: fixedDelay(LEAD_LIFETIME_MS), where: sql`${credit_lead.expired} = 0` }),
  dueRows({ ...leads, effect: 'listed', delay: fixedDelay(0) }),
  dueRows({ ...leads, effect: 'unlisted', delay: monthsDelay(MAX_MONTHS) }),
]
