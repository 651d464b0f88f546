import type { EventSubscriber } from '../../db/engine.ts'
import { type Moment, readWorldRow } from '../../db/world.ts'
import { shipmentById, stepsOf } from '../shipments/queries.ts'
import { stateAt } from '../shipments/states.ts'
import { endReturn } from './operations.ts'
import { casesOf, findClaims } from './queries.ts'

/** A return that is delivered ends its claim in the unit of the event of its shipment [spec: claims.returns]. */
export const followReturns: EventSubscriber = async (q, { events, now }) => {
  for (const { topic, resource } of events) {
    if (topic !== 'shipments') continue
    const parcel = await shipmentById(q, Number(resource.split('/').at(-1)))
    if (parcel?.type !== 'return' || parcel.order_id === null) continue
    if (stateAt((await stepsOf(q, [parcel])).get(parcel.id)!, now).status !== 'delivered') continue
    const open = { order_id: parcel.order_id, status: 'opened' } as const
    const { rows } = await findClaims(q, open, { limit: 10, offset: 0 })
    const world: Moment = { switches: JSON.parse((await readWorldRow(q)).switches), clock: { now: () => now } }
    for (const one of await casesOf(q, world, rows))
      if (one.claim.return_shipment_id === parcel.id) await endReturn(q, world, one)
  }
}
