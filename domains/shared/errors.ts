import { apiError, notFound } from '../../http/errors.ts'

export const itemNotFound = (id: unknown) => notFound(`Item with id ${id} not found`)
export const applicationNotFound = (id: unknown) => notFound(`Application with id ${id} not found`)
export const userNotFound = (id: unknown) => notFound(`User with id ${id} not found`)

/** What was to be made is there already. */
export const conflict = (message: string) => apiError(409, 'conflict', message)
