import { type ApiError, apiError, badRequest, notFound, standardError } from '../../http/errors.ts'
import { conflict } from '../shared/errors.ts'

/** [spec: credits.limit] */
export const MAX_LEADS_PER_PAGE = 100

/** [spec: credits.seller_id] */
export const foreignSeller = () => badRequest('seller_id must match the value obtained from the token')
/** [spec: credits.search.format, credits.date_to] */
export const invalidDate = (name: string) => badRequest(`Invalid ${name} format, must follow ISO format`)
/** [spec: credits.date_order] */
export const invalidRange = () => badRequest('Invalid date range')
/** [spec: credits.search.range] */
export const rangeTooLong = () => badRequest('Date range cannot exceed 3 months')
/** [spec: credits.search.item_id] */
export const invalidItem = () => badRequest('item_id must match the item pattern M[A-Z]{2}[0-9]+')
/** [spec: credits.status] */
export const invalidStatus = () => badRequest('Invalid status')
/** [spec: credits.search.entities] */
export const invalidEntity = () => badRequest('Invalid financial entity')
/** [spec: credits.limit] */
export const limitTooHigh = () => badRequest(`limit must be at most ${MAX_LEADS_PER_PAGE}`)
/** [spec: credits.detail.id] */
export const invalidId = () => badRequest('id must match the UUID pattern')
/** [spec: credits.detail.not_found, credits.foreign] */
export const leadNotFound = () => notFound('Detail not found for credit')
export const leadExists = (id: string) => conflict(`Lead with id ${id} exists already`)
/** [spec: credits.detail.gone] */
export const leadExpired = () => apiError(410, 'gone', 'Gone (resource expired)')
const unauthorized = () => apiError(401, 'unauthorized', 'Unauthorized')

/** A missing and an invalid token have the same answer [spec: credits.unauthorized]. */
export const creditsError = (error: ApiError) => standardError(error.statusCode === 401 ? unauthorized() : error)
