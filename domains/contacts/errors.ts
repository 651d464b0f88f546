import { type ApiError, badRequest, notFound } from '../../http/errors.ts'

/** [spec: contacts.not_found] */
export const itemNotFound = () => notFound('Item not found')
/** [spec: contacts.not_found] */
export const userNotFound = () => notFound('User not found')

/** The error for an invalid user id in a path: 404 for any number, 400 for other text [spec: contacts.user_id]. */
export const invalidUserId = (id: unknown) =>
  /^-?\d+(\.\d+)?$/.test(String(id))
    ? userNotFound()
    : badRequest("error decoding 'user_id'. It must be string or number")

/** These errors have two members only [spec: contacts.errors, contacts.token_errors]. */
export const contactsError = ({ statusCode, error, message }: ApiError) => ({
  code: statusCode === 401 ? 'unauthorized' : error,
  message,
})
