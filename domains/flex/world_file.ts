import { type Static, Type } from '@sinclair/typebox'
import { badRequest } from '../../http/errors/control_errors.ts'
import { StrictBody } from '../shared/control_schemas.ts'
import { Bool, Nullable, OneOf } from '../shared/schemas.ts'
import {
  asJson,
  Flag,
  INTEGER_OR_NULL,
  Int,
  JSON_OR_NULL,
  OptionalInstant,
  OrNull,
  STORED,
  Text,
  UserRef,
} from '../shared/world_file/fields.ts'
import { duplicate, prefixErrors } from '../shared/world_file/import_elements.ts'
import { tableList } from '../shared/world_file/table_list.ts'
import { EMPTY_ADDRESS } from '../users/queries.ts'
import { Site } from '../users/sites.ts'
import type { ImportContext, ListReader, WorldFileSection } from '../world_file.ts'
import { Origin } from './schemas.ts'
import { initialSettingsOf } from './setting_operations.ts'
import {
  FIRST_SERVICE_ID,
  hasCapacityByDay,
  parseAccurateDelivery,
  parseCustomDelivery,
  parseRadius,
  type Ranges,
} from './settings.ts'
import {
  DELIVERY_WINDOWS,
  FIRST_SUBSCRIPTION_ID,
  FLEX_MODES,
  FLEX_STATUSES,
  type FlexMode,
  flex_subscription,
} from './tables.ts'

const Hour = Int('Hour', 0, 24)
const FileSubscription = StrictBody(
  {
    id: Type.Optional(Int('Identifier; default: a new one', 1)),
    site_id: Type.Optional(Site),
    user_id: UserRef('Seller'),
    mode: Type.Optional(OneOf([...FLEX_MODES], { description: 'TURBO needs FLEX', default: 'FLEX' })),
    service_id: Type.Optional(Int('Service; default: a new one', 1)),
    status: Type.Optional(OneOf([...FLEX_STATUSES], { description: 'State', default: 'in' })),
    training_days: OrNull(Int('Days of practice', 1, 1000), INTEGER_OR_NULL),
    delivery_window: Type.Optional(
      OneOf([...DELIVERY_WINDOWS], { description: 'Delivery window', default: 'same_day' }),
    ),
    radius: Type.Optional(
      Nullable(Int('Metres', 1, 100_000), {
        description: 'TURBO: radius around the seller, metres',
        ...INTEGER_OR_NULL,
      }),
    ),
    origin: OrNull(Origin),
    creation_date: OptionalInstant('Time of creation; default: world time'),
    delivery_ranges: Type.Optional(
      asJson(
        Type.Object(
          {},
          {
            description:
              '{week, saturday, sunday}, each an array of {from, to, capacity, cutoff}, or null, in the form that sellers send',
            'x-message': 'must be an object with week, saturday and sunday',
          },
        ),
      ),
    ),
    zones: Type.Optional(
      asJson(
        Type.Array(Text('Id of a zone', 64), {
          maxItems: 1000,
          uniqueItems: true,
          description: 'FLEX: zones served; default: the central ones of the seller’s area',
          'x-message': 'must be an array of different zone ids',
        }),
      ),
    ),
    zone_cutoffs: Type.Optional(
      Nullable(
        Type.Record(Type.String(), StrictBody({ week: Hour, saturday: Hour, sunday: Hour }), {
          'x-message': 'must be an object with week, saturday and sunday of each zone, or null',
        }),
        {
          description: 'FLEX: cutoffs by zone; null for those of the ranges',
          default: null,
          [STORED]: JSON_OR_NULL,
        },
      ),
    ),
    holidays: Type.Optional(
      asJson(
        Type.Array(
          Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', 'x-message': 'must be a date such as 2026-12-25' }),
          {
            maxItems: 1000,
            uniqueItems: true,
            description: 'FLEX: holidays without deliveries',
            default: [],
            'x-message': 'must be an array of different dates',
          },
        ),
      ),
    ),
    is_moderated: Flag('Whether it is moderated'),
    daily_capacity: Type.Optional(Bool('FLEX: whether days may have different capacities. Default: true if they have')),
  },
  { title: 'FileSubscription', description: 'A same-day delivery service of a seller' },
)
type FileSubscription = Static<typeof FileSubscription>

