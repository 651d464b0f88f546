import { type Static, Type } from '@sinclair/typebox'
import { insertInto } from '../../db/rows.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { StrictBody } from '../shared/control_schemas.ts'
import { utcOrNull } from '../shared/instants.ts'
import { Bool, Nullable, OneOf } from '../shared/schemas.ts'
import { Flag, INTEGER_OR_NULL, Int, OptionalInstant, Text, UserRef } from '../shared/world_file/fields.ts'
import { duplicate, importNumbered, prefixErrors } from '../shared/world_file/import_elements.ts'
import { mapPages, rowsById } from '../shared/world_file/operations.ts'
import { EMPTY_ADDRESS } from '../users/queries.ts'
import { Site } from '../users/sites.ts'
import { type ImportContext, type ListReader, type WorldFileSection, worldFileList } from '../world_file.ts'
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
    user_id: UserRef('Seller'),
    site_id: Type.Optional(Site),
    mode: Type.Optional(OneOf([...FLEX_MODES], { description: 'TURBO needs FLEX', default: 'FLEX' })),
    origin: Type.Optional(Nullable(Origin, { description: Origin.description, default: null })),
    service_id: Type.Optional(Int('Service; default: a new one', 1)),
    status: Type.Optional(OneOf([...FLEX_STATUSES], { description: 'State', default: 'in' })),
    creation_date: OptionalInstant('Time of creation; default: world time'),
    training_days: Type.Optional(
      Nullable(Int('Days of practice', 1, 1000), {
        description: 'Days of practice',
        default: null,
        ...INTEGER_OR_NULL,
      }),
    ),
    delivery_window: Type.Optional(
      OneOf([...DELIVERY_WINDOWS], { description: 'Delivery window', default: 'same_day' }),
    ),
    delivery_ranges: Type.Optional(
      Type.Object(
        {},
        {
          description:
            '{week, saturday, sunday}, each an array of {from, to, capacity, cutoff}, or null, in the form that sellers send',
          'x-message': 'must be an object with week, saturday and sunday',
        },
      ),
    ),
    zones: Type.Optional(
      Type.Array(Text('Id of a zone', 64), {
        maxItems: 1000,
        uniqueItems: true,
        description: 'FLEX: zones served; default: the central ones of the seller’s area',
        'x-message': 'must be an array of different zone ids',
      }),
    ),
    zone_cutoffs: Type.Optional(
      Nullable(
        Type.Record(Type.String(), StrictBody({ week: Hour, saturday: Hour, sunday: Hour }), {
          'x-message': 'must be an object with week, saturday and sunday of each zone, or null',
        }),
        { description: 'FLEX: cutoffs by zone; null for those of the ranges', default: null },
      ),
    ),
    holidays: Type.Optional(
      Type.Array(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', 'x-message': 'must be a date such as 2026-12-25' }), {
        maxItems: 1000,
        uniqueItems: true,
        description: 'FLEX: holidays without deliveries',
        default: [],
        'x-message': 'must be an array of different dates',
      }),
    ),
    radius: Type.Optional(
      Nullable(Int('Metres', 1, 100_000), {
        description: 'TURBO: radius around the seller, metres',
        ...INTEGER_OR_NULL,
      }),
    ),
    is_moderated: Flag('Whether it is moderated'),
    daily_capacity: Type.Optional(Bool('FLEX: whether days may have different capacities. Default: true if they have')),
  },
  { title: 'FileSubscription', description: 'A same-day delivery service of a seller' },
)
type FileSubscription = Static<typeof FileSubscription>

const insertSubscription = insertInto(flex_subscription)
const allSubscriptions = rowsById(flex_subscription)

const flex_subscriptions = worldFileList({
  description: 'Flex and Turbo',
  element: FileSubscription,
  maxElements: 200_000,
  async import(context, list) {
    const { q, users } = context
    let lastService = await checkModesAndServices(context, list)
    await importNumbered(context, list, flex_subscription, FIRST_SUBSCRIPTION_ID, async (subscription, place, id) => {
      const user_id = users.resolve(`${place}.user_id`, subscription.user_id)
      const site_id = subscription.site_id ?? users.siteOf(user_id)
      const service_id = subscription.service_id ?? lastService + 1
      const isInserted = await insertSubscription(q, {
        id,
        site_id,
        user_id,
        mode: subscription.mode!,
        origin: originColumn(subscription),
        service_id,
        status: subscription.status!,
        creation_date: context.instantOf(`${place}.creation_date`, subscription.creation_date),
        training_days: subscription.training_days!,
        delivery_window: subscription.delivery_window!,
        ...readSettings(subscription, place, {
          site_id,
          city: subscription.origin?.city ?? users.cityOf(user_id),
        }),
        is_moderated: subscription.is_moderated ? 1 : 0,
      })
      if (isInserted) lastService = Math.max(lastService, service_id)
      return isInserted
    })
  },
  export: ({ q }) =>
    mapPages(
      allSubscriptions(q),
      ({
        origin,
        creation_date,
        delivery_ranges,
        zones,
        zone_cutoffs,
        holidays,
        is_moderated,
        daily_capacity,
        ...row
      }) => ({
        ...row,
        origin: origin === '' ? null : JSON.parse(origin),
        creation_date: utcOrNull(creation_date),
        delivery_ranges: JSON.parse(delivery_ranges),
        zones: JSON.parse(zones),
        zone_cutoffs: zone_cutoffs && JSON.parse(zone_cutoffs),
        holidays: JSON.parse(holidays),
        is_moderated: is_moderated === 1,
        ...(row.mode === 'FLEX' && { daily_capacity: daily_capacity === 1 }),
      }),
    ),
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
