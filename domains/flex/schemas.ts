import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { controlConfig, StrictBody } from '../shared/control_schemas.ts'
import { Id, IdInPath, ItemIdInPath, Nullable, OneOf, ResponseObject, UserId } from '../shared/schemas.ts'
import { Text } from '../shared/texts.ts'
import { FLEX_SITES } from './areas.ts'
import { invalidServiceId, invalidSite, invalidUserId, itemNotFound, shipmentNotFound, userNotFound } from './errors.ts'
import { CAPACITY, CUTOFFS, RADIUS } from './settings.ts'
import { DELIVERY_WINDOWS, FLEX_MODES, FLEX_STATUSES } from './tables.ts'

export const Subscriptions = { name: 'Flex subscriptions', description: 'Same-day delivery services of a seller' }
export const Configurations = {
  name: 'Flex configuration',
  description: 'How a seller delivers: when, how much, where',
}
export const FlexItems = {
  name: 'Flex on a listing',
  description: 'Whether a listing is offered with Flex',
  id: 'item_id',
}
export const Assignments = { name: 'Driver assignment', description: 'Who carries a shipment', id: 'shipment_id' }

// Path parameters. The order of the members is the order of the checks [spec: flex.order].

const SiteId = (createError: (value: unknown) => object) =>
  OneOf([...FLEX_SITES], { description: 'Site with Flex', examples: ['MLA'], 'x-error': createError })
const site_id = SiteId(invalidSite)

export const SiteParams = Type.Object({ site_id })
export const UserParams = Type.Object({ site_id, user_id: IdInPath('Seller', 2500000101, userNotFound) })
export const ServiceParams = Type.Object({
  site_id,
  user_id: IdInPath('Seller', 2500000101, invalidUserId),
  service_id: IdInPath('Service, as the subscriptions tell it', 736230, invalidServiceId),
})
export const ItemParams = Type.Object({ site_id: SiteId(itemNotFound), item_id: ItemIdInPath(itemNotFound) })
export const ShipmentParams = Type.Object({
  site_id,
  shipment_id: IdInPath('Shipment', 43000000001, shipmentNotFound),
})

// Subscriptions

const mode = OneOf([...FLEX_MODES], { description: 'FLEX, or TURBO, which also needs FLEX', examples: ['FLEX'] })
const STATUS =
  'in: active; out: not active, settings cannot be changed; pending: waits for activation, settings can be changed'
/** Another address than that of the seller, from which parcels start. */
export const Origin = StrictBody(
  {
    address: Type.Optional(Text('Street and number', 200, { mayBeBlank: true })),
    city: Text('City; it has a coverage area of Flex', 200),
    state: Type.Optional(Text('State or province', 200, { mayBeBlank: true })),
    zip_code: Type.Optional(Text('Postal code', 200, { mayBeBlank: true })),
  },
  {
    description: 'Where parcels start from; default: the address of the seller',
    'x-message': 'must be an object with address, city, state and zip_code',
    examples: [{ address: 'Av. Mitre 1200', city: 'Quilmes', state: 'Buenos Aires', zip_code: '1878' }],
  },
)

const service_id = Id('Service, by which settings are read and changed', 736230)
const text = (description: string, example?: string) =>
  Type.String({ description, ...(example !== undefined && { examples: [example] }) })

export const Subscription = ResponseObject(
  {
    id: Id('Subscription', 111181),
    site_id: text('Site', 'MLA'),
    user_id: UserId,
    mode,
    configuration_type: ResponseObject(
      {
        coverage: OneOf(['zone', 'radius'], { description: 'How coverage is set' }),
        delivery: OneOf(['custom', 'accurate'], { description: 'How delivery is set' }),
      },
      { description: 'Which settings the mode has' },
    ),
    service_id,
    status: ResponseObject(
      { id: OneOf(['in', 'out', 'pending'], { description: STATUS, examples: ['in'] }) },
      { description: 'Status of the subscription' },
    ),
    creation_date: text('When it was made, UTC', '2023-08-02T06:34:40Z'),
  },
  { title: 'FlexSubscription', description: 'A same-day delivery service of a seller' },
)
export type Subscription = Static<typeof Subscription>

