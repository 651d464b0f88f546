import { controlError, notFound as notFoundByControl } from '../../http/errors/control_errors.ts'
import { conflict } from '../shared/errors.ts'

// Errors of control calls.
export const shipmentExists = (id: number) => conflict(`Shipment with id ${id} exists already`)
export const shipmentNotFound = (id: unknown) => notFoundByControl(`Shipment with id ${id} not found`)
export const cannotAdvance = (id: number, { status, substatus }: { status: string; substatus: string | null }) =>
  controlError(409, 'conflict', `Shipment ${id} is ${status}${substatus ? `, ${substatus}` : ''}: nothing follows`)
