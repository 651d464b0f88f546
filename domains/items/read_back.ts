import { isObject } from '../../http/bodies.ts'

// What a world file says of a listing that an answer shows: the inverse of presentItem. Answers of other servers may have any
// form, and only some of the members: what is undefined is not known, and what is null the listing does not have.

type Members = Record<string, unknown>

const membersOf = (value: unknown): Members => (isObject(value) ? value : {})
const listOf = <T>(value: unknown, read: (element: Members) => T): T[] | undefined =>
  Array.isArray(value) ? value.filter(isObject).map(read) : undefined

/** Without `values`, which repeats the value. */
const attributeValue = ({ id, name = id, value_id = null, value_name = null }: Members) => ({
  id,
  name,
  value_id,
  value_name,
})

const variationOf = (one: Members): Members =>
  withoutMissing({
    ...{ id: one.id, price: one.price },
    ...{ available_quantity: one.available_quantity ?? 0, sold_quantity: one.sold_quantity ?? 0 },
    attribute_combinations: listOf(one.attribute_combinations, attributeValue),
    picture_ids: one.picture_ids,
    attributes: listOf(one.attributes, attributeValue),
    ...{ seller_custom_field: one.seller_custom_field, catalog_product_id: one.catalog_product_id },
  })

const withoutMissing = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null))

/** As they are in an answer. */
const SAME = [
  ...['family_name', 'subtitle', 'condition', 'listing_type_id', 'buying_mode', 'initial_quantity', 'video_id'],
  ...['warranty', 'sub_status', 'tags', 'original_price', 'catalog_product_id', 'catalog_listing', 'domain_id'],
  ...['official_store_id', 'seller_custom_field', 'parent_item_id', 'health'],
]

/** The members of a listing in a world file that differ from those of an answer, among them its details. */
export function readBack(item: Members): Members & { details: Members } {
  const { shipping, price, base_price } = item
  const { mode, tags, ...ways } = membersOf(shipping)
  return {
    price: price ?? base_price,
    shipping_mode: mode,
    in_flex: Array.isArray(tags) ? tags.includes('self_service_in') : undefined,
    details: {
      ...Object.fromEntries(SAME.map((name) => [name, item[name]])),
      pictures: listOf(item.pictures, ({ id }) => id),
      sale_terms: listOf(item.sale_terms, attributeValue),
      attributes: listOf(item.attributes, attributeValue),
      variations: listOf(item.variations, variationOf),
      shipping: isObject(shipping) ? withoutMissing(ways) : undefined,
    },
  }
}
