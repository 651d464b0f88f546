import { type CallChecks, type CallContext, defineChecks, ownUser } from '../../http/errors/checks.ts'
import { listItems } from '../items/queries.ts'
import { addMonths, isoSeconds, parseInstant } from '../shared/instants.ts'
import { expiredUntil } from './lifetime.ts'
import { leadOfAnySeller, listLeads } from './queries.ts'
import { findTestLeads, wantsTestLeads } from './test_leads.ts'

// Values with which calls about leads succeed, for explanations.

const PAGE = { limit: 20, offset: 0 }

/** A month before `date_to`, else before now. */
const datesFrom = ({ world, sent }: CallContext): string[] => {
  const until = parseInstant(String(sent('date_to'))) ?? world.clock.now()
  return [isoSeconds(addMonths(until, -1))]
}

/** A month after `date_from`, else now. */
const datesTo = ({ world, sent }: CallContext): string[] => {
  const from = parseInstant(String(sent('date_from')))
  return [isoSeconds(from === undefined ? world.clock.now() : addMonths(from, 1))]
}

async function listings({ q, caller }: CallContext): Promise<string[]> {
  const { rows } = await listItems(q, caller ? { seller_id: caller.user_id } : {}, PAGE)
  return rows.map(({ id }) => id)
}

/** Leads of the caller that have not expired: the stored ones, or the test leads. */
async function leads({ q, world, caller, sent }: CallContext): Promise<string[]> {
  if (!caller) return []
  const now = world.clock.now()
  if (wantsTestLeads({ 'x-sandbox': String(sent('x-sandbox')) })) {
    const criteria = { seller_id: caller.user_id, since: 0, until: now + 1 }
    return findTestLeads(criteria, PAGE, now).rows.flatMap(({ id, expired }) => (expired ? [] : [id]))
  }
  const filter = { seller_id: caller.user_id, validFrom: expiredUntil(now) }
  return (await listLeads(q, filter, PAGE)).rows.map(({ id }) => id)
}

async function sellerOfLead({ q, sent }: CallContext): Promise<number[]> {
  const lead = await leadOfAnySeller(q, String(sent('credit_id')).toLowerCase())
  return lead ? [lead.seller_id] : []
}

const CHECKS = defineChecks({
  seller_id: [
    'credits.seller_id',
    'seller_id is the owner of the token',
    'seller_id es el dueño del token',
    'seller_id é o dono do token',
    'seller_id',
  ],
  date_from: [
    'credits.search.format',
    'date_from is a date-time without an offset',
    'date_from es una fecha y hora sin desfase',
    'date_from é uma data e hora sem fuso',
    'date_from',
  ],
  date_to: [
    'credits.date_to',
    'date_to is a date-time without an offset',
    'date_to es una fecha y hora sin desfase',
    'date_to é uma data e hora sem fuso',
    'date_to',
  ],
  date_order: [
    'credits.date_order',
    'date_from is not after date_to',
    'date_from no es posterior a date_to',
    'date_from não é posterior a date_to',
    'date_from',
  ],
  range: [
    'credits.search.range',
    'date_to is at most three months after date_from',
    'date_to es como máximo tres meses posterior a date_from',
    'date_to é no máximo três meses posterior a date_from',
    'date_to',
  ],
  item_id: [
    'credits.search.item_id',
    'item_id has the form of a listing id',
    'item_id tiene la forma del id de una publicación',
    'item_id tem a forma do id de um anúncio',
    'item_id',
  ],
  status: ['credits.status', 'status is known', 'status es conocido', 'status é conhecido', 'status'],
  financial_entity_id: [
    'credits.search.entities',
    'financial_entity_id is known',
    'financial_entity_id es conocido',
    'financial_entity_id é conhecido',
    'financial_entity_id',
  ],
  limit: [
    ['http.query.bad_parameter', 'credits.limit'],
    'limit is an integer from 0 to 100',
    'limit es un entero de 0 a 100',
    'limit é um inteiro de 0 a 100',
    'limit',
  ],
  offset: [
    'http.query.bad_parameter',
    'offset is an integer from 0',
    'offset es un entero desde 0',
    'offset é um inteiro a partir de 0',
    'offset',
  ],
  credit_id: ['credits.detail.id', 'The id is a UUID', 'El id es un UUID', 'O id é um UUID', 'credit_id'],
  lead_exists: [
    'credits.detail.not_found',
    'The seller has the lead',
    'El vendedor tiene la solicitud de crédito',
    'O vendedor tem o pedido de crédito',
    'credit_id',
  ],
  lead_current: [
    'credits.detail.gone',
    'The lead has not expired',
    'La solicitud de crédito no venció',
    'O pedido de crédito não venceu',
    'credit_id',
  ],
})

export const SEARCH_LEADS: CallChecks = {
  order: 'credits.search.order',
  checks: [
    CHECKS.seller_id,
    CHECKS.date_from,
    CHECKS.date_to,
    CHECKS.date_order,
    CHECKS.range,
    CHECKS.item_id,
    CHECKS.status,
    CHECKS.financial_entity_id,
    CHECKS.limit,
    CHECKS.offset,
  ],
  values: { seller_id: ownUser, date_from: datesFrom, date_to: datesTo, item_id: listings },
}

export const READ_LEAD: CallChecks = {
  order: 'credits.order',
  checks: [CHECKS.seller_id, CHECKS.credit_id, CHECKS.lead_exists, CHECKS.lead_current],
  values: { seller_id: ownUser, credit_id: leads },
  callers: sellerOfLead,
}
