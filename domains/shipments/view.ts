import type { Q } from '../../db/engine.ts'
import type { Moment } from '../../db/world.ts'
import { detailsOf as detailsOfItem } from '../items/details.ts'
import { itemById } from '../items/queries.ts'
import { isUnpaid } from '../orders/states.ts'
import type { OrderRow } from '../orders/tables.ts'
import { userById } from '../users/queries.ts'
import { CURRENCY_OF, type SiteId } from '../users/sites.ts'
import { type End, endOf, hiddenEnd } from './addresses.ts'
import { type Dimensions, listCost, parcelOf, parseDimensions } from './costs.ts'
import { foreignShipment, noShipment } from './errors.ts'
import { ordersOfShipment, shipmentById, stepsOf } from './queries.ts'
import { type Details, detailsOf, stateAt } from './states.ts'
import type { ShipmentRow, StepRow } from './tables.ts'

/**
 * The shipment of a call. Throws, in this order: 404, 403 for those who neither send nor receive it
 * [spec: shipments.order].
 */
export async function ownShipment(q: Q, caller: number, id: number, missing = noShipment): Promise<ShipmentRow> {
  const row = await shipmentById(q, id)
  if (!row) throw missing(id)
  if (row.seller_id !== caller && row.buyer_id !== caller) throw foreignShipment()
  return row
}

/** What a unit of an order adds to its parcel. */
interface Units {
  order: OrderRow
  title: string
  dimensions: Dimensions
  /** Whether the seller has sent the dimensions. */
  isMeasured: boolean
}

/** A shipment with all that answers have of it. */
export interface View {
  row: ShipmentRow
  details: Details
  /** The step that it is in, and those until then, the oldest first. */
  step: StepRow
  past: StepRow[]
  units: Units[]
  parcel: Dimensions
  sender: End
  receiver: End
  currency_id: string
  /** What the receiver pays, and the price without discounts. */
  cost: number
  list_cost: number
}

const SELLING = ['default_selling_address', 'shipping']
const BUYING = ['default_buying_address']

/** Reads what belongs to a shipment. */
export async function viewOf(q: Q, world: Moment, row: ShipmentRow): Promise<View> {
  const details = detailsOf(row)
  const steps = (await stepsOf(q, [row])).get(row.id)!
  const step = stateAt(steps, world.clock.now())
  const orders = await ordersIn(q, world, row)
  const units = await Promise.all(orders.map((order) => unitsOf(q, order)))
  const parcel = parcelOf(units.map(({ order: { quantity }, dimensions }) => ({ ...dimensions, quantity })))
  const seller = await endById(q, row.seller_id, SELLING)
  // The buyer is unknown until an order is paid [spec: shipments.hidden].
  const isHidden = orders.every(isUnpaid)
  const buyer = isHidden ? hiddenEnd(row.buyer_id, BUYING) : await endById(q, row.buyer_id, BUYING)
  const [sender, receiver] = row.type === 'return' ? [buyer, seller] : [seller, buyer]
  const currency_id = orders[0]?.currency_id ?? CURRENCY_OF[row.site_id as SiteId]
  const { cost = 0, list_cost = listCost(currency_id, parcel.weight) } = details
  return {
    ...{ row, details, step, past: steps.slice(0, step.n + 1), units, parcel },
    ...{ sender, receiver, currency_id, cost, list_cost },
  }
}

/** The orders that are in a parcel. */
const ordersIn = async (q: Q, world: Moment, row: ShipmentRow): Promise<OrderRow[]> =>
  (await ordersOfShipment(q, world, row)).filter(
    ({ seller_id, shipment_id }) => seller_id === row.seller_id && (row.type === 'return' || shipment_id === row.id),
  )

async function unitsOf(q: Q, order: OrderRow): Promise<Units> {
  const item = await itemById(q, order.item_id)
  const { dimensions } = (item && detailsOfItem(item).shipping) ?? {}
  const { title } = JSON.parse(order.item) as { title: string }
  return { order, title, dimensions: parseDimensions(dimensions), isMeasured: dimensions !== undefined }
}

async function endById(q: Q, id: number | null, types: string[]): Promise<End> {
  const user = id === null ? undefined : await userById(q, id)
  return user ? endOf(user, types) : hiddenEnd(id, types)
}
