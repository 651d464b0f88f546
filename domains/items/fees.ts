import { money } from '../currencies/currencies.ts'
import type { SiteId } from '../users/sites.ts'

/** What the marketplace charges for the sale of a unit [spec: orders.sale_fee]. */
interface SaleFee {
  /** Percent of the price: those of the sale, and those of paying in instalments. */
  meli_percentage_fee: number
  financing_add_on_fee: number
  /** In the currency of the price, like the amount. */
  fixed_fee: number
  amount: number
}

const PERCENT: Record<string, number> = { free: 0 }
const USUAL_PERCENT = 13
/** Of the listing types whose buyers pay in instalments without interest. */
const FINANCING_PERCENT = 23
const FINANCED = ['gold_pro', 'gold_premium']
/** The sites where those are sold. */
const SITES_WITH_INSTALMENTS: readonly string[] = ['MLA', 'MLB', 'MLM', 'MLC', 'MCO'] satisfies SiteId[]

/** Cheap units cost a fixed fee besides, at most half of their price. */
const FIXED: Partial<Record<string, { below: number; fee: number }>> = {
  MLA: { below: 15_000, fee: 1000 },
  MLB: { below: 79, fee: 6 },
  MLM: { below: 299, fee: 25 },
  MLC: { below: 9_990, fee: 700 },
  MCO: { below: 60_000, fee: 2000 },
} satisfies Partial<Record<SiteId, { below: number; fee: number }>>

/** Whether buyers pay in instalments without interest. */
export const isFinanced = (site_id: string, listing_type_id = 'gold_special'): boolean =>
  FINANCED.includes(listing_type_id) && SITES_WITH_INSTALMENTS.includes(site_id)

/** The fee of a unit at a price; exact in the currency's smallest units. */
export function saleFee(
  price: number,
  { site_id, currency_id, listing_type_id }: { site_id: string; currency_id: string; listing_type_id: string },
): SaleFee {
  const meli_percentage_fee = PERCENT[listing_type_id] ?? USUAL_PERCENT
  const financing_add_on_fee = isFinanced(site_id, listing_type_id) ? FINANCING_PERCENT : 0
  const { below = 0, fee = 0 } = FIXED[site_id] ?? {}
  const { minor, amount } = money(currency_id)
  const half = amount(Math.floor(minor(price) / 2))
  const fixed_fee = listing_type_id !== 'free' && price < below ? Math.min(fee, half) : 0
  const share = Math.round((minor(price) * (meli_percentage_fee + financing_add_on_fee)) / 100)
  return { meli_percentage_fee, financing_add_on_fee, fixed_fee, amount: amount(share + minor(fixed_fee)) }
}
