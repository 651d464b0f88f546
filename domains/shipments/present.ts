import { money } from '../currencies/currencies.ts'
import { atMinusFour } from '../shared/instants.ts'
import { membersOf } from '../shared/schemas.ts'
import type { SiteId } from '../users/sites.ts'
import { type End, HIDDEN_PHONE } from './addresses.ts'
import { type Dimensions, shareOf } from './costs.ts'
import { promisesOf } from './lead_time.ts'
import { LeadTime, NewerShipment, Shipment } from './schemas.ts'
import type { ShipmentRow, StepRow } from './tables.ts'
import type { View } from './view.ts'

/** Price of all units. */
function priceOf({ units, currency_id }: View): number {
  const { minor, amount } = money(currency_id)
  return amount(units.reduce((sum, { order }) => sum + minor(order.unit_price) * order.quantity, 0))
}

export const METHOD = { id: 73328, type: 'standard', deliver_to: 'address' }
export const nameOfMethod = ({ site_id }: Pick<ShipmentRow, 'site_id'>) =>
  site_id === 'MLB' ? 'Padrão a domicílio' : 'Estándar a domicilio'
/** The service of shipments that sellers send themselves, by site. */
const OWN_SERVICES: { [Site in SiteId]?: number } = {
  ...{ MLB: 11, MLA: 154, MLM: 231876, MLC: 282578, MCO: 282579, MLU: 282604, MPE: 361180 },
}
const serviceOf = ({ row: { mode, site_id }, details: { service_id } }: View): number =>
  service_id ?? (mode === 'me2' ? 22 : (OWN_SERVICES[site_id as SiteId] ?? 154))
export const METHODS = { me2: 'MEL Distribution', me1: null, custom: null } as const

const HOUR = 3_600_000
const NONE = { date: null }
const at = (ms: number) => ({ date: atMinusFour(ms) })

export function promises({ row }: { row: Parameters<typeof promisesOf>[0] }) {
  const { dispatch, delivery, shipping, extended, limit, final } = promisesOf(row)
  return {
    handling: at(dispatch),
    estimated_delivery_time: {
      type: 'known_frame',
      ...at(delivery),
      unit: 'hour',
      offset: { ...at(delivery + 48 * HOUR), shipping: 48 },
      time_frame: { from: null, to: null },
      pay_before: atMinusFour(dispatch - 12 * HOUR),
      shipping,
      handling: 24,
      schedule: null,
    },
    estimated_delivery_extended: at(extended),
    estimated_delivery_limit: at(limit),
    estimated_delivery_final: at(final),
    estimated_schedule_limit: NONE,
  }
}

const leadTimeOf = membersOf(LeadTime)
export function presentLeadTime(view: View): LeadTime {
  const { row, currency_id, cost, list_cost } = view
  return leadTimeOf({
    ...promises(view),
    option_id: row.id,
    shipping_method: { id: METHOD.id, type: METHOD.type, name: nameOfMethod(row), deliver_to: METHOD.deliver_to },
    currency_id,
    cost,
    list_cost,
    cost_type: cost === 0 ? 'free' : cost < list_cost ? 'partially_free' : 'charged',
    service_id: serviceOf(view),
    buffering: NONE,
    delivery_type: 'estimated',
    delivery_promise: 'estimated',
    priority_class: { id: null },
  })
}

const tagsOf = ({ units }: View): string[] =>
  units.some(({ order }) => order.tags.includes('"test_order"')) ? ['test_shipment'] : []
const phoneOf = ({ row, receiver }: View): string => (row.mode === 'me2' ? HIDDEN_PHONE : receiver.phone)
const firstOf = ({ past }: View, matches: (step: StepRow) => boolean): string | null => {
  const step = past.find(matches)
  return step ? atMinusFour(step.at) : null
}
const VISITS = ['receiver_absent', 'bad_address', 'dangerous_area', 'unauthorized_receiver', 'refused_delivery']

