import { sql } from 'drizzle-orm'
import type { DueSource } from '../due.ts'
import { dueRows, fixedDelay, monthsDelay } from '../shared/due_queries.ts'
import { LEAD_LIFETIME_MS, MAX_MONTHS } from './periods.ts'
import { credit_lead } from './tables.ts'

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

/** [spec: credits.expiry, credits.search.age] */
export const due: readonly DueSource[] = [
  dueRows({ ...leads, effect: 'expires', delay: fixedDelay(LEAD_LIFETIME_MS), where: sql`${credit_lead.expired} = 0` }),
  dueRows({ ...leads, effect: 'listed', delay: fixedDelay(0) }),
  dueRows({ ...leads, effect: 'unlisted', delay: monthsDelay(MAX_MONTHS) }),
]
