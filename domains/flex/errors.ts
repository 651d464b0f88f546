import { type ApiError, apiError, badRequest, notFound } from '../../http/errors.ts'
import { COUNTRY_OF } from '../users/sites.ts'

// Contract, Errors, Flex: the messages are its own, to the letter.

const forbidden = (message: string) => apiError(403, 'forbidden', message)

/** Why a site id of an address is not one with Flex. */
export function invalidSite(sent: unknown): ApiError {
  const id = String(sent)
  if (id.trim() === '') return badRequest('empty site id')
  return badRequest(Object.hasOwn(COUNTRY_OF, id) ? "can't access to resource" : 'invalid site_id')
}
export const userNotFound = () => notFound('user not found')
export const invalidUserId = () => badRequest('invalid user_id')
export const invalidServiceId = () => badRequest('invalid service_id')
export const invalidJson = () => badRequest('invalid JSON body')
export const invalidQuery = () => badRequest('invalid query')
export const schemaMismatch = () => badRequest('failed to create schema in graphql operation')
export const subscriptionsNotFound = () => notFound('subscriptions not found')
const CANNOT_UPDATE = "can't update delivery custom"
export const nothingToUpdate = () => notFound(CANNOT_UPDATE)
export const subscriptionIsOut = () => forbidden(CANNOT_UPDATE)
export const itemNotFound = () => notFound('item not found')
export const itemDown = () => forbidden('item down')
export const alreadyInFlex = () => badRequest('item is already in flex')
export const shipmentNotFound = () => notFound('shipment_id not found')

// Of control calls.
export const subscriptionExists = (id: number) => apiError(409, 'conflict', `Subscription with id ${id} exists already`)
export const serviceExists = (id: number) => apiError(409, 'conflict', `Service with id ${id} exists already`)
export const shipmentExists = (id: number) => apiError(409, 'conflict', `Shipment with id ${id} exists already`)
export const subscriptionNotFound = (id: unknown) => notFound(`Subscription with id ${id} not found`)
