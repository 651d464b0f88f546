import { areaOf } from '../../domains/flex/areas/index.ts'
import { ACCURATE_RANGES, FIRST_SERVICE_ID } from '../../domains/flex/limits.ts'
import type { Range } from '../../domains/flex/settings.ts'
import type { FlexMode, FlexStatus } from '../../domains/flex/tables.ts'
import type { Random } from '../random.ts'
import { DAY, type Rhythm } from './rhythm.ts'
import { FIRST_IDS, type ShipmentRow, type SubscriptionRow } from './rows.ts'
import { SITE_IDS, SITES, type SiteId } from './sites.ts'

type Hours = readonly [from: number, to: number, cutoff: number]

interface Schedule {
  week: readonly Hours[]
  saturday?: Hours
  sunday?: Hours
}

/** When each seller delivers; how much it can carry is the seed's. */
const SCHEDULES: Record<SiteId, Schedule> = {
  MLA: { week: [[14, 21, 13]], saturday: [13, 18, 12] },
  MLB: {
    week: [
      [13, 17, 12],
      [18, 22, 16],
    ],
    saturday: [13, 19, 12],
    sunday: [14, 18, 13],
  },
  MLM: { week: [[15, 21, 14]], saturday: [14, 20, 13] },
  MLC: { week: [[14, 21, 13]] },
  MCO: { week: [[13, 20, 12]], saturday: [13, 17, 12] },
  MLU: { week: [[15, 20, 14]] },
  MPE: { week: [[14, 20, 12]], saturday: [14, 18, 12] },
  MEC: { week: [[16, 22, 15]], saturday: [15, 19, 14] },
}

/** Who also delivers within two hours, around the shop. */
const TURBO: Partial<Record<SiteId, { status: FlexStatus; radius: number }>> = {
  MLA: { status: 'in', radius: 5000 },
  MLB: { status: 'pending', radius: 4000 },
  MLM: { status: 'out', radius: 3000 },
}

const TURBO_RANGES = 4

/** The one seller that has only just begun, with its days of practice. */
const BEGINNER = 'MPE'

// What a subscription's number stands for is the same under every seed.
const NUMBERED = SITE_IDS.flatMap((site) => (TURBO[site] ? [`${site} FLEX`, `${site} TURBO`] : [`${site} FLEX`]))

/** One seller's same-day delivery services. Times are counted from the origin. */
export function subscriptionsOf(site_id: SiteId, user_id: number, r: Random): SubscriptionRow[] {
  const begun = -r.int(200 * 86_400, 700 * 86_400) * 1000
  const numbered = (mode: FlexMode) => {
    const number = NUMBERED.indexOf(`${site_id} ${mode}`)
    return { id: FIRST_IDS.flex_subscription + number, site_id, user_id, mode, service_id: FIRST_SERVICE_ID + number }
  }
  const flex: SubscriptionRow = {
    ...numbered('FLEX'),
    status: site_id === BEGINNER ? 'pending' : 'in',
    creation_date: site_id === BEGINNER ? -5 * DAY : begun,
    training_days: site_id === BEGINNER ? 14 : null,
    delivery_window: 'same_day',
    delivery_ranges: JSON.stringify(rangesOf(SCHEDULES[site_id], r)),
    zones: JSON.stringify(zonesOf(site_id, r)),
    radius: null,
    is_moderated: 0,
  }
  const turbo = TURBO[site_id]
  if (!turbo) return [flex]
  const week = sample(ACCURATE_RANGES, TURBO_RANGES, r).map(({ from, to }) => rangeOf([from, to, from], 20, r))
  const second: SubscriptionRow = {
    ...numbered('TURBO'),
    status: turbo.status,
    creation_date: begun + r.int(3 * 86_400, 60 * 86_400) * 1000,
    training_days: null,
    delivery_window: 'same_day',
    delivery_ranges: JSON.stringify({ week, saturday: null, sunday: null }),
    zones: '[]',
    radius: turbo.radius,
    is_moderated: 0,
  }
  return [flex, second]
}

function rangesOf({ week, saturday, sunday }: Schedule, r: Random) {
  return {
    week: week.map((hours) => rangeOf(hours, 40, r)),
    saturday: saturday ? [rangeOf(saturday, 20, r)] : null,
    sunday: sunday ? [rangeOf(sunday, 10, r)] : null,
  }
}

/** `most`: the capacity in fives that is not exceeded. */
const rangeOf = ([from, to, cutoff]: Hours, most: number, r: Random): Range => ({
  from,
  to,
  capacity: 5 * r.int(4, most),
  cutoff,
})

/** The mandatory zones around the seller, and most of the others. */
function zonesOf(site: SiteId, r: Random): string[] {
  const { city } = SITES[site].home
  const area = areaOf(site, city)
  if (!area) throw new Error(`${city} is in no area of Flex`)
  const optional = area.zones.filter(({ mandatory }) => !mandatory)
  const chosen = sample(optional, Math.round(0.6 * optional.length), r)
  return area.zones.filter((zone) => zone.mandatory || chosen.includes(zone)).map(({ id }) => id)
}

/** `n` of a list, in its order. */
function sample<T>(list: readonly T[], n: number, r: Random): T[] {
  const chosen = new Set(r.shuffle(list).slice(0, n))
  return list.filter((one) => chosen.has(one))
}

// Of each seller's parcels, so that a test can name them: the first six are on their way, the next two were delivered,
// the last four wait for somebody to carry them.
const ON_THE_WAY = 6
const CARRIED = 8
const PARCELS = 12

/** One seller's parcels, the oldest first. Times are counted from the origin. */
export function shipmentsOf(site_id: SiteId, seller_id: number, rhythm: Rhythm, r: Random): ShipmentRow[] {
  const first = FIRST_IDS.shipment + PARCELS * SITE_IDS.indexOf(site_id)
  const drivers = Array.from({ length: 4 }, () => r.int(10_000_000, 999_999_999))
  const created = Array.from({ length: PARCELS }, () => rhythm.instant(r, -3, 0)).sort((a, b) => a - b)
  return created.map((date_created, i) => ({
    id: first + i,
    site_id,
    seller_id,
    driver_id: i < CARRIED ? r.pick(drivers) : null,
    route_open: i < ON_THE_WAY ? 1 : 0,
    date_created,
  }))
}
