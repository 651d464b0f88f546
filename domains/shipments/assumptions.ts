import { type Assumptions, assumed } from '../../http/assumptions.ts'
import { defineSwitch } from '../../http/switches.ts'
import { ANSWERS } from './answer_assumptions.ts'
import { LABELS } from './label_assumptions.ts'

export const PROGRESS = defineSwitch('shipments.progress', ['clock', 'manual'])
export const LABEL_DELAY = defineSwitch('shipments.label_delay', ['0', '1', '4', '24'])
export const INVOICE_NEEDED = defineSwitch('shipments.invoice_needed', ['off', 'on'])

export const SHIPMENTS: Assumptions = {
  ...ANSWERS,
  ...LABELS,
  [PROGRESS.name]: assumed('What moves a parcel whose label is printed', PROGRESS),
  [LABEL_DELAY.name]: assumed('Hours from the payment until the label of a shipment can be printed', LABEL_DELAY),
  [INVOICE_NEEDED.name]: assumed('Whether shipments of MLB wait for the seller’s invoice', INVOICE_NEEDED),
  'shipments.clock': assumed(
    'When a parcel moves by the clock, after its label is printed',
    'picked_up or dropped_off after 4 hours, shipped after 12, out_for_delivery after 36, delivered after 40; with Flex out_for_delivery after 2 and delivered after 6; of fulfillment after the payment; me1 and custom never',
  ),
  'shipments.returns': assumed(
    'When a return moves by the clock',
    'dropped_off 12 hours after it was made, shipped after 20, out_for_delivery after 44, delivered after 48; its label is not printed',
  ),
  'shipments.tracking_number': assumed(
    'tracking_number of a shipment',
    'MEL, the id, FMXDF01 for me2; null for others until the seller sends it',
  ),
}
