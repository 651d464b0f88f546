import type { World } from '../../db/world.ts'
import type { item } from './tables.ts'

type ItemRow = typeof item.$inferSelect

export const CONDITIONS = ['new', 'used', 'not_specified'] as const
export const LISTING_TYPES = ['gold_pro', 'gold_premium', 'gold_special', 'gold', 'silver', 'bronze', 'free'] as const
export const BUYING_MODES = ['buy_it_now', 'auction', 'classified'] as const
export const SUB_STATUSES = [
  ...(['out_of_stock', 'paused_by_seller', 'deleted', 'expired', 'waiting_for_patch', 'held', 'forbidden'] as const),
] as const

/** A value of an attribute; `values` of the wire form repeats it. */
export interface AttributeValue {
  id: string
  name: string
  value_id: string | null
  value_name: string | null
}

export interface Variation {
  id: number
  price: number
  available_quantity: number
  sold_quantity: number
  attribute_combinations: AttributeValue[]
  picture_ids: string[]
  attributes?: AttributeValue[]
  seller_custom_field?: string | null
  catalog_product_id?: string | null
}

/** What a listing has beside its columns; a member that is missing has the value of a plain listing. */
export interface ItemDetails {
  family_name?: string
  subtitle?: string
  condition?: (typeof CONDITIONS)[number]
  listing_type_id?: (typeof LISTING_TYPES)[number]
  buying_mode?: (typeof BUYING_MODES)[number]
  initial_quantity?: number
  /** Ids, the first is the thumbnail. */
  pictures?: string[]
  video_id?: string
  warranty?: string
  sale_terms?: AttributeValue[]
  attributes?: AttributeValue[]
  variations?: Variation[]
  shipping?: {
    local_pick_up?: boolean
    free_shipping?: boolean
    free_methods?: { id: number; rule: { free_mode: string; value: null } }[]
    dimensions?: string
    /** Stored by the marketplace: `logistic_type` is fulfillment; or picked up by it: cross_docking. */
    logistic_type?: 'fulfillment' | 'cross_docking'
  }
  sub_status?: (typeof SUB_STATUSES)[number][]
  tags?: string[]
  /** Price before the promotion that the listing has. */
  original_price?: number
  /** The seller's price rule changes the price: the seller cannot. */
  price_automation?: boolean
  catalog_product_id?: string
  catalog_listing?: boolean
  domain_id?: string
  official_store_id?: number
  seller_custom_field?: string
  /** The closed listing that this one continues. */
  parent_item_id?: string
  /** It was continued by another one. */
  relisted?: boolean
  health?: number
}

export const detailsOf = ({ details }: Pick<ItemRow, 'details'>): ItemDetails => JSON.parse(details)

/** Members of the details with their new values; null removes one. */
export type DetailChanges = { [Name in keyof ItemDetails]: ItemDetails[Name] | null | undefined }

/** The details of a listing after a change, as they are stored. */
export function mergeDetails(row: Pick<ItemRow, 'details'>, changes: DetailChanges): string {
  const members = Object.entries({ ...detailsOf(row), ...changes })
  return JSON.stringify(Object.fromEntries(members.filter(([, value]) => value !== null && value !== undefined)))
}

/** A listing whose stock has changed, in the state that the stock decides [spec: items.stock]. */
export function followStock(row: ItemRow): ItemRow {
  const { status, available_quantity } = row
  if (status === 'active' && available_quantity === 0)
    return { ...row, status: 'paused', details: mergeDetails(row, { sub_status: ['out_of_stock'] }) }
  const isOut = detailsOf(row).sub_status?.includes('out_of_stock')
  if (status === 'paused' && available_quantity > 0 && isOut)
    return { ...row, status: 'active', details: mergeDetails(row, { sub_status: null }) }
  return row
}

export interface CurrentPrice {
  price: number
  /** Null without a promotion. */
  original_price: number | null
}

/** The price now: a promotion ends by the world's clock [spec: items.promotion]. */
export function currentPrice(
  world: World,
  row: ItemRow,
  { original_price }: ItemDetails = detailsOf(row),
): CurrentPrice {
  const { price, promotion_until } = row
  if (original_price === undefined) return { price, original_price: null }
  const isOver = promotion_until !== null && world.clock.now() >= promotion_until
  return isOver ? { price: original_price, original_price: null } : { price, original_price }
}
