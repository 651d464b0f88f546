import { documentOf } from '../users/documents.ts'
import { addressOf, type UserRow } from '../users/queries.ts'
import { COUNTRY_OF, type SiteId, splitStreet, stateOf } from '../users/sites.ts'

// What invoices need of a buyer. Nothing is stored.

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
  const { isCompany, ...document } = documentOf(buyer)
  const { address, city, state, zip_code } = addressOf(buyer)
  return {
    name: buyer.first_name,
    last_name: buyer.last_name,
    ...document,
    isCompany,
    taxpayer_type: TAXPAYERS[site]?.[isCompany ? 1 : 0] ?? null,
    ...splitStreet(address),
    ...{ city_name: city, zip_code },
    state: stateOf(state),
    country_id: COUNTRY_OF[site],
  }
}
