import { utcMillis } from '../domains/shared/instants.ts'
import type { RecordedCall } from './calls.ts'
import type { Fact, Facts } from './facts.ts'

export type Learn = (facts: Facts, call: RecordedCall, json: unknown) => void

export const isObject = (value: unknown): value is Fact =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
/** Ms of a date; without an offset UTC. Undefined: it is none. */
export function millis(date: unknown): number | undefined {
  if (typeof date !== 'string') return undefined
  const text = /T\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(date) ? `${date}Z` : date
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}
/** As in a world file. */
export const instant = (date: unknown): string | undefined => {
  const ms = millis(date)
  return ms === undefined ? undefined : utcMillis(ms)
}
/** A number, also as a text. */
export const numeric = (value: unknown): number | undefined => {
  const n = typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value
  return typeof n === 'number' ? n : undefined
}
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

export function learnUser(facts: Facts, n: number, user: Fact): void {
  const id = numeric(user.id)
  if (id === undefined) return
  const { seller_reputation: reputation, address, status } = user
  const transactions = reputation?.transactions
  facts.set(
    'user',
    id,
    {
      exists: true,
      ...{ nickname: text(user.nickname), site_id: text(user.site_id), email: text(user.email) },
      ...{ first_name: text(user.first_name), last_name: text(user.last_name), user_type: text(user.user_type) },
      tags: Array.isArray(user.tags) ? user.tags : undefined,
      ...{ level_id: reputation?.level_id, power_seller_status: reputation?.power_seller_status },
      ...{ sales_completed: numeric(transactions?.completed), sales_canceled: numeric(transactions?.canceled) },
      status: text(status?.site_status),
      ...learnAddress(address),
    },
    n,
  )
}

/** Parts of an address, as members of a user. */
export const learnAddress = (address: unknown): Fact =>
  isObject(address)
    ? {
        street: text(address.address) ?? text(address.address_line),
        city: text(address.city) ?? text(address.city?.name),
        state: text(address.state),
        zip_code: text(address.zip_code),
      }
    : {}

export function learnItem(facts: Facts, n: number, item: Fact): void {
  if (typeof item.id !== 'string') return
  const { shipping } = item
  facts.set(
    'item',
    item.id,
    {
      exists: true,
      ...{ seller_id: numeric(item.seller_id), title: text(item.title), price: numeric(item.price) },
      ...{ site_id: text(item.site_id), currency_id: text(item.currency_id), status: text(item.status) },
      shipping_mode: text(shipping?.mode),
      in_flex: Array.isArray(shipping?.tags) ? shipping.tags.includes('self_service_in') : undefined,
      ...{ date_created: instant(item.date_created), last_updated: instant(item.last_updated) },
      available_quantity: numeric(item.available_quantity),
    },
    n,
  )
}

/** `unnamed`: the id of a question that has none. */
export function learnQuestion(facts: Facts, n: number, question: Fact, { token, unnamed, ...more }: Fact): void {
  const id = numeric(question.id) ?? unnamed
  const item_id = text(question.item_id)
  const from_id = numeric(question.from?.id)
  const seller_id = numeric(question.seller_id)
  facts.set(
    'question',
    id,
    {
      exists: true,
      ...{ item_id, from_id, seller_id, text: text(question.text), status: text(question.status) },
      date_created: instant(question.date_created),
      answer: learnAnswer(question.answer),
      ...{ deleted_from_listing: question.deleted_from_listing, hold: question.hold },
      suspected_spam: question.suspected_spam,
      hint_seller: token,
      ...more,
    },
    n,
  )
  if (item_id !== undefined) facts.set('item', item_id, { exists: true, seller_id, hint_seller: token }, n)
}

const learnAnswer = (answer: unknown): Fact | null | undefined =>
  isObject(answer)
    ? { text: text(answer.text) ?? '', status: text(answer.status), date_created: instant(answer.date_created) }
    : (answer as null | undefined)

export function learnLead(facts: Facts, n: number, lead: Fact): void {
  const id = text(lead.id)?.toLowerCase()
  if (id === undefined) return
  const buyer_id = numeric(lead.buyer_id) ?? numeric(lead.buyer?.id)
  const seller_id = numeric(lead.seller_id)
  facts.set(
    'lead',
    id,
    {
      ...{ exists: true, item_id: text(lead.item_id), seller_id, buyer_id, proposal_id: lead.proposal_id },
      ...{
        down_payment_amount: numeric(lead.down_payment_amount),
        installments_number: numeric(lead.installments_number),
      },
      ...{ installments_amount: numeric(lead.installments_amount), status: text(lead.status) },
      ...{ financial_entity_id: text(lead.financial_entity_id), date_created: instant(lead.date_created) },
      expired: lead.expired,
    },
    n,
  )
  if (typeof lead.item_id === 'string') facts.set('item', lead.item_id, { exists: true, seller_id }, n)
  const { buyer } = lead
  if (!isObject(buyer) || buyer_id === undefined) return
  const [first_name, ...last] = text(buyer.full_name)?.split(' ') ?? []
  const last_name = first_name === undefined ? undefined : last.join(' ')
  facts.set(
    'user',
    buyer_id,
    { exists: true, first_name, last_name, email: text(buyer.email), phone: text(buyer.phone) },
    n,
  )
}
