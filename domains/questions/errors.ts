import { apiError, badRequest, notFound } from '../../http/errors.ts'

/** Code points of a question or an answer. */
export const MAX_TEXT_LENGTH = 2000

export const questionNotFound = (id: unknown) => notFound(`Question with id ${id} not found`)
export const questionExists = (id: unknown) => apiError(409, 'conflict', `Question with id ${id} exists already`)
export const responseTimeNotFound = (id: unknown) => notFound(`Response time not found for user id: ${id}`)

export const invalidPostBody = (allowed: string[]) =>
  apiError(400, 'invalid_post_body', `Invalid JSON. Valid attributes are: [${allowed.join(', ')}].`)
export const invalidQuestion = () => apiError(400, 'invalid_question', 'The question is invalid.')
export const textIsNull = () => apiError(400, 'text_is_null', 'The attribute text is empty')
export const textTooLong = () => apiError(400, 'text_too_long', `text must have at most ${MAX_TEXT_LENGTH} characters`)
export const invalidItem = () => apiError(400, 'invalid_item', 'You cannot ask on your own item')
export const notActiveItem = () => apiError(400, 'not_active_item', 'The item must be active')
export const isNotUnanswered = (id: number) =>
  apiError(400, 'not_unanswered_question', `Question ${id} is not unanswered`)
export const mustBeUnanswered = (id: number) =>
  apiError(400, 'not_unanswered_question', `Question ${id} must be unanswered`)

export const pageTooDeep = () => badRequest('offset + limit must be at most 1000; use search_type=scan')
export const invalidScroll = () => badRequest('scroll_id: is unknown or has expired; begin again with search_type=scan')
