import { notFound as notFoundByControl } from '../../http/errors/control_errors.ts'
import { conflict } from '../shared/errors.ts'
import type { State } from './states.ts'

// Errors of control calls.
export const shipmentExists = (id: number) => conflict(`Shipment with id ${id} exists already`)
export const shipmentNotFound = (id: unknown) => notFoundByControl(`Shipment with id ${id} not found`)
/** `to`: a state that does not follow; without it none does. */
export const cannotAdvance = (id: number, { status, substatus }: State, to?: string) =>
  conflict(
    `Shipment ${id} is ${substatus ?? status}: ${to === undefined ? 'it has no next state' : `${to} does not follow`}`,
  )
