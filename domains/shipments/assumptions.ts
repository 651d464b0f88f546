import { type Assumptions, assumed, observed } from '../../http/assumptions.ts'
import { defineSwitch } from '../../http/switches.ts'

export const ZPL = defineSwitch('shipments.zpl', ['zip', 'text'])
export const PROGRESS = defineSwitch('shipments.progress', ['clock', 'manual'])
export const LABEL_DELAY = defineSwitch('shipments.label_delay', ['0', '1', '4', '24'])
export const INVOICE_NEEDED = defineSwitch('shipments.invoice_needed', ['off', 'on'])

export const SHIPMENTS: Assumptions = {
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
  'shipments.addresses': assumed(
    'Addresses of users without one, and coordinates',
    'in the capital, in a street that follows from the id; coordinates are those of the capital',
  ),
  'shipments.dimensions': assumed(
    'Size and weight of parcels',
    'as the listing says, else 10 × 20 × 30 cm and 500 g for each unit, one upon the other',
  ),
  'shipments.list_cost': assumed(
    'Price of a shipment',
    'a price of its currency up to 1 kg, each further kilogram a fifth of it',
  ),
  'shipments.promises': assumed(
    'When a seller has to hand a parcel over, and when it arrives',
    'on the working day after the sale; 48 hours after its start, with Flex on that day, me1 and custom after 120 hours',
  ),
  'shipments.of_order.none': assumed('Answer for an order without a shipment', '404 Not found shipment of order {id}'),
  'shipments.ready.status': assumed('Answer where a shipment is ready already', '400 invalid_shipment_status', [
    { route: 'POST /shipments/:shipment_id/process/ready_to_ship' },
  ]),
  'shipments.seller': assumed('Answer to what sellers say of a shipment', '200 with the shipment in its older form', [
    { route: 'POST /shipments/:shipment_id/seller_notifications' },
    { route: 'PUT /shipments/:shipment_id' },
  ]),
  'shipments.seller.mode': assumed('Answer where the marketplace moves the shipment', '400 invalid_shipment_mode'),
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
