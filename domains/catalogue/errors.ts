import { notFound } from '../../http/errors/errors.ts'

export const categoryNotFound = (id: unknown) =>
  notFound('catalogue.categories.not_found', `Category not found: ${id}`, 'category_id')
export const domainNotFound = (id: unknown) =>
  notFound('catalogue.domains.not_found', `Domain not found: ${id}`, 'domain_id')
export const listingTypeNotFound = (id: unknown) =>
  notFound('catalogue.listing_types.not_found', `Listing type not found: ${id}`, 'listing_type_id')
