import { type Static, Type } from '@sinclair/typebox'
import { IdInPath } from '../shared/schemas.ts'
import { decimal, orNull, shape } from '../shared/shape.ts'
import { noShipment } from './errors.ts'
import { FIRST_SHIPMENT_ID } from './tables.ts'

export const Shipments = { name: 'Shipments', description: 'Parcels of sales', id: 'shipment_id' }

export const ShipmentParams = Type.Object({
  shipment_id: IdInPath('Shipment identifier', FIRST_SHIPMENT_ID, noShipment),
})
export const FormatHeader = Type.Object({
  'x-format-new': Type.Optional(
    Type.String({ description: '`true`, in any letter case: the newer form of the answer', examples: ['true'] }),
  ),
})

const DATE = '2026-03-02T10:15:00.000-04:00'
const date = orNull(DATE)
const cost = decimal(0)
const list_cost = decimal(6500)

const named = { id: orNull('AR-C'), name: orNull('Capital Federal') }
const place = {
  ...{ address_line: 'Av. Corrientes 1234', street_name: 'Av. Corrientes', street_number: '1234' },
  ...{ comment: orNull('Timbre 2'), zip_code: '1414', city: named, state: named, country: named },
  ...{ neighborhood: { id: null, name: orNull('Centro') }, municipality: { id: null, name: null }, agency: null },
  ...{ types: ['shipping'], latitude: orNull(decimal(-34.6037)), longitude: orNull(decimal(-58.3816)) },
  ...{ geolocation_type: 'APPROXIMATE', geolocation_last_updated: orNull('2025-03-02T14:15:00Z') },
  geolocation_source: 'mercadito',
}
const Address = shape({ id: orNull(1105171985), ...place }, { title: 'ShipmentAddress' })
const NewerAddress = shape({ address_id: orNull(1105171985), ...place }, { title: 'ShipmentPlace' })
export type Address = Static<typeof Address>

export const estimated_delivery_time = {
  ...{ type: 'known_frame', date: DATE, unit: 'hour', offset: { date: DATE, shipping: 48 } },
  ...{ time_frame: { from: null, to: null }, pay_before: DATE, shipping: 48, handling: 24, schedule: null },
}
const limit = { date: DATE }
const none = { date: null }

export const LeadTime = shape(
  {
    option_id: FIRST_SHIPMENT_ID,
    shipping_method: { id: 73328, type: 'standard', name: 'Estándar a domicilio', deliver_to: 'address' },
    ...{ currency_id: 'ARS', cost, list_cost, cost_type: 'free', service_id: 22, estimated_delivery_time },
    ...{ estimated_delivery_extended: limit, estimated_delivery_limit: limit, estimated_delivery_final: limit },
    ...{ estimated_schedule_limit: none, buffering: none, delivery_type: 'estimated' },
    ...{ delivery_promise: 'estimated', priority_class: { id: null }, delay: [] },
  },
  {
    title: 'LeadTime',
    description: 'When a shipment is to arrive, and what it costs',
    notes: {
      cost: 'What the buyer pays',
      cost_type: 'free, charged or partially_free',
      estimated_delivery_limit: 'After it the buyer can cancel because of the delay',
    },
  },
)
export type LeadTime = Static<typeof LeadTime>

const receiver_address = shape(
  {
    ...{ id: orNull(1105171985), ...place, delivery_preference: 'residential' },
    ...{ receiver_name: 'Lucía Fernández', receiver_phone: 'XXXXXXX' },
  },
  { title: 'ReceiverAddress' },
)
/** What both forms have, besides the constants. */
const shared = {
  ...{ id: FIRST_SHIPMENT_ID, status: 'ready_to_ship', substatus: orNull('ready_to_print') },
  ...{ tracking_number: orNull('MEL43000000001FMXDF01'), tracking_method: orNull('MEL Distribution') },
  ...{ sender_id: orNull(2500000101), receiver_id: orNull(2500001011), comments: orNull('Tocar timbre') },
}
const { id, status, substatus, tracking_number, tracking_method, sender_id, receiver_id, comments } = shared

