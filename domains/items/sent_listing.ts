import type { NewListing } from './write_schemas.ts'

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