const City = ResponseObject({ id: text('City'), name: text('Name') }, { description: 'City' })
const capabilities = ResponseObject(
  { cutoff_by_zone: Type.Boolean({ description: 'Each zone has its own cutoff' }) },
  { description: 'What the coverage can do' },
)
const coverageType = OneOf(['zone', 'radius'], { description: 'How coverage is set' })

export const NewerSubscription = ResponseObject(
  {
    site_id: text('Site', 'MLA'),
    user_id: UserId,
    service_id,
    mode,
    origin: ResponseObject(
      { address_line: text('Street and number'), city: City, id: text('Address'), zip_code: text('Postal code') },
      { description: 'Where parcels start from' },
    ),
    status: OneOf([...FLEX_STATUSES], {
      description: `${STATUS}; creating: not ready yet, activating: nearly active, both otherwise as pending`,
      examples: ['in'],
    }),
    configuration: ResponseObject(
      {
        set: ResponseObject(
          {
            coverage: ResponseObject({ type: coverageType, capabilities }, { description: 'Coverage' }),
            delivery_ranges: OneOf(['fixed', 'dinamic', 'disabled'], {
              description: 'dinamic: chosen freely; fixed: from a list; disabled: every day is off',
            }),
            holidays: Type.Boolean({ description: 'Holidays can be chosen' }),
            transit_times: Type.Boolean({ description: 'Transit times are set' }),
          },
          { description: 'What is set' },
        ),
        available: ResponseObject(
          {
            coverage: ResponseObject(
              { type: Type.Array(coverageType, { description: 'How coverage can be set' }), capabilities },
              { description: 'Coverage' },
            ),
          },
          { description: 'What could be set' },
        ),
      },
      { description: 'Settings' },
    ),
  },
  { title: 'NewerFlexSubscription', description: 'A same-day delivery service of a seller, as the newer path has it' },
)
export type NewerSubscription = Static<typeof NewerSubscription>

// Settings

const READ_BY_ROUTE = { 'x-read': 'route' }
const hour = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: 24, description, examples: [example] })
const capacity = Type.Integer({
  minimum: CAPACITY.from,
  maximum: CAPACITY.to,
  description: 'Parcels in the range',
  examples: [30],
})
const range = {
  from: hour('Whole hour at which deliveries begin', 14),
  to: hour('Whole hour at which they end', 21),
  capacity,
}
const cutoff = Type.Integer({
  minimum: CUTOFFS[0]!,
  maximum: CUTOFFS.at(-1)!,
  description: 'Orders until this hour are delivered in the range; not later than `to`',
  examples: [13],
})
const day = <T extends TSchema>(range: T, description: string) => Nullable(Type.Array(range), { description })

const StoredRange = ResponseObject({ ...range, cutoff: hour('Orders until this hour are delivered in the range', 13) })
export const Delivery = ResponseObject(
  {
    delivery_window: OneOf([...DELIVERY_WINDOWS], { description: 'When orders arrive', examples: ['same_day'] }),
    delivery_ranges: ResponseObject(
      {
        week: day(StoredRange, 'Monday to Friday; null when off'),
        saturday: day(StoredRange, 'Saturday; null when off'),
        sunday: day(StoredRange, 'Sunday; null when off'),
      },
      { description: 'Ranges of each day' },
    ),
  },
  { title: 'FlexDelivery', description: 'Delivery settings as they are stored' },
)

