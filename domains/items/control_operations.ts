import { $, type Q } from '../../db/engine.ts'
import { deleteRows } from '../../db/rows.ts'
import type { World } from '../../db/world.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { currentPrice, type ItemDetails, mergeDetails } from './details.ts'
import { changeItem } from './operations.ts'
import { insertDescription, updateDescription } from './part_operations.ts'
import type { ItemRow } from './queries.ts'
import { item_description } from './tables.ts'

/** What a control call sets of a listing beside what its seller can change. */
export interface ItemState extends Partial<Pick<ItemDetails, 'condition' | 'sub_status' | 'price_automation'>> {
  sold_quantity?: number
  category_id?: string | null
  /** Null: those that it has by default. */
  tags?: string[] | null
  catalog_product_id?: string | null
  /** Null lifts it. */
  promotion?: { price: number; until?: number | null } | null
}

/** Sets the state of a listing; returns the listing. Throws 400 for a promotion that is no lower price. */
export async function setItemState(q: Q, world: World, row: ItemRow, state: ItemState): Promise<ItemRow> {
  const { sold_quantity = row.sold_quantity, category_id = row.category_id, promotion, ...changes } = state
  const promoted = promotion === undefined ? undefined : promotionOf(world, row, promotion)
  const changed = {
    ...{ sold_quantity, category_id, price: row.price, promotion_until: row.promotion_until },
    ...promoted?.columns,
    details: mergeDetails(row, {
      ...changes,
      ...(changes.price_automation === false && { price_automation: null }),
      ...(changes.sub_status?.length === 0 && { sub_status: null }),
      ...promoted?.details,
    }),
  }
  return changeItem(q, world, row, changed)
}

/** A promotion lowers the price [spec: items.promotion]. */
function promotionOf(world: World, row: ItemRow, promotion: NonNullable<ItemState['promotion']> | null) {
  const { price, original_price } = currentPrice(world, row)
  const before = original_price ?? price
  if (promotion === null)
    return { columns: { price: before, promotion_until: null }, details: { original_price: null } }
  if (promotion.price >= before) throw badRequest(`promotion.price: must be below the price of the listing, ${before}`)
  const columns = { price: promotion.price, promotion_until: promotion.until ?? null }
  return { columns, details: { original_price: before } }
}

/** Sets or, with null, removes the description of a listing. */
export async function setDescription(q: Q, world: World, item_id: string, plain_text: string | null): Promise<void> {
  const now = world.clock.now()
  if (plain_text === null) await deleteDescription(q).run({ item_id })
  else if (!(await updateDescription(q, item_id, plain_text, now)))
    await insertDescription(q, { item_id, plain_text, now })
}
const deleteDescription = deleteRows(item_description, { item_id: $ })
