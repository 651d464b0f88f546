import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import type { Q } from '../../../db/engine.ts'
import { controlCall, StrictBody, viewable } from '../../shared/control_schemas.ts'
import { Bool, Nullable, OneOf, ResponseObject } from '../../shared/schemas.ts'
import { type UserRow, userById } from '../../users/queries.ts'
import { areaOf } from '../areas.ts'
import { presentDelivery, zonesOf } from '../present.ts'
import { originOf, type SubscriptionRow } from '../queries.ts'
import { config, Delivery, ServedZones } from '../schemas.ts'
import { changeSettings, changeZones } from '../setting_operations.ts'
import { ACCURATE_RANGES, CAPACITY, CUTOFFS, DAYS, RADIUS } from '../settings.ts'
import { DELIVERY_WINDOWS, FLEX_MODES } from '../tables.ts'
import { requireSubscription, SubscriptionParams } from './subscriptions.ts'

const integer = (description: string, example: number, message: string) =>
  Type.Integer({ description, examples: [example], 'x-message': message })
const Bounds = (description: string) =>
  ResponseObject(
    { from: Type.Integer({ description: 'Minimum' }), to: Type.Integer({ description: 'Maximum' }) },
    { description },
  )

export const Settings = ResponseObject(
  {
    subscription_id: Type.Integer({ description: 'Subscription', examples: [111181] }),
    mode: OneOf([...FLEX_MODES], { description: 'FLEX has a delivery window and zones, TURBO a radius' }),
    ...Delivery.properties,
    radius: Nullable(Type.Integer(), { description: 'TURBO: metres around the seller; null for FLEX' }),
    daily_capacity: Type.Boolean({ description: 'FLEX: whether days may have different capacities' }),
    allowed: ResponseObject(
      {
        capacity: Bounds('Parcels of a range'),
        cutoffs: Type.Array(Type.Integer(), { description: 'FLEX: hours; empty for TURBO' }),
        ranges: Type.Array(Bounds('Range'), { description: 'TURBO: ranges; empty for FLEX, whose hours are free' }),
        radius: Nullable(Bounds('TURBO: metres'), { description: 'TURBO: metres; null for FLEX' }),
      },
      { description: 'Allowed values' },
    ),
  },
  { title: 'FlexSettings', description: 'When and how far a subscription delivers' },
)

const presentSettings = (row: SubscriptionRow): Static<typeof Settings> => ({
  subscription_id: row.id,
  mode: row.mode,
  ...presentDelivery(row),
  radius: row.radius,
  daily_capacity: row.daily_capacity === 1,
  allowed:
    row.mode === 'FLEX'
      ? { capacity: CAPACITY, cutoffs: CUTOFFS, ranges: [], radius: null }
      : { capacity: CAPACITY, cutoffs: [], ranges: ACCURATE_RANGES, radius: RADIUS },
})

const RANGES_MESSAGE = `must be an object with ${DAYS.join(', ')}, each an array of ranges or null`
const HOUR_MESSAGE = 'must be an integer from 0 to 24'
const Range = Type.Object(
  {
    from: integer('Whole hour at which deliveries begin', 14, HOUR_MESSAGE),
    to: integer('Whole hour at which they end', 21, HOUR_MESSAGE),
    capacity: integer('Parcels in the range', 30, `must be an integer from ${CAPACITY.from} to ${CAPACITY.to}`),
    cutoff: Type.Optional(
      integer(
        'FLEX: orders until this hour are delivered in the range',
        13,
        `must be an integer from ${CUTOFFS[0]} to ${CUTOFFS.at(-1)}`,
      ),
    ),
  },
  { 'x-message': 'must be an object with from, to and capacity, for FLEX also cutoff' },
)
const Day = (description: string) =>
  Type.Optional(Nullable(Type.Array(Range, { 'x-message': 'must be an array of ranges, or null' }), { description }))

const SettingsBody = StrictBody(
  {
    delivery_window: Type.Optional(OneOf([...DELIVERY_WINDOWS], { description: 'FLEX: when orders arrive' })),
    delivery_ranges: Type.Optional(
      StrictBody(
        { week: Day('Monday to Friday'), saturday: Day('Saturday'), sunday: Day('Sunday') },
        {
          description: 'The ranges of all days; a day that is absent, null or empty is off',
          'x-message': RANGES_MESSAGE,
        },
      ),
    ),
    radius: Type.Optional(
      integer('TURBO: metres around the seller', 5000, `must be an integer from ${RADIUS.from} to ${RADIUS.to}`),
    ),
    daily_capacity: Type.Optional(Bool('FLEX: whether days may have different capacities')),
  },
  {
    minProperties: 1,
    'x-message': 'must be a JSON object with delivery_window, delivery_ranges, radius or daily_capacity',
    examples: [{ delivery_ranges: { week: [{ from: 14, to: 21, capacity: 30, cutoff: 13 }] } }],
  },
)

