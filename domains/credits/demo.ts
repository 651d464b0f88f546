import type { DemoGenerator, DemoSiteId, Listing, Shop } from '../demo.ts'
import type { Random } from '../shared/demo/random.ts'
import { DAY, FIRST_DAY, type Rhythm } from '../shared/demo/wording.ts'
import { type credit_lead, FINANCIAL_ENTITIES } from './tables.ts'

type LeadRow = typeof credit_lead.$inferInsert

export const generateRows: DemoGenerator = (shops) => ({
  credit_lead: shops.flatMap((shop) => leadsOf(shop, shop.random.fork('leads'))),
})

interface Lender {
  categories: readonly Listing['product']['category'][]
  /** Number of leads by age. */
  ages: Record<keyof typeof AGES, number>
  /** Weight of each entity, in the order of FINANCIAL_ENTITIES. */
  weights: readonly number[]
  installments: readonly number[]
  /** Simple interest a month, in basis points, both ends included. */
  interest: readonly [from: number, to: number]
  /** The financed amount as a multiple of the price: the price of a flat is its monthly rent. */
  priceMultiple: number
  /** Decimals of the currency. */
  decimals: number
}

// Days from the origin, without the second. A world's "now" is any instant of the week after the origin: the fresh leads
// are valid during all of that week, the expiring ones expire in it, the old ones are too old for searches.
const AGES = {
  old: [-120, -93],
  expired: [-92, -31],
  expiring: [-30, -22],
  fresh: [-22, 0],
  // Entities decide within days.
  in_analysis: [-3, 0],
  coming: [0, 7],
} as const

/** Where credits are offered: vehicles in Brazil, real estate in Chile. */
const LENDERS: Partial<Record<DemoSiteId, Lender>> = {
  MLB: {
    categories: ['car', 'motorbike'],
    ages: { old: 9, expired: 18, expiring: 5, fresh: 20, in_analysis: 2, coming: 6 },
    weights: [7, 8, 3, 2],
    installments: [12, 24, 36, 48, 60],
    interest: [90, 160],
    priceMultiple: 1,
    decimals: 2,
  },
  MLC: {
    categories: ['flat'],
    ages: { old: 7, expired: 10, expiring: 4, fresh: 18, in_analysis: 1, coming: 5 },
    weights: [2, 1, 7, 8],
    installments: [120, 180, 240, 300],
    interest: [20, 40],
    priceMultiple: 200,
    decimals: 0,
  },
}

// The states of the first fresh leads, under every seed. The last two were expired early.
const FRESH: readonly Partial<LeadRow>[] = [
  ...[1, 2, 3].flatMap(() => FINANCIAL_ENTITIES.map((financial_entity_id) => ({ financial_entity_id }))),
  ...[1, 2].map(() => ({ status: 'rejected' as const })),
  ...[1, 2].map(() => ({ expired: 1 })),
]

/** One seller's pre-approved credits, oldest first; none if the site has no lender. */
function leadsOf({ siteId, cast, listings, rhythm }: Shop, r: Random): LeadRow[] {
  const lender = LENDERS[siteId]
  if (!lender) return []
  const { categories, ages, weights, priceMultiple, decimals } = lender
  const financed = listings.filter(
    ({ row, product }) => row.status === 'active' && categories.includes(product.category),
  )
  const rounded = (amount: number) => Math.round(amount * 10 ** decimals) / 10 ** decimals

  const lead = (at: number, change: Partial<LeadRow>): LeadRow => {
    const { row } = r.pick(financed)
    const whole = row.price * priceMultiple
    const down_payment_amount = rounded((whole * r.int(100, 400)) / 1000)
    const installments_number = r.pick(lender.installments)
    const interest = (r.int(...lender.interest) / 10_000) * installments_number
    const status = change.status ?? 'approved'
    return {
      id: uuid(r),
      item_id: row.id,
      seller_id: row.seller_id,
      buyer_id: r.pick(r.chance(0.1) ? cast.buyers : cast.shoppers).row.id,
      down_payment_amount,
      installments_number,
      installments_amount: rounded(((whole - down_payment_amount) * (1 + interest)) / installments_number),
      proposal_id: status === 'approved' && r.chance(0.7) ? digits(r) : null,
      financial_entity_id: FINANCIAL_ENTITIES[r.weighted(weights)]!,
      status,
      date_created: at,
      expired: 0,
      ...change,
    }
  }
  const decided = (): Partial<LeadRow> => ({ status: r.chance(0.8) ? 'approved' : 'rejected' })
  const open: Partial<LeadRow> = { status: 'in_analysis' }
  const changes: Record<keyof typeof AGES, (i: number) => Partial<LeadRow>> = {
    old: decided,
    expired: decided,
    expiring: decided,
    fresh: (i) => FRESH[i] ?? decided(),
    in_analysis: () => open,
    coming: () => (r.chance(0.2) ? open : decided()),
  }
  const leads = (Object.keys(AGES) as (keyof typeof AGES)[]).flatMap((age) =>
    Array.from({ length: ages[age] }, (_, i) => lead(instant(rhythm, AGES[age], r), changes[age](i))),
  )
  return leads.sort((a, b) => a.date_created - b.date_created)
}

/** An instant in these days; days before the first one of the rhythm use that of five weeks later. */
function instant(rhythm: Rhythm, [from, until]: readonly [number, number], r: Random): number {
  const later = from < FIRST_DAY ? 35 : 0
  return rhythm.instant(r, from + later, until + later) - later * DAY
}

/** A UUID in the form of version 4. */
function uuid(r: Random): string {
  const hex = (n: number) => Array.from({ length: n }, () => r.int(0, 15).toString(16)).join('')
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${r.pick(['8', '9', 'a', 'b'])}${hex(3)}-${hex(12)}`
}

/** A proposal id in the format of the entity. */
function digits(r: Random): string {
  return `${r.int(1, 9)}${Array.from({ length: r.int(4, 7) }, () => r.int(0, 9)).join('')}`
}
