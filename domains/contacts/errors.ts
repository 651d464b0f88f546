import type { AnsweredError } from '../../http/errors/answered_error.ts'
import { apiError, badRequest, notFound } from '../../http/errors/errors.ts'

/** `field`: the parameter that names the listing. */
export const itemNotFound = (field: 'item_id' | 'ids') => notFound('contacts.not_found', 'Item not found', field)
export const userNotFound = () => notFound('contacts.not_found', 'User not found', 'user_id')

/** The error for an invalid user id in a path: 404 for any integer, 400 for other text. */
export const invalidUserId = (id: unknown) =>
  /^-?\d+$/.test(String(id))
    ? userNotFound()
    : badRequest('contacts.user_id', "error decoding 'user_id'. It must be string or number")

/** A token that is missing or invalid has one code. */
export function toContactsError(error: AnsweredError): AnsweredError {
  if (error.statusCode !== 401 || error.violation?.rule === 'oauth.blocked') return error
  const rule = error.violation?.rule === 'contacts.auth' ? 'contacts.auth' : 'contacts.token_errors'
  return apiError(rule, 401, 'unauthorized', error.message)
}

/** These errors have two members only [spec: contacts.errors]. */
export const contactsBody = ({ error, message }: AnsweredError) => ({ code: error, message })
