import { and, eq, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { derived, nextNumber } from '../../db/ids.ts'
import { publish } from '../../db/outbox.ts'
import type { World } from '../../db/world.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { sellerOfItem } from '../items/queries.ts'
import { itemNotFound, userNotFound } from '../shared/errors.ts'
import { uuid } from '../shared/uuid.ts'
import { userById } from '../users/queries.ts'
import { leadExists } from './errors.ts'
import type { LeadRow } from './queries.ts'
import { credit_lead, type FinancialEntity, type LeadStatus } from './tables.ts'

// Call these inside `world.tx`: they publish the event in the same transaction.

/** The resource is singular, unlike the path that reads it [spec: notifications.leads]. */
const publishLead = (q: Q, { id, seller_id }: LeadRow, at: number) =>
  publish(q, { topic: 'leads-credits', resource: `/vis/loan/${id}`, users: [seller_id], at })

export interface NewLead {
  item_id: string
  buyer_id: number
  down_payment_amount: number
  installments_number: number
  installments_amount: number
  financial_entity_id: FinancialEntity
  /** Default null: the entity has assigned none. */
  proposal_id?: string | null
  /** Default in_analysis. */
  status?: LeadStatus
  /** Ms; default now. */
  date_created?: number
  /** Expired early; default false. */
  expired?: boolean
  /** UUID in lower case; default: a new one. */
  id?: string
}

/** Creates a lead. Throws, in this order: no such item, no such buyer, own item, 409 if the id exists. */
export async function createLead(q: Q, world: World, lead: NewLead): Promise<LeadRow> {
  const { item_id, buyer_id } = lead
  const seller_id = await sellerOfItem(q, item_id)
  if (seller_id === undefined) throw itemNotFound(item_id)
  if (!(await userById(q, buyer_id))) throw userNotFound(buyer_id)
  if (seller_id === buyer_id) throw badRequest('buyer_id: must not be the seller of the listing')
  const now = world.clock.now()
  const row = {
    item_id,
    seller_id,
    buyer_id,
    down_payment_amount: lead.down_payment_amount,
    installments_number: lead.installments_number,
    installments_amount: lead.installments_amount,
    financial_entity_id: lead.financial_entity_id,
    proposal_id: lead.proposal_id ?? null,
    status: lead.status ?? 'in_analysis',
    date_created: lead.date_created ?? now,
    expired: lead.expired ? 1 : 0,
  }
  let created: LeadRow | undefined
  if (lead.id !== undefined) {
    created = await insert(q).one({ ...row, id: lead.id })
    if (!created) throw leadExists(lead.id)
  }
  // A caller may have chosen a generated id for another lead: try the next one.
  while (!created) created = await insert(q).one({ ...row, id: await nextLeadId(q, world) })
  await publishLead(q, created, now)
  return created
}
/** The id of a lead to create; a caller may have chosen it for another one. */
export const nextLeadId = async (q: Q, { key }: Pick<World, 'key'>): Promise<string> =>
  uuid(derived(key, `credit_lead ${await nextNumber(q, 'credit_lead')}`, 32))
const insert = prepared(({ db }) =>
  db
    .insert(credit_lead)
    .values({
      id: $('id'),
      item_id: $('item_id'),
      seller_id: $('seller_id'),
      buyer_id: $('buyer_id'),
      down_payment_amount: $('down_payment_amount'),
      installments_number: $('installments_number'),
      installments_amount: $('installments_amount'),
      proposal_id: $('proposal_id'),
      financial_entity_id: $('financial_entity_id'),
      status: $('status'),
      date_created: $('date_created'),
      expired: $('expired'),
    })
    .onConflictDoNothing()
    .returning(),
)

/** The entity decides [spec: credits.decision]. Undefined when there is no such lead or it is already decided. */
export async function decideLead(
  q: Q,
  world: World,
  id: string,
  status: 'approved' | 'rejected',
): Promise<LeadRow | undefined> {
  const lead = await decide(q).one({ id, status })
  if (lead) await publishLead(q, lead, world.clock.now())
  return lead
}
const decide = prepared(({ db }) =>
  db
    .update(credit_lead)
    .set({ status: sql`${$('status')}` })
    .where(and(eq(credit_lead.id, $('id')), eq(credit_lead.status, 'in_analysis')))
    .returning(),
)

/** Expires a lead early, without event. Undefined when there is no such lead or it already is. */
export const expireLead = (q: Q, _world: World, id: string): Promise<LeadRow | undefined> => expire(q).one({ id })
const expire = prepared(({ db }) =>
  db
    .update(credit_lead)
    .set({ expired: 1 })
    .where(and(eq(credit_lead.id, $('id')), eq(credit_lead.expired, 0)))
    .returning(),
)

/** Undoes `expireLead`, without event. Undefined when there is no such lead or it was not expired early. */
export const unexpireLead = (q: Q, id: string): Promise<LeadRow | undefined> => clearExpired(q).one({ id })
const clearExpired = prepared(({ db }) =>
  db
    .update(credit_lead)
    .set({ expired: 0 })
    .where(and(eq(credit_lead.id, $('id')), eq(credit_lead.expired, 1)))
    .returning(),
)