function historyOf(view: View): Shipment['status_history'] {
  const first = (...statuses: string[]) => firstOf(view, ({ status }) => statuses.includes(status))
  return {
    date_cancelled: first('cancelled'),
    date_delivered: first('delivered'),
    date_first_visit: firstOf(view, (one) => one.status === 'delivered' || VISITS.includes(one.substatus ?? '')),
    date_handling: first('handling', 'ready_to_ship'),
    date_not_delivered: first('not_delivered'),
    date_ready_to_ship: first('ready_to_ship'),
    date_shipped: first('shipped'),
    date_returned: firstOf(view, ({ substatus }) => substatus === 'returned'),
  }
}

const shipmentOf = membersOf(Shipment)
/** The older form. */
export function presentShipment(view: View): Shipment {
  const { row, details, step, past, sender, receiver, currency_id, cost, list_cost } = view
  const { handling, ...dates } = promises(view)
  return shipmentOf({
    ...row,
    created_by: 'receiver',
    order_cost: priceOf(view),
    base_cost: list_cost,
    ...{ status: step.status, substatus: step.substatus, status_history: historyOf(view) },
    substatus_history: past.flatMap(({ at, status, substatus }) =>
      substatus === null ? [] : [{ date: atMinusFour(at), substatus, status }],
    ),
    date_created: atMinusFour(row.date_created),
    last_updated: atMinusFour(Math.max(row.date_created, step.at)),
    tracking_method: METHODS[row.mode],
    service_id: serviceOf(view),
    sender_id: sender.id,
    sender_address: sender.address,
    receiver_id: receiver.id,
    receiver_address: {
      ...receiver.address,
      ...{ delivery_preference: 'residential', receiver_name: receiver.name, receiver_phone: phoneOf(view) },
    },
    shipping_items: view.units.map(({ order: { item_id: id, quantity }, title, dimensions, isMeasured }) => ({
      ...{ id, description: title, quantity, dimensions: textOf(dimensions) },
      dimensions_source: { id, origin: isMeasured ? 'seller' : 'similarity' },
    })),
    shipping_option: {
      ...{ id: row.id, shipping_method_id: METHOD.id, name: nameOfMethod(row), currency_id, list_cost, cost },
      delivery_type: 'estimated',
      ...dates,
      estimated_handling_limit: handling,
    },
    comments: details.comments ?? null,
    date_first_printed: firstOf(view, ({ substatus }) => substatus === 'printed'),
    market_place: 'MELI',
    tags: tagsOf(view),
    cost_components: {
      special_discount: 0,
      loyal_discount: 0,
      compensation: 0,
      gap_discount: 0,
      ratio: shareOf(currency_id, cost, list_cost).rest,
    },
  })
}

/** `10.0x20.0x30.0,500.0` */
const textOf = ({ height, width, length, weight }: Dimensions): string => {
  const [h, w, l, g] = [height, width, length, weight].map((n) => n.toFixed(1))
  return `${h}x${w}x${l},${g}`
}

const NO_SIBLING = {
  ...{ reason: null, sibling_id: null, description: null, source: null, date_created: null, last_updated: null },
}
const newerAddress = ({ address: { id, ...address } }: End) => ({ address_id: id, ...address })

const newerOf = membersOf(NewerShipment)
export function presentNewer(view: View): NewerShipment {
  const { row, details, step, sender, receiver, parcel } = view
  return newerOf({
    ...row,
    last_updated: atMinusFour(Math.max(row.date_created, step.at)),
    items_types: ['new'],
    substatus: step.substatus,
    date_created: atMinusFour(row.date_created),
    origin: {
      ...{ node: null, shipping_address: newerAddress(sender), type: 'selling_address' },
      ...{ sender_id: sender.id, snapshot: null },
    },
    destination: {
      ...{ comments: details.comments ?? null, receiver_id: receiver.id, receiver_name: receiver.name },
      ...{ shipping_address: newerAddress(receiver), type: 'buyer_address' },
      ...{ receiver_phone: phoneOf(view), snapshot: null },
    },
    source: { site_id: row.site_id, market_place: 'MELI', customer_id: null, application_id: null },
    tags: tagsOf(view),
    declared_value: priceOf(view),
    logistic: { mode: row.mode, type: row.logistic_type, direction: row.type },
    sibling: NO_SIBLING,
    priority_class: { id: null },
    lead_time: presentLeadTime(view),
    tracking_method: METHODS[row.mode],
    status: step.status,
    dimensions: parcel,
  })
}