const week = [{ from: 14, to: 21, capacity: 30, cutoff: 13 }]
export const CustomDelivery = Type.Object(
  {
    delivery_window: Type.Optional(
      Nullable(Delivery.properties.delivery_window, {
        description: 'When orders arrive; as before when absent or null',
        examples: ['same_day'],
      }),
    ),
    delivery_ranges: Type.Union(
      [
        Type.Partial(
          Type.Object({
            week: day(Type.Object({ ...range, cutoff }), 'Monday to Friday'),
            saturday: day(Type.Object({ ...range, cutoff }), 'Saturday'),
            sunday: day(Type.Object({ ...range, cutoff }), 'Sunday'),
          }),
        ),
        Type.Array(Type.Unknown(), { maxItems: 0, description: 'Every day is off' }),
      ],
      {
        description:
          'A day that is absent, null or empty is off; any other key is refused. Ranges of a day must not overlap.',
        examples: [{ week }],
      },
    ),
  },
  {
    ...READ_BY_ROUTE,
    description: 'Delivery settings; they replace those before',
    examples: [{ delivery_window: 'same_day', delivery_ranges: { week, saturday: null, sunday: null } }],
  },
)

const accurate = [10, 11, 12].map((from) => ({ from, to: from + 2, capacity: 20 }))
export const AccurateDelivery = Type.Object(
  {
    delivery_ranges: Type.Object(
      {
        week: Type.Array(Type.Object(range), {
          description: 'Monday to Friday: at least three of `availables.accurate_ranges`, each with its capacity',
        }),
      },
      { description: 'Ranges', examples: [{ week: accurate }] },
    ),
  },
  {
    ...READ_BY_ROUTE,
    description: 'Delivery settings of Turbo; ranges that are not sent are off',
    examples: [{ delivery_ranges: { week: accurate } }],
  },
)

const zone = { id: text('Zone identifier, as the configuration query answers it', 'CABA') }
export const ZoneCoverage = Type.Object(
  {
    zones: Type.Array(Type.Object(zone), {
      description: 'The zones that are served from now on; mandatory ones must be among them',
      examples: [[{ id: 'CABA' }]],
    }),
  },
  { ...READ_BY_ROUTE, description: 'Coverage by zones', examples: [{ zones: [{ id: 'CABA' }] }] },
)
export const ServedZones = ResponseObject(
  { zones: Type.Array(ResponseObject(zone), { description: 'The zones that are served' }) },
  { title: 'FlexZones', description: 'Coverage as it is stored' },
)

const radius = Type.Integer({
  minimum: RADIUS.from,
  maximum: RADIUS.to,
  description: 'Metres around the seller',
  examples: [5000],
})
export const RadiusCoverage = Type.Object(
  { radius },
  { ...READ_BY_ROUTE, description: 'Coverage by a radius', examples: [{ radius: 5000 }] },
)
export const ServedRadius = ResponseObject({ radius }, { title: 'FlexRadius', description: 'Coverage as it is stored' })

// The query

export const ConfigurationQuery = Type.Object(
  {
    query: Type.String({
      description: 'A GraphQL query that selects from `configuration(user_id, service_id)`',
      examples: ['{ configuration(user_id: 2500000101, service_id: 736230) { delivery_window working_days } }'],
    }),
    operationName: Type.Optional(Nullable(Type.String(), { description: 'Which operation of the text is meant' })),
    variables: Type.Optional(
      Nullable(Type.Record(Type.String(), Type.Unknown()), { description: 'Values of its variables' }),
    ),
  },
  { ...READ_BY_ROUTE, description: 'A GraphQL request' },
)
export const SelectedConfiguration = Type.Object(
  {
    configuration: Type.Optional(
      Type.Unknown({
        description: 'The selected members, in the order of the query; another name where it has an alias',
      }),
    ),
  },
  { title: 'FlexConfiguration', description: 'What the query selects, without the usual `data` around it' },
)

// Listings and shipments

export const HasFlex = ResponseObject(
  { has_flex: Type.Boolean({ description: 'The listing is offered with Flex' }) },
  { title: 'HasFlex', description: 'Whether a listing is offered with Flex' },
)
export const Done = Type.Unsafe<void>({ type: 'null', description: 'Done; the answer has no body' })

export const Assignment = ResponseObject(
  { driver_id: Id('Driver', 81234567) },
  { title: 'DriverAssignment', description: 'Who carries a shipment' },
)

export const config = controlConfig('Flex', 'Subscriptions, shipments and drivers')
