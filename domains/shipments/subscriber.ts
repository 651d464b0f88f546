import type { EventSubscriber } from '../../db/engine.ts'
import { type Moment, readWorldRow } from '../../db/world.ts'
import { setShipment } from '../orders/operations.ts'
import { orderOfPayment, paymentById } from '../orders/queries.ts'
import { isPaid } from '../orders/states.ts'
import { cancelShipment, createShipment, isSent } from './operations.ts'
import { ordersOfShipment, shipmentById } from './queries.ts'

/**
 * A paid order gets its shipment, and a cancelled one loses it, in the unit of its payment's event: an order that is only
 * said to be paid or cancelled has no such event [spec: shipments.created].
 */
export const followPayments: EventSubscriber = async (q, { events, now }) => {
  for (const { topic, resource } of events) {
    if (topic !== 'payments') continue
    const payment = await paymentById(q, Number(resource.split('/').at(-1)))
    if (!payment) continue
    const { id } = await orderOfPayment(q, payment)
    const world: Moment = { switches: JSON.parse((await readWorldRow(q)).switches), clock: { now: () => now } }
    const purchase = await ordersOfShipment(q, world, { order_id: id })
    const order = purchase.find((one) => one.id === id)!
    const known = purchase.find(({ shipment_id }) => shipment_id !== null)?.shipment_id
    const shipment = known && (await shipmentById(q, known))
    if (isSent(order) && order.shipment_id === null) {
      if (shipment) await setShipment(q, [order], shipment.id)
      else await createShipment(q, world, order)
    } else if (shipment && !purchase.some(isPaid)) await cancelShipment(q, world, shipment)
  }
}
