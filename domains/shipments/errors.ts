import { notFound as notFoundByControl } from '../../http/errors/control_errors.ts'
import { apiError, badRequest, notFound } from '../../http/errors/errors.ts'
import type { RuleId } from '../../http/rules.ts'
import { conflict } from '../shared/errors.ts'
import type { State } from './states.ts'

const FIELD = 'shipment_id'

export const noShipment = (id: unknown) => notFound('shipments.not_found', `Not found shipment with id ${id}`, FIELD)
/** The caller neither sends nor receives it. */
export const foreignShipment = () =>
  apiError('shipments.rights', 403, 'forbidden', 'At least one policy returned UNAUTHORIZED')

export const noShipmentOfOrder = (id: number) =>
  notFound('shipments.of_order.none', `Not found shipment of order ${id}`, 'order_id')
export const noPayments = (id: number) =>
  notFound('shipments.payments.none', `Payments Not Found for shipment ${id}`, FIELD)
const NO_DATA = 'failed to retrieve data'
export const unknownSla = (_id: unknown) => notFound('shipments.sla.unknown', NO_DATA, FIELD)
export const noSla = () => notFound('shipments.sla.none', NO_DATA, FIELD)
export const noDelays = () => notFound('shipments.delays.none', 'Delays Not Found for shipment', FIELD)

/** The marketplace moves it, not the seller. */
export const notSentBySeller = (id: number) =>
  apiError('shipments.seller.mode', 400, 'invalid_shipment_mode', `Shipment ${id} is not me1 or custom`)
/** It cannot come from its state into the one that the call wants. */
export const wrongStatus = (rule: RuleId, id: number, status: string) =>
  apiError(rule, 400, 'invalid_shipment_status', `Shipment ${id} status is ${status}`)
export const unknownState = (status: string, substatus: string | null) =>
  badRequest('shipments.seller.states', `substatus: ${status} has no ${substatus}`, 'substatus')

// Errors of control calls.
export const shipmentExists = (id: number) => conflict(`Shipment with id ${id} exists already`)
export const shipmentNotFound = (id: unknown) => notFoundByControl(`Shipment with id ${id} not found`)
/** `to`: a state that does not follow; without it none does. */
export const cannotAdvance = (id: number, { status, substatus }: State, to?: string) =>
  conflict(
    `Shipment ${id} is ${substatus ?? status}: ${to === undefined ? 'it has no next state' : `${to} does not follow`}`,
  )
