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
export const orderExists = (id: unknown) => conflict(`Order with id ${id} exists already`)
