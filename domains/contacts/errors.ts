import { badRequest, notFound, type Refusal } from '../../plugins/errors.ts'

export const itemNotFound = () => notFound('Item not found')
export const userNotFound = () => notFound('User not found')
export const userIdUndecodable = () => badRequest("error decoding 'user_id'. It must be string or number")

/** Errors of the contact statistics have two members (contract, Errors). */
export const contactsError = ({ statusCode, error, message }: Refusal) => ({
  code: statusCode === 401 ? 'unauthorized' : error,
  message,
})
