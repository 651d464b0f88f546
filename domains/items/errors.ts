import { apiError } from '../../http/errors.ts'

/** The seller cannot change a listing in this state [spec: items.change.closed, items.change.under_review]. */
export const itemStatusIs = (status: string) => apiError(400, 'validation_error', `item status is ${status}`)
