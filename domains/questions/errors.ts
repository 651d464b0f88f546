import { apiError, notFound } from '../../http/errors/errors.ts'
import { conflict } from '../shared/errors.ts'

/** Maximum code points of a question or an answer [spec: questions.error.text_too_long]. */
export const MAX_TEXT_LENGTH = 2000

export const questionNotFound = (id: unknown) =>
  notFound('questions.not_found', `Question with id ${id} not found`, 'question_id')
export const questionExists = (id: unknown) => conflict(`Question with id ${id} exists already`)
/** The listing to ask about. */
export const itemNotFound = (id: unknown) => notFound('questions.item_not_found', `Item with id ${id} not found`)
export const responseTimeNotFound = (id: unknown, check: 'user_exists' | 'has_questions' = 'user_exists') =>
  apiError(
    { rule: 'response_time.not_found', field: 'user_id', check },
    404,
    undefined,
    `Response time not found for user id: ${id}`,
  )

/** `field`: the wrong member; undefined if the body is no object. */
export const invalidPostBody = (allowed: string[], field?: string) =>
  apiError(
    { rule: 'questions.error.invalid_post_body', field },
    400,
    'invalid_post_body',
    `Invalid JSON. Valid attributes are: [${allowed.join(', ')}].`,
  )
/** By `check`: the id is no integer, or the question cannot be answered. */
export const invalidQuestion = (check: 'question_id' | 'question_answerable') =>
  apiError(
    { rule: 'questions.error.invalid_question', field: 'question_id', check },
    400,
    'invalid_question',
    'The question is invalid.',
  )
export const textIsNull = () =>
  apiError('questions.error.text_is_null', 400, 'text_is_null', 'The Attribute text is empty')
export const textTooLong = () =>
  apiError(
    'questions.error.text_too_long',
    400,
    'text_too_long',
    `text must have at most ${MAX_TEXT_LENGTH} characters`,
  )
export const invalidItem = () => apiError('questions.own_item', 400, 'invalid_item', 'You cannot ask on your own item')
export const notActiveItem = () =>
  apiError('questions.error.not_active_item', 400, 'not_active_item', 'The item must be active')
/** Answering, on a listing that is active again. */
export const closedWithItsListing = () =>
  apiError('questions.error.closed', 400, 'not_active_item', 'The question was closed with its listing')
/** Answering. */
export const isNotUnanswered = (id: number) =>
  apiError('questions.error.not_unanswered', 400, 'not_unanswered_question', `Question ${id} is not unanswered`)
/** Answering or deleting the open question of a blocked buyer. */
export const isAnsweredAlready = (id: number) =>
  apiError('questions.blocked_answer', 400, 'not_unanswered_question', `Question ${id} is already answered.`)
/** Deleting. */
export const mustBeUnanswered = (id: number) =>
  apiError('questions.error.must_be_unanswered', 400, 'not_unanswered_question', `Question ${id} must be unanswered`)
