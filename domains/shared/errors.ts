import { controlError, notFound as notFoundByControl } from '../../http/errors/control_errors.ts'
import { notFound } from '../../http/errors/errors.ts'

/** A listing that cannot be read or changed. */
export const itemNotFound = (id: unknown) => notFound('items.not_found', `Item with id ${id} not found`, 'item_id')
export const userNotFound = (id: unknown, field = 'user_id') =>
  notFound('users.not_found', `User with id ${id} not found`, field)
/** `field`: the path parameter with its id, where an explanation names it. */
export const siteNotFound = (id: unknown, field?: string) =>
  notFound('sites.not_found', `Site with id ${id} not found`, field)
export const categoryNotFound = (id: unknown) =>
  notFound('catalogue.categories.not_found', `Category not found: ${id}`, 'category_id')

// Errors of control calls.
export const applicationNotFound = (id: unknown) => notFoundByControl(`Application with id ${id} not found`)
/** The resource to create exists. */
export const conflict = (message: string) => controlError(409, 'conflict', message)
