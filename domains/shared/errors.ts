import { apiError, notFound } from '../../http/errors.ts'

/** [spec: items.not_found, questions.item_not_found] */
export const itemNotFound = (id: unknown) => notFound(`Item with id ${id} not found`)
export const applicationNotFound = (id: unknown) => notFound(`Application with id ${id} not found`)
/** [spec: users.not_found] */
export const userNotFound = (id: unknown) => notFound(`User with id ${id} not found`)

/** The resource to create exists. */
export const conflict = (message: string) => apiError(409, 'conflict', message)
