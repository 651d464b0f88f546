import type { AnsweredError } from '../../http/errors/answered_error.ts'
import { apiError, badRequest, notFound } from '../../http/errors/errors.ts'
import { conflict } from '../shared/errors.ts'

/** [spec: credits.limit] */
export const MAX_LEADS_PER_PAGE = 100

export const foreignSeller = () =>
  badRequest('credits.seller_id', 'seller_id must match the value obtained from the token', 'seller_id')
/** Also for the lead of another seller [spec: credits.foreign]. */
export const leadNotFound = () => notFound('credits.detail.not_found', 'Detail not found for credit')
export const leadExpired = () => apiError('credits.detail.gone', 410, 'gone', 'Gone (resource expired)')
export const leadExists = (id: string) => conflict(`Lead with id ${id} exists already`)

/** A missing and an invalid token have the same answer. */
export const toCreditsError = (error: AnsweredError): AnsweredError =>
  error.statusCode === 401 && error.violation?.rule !== 'oauth.blocked'
    ? apiError('credits.unauthorized', 401, 'unauthorized', 'Unauthorized')
    : error
