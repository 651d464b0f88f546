import { derived } from '../../db/ids.ts'
import { addressOf, type UserRow } from '../users/queries.ts'
import { COUNTRY_OF, type SiteId, splitStreet, stateOf } from '../users/sites.ts'

// What invoices need of a buyer. Nothing is stored: documents are invented from the buyer's id.

/** A kind of document: how many digits it has before those that check them. */
interface Kind {
  type: string
  digits: number
  /** Begins every number. */
  prefix?: string
  check?: (digits: string) => string
}

/** Weights of the digits, the last one first, and repeated; 10 has a sign of its own. */
const mod11 = (weights: number[], ten: string) => (digits: string) => {
  const sum = [...digits].reverse().reduce((sum, digit, n) => sum + Number(digit) * weights[n % weights.length]!, 0)
  const rest = (sum * 10) % 11
  return rest === 10 ? ten : String(rest)
}
const twice = (check: (digits: string) => string) => (digits: string) => {
  const first = check(digits)
  return first + check(digits + first)
}
const FROM_2_TO_7 = [2, 3, 4, 5, 6, 7]
const FROM_2_TO_9 = [...FROM_2_TO_7, 8, 9]
const FROM_2_TO_11 = [...FROM_2_TO_9, 10, 11]
const rut = (digits: string) => `-${mod11(FROM_2_TO_7, 'K')(digits)}`

/** The documents of persons and of companies, [spec: orders.billing.documents]. */
const KINDS: { [Site in SiteId]?: readonly [person: Kind, company: Kind] } = {
  MLA: [
    { type: 'DNI', digits: 7, prefix: '3' },
    { type: 'CUIT', digits: 7, prefix: '307', check: mod11(FROM_2_TO_7, '9') },
  ],
  MLB: [
    { type: 'CPF', digits: 9, check: twice(mod11(FROM_2_TO_11, '0')) },
    { type: 'CNPJ', digits: 8, check: (digits) => `0001${twice(mod11(FROM_2_TO_9, '0'))(`${digits}0001`)}` },
  ],
  MLM: [
    { type: 'RFC', digits: 9, prefix: 'XEXX' },
    { type: 'RFC', digits: 9, prefix: 'XEX' },
  ],
  MLC: [
    { type: 'RUT', digits: 7, prefix: '1', check: rut },
    { type: 'RUT', digits: 6, prefix: '76', check: rut },
  ],
  MCO: [
    { type: 'CC', digits: 9, prefix: '1' },
    { type: 'NIT', digits: 7, prefix: '90' },
  ],
  MLU: [
    { type: 'CI', digits: 7, prefix: '4' },
    { type: 'RUT', digits: 10, prefix: '21' },
  ],
  MPE: [
    { type: 'DNI', digits: 7, prefix: '4' },
    { type: 'RUC', digits: 9, prefix: '20' },
  ],
}
const OTHER_KINDS: readonly [person: Kind, company: Kind] = [
  { type: 'CI', digits: 9, prefix: '1' },
  { type: 'RUC', digits: 12, prefix: '1' },
]

/** What the tax office knows persons and companies as; null where invoices do not say. */
const TAXPAYERS: { [Site in SiteId]?: readonly [person: Taxpayer, company: Taxpayer] } = {
  MLA: [
    { id: '05', description: 'Consumidor Final' },
    { id: '01', description: 'IVA Responsable Inscripto' },
  ],
  MLB: [
    { id: '02', description: 'Não contribuinte' },
    { id: '01', description: 'Contribuinte' },
  ],
}
interface Taxpayer {
  id: string
  description: string
}

/** One buyer in eight buys for a company. */
const COMPANIES = 8

const ID_DIGITS = 16
/** Two digits, and those of the order: so billing data can be read by their id without being stored. */
export const billingInfoId = (order_id: number): string =>
  `${10 + (order_id % 89)}${String(order_id).padStart(ID_DIGITS, '0')}`

/** The order of billing data; undefined if the id belongs to none. */
export function orderOfBillingInfo(id: string): number | undefined {
  const order_id = Number(id.slice(-ID_DIGITS))
  return billingInfoId(order_id) === id ? order_id : undefined
}

/** All that both forms of the answer show of a buyer, as texts. */
export function billingOf(buyer: UserRow) {
  const site = buyer.site_id as SiteId
  const hex = derived('billing', String(buyer.id), 14)
  const who = Number.parseInt(hex[13]!, 16) % COMPANIES === 0 ? 1 : 0
  const kind = (KINDS[site] ?? OTHER_KINDS)[who]
  const digits = String(Number.parseInt(hex.slice(0, 13), 16) % 10 ** kind.digits).padStart(kind.digits, '0')
  const body = (kind.prefix ?? '') + digits
  const { address, city, state, zip_code } = addressOf(buyer)
  return {
    name: buyer.first_name,
    last_name: buyer.last_name,
    type: kind.type,
    number: body + (kind.check?.(body) ?? ''),
    isCompany: who === 1,
    taxpayer_type: TAXPAYERS[site]?.[who] ?? null,
    ...splitStreet(address),
    ...{ city_name: city, zip_code },
    state: stateOf(state),
    country_id: COUNTRY_OF[site],
  }
}
