import { type Assumptions, assumed, observed } from '../../http/assumptions.ts'
import { defineSwitch } from '../../http/switches.ts'

export const ZPL = defineSwitch('shipments.zpl', ['zip', 'text'])

/** Of labels and shipping options. */
export const LABELS: Assumptions = {
  [ZPL.name]: observed('How labels for printers are answered: as a ZIP with a text, or as the text', ZPL),
  'shipments.labels.file': assumed('Form and name of a label', 'pdf, unless zpl2 is asked for; Etiqueta-{first id}'),
  'shipments.labels.refused': assumed(
    'What is printed if one of several labels cannot be, and the texts of those refusals',
    'nothing; mode is {mode}, is fulfillment, status is {status} and substatus {substatus}; unknown shipments are as those of others',
  ),
  'shipments.labels.ids': assumed(
    'Answer to more than 50 ids, or none',
    '400 shipment_ids: must be 1 to 50 shipment identifiers separated by commas',
  ),
  'shipments.options': assumed(
    'What shipping options cost, and which there are',
    'one to the address, at the price of a shipment, for the buyer 0 with free shipping; none for listings that are not me2; the state is not found out',
  ),
  'shipments.options.zip_code': assumed('Form of a zip_code', '3 to 10 digits, letters and -'),
  'shipments.options.free': assumed(
    'What free shipping costs the seller',
    'the price of a shipment without discounts, and nothing with free_shipping=false',
  ),
}
