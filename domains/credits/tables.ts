import { sql } from 'drizzle-orm'
import { index, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const LEAD_STATUSES = ['approved', 'rejected', 'in_analysis'] as const
export type LeadStatus = (typeof LEAD_STATUSES)[number]
export const FINANCIAL_ENTITIES = ['MERCADO_PAGO', 'VOTORANTIM', 'SANTANDER', 'SCOTIA'] as const
/** A name of `MERCADO_PAGO` in searches: English pages have it [spec: credits.search.entities]. */
export const OTHER_ENTITY_NAME = 'MERCADO_CREDITO'
export type FinancialEntity = (typeof FINANCIAL_ENTITIES)[number]

/** A pre-approved credit of a buyer for a listing. */
export const credit_lead = sqliteTable(
  'credit_lead',
  {
    /** UUID. */
    id: text().primaryKey(),
    item_id: text().notNull(),
    seller_id: integer().notNull(),
    buyer_id: integer().notNull(),
    down_payment_amount: real().notNull(),
    installments_number: integer().notNull(),
    installments_amount: real().notNull(),
    /** Null where the entity gave none. */
    proposal_id: text(),
    financial_entity_id: text({ enum: FINANCIAL_ENTITIES }).notNull(),
    status: text({ enum: LEAD_STATUSES }).notNull(),
    date_created: integer().notNull(),
    /** 0 or 1: expired before its time, by a control call. */
    expired: integer().notNull().default(0),
  },
  // In the order of the lists, newest first; they cover what counts read.
  (t) => {
    const newest = [sql`date_created DESC`, t.id] as const
    return [
      index('credit_lead_seller').on(
        t.seller_id,
        ...newest,
        t.status,
        t.expired,
        t.buyer_id,
        t.financial_entity_id,
        t.item_id,
      ),
      index('credit_lead_buyer').on(t.buyer_id, ...newest, t.seller_id, t.status, t.expired),
      index('credit_lead_by_status').on(t.status, ...newest, t.expired),
      index('credit_lead_created').on(...newest, t.expired),
    ]
  },
)
export type LeadRow = typeof credit_lead.$inferSelect
