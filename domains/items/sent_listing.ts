import { ATTRIBUTE_NAMES } from './categories.ts'
import type { AttributeValue, Variation } from './details.ts'
import type { NewListing, SentValue, SentVariation } from './write_schemas.ts'

/** A listing as sent, without the members of a wrong type: these are in `wrong`. */
export interface SentListing extends Partial<NewListing> {
  wrong?: readonly string[]
}

const REQUIRED = [
  ...(['title', 'category_id', 'price', 'currency_id', 'available_quantity', 'buying_mode'] as const),
  'listing_type_id',
] as const

/** The title, or what stands for it. */
export const titleOf = ({ title, family_name }: SentListing): string | undefined => title ?? family_name

export const descriptionOf = ({ description }: SentListing): string | undefined =>
  typeof description === 'object' ? description.plain_text : description

/** Prices of a listing and of its variations. */
export const pricesOf = ({ price, variations = [] }: SentListing): number[] =>
  [price, ...variations.map((one) => one.price)].filter((one) => one !== undefined)

/** Required members that are not sent; price and stock may be those of all variations. */
export function missingMembers(listing: SentListing): string[] {
  const { variations = [], wrong = [] } = listing
  const hasAll = (name: 'price' | 'available_quantity') =>
    variations.length > 0 && variations.every((one) => one[name] !== undefined)
  return REQUIRED.filter((name) => {
    if (listing[name] !== undefined || wrong.includes(name)) return false
    if (name === 'title') return listing.family_name === undefined
    return name === 'price' || name === 'available_quantity' ? !hasAll(name) : true
  })
}

// What sellers send, in the form in which it is stored.

const textOf = (value: string | number | null | undefined): string | null => (value == null ? null : String(value))

function storedValue({ id, name, value_id, value_name }: SentValue): AttributeValue {
  const code = id ?? name ?? ''
  return {
    id: code,
    name: name ?? (Object.hasOwn(ATTRIBUTE_NAMES, code) ? ATTRIBUTE_NAMES[code]!.es : code),
    value_id: textOf(value_id),
    value_name: textOf(value_name),
  }
}

/** Attributes after a change: those that are sent replace others of their id, and go if they have no value. */
export function mergeValues(before: readonly AttributeValue[], sent: readonly SentValue[]): AttributeValue[] {
  const values = new Map(before.map((one) => [one.id, one]))
  for (const one of sent.map(storedValue))
    if (one.value_id === null && one.value_name === null) values.delete(one.id)
    else values.set(one.id, one)
  return [...values.values()]
}

const SKU = 'SELLER_SKU'
/** The code of the seller is a column of its own. */
export function takeSku(sent: readonly SentValue[]): { others: SentValue[]; sku: { seller_sku?: string | null } } {
  const sku = sent.find(({ id }) => id === SKU)
  return {
    others: sent.filter((one) => one !== sku),
    sku: sku ? { seller_sku: textOf(sku.value_name ?? sku.value_id) } : {},
  }
}

/** A variation after a change; `before` of a new one has its id and the price of the listing. */
export function mergeVariation(
  before: Pick<Variation, 'id' | 'price'> & Partial<Variation>,
  sent: SentVariation,
): Variation {
  const { price, available_quantity, attribute_combinations, attributes, picture_ids, seller_custom_field } = sent
  return {
    ...{ available_quantity: 0, sold_quantity: 0, attribute_combinations: [], picture_ids: [] },
    ...before,
    ...(price !== undefined && { price }),
    ...(available_quantity !== undefined && { available_quantity }),
    ...(attribute_combinations && { attribute_combinations: attribute_combinations.map(storedValue) }),
    ...(attributes && { attributes: mergeValues(before.attributes ?? [], attributes) }),
    ...(picture_ids && { picture_ids }),
    ...(seller_custom_field !== undefined && { seller_custom_field }),
  }
}

/** Price and stock of a listing follow from its variations [spec: items.variations.sum]. */
export const totalsOf = (variations: readonly Variation[]) => ({
  price: Math.min(...variations.map(({ price }) => price)),
  available_quantity: variations.reduce((sum, one) => sum + one.available_quantity, 0),
})
