import { controlError, notFound as notFoundByControl } from '../../http/errors/control_errors.ts'
import { apiError, notFound } from '../../http/errors/errors.ts'

/** A listing that cannot be read or changed. */
export const itemNotFound = (id: unknown) => notFound('items.not_found', `Item with id ${id} not found`, 'item_id')
export const userNotFound = (id: unknown, field = 'user_id') =>
  notFound('users.not_found', `User with id ${id} not found`, field)
/** `field`: the path parameter with its id, where an explanation names it. */
export const siteNotFound = (id: unknown, field?: string) =>
  notFound('sites.not_found', `Site with id ${id} not found`, field)
export const categoryNotFound = (id: unknown) =>
  notFound('catalogue.categories.not_found', `Category not found: ${id}`, 'category_id')
export const packNotFound = (_id?: unknown) =>
  apiError({ rule: 'packs.not_found', field: 'pack_id' }, 404, 'not_found', 'Order do not exists')
export const notOwnedPack = () =>
  apiError('packs.not_owned', 403, 'not_owned_order', 'The user has not access to the order')

// Errors of control calls.
export const applicationNotFound = (id: unknown) => notFoundByControl(`Application with id ${id} not found`)
/** The resource to create exists. */
export const conflict = (message: string) => controlError(409, 'conflict', message)