const flex_subscriptions = tableList(flex_subscription, {
  description: 'Flex and Turbo',
  element: FileSubscription,
  maxElements: 200_000,
  ids: FIRST_SUBSCRIPTION_ID,
  async begin(context, list) {
    const { users } = context
    let lastService = await checkModesAndServices(context, list)
    return {
      complete(_, subscription, place) {
        const user_id = users.resolve(`${place}.user_id`, subscription.user_id)
        const site_id = subscription.site_id ?? users.siteOf(user_id)
        const city = subscription.origin?.city ?? users.cityOf(user_id)
        return {
          user_id,
          site_id,
          service_id: subscription.service_id ?? lastService + 1,
          origin: originColumn(subscription),
          ...readSettings(subscription, place, { site_id, city }),
        }
      },
      added(_, { service_id }) {
        lastService = Math.max(lastService, service_id)
      },
    }
  },
  present: ({ origin, mode, daily_capacity }) => ({
    origin: origin === '' ? null : JSON.parse(origin),
    daily_capacity: mode === 'FLEX' ? daily_capacity === 1 : undefined,
  }),
})

const originColumn = ({ origin }: FileSubscription): string =>
  origin ? JSON.stringify({ ...EMPTY_ADDRESS, ...origin }) : ''

/** Throws 400 for a repeated mode of an origin, a repeated service, or no FLEX where one is needed. Returns the highest service. */
async function checkModesAndServices({ users }: ImportContext, list: ListReader<FileSubscription>): Promise<number> {
  const services = new Set<number>()
  let lastService = FIRST_SERVICE_ID - 1
  const modes = new Set<string>()
  const needFlex: [user: number, place: string, name: string][] = []
  await list.each(async (subscription, place) => {
    const { user_id, mode = 'FLEX', service_id } = subscription
    const origin = originColumn(subscription)
    const user = users.resolve(`${place}.user_id`, user_id)
    const key = `${user} ${mode} ${origin}`
    if (modes.has(key))
      throw badRequest(`${place}.mode: the seller already has ${mode}${origin && ' from this origin'}`)
    modes.add(key)
    if (mode === 'TURBO' || origin) needFlex.push([user, place, mode === 'TURBO' ? 'TURBO' : 'another origin'])
    if (service_id === undefined) return
    if (services.has(service_id)) throw duplicate(`${place}.service_id`)
    services.add(service_id)
    lastService = Math.max(lastService, service_id)
  })
  for (const [user, place, name] of needFlex)
    if (!modes.has(`${user} FLEX `))
      throw badRequest(`${place}.mode: ${name} needs FLEX, which the seller does not have`)
  return lastService
}

/** The settings of a subscription as they are stored; checked as those that sellers send. */
function readSettings(
  {
    mode = 'FLEX',
    delivery_ranges,
    zones,
    zone_cutoffs,
    holidays = [],
    radius,
    daily_capacity: declared,
  }: FileSubscription,
  place: string,
  { site_id, city }: { site_id: string; city: string },
) {
  const defaults = initialSettingsOf(mode, site_id, city)
  return prefixErrors(place, () => {
    const ranges = delivery_ranges && readRanges(mode, { delivery_ranges }, declared)
    return {
      delivery_ranges: ranges ? JSON.stringify(ranges) : defaults.delivery_ranges,
      // Zones are not checked against the city: a seller who has moved still serves those chosen before.
      zones: zones ? JSON.stringify(zones) : defaults.zones,
      zone_cutoffs: mode === 'FLEX' && zone_cutoffs ? JSON.stringify(zone_cutoffs) : null,
      holidays: JSON.stringify(mode === 'FLEX' ? holidays : []),
      radius: radius ? parseRadius({ radius }) : defaults.radius,
      daily_capacity: mode === 'FLEX' && (declared ?? (ranges && hasCapacityByDay(ranges))) ? 1 : 0,
    }
  })
}

/** `declared`: whether days may have different capacities; undefined if the file does not say. */
const readRanges = (mode: FlexMode, input: object, declared = true): Ranges =>
  mode === 'FLEX'
    ? parseCustomDelivery({ ...input }, { daily_capacity: declared ? 1 : 0 }).delivery_ranges
    : parseAccurateDelivery({ ...input })

export const worldFile: WorldFileSection = {
  // It refers to users only; `credits` keeps the order of the file format.
  after: ['users', 'credits'],
  lists: { flex_subscriptions },
  tables: { flex_subscription: 'exported' },
}
