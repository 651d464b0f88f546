import { apiError, notFound } from '../../http/errors.ts'
import { conflict } from '../shared/errors.ts'

/** Maximum code points of a question or an answer [spec: questions.error.text_too_long]. */
export const MAX_TEXT_LENGTH = 2000

/** [spec: questions.not_found] */
export const questionNotFound = (id: unknown) => notFound(`Question with id ${id} not found`)
export const questionExists = (id: unknown) => conflict(`Question with id ${id} exists already`)
/** [spec: response_time.not_found] */
export const responseTimeNotFound = (id: unknown) => notFound(`Response time not found for user id: ${id}`)

/** [spec: questions.error.invalid_post_body] */
export const invalidPostBody = (allowed: string[]) =>
  apiError(400, 'invalid_post_body', `Invalid JSON. Valid attributes are: [${allowed.join(', ')}].`)
/** [spec: questions.error.invalid_question] */
export const invalidQuestion = () => apiError(400, 'invalid_question', 'The question is invalid.')
/** [spec: questions.error.text_is_null] */
export const textIsNull = () => apiError(400, 'text_is_null', 'The Attribute text is empty')
/** [spec: questions.error.text_too_long] */
export const textTooLong = () => apiError(400, 'text_too_long', `text must have at most ${MAX_TEXT_LENGTH} characters`)
/** [spec: questions.own_item] */
export const invalidItem = () => apiError(400, 'invalid_item', 'You cannot ask on your own item')
/** [spec: questions.error.not_active_item] */
export const notActiveItem = () => apiError(400, 'not_active_item', 'The item must be active')
/** Answering [spec: questions.error.not_unanswered]. */
export const isNotUnanswered = (id: number) =>
  apiError(400, 'not_unanswered_question', `Question ${id} is not unanswered`)
/** Deleting [spec: questions.error.must_be_unanswered]. */
export const mustBeUnanswered = (id: number) =>
  apiError(400, 'not_unanswered_question', `Question ${id} must be unanswered`)
