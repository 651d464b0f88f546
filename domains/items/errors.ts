import { notFound } from '../../plugins/errors.ts'

export const itemNotFound = (id: unknown) => notFound(`Item with id ${id} not found`)
