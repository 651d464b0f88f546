import type { EventSubscriber } from '../../db/engine.ts'
import { type Moment, readWorldRow } from '../../db/world.ts'
import { setShipment } from '../orders/operations.ts'
import { orderOfPayment, ordersOfPack, paymentById } from '../orders/queries.ts'
import { isPaid, orderAt } from '../orders/states.ts'
import { cancelShipment, createShipment } from './operations.ts'
import { shipmentById } from './queries.ts'

/**
 * A paid order gets its shipment, and a cancelled one loses it, in the unit of its payment's event: an order that is only
 * said to be paid or cancelled has no such event [spec: shipments.created].
 */
export const followPayments: EventSubscriber = async (q, { events, now }) => {
  for (const { topic, resource } of events) {
    if (topic !== 'payments') continue
    const payment = await paymentById(q, Number(resource.split('/').at(-1)))
    if (!payment) continue
    const order = orderAt(await orderOfPayment(q, payment), now)
    const pack = order.pack_id === null ? [order] : await ordersOfPack(q, order.pack_id)
    const world: Moment = { switches: JSON.parse((await readWorldRow(q)).switches), clock: { now: () => now } }
    const known = pack.find(({ shipment_id }) => shipment_id !== null)?.shipment_id
    const shipment = known && (await shipmentById(q, known))
    if (!isPaid(order)) {
      if (shipment && !pack.some(isPaid)) await cancelShipment(q, world, shipment)
    } else if (order.shipment_id === null && !order.tags.includes('"no_shipping"')) {
      if (shipment) await setShipment(q, [order], shipment.id)
      else await createShipment(q, world, order)
    }
  }
}
