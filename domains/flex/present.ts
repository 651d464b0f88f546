import { crc32 } from 'node:zlib'
import { utcSeconds } from '../shared/instants.ts'
import type { UserRow } from '../users/queries.ts'
import { addressIdOf, cityIdOf } from '../users/sites.ts'
import { areaOf, type FlexSite, MONEY } from './areas.ts'
import { originOf, type SubscriptionRow } from './queries.ts'
import type { NewerSubscription, Subscription } from './schemas.ts'
import {
  ACCURATE_RANGES,
  CAPACITY,
  CUTOFFS,
  DAYS,
  RADIUS_IN_KM,
  type Range,
  type Ranges,
  USUAL_HOURS,
} from './settings.ts'
import type { FlexMode, FlexStatus } from './tables.ts'

const CONFIGURATION_TYPES = {
  FLEX: { coverage: 'zone', delivery: 'custom' },
  TURBO: { coverage: 'radius', delivery: 'accurate' },
} as const satisfies Record<FlexMode, object>

/** The older paths have three statuses [spec: flex.status.newer]. */
export const olderStatus = (status: FlexStatus) => (status === 'in' || status === 'out' ? status : 'pending')

export const presentSubscription = (row: SubscriptionRow): Subscription => ({
  id: row.id,
  site_id: row.site_id,
  user_id: row.user_id,
  mode: row.mode,
  configuration_type: CONFIGURATION_TYPES[row.mode],
  service_id: row.service_id,
  status: { id: olderStatus(row.status) },
  creation_date: utcSeconds(row.creation_date),
})

/** The same subscription in the shape of the newer path. */
export function presentNewerSubscription(row: SubscriptionRow, user: UserRow): NewerSubscription {
  const { id, address_line, city, zip_code } = presentAddress(row, user)
  const isFlex = row.mode === 'FLEX'
  const { coverage } = CONFIGURATION_TYPES[row.mode]
  const isOff = Object.values(presentDelivery(row).delivery_ranges).every((day) => day === null)
  return {
    site_id: row.site_id,
    user_id: row.user_id,
    service_id: row.service_id,
    mode: row.mode,
    origin: { address_line, city, id, zip_code },
    status: row.status,
    configuration: {
      set: {
        coverage: { type: coverage, capabilities: { cutoff_by_zone: row.zone_cutoffs !== null } },
        delivery_ranges: isOff ? 'disabled' : isFlex ? 'dinamic' : 'fixed',
        holidays: isFlex,
        transit_times: false,
      },
      available: { coverage: { type: [coverage], capabilities: { cutoff_by_zone: isFlex } } },
    },
  }
}

/** The delivery settings as they were sent. */
export const presentDelivery = (row: SubscriptionRow) => ({
  delivery_window: row.delivery_window,
  delivery_ranges: JSON.parse(row.delivery_ranges) as Ranges,
})
export const presentZones = (row: SubscriptionRow) => ({ zones: selectedZones(row).map((id) => ({ id })) })
export const presentRadius = (row: SubscriptionRow) => ({ radius: row.radius! })

export const selectedZones = ({ zones }: SubscriptionRow): string[] => JSON.parse(zones) as string[]

/** One per user, and one per other origin. */
const addressId = (user_id: number, origin: string): string =>
  String(origin ? 1_400_000_000 + (crc32(origin) % 100_000_000) : addressIdOf(user_id))

function presentAddress(row: SubscriptionRow, user: UserRow) {
  const { site_id, origin } = row
  const { address, city, zip_code } = originOf(row, user)
  return {
    id: addressId(user.id, origin),
    address_line: address,
    city: { id: cityIdOf(site_id, city), name: city },
    zip_code,
  }
}

/** Everything that the configuration query can select, at an instant. */
export function configurationOf(row: SubscriptionRow, user: UserRow, now: number) {
  const isFlex = row.mode === 'FLEX'
  const days = JSON.parse(row.delivery_ranges) as Ranges
  const ranges = Object.fromEntries(
    DAYS.map((day) => [day, days[day]?.map((range) => presentRange(range, isFlex)) ?? null]),
  )
  return {
    address: presentAddress(row, user),
    subscription: {
      site_id: row.site_id,
      user_id: row.user_id,
      service_id: row.service_id,
      status: { id: olderStatus(row.status) },
      creation_date: utcSeconds(row.creation_date),
      training_times: trainingTimes(row, now),
    },
    delivery_window: row.delivery_window,
    is_moderated: row.is_moderated === 1,
    delivery_ranges: ranges,
    working_days: DAYS.filter((day) => days[day]),
    zones: isFlex ? zonesOf(row, user) : [],
    radius: row.radius,
    availables: isFlex ? FLEX_AVAILABLES : TURBO_AVAILABLES,
    disabled_features: isFlex ? disabledFeatures(row) : [],
  }
}
const disabledFeatures = ({ zone_cutoffs, daily_capacity }: SubscriptionRow): string[] => [
  ...(zone_cutoffs === null ? ['CUTOFF_BY_ZONE'] : []),
  ...(daily_capacity ? [] : ['CAPACITY_BY_DAY']),
]
export type Configuration = ReturnType<typeof configurationOf>

/** cpt: all parcels of the range go out together; etd: each has its own hour, as the range is short. */
const presentRange = ({ from, to, capacity, cutoff }: Range, isFlex: boolean) => ({
  capacity,
  type: isFlex ? 'cpt' : 'etd',
  processing_time: 0,
  from,
  to,
  et_hour: isFlex ? to : null,
  calculated_cutoff: cutoff,
})

const FLEX_AVAILABLES = {
  capacity_range: CAPACITY,
  cutoff: CUTOFFS,
  ranges: USUAL_HOURS,
  accurate_ranges: [],
  radius_range: null,
}
const TURBO_AVAILABLES = {
  capacity_range: CAPACITY,
  cutoff: [],
  ranges: [],
  accurate_ranges: ACCURATE_RANGES,
  radius_range: RADIUS_IN_KM,
}

const DAY = 24 * 3_600_000

/** Training exists only while a subscription waits for its activation [spec: flex.training]. */
function trainingTimes({ status, training_days, creation_date }: SubscriptionRow, now: number) {
  if (olderStatus(status) !== 'pending' || training_days === null) return null
  const activation = creation_date + training_days * DAY
  const remainingDays = Math.min(training_days, Math.max(0, Math.ceil((activation - now) / DAY)))
  return {
    original: { value: training_days, unit: 'day' },
    remaining: { value: remainingDays, unit: 'day' },
    activation_date: utcSeconds(activation),
  }
}

/** The zones of the coverage area of a seller, with those that are served. */
export function zonesOf(row: SubscriptionRow, user: UserRow) {
  const area = areaOf(row.site_id, originOf(row, user).city)
  if (!area) return []
  const chosen = new Set(selectedZones(row))
  const { currency_id, decimal_separator, symbol } = MONEY[row.site_id as FlexSite]
  return area.zones.map(({ id, label, neighborhoods, price: { cents, fraction }, mandatory }) => ({
    enabled: true,
    id,
    is_mandatory: mandatory,
    label,
    neighborhoods,
    price: { cents, currency_id, decimal_separator, fraction, symbol },
    selected: chosen.has(id),
  }))
}
