import { notFound } from '../../http/errors/errors.ts'

export const domainNotFound = (id: unknown) =>
  notFound('catalogue.domains.not_found', `Domain not found: ${id}`, 'domain_id')
export const listingTypeNotFound = (id: unknown) =>
  notFound('catalogue.listing_types.not_found', `Listing type not found: ${id}`, 'listing_type_id')
export const productNotFound = (id: unknown) =>
  notFound('catalogue.products.not_found', `Product not found: ${id}`, 'product_id')
export const notCatalogueListing = (id: unknown) =>
  notFound('catalogue.price_to_win.not_found', `Item ${id} is not a catalog listing`, 'item_id')
/** `field`: the parameter with its id. */
export const locationNotFound = (kind: string, id: unknown, field: string) =>
  notFound('catalogue.locations.not_found', `${kind} not found: ${id}`, field)
