import { badRequest, controlError } from '../../http/errors/control_errors.ts'
import { apiError, forbidden, notFound } from '../../http/errors/errors.ts'
import { conflict } from '../shared/errors.ts'

export const invalidOrderId = (id?: unknown) =>
  apiError({ rule: 'orders.invalid_id', field: 'order_id' }, 400, 'invalid_order_id', `Invalid order id: ${id}`)
export const orderNotFound = (_id?: unknown) =>
  apiError({ rule: 'orders.not_found', field: 'order_id' }, 404, 'order_not_found', 'Order does not exist')
/** The caller is neither its seller nor its buyer. */
export const notOwnedOrder = () =>
  apiError('orders.not_owned', 403, 'not_owned_order', 'The user has not access to the order')

export const foreignSearch = () =>
  apiError('orders.search.caller', 403, 'caller.id.invalid', 'caller.id does not match buyer nor seller')
export const filterRequired = () =>
  apiError('orders.search.no_filter', 400, undefined, 'at least one filter is required')

export const paymentNotFound = (id: unknown) => notFound('payments.not_found', `Payment ${id} not found`, 'payment_id')
export const foreignPayment = () => forbidden('payments.foreign')

// Errors of control calls.
export const invalidPurchase = (problem: string) => badRequest(problem)
export const onlyAvailable = (n: number) => conflict(`only ${n} available`)
export const orderIs = (status: string) => controlError(409, 'conflict', `order is ${status}`)

// Of billing data, feedback and notes.

export const billingInfoNotFound = (id: unknown) =>
  notFound('orders.billing.not_found', `Billing info with id ${id} not found`, 'billing_info_id')

/** Maximum characters of the message of a feedback, and of a reply [spec: orders.feedback.message]. */
export const MAX_MESSAGE_LENGTH = 160

export const feedbackNotFound = () =>
  apiError({ rule: 'orders.feedback.not_found', field: 'feedback_id' }, 404, 'feedback_not_found', 'Feedback not found')
export const notOwnedFeedback = () =>
  apiError('orders.feedback.foreign', 403, 'not_owned_feedback', 'The user has not access to the feedback')
export const feedbackExists = () =>
  apiError('orders.feedback.once', 400, 'feedback_already_exists', 'The user has already given feedback on the order')
/** By `check`: it is no boolean, or false without a reason. */
export const invalidFulfilled = (check: 'body' | 'has_reason') =>
  apiError(
    { rule: 'orders.feedback.fulfilled', field: check === 'body' ? 'fulfilled' : 'reason', check },
    400,
    'invalid_fulfilled',
    'fulfilled must be true, or false with a reason',
  )
export const notFulfilledAfterExpiry = () =>
  apiError(
    { rule: 'orders.feedback.expired', field: 'fulfilled' },
    400,
    'not_fulfilled_feedback_in_order_expired',
    "You can't submit a not fulfilled feedback after order has expired.",
  )
export const invalidMessage = () =>
  apiError(
    { rule: 'orders.feedback.message', field: 'message' },
    400,
    'invalid_message',
    `The text must be a string of at most ${MAX_MESSAGE_LENGTH} characters`,
  )
export const replyExists = () =>
  apiError('orders.feedback.reply.once', 400, 'reply_already_exists', 'The feedback has already a reply')
export const replyTimeExpired = () =>
  apiError('orders.feedback.reply.time', 400, 'reply_time_expired', 'The time to reply has expired')

export const noteNotFound = (id: unknown) => notFound('orders.notes.not_found', `Note ${id} not found`, 'note_id')
