import type { CurrentPrice } from '../items/details.ts'
import { detailsOf, type Variation } from '../items/details.ts'
import { saleFee } from '../items/fees.ts'
import { categoryIdOf } from '../items/leaves.ts'
import type { ItemRow } from '../items/queries.ts'
import type { OrderedItem } from './file_schemas.ts'
import type { OrderRow } from './tables.ts'

/** What an order copies of a listing. */
export function orderOfItem(
  item: Pick<
    ItemRow,
    'id' | 'site_id' | 'seller_id' | 'title' | 'price' | 'currency_id' | 'category_id' | 'seller_sku' | 'details'
  >,
  variation: Variation | undefined,
  { price, current, isTest }: { price?: number | undefined; current?: CurrentPrice; isTest: boolean },
) {
  const details = detailsOf(item)
  const { price: ownPrice, original_price } = current ?? { price: item.price, original_price: null }
  // A promotion is that of all variations.
  const unit_price = price ?? (original_price === null ? variation?.price : undefined) ?? ownPrice
  const full_unit_price = Math.max(unit_price, price === undefined ? (original_price ?? 0) : 0)
  const { listing_type_id = 'gold_special', condition = 'new', seller_custom_field: ownField = null } = details
  const skuOfVariation = variation?.attributes?.find(({ id }) => id === 'SELLER_SKU')?.value_name
  return {
    site_id: item.site_id,
    seller_id: item.seller_id,
    item_id: item.id,
    variation_id: variation?.id ?? null,
    item: JSON.stringify({
      title: item.title,
      category_id: categoryIdOf(item),
      seller_custom_field: variation?.seller_custom_field ?? ownField,
      variation_attributes: variation?.attribute_combinations ?? [],
      warranty: details.warranty ?? null,
      condition,
      seller_sku: skuOfVariation ?? variation?.seller_custom_field ?? item.seller_sku ?? ownField,
      listing_type_id,
    } satisfies OrderedItem),
    unit_price,
    full_unit_price,
    sale_fee: saleFee(unit_price, { ...item, listing_type_id }).amount,
    currency_id: item.currency_id,
    shipment_id: null,
    tags: JSON.stringify([
      ...(details.catalog_listing ? ['catalog'] : []),
      ...(isTest ? ['test_order'] : []),
      ...(full_unit_price > unit_price ? ['order_has_discount'] : []),
    ]),
    delivered: 0,
    fulfilled: null,
    cancel_detail: null,
    cancelled_at: null,
    mediations: '[]',
  } satisfies Partial<OrderRow>
}
