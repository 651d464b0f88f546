import type { DemoGenerator, DemoSiteId, Shop } from '../demo.ts'
import type { Random } from '../shared/demo/random.ts'
import { DAY } from '../shared/demo/wording.ts'
import type { Address } from '../users/queries.ts'
import { areaOf } from './areas.ts'
import { ACCURATE_RANGES, FIRST_SERVICE_ID, type Range } from './settings.ts'
import { FIRST_SUBSCRIPTION_ID, type FlexMode, type FlexStatus, type flex_subscription } from './tables.ts'

type NewSubscription = Omit<Required<typeof flex_subscription.$inferInsert>, 'id' | 'service_id'>

export const generateRows: DemoGenerator = (shops) => ({
  // In the order of the sites, so that an id has the same meaning under every seed.
  flex_subscription: shops
    .flatMap((shop) => subscriptionsOf(shop, shop.random.fork('flex')))
    .concat(shops.flatMap((shop) => otherOriginsOf(shop, shop.random.fork('origins'))))
    .map((row, n) => ({ id: FIRST_SUBSCRIPTION_ID + n, service_id: FIRST_SERVICE_ID + n, ...row })),
})

type Hours = readonly [from: number, to: number, cutoff: number]

interface Schedule {
  week: readonly Hours[]
  saturday?: Hours
  sunday?: Hours
}

/** Delivery hours of each seller; capacities depend on the seed. */
const SCHEDULES: Record<DemoSiteId, Schedule> = {
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

/** Sellers with TURBO. */
const TURBO: Partial<Record<DemoSiteId, { status: FlexStatus; radius: number }>> = {
  MLA: { status: 'in', radius: 5000 },
  MLB: { status: 'pending', radius: 4000 },
  MLM: { status: 'out', radius: 3000 },
}

const TURBO_RANGES = 4

/** The seller with a pending subscription, and its training days. */
const BEGINNER = 'MPE'

const COMMON = {
  origin: '',
  delivery_window: 'same_day' as const,
  zone_cutoffs: null,
  holidays: '[]',
  is_moderated: 0,
  daily_capacity: 0,
}

/** One seller's same-day delivery services, without ids. */
function subscriptionsOf({ siteId, site, cast }: Shop, r: Random): NewSubscription[] {
  const createdAt = -r.int(200 * 86_400, 700 * 86_400) * 1000
  const of = (mode: FlexMode) => ({ ...COMMON, site_id: siteId, user_id: cast.seller.row.id, mode })
  const flex: NewSubscription = {
    ...of('FLEX'),
    status: siteId === BEGINNER ? 'pending' : 'in',
    creation_date: siteId === BEGINNER ? -5 * DAY : createdAt,
    training_days: siteId === BEGINNER ? 14 : null,
    delivery_ranges: JSON.stringify(rangesOf(SCHEDULES[siteId], r)),
    zones: JSON.stringify(zonesOf(siteId, site.home.city, r)),
    radius: null,
    // Sellers that deliver on weekends, too, carry less there.
    daily_capacity: SCHEDULES[siteId].saturday || SCHEDULES[siteId].sunday ? 1 : 0,
  }
  const turbo = TURBO[siteId]
  if (!turbo) return [flex]
  const week = sample(ACCURATE_RANGES, TURBO_RANGES, r).map(({ from, to }) => rangeOf([from, to, from], 20, r))
  const turboRow: NewSubscription = {
    ...of('TURBO'),
    status: turbo.status,
    creation_date: createdAt + r.int(3 * 86_400, 60 * 86_400) * 1000,
    training_days: null,
    delivery_ranges: JSON.stringify({ week, saturday: null, sunday: null }),
    zones: '[]',
    radius: turbo.radius,
  }
  return [flex, turboRow]
}

/** Sellers that also deliver from another address; after all others, so that their ids stay. */
const OTHER_ORIGINS: Partial<Record<DemoSiteId, Address>> = {
  MLA: { address: 'Av. Mitre 1200', city: 'Quilmes', state: 'Buenos Aires', zip_code: '1878' },
}

function otherOriginsOf({ siteId, cast }: Shop, r: Random): NewSubscription[] {
  const origin = OTHER_ORIGINS[siteId]
  if (!origin) return []
  const row: NewSubscription = {
    ...{ ...COMMON, site_id: siteId, user_id: cast.seller.row.id, mode: 'FLEX', status: 'in' },
    origin: JSON.stringify(origin),
    creation_date: -r.int(30 * 86_400, 90 * 86_400) * 1000,
    training_days: null,
    delivery_ranges: JSON.stringify(rangesOf({ week: SCHEDULES[siteId].week }, r)),
    zones: JSON.stringify(zonesOf(siteId, origin.city, r)),
    radius: null,
  }
  return [row]
}

function rangesOf({ week, saturday, sunday }: Schedule, r: Random) {
  return {
    week: week.map((hours) => rangeOf(hours, 40, r)),
    saturday: saturday ? [rangeOf(saturday, 20, r)] : null,
    sunday: sunday ? [rangeOf(sunday, 10, r)] : null,
  }
}

/** `most`: the largest capacity, in units of five. */
const rangeOf = ([from, to, cutoff]: Hours, most: number, r: Random): Range => ({
  from,
  to,
  capacity: 5 * r.int(4, most),
  cutoff,
})

/** The central zones around the seller, and most of the others. */
function zonesOf(site: DemoSiteId, city: string, r: Random): string[] {
  const area = areaOf(site, city)
  if (!area) throw new Error(`${city} is in no area of Flex`)
  const others = area.zones.filter(({ central }) => !central)
  const chosen = sample(others, Math.round(0.6 * others.length), r)
  return area.zones.filter((zone) => zone.central || chosen.includes(zone)).map(({ id }) => id)
}

/** `n` random elements of a list, in its order. */
function sample<T>(list: readonly T[], n: number, r: Random): T[] {
  const chosen = new Set(r.shuffle(list).slice(0, n))
  return list.filter((one) => chosen.has(one))
}
