import { type ApiError, apiError, badRequest, notFound } from '../../http/errors.ts'
import { conflict } from '../shared/errors.ts'
import { COUNTRY_OF } from '../users/sites.ts'

// Literal messages [spec: flex.errors].

const forbidden = (message: string) => apiError(403, 'forbidden', message)

/** The error for a path with a site without Flex [spec: flex.sites.empty, flex.sites.disabled, flex.sites.invalid]. */
export function invalidSite(value: unknown): ApiError {
  const id = String(value)
  if (id.trim() === '') return badRequest('empty site id')
  return badRequest(Object.hasOwn(COUNTRY_OF, id) ? "can't access to resource" : 'invalid site_id')
}
/** [spec: flex.user_not_found] */
export const userNotFound = () => notFound('user not found')
/** [spec: flex.settings.ids] */
export const invalidUserId = () => badRequest('invalid user_id')
/** [spec: flex.settings.ids] */
export const invalidServiceId = () => badRequest('invalid service_id')
/** [spec: flex.query.not_json, flex.settings.ids] */
export const invalidJson = () => badRequest('invalid JSON body')
/** [spec: flex.query.invalid] */
export const invalidQuery = () => badRequest('invalid query')
/** [spec: flex.query.not_of_schema] */
export const schemaMismatch = () => badRequest('failed to create schema in graphql operation')
/** [spec: flex.query.not_found] */
export const subscriptionsNotFound = () => notFound('subscriptions not found')
const CANNOT_UPDATE = "can't update delivery custom"
/** [spec: flex.settings.pair] */
export const nothingToUpdate = () => notFound(CANNOT_UPDATE)
/** [spec: flex.settings.out] */
export const subscriptionIsOut = () => forbidden(CANNOT_UPDATE)
/** [spec: flex.items.order] */
export const itemNotFound = () => notFound('item not found')
/** [spec: flex.items.order, flex.items.active] */
export const itemDown = () => forbidden('item down')
/** [spec: flex.items.state] */
export const alreadyInFlex = () => badRequest('item is already in flex')
/** [spec: flex.driver, flex.driver.rights] */
export const shipmentNotFound = () => notFound('shipment_id not found')

// Errors of control calls.
export const subscriptionExists = (id: number) => conflict(`Subscription with id ${id} exists already`)
export const serviceExists = (id: number) => conflict(`Service with id ${id} exists already`)
export const shipmentExists = (id: number) => conflict(`Shipment with id ${id} exists already`)
export const subscriptionNotFound = (id: unknown) => notFound(`Subscription with id ${id} not found`)
