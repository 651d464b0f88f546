import { notFound } from '../../../http/errors.ts'

export const applicationNotFound = (id: unknown) => notFound(`Application with id ${id} not found`)
/** Says nothing of the token: who may not know one must not read it in an answer. */
export const tokenNotFound = () => notFound('Token not found')
