import { type ApiError, apiError, badRequest, notFound, standardError } from '../../http/errors.ts'

/** Leads of one page. */
export const MAX_LEADS_PER_PAGE = 100

// Texts: contract, Errors, Credits; rulings §5.

export const foreignSeller = () => badRequest('seller_id must match the value obtained from the token')
export const invalidDate = (name: string) => badRequest(`Invalid ${name} format, must follow ISO format`)
export const invalidRange = () => badRequest('Invalid date range')
export const rangeTooLong = () => badRequest('Date range cannot exceed 3 months')
export const invalidItem = () => badRequest('item_id must match the item pattern M[A-Z]{2}[0-9]+')
export const invalidStatus = () => badRequest('Invalid status')
export const invalidEntity = () => badRequest('Invalid financial entity')
export const limitTooHigh = () => badRequest(`limit must be at most ${MAX_LEADS_PER_PAGE}`)
export const invalidId = () => badRequest('id must match the UUID pattern')
export const leadNotFound = () => notFound('Detail not found for credit')
export const leadExists = (id: string) => apiError(409, 'conflict', `Lead with id ${id} exists already`)
export const leadExpired = () => apiError(410, 'gone', 'Gone')
const unauthorized = () => apiError(401, 'unauthorized', 'Unauthorized')

/** Credits say the same of a token that is missing and of one that is not valid. */
export const creditsError = (error: ApiError) => standardError(error.statusCode === 401 ? unauthorized() : error)
