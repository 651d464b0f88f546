import { Type } from '@sinclair/typebox'
import { Id, OneOf, ResponseObject } from '../shared/schemas.ts'
import { SCOPES } from './areas.ts'
import { CustomDelivery, Delivery } from './schemas.ts'
import { DAYS } from './settings.ts'

// What the newer paths of the settings read and answer.

const text = (description: string) => Type.String({ description })
const integer = (description: string, example: number) => Type.Integer({ description, examples: [example] })

export const ShowAvailables = Type.Object({
  show_availables: Type.Optional(
    OneOf(['true', 'false', 'True', 'False', '1', '0'], {
      description: 'Whether `availables` is part of the answer; default: false',
      examples: ['true'],
    }),
  ),
})

const Cutoffs = ResponseObject(
  {
    week: integer('Monday to Friday', 12),
    saturday: integer('Saturday', 12),
    sunday: integer('Sunday', 12),
  },
  { description: 'Hours until which orders are delivered in the zone; absent without cutoffs by zone' },
)
const MinMax = ResponseObject({ min: integer('Minimum', 12), max: integer('Maximum', 18) })
const Limits = ResponseObject({ minimum: integer('Minimum', 12), maximum: integer('Maximum', 18) })
const members = <Name extends string, T>(names: readonly Name[], schema: T) =>
  Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, T>

const AvailableZone = ResponseObject(
  {
    id: text('Zone'),
    label: text('Name'),
    neighborhoods: Type.Array(Type.String(), { description: 'Neighborhoods' }),
    polygon: ResponseObject(
      {
        geometry: ResponseObject(
          {
            coordinates: Type.Array(Type.Array(Type.Array(Type.Number())), { description: 'Longitudes and latitudes' }),
            type: text('Polygon'),
          },
          { description: 'Geometry' },
        ),
        properties: ResponseObject({ name: Type.Null() }, { description: 'Properties' }),
        type: text('Feature'),
      },
      { description: 'An invented outline, as GeoJSON' },
    ),
    price: ResponseObject(members(['cents', 'currency_id', 'decimal_separator', 'fraction', 'symbol'], Type.String()), {
      description: 'Price of a delivery',
    }),
    scope: OneOf([...SCOPES], { description: 'How far from the centre it lies' }),
  },
  { description: 'A zone of the coverage area' },
)
export const Coverage = ResponseObject(
  {
    zones: Type.Array(ResponseObject({ id: text('Zone'), cutoff: Type.Optional(Cutoffs) }), {
      description: 'The zones that are served',
    }),
    availables: Type.Optional(
      ResponseObject(
        {
          zones: Type.Array(AvailableZone, { description: 'Zones that can be served' }),
          cutoffs: ResponseObject(
            { global: MinMax, per_scope: ResponseObject(members(SCOPES, Limits), { description: 'By scope' }) },
            { description: 'Possible cutoffs' },
          ),
        },
        { description: 'Only with `show_availables=true`' },
      ),
    ),
  },
  { title: 'FlexCoverage', description: 'Coverage by zones' },
)
export const CoverageBody = Type.Object(
  {
    zones: Type.Array(Type.Object({ id: text('Zone'), cutoff: Type.Optional(Cutoffs) }), {
      description: 'The zones that are served from now on. The same `cutoff` for several zones ends cutoffs by zone',
      examples: [[{ id: 'CABA' }]],
    }),
  },
  { 'x-read': 'route', description: 'Coverage by zones', examples: [{ zones: [{ id: 'CABA' }] }] },
)

const Range = ResponseObject({
  capacity: integer('Parcels in the range', 30),
  from: integer('Whole hour at which deliveries begin', 14),
  to: integer('Whole hour at which they end', 21),
  cutoff: Type.Optional(integer('Orders until this hour; absent with cutoffs by zone', 13)),
})
const day = Type.Optional(Type.Array(Range, { description: 'Ranges; absent when the day is off' }))
const Hours = ResponseObject({ from: integer('Hour', 10), to: integer('Hour', 22) })
const maybe = (description: string) => Type.Optional(integer(description, 1))
export const DeliveryRanges = ResponseObject(
  {
    delivery_window: Delivery.properties.delivery_window,
    delivery_ranges: ResponseObject(members(DAYS, day), { description: 'Ranges of each day' }),
    is_downgraded: Type.Optional(Type.Boolean({ description: 'FLEX: the subscription is moderated' })),
    availables: Type.Optional(
      ResponseObject(
        {
          capacity: MinMax,
          delivery_ranges: ResponseObject(
            {
              type: OneOf(['dynamic', 'fixed'], { description: 'fixed: from the list' }),
              ranges: Type.Record(Type.String(), Type.Array(Hours), { description: 'By their number' }),
              min_hours: maybe('Usual first hour'),
              max_hours: maybe('Usual last hour'),
              // Optional, as members after those that are not come last.
              min_range_quantity: maybe('Fewest ranges of a day'),
              max_range_quantity: maybe('Most ranges of a day'),
              min_hours_quantity_between_ranges: maybe('Hours between two ranges'),
            },
            { description: 'Possible ranges' },
          ),
          delivery_windows: Type.Array(Type.String(), { description: 'Possible windows' }),
          working_days: Type.Array(Type.String(), { description: 'Possible days' }),
          cutoffs: Type.Optional(ResponseObject({ global: MinMax }, { description: 'FLEX: possible cutoffs' })),
        },
        { description: 'Only with `show_availables=true`' },
      ),
    ),
  },
  { title: 'FlexDeliveryRanges', description: 'When a subscription delivers' },
)
export const DeliveryRangesBody = { ...CustomDelivery, description: 'Ranges; they replace those before' }

const holiday = {
  date: Type.String({ description: 'Date', examples: ['2026-12-25'] }),
  description: text('Name'),
  selected: Type.Boolean({ description: 'There are no deliveries on that day' }),
}
export const Holidays = ResponseObject(
  { holidays: Type.Array(ResponseObject(holiday), { description: 'Those of the next twelve months' }) },
  { title: 'FlexHolidays', description: 'Holidays of the site' },
)
const holidays = [{ date: '2026-12-25', description: 'Navidad', selected: true }]
export const HolidaysBody = Type.Object(
  {
    holidays: Type.Array(Type.Object({ ...holiday, description: Type.Optional(holiday.description) }), {
      description: 'The holidays to change',
      examples: [holidays],
    }),
  },
  { 'x-read': 'route', description: 'Holidays', examples: [{ holidays }] },
)

export const CourierShipment = Type.Object(
  { shipment_id: Id('Shipment, of any seller, without a driver', 43000000009) },
  { description: 'What the courier carries', examples: [{ shipment_id: 43000000009 }] },
)
