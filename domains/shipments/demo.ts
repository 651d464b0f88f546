import type { DemoGenerator, ItemRow, Shop } from '../demo.ts'
import { isPaid } from '../orders/states.ts'
import type { OrderRow } from '../orders/tables.ts'
import type { Random } from '../shared/demo/random.ts'
import { HOUR, MINUTE } from '../shared/demo/wording.ts'
import { shipmentOf } from './operations.ts'
import { STAGES, type State, stepsAfter } from './states.ts'
import { FIRST_SHIPMENT_ID, type ShipmentRow, type StepRow } from './tables.ts'

interface Parcel {
  row: Omit<ShipmentRow, 'id'>
  steps: (State & { at: number })[]
}

export const generateRows: DemoGenerator = (shops, earlier) => {
  const items = new Map((earlier.item as ItemRow[]).map((row) => [row.id, row]))
  const orders = earlier.sale_order as OrderRow[]
  const flex = shops.flatMap((shop) => flexParcelsOf(shop, shop.random.fork('shipments')))
  const sold = shops
    .flatMap((shop, n) => parcelsOf(shop, orders, items, n === 0))
    .sort((a, b) => a.row.date_created - b.row.date_created || a.row.order_id! - b.row.order_id!)
  const parcels = [...flex, ...sold].map(({ row, steps }, n) => ({ row: { ...row, id: FIRST_SHIPMENT_ID + n }, steps }))
  const ofOrders = new Map(parcels.map((one) => [one.row.order_id, one]))
  const firstOf = new Map<number, number>()
  return {
    shipment: parcels.map(({ row: { tracking_number, ...row } }) => ({
      ...row,
      tracking_number: tracking_number && `MEL${row.id}FMXDF01`,
    })),
    shipment_step: parcels.flatMap(({ row: { id }, steps }) =>
      steps.map((step, n): StepRow => ({ shipment_id: id, n, ...step, is_published: step.at <= 0 ? 1 : 0 })),
    ),
    sale_order: orders.map((order) => {
      const first = order.pack_id === null ? order.id : (firstOf.get(order.pack_id) ?? order.id)
      if (order.pack_id !== null) firstOf.set(order.pack_id, first)
      const parcel = ofOrders.get(first)
      if (!parcel) return order
      const isDelivered = parcel.steps.some(({ status, at }) => status === 'delivered' && at <= 0)
      return { ...order, shipment_id: parcel.row.id, fulfilled: isDelivered && isPaid(order) ? 1 : null }
    }),
  }
}

/** One in so many sales comes back. */
const RETURNED_EVERY = 25
/** States in which the latest sales of the seller that every page names wait. */
const WAITING: readonly State[] = [
  { status: 'handling', substatus: 'waiting_for_label_generation' },
  { status: 'pending', substatus: 'buffered' },
  { status: 'handling', substatus: 'invoice_pending' },
  { status: 'pending', substatus: 'buffered' },
]

/** The parcels of one seller's sales, one for each purchase; `hasAllStates`: every state occurs. */
function parcelsOf(
  { cast, random }: Shop,
  orders: readonly OrderRow[],
  items: ReadonlyMap<string, ItemRow>,
  hasAllStates: boolean,
): Parcel[] {
  const r = random.fork('parcels')
  const own = orders.filter(({ seller_id, date_closed }) => seller_id === cast.seller.row.id && date_closed !== null)
  const purchases = [...Map.groupBy(own, ({ id, pack_id }) => pack_id ?? id).values()]
    .map(([first]) => first!)
    .filter((order) => isPaid(order) || order.status === 'cancelled')
  const parcels = purchases.map((order, n) => {
    const { details = '{}', ...item } = items.get(order.item_id)!
    const row = shipmentOf(order, { ...item, details }, { id: 0, date_created: order.date_closed! })
    return { row, steps: stepsOf(row, order, r, n % RETURNED_EVERY === 7) }
  })
  const waiting = parcels.filter(({ row, steps }) => {
    const isLate = row.date_created < 0 && steps.every(({ status }) => status !== 'cancelled')
    return hasAllStates && isLate && row.mode === 'me2' && row.logistic_type !== 'fulfillment'
  })
  for (const [n, parcel] of waiting.slice(-WAITING.length).entries())
    parcel.steps = [{ ...WAITING[n]!, at: parcel.row.date_created }]
  return parcels
}

/** The states of a sale's parcel, those after the origin included. */
function stepsOf(row: ShipmentRow, order: OrderRow, r: Random, isReturned: boolean): Parcel['steps'] {
  const stages = STAGES[row.logistic_type]
  const from = row.date_created
  const first = { ...stateOf(stages[0]!), at: from }
  const printedAt = from + r.int(30, 15 * 60) * MINUTE
  if (order.status === 'cancelled') return [first, { status: 'cancelled', substatus: null, at: order.cancelled_at! }]
  const isPrinted = stages[1]!.substatus === 'printed'
  const moved = !isPrinted
    ? row.mode === 'me2'
      ? stepsAfter(row, 0, from)
      : stages.slice(1).map((stage, n) => ({ ...stateOf(stage), at: printedAt + n * r.int(20, 40) * HOUR }))
    : [{ ...stateOf(stages[1]!), at: printedAt }, ...stepsAfter(row, 1, printedAt)]
  if (!isReturned || moved.at(-1)!.at > 0) return [first, ...moved]
  const { at } = moved.at(-1)!
  const back = (substatus: string, hours: number) => ({ status: 'not_delivered', substatus, at: at + hours * HOUR })
  return [first, ...moved.slice(0, -1), back('returning_to_sender', 0), back('returned', 20)]
}
const stateOf = ({ status, substatus }: State): State => ({ status, substatus })

// Fixed for each seller, so that tests can use literal ids: the first six shipments are in transit, the next two were
// delivered, the last four have no driver yet.
const IN_TRANSIT_COUNT = 6
const CARRIED = 8
const PARCELS = 12

/** One seller's parcels that no sale is known of, the oldest first. */
function flexParcelsOf({ siteId, cast, rhythm }: Shop, r: Random): Parcel[] {
  const drivers = Array.from({ length: 4 }, () => r.int(10_000_000, 999_999_999))
  const created = Array.from({ length: PARCELS }, () => rhythm.instant(r, -3, 0)).sort((a, b) => a - b)
  return created.map((date_created, i) => {
    const route: State[] = [
      { status: 'ready_to_ship', substatus: 'printed' },
      ...(i < CARRIED ? [{ status: 'shipped', substatus: 'out_for_delivery' }] : []),
      ...(i < CARRIED && i >= IN_TRANSIT_COUNT ? [{ status: 'delivered', substatus: null }] : []),
    ]
    return {
      row: {
        ...{ site_id: siteId, seller_id: cast.seller.row.id, buyer_id: null, order_id: null, type: 'forward' },
        ...{ mode: 'me2', logistic_type: 'self_service', tracking_number: null, details: '{}' },
        ...{ driver_id: i < CARRIED ? r.pick(drivers) : null, route_open: i < IN_TRANSIT_COUNT ? 1 : 0, date_created },
      },
      // Within the time before the origin.
      steps: route.map((state, n) => ({ ...state, at: Math.min(date_created + n * HOUR, 0) })),
    }
  })
}
