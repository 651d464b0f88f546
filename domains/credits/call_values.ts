import type { CallContext } from '../../http/errors/checks.ts'
import { listItems } from '../items/queries.ts'
import { addMonths, isoSeconds, parseInstant } from '../shared/instants.ts'
import { expiredUntil } from './lifetime.ts'
import { leadOfAnySeller, listLeads } from './queries.ts'
import { findTestLeads, wantsTestLeads } from './test_leads.ts'

// Values with which calls about leads succeed, for explanations.

const PAGE = { limit: 20, offset: 0 }

/** A month before `date_to`, else before now. */
export const datesFrom = ({ world, sent }: CallContext): string[] => {
  const until = parseInstant(String(sent('date_to'))) ?? world.clock.now()
  return [isoSeconds(addMonths(until, -1))]
}

/** A month after `date_from`, else now. */
export const datesTo = ({ world, sent }: CallContext): string[] => {
  const from = parseInstant(String(sent('date_from')))
  return [isoSeconds(from === undefined ? world.clock.now() : addMonths(from, 1))]
}

export async function listings({ q, caller }: CallContext): Promise<string[]> {
  const { rows } = await listItems(q, caller ? { seller_id: caller.user_id } : {}, PAGE)
  return rows.map(({ id }) => id)
}

/** Leads of the caller that have not expired: the stored ones, or the test leads. */
export async function leads({ q, world, caller, sent }: CallContext): Promise<string[]> {
  if (!caller) return []
  const now = world.clock.now()
  if (wantsTestLeads({ 'x-sandbox': String(sent('x-sandbox')) })) {
    const criteria = { seller_id: caller.user_id, since: 0, until: now + 1 }
    return findTestLeads(criteria, PAGE, now).rows.flatMap(({ id, expired }) => (expired ? [] : [id]))
  }
  const filter = { seller_id: caller.user_id, validFrom: expiredUntil(now) }
  return (await listLeads(q, filter, PAGE)).rows.map(({ id }) => id)
}

export async function sellerOfLead({ q, sent }: CallContext): Promise<number[]> {
  const lead = await leadOfAnySeller(q, String(sent('credit_id')).toLowerCase())
  return lead ? [lead.seller_id] : []
}
