import type { UserRow } from '../users/queries.ts'
import { areaOf, outlineOf, SCOPES, scopeOf } from './areas.ts'
import { holidaysOf } from './holidays.ts'
import { presentDelivery, selectedZones, zonesOf } from './present.ts'
import { originOf, type SubscriptionRow } from './queries.ts'
import {
  ACCURATE_RANGES,
  CAPACITY,
  CUTOFFS,
  DAYS,
  MIN_ACCURATE_RANGES,
  SCOPE_CUTOFFS,
  USUAL_HOURS,
  type ZoneCutoffs,
} from './settings.ts'
import { DELIVERY_WINDOWS } from './tables.ts'

// The settings of a subscription in the shape of the newer paths.

interface Source {
  row: SubscriptionRow
  user: UserRow
  /** World time, ms. */
  now: number
  showAvailables: boolean
}

const CUTOFF_LIMITS = { global: { min: CUTOFFS[0]!, max: CUTOFFS.at(-1)! } }
const PER_SCOPE = Object.fromEntries(
  SCOPES.map((scope) => [scope, { minimum: SCOPE_CUTOFFS[scope].from, maximum: SCOPE_CUTOFFS[scope].to }]),
)

export function presentCoverage({ row, user, showAvailables }: Source) {
  const cutoffs = JSON.parse(row.zone_cutoffs ?? '{}') as ZoneCutoffs
  const zones = selectedZones(row).map((id) => ({ id, ...(cutoffs[id] && { cutoff: cutoffs[id] }) }))
  if (!showAvailables) return { zones }
  return {
    zones,
    availables: { zones: availableZones(row, user), cutoffs: { ...CUTOFF_LIMITS, per_scope: PER_SCOPE } },
  }
}

function availableZones(row: SubscriptionRow, user: UserRow) {
  const area = areaOf(row.site_id, originOf(row, user).city)
  return zonesOf(row, user).map(({ id, label, neighborhoods, price }, n) => ({
    ...{ id, label, neighborhoods },
    polygon: {
      geometry: { coordinates: [outlineOf(area!, area!.zones[n]!)], type: 'Polygon' },
      properties: { name: null },
      type: 'Feature',
    },
    price,
    scope: scopeOf(area!, area!.zones[n]!),
  }))
}

export function presentRanges({ row, showAvailables }: Source) {
  const { delivery_window, delivery_ranges } = presentDelivery(row)
  const days = DAYS.filter((day) => delivery_ranges[day])
  const present = ({ capacity, from, to, cutoff }: { capacity: number; from: number; to: number; cutoff: number }) => ({
    ...{ capacity, from, to },
    ...(row.zone_cutoffs === null && { cutoff }),
  })
  return {
    delivery_window,
    delivery_ranges: Object.fromEntries(days.map((day) => [day, delivery_ranges[day]!.map(present)])),
    ...(row.mode === 'FLEX' && { is_downgraded: row.is_moderated === 1 }),
    ...(showAvailables && { availables: row.mode === 'FLEX' ? FLEX_RANGES : TURBO_RANGES }),
  }
}

const capacity = { min: CAPACITY.from, max: CAPACITY.to }
const [from, to] = [USUAL_HOURS[0]!, USUAL_HOURS.at(-1)!]
const FLEX_RANGES = {
  capacity,
  delivery_ranges: {
    type: 'dynamic',
    ranges: { 1: [{ from, to }] },
    ...{ min_hours: from, max_hours: to },
    ...{ min_range_quantity: 1, max_range_quantity: 24, min_hours_quantity_between_ranges: 0 },
  },
  delivery_windows: DELIVERY_WINDOWS,
  working_days: DAYS,
  cutoffs: CUTOFF_LIMITS,
}
const TURBO_RANGES = {
  capacity,
  delivery_ranges: {
    type: 'fixed',
    ranges: { [ACCURATE_RANGES.length]: ACCURATE_RANGES },
    ...{ min_range_quantity: MIN_ACCURATE_RANGES, max_range_quantity: ACCURATE_RANGES.length },
  },
  delivery_windows: ['same_day'],
  working_days: ['week'],
}

export const presentHolidays = ({ row, now }: Source) => ({ holidays: holidaysOf(row, now) })
