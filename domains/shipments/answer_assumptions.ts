import { type Assumptions, assumed } from '../../http/assumptions.ts'

/** What answers about shipments rest on. */
export const ANSWERS: Assumptions = {
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
}
