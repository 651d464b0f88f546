import { derived } from '../../db/ids.ts'
import { detailsOf } from '../items/details.ts'
import type { ItemRow } from '../items/queries.ts'
import { COUNTRY_NAMES, COUNTRY_OF, type SiteId } from '../users/sites.ts'
import { listCost, parseDimensions } from './costs.ts'
import { METHOD, nameOfMethod, promises } from './present.ts'

/** Where a listing is to be sent: one of them is known. */
export interface Destination {
  zip_code: string | null
  city_to: string | null
}

const ZIP_CODE = /^[A-Za-z0-9-]{3,10}$/
/** Whether the marketplace may know it. */
export const isDestination = ({ zip_code, city_to }: Destination): boolean =>
  zip_code === null ? city_to !== null : ZIP_CODE.test(zip_code)

/** What the shipment of a unit of a listing costs. */
const costsOf = (item: ItemRow) => {
  const { free_shipping = false, dimensions } = detailsOf(item).shipping ?? {}
  return { list_cost: listCost(item.currency_id, parseDimensions(dimensions).weight), isFree: free_shipping }
}

/** How a buyer can get a listing, `now` in ms [spec: shipments.options]. */
export function optionsOf(item: ItemRow, { zip_code, city_to }: Destination, now: number) {
  const site = item.site_id as SiteId
  const { list_cost, isFree } = costsOf(item)
  const logistic_type = item.in_flex ? 'self_service' : 'drop_off'
  const { estimated_delivery_time } = promises({ row: { date_created: now, logistic_type, mode: 'me2' } })
  const hash = derived('shipping option', `${item.id} ${zip_code} ${city_to}`, 32)
  return {
    destination: {
      zip_code,
      city: { id: city_to, name: null },
      state: { id: null, name: null },
      country: { id: COUNTRY_OF[site], name: COUNTRY_NAMES[site] },
    },
    buyer: { id: 0, loyalty_level: 1, shipping_level: '1' },
    options:
      item.shipping_mode === 'me2'
        ? [
            {
              ...{ id: Number.parseInt(hash.slice(0, 8), 16), option_hash: hash, name: nameOfMethod(item) },
              ...{ currency_id: item.currency_id, base_cost: list_cost, cost: isFree ? 0 : list_cost, list_cost },
              ...{ display: 'recommended', shipping_method_id: METHOD.id, shipping_method_type: METHOD.type },
              ...{ shipping_option_type: METHOD.deliver_to, estimated_delivery_time },
              discount: isFree
                ? { promoted_amount: list_cost, rate: 1, type: 'free', show_loyal_benefit: false }
                : { promoted_amount: 0, rate: 0, type: 'none', show_loyal_benefit: false },
            },
          ]
        : [],
    custom_message: { display_mode: null, reason: '' },
  }
}

/** `HxWxL,g`; the marketplace refuses decimals. */
export const DIMENSIONS = /^\d{1,4}x\d{1,4}x\d{1,4},\d{1,7}$/

/** What the seller pays for free shipping of a unit [spec: shipments.options.free]. */
export function freeCost(
  currency_id: string,
  { dimensions, free_shipping }: { dimensions: string | undefined; free_shipping: string | undefined },
) {
  const { weight } = parseDimensions(dimensions)
  const list_cost = free_shipping?.toLowerCase() === 'false' ? 0 : listCost(currency_id, weight)
  return { coverage: { all_country: { list_cost, currency_id, billable_weight: weight } } }
}
