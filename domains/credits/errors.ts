import type { AnsweredError } from '../../http/errors/answered_error.ts'
import { apiError, badRequest, notFound } from '../../http/errors/errors.ts'
import { conflict } from '../shared/errors.ts'

/** [spec: credits.limit] */
export const MAX_LEADS_PER_PAGE = 100

export const foreignSeller = () =>
  badRequest('credits.seller_id', 'seller_id must match the value obtained from the token', 'seller_id')
export const invalidDate = (name: 'date_from' | 'date_to') =>
  badRequest(
    name === 'date_from' ? 'credits.search.format' : 'credits.date_to',
    `Invalid ${name} format, must follow ISO format`,
    name,
  )
export const invalidRange = () => badRequest('credits.date_order', 'Invalid date range', 'date_from')
export const rangeTooLong = () => badRequest('credits.search.range', 'Date range cannot exceed 3 months', 'date_to')
export const invalidItem = () =>
  badRequest('credits.search.item_id', 'item_id must match the item pattern M[A-Z]{2}[0-9]+', 'item_id')
export const invalidStatus = () => badRequest('credits.status', 'Invalid status', 'status')
export const invalidEntity = () =>
  badRequest('credits.search.entities', 'Invalid financial entity', 'financial_entity_id')
export const limitTooHigh = () => badRequest('credits.limit', `limit must be at most ${MAX_LEADS_PER_PAGE}`, 'limit')
export const invalidId = () => badRequest('credits.detail.id', 'id must match the UUID pattern', 'credit_id')
/** Also for the lead of another seller [spec: credits.foreign]. */
export const leadNotFound = () => notFound('credits.detail.not_found', 'Detail not found for credit')
export const leadExists = (id: string) => conflict(`Lead with id ${id} exists already`)
export const leadExpired = () => apiError('credits.detail.gone', 410, 'gone', 'Gone (resource expired)')
const unauthorized = () => apiError('credits.unauthorized', 401, 'unauthorized', 'Unauthorized')

/** A missing and an invalid token have the same answer. */
export const toCreditsError = (error: AnsweredError): AnsweredError =>
  error.statusCode === 401 ? unauthorized() : error
