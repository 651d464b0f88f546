import type { Violation } from '../../http/errors/answered_error.ts'
import { notFound as notFoundByControl } from '../../http/errors/control_errors.ts'
import { type ApiError, apiError, badRequest, notFound } from '../../http/errors/errors.ts'
import type { RuleId } from '../../http/rules.ts'
import { conflict } from '../shared/errors.ts'
import { COUNTRY_OF } from '../users/sites.ts'

// Literal messages [spec: flex.errors].

const forbidden = (violation: RuleId | Violation, message: string) => apiError(violation, 403, 'forbidden', message)

/** The error for a path with a site without Flex. */
export function invalidSite(value: unknown): ApiError {
  const id = String(value)
  if (id.trim() === '') return badRequest('flex.sites.empty', 'empty site id')
  if (Object.hasOwn(COUNTRY_OF, id)) return badRequest('flex.sites.disabled', "can't access to resource")
  return badRequest('flex.sites.invalid', 'invalid site_id')
}
export const userNotFound = () => notFound('flex.user_not_found', 'user not found')
export const invalidUserId = () => badRequest('flex.settings.ids', 'invalid user_id')
export const invalidServiceId = () => badRequest('flex.settings.ids', 'invalid service_id')
/** The body is not a JSON object, or lacks the field. */
export const invalidJson = (rule: 'flex.query.not_json' | 'flex.settings.ids', field?: 'query') =>
  badRequest(rule, 'invalid JSON body', field)
export const invalidQuery = (rule: RuleId = 'flex.query.invalid') => badRequest(rule, 'invalid query', 'query')
export const schemaMismatch = (field = 'query', rule: RuleId = 'flex.query.not_of_schema') =>
  badRequest(rule, 'failed to create schema in graphql operation', field)
export const subscriptionsNotFound = () => notFound('flex.query.not_found', 'subscriptions not found')
export const settingsNotFound = () => notFound('flex.newer.not_found', 'subscriptions not found')
const CANNOT_UPDATE = "can't update delivery custom"
export const nothingToUpdate = () => notFound('flex.settings.pair', CANNOT_UPDATE)
export const subscriptionIsOut = () => forbidden('flex.settings.out', CANNOT_UPDATE)
export const itemNotFound = () => notFound('flex.items.order', 'item not found')
/** `violation`: why the listing cannot be offered with Flex, or is not. */
export const itemDown = (violation: RuleId | Violation) => forbidden(violation, 'item down')
/** Another change of the same listing is in flight. */
export const cannotActivate = () => apiError('flex.items.conflict', 409, 'conflict', "can't activate item")
export const alreadyInFlex = () => badRequest('flex.items.state', 'item is already in flex')
/** Also for the shipment of another seller [spec: flex.driver.rights]. */
export const shipmentNotFound = () => notFound('flex.driver', 'shipment_id not found')
/** For a courier. */
export const noSuchShipment = () => notFound('flex.courier', 'shipment_id not found', 'shipment_id')
export const alreadyAssigned = () =>
  apiError({ rule: 'flex.courier.conflict', field: 'shipment_id' }, 409, 'conflict', 'courier shipment conflict')

// Errors of control calls.
export const subscriptionExists = (id: number) => conflict(`Subscription with id ${id} exists already`)
export const serviceExists = (id: number) => conflict(`Service with id ${id} exists already`)
export const subscriptionNotFound = (id: unknown) => notFoundByControl(`Subscription with id ${id} not found`)
