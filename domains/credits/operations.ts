import type { Q } from '../../db/engine.ts'
import { derived, nextNumber } from '../../db/ids.ts'
import { publish } from '../../db/outbox.ts'
import { insertInto, updateById } from '../../db/rows.ts'
import type { World } from '../../db/world.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { itemById } from '../items/queries.ts'
import { itemNotFound, userNotFound } from '../shared/errors.ts'
import { uuid } from '../shared/texts.ts'
import { firstTestBuyer, userById } from '../users/queries.ts'
import { leadExists, leadNotFound } from './errors.ts'
import { isExpired } from './lifetime.ts'
import { leadOfAnySeller } from './queries.ts'
import { credit_lead, type LeadRow } from './tables.ts'

// Call these inside `world.tx`: they publish the event in the same transaction.

/** The resource is singular, unlike the path that reads it [spec: notifications.leads]. */
const publishLead = (q: Q, { id, seller_id }: LeadRow, at: number) =>
  publish(q, { topic: 'leads-credits', resource: `/vis/loan/${id}`, users: [seller_id], at })

/** A lead to create; members that are missing have defaults. `id`: a UUID in lower case. */
export type NewLead = Pick<LeadRow, 'item_id'> & {
  [Member in Exclude<keyof LeadRow, 'item_id' | 'seller_id' | 'expired'>]?: LeadRow[Member] | undefined
} & { expired?: boolean | undefined }

/** Creates a lead. Throws, in this order: no such item, no or no such buyer, own item, 409 if the id exists. */
export async function createLead(q: Q, world: World, lead: NewLead): Promise<LeadRow> {
  const { item_id } = lead
  const item = await itemById(q, item_id)
  if (!item) throw itemNotFound(item_id)
  const { seller_id } = item
  const buyer_id = lead.buyer_id ?? (await firstTestBuyer(q, item_id))
  if (buyer_id === undefined)
    throw badRequest('buyer_id: is required, because the site of the listing has no test buyer')
  if (!(await userById(q, buyer_id))) throw userNotFound(buyer_id)
  if (seller_id === buyer_id) throw badRequest('buyer_id: must not be the seller of the listing')
  const now = world.clock.now()
  const row = {
    item_id,
    seller_id,
    buyer_id,
    ...termsOf(item.price, lead),
    financial_entity_id: lead.financial_entity_id ?? 'MERCADO_PAGO',
    proposal_id: lead.proposal_id ?? null,
    status: lead.status ?? 'in_analysis',
    date_created: lead.date_created ?? now,
    expired: lead.expired ? 1 : 0,
  }
  let id = lead.id ?? (await nextLeadId(q, world))
  while (!(await insertLead(q, { ...row, id }))) {
    if (lead.id !== undefined) throw leadExists(id)
    // A caller has chosen a generated id for another lead.
    id = await nextLeadId(q, world)
  }
  const created = { id, ...row }
  await publishLead(q, created, now)
  return created
}
const insertLead = insertInto(credit_lead)

/** The id of a lead to create; a caller may have chosen it for another one. */
export const nextLeadId = async (q: Q, { key }: Pick<World, 'key'>): Promise<string> =>
  uuid(derived(key, `credit_lead ${await nextNumber(q, 'credit_lead')}`, 32))

/** Defaults: simple interest per month, the down payment and the number of installments. */
const MONTHLY_INTEREST = 0.012
const DOWN_PAYMENT_SHARE = 0.2
const INSTALLMENTS = 12

/** Realistic terms for a price: requested ones stay, the rest follows from them. Amounts have at most two decimals. */
function termsOf(price: number, requested: NewLead) {
  const down_payment_amount = requested.down_payment_amount ?? roundToCents(price * DOWN_PAYMENT_SHARE)
  const installments_number = requested.installments_number ?? INSTALLMENTS
  const financed = Math.max(0, price - down_payment_amount)
  const installments_amount =
    requested.installments_amount ??
    roundToCents((financed * (1 + MONTHLY_INTEREST * installments_number)) / installments_number)
  return { down_payment_amount, installments_number, installments_amount }
}

const roundToCents = (amount: number): number => Math.round(amount * 100) / 100

export interface LeadChange {
  /** The decision of the entity, which publishes an event [spec: credits.decision]. */
  status?: 'approved' | 'rejected' | undefined
  /** Expires the lead early, or reverts that; without event. */
  expired?: boolean | undefined
}

/** Throws 404 if there is no such lead, 400 if it is decided, or past its lifetime and not to be expired. */
export async function changeLead(q: Q, world: World, id: string, { status, expired }: LeadChange): Promise<LeadRow> {
  const lead = await leadOfAnySeller(q, id)
  if (!lead) throw leadNotFound()
  const now = world.clock.now()
  if (status !== undefined && lead.status !== 'in_analysis')
    throw badRequest(`status: is ${lead.status}; only a lead in_analysis can be decided`)
  if (expired === false && isExpired({ ...lead, expired: 0 }, now))
    throw badRequest('expired: must be true, because the lead has passed its lifetime')
  const changed = {
    ...lead,
    status: status ?? lead.status,
    expired: expired === undefined ? lead.expired : Number(expired),
  }
  await updateLead(q, changed)
  if (status !== undefined) await publishLead(q, changed, now)
  return changed
}
const updateLead = updateById(credit_lead, ['status', 'expired'])