const ListedZone = ResponseObject(
  {
    id: Type.String({ description: 'Zone', examples: ['CABA'] }),
    label: Type.String({ description: 'Name' }),
    is_mandatory: Type.Boolean({ description: 'Every seller of the area serves it' }),
    selected: Type.Boolean({ description: 'The subscription serves it' }),
    neighborhoods: Type.Array(Type.String(), { description: 'Neighborhoods' }),
    price: ResponseObject(
      {
        cents: Type.String({ description: 'Cents' }),
        currency_id: Type.String({ description: 'Currency' }),
        decimal_separator: Type.String({ description: 'Separator of the cents' }),
        fraction: Type.String({ description: 'Whole units' }),
        symbol: Type.String({ description: 'Symbol of the currency' }),
      },
      { description: 'Price of a delivery' },
    ),
  },
  { description: 'A zone' },
)
export const Zones = ResponseObject(
  {
    city: Type.String({ description: 'City of the origin' }),
    area: Nullable(Type.String(), { description: 'Coverage area of the city; null where Flex does not deliver' }),
    zones: Type.Array(ListedZone, { description: 'FLEX: zones of the area; empty for TURBO' }),
  },
  { title: 'FlexZoneList', description: 'Zones of the coverage area of a seller' },
)

function presentZoneList(row: SubscriptionRow, user: UserRow): Static<typeof Zones> {
  const { city } = originOf(row, user)
  const zones = row.mode === 'FLEX' ? zonesOf(row, user) : []
  return {
    city,
    area: areaOf(row.site_id, city)?.name ?? null,
    zones: zones.map(({ enabled: _, neighborhoods, ...zone }) => ({ ...zone, neighborhoods: [...neighborhoods] })),
  }
}

const ZONES_MESSAGE = 'must be an array of objects with id'
const ZonesBody = StrictBody(
  {
    zones: Type.Array(
      StrictBody(
        { id: { ...ServedZones.properties.zones.items.properties.id, 'x-message': 'must be the id of a zone' } },
        { 'x-message': ZONES_MESSAGE },
      ),
      {
        description: 'The zones to serve; mandatory ones must be among them',
        examples: [[{ id: 'CABA' }]],
        'x-message': ZONES_MESSAGE,
      },
    ),
  },
  { examples: [{ zones: [{ id: 'CABA' }] }] },
)

const RULES =
  'The values are checked as those that the seller sends; settings of a subscription that is `out` cannot be changed.'

const configuration: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/flex/subscriptions/:id/configuration',
    controlCall(viewable(config), {
      summary: 'Read when and how far a subscription delivers',
      params: SubscriptionParams,
      answer: Settings,
    }),
    async ({ world, params: { id } }) => presentSettings(await requireSubscription(world.read, id)),
  )

  app.put(
    '/flex/subscriptions/:id/configuration',
    controlCall(config, {
      summary: 'Change when and how far a subscription delivers',
      description: `Settings that are left out stay. ${RULES} All or nothing.`,
      params: SubscriptionParams,
      body: SettingsBody,
      answer: Settings,
    }),
    async ({ world, params: { id }, body }) =>
      presentSettings(await world.tx(async (q) => changeSettings(q, await requireSubscription(q, id), body))),
  )

  app.get(
    '/flex/subscriptions/:id/zones',
    controlCall(viewable(config), {
      summary: 'List the zones that a subscription can serve, and does serve',
      params: SubscriptionParams,
      answer: Zones,
    }),
    async ({ world, params: { id } }) => listZones(world.read, await requireSubscription(world.read, id)),
  )

  app.put(
    '/flex/subscriptions/:id/zones',
    controlCall(config, {
      summary: 'Set the zones that a subscription serves',
      description: `They replace the previous ones. ${RULES}`,
      params: SubscriptionParams,
      body: ZonesBody,
      answer: Zones,
    }),
    async ({ world, params: { id }, body }) =>
      world.tx(async (q) => listZones(q, await changeZones(q, await requireSubscription(q, id), body))),
  )
}
export default configuration

const listZones = async (q: Q, row: SubscriptionRow) => presentZoneList(row, (await userById(q, row.user_id))!)
