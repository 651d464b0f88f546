import { type Static, Type } from '@sinclair/typebox'
import { OptionalId, PagingQuery, PeriodQuery, StrictBody } from '../shared/control_schemas.ts'
import { PastInstant } from '../shared/past_instants.ts'
import {
  Bool,
  CommaList,
  Id,
  IdInPath,
  Instant,
  MAX_ID,
  Nullable,
  OneOf,
  ResponseObject,
  UserId,
} from '../shared/schemas.ts'
import { Text } from '../shared/texts.ts'
import { shipmentNotFound } from './errors.ts'
import { DRIVER_STATUSES } from './queries.ts'
import { ADVANCE_TO, STATUS_IDS, SUBSTATUS_IDS } from './states.ts'
import { LOGISTIC_TYPES, MODES } from './tables.ts'

const Status = OneOf([...STATUS_IDS], { description: 'Status', examples: ['ready_to_ship'] })
const Substatus = OneOf([...SUBSTATUS_IDS], { description: 'Substatus', examples: ['printed'] })

const state = {
  status: Status,
  substatus: Nullable(Type.String(), { description: 'Substatus; null for none' }),
}
const members = {
  id: Id('Shipment', 43000000001),
  site_id: Type.String({ description: 'Site of its seller', examples: ['MLA'] }),
  seller_id: Id('Seller', 2500000101),
  buyer_id: Nullable(Type.Integer(), { description: 'Buyer; null where no sale is known' }),
  order_id: Nullable(Type.Integer(), { description: 'The first order in it; null where no sale is known' }),
  type: OneOf(['forward', 'return'], { description: 'To the buyer, or back' }),
  mode: OneOf([...MODES], { description: 'Mode' }),
  logistic_type: OneOf([...LOGISTIC_TYPES], { description: 'How it is sent' }),
  ...state,
  tracking_number: Nullable(Type.String(), { description: 'Tracking number' }),
  driver_id: Nullable(Type.Integer(), { description: 'The driver; null if there is none' }),
  route_open: Type.Boolean({
    description: 'Whether the driver is on the way: only then does the public call show the driver',
  }),
  date_created: Type.String({ description: 'Time of creation, UTC', examples: ['2026-03-01T13:30:00Z'] }),
}
export const Shipment = ResponseObject(members, { title: 'Shipment', description: 'A parcel' })

const Step = ResponseObject(
  {
    ...state,
    at: Instant('When it comes into this state', '2026-03-01T13:30:00.000Z'),
    is_published: Type.Boolean({ description: 'Whether its event was published' }),
  },
  { title: 'ShipmentStep', description: 'A state of a shipment' },
)
export const ShipmentWithSteps = ResponseObject(
  { ...members, steps: Type.Array(Step, { description: 'Its states, also those that the clock will bring' }) },
  { title: 'ShipmentWithSteps', description: 'A parcel with its states' },
)

const driverFields = {
  driver_id: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: MAX_ID,
      description: 'The driver, who starts the route; null for none',
      examples: [81234567],
      'x-message': `must be an integer from 1 to ${MAX_ID}, or null`,
    }),
  ),
  route_open: Type.Optional(
    Bool('Whether the driver is on the way; default: true for a new driver', { examples: [true] }),
  ),
}

export const ShipmentParams = Type.Object({
  id: IdInPath('Shipment identifier', 43000000001, shipmentNotFound),
})

export const NewShipment = StrictBody(
  { seller_id: UserId, id: OptionalId('shipment'), ...driverFields },
  { examples: [{ seller_id: 2500000101, driver_id: 81234567 }] },
)

export const ShipmentChange = StrictBody(
  {
    status: Type.Optional(Status),
    substatus: Type.Optional(
      Nullable(Substatus, { description: 'Substatus of that status', 'x-message': 'must be a substatus, or null' }),
    ),
    at: Type.Optional(PastInstant('When it came into that state, after the state before; default: now')),
    tracking_number: Type.Optional(
      Nullable(Text('Tracking number', 100), { 'x-message': 'must be a text of 1 to 100 characters, or null' }),
    ),
    ...driverFields,
  },
  {
    minProperties: 1,
    'x-message': 'must be a JSON object with status, substatus, tracking_number, driver_id or route_open',
    examples: [{ status: 'shipped' }, { driver_id: 81234567 }, { route_open: false }],
  },
)
export type ShipmentChange = Static<typeof ShipmentChange>

export const Advance = StrictBody(
  { to: Type.Optional(OneOf([...ADVANCE_TO], { description: 'How far; default: the next state' })) },
  { examples: [{ to: 'delivered' }] },
)

export const ShipmentList = Type.Object({
  ids: Type.Optional(
    CommaList({
      description: 'Those with these ids, separated by commas',
      examples: ['43000000001'],
      'x-message': 'must be shipment identifiers separated by commas',
    }),
  ),
  seller_id: Type.Optional(Id('Those of this seller', 2500000101)),
  buyer_id: Type.Optional(Id('Those to this buyer', 2500001011)),
  order_id: Type.Optional(Id('Those of this order', 2000010000000001)),
  status: Type.Optional(Status),
  substatus: Type.Optional(Substatus),
  logistic_type: Type.Optional(OneOf([...LOGISTIC_TYPES], { description: 'How they are sent' })),
  driver_status: Type.Optional(
    OneOf([...DRIVER_STATUSES], {
      description: 'unassigned: without a driver; assigned: with one; on_route: its driver is on the route',
      examples: ['on_route'],
    }),
  ),
  ...PeriodQuery,
  ...PagingQuery,
})
