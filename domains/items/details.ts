import { and, eq, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { type ItemRow, itemById } from './queries.ts'
import { item } from './tables.ts'

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

/** Replaces members of the details; null removes one. Returns the listing. Publishes nothing. */
export async function changeDetails(
  q: Q,
  world: World,
  row: ItemRow,
  changes: { [Name in keyof ItemDetails]: ItemDetails[Name] | null },
): Promise<ItemRow> {
  const kept = Object.entries({ ...detailsOf(row), ...changes }).filter(([, value]) => value !== null)
  const details = JSON.stringify(Object.fromEntries(kept))
  return (await updateDetails(q).one({ id: row.id, details, now: world.clock.now() })) ?? row
}
const updateDetails = prepared(({ db }) =>
  db
    .update(item)
    .set({ details: sql`${$('details')}`, last_updated: sql`${$('now')}` })
    .where(and(eq(item.id, $('id')), sql`${item.details} <> ${$('details')}`))
    .returning(),
)

/** Units for sale of a listing, or of one of its variations; undefined if there is no such listing or variation. */
export async function stockOf(q: Q, id: string, variation_id: number | null): Promise<number | undefined> {
  const row = await itemById(q, id)
  if (!row) return undefined
  if (variation_id === null) return row.available_quantity
  return detailsOf(row).variations?.find((one) => one.id === variation_id)?.available_quantity
}

/**
 * Moves units from stock to sold, or back with a negative quantity; `sold` differs from it where cancelled units do not
 * return to stock. Call `stockOf` before: a stock below 0 is an error of the caller. Publishes nothing.
 */
export async function moveStock(
  q: Q,
  world: World,
  {
    id,
    variation_id,
    quantity,
    sold = quantity,
  }: { id: string; variation_id: number | null; quantity: number; sold?: number },
): Promise<ItemRow> {
  const row = (await itemById(q, id))!
  const { variations } = detailsOf(row)
  if (variation_id !== null && variations)
    await changeDetails(q, world, row, {
      variations: variations.map((one) =>
        one.id === variation_id
          ? {
              ...one,
              available_quantity: one.available_quantity - quantity,
              sold_quantity: one.sold_quantity + sold,
            }
          : one,
      ),
    })
  return (await updateStock(q).one({ id, quantity, sold, now: world.clock.now() }))!
}
const updateStock = prepared(({ db }) =>
  db
    .update(item)
    .set({
      available_quantity: sql`${item.available_quantity} - ${$('quantity')}`,
      sold_quantity: sql`max(0, ${item.sold_quantity} + ${$('sold')})`,
      last_updated: sql`${$('now')}`,
    })
    .where(eq(item.id, $('id')))
    .returning(),
)
