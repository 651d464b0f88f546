import { Type } from '@sinclair/typebox'
import { IdInPath, MAX_ID, OneOf } from '../shared/schemas.ts'
import { decimal, orNull, shape } from '../shared/shape.ts'
import { unknownSla } from './errors.ts'
import { dimensions } from './schemas.ts'
import { FIRST_SHIPMENT_ID } from './tables.ts'

/** Of the call whose 404 has another message than the others. */
export const SlaParams = Type.Object({ shipment_id: IdInPath('Shipment identifier', FIRST_SHIPMENT_ID, unknownSla) })

export const Items = shape(
  [
    {
      ...{ item_id: 'MLA1400000001', description: 'Mate de calabaza', quantity: 1, variation_id: orNull(17000000001) },
      ...{ dimensions, order_id: 2000010000000001, sender_id: orNull(2500000101) },
    },
  ],
  { description: 'What is in the parcel, by order' },
)

const charged = {
  ...{ user_id: orNull(2500001011), cost: decimal(0), compensation: 0, save: 0 },
  discounts: [{ rate: decimal(1), type: 'mandatory', promoted_amount: decimal(6500) }],
}
export const Costs = shape(
  { gross_amount: decimal(6500), receiver: charged, senders: [charged] },
  { description: 'Who pays what', notes: { gross_amount: 'The price without discounts' } },
)

export const ShipmentPayments = Type.Array(
  shape({ payment_id: 91000000001, user_id: 2500001011, amount: decimal(0), status: 'approved' }),
  { description: 'What was paid for shipping, by payment' },
)

export const Sla = shape(
  {
    ...{ status: 'on_time', service: null },
    ...{ expected_date: '2026-03-03T23:59:59-04:00', last_updated: '2026-03-02T14:15:00Z' },
  },
  { description: 'Until when the seller hands it over', notes: { status: 'on_time, early or delayed' } },
)

export const Delays = shape(
  {
    shipment_id: FIRST_SHIPMENT_ID,
    delays: [{ type: 'sla_delayed', date: '2026-03-04T03:59:59Z', source: 'shipping-delays' }],
  },
  { description: 'In what it is late' },
)

export const History = Type.Array(
  shape({ status: 'ready_to_ship', substatus: orNull('printed'), date: '2026-03-02T14:15:00.000Z' }),
  { description: 'The states that it has been in, the newest first' },
)

export const Carrier = shape(
  { name: orNull('MEL Distribution'), url: orNull('https://tracking.example.com/MEL43000000001FMXDF01') },
  { description: 'Who brings it, and where it can be followed' },
)

export const Statuses = Type.Array(
  shape({ id: 'ready_to_ship', name: 'Ready to ship', substatuses: [{ id: 'printed', name: 'Printed' }] }),
  { description: 'All states of shipments' },
)

export const Ready = shape({ status: 200 }, { description: 'Done' })

const text = (maxLength: number, description: string, example: string) =>
  Type.Optional(
    Type.String({
      ...{ maxLength, description, examples: [example] },
      'x-message': `must be a string of at most ${maxLength} characters`,
    }),
  )
export const service_id = Type.Optional(
  Type.Integer({
    ...{ minimum: 0, maximum: MAX_ID, description: 'Service that brings it', examples: [154] },
    'x-message': 'must be an integer',
  }),
)
/** What carriers and sellers know a parcel by: any text. */
export const tracking = {
  tracking_number: text(100, 'Number by which the carrier knows it', 'OP123456789AR'),
  tracking_url: text(500, 'Where it can be followed', 'https://example.com/tracking/OP123456789AR'),
}
const members = {
  substatus: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'More about the status; null, or the text `null`: none',
      examples: ['out_for_delivery'],
      'x-message': 'must be a string or null',
    }),
  ),
  ...tracking,
}
const status = OneOf(['shipped', 'delivered', 'not_delivered'], { description: 'Its state', examples: ['shipped'] })

export const Notification = Type.Object(
  {
    ...{ status, ...members },
    payload: Type.Optional(
      Type.Object(
        { service_id },
        { description: 'service_id; other members are ignored', 'x-message': 'must be a JSON object' },
      ),
    ),
  },
  { 'x-message': 'must be a JSON object with status', examples: [{ status: 'shipped', substatus: null }] },
)
export const ShipmentChange = Type.Object(
  { status: Type.Optional(status), ...members, service_id },
  { 'x-message': 'must be a JSON object', examples: [{ status: 'shipped', tracking_number: 'OP123456789AR' }] },
)
