import { notFound } from '../../plugins/errors.ts'

export const itemNotFound = (id: unknown) => notFound(`Item with id ${id} not found`)
export const userNotFound = (id: unknown) => notFound(`User with id ${id} not found`)
