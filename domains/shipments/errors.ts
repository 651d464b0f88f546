import { notFound as notFoundByControl } from '../../http/errors/control_errors.ts'
import { conflict } from '../shared/errors.ts'

// Errors of control calls.
export const shipmentExists = (id: number) => conflict(`Shipment with id ${id} exists already`)
export const shipmentNotFound = (id: unknown) => notFoundByControl(`Shipment with id ${id} not found`)