export const Shipment = shape(
  {
    ...{ id, mode: 'me2', created_by: 'receiver', order_id: orNull(2000010000000001), order_cost: decimal(12999) },
    ...{ base_cost: list_cost, site_id: 'MLA', status, substatus },
    status_history: {
      ...{ date_cancelled: date, date_delivered: date, date_first_visit: date, date_handling: date },
      ...{ date_not_delivered: date, date_ready_to_ship: date, date_shipped: date, date_returned: date },
    },
    substatus_history: [{ date: DATE, substatus: 'printed', status: 'ready_to_ship' }],
    ...{ date_created: DATE, last_updated: DATE, tracking_number, tracking_method, service_id: 22, carrier_info: null },
    ...{ sender_id, sender_address: Address, receiver_id, receiver_address },
    shipping_items: [
      {
        ...{ id: 'MLA1400000001', description: 'Mate de calabaza', quantity: 1, dimensions: '10.0x20.0x30.0,500.0' },
        dimensions_source: { id: 'MLA1400000001', origin: 'seller' },
      },
    ],
    shipping_option: {
      ...{ id, shipping_method_id: 73328, name: 'Estándar a domicilio', currency_id: 'ARS', list_cost, cost },
      ...{ delivery_type: 'estimated', estimated_schedule_limit: none, estimated_delivery_time },
      ...{ estimated_delivery_limit: limit, estimated_delivery_final: limit, estimated_delivery_extended: limit },
      estimated_handling_limit: limit,
    },
    ...{ comments, date_first_printed: date, market_place: 'MELI', return_details: null, tags: ['test_shipment'] },
    ...{ delay: [], type: 'forward', logistic_type: 'drop_off', application_id: null, return_tracking_number: null },
    cost_components: {
      ...{ special_discount: cost, loyal_discount: cost, compensation: cost, gap_discount: cost, ratio: list_cost },
    },
  },
  {
    title: 'SaleShipment',
    description: 'A shipment in its older form',
    notes: {
      order_id: 'The first order in it',
      order_cost: 'Price of all units in it',
      base_cost: 'Price of the shipment without discounts',
      receiver_address: 'XXXXXXX until an order in it is paid',
      dimensions: 'Height, width and length in cm, weight in g',
    },
  },
)
export type Shipment = Static<typeof Shipment>

export const dimensions = { height: decimal(10), width: decimal(20), length: decimal(30), weight: decimal(500) }

export const NewerShipment = shape(
  {
    ...{ snapshot_packing: null, last_updated: DATE, items_types: ['new'], substatus, date_created: DATE },
    origin: { node: null, shipping_address: NewerAddress, type: 'selling_address', sender_id, snapshot: null },
    destination: {
      ...{ comments, receiver_id, receiver_name: 'Lucía Fernández', shipping_address: NewerAddress },
      ...{ type: 'buyer_address', receiver_phone: 'XXXXXXX', snapshot: null },
    },
    source: { site_id: 'MLA', market_place: 'MELI', customer_id: null, application_id: null },
    ...{ tags: ['test_shipment'], declared_value: decimal(12999) },
    logistic: { mode: 'me2', type: 'drop_off', direction: 'forward' },
    sibling: {
      ...{ reason: null, sibling_id: null, description: null, source: null, date_created: null, last_updated: null },
    },
    ...{ priority_class: { id: null }, lead_time: LeadTime, external_reference: null, tracking_number, id },
    ...{ tracking_method, quotation: null, status, dimensions },
  },
  {
    title: 'NewerShipment',
    description: 'A shipment in its newer form',
    notes: { declared_value: 'Price of all units in it', dimensions: 'Of the parcel, in cm and g' },
  },
)
export type NewerShipment = Static<typeof NewerShipment>

export const EitherShipment = Type.Union([Shipment, NewerShipment], {
  title: 'ShipmentInEitherForm',
  description: 'The older form, or with `x-format-new: true` the newer one',
})
