import type { World } from '../../db/world.ts'
import type { AttributeValue, ItemDetails, Variation } from './file_details.ts'
import type { item } from './tables.ts'

type ItemRow = typeof item.$inferSelect

export type { AttributeValue, ItemDetails, Variation }

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

/** The id of the seller’s product that a listing sells. */
export const userProductOf = (id: string): string => `${id.slice(0, 3)}U${id.slice(3)}`

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
