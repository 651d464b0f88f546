import { type ApiError, badRequest, notFound } from '../../http/errors.ts'

export const itemNotFound = () => notFound('Item not found')
export const userNotFound = () => notFound('User not found')

/** A path's user id that is no user's: what is no number at all cannot be decoded, any number may just not be there. */
export const invalidUserId = (id: unknown) =>
  /^-?\d+(\.\d+)?$/.test(String(id))
    ? userNotFound()
    : badRequest("error decoding 'user_id'. It must be string or number")

/** Errors of the contact statistics have two members (contract, Errors). */
export const contactsError = ({ statusCode, error, message }: ApiError) => ({
  code: statusCode === 401 ? 'unauthorized' : error,
  message,
})
