import { notFound } from '../../http/errors/errors.ts'

export const categoryNotFound = (id: unknown) =>
  notFound('catalogue.categories.not_found', `Category not found: ${id}`, 'category_id')
export const domainNotFound = (id: unknown) =>
  notFound('catalogue.domains.not_found', `Domain not found: ${id}`, 'domain_id')
