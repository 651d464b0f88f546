import { apiError } from '../../http/errors/errors.ts'

/** The seller cannot change a listing in this state. */
export const itemStatusIs = (status: 'closed' | 'under_review') =>
  apiError(`items.change.${status}`, 400, 'validation_error', `item status is ${status}`)
